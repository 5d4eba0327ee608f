"""The WLM service policy in effect, and what a service unit is.

16,000,000 / adjustment is the service units a processor gives in a second, times the coefficient.
z/OS MVS Planning: Workload Management; RMF field R723MADJ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.units import TICKS_PER_US

I64 = npt.NDArray[np.int64]
Amounts = I64 | int  # one number stands for all: most often 0, nothing of that kind was used

US_128, US_1024, CENTISECOND = 128 * TICKS_PER_US, 1024 * TICKS_PER_US, 10_000 * TICKS_PER_US


@dataclass(frozen=True)
class Policy:
    """Names and coefficients; storage service is not counted (coefficient 0)."""

    name: str = "BASE"
    doc: str = "Base policy"
    definition: str = "IMSPERF"
    definition_doc: str = "Service definition"
    installer: str = "WLMADM"
    installed: str = "2014-02-01T09:00:00"  # local
    cpu: float = 1.0
    srb: float = 1.0
    io: float = 0.5
    adjustment: int = 576
    sample_ms: int = 250
    ziip_speed: int = 256  # against a CP, 1/256

    def units(self, ticks: I64, coefficient: float) -> I64:
        """Service units of CPU time in ticks, (n, ...), by error diffusion along the intervals."""
        tenths = round(coefficient * 10)
        return in_units(ticks, self.adjustment * TICKS_PER_US // 16 * 10, tenths)

    def io_units(self, blocks: I64) -> I64:
        """Service units of I/O."""
        return in_units(blocks, 10, round(self.io * 10))


@dataclass(frozen=True, kw_only=True)
class Service:
    """Service units in each interval, (n, m): of m address spaces or periods.

    `cpu` holds zIIP work at the speed of a CP; `ziip` is at its own. Time becomes units once: those
    of a class come from the time of all its address spaces, a unit of each of these ahead at most.
    """

    cpu: Amounts = 0
    srb: Amounts = 0
    io: Amounts = 0
    ziip: Amounts = 0
    ziip_on_cp: Amounts = 0

    @property
    def total(self) -> Amounts:
        """Service of all kinds."""
        return self.cpu + self.srb + self.io


def summed(values: Amounts, of: I64, number: int) -> Amounts:
    """Columns (n, m) added up to (n, number): column j to column of[j], -1: to none."""
    if isinstance(values, int):
        return values
    total = np.zeros((len(values), number), dtype=values.dtype)
    for one in np.unique(of[of >= 0]).tolist():
        total[:, one] = values[:, of == one].sum(axis=1)
    return total


def quantised(values: Amounts, unit: int) -> Amounts:
    """Ticks as whole field units; 0 stays 0."""
    return values if isinstance(values, int) else in_units(values, unit)
