"""Walk along a file piece by piece, go on after damage, and put records together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from imsperf.parsers.framing import join, salvage, transfer, walk
from imsperf.parsers.framing import resync as proof
from imsperf.parsers.framing.concatenated import EVERY, beginnings, glued_in, going_on, seam
from imsperf.parsers.framing.forms import USUAL, Evidence, Form, room
from imsperf.parsers.framing.lost_pages import (
    EDGES,
    NO_ZEROS,
    ROW,
    lost_pages,
    zero_runs,
)
from imsperf.parsers.kernels.loads import AFTER_GAP, FIRST, I32, I64, LAST, MIDDLE, U8, read_only
from imsperf.parsers.problems import Problem

_ROOM = 1 << 16  # pieces of a part, at first
_RDW = 4
_PADDING = 1 << 20  # bytes of zeros behind a file that are looked through
_HEAD = 24  # bytes of a block that hold its BDW, an RDW, and the time of a record
_BLOCK = 32_760  # bytes of a block of usual length
_MANY = 4096  # pieces of the next record that are looked at


@dataclass(frozen=True)
class Pieces:
    """Where pieces of records stand, their bytes with an RDW, and their segment codes."""

    start: I64
    length: I32
    code: U8


class Whole(NamedTuple):
    """Whole records: see Frames."""

    joined_buffer: U8
    start: I64
    length: I32
    joined: npt.NDArray[np.bool_]
    byte_offset: I64
    zeros: I64 = NO_ZEROS
    pairs: I64 = join.NO_PAIRS


class Walker:
    """Walks a file once; `problems` grows with it.

    It stops where a dump of other records begins: `rest` is that place.
    """

    def __init__(self, buffer: U8, evidence: Evidence, limit: int) -> None:
        self.problems: list[Problem] = []
        self.rest: int | None = None
        self._begin = evidence.at
        self._buffer, self._form, self._limit = buffer, evidence.form, limit
        self._state = np.zeros(walk.STATE_WIDTH, dtype=np.int64)
        self._state[walk.POSITION] = evidence.at
        self._state[walk.BLOCK_END] = max(evidence.at, evidence.block_end)
        self._state[walk.OPEN], self._state[walk.LAST_CODE] = -1, MIDDLE
        self._before = 0  # where the last record of the part before ends
        self._repeats = _RepeatedBlocks()
        if evidence.form.blocked and evidence.at == 0 and evidence.block_end:
            self.problems.append(_without_bdw(buffer, evidence))
        if evidence.at:
            self._state[walk.FRESH], self._state[walk.SURE] = AFTER_GAP, 1
            if evidence.form.name == "ftp_record":  # it stands behind a mark
                self._state[walk.LAST_END] = evidence.at - 2
            self.problems.append(_lost(buffer, 0, evidence.at, salvage.BAD_RDW, evidence.form))

    def pieces(self) -> Iterator[tuple[Form, Pieces]]:
        """The pieces, about `limit` bytes at a time; a record's pieces are never parted."""
        state = self._state
        while not self._at_end:
            form, arrays = self._form, self._part()
            if not self._at_end and form is self._form and state[walk.OPEN] >= 0:
                self._hold_back(arrays)
            count = int(state[walk.COUNT])
            if count:
                self._before = int(arrays[0][count - 1]) + int(arrays[1][count - 1])
                pieces = Pieces(*(array[:count] for array in arrays))
                if form.blocked:
                    self.problems += self._repeats.of(self._buffer, pieces)
                yield form, pieces
        last = self.problems[-1] if self.problems else None
        self.problems += self._repeats.rest(self._buffer)
        is_padding = last and last.reason == "zeros" and last.bytes < _RDW
        if is_padding and last and last.byte_offset + last.bytes == self._buffer.size:
            return  # too short for an RDW: no record was cut
        end = _END_MARKS.get(self._form.name) if self.rest is None else None
        is_open = end is not None and not self._is_ended()
        if (state[walk.IS_CUT] or is_open) and not (last and last.reason == "truncated"):
            cut = _lost(self._buffer, self._buffer.size, 0, salvage.TRUNCATED)
            self.problems.append(replace(cut, detail=_NO_END.format(end)) if is_open else cut)

    def _is_ended(self) -> bool:
        """Whether FTP says that the file ends, in the last block or in the last mark of records."""
        if self._form.name == "ftp_block":
            return bool(self._state[transfer.FILE_ENDS])
        tail = self._buffer[-_PADDING:].tobytes().rstrip(b"\0")  # zeros behind it are padding
        return tail.endswith((b"\xff\x02", b"\xff\x03"))

    def _hold_back(self, arrays: list[Any]) -> None:
        """Leave a record that has not ended to the next part."""
        state = self._state
        row = int(state[walk.OPEN])
        state[walk.POSITION], state[walk.BLOCK_END] = state[walk.OPEN_AT], state[walk.OPEN_END]
        state[walk.COUNT], state[walk.SURE], state[walk.OPEN] = row, 1, -1
        state[walk.FRESH] = int(arrays[2][row]) & AFTER_GAP

    @property
    def _at_end(self) -> bool:
        return self.rest is not None or bool(self._state[walk.POSITION] >= self._buffer.size)

    def _part(self) -> list[Any]:
        """Arrays of one part; its count is in the state."""
        state, form, limit = self._state, self._form, self._limit
        arrays = room(_ROOM)
        state[walk.COUNT] = state[walk.BYTES] = 0
        while not self._at_end:
            form.walk(self._buffer, limit, state, arrays)
            is_full = state[walk.COUNT] == len(arrays[0])
            if state[walk.BROKEN]:
                pass
            elif state[walk.OPEN] == 0 or (is_full and state[walk.BYTES] < limit):
                arrays = [_grown(array) for array in arrays] if is_full else arrays
                limit = max(limit, 2 * int(state[walk.BYTES])) if not is_full else limit
                continue
            elif not self._is_broken_behind(form, arrays[2].copy()):
                break
            self._mend(form, arrays)
            if self._form is not form:
                break
        return arrays

    def _is_broken_behind(self, form: Form, codes: U8) -> bool:
        """Whether no piece follows the last one of a part: then that one may be taken back too.

        Where records are wrapped, whether no record does: an open one is no proof. `codes`: a copy.
        """
        state = self._state
        before = state.copy()
        for _ in range(_MANY):
            state[walk.COUNT] = state[walk.BYTES] = 0
            form.walk(self._buffer, 1, state, [*room(1)[:2], codes])
            if not form.made or state[walk.OPEN] < 0 or state[walk.BROKEN] or self._at_end:
                break
        broken = bool(state[walk.BROKEN])
        counters = [walk.COUNT, walk.BYTES] if broken else slice(None)
        state[counters] = before[counters]
        if broken and before[walk.OPEN] < 0 <= state[walk.OPEN]:
            state[walk.OPEN] = state[walk.COUNT]  # none of its pieces is in this part
        return broken

    def _mend(self, form: Form, arrays: list[Any]) -> None:
        """Go on where the chain broke: with another dump glued on, or behind what is damaged."""
        state, buffer = self._state, self._buffer
        at = int(state[walk.POSITION])
        end = int(state[walk.BLOCK_END]) if form.blocked else buffer.size
        is_odd = not form.made and proof.is_odd_record(buffer, at, end, form.blocked, form.clocks)
        if is_odd and going_on(buffer, at, form, in_block=True) is None:  # no other records
            state[walk.BROKEN], state[walk.SURE] = 0, 1
            return
        block = [int(state[walk.BLOCK_AT])] if form.blocked and at < end else []
        forms = EVERY if form.name == "ftp_record" else USUAL
        for begin in (*block, *beginnings(buffer, at, form)):
            other = going_on(buffer, begin, form, form.blocked and begin < end, forms)
            if other is not None and begin > self._begin:
                if form.made and state[walk.OPEN] >= 0:  # its record has not ended
                    at = min(at, int(state[walk.OPEN_AT]))
                    self._leave_out(arrays, min(at, begin))
                self._leave_out(arrays, begin)
                if form.made and buffer[at:begin].any():
                    self.problems.append(_lost(buffer, at, begin - at, salvage.BAD_RDW, form))
                    at = begin
                self._turn_to(other, min(at, begin), begin)
                return
        before = state.copy()
        gap = self._skip(form, arrays, at)
        other, begin = glued_in(buffer, gap.at, gap.at + gap.bytes, [*block, at], form) or (None, 0)
        if other is not None and begin > self._begin:
            is_next = begin in block or (begin >= at and not buffer[at:begin].any())
            if is_next:
                state[:] = before  # the record that leads to it is right
            else:
                self.problems.append(_lost(buffer, gap.at, begin - gap.at, gap.reason, form))
            self._turn_to(other, min(at, begin) if is_next else begin, begin)
            return
        self.problems.append(_lost(buffer, *gap, form))

    def _leave_out(self, arrays: list[Any], begin: int) -> None:
        """Take back the pieces from `begin` on: they are not what they seemed."""
        state = self._state
        before = 4 - self._form.width - 4 * self._form.nested  # bytes that a start is before it
        starts = arrays[0][: int(state[walk.COUNT])] + before
        row = int(np.searchsorted(starts, begin))
        state[walk.BYTES] -= int(arrays[1][row : int(state[walk.COUNT])].sum())
        state[walk.COUNT] = row

    def _turn_to(self, other: Form, at: int, begin: int) -> None:
        """Another dump begins here."""
        self.problems.append(seam(at, begin, self._form, other))
        self._jump(begin)
        if other.kind != self._form.kind:
            self.rest = begin
        self._form = other

    def _skip(self, form: Form, arrays: list[Any], at: int) -> salvage.Gap:
        """Go on behind what is damaged."""
        state, buffer = self._state, self._buffer
        if not form.made:
            return salvage.resume(buffer, form, state, arrays, self._before)
        if state[walk.OPEN] >= 0:  # nothing proves a record that has not ended
            row, at = int(state[walk.OPEN]), int(state[walk.OPEN_AT])
            state[walk.BYTES] -= int(arrays[1][row : int(state[walk.COUNT])].sum())
            state[walk.COUNT] = row
        start = salvage.take_back(buffer, form, state, arrays, at, self._before)
        begin = at if start is None else start
        place = form.search(buffer, begin + (form.name != "ftp_record"), buffer.size)[0]
        end = place if place >= 0 else buffer.size
        self._jump(end)
        is_cut = place < 0 and buffer.size - at < 1 << 16
        reason = salvage.TRUNCATED if is_cut else salvage.BAD_RDW
        return salvage.Gap(begin, end - begin, reason)

    def _jump(self, to: int) -> None:
        state = self._state
        state[walk.POSITION] = state[walk.BLOCK_AT] = state[walk.BLOCK_END] = to
        state[walk.OPEN], state[walk.FRESH], state[walk.BROKEN] = -1, AFTER_GAP, 0
        state[walk.SURE] = 1
        if self._form.name != "ftp_record":
            state[walk.LSN] = state[walk.LAST_END] = 0


