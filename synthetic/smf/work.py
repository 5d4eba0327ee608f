"""Service and report classes, their goals, and what their work did: the input of type 72.3."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.smf.measured import US_128, US_1024, Amounts, measured, stated
from imsperf.synthetic.units import TICKS_PER_US

# --- service policy -------------------------------------------------------------------------------
#
# The WLM service policy in effect, and what a service unit is.
#
# 16,000,000 / adjustment is the service units a processor gives in a second, times the coefficient.
# z/OS MVS Planning: Workload Management; RMF field R723MADJ.


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
    ziip_capacity: int = 1024  # of a zIIP with all threads busy, against one thread, 1/1024

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


# Upper edges of the response time distribution in % of its middle; beyond the last there is none.
EDGES_PCT = (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 200, 400)
BUCKETS = len(EDGES_PCT) + 1

GoalKind = Literal["percentile", "average", "velocity", "discretionary", "system", ""]


@dataclass(frozen=True)
class Goal:
    """The goal of a period: `value` ms of response time, or a velocity in per cent."""

    kind: GoalKind
    value: int = stated("r723cval", default=0)
    percent: int = stated("r723cpct", default=0)
    importance: int = stated("r723cimp", default=0)

    @property
    def middle_ms(self) -> int:
        """Middle of the distribution of response times; 0: there is none."""
        return self.value if self.kind in ("percentile", "average") else 0


@dataclass(frozen=True)
class WorkClass:
    """A service class, or a report class, which repeats work of service classes.

    `served`: the transaction classes that its address spaces work for. `last`: of a report class,
    the service class that added to it last.
    """

    name: str = stated("r723mcnm")
    goals: tuple[Goal, ...] = stated()
    workload: str = stated("r723mwnm", default="")
    report: bool = False
    last: str = stated("r723clsc", default="")
    served: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Samples:
    """WLM's samples, (n, p) each: in how many an address space or enclave was found so."""

    using_cpu: Amounts = measured("r723ccus")
    using_io: Amounts = measured("r723ciou")
    delay_cpu: Amounts = measured("r723ccde")
    delay_io: Amounts = measured("r723ciod")
    using_ziip: Amounts = measured("r723supu")
    unknown: Amounts = measured("r723cunk")
    idle: Amounts = measured("r723cidl")

    @property
    def using(self) -> Amounts:
        """Those that count as using in the velocity."""
        return self.using_cpu + self.using_io + self.using_ziip

    @property
    def delayed(self) -> Amounts:
        """Those that count as delay in the velocity."""
        return self.delay_cpu + self.delay_io

    @property
    def execution(self) -> Amounts:
        """All of them: those of the execution phase count the idle ones, too (R723CTSA)."""
        return self.using + self.delayed + self.unknown + self.idle


@dataclass(frozen=True, kw_only=True)
class PeriodUse:
    """What p periods did in n intervals, arrays (n, p): those of each class together, in order.

    Times are ticks. `squares_us2`: squares of the elapsed times, summed. `buckets`: ended
    transactions by response time, (n, p, 14), the first at most 50 % of the middle (absent: none).
    `served`: samples in which a class was seen serving each class it names, (n, all in order).
    """

    service: Service = field(default_factory=Service)
    samples: Samples = field(default_factory=Samples)
    ended: Amounts = measured("r723crcp")
    executed: Amounts = measured("r723cncp")  # execution phases ended, as CICS and IMS report them
    elapsed: Amounts = measured(r723ctet=US_1024, r723ctetx=TICKS_PER_US)
    execution: Amounts = measured(r723cxet=US_1024, r723cxetx=TICKS_PER_US)
    queued: Amounts = measured(r723cqdt=US_1024, r723cqdtx=TICKS_PER_US)
    squares_us2: F64 | I64 | int = 0
    active: Amounts = measured(r723ctat=US_1024)
    resident: Amounts = measured(r723ctrr=US_1024)
    page_time: Amounts = measured("r723cprs")  # frames x 1024 us
    io: Amounts = measured("r723circ")
    io_conn: Amounts = measured(r723cict=US_128)
    io_disc: Amounts = measured(r723cidt=US_128)
    io_pend: Amounts = measured(r723ciwt=US_128)
    io_iosq: Amounts = measured(r723ciot=US_128)
    buckets: I64 | None = None
    served: I64 | None = None
