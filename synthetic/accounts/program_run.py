"""The runs of a batch message program: its address space, when it was there, its I/O.

A simulation has one run, interval mode one after the other: each is a job, begins with an interval
and is alone in it.

The reads of a Fast Path database are started by the region that waits for them and charged to it
(assumption); the writes after a sync point, and the log, are those of the control region.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import part_of
from imsperf.synthetic.accounts.inventory import CONTROL, REGION, Inventory
from imsperf.synthetic.arrays import I64, Texts, Times, Values
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.run_facts import offset_s
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.smf.address_space import DdUsage, Life, Space, Usage
from imsperf.synthetic.smf.measured import quantised, unit_of
from imsperf.synthetic.smf.record_groups import Group
from imsperf.synthetic.smf.type30 import step_end_groups
from imsperf.synthetic.smf.work import PeriodUse, Policy, Service
from imsperf.synthetic.units import TICKS_PER_US

NOT_YET = np.datetime64("NaT", "us")
NEVER = np.datetime64("2200-01-01", "us")
_OF_USAGE = {"io": "count", "blocks": "count", "io_conn": "conn", "io_disc": "disc"}
_OF_USAGE |= {"io_pend": "pend", "io_iosq": "iosq"}

STARTED = {  # step of the procedure in which address spaces are started, by program
    CONTROL: "5.1.5", REGION: "5.1.6", "DXRRLM00": "5.1.4",
    **dict.fromkeys(("HWSHWS00", "DFHSIP", "BPEINI00", "BPXBATSL", "DSNYASCP"), "5.1.7"),
}  # fmt: skip
BEFORE_IMS = ("SCI", "OM")  # what ends the names of those that IMS finds when it starts


@dataclass(frozen=True)
class ProgramRun:
    """Runs of one program, r of them, each a job of one step, in n intervals.

    `run`: which one each interval has, -1: none; `there`: ticks of it in the interval. `ticks`: its
    I/O, (n, devices), names as in `device_ticks`.
    """

    place: int  # of its address space
    owner: int  # address space whose I/O its reads were counted with
    begin: Times  # (r,)
    end: Times  # NaT: it goes on
    run: I64
    there: I64
    ticks: dict[str, I64]

    @property
    def which(self) -> I64:
        """The intervals it had a part in."""
        return np.flatnonzero(self.run >= 0)

    @property
    def job_ids(self) -> Texts:
        """JES numbers of the jobs."""
        return np.array([f"JOB{number:05d}" for number in range(1, len(self.begin) + 1)])

    def life(self, spaces: int) -> Life:
        """When each address space started and ended, by interval; all others are always there."""
        shape = (len(self.run), spaces)
        begin, end = (np.full(shape, NOT_YET) for _ in range(2))
        begin[:, self.place] = NEVER
        ids = np.full(shape, "", "U8")
        some = self.which
        begin[some, self.place] = self.begin[self.run[some]]
        end[some, self.place] = self.end[self.run[some]]
        ids[some, self.place] = self.job_ids[self.run[some]]
        return Life(begin, end, ids)

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

    def in_classes(self, use: PeriodUse, inventory: Inventory) -> PeriodUse:
        """Each run is a transaction of the classes of its address space, and ends with its job."""
        ended = np.flatnonzero(~np.isnat(self.end))
        last = np.array([np.flatnonzero(self.run == row)[-1] for row in ended], dtype=np.int64)
        lasted = (self.end - self.begin)[ended].astype("timedelta64[us]").astype(np.int64)
        mine = [inventory.service[self.place], inventory.report[self.place]]

        def with_runs(values: Any, each: Values) -> Values:
            of_classes = np.array(np.broadcast_to(values, (len(self.run), len(inventory.classes))))
            for row in mine:
                np.add.at(of_classes[:, row], last, each)
            return of_classes

        return replace(
            use,
            ended=with_runs(use.ended, np.ones_like(lasted)),
            elapsed=with_runs(use.elapsed, lasted * TICKS_PER_US),
            execution=with_runs(use.execution, lasted * TICKS_PER_US),
            squares_us2=with_runs(
                np.asarray(use.squares_us2, np.float64), lasted.astype(np.float64) ** 2
            ),
        )

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

    def step_end(
        self, spaces: tuple[Space, ...], usage: Usage, dds: DdUsage, host: Host, policy: Policy
    ) -> list[Group]:
        """Records of the step and job ends, in the intervals in which they were."""
        ended = np.flatnonzero(~np.isnat(self.end))
        if not len(ended):
            return []
        jobs = [replace(spaces[self.place], job_id=str(id_)) for id_ in self.job_ids[ended]]

        def of_life(values: I64) -> I64:
            ticks: I64 = self._of_runs(values)[None, ended, self.place]
            return ticks

        used = {
            name: of_life(in_fields(name, values))
            for name, values in vars(usage).items()
            if np.ndim(values) == 2
        }
        service = vars(usage.service(policy))
        units = {name: of_life(values) for name, values in service.items() if np.ndim(values) == 2}
        mine, times = np.flatnonzero(dds.space == self.place), len(ended)
        conn = in_fields("io_conn", dds.conn[:, mine])
        own = DdUsage(
            np.repeat(np.arange(times), len(mine)),
            np.tile(dds.name[mine], times),
            np.tile(dds.device[mine], times),
            np.tile(dds.block_bytes[mine], times),
            self._of_runs(dds.blocks[:, mine])[ended].reshape(1, -1),
            self._of_runs(conn)[ended].reshape(1, -1),
        )
        life = self.begin[ended], self.end[ended]
        code = np.zeros(len(ended), dtype=np.int64)
        last = np.array([np.flatnonzero(self.run == row)[-1] for row in ended])
        of_all = Usage(**used), host, policy, life, code, own, Service(**units)
        groups = step_end_groups(jobs, *of_all)
        return [replace(group, at=last) for group in groups]

    def _of_runs(self, values: I64) -> I64:
        """Sums of columns (n, k) by run, (r, k)."""
        runs = np.zeros((len(self.begin), values.shape[1]), dtype=np.int64)
        np.add.at(runs, self.run[self.which], values[self.which])
        return runs

    @cached_property
    def _read(self) -> I64:
        """Devices it read from."""
        return np.flatnonzero(self.ticks["count"].any(axis=0))


def in_fields(name: str, values: I64) -> I64:
    """What the records of the intervals hold of a time: sums of them are those of a step end."""
    unit = unit_of(Usage, name)
    fields: I64 = np.asarray(quantised(values, unit)) * unit
    return fields


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
    start, end = (result.programs[name].astype(np.int64) for name in ("start", "end"))
    edges = interval_ends(result.seconds, result.every_s)
    run = np.searchsorted(start, edges[1:], side="left") - 1  # the last one that has begun
    there = np.minimum(end[run], edges[1:]) - np.maximum(start[run], edges[:-1])
    there = np.where(run >= 0, np.maximum(there, 0), 0)
    return ProgramRun(
        place=place_of(network, inventory),
        owner=inventory.owner,
        begin=_utc(host, start),
        end=np.where(end <= edges[-1], _utc(host, np.minimum(end, edges[-1])), NOT_YET),
        run=np.where(there > 0, run, -1),
        there=there,
        ticks=_read(ticks, reads),
    )


def _utc(host: Host, tick: I64) -> Times:
    utc: Times = host.start_utc + (tick // TICKS_PER_US).astype("timedelta64[us]")
    return utc


def program_reads(result: SimResult, network: Network, count: I64) -> I64:
    """Reads among I/Os (n, volumes): of each interval as many as the program made."""
    reads_so_far = result.completed @ network.of_classes("reads")
    reads_made = np.rint(reads_so_far).astype(np.int64) + np.diff(result.open["io"])
    edges = np.cumsum(count, axis=1)
    part = edges * reads_made[:, None] // np.maximum(edges[:, -1:], 1)
    reads: I64 = np.diff(part, axis=1, prepend=0)
    return reads


def place_of(network: Network, inventory: Inventory) -> int:
    """The address space of the program: that of the row that has its CPU."""
    return inventory.rows.index(network.cpu.share_by_space[0][0])


def _read(ticks: dict[str, I64], reads: I64) -> dict[str, I64]:
    """The part of counts and times that is reads, (n, devices); there are none of the log."""
    count = ticks["count"]
    read = np.zeros_like(count)
    read[:, : reads.shape[1]] = reads
    divisor = np.maximum(count, 1)
    read_part = {name: part_of(values, read, divisor) for name, values in ticks.items()}
    return read_part | {"count": read}


# --- since when address spaces run ----------------------------------------------------------------


def ims_start(result: SimResult, host: Host) -> np.datetime64:
    """When IMS was started, UTC, to the microsecond; log code 06 has the same time."""
    up = int(result.warm["ticks"]) // TICKS_PER_US
    begun: np.datetime64 = host.start_utc - np.timedelta64(up, "us")
    return begun


def lives(
    result: SimResult, host: Host, inventory: Inventory, program: ProgramRun | None = None
) -> Life:
    """Start and end of every address space; that of a batch program, too."""
    spaces = inventory.spaces
    begin = np.array([_started(space, result, host) for space in spaces])
    if program is None:
        return Life(begin, np.full(len(spaces), NOT_YET))
    own = program.life(len(spaces))
    return replace(own, begin=np.where(np.isnat(own.begin), begin, own.begin))


def _started(space: Space, result: SimResult, host: Host) -> np.datetime64:
    """By the procedure of measurement (000 5.1); what IMS does not know is up since the IPL."""
    step = "5.1.4" if space.job.endswith(BEFORE_IMS) else STARTED.get(space.program)
    if step is None:
        return NOT_YET
    up = (host.start_utc - ims_start(result, host)) / np.timedelta64(1, "s")
    return host.start_utc + np.timedelta64(round(offset_s(step, float(up), 0.0) * 1e6), "us")
