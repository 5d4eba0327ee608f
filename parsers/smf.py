"""SMF records to tables: group by type and subtype, follow triplets, decode, keep the rest raw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.kinds import centisec, date, flags1, text
from imsperf.layout import Field, Section
from imsperf.parsers import census, locate
from imsperf.parsers.cics import Layout, PerformanceReader
from imsperf.parsers.compiled import I32, I64
from imsperf.parsers.decode import Decoder
from imsperf.parsers.devices import DeviceCheck
from imsperf.parsers.framing import Part
from imsperf.parsers.problems import Problem
from imsperf.parsers.reassembly import Reassembly, Whole
from imsperf.parsers.rows import (
    Batch,
    InvalidValues,
    Runs,
    Target,
    keys,
    raw_batch,
    short_records,
)
from imsperf.parsers.sections import Placed, first_sections, place_sections
from imsperf.parsers.versions import by_layout
from imsperf.record import Part as SectionPart
from imsperf.record import Record

_DAY_US = 86_400_000_000
_HEADER_BYTES = 24  # of a record with subtypes

# Standard SMF record header; offsets count the RDW.
_TIME, _DATE = Field(6, "time", centisec, "of the record"), Field(10, "date", date, "of the record")
_SYSTEM = Field(14, "system", text(4), "SMF system id")
_HEADER = (
    Field(4, "flags", flags1, "System indicator flags"),
    _TIME,
    _DATE,
    _SYSTEM,
    Field(18, "subsystem", text(4), "Subsystem id"),
)

Kind = tuple[int | None, int | None]  # type and subtype; None where the record has none


def kind_of(key: int) -> Kind:
    """Type and subtype in a key of locate.smf_keys."""
    if key == locate.NO_HEADER:
        return None, None
    subtype = key & 0xFFFF if key & locate.HAS_SUBTYPE else None
    return key >> locate.TYPE_BITS & 0x7FFF, subtype


def system_of(key: int, code_page: str) -> str | None:
    """The SMF system id in a key."""
    if key == locate.NO_HEADER:
        return None
    four = np.frombuffer((key >> locate.SYSTEM_BITS & 0xFFFFFFFF).to_bytes(4, "big"), np.uint8)
    name = Decoder([Field(0, "system", text(4), "id")], code_page).decode(four, [0], [4])
    return str(name.batch.column(0)[0].as_py())


def labels(kind: Kind) -> tuple[str | None, str | None]:
    """Type and subtype as the ledger shows them: decimal text."""
    return tuple(None if one is None else str(one) for one in kind)  # type: ignore[return-value]


@dataclass(frozen=True)
class Headers:
    """What the headers of a part say; `time` is local, in microseconds since 1970."""

    key: I64
    form: I32
    time: I64


class HeaderReader:
    """Reads the headers of all records of a part."""

    def __init__(self) -> None:
        self._clock = Decoder([_TIME, _DATE])

    def read(self, part: Part) -> Headers:
        """Keys, header lengths and times."""
        key, form = np.empty(len(part.start), np.int64), np.empty(len(part.start), np.int32)
        locate.smf_keys(part.buffer, part.start, part.length, key, form)
        found = self._clock.decode(part.buffer, part.start, form).batch
        time = found.column(0).cast(pa.int64())
        day = found.column(1).cast(pa.int32()).cast(pa.int64())
        us = pc.fill_null(pc.add(pc.multiply(day, _DAY_US), time), census.NO_TIME)
        return Headers(key, form, us.to_numpy())


class RecordReader:
    """Reads the records of one type and subtype into the tables of its layout."""

    def __init__(
        self,
        record: Record,
        file_id: int,
        code_page: str,
        dump: Callable[[], Iterable[Part]] = tuple,
    ) -> None:
        """`dump` gives the whole file again, for what must be known before its records are read."""
        self.record, self.file_id = record, file_id
        self.problems: list[Problem] = []
        self.reassembly = Reassembly(record)
        self.tables = [Target.of(table) for table in record.tables()]
        self._triplets = [part for part in record.parts if part.in_header]
        self.places = np.array([part.at for part in self._triplets], dtype=np.int64)
        self.least = np.array([part.least for part in self._triplets], dtype=np.int64)
        self._decoders = [Decoder(one.fields, code_page) for one in record.sections]
        self._system = Decoder([_SYSTEM], code_page)
        tables = [one for one in record.sections if one.by_dictionary]
        self._cics = PerformanceReader(tables[0], code_page, dump) if tables else None
        if span := record.interval:
            named = [(span.named_in or span.section).named(span.system)] if span.system else []
            self._name = Decoder(named, code_page)
            clocks = [name for name in (span.date, span.start, span.length) if name]
            self._span = Decoder([span.section.named(name) for name in clocks])

    def read(
        self,
        part: Part,
        form: I32,
        extent: I32,
        invalid: InvalidValues,
        devices: DeviceCheck,
        headers: Part | None = None,
    ) -> Iterator[Batch]:
        """Batches of every table; the triplets have been checked. `form` is the header's length.

        `headers`: where the headers stand, if not in the records themselves.
        """
        placed = place_sections(self.record, part, extent)
        self.problems += placed.problems
        subject = self._subject(placed, form)
        first = headers or part
        header = self._decoders[0].decode(first.buffer, first.start, extent)
        invalid.add(self.tables[0].name, header, part.number, part.place)
        own = keys(self.file_id, part.number, place=part.place)
        yield self.tables[0].batch([*own, *subject, *header.batch.columns])
        for at, table in enumerate(self.tables[1:], 1):
            for run, parents, decoder in self._runs(placed, at):
                number = part.number[run.record]
                found = decoder.decode(part.buffer, run.start, run.length)
                invalid.add(table.name, found, number, part.place[run.record])
                about = _take(subject, run.record, len(part.start))
                own = [*keys(self.file_id, number, run.section), *parents]
                made = table.batch([*own, *about, *found.batch.columns])
                numbers = {name: one.number for name, one in placed.runs.items()}
                devices.add(made, run.record, numbers, part)
                yield made

    def _runs(
        self, placed: Placed, at: int
    ) -> Iterator[tuple[Runs, list[pa.Array], Decoder | Layout]]:
        """The sections of a table, the numbers of their parents, and what decodes them."""
        section = self.record.sections[at]
        run, parents = placed.runs[section.table], placed.parents[section.table]
        if not len(run.record):
            return
        if self._cics is None or section is not self._cics.section:
            yield run, parents, self._decoders[at]
            return
        for some, rows, layout in self._cics.split(placed.part, run):
            yield some, [one.take(pa.array(rows)) for one in parents], layout

    def sections_of(self, placed: Placed) -> Iterator[tuple[Section, Runs]]:
        """The sections but the header, with the fields that they have in these records."""
        for at, section in enumerate(self.record.sections[1:], 1):
            for run, _, how in self._runs(placed, at):
                yield (how.placed if isinstance(how, Layout) else section), run

    def pieces(self, part: Part) -> Iterator[tuple[Any, Part]]:
        """The records as they are read, some at a time: which of them, and where they stand."""
        return iter([(slice(None), part)]) if self._cics is None else self._cics.pieces(part)

    def unreadable(self, part: Part, bad: Any) -> Any:
        """Mask of the records to be kept raw: `bad`, and CICS data that nothing explains."""
        return bad if self._cics is None else self._cics.check(part, bad)

    def finish(self) -> None:
        """Add the problems that only the whole file can show."""
        self.problems += self._cics.finish() if self._cics else []

    def check(self, part: Part) -> tuple[Any, I32, list[Problem]]:
        """Records whose sections do not fit in them (mask), where headers end, problems."""
        rows = len(part.start)
        extent, fault = np.empty(rows, np.int32), np.empty(rows, np.int32)
        ends = np.empty(rows, np.int64)
        locate.check_triplets(
            part.buffer, part.start, part.length, self.places, self.least, extent, fault, ends
        )
        bad = np.flatnonzero(fault >= 0)
        problems = [self._fault(part, row, int(fault[row]), int(ends[row])) for row in bad.tolist()]
        return fault >= 0, extent, problems

    def _fault(self, part: Part, row: int, triplet: int, end: int) -> Problem:
        length, one = int(part.length[row]), self._triplets[triplet]
        words, reason = _words(one), "section_past_end"
        detail = f"{words} section would end at +{end}, but the record is {length} bytes long"
        if end < 0:
            other, reason = self._triplets[-1 - end], "sections_overlap"
            detail = f"triplet at +{one.at}: found {words} sections that overlap {_words(other)}"
        elif end <= length:
            detail = (
                f"triplet at +{one.at}: found a {words} section before the end of the header "
                "or shorter than its first field"
            )
        return Problem(
            int(part.number[row]), int(part.place[row]), length,
            *labels((self.record.type, self.record.subtype)), "error", reason, detail,
        )  # fmt: skip

    def _subject(self, placed: Placed, form: I32) -> list[pa.Array]:
        """System, interval start and interval end of each record."""
        part, span = placed.part, self.record.interval
        system = self._system.decode(part.buffer, part.start, form).batch.column(0)
        nothing = pa.nulls(len(part.start), pa.timestamp("us"))
        if span is None:
            return [system, nothing, nothing]
        every = np.arange(len(part.start))
        if span.system:
            where = first_sections(placed, span.named_in or span.section, every)
            named = self._name.decode(part.buffer, *where).batch.column(0)
            system = pc.if_else(pc.not_equal(pc.fill_null(named, ""), ""), named, system)
        where = first_sections(placed, span.section, every)
        clocks = self._span.decode(part.buffer, *where).batch.columns
        if not clocks:
            return [system, nothing, nothing]
        time = clocks[1].cast(pa.int64()).cast(pa.duration("us"))
        begin = pc.add(clocks[0].cast(pa.timestamp("us")), time)
        return [system, begin, pc.add(begin, clocks[2]) if span.length else nothing]


def _words(part: SectionPart) -> str:
    return part.section.table.split("_", 2)[-1].replace("_", " ")


def _take(columns: list[pa.Array], record: I64, records: int) -> list[pa.Array]:
    """Columns of the records, repeated for their sections."""
    if len(record) == records and record[-1] == records - 1 and (np.diff(record) == 1).all():
        return columns
    rows = pa.array(record)
    return [one.take(rows) for one in columns]


class SmfReader:
    """Reads all records of a file; the census and the problems grow as the batches are taken."""

    kind = "smf"

    def __init__(
        self, file_id: int, code_page: str, body: bool, dump: Callable[[], Iterable[Part]]
    ) -> None:
        self.file_id, self.code_page, self.body, self._dump = file_id, code_page, body, dump
        self.census, self.problems = census.Census(), list[Problem]()
        self._headers, self._raw = HeaderReader(), Decoder(_HEADER, code_page)
        self._readers: dict[tuple[Kind, str], RecordReader] = {}
        self._invalid, self._devices = InvalidValues(), DeviceCheck()

    def look(self, part: Part) -> tuple[Headers, census.Groups]:
        """Count the records of a part."""
        headers = self._headers.read(part)
        groups = census.group(headers.key)
        self.census.add(groups, part.length, headers.time)
        self.problems += short_records(part, headers.key == locate.NO_HEADER, 18)
        return headers, groups

    def read(self, part: Part) -> Iterator[Batch]:
        """Batches of the records of a part."""
        headers, groups = self.look(part)
        by_kind: dict[Kind, list[I64]] = {}
        for number, key in enumerate(groups.keys):
            by_kind.setdefault(kind_of(key), []).append(groups.rows(number))
        raw = list[I64]()
        for kind, some in by_kind.items():
            rows = some[0] if len(some) == 1 else np.sort(np.concatenate(some))
            for record, mine in by_layout(*kind, part.take(rows)):
                if record is None:
                    raw.append(rows[mine])
                    continue
                reader = self._reader(kind, record)
                yield from self._decoded(reader, part, headers, rows[mine], raw)
        yield from self._kept(part, headers, np.sort(np.concatenate(raw)) if raw else [])

    def _decoded(
        self, reader: RecordReader, part: Part, headers: Headers, rows: I64, raw: list[I64]
    ) -> Iterator[Batch]:
        """Batches of records of one layout; those that do not fit it are added to `raw`."""
        for which, piece in reader.pieces(part.take(rows)):
            bad, extent, problems = reader.check(piece)
            self.problems += problems
            bad = reader.unreadable(piece, bad)
            raw.append(rows[which][bad])
            some = rows[which][~bad]
            if len(some):
                self._count(headers.key[some])
                form = headers.form[some]
                yield from self._read(reader, piece.take(~bad), form, extent[~bad])

    def _read(self, reader: RecordReader, part: Part, form: I32, extent: I32) -> Iterator[Batch]:
        """Batches of records of one kind: those that stand alone, and those now complete."""
        broken = reader.reassembly.broken(part, extent)
        if broken.any():
            for whole in reader.reassembly.add(part.take(broken)):
                yield from self._whole(reader, whole)
            broken[np.flatnonzero(broken)[reader.reassembly.rejected]] = False
            part, form, extent = part.take(~broken), form[~broken], extent[~broken]
        if len(part.start):
            yield from reader.read(part, form, extent, self._invalid, self._devices)
        self._take_problems(reader)

    def _whole(self, reader: RecordReader, whole: Whole) -> Iterator[Batch]:
        """Batches of one record made of pieces; its header row is that of the first piece."""
        _, extent, problems = reader.check(whole.record)
        self.problems += problems
        if not problems:
            form = np.full(1, _HEADER_BYTES, np.int32)
            yield from reader.read(
                whole.record, form, extent, self._invalid, self._devices, whole.first
            )

    def rest(self) -> Iterator[Batch]:
        """Batches of broken records of which pieces are missing; after the last part."""
        for reader in self._readers.values():
            for whole in reader.reassembly.finish():
                yield from self._whole(reader, whole)
            reader.finish()
            self._take_problems(reader)

    def _take_problems(self, reader: RecordReader) -> None:
        for some in (reader.problems, reader.reassembly.problems):
            self.problems += some
            some.clear()

    def finish(self) -> None:
        """Add the problems that only the whole file can show."""
        tables = {
            table.name: labels(kind)
            for (kind, _), reader in self._readers.items()
            for table in reader.tables
        }
        self.problems += [*self._invalid.problems(tables), *self._devices.problems()]

    def counts(self) -> Iterator[tuple[str | None, str | None, str | None, census.Tally]]:
        """System, type and subtype, and their tally."""
        for key, tally in self.census.tallies.items():
            yield system_of(key, self.code_page), *labels(kind_of(key)), tally

    def _reader(self, kind: Kind, record: Record) -> RecordReader:
        key = kind, record.header.table
        if key not in self._readers:
            self._readers[key] = RecordReader(record, self.file_id, self.code_page, self._dump)
        return self._readers[key]

    def _count(self, keys_read: I64) -> None:
        for key, count in zip(*np.unique(keys_read, return_counts=True), strict=True):
            self.census.tallies[int(key)].loaded += int(count)

    def _kept(self, part: Part, headers: Headers, rows: Any) -> Iterator[Batch]:
        """Rows of smf_raw: records without a layout, or whose sections do not fit in them."""
        if not len(rows):
            return
        some, key = part.take(rows), headers.key[rows]
        have = np.minimum(headers.form[rows], 24)
        found = self._raw.decode(some.buffer, some.start, have).batch
        columns = dict(zip(found.schema.names, found.columns, strict=True))
        none = key == locate.NO_HEADER
        columns["type"] = pa.array((key >> locate.TYPE_BITS & 0x7FFF).astype(np.uint16), mask=none)
        columns["subtype"] = pa.array(
            (key & 0xFFFF).astype(np.uint16), mask=none | (key & locate.HAS_SUBTYPE == 0)
        )
        yield raw_batch("smf_raw", self.file_id, some, columns, self.body)
