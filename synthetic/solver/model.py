"""What `solve` takes: work, its processors, and the steps of a transaction.

Nothing here computes, and nothing is checked: knobs have their ranges. Every time is in
microseconds (`_us`), rates are per second (`_per_s`), counts are per transaction. A step says where
it stands by `place`:

* outside: before or after the IMS response clock (IMS Connect, XCF), no region held;
* ims: inside the response, no region held (CTL, queue manager, log wait without a region); CPU here
  comes after the log write;
* region: inside the response while a region of the work's pool is held.

Two works that name the same step share that device. Structure: model.md 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from imsperf.synthetic.network.network import Coupling, Cpu, Dasd, Latch, Place, Xcf

SINGLE_CP = Cpu(1)


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
class LogWrite:
    """WADS: group commit with one outstanding write. `place` none: written, nobody waits."""

    name: str
    write_us: float
    cv: float = 0.4
    place: Place | Literal["none"] = "region"


@dataclass(frozen=True)
class LogBlocks:
    """OLDS blocks, one after the other; a wait for one of `buffers` is simulated (answer.py)."""

    name: str
    bytes: float
    block_bytes: int
    write_us: float
    buffers: int
    cv: float = 0.4
    place: Place = "region"


@dataclass(frozen=True)
class Ios:
    """Database I/O: `reads` are waited for, `writes` only load paths and volumes. model.md 3.6."""

    name: str
    reads: float
    writes: float
    dasd: Dasd
    place: Place = "region"


@dataclass(frozen=True)
class CfRequests:
    """Requests to a coupling facility; `convert`: the system may send them asynchronously.

    `cps`, `work_us`: of the host (devices.requests).
    """

    name: str
    count: float
    coupling: Coupling
    cps: int = 0
    work_us: float = 0.0
    convert: bool = True
    place: Place = "region"


@dataclass(frozen=True)
class Gate:
    """What XCF lets pass in a window. model.md 3.9."""

    name: str
    xcf: Xcf
    place: Place = "outside"


Step = Burst | Delay | Queue | Serial | Latch | LogWrite | LogBlocks | Ios | CfRequests | Gate


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
    """Transactions of one kind: closed with `clients` who think, or open at `rate_per_s`.

    `cpus` are its own, and called `cpu`; steps and pool say what is used of them.
    """

    name: str
    steps: tuple[Step, ...]
    clients: int = 0
    think_us: float = 0.0
    rate_per_s: float = 0.0
    cpu: str = "cpu"
    pool: Pool | None = None
    cpus: Cpu = SINGLE_CP

    @property
    def is_open(self) -> bool:
        """Arrivals at a rate, whatever becomes of them."""
        return self.rate_per_s > 0


Works = tuple[Work, ...]  # that meet at devices: all open or all closed
