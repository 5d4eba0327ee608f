"""CPU of each dependent region (type 30): what its group has, cut by what its messages used.

The simulation keeps what messages used while they had each region; of that the region's own is a
part (region_cpu.py), the same for all regions of a group. So its CPU is cut in proportion, and
agrees with 56FA and 07, region by region. Groups are regions of one row of the cost table and one
class: classes (72.3) have what they had. Where nothing is kept, in interval mode, whose regions are
not told apart, the cut stays even; so it does of an interval in which no region had a message.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.accounts.integer_split import WHOLE, shared
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.regions import job_names
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult

I64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RegionUsage:
    """Ticks that messages used in each address space (n, m), 0 in those that are no regions; the
    groups: places of address spaces."""

    cpu: I64
    ziip: I64
    groups: tuple[I64, ...]

    def cut(self, values: I64) -> I64:
        """CPU of address spaces (n, m), that of each group by what its regions used."""
        return self._cut(values, self.cpu)

    def cut_eligible(self, values: I64) -> I64:
        """The same of eligible work: by zIIP time, or CPU where none of the group ran on a zIIP."""
        return self._cut(values, self.ziip)

    def _cut(self, values: I64, used: I64) -> I64:
        found = values.copy()
        for one in self.groups:
            weight: I64 = used[:, one]
            weight = np.where(weight.any(axis=1, keepdims=True), weight, self.cpu[:, one])
            weight = np.where(weight.any(axis=1, keepdims=True), weight, values[:, one])
            weight = weight // (weight.sum(axis=1, keepdims=True) // WHOLE + 1)
            found[:, one] = shared(values[:, one].sum(axis=1), weight)
        return found


def regions_used(result: SimResult, network: Network, inventory: Inventory) -> RegionUsage:
    """What regions used; no groups where that is not kept, or threads run in no region."""
    n, m = len(result.ticks), len(inventory.spaces)
    cpu, ziip = np.zeros((n, m), np.int64), np.zeros((n, m), np.int64)
    if not result.region_cpu_ticks.shape[1] or network.source or network.sequence is not None:
        return RegionUsage(cpu, ziip, ())
    jobs = np.array([one.job for one in inventory.spaces])
    order = np.argsort(jobs)
    place = order[np.searchsorted(jobs, job_names(network), sorter=order)]
    cpu[:, place], ziip[:, place] = result.region_cpu_ticks, result.region_ziip_ticks
    whose = [
        (inventory.rows[n], int(inventory.service[n]), int(inventory.report[n])) for n in place
    ]
    groups = (
        place[[other == one for other in whose]] for one in dict.fromkeys(whose)
    )  # fmt: skip
    return RegionUsage(cpu, ziip, tuple(groups))
