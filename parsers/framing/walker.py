"""Walk along a file piece by piece, go on after damage, and put records together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.parsers.framing import join, resync, salvage
from imsperf.parsers.framing.concatenated import EVERY, beginnings, glued_in, going_on, seam
from imsperf.parsers.framing.forms import USUAL, Form, Rdw
from imsperf.parsers.framing.lost_pages import EDGES, ROW, Zeros, with_lost_pages, zero_runs
from imsperf.parsers.framing.recognise import Evidence
from imsperf.parsers.framing.repeats import RepeatedBlocks
from imsperf.parsers.framing.walk_state import WALK_STATE, Pieces, Records, walk_from
from imsperf.parsers.kernels.loads import (
    AFTER_GAP,
    FIRST,
    I64,
    LAST,
    MIDDLE,
    U8,
    bytes_of_arrow,
    read_only,
)
from imsperf.parsers.problems import Problem

_ROOM = 1 << 16  # pieces of a part, at first
_RDW = 4
_PADDING = 1 << 20  # bytes of zeros behind a file that are looked through
_BLOCK = 32_760  # bytes of a block of usual length
_MANY = 4096  # pieces of the next record that are looked at


@dataclass(frozen=True)
class Mark:
    """Where a walk stands between two parts: all that another walk needs to go on from there."""

    form: Form
    state: bytes  # the fields of a WalkState
    before: int  # where the last record of the part before ends

    @property
    def position(self) -> int:
        """The byte of the file where it goes on."""
        return int(np.frombuffer(self.state, WALK_STATE)[0]["position"])


class Walker:
    """Walks a file once; `problems` grows with it.

    It stops where a dump of other records begins: `rest` is that place.
    """

    def __init__(self, buffer: U8, evidence: Evidence, limit: int) -> None:
        self.problems: list[Problem] = []
        self.rest: int | None = None
        self._begin = evidence.at
        self._buffer, self._form, self._limit = buffer, evidence.form, limit
        self._state = walk_from(evidence.at, evidence.block_end)
        self._before = 0  # where the last record of the part before ends
        self._repeats = RepeatedBlocks()
        if evidence.form.blocked and evidence.at == 0 and evidence.block_end:
            self.problems.append(_without_bdw(buffer, evidence))
        if evidence.at:
            self._state.gap, self._state.is_proved = AFTER_GAP, 1
            self._state.last_end = evidence.form.order_from(evidence.at)
            self.problems.append(_lost(buffer, 0, evidence.at, salvage.BAD_RDW, evidence.form))

    def pieces(self) -> Iterator[tuple[Form, Pieces]]:
        """The pieces, about `limit` bytes at a time; a record's pieces are never parted."""
        state = self._state
        while not self._at_end:
            form, noted = self._form, self._part()
            if not self._at_end and form is self._form and state.open_piece >= 0:
                self._hold_back(noted)
            pieces = noted.first(int(state.piece_count))
            if len(pieces.start):
                self._before = pieces.end(-1)
                if form.blocked:
                    self.problems += self._repeats.of(self._buffer, pieces)
                yield form, pieces
        last = self.problems[-1] if self.problems else None
        self.problems += self._repeats.rest(self._buffer)
        is_padding = last and last.reason == "zeros" and last.bytes < _RDW
        if is_padding and last and last.byte_offset + last.bytes == self._buffer.size:
            return  # too short for an RDW: no record was cut
        is_open = self.rest is None and not self._form.is_ended(self._buffer, state)
        if (state.is_cut or is_open) and not (last and last.reason == "truncated"):
            cut = _lost(self._buffer, self._buffer.size, 0, salvage.TRUNCATED)
            detail = _NO_END.format(self._form.file_end)
            self.problems.append(replace(cut, detail=detail) if is_open else cut)

    def mark(self) -> Mark:
        """Where it stands: before the first part, or when a part was taken."""
        return Mark(self._form, self._state.tobytes(), self._before)

    def go_on(self, mark: Mark) -> None:
        """Go on where a walk of the same file stood."""
        self._form, self._before = mark.form, mark.before
        self._state = np.frombuffer(mark.state, WALK_STATE).copy()[0]

    def _hold_back(self, pieces: Pieces) -> None:
        """Leave a record that has not ended to the next part."""
        state = self._state
        row = int(state.open_piece)
        state.position, state.block_end = state.open_position, state.open_block_end
        state.piece_count, state.is_proved, state.open_piece = row, 1, -1
        state.gap = int(pieces.code[row]) & AFTER_GAP

    @property
    def _at_end(self) -> bool:
        return self.rest is not None or bool(self._state.position >= self._buffer.size)

    def _part(self) -> Pieces:
        """The pieces of one part, with room for more; their count is in the state."""
        state, form, limit = self._state, self._form, self._limit
        pieces = Pieces.room(_ROOM)
        state.no_pieces()
        while not self._at_end:
            form.walk(self._buffer, limit, state, pieces)
            is_full = state.piece_count == len(pieces.start)
            if state.is_broken:
                pass
            elif state.open_piece == 0 or (is_full and state.piece_bytes < limit):
                pieces = pieces.doubled() if is_full else pieces
                limit = max(limit, 2 * int(state.piece_bytes)) if not is_full else limit
                continue
            elif not self._is_broken_behind(form, pieces.code.copy()):
                break
            self._mend(form, pieces)
            if self._form is not form:
                break
        return pieces

    def _is_broken_behind(self, form: Form, codes: U8) -> bool:
        """Whether no piece follows the last one of a part: then that one may be taken back too.

        Where records are wrapped, whether no record does: an open one is no proof. `codes`: a copy.
        """
        state = self._state
        before, room = state.copy(), Pieces.room(1)
        room = Pieces(room.start, room.length, codes)
        for _ in range(_MANY):
            state.no_pieces()
            form.walk(self._buffer, 1, state, room)
            if not form.adds_rdw or state.open_piece < 0 or state.is_broken or self._at_end:
                break
        if not state.is_broken:
            state.restore(before)
            return False
        state.piece_count, state.piece_bytes = before.piece_count, before.piece_bytes
        if before.open_piece < 0 <= state.open_piece:
            state.open_piece = state.piece_count  # none of its pieces is in this part
        return True

    def _mend(self, form: Form, pieces: Pieces) -> None:
        """Go on where the chain broke: with another dump glued on, or behind what is damaged."""
        state, buffer = self._state, self._buffer
        at = int(state.position)
        end = int(state.block_end) if form.blocked else buffer.size
        is_odd = not form.adds_rdw and resync.is_odd_record(
            buffer, at, end, form.blocked, form.clocks
        )
        if is_odd and going_on(buffer, at, form, in_block=True) is None:  # no other records
            state.is_broken, state.is_proved = 0, 1
            return
        block = [int(state.block_begin)] if form.blocked and at < end else []
        forms = EVERY if form.sees_any_form else USUAL
        for begin in (*block, *beginnings(buffer, at, form)):
            other = going_on(buffer, begin, form, form.blocked and begin < end, forms)
            if other is not None and begin > self._begin:
                if form.adds_rdw and state.open_piece >= 0:  # its record has not ended
                    at = min(at, int(state.open_position))
                    self._leave_out(pieces, min(at, begin))
                self._leave_out(pieces, begin)
                if form.adds_rdw and buffer[at:begin].any():
                    self.problems.append(_lost(buffer, at, begin - at, salvage.BAD_RDW, form))
                    at = begin
                self._turn_to(other, min(at, begin), begin)
                return
        before = state.copy()
        gap = self._skip(form, pieces, at)
        other, begin = glued_in(buffer, gap.at, gap.at + gap.bytes, [*block, at], form) or (None, 0)
        if other is not None and begin > self._begin:
            is_next = begin in block or (begin >= at and not buffer[at:begin].any())
            if is_next:
                state.restore(before)  # the record that leads to it is right
            else:
                self.problems.append(_lost(buffer, gap.at, begin - gap.at, gap.reason, form))
            self._turn_to(other, min(at, begin) if is_next else begin, begin)
            return
        self.problems.append(_lost(buffer, *gap, form))

    def _leave_out(self, pieces: Pieces, begin: int) -> None:
        """Take back the pieces from `begin` on: they are not what they seemed."""
        starts = pieces.start[: int(self._state.piece_count)] + self._form.shift
        pieces.take_back(self._state, int(np.searchsorted(starts, begin)))

    def _turn_to(self, other: Form, at: int, begin: int) -> None:
        """Another dump begins here."""
        self.problems.append(seam(at, begin, self._form, other))
        self._jump(begin)
        if other.kind != self._form.kind:
            self.rest = begin
        self._form = other

    def _skip(self, form: Form, pieces: Pieces, at: int) -> salvage.Gap:
        """Go on behind what is damaged."""
        state, buffer = self._state, self._buffer
        if not form.adds_rdw:
            return salvage.resume(buffer, form, state, pieces, self._before)
        if state.open_piece >= 0:  # nothing proves a record that has not ended
            at = int(state.open_position)
            pieces.take_back(state, int(state.open_piece))
        start = salvage.take_back(buffer, form, state, pieces, at, self._before)
        begin = at if start is None else start
        place = form.search(buffer, begin + form.least_step, buffer.size)[0]
        end = place if place >= 0 else buffer.size
        self._jump(end)
        is_cut = place < 0 and buffer.size - at < 1 << 16
        reason = salvage.TRUNCATED if is_cut else salvage.BAD_RDW
        return salvage.Gap(begin, end - begin, reason)

    def _jump(self, to: int) -> None:
        self._state.jump(to, to)
        self._form.lose_order(self._state)


