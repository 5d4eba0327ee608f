"""SMF 74.2: signalling between the systems of a sysplex (XCF)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from imsperf.layouts import smf74_2
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.measured import Amounts, columns_of, columns_of_each, measured, stated
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group

I64 = npt.NDArray[np.int64]
Way = Literal["inbound", "outbound", "local"]

WRITTEN_US = 75_000
LOCAL, ACTIVE = 0x20, 3
TRANSPORT_CLASS, BUFFER_BYTES, MOST_KB = "DEFAULT", 956, 2000


@dataclass(frozen=True)
class Member:
    """A member of an XCF group on this system."""

    group: str = stated("r742mgrp")
    name: str = stated("r742mmem")
    job: str = stated("r742mjob")


@dataclass(frozen=True, kw_only=True)
class Xcf:
    """What XCF did in n intervals: messages on this system, (n, 1), and of its members, (n, m)."""

    fit: Amounts = measured("r742sfit")  # their buffers
    members: Sequence[Member]
    sent: Amounts = measured("r742msnt")
    received: Amounts = measured("r742mrcv")


def xcf_group(xcf: Xcf, host: Host, interval: Interval) -> Group:
    """One record per interval."""
    parts = [
        Sections(
            smf74_2.SYSTEM,
            columns_of(xcf, smf74_2.SYSTEM),
            fixed={
                "r742snme": host.system,
                "r742sdir": LOCAL,
                "r742smxb": MOST_KB,
                "r742stcl": BUFFER_BYTES,
                "r742stcn": TRANSPORT_CLASS,
            },
        ),
        Sections(
            smf74_2.MEMBER,
            columns_of(xcf, smf74_2.MEMBER),
            len(xcf.members),
            fixed=columns_of_each(xcf.members, smf74_2.MEMBER)
            | {"r742msys": host.system, "r742mst1": ACTIVE},
        ),
    ]
    return rmf_group(smf74_2.XCF_ACTIVITY, host, interval, parts, WRITTEN_US)