class _RepeatedBlocks:
    """Blocks with BDWs that are equal to the block before them: copied twice."""

    def __init__(self) -> None:
        self._begin = self._end = np.empty(0, np.int64)  # of the last two blocks

    def of(self, buffer: U8, pieces: Pieces) -> list[Problem]:
        """What is said of the blocks of a part but the last, which may go on in the next part.

        A block begins where a BDW stands in front of a piece, and ends where its last piece does.
        """
        is_first = not len(self._end)
        ends = np.append(-1 if is_first else self._end[-1], pieces.start + pieces.length)
        first = np.flatnonzero(pieces.start != ends[:-1])  # piece of each block that begins here
        begin = np.append(self._begin, pieces.start[first] - _RDW)
        end = np.concatenate([self._end[:-1], ends[first][int(is_first) :], ends[-1:]])
        self._begin, self._end = begin[-2:], end[-2:]
        return _repeats(buffer, begin[:-1], end[:-1])

    def rest(self, buffer: U8) -> list[Problem]:
        """What is said of the last block of all."""
        return _repeats(buffer, self._begin, self._end)


def _repeats(buffer: U8, begin: I64, end: I64) -> list[Problem]:
    """A problem for each block that is equal to the one before it.

    Not of the middle of one record: a long one may hold the same bytes again and again.
    """
    size = end - begin
    pairs = np.flatnonzero((size[1:] == size[:-1]) & (size[1:] > _HEAD) & (begin[1:] == end[:-1]))
    pairs = pairs[buffer[begin[pairs] + _RDW + 2] != MIDDLE]
    head = np.arange(_HEAD)
    same = buffer[begin[pairs, None] + head] == buffer[begin[pairs + 1, None] + head]
    alike = pairs[same.all(axis=1)]
    places = zip(
        begin[alike].tolist(), begin[alike + 1].tolist(), size[alike].tolist(), strict=True
    )
    return [
        _repeated(at, many)
        for before, at, many in places
        if np.array_equal(buffer[before : before + many], buffer[at : at + many])
    ]