# --- what was lost -------------------------------------------------------------------------------

_NO_END = "found the end of the file, expected {}, which ends it"
_REASONS = {
    salvage.TRUNCATED: ("truncated", "found the end of the file, expected the rest of a record"),
    salvage.BAD_RDW: (Form.lost_reason, Form.expected),
    salvage.BAD_BLOCK: ("bad_bdw", "expected a BDW that leads to the next block"),
    salvage.GARBAGE: ("garbage", "found no record from here to the end of the file"),
}


def _without_bdw(buffer: U8, evidence: Evidence) -> Problem:
    """Records in front of the first block: the BDW of theirs is lost; or, if a block cannot hold
    them, they are a dump of their own."""
    if evidence.block_end <= _BLOCK:
        return _lost(buffer, 0, 0, salvage.BAD_BLOCK)
    at, form = evidence.block_end, evidence.form
    return seam(at, at, Rdw(form.kind), form)


def _lost(buffer: U8, at: int, lost: int, reason: int, form: Form | None = None) -> Problem:
    word, expected = _REASONS[reason]
    if form is not None and reason == salvage.BAD_RDW:
        word, expected = form.lost_reason, form.expected
    gone = buffer[at : at + lost]
    first = gone[:4].tobytes().hex().upper()
    detail = expected if expected.startswith("found") else f"found X'{first}', {expected}"
    if lost and not gone.any():
        word, detail = "zeros", f"found {lost:,} zero bytes, expected a record"
    return Problem(None, at, lost, None, None, "data_loss", word, detail)


