"""What solvers take and answer: stations, what became of each, bottleneck.

Times in any one unit (the callers of one network use one), rates per that unit. A station that
cannot keep up has no queue and no residence: None, never a negative or endless number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from imsperf.synthetic.solver.model import Works

Details = Mapping[str, float | None]
NEARLY_FULL = 0.97  # use of a pool above which something inside may keep it full
HELD = 0.1  # share of the occupancy above which a queue counts as keeping the regions full


@dataclass(frozen=True)
class Station:
    """A place where a transaction spends time.

    `demand`: service of one transaction, all visits together.
    `servers`: 0 is a delay, nobody waits. `speeds`: work done per unit of time with 1, 2 ... there
    (the last holds for all more), where that is not 1, 2 ... `servers`.
    """

    name: str
    demand: float
    servers: int = 1
    speeds: tuple[float, ...] = ()

    @property
    def is_delay(self) -> bool:
        """Whoever comes is served at once."""
        return self.servers == 0 and not self.speeds

    @cached_property
    def capacity(self) -> tuple[float, ...]:
        """Speed with 1, 2 ... there; the last holds for all more. Empty for a delay."""
        return self.speeds or tuple(float(n) for n in range(1, self.servers + 1))

    @property
    def limit(self) -> float:
        """The most it can do per unit of time; 0 for a delay, which has no limit."""
        return max(self.capacity, default=0.0)


@dataclass(frozen=True)
class Use:
    """What one station does. `queue` counts those in service; `residence` is per transaction."""

    name: str
    limit: float  # servers, or the highest speed; 0: a delay
    utilisation: float  # share of the limit in use; of a delay 0
    queue: float | None
    residence: float | None


@dataclass(frozen=True)
class Result:
    """A balance. Of several classes this is one, its utilisations are its shares."""

    name: str
    rate: float
    response: float | None  # without think time; None: saturated, it would grow for ever
    stations: tuple[Use, ...]
    saturated: bool = False  # open arrivals beyond what a station can do
    held_by: str = ""  # the queue inside that keeps a full pool of regions full
    details: Details = field(default_factory=dict)  # further figures, `STEP.FIGURE`

    @property
    def in_flight(self) -> float | None:
        """Transactions inside, by Little's law."""
        return None if self.response is None else self.rate * self.response

    def has(self, name: str) -> bool:
        """Whether there is a station of that name."""
        return any(station.name == name for station in self.stations)

    def station(self, name: str) -> Use:
        """The station of that name."""
        return next(station for station in self.stations if station.name == name)


@dataclass(frozen=True)
class Results:
    """The balance of several classes: each, and the stations with all of them together."""

    classes: tuple[Result, ...]
    stations: tuple[Use, ...]
    held_by: str = ""  # the queue inside that keeps a full pool of regions full
    details: Details = field(default_factory=dict)  # further figures, `STEP.FIGURE`
    works: Works = ()  # what was solved

    @property
    def bottleneck(self) -> str:
        """The station nearest to its limit, or who keeps that full."""
        limited = [station for station in self.stations if station.limit > 0]
        nearest = max(limited, key=lambda one: one.utilisation, default=None)
        return self.held_by or (nearest.name if nearest else "")

    @property
    def rate(self) -> float:
        """Of all classes."""
        return sum(work_class.rate for work_class in self.classes)

    @property
    def response(self) -> float | None:
        """Mean over the transactions of all classes; None: one of them is saturated."""
        times = [
            work_class.rate * work_class.response
            for work_class in self.classes
            if work_class.response is not None
        ]
        all_known = len(times) == len(self.classes) and self.rate > 0
        return sum(times) / self.rate if all_known else None

    def station(self, name: str) -> Use:
        """The station of that name, all classes together."""
        return next(station for station in self.stations if station.name == name)

    @property
    def saturated(self) -> bool:
        """A class sends more than comes through."""
        return any(work_class.saturated for work_class in self.classes)

    def of(self, name: str) -> Result:
        """The class of that name."""
        return next(work_class for work_class in self.classes if work_class.name == name)
