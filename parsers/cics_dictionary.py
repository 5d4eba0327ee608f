"""Dictionary records of CICS regions: which field a connector stands for, and how long it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from imsperf.layouts.smf110_1 import DICTIONARY
from imsperf.parsers import cics_records
from imsperf.parsers.cics_records import Heads, expanded, monitoring, read_heads
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I64
from imsperf.parsers.problems import Problem

NONE = -1  # no dictionary

_LEAST_ENTRY = DICTIONARY.named("cmodconn").end  # bytes of an entry that name and measure a field
_LEAST_OFFSET = 44  # no entry stands in the header


@dataclass(frozen=True)
class Entry:
    """One field of performance records."""

    group: str
    type: str
    number: str
    nickname: str
    length: int

    def __str__(self) -> str:
        return f"{self.group} {self.type}{self.number} {self.nickname}"


@dataclass(frozen=True)
class Dictionary:
    """The entries of one dictionary record by connector; none where it was damaged."""

    number: int
    entries: dict[int, Entry]


@dataclass
class Dictionaries:
    """All dictionaries of a file by region: system id, generic and specific APPLID."""

    code_page: str
    problems: list[Problem] = field(default_factory=list)
    all: list[Dictionary] = field(default_factory=list)
    _regions: dict[bytes, list[int]] = field(default_factory=dict)
    _known: dict[bytes, tuple[I64, I64]] = field(default_factory=dict)

    def scan(self, parts: Iterable[Part]) -> None:
        """Find the dictionary records of a file. One step for each."""
        decoder = Decoder(DICTIONARY.fields, self.code_page)
        for part in parts:
            some = monitoring(part)
            some = some.take(read_heads(some).kind == cics_records.DICTIONARY)
            if not len(some.start):
                continue
            for piece in expanded(some):
                head = read_heads(piece.part)
                regions = head.regions(piece.part)
                for row in range(len(piece.part.start)):
                    entries = (
                        {} if piece.failed[row] else self._entries(piece.part, head, row, decoder)
                    )
                    self._regions.setdefault(regions[row].tobytes(), []).append(len(self.all))
                    self.all.append(Dictionary(int(piece.part.number[row]), entries))
        for region, rows in self._regions.items():
            number = np.array([self.all[row].number for row in rows], np.int64)
            order = np.argsort(number)
            self._known[region] = number[order], np.array(rows, np.int64)[order]

    def find(self, regions: Sequence[bytes], code: I64, number: I64) -> tuple[I64, Any]:
        """The dictionary of each record, and whether it is one that comes after the record.

        `code` is the region of a record. The last dictionary before a record counts. Where there
        is none, the first one after it: the caller must see whether it fits.
        """
        which, later = np.full(len(code), NONE, np.int64), np.zeros(len(code), np.bool_)
        for label in np.unique(code).tolist():
            if regions[label] in self._known:
                numbers, places = self._known[regions[label]]
                rows = np.flatnonzero(code == label)
                before = np.searchsorted(numbers, number[rows])
                which[rows], later[rows] = places[np.maximum(before - 1, 0)], before == 0
        return which, later

    def _entries(self, part: Part, head: Heads, row: int, decoder: Decoder) -> dict[int, Entry]:
        """The entries of a dictionary record; what is wrong with them becomes problems."""
        first, size, count = (int(x[row]) for x in (head.data, head.size, head.count))
        end, length = first + size * count, int(part.length[row])
        if first < _LEAST_OFFSET or end > length or size < _LEAST_ENTRY or not count:
            detail = (
                f"dictionary: found {count:,} entries of {size} bytes at +{first}, which end at "
                f"+{end} of a record of {length} bytes, expected entries of {DICTIONARY.length} "
                "bytes inside it; it is not used, nor is one before it for the records after it"
            )
            self._report(part, row, detail)
            return {}
        starts = part.start[row] + first + size * np.arange(count)
        rows = decoder.decode(part.buffer, starts, np.full(count, size, np.int32)).batch.to_pylist()
        return self._checked(part, row, first, size, rows)

    def _checked(
        self, part: Part, row: int, first: int, size: int, rows: list[dict[str, Any]]
    ) -> dict[int, Entry]:
        checked: dict[int, Entry] = {}
        bad = []
        for number, cells in enumerate(rows):
            entry = Entry(
                cells["cmodname"], cells["cmodtype"], cells["cmodidnt"], cells["cmodhead"] or "",
                cells["cmodleng"],
            )  # fmt: skip
            if not entry.length or cells["cmodconn"] in checked:
                what = "length 0" if not entry.length else f"connector {cells['cmodconn']} again"
                bad.append(f"entry {number + 1} at +{first + number * size}, {entry}: {what}")
            if cells["cmodconn"] not in checked:
                checked[cells["cmodconn"]] = entry
        if bad:
            more = f"; so in {len(bad) - 1:,} more entries" if len(bad) > 1 else ""
            self._report(part, row, f"dictionary: {bad[0]}; the field is left out{more}")
        return checked

    def _report(self, part: Part, row: int, detail: str) -> None:
        number, place = int(part.number[row]), int(part.place[row])
        self.problems.append(
            Problem(number, place, 0, "110", "1", "error", "bad_dictionary", detail)
        )
