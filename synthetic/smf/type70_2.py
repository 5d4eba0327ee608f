"""SMF 70.2: crypto cards that run as CCA coprocessors."""

from __future__ import annotations

import numpy as np

from imsperf.layouts import smf70_2
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group

WRITTEN_US = 20_000
PCIXCC = 5  # type of the card, numbered as in SMF82CAP of type 82
VALID = 0xC0  # all operations, RSA key generation
SCALE_S = 1e-6  # of the times: microseconds


def crypto_groups(completed: I64, network: Network, host: Host, interval: Interval) -> list[Group]:
    """One record for each interval, a section for each card; none where there are no cards.

    `completed`: tasks by class, (n, classes). The first card has all operations.
    """
    cards = network.crypto
    if cards is None:
        return []
    codes = [one.name for one in network.classes]
    operations = np.zeros((len(interval), cards.cards))
    if cards.code in codes:
        operations[:, 0] = completed[:, codes.index(cards.code)]
    part = Sections(
        smf70_2.CCA,
        {"r7023c0": operations, "r7023t0": operations * cards.operation_us},
        cards.cards,
        fixed={
            "r7023ax": np.arange(cards.cards),
            "r7023ct": PCIXCC,
            "r7023msk": VALID,
            "r7023sf": SCALE_S,
        },
    )
    return [rmf_group(smf70_2.CRYPTO_ACTIVITY, host, interval, [part], WRITTEN_US)]
