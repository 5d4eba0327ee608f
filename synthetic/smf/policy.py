"""The WLM service policy in effect, and what a service unit is.

16,000,000 / adjustment is the service units a processor gives in a second, times the coefficient.
z/OS MVS Planning: Workload Management; RMF field R723MADJ.
"""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.measured import Amounts, measured
from imsperf.synthetic.units import TICKS_PER_US


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

    cpu: Amounts = measured("r723ccpu", "smf30csu_l")
    srb: Amounts = measured("r723csrb", "smf30srb_l")
    io: Amounts = measured("r723cioc", "smf30io_l")
    ziip: Amounts = measured("r723csup")
    ziip_on_cp: Amounts = measured("r723csuc")

    @property
    def total(self) -> Amounts:
        """Service of all kinds."""
        return self.cpu + self.srb + self.io
