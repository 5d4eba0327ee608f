"""Archive jobs (DFSUARC0): each reads an OLDS that is full, one job after the other.

The simulation counts blocks that were read and their CPU. A job begins at the switch from its OLDS,
or when the job before it ends. It ends in the interval in which its last block was read, after the
time that reads and CPU take it there without waits. What it writes goes to tape (assumption).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import shared
from imsperf.synthetic.accounts.inventory import ARCHIVE, Inventory
from imsperf.synthetic.accounts.program_run import in_fields
from imsperf.synthetic.arrays import I64, Times
from imsperf.synthetic.log.olds import OLDS_COUNT, OLDS_NAMES, full_ticks
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.smf.address_space import DdUsage, Life, Space, Usage
from imsperf.synthetic.smf.record_groups import Group
from imsperf.synthetic.smf.type30 import step_end_groups
from imsperf.synthetic.smf.work import Policy, Service
from imsperf.synthetic.units import TICKS_PER_US

ROW = "ARCHIVE"  # of no cost table
FIRST_JOB, FIRST_ASID, ASIDS = 1001, 0x180, 32
PEND, CONN = 30, 70  # per cent of a read: the blocks are in the cache (assumed)
NEVER = 1 << 61


@dataclass(frozen=True)
class ArchiveJobs:
    """r jobs in n intervals, each of one step. `begin`, `end`: ticks; NEVER: after the run.

    `first`, `last`: intervals in which they do; n after the run. `reads`: I/Os of each, `cpu` and
    `there`: ticks that it used and was there, (n, r).
    """

    begin: I64
    end: I64
    first: I64
    last: I64
    reads: I64
    cpu: I64
    there: I64
    read_ticks: int  # of one

    @classmethod
    def of(cls, result: SimResult, network: Network) -> ArchiveJobs:
        """Those of a run, in the order of their OLDS; r = 0 where nothing was read."""
        logger, edges = network.logger, interval_ends(result.seconds, result.every_s)
        upto = np.cumsum(np.asarray(result.archive_blocks, np.int64))
        size, each = logger.olds_capacity, max(logger.archive_blocks, 1)
        first = np.arange(-(-int(upto[-1]) // size)) * size if len(upto) else np.zeros(0, np.int64)
        so_far = np.clip(upto[:, None] - first, 0, size)
        blocks = np.diff(so_far, axis=0, prepend=0)
        reads = np.diff(-(-so_far // each), axis=0, prepend=0)
        used = np.asarray(result.archive_cpu_ticks, np.int64)
        cpu = shared(used, blocks) if len(first) else blocks
        switched = full_ticks(result, size)[: len(first)]
        begun, done = (so_far > 0).argmax(axis=0), (so_far == size).argmax(axis=0)
        read_ticks = round(logger.archive_read_us * TICKS_PER_US)
        # in the interval of its last block, max-plus: after its release, and after the job before
        lasts = (reads * read_ticks + cpu)[done, np.arange(len(first))]
        after = np.cumsum(lasts)
        release = np.maximum(switched, edges[done])
        end = after + np.maximum.accumulate(release - (after - lasts))
        end = np.clip(end, edges[done] + TICKS_PER_US, edges[done + 1])
        begin = np.maximum(switched, np.append(0, end[:-1])[: len(first)])
        begin = np.clip(begin, edges[begun], edges[begun + 1] - TICKS_PER_US)
        if len(first):
            goes_on = so_far[-1] < size
            end, done = np.where(goes_on, NEVER, end), np.where(goes_on, len(upto), done)
        there = np.minimum(end, edges[1:, None]) - np.maximum(begin, edges[:-1, None])
        return cls(begin, end, begun, done, reads, cpu, np.maximum(there, 0), read_ticks)

    @property
    def olds(self) -> I64:
        """Place in OLDS_NAMES of what each reads: a run begins on the second one."""
        return (np.arange(len(self.begin)) + 1) % OLDS_COUNT

    @property
    def ticks(self) -> dict[str, I64]:
        """I/O of each, (n, r): count and times."""
        pend = self.reads * (self.read_ticks * PEND // 100)
        time = self.reads * self.read_ticks
        return {"count": self.reads, "pend": pend, "conn": time - pend}

    @cached_property
    def of_olds(self) -> dict[str, I64]:
        """The same by the OLDS that was read, (n, OLDS_COUNT)."""
        which = np.arange(OLDS_COUNT) == self.olds[:, None]
        return {name: values @ which.astype(np.int64) for name, values in self.ticks.items()}

    def opened(self) -> I64:
        """Whether a job opened each OLDS in each interval, (n, OLDS_COUNT)."""
        return self._of_jobs(self.first)

    def closed(self) -> I64:
        """Whether one closed it."""
        return self._of_jobs(self.last)

    def _of_jobs(self, interval: I64) -> I64:
        marks = np.zeros((len(self.reads) + 1, OLDS_COUNT), np.int64)
        marks[interval, self.olds] = 1
        return marks[:-1]

    def known(self, inventory: Inventory, host: Host) -> Inventory:
        """The inventory with these jobs behind its address spaces, in the class of IMS."""
        number, owner, master = len(self.begin), inventory.owner, inventory.master
        like = inventory.spaces[owner]
        report = inventory.spaces[master].report_class
        jobs = tuple(
            replace(
                like, job=job_name(host), program=ARCHIVE, asid=FIRST_ASID + n % ASIDS,
                job_id=f"JOB{FIRST_JOB + n:05d}", report_class=report,
            )
            for n in range(number)
        )  # fmt: skip
        return replace(
            inventory,
            spaces=inventory.spaces + jobs,
            rows=inventory.rows + (ROW,) * number,
            shares=inventory.shares + (0.0,) * number,
            service=np.append(inventory.service, np.repeat(inventory.service[owner], number)),
            report=np.append(inventory.report, np.repeat(inventory.report[master], number)),
        )

    def charged(self, usage: Usage, inventory: Inventory) -> Usage:
        """Usage (n, m) with what the jobs, the last ones, did; the owner's I/O without it."""
        first = len(inventory.spaces) - len(self.begin)
        mine = {"io": self.ticks["count"], "blocks": self.ticks["count"]}
        mine |= {"io_conn": self.ticks["conn"], "io_pend": self.ticks["pend"]}
        changed = {}
        for name, values in mine.items():
            every = np.asarray(getattr(usage, name)).copy()
            every[:, inventory.owner] -= values.sum(axis=1)
            every[:, first:] = values
            changed[name] = every
        for name in ("active", "resident"):
            changed[name] = np.asarray(getattr(usage, name)).copy()
            changed[name][:, first:] = self.there
        return replace(usage, **changed)

    def dds(self, dds: DdUsage, inventory: Inventory, device: int) -> DdUsage:
        """DD statements with those of the jobs, one each; the owner's without their reads."""
        first, blocks, conn = len(inventory.spaces) - len(self.begin), dds.blocks, dds.conn
        for n, name in enumerate(OLDS_NAMES):
            mine = (dds.name == name) & (dds.space == inventory.owner)
            blocks = blocks - mine * self.of_olds["count"][:, [n]]
            conn = conn - mine * self.of_olds["conn"][:, [n]]
        number = len(self.begin)
        size = dds.block_bytes[np.argmax(dds.name == OLDS_NAMES[0])]
        return DdUsage(
            np.append(dds.space, first + np.arange(number)),
            np.append(dds.name, np.array(OLDS_NAMES)[self.olds]),
            np.append(dds.device, np.repeat(device, number)),
            np.append(dds.block_bytes, np.repeat(size, number)),
            np.hstack([blocks, self.ticks["count"]]),
            np.hstack([conn, self.ticks["conn"]]),
        )

    def life(self, life: Life, host: Host) -> Life:
        """When every address space started and ended, these jobs the last ones."""
        return Life(
            np.append(life.begin, _utc(host, self.begin)), np.append(life.end, self._ends(host))
        )

    def step_end(
        self, spaces: tuple[Space, ...], usage: Usage, dds: DdUsage, host: Host, policy: Policy
    ) -> list[Group]:
        """Records of the step and job ends, in the intervals in which they were."""
        ended = np.flatnonzero(self.end < NEVER)
        if not len(ended):
            return []
        place = len(spaces) - len(self.begin) + ended

        def of_life(values: I64) -> I64:
            sums: I64 = values[:, place].sum(axis=0)[None]
            return sums

        used = {
            name: of_life(np.asarray(in_fields(name, values)))
            for name, values in vars(usage).items()
            if np.ndim(values) == 2
        }
        service = vars(usage.service(policy))
        units = {name: of_life(values) for name, values in service.items() if np.ndim(values) == 2}
        mine = len(dds.space) - len(self.begin) + ended
        own = DdUsage(
            np.arange(len(ended)),
            dds.name[mine],
            dds.device[mine],
            dds.block_bytes[mine],
            dds.blocks[:, mine].sum(axis=0)[None],
            np.asarray(in_fields("io_conn", dds.conn[:, mine])).sum(axis=0)[None],
        )
        some = [spaces[n] for n in place.tolist()]
        life = _utc(host, self.begin[ended]), self._ends(host)[ended]
        code = np.zeros(len(ended), np.int64)
        groups = step_end_groups(
            some, Usage(**used), host, policy, life, code, own, Service(**units)
        )
        return [replace(group, at=self.last[ended]) for group in groups]

    def _ends(self, host: Host) -> Times:
        ends: Times = _utc(host, np.minimum(self.end, NEVER))
        return ends


def job_name(host: Host) -> str:
    """What DBRC submits the jobs as (assumption)."""
    return f"{host.ims_id}ARC"


def _utc(host: Host, tick: I64) -> Times:
    utc: Times = host.start_utc + (tick // TICKS_PER_US).astype("timedelta64[us]")
    return utc
