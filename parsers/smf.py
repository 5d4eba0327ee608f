"""SMF records to tables: decode those with a layout, kind by kind, keep the rest raw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from imsperf.layouts import smf_layouts
from imsperf.layouts.smf import SHORT_HEADER
from imsperf.parsers import census, cics_records
from imsperf.parsers.devices import DeviceCheck
from imsperf.parsers.evidence import zeros
from imsperf.parsers.evidence.verdict import LOADED, Fate, Mask
from imsperf.parsers.framing.frames import PART_BYTES, Gathered, Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.merging import RangeState, RecordState
from imsperf.parsers.problems import Problem
from imsperf.parsers.reassembly import Whole
from imsperf.parsers.rows import (
    Batch,
    InvalidValues,
    hash_batch,
    raw_batch,
    short_records,
)
from imsperf.parsers.selection import EVERY_RECORD, Keep
from imsperf.parsers.smf_headers import (
    HEADER,
    Headers,
    Kind,
    kind_of,
    labels,
    read_headers,
    subsystems,
    system_of,
)
from imsperf.parsers.smf_records import RecordReader
from imsperf.parsers.versions import by_layout
from imsperf.record import Record

_HEADER_BYTES = 24  # of a record with subtypes


class SmfReader:
    """Reads all records of a file; the census and the problems grow as the batches are taken."""

    kind = "smf"

    def __init__(
        self,
        file_id: int,
        code_page: str,
        body: bool,
        dump: Callable[[], Iterable[Part]],
        keep: Keep = EVERY_RECORD,
        fate: Fate = LOADED,
        is_range: bool = False,
        most: int | None = None,
    ) -> None:
        """`dump` gives the whole file, or of it the records that say how others are read.

        `is_range`: the headers of all records were looked at by another reader. `most`: bytes of
        records of one layout that are decoded at a time, about; None: those of a part.
        """
        self._most = most
        self._fate, self._is_range = fate, is_range
        self.is_sure = True  # nothing that was absorbed would be read otherwise in the whole file
        self.file_id, self.code_page, self.body, self._dump = file_id, code_page, body, dump
        self._keep, self.kept, self.repeated = keep, 0, 0  # records added, and there already
        self.census, self.problems = census.Census(), list[Problem]()
        self._raw = Decoder(HEADER, code_page)
        self._few = Gathered(PART_BYTES["smf"] // 2)
        self._readers: dict[tuple[Kind, str], RecordReader] = {}
        self._invalid, self._devices = InvalidValues(), DeviceCheck()
        self._is_torn = False  # segments of two records were joined

    def look(self, part: Part) -> tuple[Headers, census.Groups]:
        """Count the records of a part."""
        headers = read_headers(part)
        groups = census.group(headers.key)
        self.census.add(groups, part.length, headers.time)
        if not self._is_range:
            self.problems += short_records(part, headers.key == locate.NO_HEADER, 18)
        return headers, groups

    def survey(self, part: Part) -> None:
        """Count the records of a part, and who wrote them."""
        headers, groups = self.look(part)
        for number, key in enumerate(groups.keys):
            rows = groups.rows(number)
            named = rows[headers.form[rows] > SHORT_HEADER]
            self.census.tallies[key].subsystems |= subsystems(part, named)

    def read(self, part: Part) -> Iterator[Batch]:
        """Batches of the records of a part that are wanted."""
        headers, groups = self.look(part)
        if self._keep:
            is_wanted, repeated = self._wanted(part, headers, groups)
            self.repeated += repeated
            for some in self._few.add(part.take(is_wanted)):
                yield from self._read_again(some)
        else:
            yield from self._rows(part, headers, groups)

    def _read_again(self, part: Part) -> Iterator[Batch]:
        headers = read_headers(part)
        yield from self._rows(part, headers, census.group(headers.key))

    def _rows(self, part: Part, headers: Headers, groups: census.Groups) -> Iterator[Batch]:
        self.kept += len(part.start)
        if self._keep.hashes and len(part.start):
            yield hash_batch(self.file_id, part)
        raw = list[I64]()
        for reader, rows, some in self._to_check(part, groups):
            if reader is None:
                raw.append(rows)
                self._weigh_raw(part, headers, rows)
            elif reader.is_wanted or self._keep.counts or "smf_raw" in self._keep:
                yield from self._decoded(reader, some, headers, rows, raw)
        if "smf_raw" in self._keep:
            yield from self._kept(part, headers, np.sort(np.concatenate(raw)) if raw else [])

    def _weigh_raw(self, part: Part, headers: Headers, rows: I64) -> Mask:
        """Mask of the records without a layout that are not admitted: zeros in them, each kind by
        itself."""
        refused = np.zeros(len(rows), np.bool_)
        if len(part.zeros.runs):
            for key in np.unique(headers.key[rows]).tolist():
                mine = headers.key[rows] == key
                some, about = part.take(rows[mine]), labels(kind_of(key))
                refused[mine], problems = zeros.of_free_records(some, about, self._fate)
                self.problems += problems
        return refused

    def refused(self, part: Part) -> Mask:
        """Mask of records that are not to be passed on: what a load would not decode because
        something in them or about them speaks against it. Each one is a problem."""
        headers = read_headers(part)
        refused = np.zeros(len(part.start), np.bool_)
        for reader, rows, mine in self._to_check(part, census.group(headers.key)):
            if reader is None:
                refused[rows] = self._weigh_raw(part, headers, rows)
            else:
                for which, piece in reader.pieces(mine):
                    some = rows[which]
                    time = headers.time[some]
                    refused[some], _, problems = reader.check(piece, time, self._is_torn)
                    self.problems += problems
        return refused

    def _to_check(
        self, part: Part, groups: census.Groups
    ) -> Iterable[tuple[RecordReader | None, I64, Part]]:
        """The records by the reader that knows their layout. Where they were put together from
        segments, all are looked at first: one that fits no sections says that segments of two were
        joined, and that is evidence for others."""
        mine = ((reader, rows, part.take(rows)) for reader, rows in self._by_reader(part, groups))
        if not part.is_spanned:
            return mine
        kinds = list(mine)
        for reader, _, some in kinds:
            self._is_torn |= reader is not None and reader.is_torn(some)
        return kinds

    def chosen(self, part: Part) -> tuple[Any, Any]:
        """Masks of the records that are wanted, and of those that say how others are read."""
        headers, groups = self.look(part)
        is_wanted, _ = self._wanted(part, headers, groups)
        untimed = replace(self._keep.selection, start=None, end=None)
        context = cics_records.dictionaries(part)
        if context.any():  # those of systems that are wanted, of any time
            every = np.zeros(len(context), np.int64)
            same, _ = Keep(untimed).mask(self.kind, part.number, groups, every, self._named)
            context &= same
        return is_wanted, context

    def _by_reader(
        self, part: Part, groups: census.Groups
    ) -> Iterator[tuple[RecordReader | None, I64]]:
        """The records by the reader that knows their layout; None: those without one."""
        by_kind: dict[Kind, list[I64]] = {}
        for number, key in enumerate(groups.keys):
            by_kind.setdefault(kind_of(key), []).append(groups.rows(number))
        for kind, some in by_kind.items():
            rows = some[0] if len(some) == 1 else np.sort(np.concatenate(some))
            for record, mine in by_layout(*kind, part.take(rows)):
                yield self._reader(kind, record) if record else None, rows[mine]

    def _wanted(self, part: Part, headers: Headers, groups: census.Groups) -> tuple[Any, int]:
        """What Keep.mask gives; the time of an interval record is when it begins."""
        time = headers.time
        if self._keep.selection.is_timed:
            time = time.copy()
            for reader, rows in self._by_reader(part, groups):
                if reader is not None and reader.record.interval is not None:
                    bad, extent, _ = reader.check(part.take(rows))
                    good = rows[~bad]
                    begin = reader.begins(part.take(good), extent[~bad])
                    time[good] = np.where(begin == census.NO_TIME, time[good], begin)
        return self._keep.mask(self.kind, part.number, groups, time, self._named)

    def _decoded(
        self, reader: RecordReader, part: Part, headers: Headers, rows: I64, raw: list[I64]
    ) -> Iterator[Batch]:
        """Batches of records of one layout, `rows` of all that were read at once; those that do not
        fit it are added to `raw`."""
        for which, piece in reader.pieces(part, self._most):
            time = headers.time[rows][which]
            bad, extent, problems = reader.check(piece, time, self._is_torn)
            self.problems += problems
            bad = reader.unreadable(piece, bad)
            raw.append(rows[which][bad])
            some, extent = rows[which][~bad], extent[~bad]
            form = headers.form[some]
            good = piece.take(~bad) if bad.any() else piece
            if self._keep.about and len(some):
                mine = reader.is_about(good, form, extent, self._keep.about)
                if not mine.all():
                    some, form, extent, good = some[mine], form[mine], extent[mine], good.take(mine)
            if len(some):
                self._count(headers.key[some])
                yield from self._read(reader, good, form, extent)

    def _read(self, reader: RecordReader, part: Part, form: I32, extent: I32) -> Iterator[Batch]:
        """Batches of records of one kind: those that stand alone, and those now complete."""
        broken = reader.reassembly.broken(part, extent)
        if broken.any():
            for joined in reader.reassembly.add(part.take(broken)):
                yield from self._whole(reader, joined)
            broken[np.flatnonzero(broken)[reader.reassembly.rejected]] = False
            part, form, extent = part.take(~broken), form[~broken], extent[~broken]
        if len(part.start):
            yield from reader.read(part, form, extent, self._invalid, self._devices)
        self._take_problems(reader)

    def _whole(self, reader: RecordReader, joined: Whole) -> Iterator[Batch]:
        """Batches of one record made of pieces; its header row is that of the first piece. Where
        it is not admitted, the pieces are kept as they are."""
        bad, extent, problems = reader.check(joined.record)
        self.problems += problems
        if bad.any():
            for piece in joined.pieces if "smf_raw" in self._keep else ():
                yield from self._kept(piece, read_headers(piece), np.zeros(1, np.int64))
        else:
            form = np.full(1, _HEADER_BYTES, np.int32)
            yield from reader.read(
                joined.record, form, extent, self._invalid, self._devices, joined.first
            )

    def gathered(self) -> Iterator[Batch]:
        """Batches of records that wait to be read with others."""
        for part in self._few.rest():
            yield from self._read_again(part)

    @property
    def state(self) -> RangeState:
        """What is left for the whole file when a range of it was read, gathered records too."""
        loaded = {key: tally.loaded for key, tally in self.census.tallies.items() if tally.loaded}
        records: dict[Any, RecordState | None] = {
            (kind, table): reader.state for (kind, table), reader in self._readers.items()
        }
        devices = self._devices.summed()
        at_odds = any(reader.at_odds for reader in self._readers.values())
        return RangeState(
            self.kept, self.repeated, loaded, self.problems, self._invalid, devices, records,
            self._is_torn, bool(self._keep) and (at_odds or self._few.may_depend),
        )  # fmt: skip

    def absorb(self, more: RangeState) -> Iterator[Batch]:
        """Take in what the next range left, after `look` at all records: batches of the records
        that its pieces complete."""
        self.kept += more.kept
        self.repeated += more.repeated
        for key, count in more.loaded.items():
            self.census.tallies[key].loaded += count
        self.problems += more.problems
        for (kind, table), state in more.records.items():
            assert state is not None  # as in a log, where a record has no layout
            layouts = smf_layouts(*kind)
            record = next(one for one in layouts if one.header.table == table)
            reader = self._reader(kind, record)
            before = reader.at_odds
            joined, is_sure = reader.absorb(state, self._is_torn)
            after = reader.at_odds
            for one in joined:
                yield from self._whole(reader, one)
            self._take_problems(reader)
            self.is_sure &= is_sure and (before == after == reader.at_odds or not joined)
        self._is_torn |= more.is_torn
        self._invalid.absorb(more.invalid)
        if more.devices is not None:
            self._devices.absorb(more.devices)

    def rest(self) -> Iterator[Batch]:
        """What waits when the last part was read: records, and pieces of broken ones."""
        yield from self.gathered()
        for reader in self._readers.values():
            for joined in reader.reassembly.finish():
                yield from self._whole(reader, joined)
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

    def _named(self, key: int) -> tuple[str | None, tuple[str | None, str | None]]:
        return system_of(key, self.code_page), labels(kind_of(key))

    def _reader(self, kind: Kind, record: Record) -> RecordReader:
        key = kind, record.header.table
        if key not in self._readers:
            columns = self._keep.columns
            self._readers[key] = RecordReader(
                record, self.file_id, self.code_page, self._dump, self._fate, columns
            )
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
        decoded = self._raw.decode(some.buffer, some.start, have).batch
        columns = dict(zip(decoded.schema.names, decoded.columns, strict=True))
        none = key == locate.NO_HEADER
        columns["type"] = pa.array((key >> locate.TYPE_BITS & 0x7FFF).astype(np.uint16), mask=none)
        columns["subtype"] = pa.array(
            (key & 0xFFFF).astype(np.uint16), mask=none | (key & locate.HAS_SUBTYPE == 0)
        )
        yield raw_batch("smf_raw", self.file_id, some, columns, self.body)
