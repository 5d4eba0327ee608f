"""Kernels for files whose records have no RDW of their own kind: how transfers wrap records.

Sources: RFC 959, 3.1.2.2 (record structure) and 3.4.2 (block mode); IBM z/OSMF REST files
interface, data type `record`, and z/OS UNIX FILEDATA=RECORD (4-byte length before each record).
A piece of a record is noted with the place 4 bytes before its data, as if an RDW stood there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.framing.walk_state import WalkState
from imsperf.parsers.kernels.loads import (
    AFTER_GAP,
    FIRST,
    I32,
    I64,
    LAST,
    MIDDLE,
    SMF_HEADER,
    SUFFIX,
    U8,
    WHOLE,
    behind_zeros,
    follows,
    is_named,
    near,
    sane,
    word16,
    word32,
    word64,
)

LENGTH4, FTP_BLOCK, SWAPPED, LINES, LITTLE4 = range(5)  # how a record is wrapped
_WIDTH, _MARK = 8, 16  # with LINES: bits where the bytes of a line end are counted, and stand
_LONGEST = 1 << 24  # bytes of a record that a 4-byte length may claim
_EOR, _EOF, _KNOWN = 0x80, 0x40, 0xF0  # descriptor bits of a block; all that have a meaning
_ESCAPE, _RECORD_END, _FILE_END, _BOTH = 0xFF, 1, 2, 3  # of the record structure
_TWICE = 0xFFFF  # one byte X'FF' of data there
_LSN_BITS, _NONE = np.uint64(48), np.uint64(0)  # that a log sequence number takes at most
_PIECES = 1024  # of one record that a proof looks at
_NO_PIECE = (0, 0, 0, False)


def line_end(mark: bytes) -> int:
    """How records with RDWs are wrapped that have one or two bytes behind each of them."""
    return LINES | len(mark) << _WIDTH | int.from_bytes(mark, "big") << _MARK


@inner
def _piece(buffer: U8, at: int, how: int) -> Any:
    """Where the data of the piece at `at` stands, its bytes, where the next begins, its end mark.

    The next place is 0 where no piece stands.
    """
    size = buffer.size
    if at + (3 if how == FTP_BLOCK else 4) > size:
        return 0, 0, 0, False
    turned = np.int64(buffer[at + 1]) << 8 | np.int64(buffer[at])
    if how in (LENGTH4, LITTLE4):
        length = word32(buffer, at)
        if how == LITTLE4:
            length = np.int64(buffer[at + 3]) << 24 | np.int64(buffer[at + 2]) << 16 | turned
        if length == 0 or length > _LONGEST or at + 4 + length > size:
            return 0, 0, 0, False
        return at + 4, length, at + 4 + length, True
    if how == FTP_BLOCK:
        length, ends = word16(buffer, at + 1), buffer[at] & (_EOR | _EOF) != 0
        if buffer[at] & ~np.uint8(_KNOWN) or at + 3 + length > size or not (length or ends):
            return 0, 0, 0, False
        return at + 3, length, at + 3 + length, ends
    length = turned if how == SWAPPED else word16(buffer, at)
    width = how >> _WIDTH & 0xFF
    after = at + length + width
    if length < SMF_HEADER or word16(buffer, at + 2) or after > size:
        return 0, 0, 0, False
    if width and word16(buffer, after - 2) & ((1 << 8 * width) - 1) != how >> _MARK:
        return 0, 0, 0, False
    return at + 4, length - 4, after, True


@inner
def _begins(buffer: U8, data: int, length: int, nested: bool, clocks: Any) -> Any:
    """Whether a record begins in a piece: its header makes sense, and its own RDW if it has one."""
    if nested and (length < 4 or word16(buffer, data) != length or word16(buffer, data + 2)):
        return False
    skip = 0 if nested else 4
    return sane(buffer, data - skip, length + skip, clocks)


@inner
def _note(
    state: WalkState, starts: I64, lengths: I32, codes: U8, data: int, length: int, ends: bool
) -> None:
    row, begins = state.piece_count, state.open_piece < 0
    code = (WHOLE if ends else FIRST) if begins else (LAST if ends else MIDDLE)
    if code == FIRST:
        state.open_piece, state.open_position = row, state.position
    elif ends:
        state.open_piece = -1
    starts[row], lengths[row], codes[row] = data - 4, length + 4, code | state.gap
    state.piece_count = row + 1
    state.gap = 0
    state.piece_bytes += length + 4


@inner
def _in_order(buffer: U8, end: int, after: int, how: int, state: WalkState, clocks: Any) -> Any:
    """Whether a log record may end at `end`: it follows the last one, or has a possible sequence
    number and the next one makes sense (merged logs)."""
    last = state.last_end
    good = last == 0 or follows(buffer, last, end, clocks)
    if not good and word64(buffer, end - 8) >> _LSN_BITS == _NONE:
        data, length, then, ends = _piece(buffer, after, how) if after < buffer.size else _NO_PIECE
        good = after == buffer.size or (
            then != 0 and (not ends or sane(buffer, data - 4, length + 4, clocks))
        )
    if good:
        state.last_end = end
    return good


@kernel
def walk_wrapped(
    buffer: U8, clocks: Any, limit: int, state: WalkState, starts: I64, lengths: I32, codes: U8,
    how: int, nested: bool,
) -> None:  # fmt: skip
    """Records behind a length or an FTP block header; `nested`: an RDW is part of their data."""
    while (
        state.position < buffer.size
        and state.piece_count < starts.size
        and state.piece_bytes < limit
    ):
        at, begins = state.position, state.open_piece < 0
        data, length, after, ends = _piece(buffer, at, how)
        tells = begins and length and (ends or clocks.size == 0)  # a suffix stands at the end
        good = after != 0 and (not tells or _begins(buffer, data, length, nested, clocks))
        if good and not state.is_proved and clocks.size and ends and length >= SUFFIX:
            good = _in_order(buffer, data + length, after, how, state, clocks)
        if not good:
            state.is_broken = 1
            return
        state.is_proved = 0
        if length or not begins:  # nothing stands in the block that ends the file
            skip = 4 if nested and begins else 0
            _note(state, starts, lengths, codes, data + skip, length - skip, ends)
        state.position = after
        if how == FTP_BLOCK:
            state.file_ends = buffer[at] & _EOF
            if state.file_ends:
                state.open_piece = -1


@inner
def _record_end(buffer: U8, at: int, how: int) -> Any:
    """Where the data of the record at `at` end, and where the next piece begins; 0 where it does
    not end."""
    for _ in range(_PIECES):
        data, length, after, ends = _piece(buffer, at, how) if at < buffer.size else _NO_PIECE
        if after == 0 or ends:
            return data + length, after
        if length == 0:
            break
        at = after
    return 0, 0


@inner
def _starts(buffer: U8, at: int, how: int, nested: bool, clocks: Any) -> Any:
    """Whether a record is proved to begin at `at`: of SMF, by a name in its header; of a log, by
    the suffix that stands before it, which its own must follow."""
    data, length, after, _ = _piece(buffer, at, how) if at < buffer.size else _NO_PIECE
    if after == 0 or length < 4:
        return False
    if nested and (word16(buffer, data) > length or word16(buffer, data + 2) != 0):
        return False
    if clocks.size == 0:
        return is_named(buffer, data - (0 if nested else 4))
    end = at - (how >> _WIDTH & 0xFF)
    if end < SUFFIX or word64(buffer, end - 8) >> _LSN_BITS != _NONE:
        return False
    if not clocks[0] <= word64(buffer, end - 16) <= clocks[1]:
        return False
    return follows(buffer, end, _record_end(buffer, at, how)[0], clocks)


@kernel
def search_wrapped(buffer: U8, clocks: Any, at: int, until: int, how: int, nested: bool) -> int:
    """First place from `at` on where two records stand, or one and the end; -1 if there is none."""
    last = min(until, buffer.size - 4)
    while at < last:
        if buffer[at] == 0 and buffer[at + 3] == 0:
            at = behind_zeros(buffer, at, last)
        if _starts(buffer, at, how, nested, clocks):
            after = _record_end(buffer, at, how)[1]
            ends = after == buffer.size or (how == FTP_BLOCK and after + 3 == buffer.size)
            if clocks.size or (after and (ends or _starts(buffer, after, how, nested, clocks))):
                return at
        at += 1
    return -1


@inner
def _suffix(buffer: U8, begin: int, end: int) -> Any:
    """Clock and number in the last 16 bytes before a mark, in which X'FF' stands twice; 0 and 0
    where there are fewer."""
    clock = number = np.uint64(0)
    at = end
    for i in range(SUFFIX):
        at -= 2 if at > begin and buffer[at - 1] == _ESCAPE else 1
        if at < begin:
            return np.uint64(0), np.uint64(0)
        byte = np.uint64(buffer[at]) << np.uint64(8 * (i % 8))
        if i < 8:
            number |= byte
        else:
            clock |= byte
    return clock, number


@inner
def _ends_here(
    buffer: U8, begin: int, end: int, is_behind: bool, state: WalkState, clocks: Any
) -> Any:
    """Whether a log record from `begin` may end at a mark: its suffix makes sense, and no mark was
    forged or lost. `is_behind`: lost bytes end where it begins.

    The rest of a damaged record has the number that was next before the damage; what holds two
    records holds the suffix of the first.
    """
    clock, number = _suffix(buffer, begin, end)
    if not clocks[0] <= clock <= clocks[1] or number >> _LSN_BITS != _NONE:
        return False
    last, bit = state.last_end, np.uint64(1)
    step = number - np.uint64(state.last_lsn) if last else bit
    state.last_end, state.last_lsn = end, np.int64(number)
    if is_behind and step == bit:
        return begin == last + 2  # behind a mark that stands
    if not last or step == bit + bit:
        for at in range(begin + SUFFIX, end - SUFFIX):
            if word64(buffer, at - 8) == number - bit:
                clock = word64(buffer, at - 16)
                if clocks[0] <= clock <= clocks[1]:
                    return False
    return True


@inner
def _next_escape(buffer: U8, at: Any, until: Any) -> Any:
    """The next place of a byte X'FF', or `until`; eight bytes are looked at together."""
    ones, tops = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
    while at + 8 <= until:
        word = ~word64(buffer, at)
        if (word - ones) & ~word & tops:
            break
        at += 8
    while at < until and buffer[at] != _ESCAPE:
        at += 1
    return at


@kernel
def walk_marked(
    buffer: U8, clocks: Any, limit: int, state: WalkState, starts: I64, lengths: I32, codes: U8,
    nested: bool,
) -> None:  # fmt: skip
    """FTP record structure: X'FF01' ends a record, X'FF02' the file, X'FFFF' is one byte X'FF'.

    With a `last_end` of -1 any mark is believed.
    """
    at = state.position
    while at < buffer.size and state.piece_count < starts.size and state.piece_bytes < limit:
        begin, rdw = at, 4
        has_rdw = (
            nested and state.open_piece < 0 and at + 5 <= buffer.size and buffer[at] != _ESCAPE
        )
        if has_rdw and word16(buffer, at + 1) == _TWICE:  # X'FF' in the length
            at, rdw = at + 3, 5
        at = _next_escape(buffer, at, min(buffer.size, begin + _LONGEST))
        mark = buffer[at + 1] if at + 1 < buffer.size and buffer[at] == _ESCAPE else 0
        if mark != _ESCAPE and not _RECORD_END <= mark <= _BOTH:
            state.position, state.is_broken = begin, 1
            return
        length = at - begin + (mark == _ESCAPE)
        begins, ends = state.open_piece < 0, mark != _ESCAPE
        if ends and clocks.size and not nested and state.last_end >= 0 and mark != _FILE_END:
            first = begin if begins else state.open_position
            fresh = state.gap if begins else codes[state.open_piece] & AFTER_GAP
            if not _ends_here(buffer, first, begin + length, fresh != 0, state, clocks):
                state.position, state.is_broken = begin, 1
                return
        if length or not begins:
            skip = rdw if nested and begins and length >= rdw else 0
            _note(state, starts, lengths, codes, begin + skip, length - skip, ends)
        at += 2
        state.position = at


@kernel
def search_mark(buffer: U8, at: int, until: int) -> int:
    """Behind the next mark before `until` that ends a record, or -1."""
    last = min(until, buffer.size - 1)
    while at < last:
        if buffer[at] == 0:
            at = behind_zeros(buffer, at, last)
        if buffer[at] == _ESCAPE and _RECORD_END <= buffer[at + 1] <= _BOTH:
            return at + 2
        at += 2 if buffer[at] == _ESCAPE else 1
    return -1


@inner
def _said(buffer: U8, at: Any) -> Any:
    """The length in the RDW at `at`, also where its second byte is X'FF' and stands there twice."""
    if at < 1 or word16(buffer, at) != _TWICE:
        return word16(buffer, max(at, 0))
    return np.int64(buffer[at - 1]) << 8 | _ESCAPE


@inner
def _is_clock(buffer: U8, at: int, clocks: Any) -> Any:
    """Whether a clock that a log record can hold stands at `at`."""
    return clocks[0] <= word64(buffer, at) <= clocks[1]


@kernel
def good(
    buffer: U8, clocks: Any, starts: I64, lengths: I32, codes: U8, nested: bool, places: I64
) -> None:
    """Count the records that make sense, of a log those with a rising sequence number, and those
    that begin with an RDW of their own where none is expected.

    `nested`: an RDW stands in front of them, which must say their length.
    """
    last: Any = np.uint64(0)
    begin = size = np.int64(0)  # of the record that a piece belongs to
    for i in range(starts.size):
        code, at = codes[i] & 3, starts[i]
        begin, size = (begin, size + lengths[i] - 4) if code in (LAST, MIDDLE) else (at, lengths[i])
        if clocks.size and code == LAST:  # a suffix is enough
            end = at + lengths[i]
            makes_sense = lengths[i] >= SUFFIX + 4 and _is_clock(buffer, end - SUFFIX, clocks)
        else:
            tells = code == WHOLE or (code == FIRST and clocks.size == 0)
            makes_sense = tells and sane(buffer, at, lengths[i], clocks)
        if not makes_sense:
            continue
        if nested and code in (WHOLE, LAST) and _said(buffer, begin) != size:
            continue
        if not nested and code == WHOLE and word16(buffer, at + 6) == 0:
            places[2] += word16(buffer, at + 4) == lengths[i] - 4
        places[0] += 1
        if clocks.size:
            now = word64(buffer, starts[i] + lengths[i] - 8)
            places[1] += last < now and now >> _LSN_BITS == _NONE
            last = now


@inner
def _ends_at(buffer: U8, end: Any, last: Any, clocks: Any) -> Any:
    """Whether a log record ends at `end`: clock and number of a suffix, the clock near that of the
    suffix at `last`, if one is there whole (else 0)."""
    if end < SUFFIX or word64(buffer, end - 8) >> _LSN_BITS != _NONE:
        return False
    if last:
        return near(buffer, end, last, clocks)
    return _is_clock(buffer, end - SUFFIX, clocks)


@kernel
def several(
    buffer: U8, starts: I64, lengths: I32, record: I64, nested: bool, clocks: Any, bad: Any
) -> None:  # fmt: skip
    """Mark records put together from pieces that are records of their own: the byte that says where
    a record ends was damaged. A later piece begins like an SMF record, or one before it ends like a
    log record. `starts` is 4 bytes before a piece's data; with RDWs those begin a first piece."""
    last = np.int64(0)  # where the record of the next piece ends, 0 if its suffix is in two pieces
    for i in range(starts.size - 1, 0, -1):
        if i == starts.size - 1 or record[i] != record[i + 1]:
            last = starts[i] + lengths[i] if lengths[i] >= SUFFIX + 4 else np.int64(0)
        if record[i] < 0 or record[i] != record[i - 1]:
            continue
        if clocks.size:
            end = starts[i - 1] + lengths[i - 1]
            bad[record[i]] |= _ends_at(buffer, end, last, clocks)
        else:
            bad[record[i]] |= is_named(buffer, starts[i] + (4 if nested else 0))


@kernel
def misfits(
    buffer: U8, starts: I64, record: U8, begins: I64, lengths: I32, nested: bool, clocks: Any,
    bad: Any,
) -> None:  # fmt: skip
    """Mark joined records that make no sense, or whose own RDW, if they have one, says another
    length: they lost bytes, or hold others. `starts`: the place of that RDW in the file."""
    for i in range(begins.size):
        said = _said(buffer, starts[i]) if nested else lengths[i]
        bad[i] = said != lengths[i] or not sane(record, begins[i], lengths[i], clocks)