def _repeated(at: int, size: int) -> Problem:
    detail = f"found a block equal to the {size:,} bytes before it: a block that was copied twice"
    return Problem(None, at, 0, None, None, "info", "repeat", detail)


def _grown(array: Any) -> Any:
    return np.concatenate([array, np.empty(len(array), array.dtype)])


# --- what was lost -------------------------------------------------------------------------------

_NO_END = "found the end of the file, expected {}, which ends it"
_END_MARKS = {"ftp_block": "an FTP block with X'40'", "ftp_record": "X'FF02' or X'FF03'"}
_REASONS = {
    salvage.TRUNCATED: ("truncated", "found the end of the file, expected the rest of a record"),
    salvage.BAD_RDW: ("bad_rdw", "expected an RDW that leads to the next record"),
    salvage.BAD_BLOCK: ("bad_bdw", "expected a BDW that leads to the next block"),
    salvage.GARBAGE: ("garbage", "found no record from here to the end of the file"),
}
_EXPECTED = {
    "length_prefix": "expected a 4-byte length that leads to the next record",
    "length_swapped": "expected a 4-byte length, low byte first, that leads to the next record",
    "ftp_block": "expected an FTP block header that leads to the next record",
    "ftp_record": "expected a whole record that X'FF01' or X'FF02' ends, X'FFFF' for X'FF' in it",
    "no_rdw": "expected a record that ends by its own triplets where another begins",
}


