"""Rows that changed, those of one cause together: what a reader counts as one thing.

A cause has a head: the outcome that its readers know, where it has one. A response time is the
outcome of the times that it is declared to contain (`contains` of a column).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.codes import I8
from imsperf.reports.comparison.pairs import key_parts
from imsperf.reports.comparison.verdicts import SURE, with_column

CHANGED = ("worse", "better", "differs")
DIRECTED = ("worse", "better")
Row = dict[str, Any]
Names = Mapping[tuple[str, str], str]  # what a key of a report is known by
# Parts of a key that say where, or what kind of row, and so belong to many causes at once.
_COMMON = {"system", "ims", "sysplex", "kind", "state", "reason", "type", "period", "part"}
_WHOSE = {"job", "step", "instance"}  # a name only where the key has nothing else
_LEAST_NAME = 3  # letters of a name that is no chance
_AS_MUCH = 1.01  # of a change that is as large: totals are rounded, too
_NEEDED = ("report", "key", "column", "unit", "verdict", "delta", "delta_pct")


class Group:
    """Rows that follow from one cause, the head first."""

    def __init__(self, row: Row) -> None:
        self.rows = [row]
        self._others = dict[tuple[str, ...], list[Any]]()  # rows by kind

    def add(self, row: Row) -> bool:
        """Add a row; whether it is a near-copy of the head, and so about the same."""
        is_like = kind_of(row) == kind_of(self.rows[0]) and self.is_like(row)
        self.rows.append(row)
        self._others.setdefault(kind_of(row), []).append(row)
        return is_like

    def is_like(self, row: Row, most: float = math.inf) -> bool:
        """Whether a row is a near-copy of one of its lines: the same column of another volume or
        path that changed as it did, at least by half as much, at most by so many times."""
        is_head = kind_of(row) == kind_of(self.rows[0])
        first = self.rows[0] if is_head else self._others.get(kind_of(row), [None])[0]
        if first is None:
            return False
        known, new = _change(first), _change(row)
        return known * new > 0 and abs(known) / 2 <= abs(new) <= most * abs(known)

    def leads(self, row: Row) -> bool:
        """Whether a row tells, of something larger, no more of the same: the volume leads its LCU,
        and the total of a kind that it is alone in."""
        change = _log_change(row["delta_pct"] or 0)
        return any(
            each["report"] != row["report"]
            and each["verdict"] == row["verdict"]
            and _plain(each["column"]) == _plain(row["column"])
            and _is_as_large(_log_change(each["delta_pct"] or 0), change)
            for each in self._firsts()
        )

    def _firsts(self) -> Iterator[Row]:
        """The first row of each line."""
        yield self.rows[0]
        yield from (rows[0] for rows in self._others.values())

    def holds(self, row: Row) -> bool:
        """Whether a row that stands elsewhere belongs to it."""
        return self.is_like(row, most=2) or self.leads(row)

    def headed(self) -> Group:
        """The same rows with the outcome first: of those that contain another row of the group the
        one that changed most, where it went the way of the first row; else as it is."""
        first = self.rows[0]
        if first["verdict"] not in DIRECTED:
            return self
        of_key = self._columns(first["verdict"])
        for row in self.rows:
            there = of_key.get((row["report"], row["key"]), set())
            if row["column"] not in there or not there & contained(row):
                continue
            if not any(row["column"] in contained(row | {"column": name}) for name in there):
                return _of([row, *(other for other in self.rows if other is not row)])
        return self

    def _columns(self, verdict: str) -> dict[tuple[str, str], set[str]]:
        """The columns of each report and key that have a verdict."""
        columns = defaultdict[tuple[str, str], set[str]](set)
        for row in self.rows:
            if row["verdict"] == verdict:
                columns[row["report"], row["key"]].add(row["column"])
        return columns

    @property
    def likes(self) -> int:
        """How many rows are near-copies of the first."""
        return len(self._others.get(kind_of(self.rows[0]), ()))

    def lines(self) -> list[tuple[Row, int]]:
        """The first row, then the first of each column of a report, with how many more of the group
        are of that column; near-copies of the head come first."""
        own = kind_of(self.rows[0])
        others = sorted(self._others.items(), key=lambda each: each[0] != own)
        return [(self.rows[0], 0), *((rows[0], len(rows) - 1) for _, rows in others)]

    @property
    def part(self) -> Row | None:
        """Where the head is the outcome of another row, the line that changed most beside it."""
        head = self.rows[0]
        there = self._columns(head["verdict"])[head["report"], head["key"]]
        if not there & contained(head):
            return None
        return next(row for row, _ in self.lines()[1:] if row["column"] != head["column"])


def contained(row: Row) -> set[str]:
    """The times that the column of a row is declared to contain, and those that these contain."""
    report, parts, more = catalog().get(row["report"]), set[str](), {row["column"]}
    while more:
        more = {name for each in more for name in report.column(each).contains} - parts
        parts |= more
    return parts


def kind_of(row: Row) -> tuple[str, ...]:
    """What near-copies have in common."""
    return row["report"], row["column"], row["unit"], row["verdict"]


def by_cause(table: pa.Table, names: Names, order: I8 | None = None) -> pa.Table:
    """The table with what changed first, cause after cause; `rank` is the number of the cause, NULL
    where nothing changed. `names`: what keys of reports are known by. `order`: the places of the
    rows from the most important on; None where they stand so."""
    order = np.arange(table.num_rows) if order is None else order
    is_changed = pc.is_in(table["verdict"].cast(pa.string()), pa.array(CHANGED)).to_numpy()[order]
    places = np.flatnonzero(is_changed)
    rows = table.select(_NEEDED).take(pa.array(order[places])).to_pylist()
    for row, place in zip(rows, places.tolist(), strict=True):
        row["place"] = place
    groups = _grouped(rows, names)
    first = order[np.array([row["place"] for group in groups for row in group.rows], np.int64)]
    ranks = [number for number, group in enumerate(groups, 1) for _ in group.rows]
    others = order[~is_changed]
    rank = pa.array([*ranks, *[None] * len(others)], pa.int64())
    return with_column(table.take(pa.array(np.concatenate([first, others]))), "rank", rank)


def causes_of(table: pa.Table) -> list[Group]:
    """The groups of a table of `by_cause`, in order of rank."""
    changed = table.filter(pc.is_valid(table["rank"])).to_pylist()
    return [_of(rows) for _, rows in groupby(changed, key=lambda row: row["rank"])]


def _of(rows: Iterable[Row]) -> Group:
    head, *others = rows
    group = Group(head)
    for row in others:
        group.add(row)
    return group


class _Index:
    """Groups by what finds them, in order of their numbers."""

    def __init__(self) -> None:
        self.groups = list[Group]()
        self._of_name = dict[str, int]()
        self._of_column = defaultdict[str, list[int]](list)
        self._of_kind = defaultdict[tuple[str, ...], list[int]](list)

    def add(self, rows: Sequence[Row], names: Set[str] = frozenset()) -> None:
        """Add rows to the first group that has one of the names of the first of them, or leads it;
        else to one that has its like; else to a new one."""
        number = self._find(rows[0], names)
        if number == len(self.groups):
            self.groups.append(Group(rows[0]))
            self._note(number, rows[0], names)
            rows = rows[1:]
        for row in rows:
            self._note(number, row, names if self.groups[number].add(row) else ())

    def _find(self, row: Row, names: Set[str]) -> int:
        none = len(self.groups)
        named = min((self._of_name.get(name, none) for name in names), default=none)
        of_column = self._of_column[_plain(row["column"])]
        leading = next((n for n in of_column if self.groups[n].leads(row)), none)
        if min(named, leading) < none:
            return min(named, leading)
        return next((n for n in self._of_kind[kind_of(row)] if self.groups[n].is_like(row)), none)

    def _note(self, number: int, row: Row, names: Iterable[str]) -> None:
        for name in names:
            self._of_name[name] = min(number, self._of_name.get(name, number))
        for numbers in (self._of_column[_plain(row["column"])], self._of_kind[kind_of(row)]):
            place = bisect_left(numbers, number)
            if numbers[place : place + 1] != [number]:
                numbers.insert(place, number)


def _grouped(rows: Iterable[Row], names: Names) -> list[Group]:
    """Rows in order of what changed most, by cause. Groups are one where the first row of one
    belongs to the other, now that all rows of both are known."""
    first, second = _Index(), _Index()
    for row in rows:
        first.add([row], _names(row, names))
    for group in first.groups:
        second.add(group.rows)
    groups = list[Group]()
    for group in second.groups:
        found = next((each for each in groups if group.holds(each.rows[0])), None)
        if found is None:
            groups.append(group)
        else:
            for row in group.rows:
                found.add(row)
    for group in groups:
        head, *others = group.rows
        group.rows = [head, *sorted(others, key=lambda row: row["place"])]
    return [_of(group.rows).headed() for group in groups]


def _plain(column: str) -> str:
    """disc_ms of a volume is a part of io_disc_ms of a class."""
    return column.removeprefix("io_")


def _is_as_large(change: float, other: float) -> bool:
    return change * other > 0 and abs(other) <= _AS_MUCH * abs(change)


def _change(row: Row) -> float:
    """Logarithm of the ratio, as far as a larger one says more; what begins or ends is SURE."""
    change = row["delta_pct"]
    log = _log_change(change) if change is not None else math.copysign(math.inf, row["delta"] or 0)
    return max(-SURE, min(SURE, log))


def _log_change(delta_pct: float) -> float:
    """Logarithm of the ratio; that of nothing left, or of a sign that turned, has no end."""
    return math.log1p(delta_pct / 100) if delta_pct > -100 else -math.inf


def _names(row: Row, known: Names) -> set[str]:
    """What tells which things two rows are about: their key, and names in it that others share."""
    names = {f"{row['report']} {row['key']}"}
    own = known.get((row["report"], row["key"]), "")
    parts = [*key_parts(row["key"]), ("", own)]
    pairs = [pair for pair in parts if pair[0] not in _COMMON and pair[1]]
    pairs = [pair for pair in pairs if pair[0] not in _WHOSE] or pairs
    for name, value in pairs:
        plain = value.lstrip("0") if name == "device" else value
        if len(plain) >= _LEAST_NAME:
            names.add(plain)
    return names
