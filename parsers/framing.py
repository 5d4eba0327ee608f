"""A file becomes records: recognise how it is framed, walk it, join what was spanned.

A form is recognised by evidence: each one is tried, and the one under which most records make
sense is taken. Record numbers and header offsets count the 4-byte RDW of a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from imsperf.errors import DumpError
from imsperf.kinds import TOD_EPOCH, TOD_PER_US
from imsperf.parsers import walk
from imsperf.parsers.compiled import I32, I64, U8, read_only
from imsperf.parsers.problems import Problem
from imsperf.parsers.source import Source, open_source

DumpKind = Literal["smf", "ims"]

# Bytes of records handled at a time. IMS log records are short and decoded kind by kind, so a part
# should stay in the cache; an SMF part has more tables, and each costs a little.
PART_BYTES: dict[DumpKind, int] = {"smf": 32 << 20, "ims": 8 << 20}
_PROBE = 2000  # segments looked at for each form
_LEAD = 1 << 20  # bytes at the start that may be damaged before the first record is found
_LEAST_IMS, _MANY_IMS = 2, 16  # records with rising sequence numbers that tell an IMS log

_EVIDENCE = (
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x89PNG", "a PNG image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"BZh", "a bzip2 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)
_AGAIN = "transfer it again in binary and keep the RDWs (FTP: binary, then quote site rdw)"


@dataclass(frozen=True)
class Part:
    """Some records in one buffer. `number` counts from 1 in the file, `place` is the byte offset
    in the unpacked file, `start` the place of the record's RDW in `buffer`."""

    buffer: U8
    start: I64
    length: I32
    number: I64
    place: I64

    def take(self, rows: Any) -> Part:
        """Some of the records, by index or mask."""
        return Part(
            self.buffer, self.start[rows], self.length[rows], self.number[rows], self.place[rows]
        )