def _without_bdw(buffer: U8, evidence: Evidence) -> Problem:
    """Records in front of the first block: the BDW of theirs is lost; or, if a block cannot hold
    them, they are a dump of their own."""
    if evidence.block_end <= _BLOCK:
        return _lost(buffer, 0, 0, salvage.BAD_BLOCK)
    return seam(
        evidence.block_end, evidence.block_end, Form("rdw", evidence.form.kind), evidence.form
    )


def _lost(buffer: U8, at: int, lost: int, reason: int, form: Form | None = None) -> Problem:
    word, expected = _REASONS[reason]
    if form is not None and reason == salvage.BAD_RDW:
        expected = _EXPECTED.get(form.name, expected)
        word = "not_proved" if form.name == "no_rdw" else word
    gone = buffer[at : at + lost]
    found = gone[:4].tobytes().hex().upper()
    detail = expected if expected.startswith("found") else f"found X'{found}', {expected}"
    if lost and not gone.any():
        word, detail = "zeros", f"found {lost:,} zero bytes, expected a record"
    return Problem(None, at, lost, None, None, "data_loss", word, detail)


# --- whole records -------------------------------------------------------------------------------


def whole_records(buffer: U8, form: Form, pieces: Pieces) -> tuple[Whole, list[Problem]]:
    """The records that pieces make; those without all their bytes become problems."""
    rows = len(pieces.start)
    sectors = zero_runs(buffer, pieces.start, pieces.length)
    hit = lost_pages(buffer, pieces.start, pieces.length)
    problems = list[Problem]()
    if not form.made and not (pieces.code & ~np.uint8(AFTER_GAP)).any():
        none = np.zeros(rows, np.bool_)
        records = Whole(np.empty(0, np.uint8), pieces.start, pieces.length, none, pieces.start)
        record = np.arange(rows)
    else:
        records, record, problems = _put_together(buffer, form, pieces)
    records = records._replace(zeros=_in_records(sectors, pieces, record))
    bad = None
    if form.name == "ftp_record":
        bad = _misfits(buffer, form, records)
    elif form.name == "ftp_block" and len(records.start) < rows:
        bad = _several(buffer, form, pieces, record, records)
    if hit.any() or bad is not None:
        lost = np.zeros(len(records.start), np.bool_)
        lost[record[hit & (record >= 0)]] = True
        bad = lost if bad is None else bad
        problems += _left_out(records, lost, "zeroed_page")
        problems += _left_out(records, bad & ~lost, "other")
        records = _without(records, bad | lost)
    return records._replace(joined_buffer=read_only(records.joined_buffer)), problems


_LEFT_OUT = {
    "zeroed_page": "found a page of 4,096 zero bytes inside a record, which is left out whole",
    "other": "found a record whose length or header is wrong; it is left out",
}


def _left_out(records: Whole, bad: npt.NDArray[np.bool_], reason: str) -> list[Problem]:
    """Records that lost bytes: they are told, never shown as zeros."""
    return [
        Problem(None, place, length, None, None, "data_loss", reason, _LEFT_OUT[reason])
        for place, length in zip(
            records.byte_offset[bad].tolist(), records.length[bad].tolist(), strict=True
        )
    ]


def _without(records: Whole, bad: npt.NDArray[np.bool_]) -> Whole:
    """The records but those."""
    keep = ~bad
    row = np.cumsum(keep) - 1
    zeros = records.zeros[keep[records.zeros[:, ROW]]]
    pairs = records.pairs[keep[records.pairs[:, join.ROW]]]
    zeros[:, ROW], pairs[:, join.ROW] = row[zeros[:, ROW]], row[pairs[:, join.ROW]]
    return Whole(
        records.joined_buffer, records.start[keep], records.length[keep], records.joined[keep],
        records.byte_offset[keep], zeros, pairs,
    )  # fmt: skip


