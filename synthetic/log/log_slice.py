"""The log records of a slice of time: found by kind, put in the order of their times, encoded."""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_

import numpy as np

from imsperf.errors import LayoutError
from imsperf.synthetic.arrays import I16, I32, I64, U8
from imsperf.synthetic.log import log_kernels as kernels
from imsperf.synthetic.log.flow_rows import FlowRecord, Mine
from imsperf.synthetic.log.log_plan import NO_RECORD, Plan, Rows, plan_of_rows
from imsperf.synthetic.log.log_records import Stamped
from imsperf.synthetic.log.log_source import Log
from imsperf.synthetic.writer import DumpFile

TABLES = ("transactions", "steps", "programs")
PIECE = 8192  # records that are encoded at once: they stay in the cache until they are written
NOTHING = Rows(np.zeros((1, 1), np.int64), {})
PROGRAMS = ("07", "08", "5604")  # made from the table of programs, not from that of transactions


class Scratch:
    """Memory for the records of a slice, used again for the next one."""

    def __init__(self) -> None:
        self.room(0)

    def room(self, records: int) -> None:
        """For so many records."""
        self.size = records
        self.tick: I64 = np.empty(records, np.int64)
        self.kind: I16 = np.empty(records, np.int16)
        self.row, self.nth, self.order, self.other = (np.empty(records, np.int32) for _ in range(4))
        self.keys, self.spare = (np.empty(records, np.uint64) for _ in range(2))


class Plans:
    """Plans that are the same for every slice: of kinds made of columns only."""

    def __init__(self) -> None:
        self._kept: dict[tuple[FlowRecord, bool], Plan] = {}

    def plan(self, kind: FlowRecord, mine: Mine) -> Plan:
        """How these records are made."""
        key = kind, mine.of_steps
        if key not in self._kept:
            new_plan = kind.fill(mine)
            if new_plan.given:
                return new_plan
            self._kept[key] = new_plan
        return self._kept[key]


class Slice:
    """Records of a slice, kind after kind in the order they have at equal times."""

    def __init__(
        self, log: Log, tables: Mapping[str, Rows], scratch: Scratch, together: Together
    ) -> None:
        self.log = log
        self.together = together
        self.tables = [tables.get(name, NOTHING) for name in TABLES]
        self.scratch = scratch
        self.plans: list[Plan] = []
        self.places: list[tuple[int, int]] = []  # table and first record of each
        self.count = 0

    def add(self, stamped: Stamped) -> None:
        """Records that are there already."""
        if not len(stamped.tick):
            return
        self._make_room(len(stamped.tick))
        here = slice(self.count, self.count + len(stamped.tick))
        scratch = self.scratch
        scratch.tick[here] = stamped.tick
        scratch.kind[here] = len(self.plans)
        scratch.row[here] = scratch.nth[here] = 0
        self._append(plan_of_rows(stamped.rows), 0, here.stop)

    def find(
        self, kind: FlowRecord, near: tuple[int, int], begin: int, end: int, plans: Plans
    ) -> None:
        """Records of one kind between two times, of rows `near` of its table."""
        place = TABLES.index(table_of(kind))
        table = self.tables[place]
        number, column = numbers(self.log, kind)
        self._make_room((near[1] - near[0]) * int(number.max(initial=0)))
        scratch = self.scratch
        stop = kernels.find(
            table.data, *near, table.names[kind.clock], table.names[column], number,
            (begin, end), len(self.plans), scratch.tick, scratch.kind, scratch.row, scratch.nth,
            self.count,
        )  # fmt: skip
        if stop > self.count:
            here = slice(self.count, stop)
            mine = Mine(table, scratch.row[here], scratch.nth[here], self.log, kind.code)
            self._append(plans.plan(kind, mine), place, stop)

    def _append(self, plan: Plan, table: int, stop: int) -> None:
        self.plans.append(plan)
        self.places.append((table, self.count))
        self.count = stop

    def _make_room(self, more: int) -> None:
        """Twice as much where it is not enough."""
        old, needed = self.scratch, self.count + more
        if needed <= old.size:
            return
        tick, kind, row, nth = old.tick, old.kind, old.row, old.nth
        old.room(2 * needed)
        here = slice(0, self.count)
        old.tick[here], old.kind[here] = tick[here], kind[here]
        old.row[here], old.nth[here] = row[here], nth[here]

    def write(self, file: DumpFile, first_lsn: int) -> None:
        """Append all of them to a file, in the order of their times."""
        if not self.count:
            return
        sizes = np.array([plan.length for plan in self.plans])
        ordered = self._order()
        for first in range(0, self.count, PIECE):
            order = ordered[first : first + PIECE]
            total = int(sizes[self.scratch.kind[order]].sum())
            out, used, size = file.room(total, len(order), int(sizes.max()))
            block, end, begun = self._encode(out, used, size, order, first_lsn + first)
            file.filled(out, block if size else end, end, begun, len(order))

    def stamped(self) -> list[Stamped]:
        """Each kind by itself, in the order of its times."""
        parts = []
        for plan, (_, begin), stop in zip(self.plans, self.places, self._stops(), strict=True):
            tick = self.scratch.tick[begin:stop]
            order = (begin + np.argsort(tick, kind="stable")).astype(np.int32)
            out = np.zeros(len(tick) * plan.length, np.uint8)
            self._encode(out, 0, 0, order, 1)
            parts.append(Stamped(out.reshape(len(tick), -1), self.scratch.tick[order]))
        return parts

    def _stops(self) -> list[int]:
        return [*(begin for _, begin in self.places[1:]), self.count][: len(self.places)]

    def _order(self) -> I32:
        scratch, count = self.scratch, self.count
        order = scratch.order[:count]
        kernels.in_order(
            scratch.tick[:count], order, scratch.other[:count], scratch.keys, scratch.spare
        )
        return order

    def _encode(
        self, out: U8, used: int, size: int, order: I32, first_lsn: int
    ) -> tuple[int, int, int]:
        scratch, all_of_them = self.scratch, self.together
        all_of_them.put(self.plans)
        kinds = all_of_them.kinds.copy()
        for number, (table, begin) in enumerate(self.places):
            data = self.tables[table].data
            kinds[number, kernels.BEGIN :] = begin, data.ctypes.data, data.shape[1] * data.itemsize
        templates, tables, given = (pool.ctypes.data for pool in all_of_them.pools)
        block, end, begun, wrong = kernels.encode(
            used, size, order, scratch.tick, scratch.kind, scratch.row, scratch.nth, kinds,
            all_of_them.steps, (out.ctypes.data, templates, tables, given),
            signed(self.log.start), first_lsn,
        )  # fmt: skip
        if wrong != kernels.FITS:
            which = int(np.flatnonzero(kinds[:, kernels.LAST_STEP] > wrong)[0])
            raise does_not_fit(self.plans[which], all_of_them.steps[wrong])
        return block, end, begun


