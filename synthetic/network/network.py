"""The network a scenario describes, as plain numbers: what the solver and the simulation both read.

One transaction's way (times of the event simulation in brackets):

    client thinks, sends [send] -> XCF gate of its member [xcf] -> storage pools, input CPU
    [arrival] -> region queue -> region [taken] -> schedule -> [gu] -> region CPU, database
    reads, unexplained delay -> syncpoint: latch, log records [sync] -> check-write, in the region
    or not [written] -> output CPU -> answer leaves [dequeue] -> client thinks
    after `written`: database writes, which nobody waits for

What both sides take for granted, so that they agree:

* XCF: the windows of member k begin at k/members of a window (staggered), a message's member is
  chosen evenly; what waits is released at the start of its member's next window, up to the quota.
* CPU growth: a turn lasts (1 + growth x busy/cps) times its draw, busy counted at its start and
  with it. Turns of `quantum_us` come near to processor sharing, which the solver assumes. Pool
  search CPU belongs to the input burst. Each contended latch call of a transaction
  adds `contention_cpu_us` to its output burst.
* Pools: a get looks at `search_share` of the blocks allocated beyond the first; a pool starts with
  `blocks_at_start` blocks (earlier peaks made them), adds a secondary block when none is free and
  gives none back.
* Schedules: a message pays for one with a fixed chance, independent of what its region did before.
  The simulation gives it a region that has its program, or schedules it there (programs.py).
* An I/O keeps its path busy for `port_us`, which is a part of PEND/CONN and not added to them.
* A CF request is made at the start of a turn. The CP is held until the answer to a synchronous
  one, for `async_cpu_us` by an asynchronous one, whose transaction then waits; both grow as all
  CPU. Paths and CF processors are those of all systems, everything else each system's own.

Units: microseconds, counts, rates per second. Nothing here computes a performance figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from imsperf.synthetic.arrays import F64, I64, Values
from imsperf.synthetic.units import TICKS_PER_US

Place = Literal["outside", "ims", "region"]  # see solver/model.py
PLACES: tuple[Place, ...] = ("outside", "ims", "region")
MOST_EXPOSURES = 256
NO_GATE = 1_000_000  # messages in a window: more than ever come


@dataclass(frozen=True)
class ChainProgram:
    """What one program of a chain does: its parts of the numbers of the transaction."""

    cpu_factor: float
    reads: float
    writes: float
    calls: int  # to databases, or to Db2
    changes: int  # logged, 5050


@dataclass(frozen=True)
class TransactionClass:
    """One transaction code. `cpu_factor` multiplies the CPU of the mean transaction.

    Of a chain all numbers are those of the whole; `programs`: of each, itself first.
    """

    name: str
    weight: float
    cpu_factor: float
    reads: float  # database reads a region waits for, mean
    writes: float  # database writes after the commit, mean
    dedb_calls: int
    log_records: int  # written for one transaction
    log_bytes: int  # with prefix and suffix
    pool: int = 0  # place in Network.region_pools: the regions that take it
    db_calls: int = 0  # DL/I calls to full-function databases
    esaf_calls: int = 0  # to Db2, whose tables all reads and writes then are
    dc_calls: int = 0  # of its messages, and to system services
    file_calls: int = 0  # of a CICS task to files
    db2_calls: int = 0  # of a CICS task to Db2, not through IMS
    tcb_switches: int = 0  # of a CICS task, QR to another TCB and back
    message_class: int = 1
    chain: tuple[tuple[str, int], ...] = ()  # codes it switches to in turn, and their classes
    conversational: bool = False
    programs: tuple[ChainProgram, ...] = ()  # where there is a chain

    @property
    def chain_length(self) -> int:
        """Programs that it runs, one after the other."""
        return 1 + len(self.chain)


@dataclass(frozen=True)
class RegionPool:
    """Regions, threads or slots of one kind, first come first served.

    One message in `messages_per_schedule` has its program scheduled: the region then uses
    `schedule_cpu_us` more CPU and `schedule_us` more time. 0: programs stay (wait for input).
    `load_share`, `load_time_share`: of both, what is used once IMS has scheduled: program load,
    environment.
    """

    name: str
    count: int
    messages_per_schedule: float = 0.0
    schedule_cpu_us: float = 0.0
    schedule_us: float = 0.0
    load_share: float = 0.0
    load_time_share: float = 0.0

    @property
    def schedule_chance(self) -> float:
        """Of a message to pay for a schedule."""
        return 1 / self.messages_per_schedule if self.messages_per_schedule else 0.0


@dataclass(frozen=True)
class Logged:
    """Log records of one code that transactions write: how long each, how many by class."""

    code: str
    bytes: int  # with prefix and suffix
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Cpu:
    """Processors of the LPAR and what a transaction uses of them.

    After `quantum_us` (assumed) the next burst has its turn: short against the bursts, so that they
    share the processors. 0: a burst keeps its processor to the end (the solver: turns).
    """

    cps: int
    input_us: float = 0.0  # IMS Connect, XCF, OTMA, before the region
    region_us: float = 0.0
    output_us: float = 0.0  # after the log write: OTMA, XCF, IMS Connect
    fixed_us_per_s: float = 0.0  # timers, monitors: used at any rate
    growth: float = 0.0  # cost grows by this share of utilisation
    window_us: float = 32_768.0  # of the last so long: long against the bursts, which are in it
    share_by_space: tuple[tuple[str, float], ...] = ()  # address-space group, us per transaction
    quantum_us: float = 20.0
    ziips: int = 0
    ziip_threads: int = 1  # of a zIIP core
    ziip_smt: float = 1.3  # speed of a zIIP core with two threads busy
    ziip_honor: bool = True  # eligible work that finds no zIIP free goes to a CP
    eligible: tuple[float, float, float] = (0.0, 0.0, 0.0)  # shares of input, region, output CPU
    eligible_by_space: tuple[tuple[str, float], ...] = ()  # of `share_by_space`, us
    fixed_by_space: tuple[tuple[str, float], ...] = ()  # of `fixed_us_per_s`; the rest: no group
    # of both, what dependent regions use, or threads of CICS and ODBM: us and eligible us
    of_regions: tuple[float, float] | None = None


@dataclass(frozen=True)
class Xcf:
    """At most `quota` messages per member and window; the rest wait for the next window."""

    members: int = 1
    quota: int = NO_GATE
    window_us: float = 0.001

    @property
    def is_gate(self) -> bool:
        """Messages come through it: the quota is one that can be met."""
        return 0 < self.quota < NO_GATE


@dataclass(frozen=True)
class Latches:
    """The log latch. `mode`: exclusive (all callers), shared, split (syncpoint takes LREC)."""

    mode: str = "shared"
    calls_shared: int = 0  # log calls of one transaction besides the syncpoint
    hold_shared_us: float = 0.0
    hold_exclusive_us: float = 0.0
    other_exclusive_per_s: float = 0.0  # LOGL exclusive by tasks that are no transactions
    other_hold_us: float = 0.0
    contention_cpu_us: float = 0.0  # wait and post cost of one contention


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
class AwePool:
    """The pool of AWEs, which only tasks can expand. Times in microseconds.

    OTMA gets an AWE for each message. While the queue is empty, `storage_share` of them take z/OS
    storage instead, under the local lock for `lock_us` each; that lasts `short_us` on average,
    until a task expands the pool: whoever frees storage (`by_free`), or any other. `good_us`: mean
    time until it is empty again, at the balance; infinite: never.
    """

    blocks: int
    hold_us: float
    storage_share: float
    lock_us: float
    short_us: float
    by_free: bool
    good_us: float = math.inf


@dataclass(frozen=True)
class Logger:
    """WADS: one outstanding write, what is pending joins the next. OLDS: block writes."""

    check_write: str  # in_region | notified | unwaited: the answer does not wait for the log
    wads_us: float
    wads_cv: float
    wads_ci_bytes: int
    olds_us: float
    block_bytes: int
    buffers: int
    schedule_bytes: int = 98  # log records 08 and 07, with prefix and suffix
    end_bytes: int = 242
    thread_end_bytes: int = 0  # 5604 in front of 07, where a program has a thread to Db2 of its own
    olds_capacity: int = 1_800_000  # blocks of one OLDS
    archive_blocks: int = 0  # that the archive job reads with an I/O; 0: nothing is archived
    archive_read_us: float = 0.0  # such a read
    archive_cpu_us: float = 0.0  # of a block


@dataclass(frozen=True)
class Dasd:
    """Database volumes behind channel paths; each path is a queue of its own, chosen at random."""

    paths: int
    volumes: int
    port_us: float = 0.0  # a path is busy this long with one I/O, mean, exponential
    pend_us: float = 0.0  # PEND without the path queue
    device_busy_us: float = 0.0  # inside pend_us
    interrupt_us: float = 0.0  # interrupt delay, outside the response
    disc_us: float = 0.0
    conn_us: float = 0.0
    aliases: int = 0  # of each volume

    @property
    def exposures(self) -> int:
        """I/Os of a volume at once."""
        return min(1 + self.aliases, MOST_EXPOSURES)


@dataclass(frozen=True)
class Structure:
    """A structure in the coupling facility, and the requests of a transaction to it."""

    name: str
    kind: str  # list, lock, cache
    space: str  # row of `Cpu.share_by_space` whose CPU waits
    in_region: float = 0.0  # requests of a transaction within its region burst, mean
    in_output: float = 0.0  # within its output burst
    contention: float = 0.0  # share of the requests that meet it, false contention counted
    false_contention: float = 0.0
    held_us: float = 0.0  # of each that meets contention, where that is known (a fault); mean

    @property
    def requests(self) -> float:
        """Of a transaction."""
        return self.in_region + self.in_output


@dataclass(frozen=True)
class Coupling:
    """The coupling facility as one system sees it; its processors serve all systems."""

    structures: tuple[Structure, ...]
    processors: int
    subchannels: int  # of this system
    link_us: float  # both ways
    service_us: float  # CF CPU of a request, exponential
    async_cpu_us: float = 15.0  # host CPU of an asynchronous request (model.md: 10 to 20, assumed)
    async_delay_us: float = 20.0  # until the host looks for the answer (assumed)
    threshold_us: float = 26.0  # mean time above which requests are sent asynchronously (assumed)

    def requests(self, place: str) -> float:
        """Of a transaction, `in_region` or `in_output`."""
        return float(sum(getattr(structure, place) for structure in self.structures))


@dataclass(frozen=True)
class PoolSize:
    """One buffer size of one fixed pool (an FPL entry), and how transactions use it.

    `gets` per transaction, each of `request_bytes`, held `hold_us`; `standing` buffers are in use
    whatever the rate. `defined_bytes` 0 is OVERSIZE.
    """

    pool: str
    defined_bytes: int
    primary: int
    secondary: int
    initial: bool
    gets: float = 0.0
    request_bytes: float = 0.0
    hold_us: float = 0.0
    standing: int = 0
    blocks_at_start: int = 1

    @property
    def buffer_bytes(self) -> int:
        """The size the statistics report: 8 bytes more, to a multiple of 8 (0 for OVERSIZE)."""
        return (self.defined_bytes + 8 + 7) // 8 * 8 if self.defined_bytes else 0


@dataclass(frozen=True)
class Callouts:
    """Synchronous callouts (ICAL): a program begins its message with one and waits for the answer.

    A callout goes through the TPIPE of its client, as many at once as a TPIPE has resume requests;
    the others wait, first come first served. On its way it holds the OTMA latch, which is time and
    no CPU, and the slot until the answer has come: region CPU, latch, then `unexplained_us`, which
    is the service and the network.
    """

    tpipes: int
    limit: int  # resume TPIPE requests of each
    latch_us: float  # exponential
    request_bytes: int = 0
    answer_bytes: int = 0

    @property
    def slots(self) -> int:
        """Callouts that can be under way."""
        return self.tpipes * self.limit


@dataclass(frozen=True)
class Tcbs:
    """Address spaces with one TCB each (QR of CICS) on which a transaction runs part of its CPU.

    A transaction has that of its client. It runs there first, then anywhere.
    """

    name: str
    count: int
    us: float  # of one transaction; not in Cpu.region_us
    open_kind: str = "l8"  # of the TCBs that what is not bound to these runs on


@dataclass(frozen=True)
class LibraryReads:
    """What one schedule of the mix reads from a program library, means.

    Pages of members that the buffer manager of PDSEs is asked for, those it finds in the
    hiperspace, directory pages, which it always finds.
    """

    data_set: str
    storage_class: str = ""  # empty: not managed by SMS
    is_pdse: bool = True
    ios: float = 0.0
    read_kb: float = 0.0
    pages: float = 0.0
    found: float = 0.0
    directory_pages: float = 0.0

    def __add__(self, other: LibraryReads) -> LibraryReads:
        """Of two objects in the same library."""
        counts = ("ios", "read_kb", "pages", "found", "directory_pages")
        return replace(self, **{n: getattr(self, n) + getattr(other, n) for n in counts})


@dataclass(frozen=True)
class Libraries:
    """Program libraries on one volume, which has an alias for every request: nothing queues.

    The time of its I/Os is in `schedule_us` of the regions. Buffers of the hiperspace are 4 KB;
    `held_kb` is what it would hold if there were room.
    """

    reads: tuple[LibraryReads, ...]
    io_us: float
    hsp_mb: int
    held_kb: float
    bmf_s: int  # time between records 42.1
    lru_s: int
    lru_cycles: int


@dataclass(frozen=True)
class CryptoCards:
    """Coprocessors: each task of one code is an operation on the first card that takes so long."""

    cards: int
    operation_us: float
    code: str


@dataclass(frozen=True)
class Sequence:
    """One program without messages: `steps` of CPU, reads and delay, a sync point after so many.

    The transactions of the simulation are its units of recovery: class 0 has `per_commit` steps,
    class 1 what is left at the end. It starts when the run does, and ends.
    """

    steps: int
    per_commit: int
    calls: int = 0  # DL/I calls of a step
    srb_share: float = 0.0  # of its CPU; the rest is that of its task
    uncaptured: float = 0.0  # share of the fixed CPU that no address space has

    @property
    def left(self) -> int:
        """Steps of the last unit of recovery, where they are fewer; else 0."""
        return self.steps % self.per_commit

    def steps_of(self, units: I64) -> I64:
        """Steps of runs with so many units of recovery, the last one like that of this run."""
        missing = self.per_commit - self.left if self.left else 0
        return units * self.per_commit - missing


@dataclass(frozen=True, kw_only=True)
class Network:
    """Everything the solver and the simulation need to know. What it has not is left out."""

    clients: int
    think_us: float = 0.0
    rate_per_s: float = 0.0  # open arrivals; 0 = closed with `clients`
    classes: tuple[TransactionClass, ...]
    cpu: Cpu
    xcf: Xcf = Xcf()
    region_pools: tuple[RegionPool, ...]
    unexplained_us: float  # region time no equation explains
    latches: Latches = Latches()
    serials: tuple[Latch, ...] = ()  # held one after the other before the region; usually none
    awe: AwePool | None = None
    logger: Logger
    dasd: Dasd
    pools: tuple[PoolSize, ...] = ()
    block_search_us: float = 0.0  # CPU for each block searched beyond the first
    search_share: float = 0.5  # of the blocks beyond the first that a get looks at
    cycle_us: float = 250_000.0  # RMF sampling cycle
    response_goal_us: float = 10_000.0  # WLM counts responses around it; nothing depends on it
    logged: tuple[Logged, ...] = ()
    coupling: Coupling | None = None
    callouts: Callouts | None = None  # or tcbs
    tcbs: Tcbs | None = None
    sequence: Sequence | None = None
    source: str = ""  # of calls without messages: CICS or ODBM
    remote: bool = False  # they come through IMS Connect
    callers: tuple[str, ...] = ()  # address spaces that call; a client has one of them
    credential_bytes: int = 0  # of the network security credential of each transaction
    traces: tuple[str, ...] = ()  # table traces that are written out, where to: trace_target
    trace_target: str = "dasd"  # dasd: DFSTRA01 and DFSTRA02; olds: the log; tape
    has_ims: bool = True  # without one nothing is logged
    crypto: CryptoCards | None = None
    libraries: Libraries | None = None

    @property
    def codes(self) -> tuple[tuple[str, int], ...]:
        """Codes and their message classes: those of the classes, then others switched to."""
        own = tuple((work_class.name, work_class.message_class) for work_class in self.classes)
        further = dict.fromkeys(pair for work_class in self.classes for pair in work_class.chain)
        return (*own, *(pair for pair in further if pair not in own))

    @property
    def gates(self) -> tuple[int, ...]:
        """Places of each gate that the simulation keeps: TPIPEs or TCBs."""
        if self.callouts:
            return (self.callouts.limit,) * self.callouts.tpipes
        return (1,) * self.tcbs.count if self.tcbs else ()

    @property
    def latch_names(self) -> tuple[str, ...]:
        """The latches that are simulated, in the order of their statistics."""
        own = ("LOGL", "LREC", "OTMA") if self.callouts else ("LOGL", "LREC")
        return (*own, *(serial.name for serial in self.serials))

    @property
    def contention_ticks(self) -> I64:
        """CPU of a contention of each latch."""
        own = len(self.latch_names) - len(self.serials)
        of_serials = (serial.contention_cpu_us for serial in self.serials)
        us = (*(self.latches.contention_cpu_us,) * own, *of_serials)
        return np.array([round(one * TICKS_PER_US) for one in us], np.int64)

    @property
    def regions(self) -> int:
        """Regions of all pools."""
        return sum(pool.count for pool in self.region_pools)

    @property
    def is_open(self) -> bool:
        """Arrivals at a given rate instead of a population of clients."""
        return self.rate_per_s > 0

    def of_classes(self, attribute: str) -> Values:
        """An attribute of each class."""
        return np.array([getattr(work_class, attribute) for work_class in self.classes])

    @property
    def schedule_chances(self) -> F64:
        """Of each class, see RegionPool.schedule_chance."""
        return np.array([pool.schedule_chance for pool in self.region_pools])[
            self.of_classes("pool")
        ]

    def mean(self, attribute: str) -> float:
        """Mean of a class attribute over the transaction mix."""
        total = sum(c.weight for c in self.classes)
        return sum(c.weight * float(getattr(c, attribute)) for c in self.classes) / total