# --- whole records -------------------------------------------------------------------------------


def whole_records(buffer: U8, form: Form, pieces: Pieces) -> tuple[Records, list[Problem]]:
    """The records that pieces make; those without all their bytes become problems."""
    rows = len(pieces.start)
    problems = list[Problem]()
    if not form.adds_rdw and not (pieces.code & ~np.uint8(AFTER_GAP)).any():
        none = np.zeros(rows, np.bool_)
        records = Records(np.empty(0, np.uint8), pieces.start, pieces.length, none, pieces.start)
        record = None  # each piece is one
    else:
        records, record, problems = _put_together(buffer, form, pieces)
    zeros = Zeros(lambda: zero_runs(buffer, pieces.start, pieces.length))
    records = records._replace(zeros=zeros.changed(lambda runs: _in_records(runs, pieces, record)))
    bad = None if record is None else form.misjoined(buffer, pieces, record, records)
    hit = with_lost_pages(buffer, pieces.start, pieces.length)
    hit = hit if record is None else record[hit]
    if len(hit) or bad is not None:
        lost = np.zeros(len(records.start), np.bool_)
        lost[hit[hit >= 0]] = True
        bad = lost if bad is None else bad
        problems += _left_out(records, lost, "zeroed_page")
        problems += _left_out(records, bad & ~lost, "other")
        records = _without(records, bad | lost)
    return records._replace(joined_buffer=read_only(records.joined_buffer)), problems