class Together:
    """Kinds, steps and bytes of several plans as one; kept as long as the plans are the same."""

    def __init__(self) -> None:
        self.plans: list[Plan] = []

    def put(self, plans: list[Plan]) -> None:
        """Put these plans together."""
        if len(plans) == len(self.plans) and all(map(is_, plans, self.plans)):
            return
        self.plans = list(plans)
        self.kinds = np.zeros((len(plans), kernels.KIND_COLUMNS), np.int64)
        steps, pools = list[I64](), (list[U8](), list[U8](), list[U8]())
        sizes, first = [0, 0, 0], 0
        for number, plan in enumerate(plans):
            own = np.array(plan.steps, np.int64).reshape(-1, kernels.STEP_COLUMNS)
            what = own[:, kernels.WHAT]
            own[np.isin(what, (kernels.TABLE, kernels.DRAWN_TABLE)), kernels.BASE] += sizes[1]
            own[what == kernels.GIVEN, kernels.BASE] += sizes[2]
            self.kinds[number, : kernels.BEGIN] = plan.length, sizes[0], first, first + len(own)
            steps.append(own)
            first += len(own)
            for place, parts in enumerate(([plan.template], plan.tables, plan.given)):
                pools[place].extend(part.reshape(-1) for part in parts)
                sizes[place] += sum(part.size for part in parts)
        nothing = np.zeros(0, np.uint8)
        self.steps = np.concatenate(steps)
        self.pools = [np.concatenate([nothing, *parts]) for parts in pools]


def table_of(kind: FlowRecord) -> str:
    """The table that records of a kind are made from."""
    return "programs" if kind.code in PROGRAMS else "steps" if kind.step else "transactions"


def numbers(log: Log, kind: FlowRecord) -> tuple[I64, str]:
    """Records of this kind for a transaction, a program or a step; the column that says of which.

    The programs of a chain differ in what they change.
    """
    if kind.code in PROGRAMS:
        return np.ones(max(len(log.network.classes), len(log.network.codes)), np.int64), "cls"
    if kind.many and kind.step and log.chains.shape[1] > 1:
        return log.code_changes, "code"
    return kind.number(log.counts[kind.code]).astype(np.int64), "cls"


def does_not_fit(plan: Plan, step: I64) -> LayoutError:
    """What a field has no room for."""
    if plan.record is NO_RECORD:
        return LayoutError("found a number that is too large for its field")
    table, at = plan.record.section.table, int(step[kernels.OFFSET])
    return LayoutError(
        f"{table} +{at}: found a number that does not fit {step[kernels.WIDTH]} bytes, unsigned"
    )


def signed(value: int) -> int:
    """64 bits as a signed number."""
    return value - (1 << 64) if value >> 63 else value