@dataclass(frozen=True)
class Frames:
    """Where the records of a file are; no Python object per record.

    `start` points to the record's RDW in `buffer`, or in `joined_buffer` where `joined`: a spanned
    record stands there in one piece behind one RDW. `length` counts that RDW and may pass 32,760.
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

    def parts(self, limit: int | None = None) -> Iterator[Part]:
        """The records in file order, some at a time; spanned ones in parts of their own."""
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
        number = np.arange(first + 1, last + 1, dtype=np.int64)
        joined = self.joined[rows]
        for buffer, mask in ((self.buffer, ~joined), (self.joined_buffer, joined)):
            if mask.all():
                yield Part(
                    buffer, self.start[rows], self.length[rows], number, self.byte_offset[rows]
                )
            elif mask.any():
                kept = np.flatnonzero(mask) + first
                yield Part(
                    buffer, self.start[kept], self.length[kept], kept + 1, self.byte_offset[kept]
                )


def why_no_dump(path: Path) -> str:
    """Why a file is no dump, by its start; empty where it is one."""
    try:
        _recognise(open_source(path, _LEAD))
    except DumpError as error:
        return error.message
    return ""


def open_dump(path: str | Path) -> Frames:
    """Recognise a file and find its records. Raises DumpError if it is no dump at all."""
    source = open_source(Path(path))
    form = _recognise(source)
    segments, gaps, is_cut = _walk(source.buffer, form)
    problems = [*source.problems, *_gap_problems(source.buffer, gaps, is_cut, form.blocked)]
    return _joined(source, form, segments, problems)


# --- recognition ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Form:
    kind: DumpKind
    blocked: bool
    clocks: npt.NDArray[np.uint64]
    start: int = 0
    records: int = 0
    sane: int = 0
    average: float = 0.0  # bytes of a segment


def _clock_limits() -> npt.NDArray[np.uint64]:
    """TOD clocks that a log record can hold: from 1985 to a year from now."""
    latest = datetime.now(UTC).replace(tzinfo=None) + timedelta(days=366)
    limits = np.array(["1985-01-01", latest.isoformat()], dtype="datetime64[us]") - TOD_EPOCH
    return limits.astype(np.int64).astype(np.uint64) * np.uint64(TOD_PER_US)


def _forms() -> Iterator[_Form]:
    none, clocks = np.empty(0, dtype=np.uint64), _clock_limits()
    yield _Form("smf", False, none)
    yield _Form("smf", True, none)
    yield _Form("ims", True, clocks)
    yield _Form("ims", False, clocks)


def _probed(buffer: U8, form: _Form, at: int) -> _Form | None:
    """The form with its evidence from byte `at` on, or None if there is too little of it.

    An SMF header says more than the suffix of a log record, which any random bytes may pass for.
    """
    found = np.zeros(4, dtype=np.int64)
    walk.probe(buffer, form.blocked, form.clocks, at, _PROBE, found)
    records, sane, rising, end = found.tolist()
    enough = sane >= 1
    if form.kind == "ims":
        orderly = rising >= _LEAST_IMS and 2 * rising >= records
        whole = 2 * sane >= records and end == buffer.size
        enough = orderly or (enough and whole) or rising >= _MANY_IMS
    if not enough:
        return None
    return _Form(form.kind, form.blocked, form.clocks, at, records, sane, (end - at) / records)


def _recognise(source: Source) -> _Form:
    buffer = source.buffer
    hits = [hit for form in _forms() if (hit := _probed(buffer, form, 0))]
    if not hits:
        hits = [hit for form in _forms() if (hit := _found_later(buffer, form))]
    if not hits:
        _refuse(source)
    return max(hits, key=lambda hit: hit.sane)


def _found_later(buffer: U8, form: _Form) -> _Form | None:
    """The form if records stand behind a damaged start."""
    at = walk.search(buffer, 0, _LEAD, form.blocked, form.clocks)
    return _probed(buffer, form, at) if at >= 0 else None


def _refuse(source: Source) -> None:
    first = source.buffer[:4096].tobytes()
    names = [name for magic, name in _EVIDENCE if first.startswith(magic)]
    printable = sum(byte in b"\t\r\n" or 32 <= byte < 127 for byte in first)
    found = f"no records; it begins with X'{first[:8].hex().upper()}'"
    hint = _AGAIN
    if names:
        found, hint = names[0], "name an SMF dump or an IMS log, plain or packed with gzip"
    elif printable > 0.95 * len(first):
        found = "text"
    raise DumpError(
        f"{source.path}: found {found}, expected an SMF dump or an IMS log",
        hint,
        path=source.path,
        first=first[:8],
    )


# --- the walk -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Segments:
    start: I64
    length: I32
    code: U8


def _walk(buffer: U8, form: _Form) -> tuple[_Segments, I64, bool]:
    """All segments of the file, the gaps between them, and whether the last block is cut short."""
    room = int((buffer.size - form.start) / max(form.average, 4.0) * 1.1) + 1024
    arrays: list[Any] = [np.empty(room, t) for t in (np.int64, np.int32, np.uint8)]
    gaps = np.empty((256, 3), dtype=np.int64)
    state = np.zeros(walk.STATE_WIDTH, dtype=np.int64)
    if form.start:
        gaps[0], state[walk.GAPS] = (0, form.start, walk.BAD_RDW), 1
    state[walk.POSITION] = state[walk.BLOCK_END] = form.start
    step: Any = walk.walk_blocks if form.blocked else walk.walk_records
    while state[walk.POSITION] < buffer.size:
        step(buffer, form.clocks, state, *arrays, gaps)
        if state[walk.COUNT] == len(arrays[0]):
            arrays = [_grown(array) for array in arrays]
        if state[walk.GAPS] == len(gaps):
            gaps = _grown(gaps)
    count = int(state[walk.COUNT])
    segments = _Segments(*(array[:count] for array in arrays))
    return segments, gaps[: int(state[walk.GAPS])], bool(state[walk.IS_CUT])


def _grown(array: Any) -> Any:
    more = np.empty((len(array) // 2, *array.shape[1:]), array.dtype)
    return np.concatenate([array, more])


_REASONS = {
    walk.TRUNCATED: ("truncated", "found the end of the file, expected the rest of a record"),
    walk.BAD_RDW: ("bad_rdw", "expected an RDW that leads to the next record"),
    walk.BAD_BLOCK: ("bad_bdw", "expected a BDW that leads to the next block"),
    walk.GARBAGE: ("garbage", "found no record from here to the end of the file"),
}


def _gap_problems(buffer: U8, gaps: I64, is_cut: bool, blocked: bool) -> Iterator[Problem]:
    last = -1
    for at, lost, reason in gaps.tolist():
        last = reason
        yield _lost(buffer, at, lost, *_REASONS[reason])
    if is_cut and last != walk.TRUNCATED:
        yield _lost(buffer, buffer.size, 0, *_REASONS[walk.TRUNCATED])


def _lost(buffer: U8, at: int, lost: int, reason: str, expected: str) -> Problem:
    gone = buffer[at : at + lost]
    word = gone[:4].tobytes().hex().upper()
    detail = expected if expected.startswith("found") else f"found X'{word}', {expected}"
    if lost and not gone.any():
        reason, detail = "zeros", f"found {lost:,} zero bytes, expected a record"
    return Problem(None, at, lost, None, None, "data_loss", reason, detail)


# --- spanned records ---------------------------------------------------------------------------


def _joined(source: Source, form: _Form, segments: _Segments, problems: list[Problem]) -> Frames:
    """Frames of the logical records; pieces without the rest of their record become problems."""
    name = "ims_vb" if form.kind == "ims" else "bdw_rdw"
    framing = name if form.blocked else name.replace("bdw_", "").replace("vb", "rdw")
    start, length, place = segments.start, segments.length, segments.start
    joined, whole = np.zeros(len(start), dtype=np.bool_), np.empty(0, dtype=np.uint8)
    if (segments.code & ~np.uint8(walk.AFTER_GAP)).any():
        framing += "_spanned" if form.kind == "smf" else ""
        start, length, place, joined, whole, orphans = _put_together(source.buffer, segments)
        problems = sorted([*problems, *orphans], key=lambda one: one.byte_offset)
    return Frames(
        source.path, form.kind, framing, source.buffer.size, source.buffer, read_only(whole),
        start, length, joined, place, problems,
    )  # fmt: skip


def _put_together(buffer: U8, segments: _Segments) -> tuple[Any, ...]:
    record, orphan = (np.empty(len(segments.start) + 1, dtype=np.int64) for _ in range(2))
    records, orphans, size = walk.join_plan(segments.length, segments.code, record, orphan)
    start, place = np.empty(records, np.int64), np.empty(records, np.int64)
    length, joined = np.empty(records, np.int32), np.zeros(records, np.bool_)
    whole = np.empty(size, dtype=np.uint8)
    walk.join(
        buffer, segments.start, segments.length, segments.code, record,
        whole, start, length, joined, place,
    )  # fmt: skip
    lost = np.where(record[: len(segments.start)] < 0, segments.length, 0)
    sums: Any = np.add.reduceat(lost, orphan[:orphans]) if orphans else []
    problems = [
        Problem(None, int(segments.start[at]), int(bytes_), None, None, "data_loss",
                "missing_segment", _SEGMENT[int(segments.code[at]) & 3])
        for at, bytes_ in zip(orphan[:orphans].tolist(), sums, strict=True)
    ]  # fmt: skip
    return start, length, place, joined, whole, problems


_SEGMENT = {
    walk.FIRST: "found the start of a spanned record, expected its other segments to follow",
    walk.MIDDLE: "found a middle segment, expected the start of its record before it",
    walk.LAST: "found a last segment, expected the start of its record before it",
}
