"""Counting records: how many of each system and type, how many bytes, from when to when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.parsers import locate
from imsperf.parsers.compiled import I32, I64

NO_TIME = np.iinfo(np.int64).min  # of a record without a valid date and time

_TABLE, _DISTINCT = 4096, 2048


@dataclass(frozen=True)
class Groups:
    """Records grouped by key; rows of group g are `order[bounds[g]:bounds[g + 1]]`."""

    keys: list[int]
    order: I64
    bounds: list[int]

    def rows(self, group: int) -> I64:
        """Rows of one group."""
        return self.order[self.bounds[group] : self.bounds[group + 1]]


def group(keys: I64) -> Groups:
    """Group equal keys; the groups stand in order of appearance."""
    distinct, ids = np.empty(_DISTINCT, np.int64), np.empty(len(keys), np.uint16)
    table, slot = np.empty(_TABLE, np.int64), np.full(_TABLE, -1, np.int32)
    count = locate.group_keys(keys, table, slot, distinct, ids)
    numbers: npt.NDArray[Any] = ids
    if count < 0:  # more kinds of records than any real file holds
        distinct, numbers = np.unique(keys, return_inverse=True)
        count = len(distinct)
    order = np.argsort(numbers, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count))])
    return Groups(distinct[:count].tolist(), order, bounds.tolist())


@dataclass
class Tally:
    """One line of a census; times are microseconds since 1970."""

    records: int = 0
    bytes: int = 0
    loaded: int = 0
    first: int | None = None
    last: int | None = None

    def add(self, other: Tally) -> None:
        """Count the records of another line as well."""
        self.records += other.records
        self.bytes += other.bytes
        self.loaded += other.loaded
        self.first = min(_known(self.first, other.first), default=None)
        self.last = max(_known(self.last, other.last), default=None)


def _known(*times: int | None) -> list[int]:
    return [time for time in times if time is not None]


@dataclass
class Census:
    """Tallies by key."""

    tallies: dict[int, Tally] = field(default_factory=dict)
    untimed: int = 0  # records without a valid date and time

    def add(self, groups: Groups, lengths: I32, times: I64) -> None:
        """Count grouped records with their bytes and times."""
        if not len(lengths):
            return
        self.untimed += int((times == NO_TIME).sum())
        begin = groups.bounds[:-1]
        sizes = np.add.reduceat(lengths[groups.order], begin, dtype=np.int64).tolist()
        ordered = times[groups.order]
        last = np.maximum.reduceat(ordered, begin).tolist()
        first = np.minimum.reduceat(np.where(ordered == NO_TIME, -NO_TIME - 1, ordered), begin)
        for number, (key, earliest) in enumerate(zip(groups.keys, first.tolist(), strict=True)):
            count = groups.bounds[number + 1] - groups.bounds[number]
            timed = last[number] != NO_TIME
            seen = (earliest, last[number]) if timed else (None, None)
            self.tallies.setdefault(key, Tally()).add(Tally(count, sizes[number], 0, *seen))

    def span(self) -> tuple[int | None, int | None]:
        """First and last time of all."""
        whole = Tally()
        for tally in self.tallies.values():
            whole.add(tally)
        return whole.first, whole.last
