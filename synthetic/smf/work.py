"""Service and report classes, their goals, and what their work did: the input of type 72.3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.smf.policy import Amounts, Service

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

# Upper edges of the response time distribution in % of its middle; beyond the last there is none.
EDGES_PCT = (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 200, 400)
BUCKETS = len(EDGES_PCT) + 1

GoalKind = Literal["percentile", "average", "velocity", "discretionary", "system", ""]


@dataclass(frozen=True)
class Goal:
    """The goal of a period: `value` ms of response time, or a velocity in per cent.

    `middle`: of the distribution of response times, ms; 0: the goal if that is one, else there
    is no distribution. `duration_su`: service after which work leaves the period.
    """

    kind: GoalKind
    value: int = 0
    percent: int = 0
    importance: int = 0
    duration_su: int = 0
    middle: int = 0

    @property
    def middle_ms(self) -> int:
        """Middle of the distribution."""
        return self.middle or (self.value if self.kind in ("percentile", "average") else 0)


@dataclass(frozen=True)
class State:
    """A state section: a work manager (IMS, CICS) in one phase of a period (from 1).

    `waits`: the resources, at most 15, that have samples of their own.
    """

    subsystem: str
    period: int = 1
    execution: bool = True  # else begin to end
    waits: tuple[str, ...] = ()


@dataclass(frozen=True)
class WorkClass:
    """A service class, or a report class, which repeats work of service classes.

    `served`: the transaction classes that its address spaces work for. `last`: of a report class,
    the service class that added to it last.
    """

    name: str
    goals: tuple[Goal, ...]
    workload: str = ""
    doc: str = ""
    workload_doc: str = ""
    report: bool = False
    last: str = ""
    served: tuple[str, ...] = ()
    states: tuple[State, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Samples:
    """WLM's samples, (n, p) each: in how many an address space or enclave was found so."""

    using_cpu: Amounts = 0
    using_io: Amounts = 0
    delay_cpu: Amounts = 0
    delay_io: Amounts = 0
    delay_capped: Amounts = 0
    delay_queue: Amounts = 0  # for a server
    delay_paging: Amounts = 0  # private area
    using_ziip: Amounts = 0
    delay_ziip: Amounts = 0
    ziip_on_cp: Amounts = 0  # zIIP work using a CP; in using_cpu too
    unknown: Amounts = 0
    idle: Amounts = 0

    @property
    def using(self) -> Amounts:
        """Those that count as using in the velocity."""
        return self.using_cpu + self.using_io + self.using_ziip

    @property
    def delayed(self) -> Amounts:
        """Those that count as delay in the velocity."""
        waits = self.delay_cpu + self.delay_io + self.delay_capped + self.delay_queue
        return waits + self.delay_paging + self.delay_ziip

    @property
    def execution(self) -> Amounts:
        """Those of the execution phase."""
        return self.using + self.delayed + self.unknown


@dataclass(frozen=True, kw_only=True)
class PeriodUse:
    """What p periods did in n intervals, arrays (n, p): those of each class together, in order.

    Times are ticks. `squares_us2`: squares of the elapsed times, summed. `buckets`: ended
    transactions by response time, (n, p, 14), the first at most 50 % of the middle (absent: none).
    `served`: samples in which a class was seen serving each class it names, (n, all in order).
    `states`: samples by state section in order, (n, sections), by field of the section.
    """

    service: Service = field(default_factory=Service)
    samples: Samples = field(default_factory=Samples)
    ended: Amounts = 0
    executed: Amounts = 0  # execution phases ended, as CICS and IMS report them
    elapsed: Amounts = 0
    execution: Amounts = 0
    queued: Amounts = 0
    squares_us2: F64 | I64 | int = 0
    active: Amounts = 0
    resident: Amounts = 0
    enclaves_active: Amounts = 0
    interrupts: Amounts = 0
    region_control: Amounts = 0
    page_time: Amounts = 0  # frames x 1024 us
    pages_in: Amounts = 0
    swaps: Amounts = 0
    io: Amounts = 0
    io_conn: Amounts = 0
    io_disc: Amounts = 0
    io_pend: Amounts = 0
    io_iosq: Amounts = 0
    buckets: I64 | None = None
    served: I64 | None = None
    states: Mapping[str, I64] = field(default_factory=dict)
