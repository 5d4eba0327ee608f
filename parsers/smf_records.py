"""SMF records of one type and subtype to tables: follow triplets, check them, decode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.layout import Section
from imsperf.parsers.census import NO_TIME
from imsperf.parsers.cics import Layout, PerformanceReader
from imsperf.parsers.devices import DeviceCheck
from imsperf.parsers.evidence import exchanged, zeros
from imsperf.parsers.evidence.declared import Declared
from imsperf.parsers.evidence.lengths import Ends, Lengths
from imsperf.parsers.evidence.verdict import LOADED, Fate, Mask, settle
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.merging import RecordState
from imsperf.parsers.problems import Problem
from imsperf.parsers.reassembly import Reassembly, Whole
from imsperf.parsers.rows import Batch, Columns, InvalidValues, PerRecord, Runs, Target, keys
from imsperf.parsers.sections import Placed, first_sections, last_ends, place_sections
from imsperf.parsers.selection import Selection
from imsperf.parsers.smf_headers import SYSTEM, IntervalReader, instants, labels
from imsperf.record import Record, SectionPlace

_SUBJECT = ("system", "interval_start", "interval_end")  # columns of every table
_NOTHING = [pa.nulls(0)] * len(_SUBJECT)  # where none of them is wanted
_NO_NAME = pa.scalar("", pa.string())  # Arrow looks for packages where a type is not said
_TRIPLET = 8  # bytes of an offset, a length and a number


@dataclass(frozen=True)
class _Fitted:
    """Records held against their sections: which are `wrong`, where headers end, problems."""

    part: Part
    wrong: Mask
    extent: I32
    problems: list[Problem]


class RecordReader:
    """Reads the records of one type and subtype into the tables of its layout."""

    def __init__(
        self,
        record: Record,
        file_id: int,
        code_page: str,
        dump: Callable[[], Iterable[Part]] = tuple,
        fate: Fate = LOADED,
        columns: Columns | None = None,
    ) -> None:
        """`dump` gives the whole file again, for what must be known before its records are read.

        `fate`: of records that something speaks against. `columns`, by table, are those that are
        wanted; None: all.
        """
        self._fate = fate
        self._lengths, self._declared = Lengths(), Declared(record)
        self.record, self.file_id = record, file_id
        self.problems: list[Problem] = []
        self.reassembly = Reassembly(record)
        self.tables = [Target.of(table, columns) for table in record.tables()]
        self._is_absorbing = False
        self._fitted: _Fitted | None = None  # the part that is checked next
        self._checked: Placed | None = None  # of the part that was checked last, all sound
        self._triplets = [part for part in record.parts if part.in_header]
        self.places = np.array([part.at for part in self._triplets], dtype=np.int64)
        self.least = np.array([part.least for part in self._triplets], dtype=np.int64)
        self._decoders = [
            Decoder(table.fields(section), code_page)
            for section, table in zip(record.sections, self.tables, strict=True)
        ]
        self._system, self._intervals = Decoder([SYSTEM], code_page), IntervalReader(record)
        tables = [section for section in record.sections if section.by_dictionary]
        self._cics = PerformanceReader(tables[0], code_page, dump) if tables else None
        self._is_chained = any(part.next_at is not None for part in record.parts)
        self._is_flat = all(part.in_header for part in record.parts)
        self._points = not tables and any(not part.in_header for part in record.parts)
        if span := record.interval:
            named = [(span.named_in or span.section).named(span.system)] if span.system else []
            self._name = Decoder(named, code_page)

    @property
    def is_wanted(self) -> bool:
        """Whether anything of the records is."""
        return any(self.tables)

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
        placed = self._placed(part, extent)
        self.problems += placed.problems
        for row, why in placed.faults.items():  # of a CICS dictionary; others were checked
            self.problems.append(self._broken(part, row, why, "it is left out"))
        is_about = any(table.has(*_SUBJECT) for table in self.tables)
        subject = PerRecord(self._subject(placed, form) if is_about else _NOTHING)
        if self.tables[0]:
            first = headers or part
            header = self._decoders[0].decode(first.buffer, first.start, extent)
            invalid.add(self.tables[0].name, header, part.number, part.place)
            own = keys(self.file_id, part.number, place=part.place)
            yield self.tables[0].batch([*own, *subject.columns], header)
        for at, table in enumerate(self.tables[1:], 1):
            if not table:
                continue
            for run, parents, decoder in self._runs(placed, at):
                number = part.number[run.record]
                decoded = decoder.decode(part.buffer, run.start, run.length)
                invalid.add(table.name, decoded, part.number, part.place, run.record)
                about = subject.of(run) if table.has(*_SUBJECT) else _NOTHING
                own = [*keys(self.file_id, number, run.section), *parents]
                batch = table.batch([*own, *about], decoded)
                devices.add(batch, run.record, placed.runs, part)
                yield batch

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
            yield some, [parent.take(pa.array(rows)) for parent in parents], layout

    def sections_of(self, placed: Placed) -> Iterator[tuple[Section, Runs]]:
        """The sections but the header, with the fields that they have in these records."""
        for at, section in enumerate(self.record.sections[1:], 1):
            for run, _, how in self._runs(placed, at):
                yield (how.placed if isinstance(how, Layout) else section), run

    def pieces(self, part: Part, most: int | None = None) -> Iterator[tuple[Any, Part]]:
        """The records as they are read, some at a time: which of them, and where they stand.

        `most`: so many bytes of records at a time, about; CICS data has pieces of its own.
        """
        if self._cics is not None:
            yield from self._cics.pieces(part)
            return
        size = np.cumsum(part.length, dtype=np.int64)
        if most is None or not size.size or size[-1] <= most:
            yield slice(None), part
            return
        ends = np.searchsorted(size, np.arange(most, size[-1] + most, most))
        cuts = np.unique([0, *ends, size.size])
        for first, end in pairwise(cuts):
            yield slice(first, end), part.take(slice(first, end))

    def unreadable(self, part: Part, bad: Any) -> Any:
        """Mask of the records to be kept raw: `bad`, and CICS data that nothing explains."""
        return bad if self._cics is None else self._cics.check(part, bad)

    @property
    def at_odds(self) -> int:
        """How often records were at odds with what is declared or known of others."""
        return int(self._lengths.tally[0]) + self._declared.at_odds

    @property
    def state(self) -> RecordState:
        """What the records of a range leave for the whole file."""
        performance = self._cics.state if self._cics else None
        tally = self._lengths.tally
        return RecordState(self._declared.state, tally, self.reassembly.waiting(), performance)

    def absorb(self, more: RecordState, is_torn: bool) -> tuple[list[Whole], bool]:
        """Take in what a later range left: the records that its pieces complete, and whether the
        range was read as one who reads the whole file does it. `is_torn`: see `Lengths`, of the
        ranges before."""
        joined, is_sure = self.reassembly.absorb(more.waiting) if more.waiting else ([], True)
        if self._cics and more.performance:
            self._cics.absorb(more.performance)
        is_first, self._is_absorbing = not self._is_absorbing, True
        if more.lengths is not None:
            # where records of a later range are at odds, those before it say how such records end
            is_sure &= not more.lengths[0] or (is_first and not is_torn)
            self._lengths.tally += more.lengths
        is_sure &= self._declared.absorb(more.declared)
        return joined, bool(is_sure)

    def finish(self) -> None:
        """Add the problems that only the whole file can show."""
        self.problems += self._cics.finish() if self._cics else []
        self.problems += self._declared.finish(labels((self.record.type, self.record.subtype)))

    def check(
        self, part: Part, time: I64 | None = None, is_torn: bool = False
    ) -> tuple[Any, I32, list[Problem]]:
        """Records that are not admitted (mask), where headers end, problems: their sections do not
        fit in them, or something speaks against them. `time`: when each was written, in
        microseconds, or NO_TIME; None: it is no evidence. `is_torn`: see `Lengths`."""
        fitted, self._fitted = self._fitted, None
        if fitted is None or fitted.part is not part:
            fitted = self._fit(part)
        has_times = time is not None and self.record.interval is not None
        has_ends = part.is_spanned or part.is_marked or self._is_chained
        if not has_ends and self._cics is None:
            self._lengths.beside = partial(self._sound, fitted)
        if len(part.zeros.runs) or has_ends or self._declared or has_times:
            fitted.problems.extend(self._weigh(fitted, time if has_times else None, is_torn))
        return fitted.wrong, fitted.extent, fitted.problems

    def _sound(self, fitted: _Fitted) -> tuple[Part, Ends]:
        """The records that are right, and where the last section of each ends."""
        good = ~fitted.wrong
        part, extent = fitted.part.take(good), fitted.extent[good]
        return part, lambda: last_ends(place_sections(self.record, part, extent))

    def is_torn(self, part: Part) -> bool:
        """Whether the sections of any of these records, which were put together from segments, do
        not fit in it. They may be checked next."""
        if self._cics is not None:
            return False
        self._fitted = self._fit(part)
        return bool(self._fitted.wrong.any())

    def _fit(self, part: Part) -> _Fitted:
        """Hold the places of sections against the lengths of records."""
        rows = len(part.start)
        extent, fault = np.empty(rows, np.int32), np.empty(rows, np.int32)
        ends, room = np.empty(rows, np.int64), np.empty((2, len(self.places)), np.int64)
        locate.check_triplets(
            part.buffer, part.start, part.length, self.places, self.least,
            extent, fault, ends, room[0], room[1],
        )  # fmt: skip
        bad = np.flatnonzero(fault >= 0)
        problems = [self._fault(part, row, int(fault[row]), int(ends[row])) for row in bad.tolist()]
        wrong = fault >= 0
        if self._points:
            problems += self._check_inside(part, extent, wrong)
        return _Fitted(part, wrong, extent, problems)

    def _weigh(self, fitted: _Fitted, time: I64 | None, is_torn: bool) -> list[Problem]:
        """What speaks against records that fit: marks those that are not admitted as `wrong`."""
        part, wrong, extent = fitted.part, fitted.wrong, fitted.extent
        good = np.flatnonzero(~wrong)
        some = part if len(good) == len(wrong) else part.take(good)
        if not len(good):
            return []

        def placed() -> Placed:
            if self._checked is None or self._checked.part is not some:
                self._checked = place_sections(self.record, some, extent[good])
            return self._checked

        about = labels((self.record.type, self.record.subtype))
        verdicts = list(self._declared.weigh(some, placed().runs)) if self._declared else []
        if part.is_spanned or part.is_marked or self._is_chained:
            room = extent[good] - self.record.header.length
            is_full = (room < _TRIPLET) & self._is_flat
            verdicts.append(
                self._lengths.weigh(some, lambda: last_ends(placed()), is_full, is_torn)
            )
            verdicts.append(exchanged.weigh(some, lambda: placed().tables()))
        verdicts.append(zeros.weigh(some, lambda: placed().tables(), self._declared))
        if time is not None:
            span = self._intervals.read(placed())
            verdicts.append(self._declared.weigh_times(time[good], *span))
        self._declared.note()
        refused, problems = settle(verdicts, some, about, self._fate)
        wrong[good[refused]] = True
        return problems

    def _check_inside(self, part: Part, extent: I32, wrong: Any) -> list[Problem]:
        """Places and chains inside sections: marks the records that they lead out of as `wrong`."""
        good = np.flatnonzero(~wrong)
        some = part if len(good) == len(wrong) else part.take(good)
        placed = place_sections(self.record, some, extent[good])
        self._checked = None if placed.faults else placed
        remedy = self._fate.refused
        problems = [self._broken(some, row, why, remedy) for row, why in placed.faults.items()]
        wrong[good[list(placed.faults)]] = True
        return problems

    def _broken(self, part: Part, row: int, why: tuple[str, str], then: str) -> Problem:
        number, place, length = (int(x[row]) for x in (part.number, part.place, part.length))
        about = labels((self.record.type, self.record.subtype))
        return Problem(number, place, length, *about, "error", why[0], f"{why[1]}; {then}")

    def _fault(self, part: Part, row: int, triplet: int, end: int) -> Problem:
        length, declared = int(part.length[row]), self._triplets[triplet]
        words, reason = _words(declared), "section_past_end"
        detail = f"{words} section would end at +{end}, but the record is {length} bytes long"
        if end < 0:
            other, reason = self._triplets[-1 - end], "sections_overlap"
            detail = (
                f"triplet at +{declared.at}: found {words} sections that overlap {_words(other)}"
            )
        elif end <= length:
            detail = (
                f"triplet at +{declared.at}: found a {words} section before the end of the header "
                "or shorter than its first field"
            )
        return Problem(
            int(part.number[row]), int(part.place[row]), length,
            *labels((self.record.type, self.record.subtype)), "error", reason, detail,
        )  # fmt: skip

    def begins(self, part: Part, extent: I32) -> I64:
        """When the interval of each record begins, in microseconds since 1970, or NO_TIME."""
        return self._intervals.read(place_sections(self.record, part, extent))[0]

    def is_about(self, part: Part, form: I32, extent: I32, about: Selection) -> Mask:
        """Mask of records of intervals by the columns `system` and `interval_start` that their rows
        will have; all of other records."""
        if self.record.interval is None:
            return np.ones(len(part.start), np.bool_)
        placed = self._placed(part, extent)
        mine: Mask = about.times(self._intervals.read(placed)[0], NO_TIME)
        if about.system:
            is_named = pc.equal(self._named(placed, form), about.system)
            mine &= pc.fill_null(is_named, False).to_numpy(zero_copy_only=False)
        self._checked = placed
        return mine

    def _placed(self, part: Part, extent: I32) -> Placed:
        """Where the sections of records are that have been checked."""
        placed, self._checked = self._checked, None
        if placed is None or placed.part is not part:
            return place_sections(self.record, part, extent)
        return placed

    def _subject(self, placed: Placed, form: I32) -> list[pa.Array]:
        """System, interval start and interval end of each record."""
        return [self._named(placed, form), *map(instants, self._intervals.read(placed))]

    def _named(self, placed: Placed, form: I32) -> pa.Array:
        """The system of each record: its name, or the id in the header."""
        part, span = placed.part, self.record.interval
        (system,) = self._system.decode(part.buffer, part.start, form).columns
        if span is not None and span.system:
            every = np.arange(len(part.start))
            where = first_sections(placed, span.named_in or span.section, every)
            (named,) = self._name.decode(part.buffer, *where).columns
            is_named = pc.not_equal(pc.fill_null(named, _NO_NAME), _NO_NAME)
            system = pc.if_else(is_named, named, system)
        return system


def _words(part: SectionPlace) -> str:
    return part.section.table.split("_", 2)[-1].replace("_", " ")