def _in_records(zeros: I64, pieces: Pieces, record: I64) -> I64:
    """The same ranges with their records and the places in these, without pieces of no record."""
    if len(zeros) and len(record) and int(record[-1]) != len(record) - 1:
        data = pieces.length.astype(np.int64) - _RDW
        before = np.cumsum(data) - data
        first = np.flatnonzero(np.diff(record, prepend=-2))
        begin = np.repeat(before[first], np.diff(first, append=len(record)))
        piece = zeros[:, ROW].copy()
        zeros[:, ROW + 1 : EDGES] += (before - begin)[piece, None]
        zeros[:, ROW] = record[piece]
        zeros = zeros[zeros[:, ROW] >= 0]
    return zeros


def _put_together(buffer: U8, form: Form, pieces: Pieces) -> tuple[Whole, I64, list[Problem]]:
    """Joined records, the record of each piece, and pieces without the rest of their record."""
    rows = len(pieces.start)
    record, orphan = (np.empty(rows + 1, dtype=np.int64) for _ in range(2))
    records, orphans, size = join.join_plan(pieces.length, pieces.code, record, orphan)
    record = record[:rows]
    problems = _orphans(pieces, record, orphan[:orphans], _RDW if form.made else 0)
    if form.made:
        found = _unwrapped(buffer, form, pieces, record, records)
        return found, record, problems
    start, place = np.empty(records, np.int64), np.empty(records, np.int64)
    length, joined = np.empty(records, np.int32), np.zeros(records, np.bool_)
    data = np.empty(size, dtype=np.uint8)
    join.join(
        buffer, pieces.start, pieces.length, pieces.code, record,
        data, start, length, joined, place,
    )  # fmt: skip
    pairs = join.pairs_alike(pieces.length, pieces.code, record)
    return Whole(data, start, length, joined, place, pairs=pairs), record, problems


def _unwrapped(buffer: U8, form: Form, pieces: Pieces, record: I64, records: int) -> Whole:
    """Records that have no RDW of their own in place, each behind one that is made."""
    start, place = np.empty(records, np.int64), np.empty(records, np.int64)
    length, joined = np.empty(records, np.int32), np.ones(records, np.bool_)
    size = int(pieces.length[record >= 0].sum(dtype=np.int64)) + 4 * records
    data = np.empty(size, dtype=np.uint8)
    join.unwrap(buffer, pieces.start, pieces.length, record, data, start, length, place)
    return Whole(data, start, length, joined, place)


def _misfits(buffer: U8, form: Form, records: Whole) -> npt.NDArray[np.bool_]:
    """Records whose own RDW says another length, or that make no sense at all."""
    bad = np.empty(len(records.start), np.bool_)
    transfer.misfits(
        buffer, records.byte_offset - 4, read_only(records.joined_buffer), records.start,
        records.length, form.nested, form.clocks, bad,
    )  # fmt: skip
    return bad


def _several(
    buffer: U8, form: Form, pieces: Pieces, record: I64, records: Whole
) -> npt.NDArray[np.bool_]:
    """Records that are several, or whose own RDW says another length."""
    bad = np.zeros(len(records.start), np.bool_)
    transfer.several(buffer, pieces.start, pieces.length, record, form.nested, form.clocks, bad)
    if form.nested:
        many = np.bincount(record[record >= 0], minlength=len(bad)) > 1
        place = records.byte_offset[many] - 4
        bad[many] |= (buffer[place].astype(int) << 8 | buffer[place + 1]) != records.length[many]
    return bad


_SEGMENT = {
    FIRST: "found the start of a spanned record, expected its other segments to follow",
    MIDDLE: "found a middle segment, expected the start of its record before it",
    LAST: "found a last segment, expected the start of its record before it",
}


def _orphans(pieces: Pieces, record: I64, orphan: I64, added: int) -> list[Problem]:
    """A problem for each run; `added` bytes of each piece are an RDW that is not in the file."""
    lost = np.where(record < 0, pieces.length - added, 0)
    sums: Any = np.add.reduceat(lost, orphan) if len(orphan) else []
    return [
        Problem(None, int(pieces.start[at]) + added, int(bytes_), None, None, "data_loss",
                "missing_segment", _SEGMENT[int(pieces.code[at]) & 3])
        for at, bytes_ in zip(orphan.tolist(), sums, strict=True)
    ]  # fmt: skip
