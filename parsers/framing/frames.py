"""A file becomes records: recognise how it is framed, walk it, join what was spanned.

Record numbers and header offsets count the 4-byte RDW of a record. A file is walked in parts, so
that memory does not grow with it; `Dump.index` gives the places of all records at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import Source, open_source, open_sources
from imsperf.parsers.diagnosis.refusal import (
    Diagnosis,
    changed,
    has_bare,
    is_doubtful,
    other_format,
    refusal,
    unknown,
)
from imsperf.parsers.framing.forms import DumpKind
from imsperf.parsers.framing.join import NO_PAIRS
from imsperf.parsers.framing.lost_pages import NO_ZEROS, ROW, Zeros
from imsperf.parsers.framing.recognise import Evidence, as_named, recognise, without_rdws
from imsperf.parsers.framing.walker import Mark, Walker, whole_records
from imsperf.parsers.kernels.loads import AFTER_GAP, I32, I64, U8, read_only
from imsperf.parsers.problems import Problem

# Bytes of records handled at a time. IMS log records are short and decoded kind by kind, so a part
# should stay in the cache; an SMF part has more tables, and each costs a little.
PART_BYTES: dict[DumpKind, int] = {"smf": 32 << 20, "ims": 8 << 20}
_LEAD = 1 << 20  # bytes unpacked to see whether a file is a dump
_EVERYTHING = 1 << 62


@dataclass(frozen=True)
class Part:
    """Some records in one buffer. `number` counts from 1 in the file, `place` is the byte offset
    in the unpacked file, `start` the place of the record's RDW in `buffer`. `zeros` are runs of
    zeros in records, by number (lost_pages.py); some may be those of other records. `is_spanned`:
    only segments, from which they were put together, say how long they are; `is_marked`: only a
    mark behind each of them does, or they come from a packed file that may have lost some bytes.
    `pairs`: segments that a copy may have exchanged, by number (join.py)."""

    buffer: U8
    start: I64
    length: I32
    number: I64
    place: I64
    zeros: Zeros = NO_ZEROS
    is_spanned: bool = False
    is_marked: bool = False
    pairs: I64 = field(default_factory=lambda: NO_PAIRS)

    def take(self, rows: Any) -> Part:
        """Some of the records, by index or mask."""
        return Part(
            self.buffer,
            self.start[rows],
            self.length[rows],
            self.number[rows],
            self.place[rows],
            self.zeros,
            self.is_spanned,
            self.is_marked,
            self.pairs,
        )


@dataclass
class Gathered:
    """Few records of each of many parts, to be read together: each part has its price.

    `limit`: bytes of records that wait at most.
    """

    limit: int
    may_depend: bool = False  # whether what is said of a record may depend on those read with it
    _held: list[Part] = field(default_factory=list)
    _bytes: int = 0

    def add(self, part: Part) -> Iterator[Part]:
        """Take some records; gives those that are enough."""
        if not self.may_depend and (part.is_marked or len(part.zeros.runs)):
            self.may_depend = part.is_marked or bool(
                np.isin(part.zeros.runs[:, ROW], part.number).any()
            )
        if self._held and self._held[0].buffer is not part.buffer:
            yield from self.rest()
        self._held.append(part)
        self._bytes += int(part.length.sum())
        if self._bytes >= self.limit:
            yield from self.rest()

    def rest(self) -> Iterator[Part]:
        """The records that wait."""
        held, self._held, self._bytes = self._held, [], 0
        if len(held) > 1:
            zeros = {id(part.zeros): part.zeros for part in held}.values()
            yield Part(
                held[0].buffer,
                start=np.concatenate([part.start for part in held]),
                length=np.concatenate([part.length for part in held]),
                number=np.concatenate([part.number for part in held]),
                place=np.concatenate([part.place for part in held]),
                zeros=Zeros(lambda: np.concatenate([some.runs for some in zeros])),
                is_spanned=held[0].is_spanned,
                is_marked=held[0].is_marked,
                pairs=np.concatenate(list({id(part.pairs): part.pairs for part in held}.values())),
            )
        else:
            yield from held


class InOrder:
    """Columns of records in the order of the file, though parts of whole and of joined ones take
    turns."""

    def __init__(self) -> None:
        self._held: list[tuple[I64, ...]] = []  # places and other columns, not yet in order

    def add(self, place: I64, *columns: I64) -> Iterator[tuple[I64, ...]]:
        """Take those of the next part; gives places and columns that are now complete."""
        if not len(place):
            return
        if self._held and place[0] > self._held[0][0][-1]:
            yield from self.rest()
        self._held.append((place, *columns))

    def rest(self) -> Iterator[tuple[I64, ...]]:
        """Places and columns that are left."""
        held, self._held = self._held, []
        if held:
            columns = [np.concatenate(values) for values in zip(*held, strict=True)]
            order = np.argsort(columns[0], kind="stable")
            yield tuple(column[order] for column in columns)


@dataclass(frozen=True)
class Frames:
    """Where records are; no Python object per record.

    `start` points to the record's RDW in `buffer`, or in `joined_buffer` where `joined`: a record
    that was spanned or wrapped stands there in one piece behind one RDW. `length` counts that RDW
    and may pass 32,760. `number` of the first record is `first`. `is_spanned` and `is_marked`: see
    Part, of those that are `joined`. `is_blocked`: they stand in blocks with BDWs.
    """

    path: Path
    kind: DumpKind
    framing: str
    bytes: int
    buffer: U8
    joined_buffer: U8
    start: I64
    length: I32
    joined: npt.NDArray[np.bool_]
    byte_offset: I64
    problems: list[Problem]
    first: int = 1
    is_spanned: bool = False
    is_marked: bool = False
    is_blocked: bool = False
    zeros: Zeros = NO_ZEROS
    pairs: I64 = field(default_factory=lambda: NO_PAIRS)

    def parts(self, limit: int | None = None) -> Iterator[Part]:
        """The records in file order, some at a time; joined ones in parts of their own."""
        limit = limit or PART_BYTES[self.kind]
        ends = np.cumsum(self.length, dtype=np.int64)
        total = int(ends[-1]) if len(ends) else 0
        cuts = np.searchsorted(ends, np.arange(limit, total + limit, limit), side="left") + 1
        first = 0
        for last in np.unique(np.minimum(cuts, len(ends))).tolist():
            yield from self._both(first, last)
            first = last

    def _both(self, first: int, last: int) -> Iterator[Part]:
        rows = slice(first, last)
        number = np.arange(first, last, dtype=np.int64) + self.first
        joined = self.joined[rows]
        for buffer, mask in ((self.buffer, ~joined), (self.joined_buffer, joined)):
            if mask.any():
                some = slice(None) if mask.all() else mask
                yield Part(
                    buffer, self.start[rows][some], self.length[rows][some], number[some],
                    self.byte_offset[rows][some],
                    self.zeros.changed(lambda runs: self._of(runs, first, last)),
                    buffer is self.joined_buffer and self.is_spanned,
                    self.is_marked,
                    self._of(self.pairs, first, last),
                )  # fmt: skip

    def _of(self, places: I64, first: int, last: int) -> I64:
        """Those of `zeros` or `pairs` that lie in some of the records, by their numbers."""
        row = places[:, ROW]
        return _moved(places[(row >= first) & (row < last)], self.first)


def _moved(places: I64, by: int) -> I64:
    """Those of `zeros` or `pairs`, of records whose numbers are higher."""
    places = places.copy()
    places[:, ROW] += by
    return places


@dataclass(frozen=True)
class Begin:
    """Where a part of a file begins: the walk there, the number of its first record, and whether
    records before it were spanned. The walk of a file may go on from there."""

    mark: Mark
    number: int
    is_spanned: bool


@dataclass
class Dump:
    """A file of records. `problems` and `records` are complete when `parts` has come to its end.

    `framing` and `has_segments` may change while the file is read: spanned records tell themselves
    late.
    """

    source: Source
    evidence: Evidence
    framing: str = ""
    has_segments: bool = False
    records: int = 0
    problems: list[Problem] = field(default_factory=list)
    is_complete: bool = False

    @property
    def path(self) -> Path:
        """The file on disk."""
        return self.source.path

    @property
    def kind(self) -> DumpKind:
        """What records it holds."""
        return self.evidence.form.kind

    @property
    def bytes(self) -> int:
        """Bytes unpacked."""
        return int(self.source.buffer.size)

    def parts(self, limit: int | None = None) -> Iterator[Part]:
        """The records in file order, some at a time; joined ones in parts of their own."""
        for frames in self._frames(limit or PART_BYTES[self.kind]):
            yield from frames.parts(_EVERYTHING >> 1)

    def index(self) -> Frames:
        """All records at once."""
        frames_list = list(self._frames(_EVERYTHING))
        if len(frames_list) == 1:
            return frames_list[0]
        moved = np.cumsum([0, *(frames.joined_buffer.size for frames in frames_list)])

        def of_all(places: Iterable[I64]) -> I64:
            by_frames = zip(places, frames_list, strict=True)
            return np.concatenate([_moved(some, frames.first - 1) for some, frames in by_frames])

        start = [
            frames.start + frames.joined * by
            for frames, by in zip(frames_list, moved, strict=False)
        ]
        buffers = [frames.joined_buffer for frames in frames_list]
        return Frames(
            self.path, self.kind, self.framing, self.bytes, self.source.buffer,
            read_only(np.concatenate(buffers)), np.concatenate(start),
            np.concatenate([frames.length for frames in frames_list]),
            np.concatenate([frames.joined for frames in frames_list]),
            np.concatenate([frames.byte_offset for frames in frames_list]), self.problems,
            is_spanned=any(frames.is_spanned for frames in frames_list),
            is_marked=any(frames.is_marked for frames in frames_list),
            is_blocked=any(frames.is_blocked for frames in frames_list),
            zeros=Zeros(lambda: of_all(frames.zeros.runs for frames in frames_list)),
            pairs=of_all(frames.pairs for frames in frames_list),
        )  # fmt: skip

    def _frames(self, limit: int) -> Iterator[Frames]:
        """The records as frames of about `limit` bytes."""
        return map(itemgetter(1), self.walk(limit))  # holds no frames while the next are made

    def walk(self, limit: int, begin: Begin | None = None) -> Iterator[tuple[Begin, Frames]]:
        """The records as frames of about `limit` bytes, each with where it begins; from `begin` on.

        Who takes frames from a `begin` until some other place stops there: `problems` and `records`
        are those of a walk from the start to the end.
        """
        walker, first, spanned = Walker(self.source.buffer, self.evidence, limit), 1, False
        if begin is not None:
            walker.go_on(begin.mark)
            first, spanned = begin.number, begin.is_spanned
        now = Begin(walker.mark(), first, spanned)
        for form, pieces in walker.pieces():
            is_marked = form.is_marked or self.source.may_join_records
            records, problems = whole_records(self.source.buffer, form, pieces)
            walker.problems += problems
            spanned |= bool((pieces.code & ~np.uint8(AFTER_GAP)).any())
            framed = self.evidence.form
            self.framing, self.has_segments = framed.label(spanned), framed.has_segments(spanned)
            frames = Frames(
                self.path, self.kind, self.framing, self.bytes, self.source.buffer,
                records.joined_buffer, records.start, records.length, records.joined,
                records.byte_offset,
                self.problems, first, spanned or form.cuts_records, is_marked,
                form.blocked, records.zeros, records.pairs,
            )  # fmt: skip
            first += len(records.start)
            del records, pieces  # what is read next may have their memory
            yield now, frames
            del frames
            now = Begin(walker.mark(), first, spanned)
        self.source.check()
        if not self.is_complete:
            self.records, self.is_complete = first - 1, True
            self.source.rest[:] = [] if walker.rest is None else [walker.rest]
            self.problems += sorted(walker.problems, key=lambda problem: problem.byte_offset)


def open_dump(path: str | Path) -> Dump:
    """Recognise a file. Raises DumpError if it is no dump at all."""
    return dump_of(open_source(Path(path)))


def dump_of(source: Source) -> Dump:
    """The dump in the bytes of a source. Raises DumpError if there is none."""
    if not source.buffer.size and source.problems:
        raise source.nothing()
    diagnosis = what_is(source)
    if isinstance(diagnosis, Diagnosis):
        raise refusal(source, diagnosis)
    return Dump(source, diagnosis, diagnosis.form.label(False), problems=list(source.problems))


def what_is(source: Source) -> Evidence | Diagnosis:
    """The form of the records in a source, or why none of them can be trusted.

    Raises DumpError where the file was changed meanwhile.
    """
    buffer = source.buffer
    if source.framing:
        return as_named(buffer, source.framing) or _not_as_named(source.framing)
    evidence = recognise(buffer)
    if evidence and evidence.is_weak and not _admits_any(buffer, evidence):
        evidence = None
    if evidence and evidence.is_whole and not is_doubtful(buffer, evidence):
        return evidence
    why = other_format(buffer) or changed(buffer, evidence)
    is_bare = evidence is None or (not evidence.form.adds_rdw and evidence.form.kind == "smf")
    if why is None and is_bare and has_bare(buffer):
        evidence = without_rdws(buffer)
    source.check()
    return why or evidence or unknown(buffer)


def _admits_any(buffer: U8, evidence: Evidence) -> bool:
    """Whether the walk itself, which asks for more than the samples do, admits a record."""
    return any(
        len(whole_records(buffer, form, pieces)[0].start)
        for form, pieces in Walker(buffer, evidence, PART_BYTES[evidence.form.kind]).pieces()
    )


def _not_as_named(framing: str) -> Diagnosis:
    advice = "leave out the framing: the bytes say what it is, and `imsperf doctor` what is amiss"
    return Diagnosis("other", f"no records framed as {framing}", advice)


def refused(source: Source) -> DumpError | None:
    """Why the bytes of a source are no dump; None where they are one."""
    try:
        dump_of(source)
    except DumpError as error:
        return error
    return None


def why_no_dump(path: Path) -> str:
    """Why a file is no dump, by its start or those of its members; empty where it is one."""
    try:
        reasons = [refused(source) for source in open_sources(path, _LEAD)]
    except DumpError as error:
        return error.message
    return "" if None in reasons else str(reasons[0])