_LEFT_OUT = {
    "zeroed_page": "found a page of 4,096 zero bytes inside a record, which is left out whole",
    "other": "found a record whose length or header is wrong; it is left out",
}


def _left_out(records: Records, bad: npt.NDArray[np.bool_], reason: str) -> list[Problem]:
    """Records that lost bytes: they are told, never shown as zeros."""
    return [
        Problem(None, place, length, None, None, "data_loss", reason, _LEFT_OUT[reason])
        for place, length in zip(
            records.byte_offset[bad].tolist(), records.length[bad].tolist(), strict=True
        )
    ]


def _without(records: Records, bad: npt.NDArray[np.bool_]) -> Records:
    """The records but those."""
    keep = ~bad
    row = np.cumsum(keep) - 1

    def of_kept(places: I64) -> I64:
        some = places[keep[places[:, ROW]]]
        some[:, ROW] = row[some[:, ROW]]
        return some

    return Records(
        records.joined_buffer, records.start[keep], records.length[keep], records.joined[keep],
        records.byte_offset[keep], records.zeros.changed(of_kept), of_kept(records.pairs),
    )  # fmt: skip


def _in_records(zeros: I64, pieces: Pieces, record: I64 | None) -> I64:
    """The same ranges with their records and the places in these, without pieces of no record.
    `record`: that of each piece; None: each is one."""
    if len(zeros) and record is not None and int(record[-1]) != len(record) - 1:
        data = pieces.length.astype(np.int64) - _RDW
        before = np.cumsum(data) - data
        first = np.flatnonzero(np.diff(record, prepend=-2))
        begin = np.repeat(before[first], np.diff(first, append=len(record)))
        piece = zeros[:, ROW].copy()
        zeros[:, ROW + 1 : EDGES] += (before - begin)[piece, None]
        zeros[:, ROW] = record[piece]
        zeros = zeros[zeros[:, ROW] >= 0]
    return zeros


def _put_together(buffer: U8, form: Form, pieces: Pieces) -> tuple[Records, I64, list[Problem]]:
    """Joined records, the record of each piece, and pieces without the rest of their record."""
    rows = len(pieces.start)
    record, orphan = (np.empty(rows + 1, dtype=np.int64) for _ in range(2))
    records, orphans, size = join.join_plan(pieces.length, pieces.code, record, orphan)
    record = record[:rows]
    problems = _orphans(pieces, record, orphan[:orphans], _RDW if form.adds_rdw else 0)
    if form.adds_rdw:
        return _unwrapped(buffer, pieces, record, records), record, problems
    start, place = np.empty(records, np.int64), np.empty(records, np.int64)
    length, joined = np.empty(records, np.int32), np.zeros(records, np.bool_)
    data = bytes_of_arrow(size)
    join.join(
        buffer, pieces.start, pieces.length, pieces.code, record,
        data, start, length, joined, place,
    )  # fmt: skip
    pairs = join.pairs_alike(pieces.length, pieces.code, record)
    return Records(data, start, length, joined, place, pairs=pairs), record, problems


def _unwrapped(buffer: U8, pieces: Pieces, record: I64, records: int) -> Records:
    """Records that have no RDW of their own in place, each behind one that is made."""
    start, place = np.empty(records, np.int64), np.empty(records, np.int64)
    length, joined = np.empty(records, np.int32), np.ones(records, np.bool_)
    size = int(pieces.length[record >= 0].sum(dtype=np.int64)) + 4 * records
    data = bytes_of_arrow(size)
    join.unwrap(buffer, pieces.start, pieces.length, record, data, start, length, place)
    return Records(data, start, length, joined, place)


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
