"""What records of single requests (SMF 110.1, 123) need of the sampled transactions.

The SMF dump is written after the log, when the transactions themselves are forgotten. 80 bytes of
each sampled one are kept to the end, and only of systems that write such records.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.simulation.completed import SMALL, TIMES, Handed
from imsperf.synthetic.simulation.result import SimResult

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]

KEPT_TIMES = (
    *("send", "arrival", "sync", "written", "dequeue", "cpu_input", "cpu_region", "cpu_output"),
    *("number",),
)
KEPT_SMALL = ("cls", "client")


class Kept:
    """Transactions of one system, handed over piece by piece; nothing where `wanted` is False."""

    def __init__(self, *, wanted: bool) -> None:
        self.wanted = wanted
        self._times: list[I64] = []
        self._small: list[I32] = []

    def add(self, new: Handed) -> None:
        """Transactions that ended."""
        if self.wanted and len(new.times):
            self._times.append(new.times[:, [TIMES.index(one) for one in KEPT_TIMES]])
            self._small.append(new.small[:, [SMALL.index(one) for one in KEPT_SMALL]])

    def taken(self) -> dict[str, I64 | I32]:
        """Columns of all of them in the order of their ends; nothing is kept after that."""
        if not self._times:
            none: dict[str, I64 | I32] = {
                one: np.empty(0, np.int64) for one in (*KEPT_TIMES, *KEPT_SMALL)
            }
            return none
        times, small = np.concatenate(self._times), np.concatenate(self._small)
        self._times, self._small = [], []
        place = {one: n for n, one in enumerate(KEPT_TIMES)}
        order = np.lexsort((times[:, place["number"]], times[:, place["dequeue"]]))
        found: dict[str, I64 | I32] = {name: times[order, n] for name, n in place.items()}
        return found | {name: small[order, n] for n, name in enumerate(KEPT_SMALL)}


def keep(kept: Sequence[Kept], handed: Sequence[Handed]) -> None:
    """What all systems handed over."""
    for one, new in zip(kept, handed, strict=True):
        one.add(new)


def keep_rest(kept: Sequence[Kept], results: Sequence[SimResult]) -> None:
    """What is left when the run is over: all, where nothing was handed over."""
    for one, result in zip(kept, results, strict=True):
        if one.wanted:
            one.add(Handed.of(result.transactions, result.programs, 0))
