"""What `solve` takes: processors, work, and the steps of a transaction, declared and checked.

Nothing here computes. Every time is in microseconds (`_us`), rates are per second (`_per_s`),
counts are per transaction. A step says where it stands by `place`:

* outside: before or after the IMS response clock (IMS Connect, XCF), no region held;
* ims: inside the response, no region held (CTL, queue manager, log wait without a region); CPU here
  comes after the log write;
* region: inside the response while a region of the work's pool is held.

Two works that name the same step share that device. Structure: model.md 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal

from imsperf.synthetic.solver.coupling import Facility
from imsperf.synthetic.solver.result import require

Place = Literal["outside", "ims", "region"]
PLACES: tuple[Place, ...] = ("outside", "ims", "region")


@dataclass(frozen=True)
class Burst:
    """CPU time on the work's processors; the share `eligible` may run on zIIPs.

    `grows` with the use of the processors.
    """

    us: float
    place: Place = "region"
    eligible: float = 0.0
    name: str = ""
    grows: bool = True


@dataclass(frozen=True)
class Delay:
    """Time that nobody else lengthens: a fitted delay, a lock, a service elsewhere."""

    name: str
    us: float
    place: Place = "region"


@dataclass(frozen=True)
class Queue:
    """A service with so many servers, of one work."""

    name: str
    us: float
    servers: int = 1
    place: Place = "region"


@dataclass(frozen=True)
class Serial:
    """CPU time that a TCB has to do (QR of a CICS region); part of the CPU use, not more.

    `tcbs`: how many alike there are; a transaction uses any one of them.
    """

    name: str
    us: float
    place: Place = "region"
    tcbs: int = 1


@dataclass(frozen=True)
class Latch:
    """Calls of a reader/writer latch, and what others do to it. model.md 3.7."""

    name: str
    calls_shared: float
    hold_shared_us: float
    calls_exclusive: float
    hold_exclusive_us: float
    other_exclusive_per_s: float = 0.0
    other_hold_us: float = 0.0
    contention_cpu_us: float = 0.0  # used after the log write
    place: Place = "region"
    within_cpu: bool = False  # it is held during CPU of a burst, which has that time


@dataclass(frozen=True)
class LogWrite:
    """WADS: group commit with one outstanding write. `place` none: written, nobody waits."""

    name: str
    write_us: float
    cv: float = 0.4
    place: Place | Literal["none"] = "region"


@dataclass(frozen=True)
class LogBlocks:
    """OLDS blocks; a transaction waits only while all `buffers` are full."""

    name: str
    bytes: float
    block_bytes: int
    write_us: float
    buffers: int
    cv: float = 0.4
    place: Place = "region"


@dataclass(frozen=True)
class Ios:
    """Database I/O: `reads` are waited for, `writes` only load paths and volumes. model.md 3.6.

    `shared_aliases`: HyperPAV, `aliases` for the whole control unit of `volumes`; else each volume
    has so many. `port_us` is how long a path is busy with one I/O, and part of PEND and CONN.
    `bunched`: the wait for a path over that of I/Os that come by themselves.
    """

    name: str
    reads: float
    writes: float
    volumes: int
    aliases: int
    paths: int
    port_us: float
    pend_us: float
    disc_us: float
    conn_us: float
    shared_aliases: bool = True
    bunched: float = 1.0
    place: Place = "region"


@dataclass(frozen=True)
class CfRequests:
    """Requests to a coupling facility; `convert`: the system may send them asynchronously."""

    name: str
    count: float
    facility: Facility
    convert: bool = True
    place: Place = "region"


@dataclass(frozen=True)
class Gate:
    """XCF: at most `quota` messages of a member pass in a window. model.md 3.9."""

    name: str
    members: int
    quota: int
    window_us: float = 10_000.0
    place: Place = "outside"


@dataclass(frozen=True)
class Scheduling:
    """CPU and elapsed time of scheduling a program, once for `messages` messages. model.md 3.4."""

    name: str
    cpu_us: float
    elapsed_us: float
    messages: float = 1.0
    place: Place = "region"


Step = (
    Burst
    | Delay
    | Queue
    | Serial
    | Latch
    | LogWrite
    | LogBlocks
    | Ios
    | CfRequests
    | Gate
    | Scheduling
)


@dataclass(frozen=True)
class Cpus:
    """The processors of one LPAR; `smt`: speed of a zIIP core with two threads busy.

    `turn_us`: how long a burst has its processor at most, short against it: shared processors. 0: a
    burst keeps its processor to the end (clumps.py).
    """

    name: str
    cps: int
    fixed_us_per_s: float = 0.0
    growth: float = 0.0
    ziips: int = 0
    threads: int = 1
    smt: float = 1.3
    honor: bool = True  # work that finds no zIIP thread free goes to a general CP
    turn_us: float = 20.0


@dataclass(frozen=True)
class RegionKind:
    """Regions of one kind (MPP, IFP ...) in a pool, for a share of the transactions.

    `hold`: how long they hold a region, over the mean of all.
    """

    name: str
    size: int
    share: float
    hold: float = 1.0


@dataclass(frozen=True)
class Pool:
    """Regions, threads or slots of which a transaction holds one during its region steps.

    `kinds`: those that only some transactions can use, where they may run out before the pool does.
    """

    name: str
    size: int
    kinds: tuple[RegionKind, ...] = ()


@dataclass(frozen=True)
class Work:
    """Transactions of one kind: closed with `clients` who think, or open at `rate_per_s`."""

    name: str
    steps: tuple[Step, ...]
    clients: int = 0
    think_us: float = 0.0
    rate_per_s: float = 0.0
    cpu: str = "cpu"
    pool: Pool | None = None

    @property
    def is_open(self) -> bool:
        """Arrivals at a rate, whatever becomes of them."""
        return self.rate_per_s > 0


@dataclass(frozen=True)
class Model:
    """Processors and the work on them. Errors: ScenarioError, when it is made."""

    work: tuple[Work, ...]
    cpus: tuple[Cpus, ...]

    def __post_init__(self) -> None:
        require("work", len(self.work), "1 or more", len(self.work) > 0)
        for what, names in (("works", self.work), ("processors", self.cpus)):
            known = [name.name for name in names]
            require(f"names of {what}", known, "each once", len(set(known)) == len(known))
        for cpu in self.cpus:
            _check_cpus(cpu)
        for work in self.work:
            _check_work(work, [cpu.name for cpu in self.cpus])
        _check_shared(self)
        _check_apart(self)

    def cpus_of(self, work: Work) -> Cpus:
        """The processors that a work uses."""
        return next(cpu for cpu in self.cpus if cpu.name == work.cpu)


def _check_cpus(cpus: Cpus) -> None:
    require(f"processors of {cpus.name}", cpus.cps, "1 or more", cpus.cps >= 1)
    fixed = cpus.fixed_us_per_s
    require(
        f"fixed CPU of {cpus.name}",
        fixed,
        f"0 to less than {cpus.cps}e6 us a second",
        0 <= fixed < cpus.cps * 1e6,
    )
    require(f"growth of {cpus.name}", cpus.growth, "0 to 1", 0 <= cpus.growth <= 1)
    require(f"zIIPs of {cpus.name}", cpus.ziips, "0 or more", cpus.ziips >= 0)


def _check_work(work: Work, cpus: list[str]) -> None:
    name = work.name
    require(f"rate of {name}", work.rate_per_s, "0 or more", work.rate_per_s >= 0)
    require(f"think time of {name}", work.think_us, "0 or more", work.think_us >= 0)
    require(f"clients of {name}", work.clients, "0 or more", work.clients >= 0)
    either = (work.clients > 0) != (work.rate_per_s > 0)
    found = (work.clients, work.rate_per_s)
    require(f"clients and rate of {name}", found, "one of the two", either)
    require(f"processors of {name}", work.cpu, f"one of {cpus}", work.cpu in cpus)
    if work.pool is not None:
        require(f"size of {work.pool.name}", work.pool.size, "1 or more", work.pool.size >= 1)
        for kind in work.pool.kinds:
            require(f"size of {kind.name}", kind.size, "1 or more", kind.size >= 1)
            require(f"share of {kind.name}", kind.share, "above 0, to 1", 0 < kind.share <= 1)
            require(f"hold of {kind.name}", kind.hold, "above 0", kind.hold > 0)
    for step in work.steps:
        _check_step(step, name)
    tcbs = [step.name for step in work.steps if isinstance(step, Serial)]
    require(f"serial steps of {name}", tcbs, "one at most", len(tcbs) <= 1)
    some = work.think_us > 0 or any(_time(step) > 0 for step in work.steps)
    require(f"steps of {name}", "all without time", "one that takes time", some)


def _check_step(step: Step, work: str) -> None:
    here = f"{step.name or type(step).__name__.lower()} of {work}"
    for value, name in _numbers(step):
        least = LEAST.get(name, 0)
        require(f"{name} of {here}", value, f"{least} or more", value >= least)
    places = (*PLACES, "none") if isinstance(step, LogWrite) else PLACES
    require(f"place of {here}", step.place, f"one of {places}", step.place in places)
    if isinstance(step, Burst):
        require(f"eligible of {here}", step.eligible, "0 to 1", step.eligible <= 1)


LEAST = {
    "servers": 1,
    "tcbs": 1,
    "messages": 1,
    "volumes": 1,
    "paths": 1,
    "members": 1,
    "quota": 1,
    "buffers": 1,
    "block_bytes": 1,
}


def _numbers(step: Step) -> Iterator[tuple[float, str]]:
    for field in fields(step):
        value = getattr(step, field.name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value, field.name


def _time(step: Step) -> float:
    if isinstance(step, CfRequests):
        return step.count * (step.facility.link + step.facility.service)
    return sum(value for value, name in _numbers(step) if name.endswith("us") or name == "us")


OWN = frozenset(
    {"us", "place", "reads", "writes", "bytes", "count", "calls_shared", "calls_exclusive"}
)


def _check_apart(model: Model) -> None:
    """Several works, all open or all closed, share devices, but neither processors nor queues."""
    names = [one.cpu for one in model.work]
    names += [s.name for one in model.work for s in one.steps if isinstance(s, Queue | Serial)]
    require("processors and queues of works", names, "one work each", len(set(names)) == len(names))
    kinds = {one.is_open for one in model.work}
    require("works", "open and closed ones together", "all open or all closed", len(kinds) == 1)


def _check_shared(model: Model) -> None:
    """Works that name the same device describe the same device."""
    known: dict[str, Step] = {}
    for work in model.work:
        names = [
            step.name for step in work.steps if not isinstance(step, Burst | Delay | Scheduling)
        ]
        require(f"step names of {work.name}", names, "each once", len(set(names)) == len(names))
        for step in work.steps:
            if not isinstance(step, Burst | Delay | Scheduling):
                first = known.setdefault(step.name, step)
                same = _device(step) == _device(first)
                require(f"{step.name} of {work.name}", step, f"as {first}", same)


def _device(step: Step) -> tuple[object, ...]:
    values = [getattr(step, f.name) for f in fields(step) if f.name not in OWN]
    return (type(step), *values)
