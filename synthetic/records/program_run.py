"""The run of a batch message program: its address space, how long it was there, its I/O.

The reads of a Fast Path database are started by the region that waits for them and charged to it
(assumption); the writes after a sync point, and the log, are those of the control region.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.network import Network
from imsperf.synthetic.records.address_space import DdUsage, Space, Usage
from imsperf.synthetic.records.hardware import Host
from imsperf.synthetic.records.inventory import Inventory
from imsperf.synthetic.records.policy import Policy
from imsperf.synthetic.records.smf_records import TICK, Group, Interval
from imsperf.synthetic.records.type30 import step_end_groups
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends

I64 = npt.NDArray[np.int64]
Times = npt.NDArray[np.datetime64]

NOT_YET = np.datetime64("NaT", "us")
_OF_USAGE = {"io": "count", "blocks": "count", "io_conn": "conn", "io_disc": "disc"}
_OF_USAGE |= {"io_pend": "pend"}


@dataclass(frozen=True)
class ProgramRun:
    """One program of one step. `ticks`: its I/O, (n, devices), names as in `device_ticks`.

    `there`: ticks of each interval in which it ran; those intervals are the first of the run.
    """

    place: int  # of its address space
    owner: int  # address space whose I/O its reads were counted with
    begin: np.datetime64
    end: np.datetime64  # NaT: it goes on
    there: I64
    ticks: dict[str, I64]

    @property
    def intervals(self) -> int:
        """Intervals it had a part in."""
        return int(np.count_nonzero(self.there))

    def life(self, spaces: int) -> tuple[Times, Times]:
        """When each address space started and ended; all but this one are always there."""
        begin, end = (np.full(spaces, NOT_YET) for _ in range(2))
        begin[self.place], end[self.place] = self.begin, self.end
        return begin, end

    def charged(self, usage: Usage) -> Usage:
        """The usage with its reads at its own address space, which is there while it runs."""
        changed = {}
        for name, of_device in _OF_USAGE.items():
            mine = self.ticks[of_device].sum(axis=1)
            values = np.asarray(getattr(usage, name)).copy()
            values[:, self.owner] -= mine
            values[:, self.place] += mine
            changed[name] = values
        for name in ("active", "resident"):
            values = np.asarray(getattr(usage, name)).copy()
            values[:, self.place] = self.there
            changed[name] = values
        return replace(usage, **changed)

    def dds(self, dds: DdUsage) -> DdUsage:
        """DD statements of the owner without its reads, and its own: the data sets it read."""
        some = self._read
        own = {name: self.ticks[name][:, some] for name in ("count", "conn")}
        return DdUsage(
            np.r_[dds.space, np.full(len(some), self.place)],
            np.r_[dds.name, dds.name[some]],
            np.r_[dds.device, dds.device[some]],
            np.r_[dds.block_bytes, dds.block_bytes[some]],
            np.hstack([dds.blocks - self.ticks["count"], own["count"]]),
            np.hstack([dds.conn - self.ticks["conn"], own["conn"]]),
        )

    @cached_property
    def _read(self) -> I64:
        """Devices it read from."""
        return np.flatnonzero(self.ticks["count"].any(axis=0))

    def step_end(
        self, spaces: tuple[Space, ...], usage: Usage, dds: DdUsage, host: Host, policy: Policy
    ) -> list[Group]:
        """Records of its step and job end, where it has ended."""
        if np.isnat(self.end):
            return []
        mine = dds.space == self.place
        whole = {
            name: values[:, [self.place]].sum(axis=0, keepdims=True)
            for name, values in vars(usage).items()
            if np.ndim(values) == 2
        }
        own = DdUsage(
            np.zeros(int(mine.sum()), dtype=np.int64),
            *(one[mine] for one in (dds.name, dds.device, dds.block_bytes)),
            *(one[:, mine].sum(axis=0, keepdims=True) for one in (dds.blocks, dds.conn)),
        )
        life = np.array([self.begin]), np.array([self.end])
        code = np.zeros(1, dtype=np.int64)
        return step_end_groups([spaces[self.place]], Usage(**whole), host, policy, life, code, own)


def program_run(
    result: SimResult,
    network: Network,
    inventory: Inventory,
    host: Host,
    ticks: dict[str, I64],
    reads: I64,
) -> ProgramRun | None:
    """The program of a sequence; None where transactions were simulated."""
    if network.sequence is None or not len(result.programs["start"]):
        return None
    start, end = (int(result.programs[name][0]) for name in ("start", "end"))
    edges = np.clip(interval_ends(result.seconds, result.every_s), start, end)
    return ProgramRun(
        place=place_of(network, inventory),
        owner=inventory.owner,
        begin=host.start_utc + np.timedelta64(start // TICK, "us"),
        end=host.start_utc + np.timedelta64(end // TICK, "us") if end <= edges[-1] else NOT_YET,
        there=np.diff(edges),
        ticks=_read(ticks, reads),
    )


def program_reads(result: SimResult, network: Network, count: I64) -> I64:
    """Reads among I/Os (n, volumes): of each interval as many as the program made."""
    each = np.array([one.reads for one in network.classes])
    made = np.rint(result.completed @ each).astype(np.int64) + np.diff(result.open["io"])
    edges = np.cumsum(count, axis=1)
    part = edges * made[:, None] // np.maximum(edges[:, -1:], 1)
    reads: I64 = np.diff(part, axis=1, prepend=0)
    return reads


def place_of(network: Network, inventory: Inventory) -> int:
    """The address space of the program: that of the row that its region is named by."""
    return inventory.rows.index(network.region_pools[0].name)


def _read(ticks: dict[str, I64], reads: I64) -> dict[str, I64]:
    """The part of counts and times that is reads, (n, devices); there are none of the log."""
    count = ticks["count"]
    read = np.zeros_like(count)
    read[:, : reads.shape[1]] = reads
    whole = np.maximum(count, 1)
    return {name: values * read // whole for name, values in ticks.items()} | {"count": read}


def until_end(run: ProgramRun, interval: Interval) -> Interval:
    """The intervals in which it ran."""
    return interval.taken(slice(0, run.intervals))
