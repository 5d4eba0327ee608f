"""Counting records: how many of each system and type, how many bytes, from when to when."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I32, I64

NO_TIME = locate.NO_TIME  # of a record without a valid date and time

_TABLE, _DISTINCT = 4096, 2048


@dataclass(frozen=True)
class Groups:
    """Records grouped by key: the keys in order of appearance, and the group of each record."""

    keys: list[int]
    ids: npt.NDArray[Any]

    def rows(self, group: int) -> I64:
        """Rows of one group, in their order."""
        order, bounds = self._sorted
        return order[bounds[group] : bounds[group + 1]]

    @cached_property
    def _sorted(self) -> tuple[I64, list[int]]:
        """Rows by group, and where those of each group begin."""
        counts = np.bincount(self.ids, minlength=len(self.keys))
        bounds = [0, *np.cumsum(counts).tolist()]
        is_single = len(self.keys) == 1
        return np.arange(len(self.ids)) if is_single else np.argsort(
            self.ids, kind="stable"
        ), bounds


def group(keys: I64) -> Groups:
    """Group equal keys."""
    distinct, ids = np.empty(_DISTINCT, np.int64), np.empty(len(keys), np.uint16)
    table, slot = np.empty(_TABLE, np.int64), np.full(_TABLE, -1, np.int32)
    count = locate.group_keys(keys, table, slot, distinct, ids)
    if count >= 0:
        return Groups(distinct[:count].tolist(), ids)
    some, numbers = np.unique(keys, return_inverse=True)  # more kinds than any real file holds
    return Groups(some.tolist(), numbers)


@dataclass
class Tally:
    """One line of a census; times are microseconds since 1970. `subsystems` are the four bytes of
    each name that the headers have, as numbers; only a survey asks for them."""

    records: int = 0
    bytes: int = 0
    loaded: int = 0
    first: int | None = None
    last: int | None = None
    subsystems: set[int] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Count the records of another line as well."""
        self.records += other.records
        self.bytes += other.bytes
        self.loaded += other.loaded
        self.first = min(_known(self.first, other.first), default=None)
        self.last = max(_known(self.last, other.last), default=None)
        self.subsystems |= other.subsystems


def _known(*times: int | None) -> list[int]:
    return [time for time in times if time is not None]


@dataclass
class Census:
    """Tallies by key."""

    tallies: dict[int, Tally] = field(default_factory=dict)
    untimed: int = 0  # records without a valid date and time

    def add(self, groups: Groups, lengths: I32, times: I64) -> None:
        """Count grouped records with their bytes and times."""
        sums = np.empty((len(groups.keys), 4), np.int64)
        self.untimed += locate.tally(groups.ids, lengths, times, sums)
        for key, (count, size, first, last) in zip(groups.keys, sums.tolist(), strict=True):
            seen = (None, None) if last == NO_TIME else (first, last)
            self.tallies.setdefault(key, Tally()).add(Tally(count, size, 0, *seen))

    def span(self) -> tuple[int | None, int | None]:
        """First and last time of all."""
        total = Tally()
        for tally in self.tallies.values():
            total.add(tally)
        return total.first, total.last
