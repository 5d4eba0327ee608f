"""Entries of IMS log records: where they stand, their rows, and what else they are.

An entry is a row of its own table. Where the record's fields say what its entries are, and a
variant describes that, it is a row of the variant's table too, with the same number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from imsperf.kinds import codepage
from imsperf.layout import Section
from imsperf.layouts.profile import Profile
from imsperf.parsers.fill import SectionReader, Subject
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Batch, Columns, InvalidValues, Runs, spread
from imsperf.record import Entries, LogRecord, Variant

SUFFIX = 16  # bytes at the end of a record: STCK, log sequence number
_MOST_FAULTS = 1000  # records named one by one; more are counted in one problem
_MOST_KINDS = 20  # of unknown entries, named


@dataclass
class EntryBatch:
    """Entries of the records of a part, and the numbers in both that say what an entry is."""

    part: Part
    run: Runs
    _of_record: dict[str, I64] = field(default_factory=dict)
    _of_entry: dict[int, I64] = field(default_factory=dict)

    def of_record(self, record: LogRecord, name: str) -> I64:
        """A field of each record as a number."""
        if name not in self._of_record:
            field, part = record.section.named(name), self.part
            length = part.length - SUFFIX
            self._of_record[name] = _numbers(
                part, part.start, length, field.offset, field.kind.width
            )
        return self._of_record[name]

    def of_entry(self, width: int) -> I64:
        """The first bytes of each entry as a number."""
        if width not in self._of_entry:
            start, length = self.run.start, self.run.length
            self._of_entry[width] = _numbers(self.part, start, length, 0, width)
        return self._of_entry[width]


class EntryReader:
    """Reads the entries of one layout into the tables that they and their variants fill."""

    def __init__(
        self,
        record: LogRecord,
        entries: Entries,
        profile: Profile,
        file_id: int,
        code_page: str,
        columns: Columns | None = None,
    ) -> None:
        self._record, self._entries, self._how = record, entries, _how(entries)
        self._letters = codepage(code_page)
        self._entry = SectionReader(entries.section, profile, file_id, code_page, columns)
        self._variants = [
            (variant, SectionReader(variant.section, profile, file_id, code_page, columns))
            for variant in entries.variants
        ]
        readers = [self._entry, *(reader for _, reader in self._variants)]
        self.tables = [target.name for reader in readers for target in reader.targets]
        self._kinds = [
            _wanted(record, variant)
            for variant in entries.variants
            if variant.field == entries.kinds
        ]
        self._unknown, self._faults = Counter[int](), 0

    def faults(self, part: Part) -> tuple[Any, list[Problem]]:
        """Mask of the records whose entries do not fit in them, and a problem for each."""
        *_, fault, ends = self._places(part)
        bad = np.flatnonzero(fault >= 0)
        named = bad[: max(0, _MOST_FAULTS - self._faults)].tolist()
        self._faults += len(bad)
        return fault >= 0, [self._fault(part, row, fault[row], int(ends[row])) for row in named]

    def read(self, part: Part, suffix: pa.RecordBatch, invalid: InvalidValues) -> Iterator[Batch]:
        """Batches of the tables that entries fill; those of all the records fit."""
        entries = EntryBatch(part, self._runs(part))
        run = entries.run
        if not len(run.record):
            return
        self._count_unknown(entries)
        yield from _read(self._entry, entries, slice(None), 0, suffix, invalid)
        for variant, reader in self._variants:
            if not reader.targets:
                continue
            rows = self._rows(entries, variant)
            if len(rows):
                yield from _read(reader, entries, rows, variant.inside, suffix, invalid)

    def place(self, part: Part) -> Iterator[tuple[Section, Runs]]:
        """Where the entries of sound records stand, and those that variants describe."""
        entries = EntryBatch(part, self._runs(part))
        run = entries.run
        yield self._entries.section, run
        for variant, _ in self._variants:
            rows = self._rows(entries, variant)
            record, start = run.record[rows], run.start[rows] + variant.inside
            length = (run.length[rows] - variant.inside).astype(np.int32)
            number = np.bincount(record, minlength=len(part.start)).astype(np.int64)
            yield variant.section, Runs(number, record, start, length, run.section[rows])

    def finish(self) -> Iterator[Problem]:
        """What only the whole file can tell: records not named, entries that nothing decodes."""
        about = self._label()
        if self._faults > _MOST_FAULTS:
            detail = f"found {self._faults - _MOST_FAULTS:,} more records whose entries do not fit"
            yield Problem(None, 0, 0, *about, "error", "section_past_end", detail)
        if self._unknown:
            most = sorted(self._unknown.items(), key=lambda tally: (-tally[1], tally[0]))[
                :_MOST_KINDS
            ]
            names = (f"{self._text(code)} {number:,}" for code, number in most)
            more = " .." if len(self._unknown) > _MOST_KINDS else ""
            detail = (
                f"found {self._unknown.total():,} entries of kinds that are not decoded; they are "
                f"in {self._entries.section.table} only; by {self._entries.kinds}: "
                f"{', '.join(names)}{more}"
            )
            yield Problem(None, 0, 0, *about, "info", "unknown_entries", detail)

    @property
    def state(self) -> tuple[Counter[int], int]:
        """Entries of kinds that nothing decodes, and records whose entries do not fit in them."""
        return self._unknown, self._faults

    def absorb(self, unknown: Counter[int], faults: int) -> bool:
        """Count those of a later range; False where it named more records than are named in all."""
        self._unknown.update(unknown)
        self._faults += faults
        return not faults or self._faults <= _MOST_FAULTS

    def _places(self, part: Part) -> tuple[I64, I64, I64, I32, I64]:
        """Offset, size and number of entries in each record, the fault (-1: none), their end."""
        rows = len(part.start)
        offset, size, number, ends = (np.empty(rows, np.int64) for _ in range(4))
        fault = np.empty(rows, np.int32)
        locate.read_entries(
            part.buffer, part.start, part.length - SUFFIX, self._how,
            offset, size, number, fault, ends,
        )  # fmt: skip
        return offset, size, number, fault, ends

    def _runs(self, part: Part) -> Runs:
        """One row per entry."""
        offset, size, number, _, _ = self._places(part)
        if self._entries.more_at is None:
            return spread(part.start, offset, size, number)
        rows = int(number.sum())
        record, begin = np.empty(rows, np.int64), np.empty(rows, np.int64)
        length, section = np.empty(rows, np.int32), np.empty(rows, np.int32)
        locate.spread_entries(
            part.buffer, part.start, offset, size, number, self._entries.more_at,
            record, begin, length, section,
        )  # fmt: skip
        return Runs(number, record, begin, length, section)

    def _rows(self, entries: EntryBatch, variant: Variant) -> I64:
        """The entries that a variant describes."""
        wanted = entries.of_record(self._record, variant.field) == _wanted(self._record, variant)
        mask = wanted[entries.run.record]
        if variant.ids:
            numbers = [int.from_bytes(id_) for id_ in variant.ids]
            mask &= np.isin(entries.of_entry(len(variant.ids[0])), numbers)
        if variant.number is not None:
            mask &= entries.run.section == variant.number
        return np.flatnonzero(mask)

    def _count_unknown(self, entries: EntryBatch) -> None:
        """Count entries of records whose kind has no variant."""
        if not self._entries.kinds:
            return
        kind, number = entries.of_record(self._record, self._entries.kinds), entries.run.number
        other = (number > 0) & ~np.isin(kind, self._kinds)
        kinds, which = np.unique(kind[other], return_inverse=True)
        counts = np.bincount(which, number[other], len(kinds)).astype(np.int64)
        self._unknown.update(dict(zip(kinds.tolist(), counts.tolist(), strict=True)))

    def _text(self, kind: int) -> str:
        """A kind as its field has it: letters, or hex where they are none."""
        data = kind.to_bytes(self._record.section.named(self._entries.kinds).kind.width)
        letters = "".join(chr(self._letters[byte]) for byte in data)
        return letters if letters.isalnum() else f"X'{data.hex().upper()}'"

    def _label(self) -> tuple[str, str | None]:
        subcode = self._record.subcode
        return f"{self._record.code:02X}", None if subcode is None else f"{subcode:02X}"

    def _fault(self, part: Part, row: int, fault: int, end: int) -> Problem:
        length = int(part.length[row])
        detail = {
            locate.PAST_END: (
                f"entries would end at +{end}, but the suffix begins at +{length - SUFFIX}"
            ),
            locate.TOO_SHORT: "found entries shorter than their first field",
            locate.IN_PREFIX: "entries would begin among the fields that say where they are",
        }[int(fault)]
        number, place = int(part.number[row]), int(part.place[row])
        return Problem(number, place, length, *self._label(), "error", "section_past_end", detail)


def _how(entries: Entries) -> I64:
    """How entries stand, for the kernels."""
    how = np.full(locate.HOW_WIDTH, -1, np.int64)
    known = {
        locate.START if isinstance(entries.start, int) else locate.START_AT: (
            entries.start if isinstance(entries.start, int) else entries.start.at
        ),
        locate.COUNT_AT: entries.count_at,
        locate.NUMBER: entries.number,
        locate.LENGTH_AT: entries.length_at,
        locate.SIZE: entries.section.length,
        locate.MORE_AT: entries.more_at,
        locate.LEAST: min((field.end for field in entries.section.fields), default=1),
    }
    for place, value in known.items():
        how[place] = -1 if value is None else value
    return how


def _wanted(record: LogRecord, variant: Variant) -> int:
    """The number that the field of a variant's records has."""
    kind = record.section.named(variant.field).kind
    return int.from_bytes(kind.encode([variant.value]).tobytes())


def _numbers(part: Part, start: I64, length: I32, at: int, width: int) -> I64:
    out = np.empty(len(start), np.int64)
    locate.read_numbers(part.buffer, start, length, at, width, out)
    return out


def _read(
    reader: SectionReader, entries: EntryBatch, rows: Any, inside: int, suffix: pa.RecordBatch,
    invalid: InvalidValues,
) -> Iterator[Batch]:  # fmt: skip
    """Some of the entries, from `inside` bytes on, as rows of the tables they fill."""
    run, part = entries.run, entries.part
    record = run.record[rows]
    columns = suffix.take(pa.array(record)).columns
    about = Subject(part.number[record], part.place[record], columns, run.section[rows])
    start, length = run.start[rows] + inside, run.length[rows] - inside
    yield from reader.read(part.buffer, start, length, about, invalid)
