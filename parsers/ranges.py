"""A dump in ranges that are read one by one, by whoever: the pass that finds them, and the reading.

The pass walks along a dump once and looks at the headers of its records. It learns what one range
cannot say by itself: where the parts of the walk begin, what is damaged, the order of a log, its
signature, the dictionaries of CICS. A range is some parts of the walk, the same ones that a reader
of the whole file takes, so that whatever is weighed against the records beside it comes out equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers import cics_records
from imsperf.parsers.containers.source import Source
from imsperf.parsers.evidence.verdict import Fate
from imsperf.parsers.framing.forms import Form, Rdw
from imsperf.parsers.framing.frames import PART_BYTES, Begin, Dump, Frames, Part, dump_of
from imsperf.parsers.framing.recognise import Evidence
from imsperf.parsers.framing.walk_state import Pieces
from imsperf.parsers.framing.walker import Walker, whole_records
from imsperf.parsers.ims import LogFileReader, Signature
from imsperf.parsers.kernels.loads import AFTER_GAP, FIRST, MIDDLE
from imsperf.parsers.merging import RangeState
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.read import Loaded, Reader, reader_of
from imsperf.parsers.rows import Batch
from imsperf.parsers.selection import Keep
from imsperf.parsers.smf import SmfReader
from imsperf.parsers.smf_headers import kind_of

T = TypeVar("T")

RANGE_BYTES = 64 << 20
_EVERYTHING = 1 << 62
_MOST_CONTEXT = 64  # records that say how others are read, of a file that is cut
_PERFORMANCE = (110, 1)


@dataclass(frozen=True)
class ContextRecord:
    """Where a record stands that says how others are read: its number, and its pieces."""

    number: int
    pieces: Pieces


@dataclass(frozen=True)
class Range:
    """Some parts of the walk along a dump, and what reading them takes from the rest of it.

    `records` and `bytes` are those in it. `form`, `at` and `block_end` are of the dump, as the
    pass recognised it; `part_bytes` those of its parts.
    """

    begin: Begin
    parts: int
    records: int
    bytes: int
    form: Form
    at: int
    block_end: int
    part_bytes: int
    signature: Signature | None = None
    context: tuple[ContextRecord, ...] = ()

    @property
    def numbers(self) -> tuple[int, int]:
        """Numbers of the first record and of that behind the last one."""
        return self.begin.number, self.begin.number + self.records


@dataclass
class Passed:
    """A dump along which the pass has gone. `loaded` is complete but for what reading it tells."""

    loaded: Loaded
    reader: Reader
    ranges: list[Range]
    is_equal: bool = True  # to one reading of the whole, as far as merging can tell

    def merge(self, states: Sequence[RangeState]) -> Iterator[Batch]:
        """Take in what all ranges left, in their order; then `loaded` is as if it had been read.

        Batches of what no range has by itself: records of which the pieces stand in several.
        """
        for state in states:
            yield from self.reader.absorb(state)
        yield from self.reader.rest()
        self.reader.finish()
        is_alone = len(states) == 1
        self.is_equal = is_alone or (
            self.reader.is_sure and not any(state.depends for state in states)
        )


def pass_along(
    source: Source, options: ReadOptions, range_bytes: int = RANGE_BYTES, is_cut: bool = True
) -> Passed:
    """Go along a dump: ranges of about so many bytes, or one where it is not to be cut.

    Raises DumpError for a source that is no dump.
    """
    dump = dump_of(source)
    reader = reader_of(
        dump, 0, options.codepage, options.raw, options.profile, Keep(options.selection),
        Fate(options.drop_suspect),
    )  # fmt: skip
    part_bytes = options.bytes_at_a_time or min(PART_BYTES[dump.kind], range_bytes)
    signature = reader.signature if isinstance(reader, LogFileReader) else None
    evidence = dump.evidence
    parts, context, is_known = list[Range](), list[ContextRecord](), True
    for begin, frames in dump.walk(part_bytes):
        some = _context(reader, dump, frames, begin, part_bytes)
        is_known &= some is not None
        context += some or []
        parts.append(
            Range(
                begin, 1, len(frames.start), int(frames.length.sum(dtype=np.int64)), evidence.form,
                evidence.at, evidence.block_end, part_bytes, signature,
            )
        )  # fmt: skip
    loaded = Loaded(dump, reader)
    if not parts:
        walker = Walker(source.buffer, evidence, part_bytes)
        begin = Begin(walker.mark(), 1, False)
        parts = [Range(begin, 0, 0, 0, evidence.form, evidence.at, evidence.block_end, part_bytes)]
    is_cut &= is_known and len(context) <= _MOST_CONTEXT
    ranges = _in_ranges(parts, range_bytes if is_cut else _EVERYTHING)
    if is_cut:
        ranges = [replace(one, context=tuple(context)) for one in ranges]
    return Passed(loaded, reader, ranges)


def _in_ranges(parts: list[Range], range_bytes: int) -> list[Range]:
    """Parts one behind the other as ranges of at most about so many bytes, of equal size."""
    sizes = [part.bytes for part in parts]
    return [_joined(some) for some in in_shares(parts, sizes, range_bytes)]


def in_shares(some: Sequence[T], sizes: Sequence[int], most: int) -> list[list[T]]:
    """Items one behind the other in as few lists as hold `most` each, of about the same size."""
    total, before = sum(sizes), 0
    share = total / -(-total // most) if total else 1
    lists = dict[int, list[T]]()
    for item, size in zip(some, sizes, strict=True):
        lists.setdefault(int((before + size / 2) / share), []).append(item)
        before += size
    return list(lists.values())


def _joined(ranges: list[Range]) -> Range:
    return replace(
        ranges[0],
        parts=sum(one.parts for one in ranges),
        records=sum(one.records for one in ranges),
        bytes=sum(one.bytes for one in ranges),
    )


def _context(
    reader: Reader, dump: Dump, frames: Frames, begin: Begin, part_bytes: int
) -> list[ContextRecord] | None:
    """Look at the headers of a part. Where its dictionaries of CICS stand; None where that cannot
    be told: a range then is the whole file."""
    found, pieces, is_known = list[ContextRecord](), None, True
    for part in frames.parts(_EVERYTHING >> 1):
        looked = reader.look(part)
        if not isinstance(reader, SmfReader) or _PERFORMANCE not in map(kind_of, looked[1].keys):
            continue
        rows = cics_records.dictionaries(part)
        is_known &= not (rows.any() and begin.mark.form.adds_rdw)
        places = zip(part.number[rows].tolist(), part.place[rows].tolist(), strict=True)
        for number, place in places if is_known else ():
            pieces = pieces or _pieces_of_part(dump, begin, part_bytes)
            found.append(ContextRecord(number, _pieces_at(pieces, place)))
    return found if is_known else None


def _pieces_of_part(dump: Dump, begin: Begin, limit: int) -> Pieces:
    """The pieces of a part, walked again."""
    walker = Walker(dump.source.buffer, dump.evidence, limit)
    walker.go_on(begin.mark)
    return next(walker.pieces())[1]


def _pieces_at(pieces: Pieces, place: int) -> Pieces:
    """Those of the record that begins at a place."""
    first = last = int(np.searchsorted(pieces.start, place))
    codes = pieces.code & ~np.uint8(AFTER_GAP)
    while codes[last] in (FIRST, MIDDLE):
        last += 1
    rows = slice(first, last + 1)
    return Pieces(pieces.start[rows].copy(), pieces.length[rows].copy(), codes[rows])


# --- reading a range -----------------------------------------------------------------------------


class RangeReading:
    """A range that is read: iterate it for (table, rows); then `state` is what it leaves."""

    def __init__(
        self, source: Source, range: Range, file_id: int, options: ReadOptions, keep: Keep
    ) -> None:
        evidence = Evidence(range.form, range.at, block_end=range.block_end)
        self._range, self._dump = range, Dump(source, evidence, problems=list(source.problems))
        how = options.codepage, options.raw
        fate = Fate(options.drop_suspect)
        self._reader: Reader
        if range.form.kind == "smf":
            self._reader = SmfReader(file_id, *how, self._told, keep, fate, is_range=True)
        else:
            self._reader = LogFileReader(
                self._dump, file_id, *how, options.profile, keep, fate, range.signature, True
            )

    @property
    def state(self) -> RangeState:
        """What the range leaves for the whole dump."""
        return self._reader.state

    def __iter__(self) -> Iterator[Batch]:
        """Batches by table. Raises DumpError where the file is not what it was."""
        left, records = self._range.parts, 0
        if left:
            for _, frames in self._dump.walk(self._range.part_bytes, self._range.begin):
                for part in frames.parts(_EVERYTHING >> 1):
                    yield from self._reader.read(part)
                records += len(frames.start)
                left -= 1
                if not left:
                    break
        yield from self._reader.gathered()
        self._dump.source.check()
        if left or records != self._range.records:
            raise changed_since(self._dump.source)

    def _told(self) -> Iterator[Part]:
        """The records that say how others are read."""
        for one in self._range.context:
            records, _ = whole_records(self._dump.source.buffer, Rdw("smf"), one.pieces)
            buffer = records.joined_buffer if records.joined[0] else self._dump.source.buffer
            number = np.array([one.number], np.int64)
            yield Part(buffer, records.start, records.length, number, records.byte_offset)


def changed_since(source: Source) -> DumpError:
    """The error for a file that is not what it was when the pass went along it."""
    return DumpError(
        f"{source.name}: was changed after its ranges were found",
        "wait until it is complete, then start again; nothing of it was taken",
        path=source.path,
        cause="other",
    )


def taken_parts(source: Source, options: ReadOptions, keep: Keep) -> Iterator[Part]:
    """The records of a dump that are taken, some at a time."""
    dump = dump_of(source)
    fate = Fate(options.drop_suspect)
    reader = reader_of(dump, 0, options.codepage, options.raw, options.profile, keep, fate)
    for part in dump.parts():
        some = part.take(reader.chosen(part)[0]) if keep else part
        if len(some.start):
            yield some
