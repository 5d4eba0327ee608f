"""Kernels that prove a place where records stand, and search for one behind damage.

A place is proved by a chain: descriptor words that lead from one to the next, with a record header
that makes sense behind them. Sense means, for SMF, a time of day and a packed date at +6 and +10,
and a system id in EBCDIC; for an IMS log, a TOD clock of a possible year in the record's suffix
and a log sequence number that rises. Sources: as in walk.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.kernels.loads import (
    FIRST,
    I64,
    LAST,
    MIDDLE,
    SMF_HEADER,
    SUFFIX,
    U8,
    WHOLE,
    behind_zeros,
    block,
    follows,
    is_name,
    is_named,
    near,
    sane,
    sane_smf,
    segment,
    word16,
    word32,
    word64,
)

_PROOF, _UNNAMED_PROOF = 2, 4  # records in a chain that prove a place
_PIECES = 2048  # that a proof looks at
_BLOCKS = 16  # that a record may span before its proof is given up
_ALL = 1 << 30
_PAGE = 4096  # what file systems and copies lose at once
_SECTOR = 512  # zero bytes that are lost data wherever they begin
_LOG_LEAST, _LONGEST = 21, 32760  # bytes of a log record
_ODD = 8  # records without sense that end a form where they are most
_LIKE = 64  # records looked at for one of the same code


@inner
def _spread(buffer: U8, at: int, length: int, end: int) -> Any:
    """Whether an SMF header that is spread over short segments, and blocks, makes sense."""
    value: Any = np.uint64(0)
    seen = 0
    while length and seen < SMF_HEADER - 8:
        for i in range(at + 4, min(at + length, at + 4 + SMF_HEADER - 8 - seen)):
            value = value << np.uint64(8) | np.uint64(buffer[i])  # time and date remain in it
            seen += 1
        at += length
        if at == end and end < buffer.size:
            end, at = at + block(buffer, at), at + 4
        length = segment(buffer, at, min(end, buffer.size))
        if length and buffer[at + 2] not in (MIDDLE, LAST):
            length = 0
    time, date = np.int64(value >> np.uint64(32)), np.int64(value & np.uint64(0xFFFFFFFF))
    digits = (date >> 3) & ((date >> 2) | (date >> 1)) & 0x11111110
    right = time < 8_640_000 and date < 0x02000000 and date & 0xF >= 0xC and digits == 0
    return seen == SMF_HEADER - 8 and right and date & 0xFFF0 != 0


@inner
def _makes_sense(buffer: U8, at: int, length: int, end: int, clocks: Any) -> Any:
    """A record's header or suffix, also where its first segment is too short to hold it."""
    if length < SMF_HEADER and buffer[at + 2] == FIRST and clocks.size == 0:
        return _spread(buffer, at, length, end)
    return sane(buffer, at, length, clocks)


@inner
def _fills(buffer: U8, at: int, clocks: Any) -> Any:
    """Bytes of the block at `at` that its segments fill, and how many records make sense in it.

    No bytes where they do not fill it.
    """
    length = block(buffer, at)
    end, at = at + length, at + 4
    count, pieces = 0, 0
    if length == 0 or end > buffer.size:
        return 0, 0
    while at < end and pieces < _PIECES:
        step = segment(buffer, at, end)
        if step == 0:
            return 0, 0
        count += buffer[at + 2] <= FIRST and _makes_sense(buffer, at, step, end, clocks)
        at += step
        pieces += 1
    return length, count


@inner
def _is_block(buffer: U8, at: int, length: int, blocked: bool, clocks: Any) -> Any:
    """Whether what passes for a record at `at` is a block: a BDW and records behind it.

    Where blocks are expected, an RDW in it is enough. Elsewhere segments must fill it of which the
    first ends or continues a record, or two log records must stand in it, or one that fills it if
    the next block says so too: its own bytes may look like one. A file of one record only is rather
    a block.
    """
    if length < SMF_HEADER:
        return False
    if blocked and clocks.size and word16(buffer, at + 4) == 0:
        return True  # no log record has code 00
    first = segment(buffer, at + 4, at + length)
    if first == 0:
        return False
    if clocks.size == 0:
        return not is_named(buffer, at)
    if buffer[at + 6] > FIRST and _fills(buffer, at, clocks)[0] > 0:
        return True  # the rest of a record that begins in the block before
    end = at + 4 + first
    second = segment(buffer, end, at + length)
    if blocked or (second and near(buffer, end, end + second, clocks)):
        return True
    after = at + length
    if at == 0 and after == buffer.size and second:
        return sane(buffer, at + 4, first, clocks) and sane(buffer, end, second, clocks)
    return end == after and (after >= buffer.size or _fills(buffer, after, clocks)[0] > 0)


@inner
def _run(buffer: U8, at: int, end: int, most: int, past: int, blocked: bool, clocks: Any) -> Any:
    """Follow a chain of RDWs: where it stops, and how many records in it make sense.

    It is followed for `most` records, and beyond `past`. Where the first record of SMF has a name,
    all must have one.
    """
    count, pieces, last, begin = 0, 0, 0, at
    named = clocks.size == 0 and is_named(buffer, at)
    while at < end and (count < most or at <= past) and (pieces < _PIECES or most == _ALL):
        length = segment(buffer, at, end)
        if length == 0 or length > _LONGEST:
            break
        if buffer[at + 2] <= FIRST:
            is_short = buffer[at + 2] == FIRST and length < SMF_HEADER
            good = _makes_sense(buffer, at, length, end, clocks)
            good = good and (is_short or not named or is_named(buffer, at))
            if not good or _is_block(buffer, at, length, blocked, clocks):
                break
            if clocks.size:
                if at > begin and not follows(buffer, last, at + length, clocks):
                    break
                last = at + length
            count += 1
        at += length
        pieces += 1
    return at, count


@inner
def _smf_stands(buffer: U8, at: int, past: int, blocked: bool, clocks: Any) -> Any:
    """Whether a chain of SMF records begins at `at`: two with names, or one that explains itself.

    Of records without names, four that have the same four bytes there.
    """
    named = is_named(buffer, at)
    length = segment(buffer, at, buffer.size)
    least = _PROOF if named else _UNNAMED_PROOF
    stop, count = _run(buffer, at, buffer.size, least, past, blocked, clocks)
    if not named:
        after = at + length + 14
        alike = after + 4 <= buffer.size and word32(buffer, at + 14) == word32(buffer, after)
        return count >= _UNNAMED_PROOF and (length < SMF_HEADER or alike)
    if count >= _PROOF or count == 0 or stop <= past:
        return count >= _PROOF and stop > past
    return (
        stop == buffer.size
        or _is_lost(buffer, stop)
        or (blocked and _fills(buffer, stop, clocks)[0] > 0)
    )


@inner
def _log_stands(buffer: U8, at: int, past: int, blocked: bool, clocks: Any) -> Any:
    """Whether a log record begins at `at`: a suffix stands before it, and one at its end that
    follows that. Nothing else marks the start of a log record."""
    length = segment(buffer, at, buffer.size)
    if length < _LOG_LEAST or buffer[at + 2] != WHOLE:
        return False
    if not follows(buffer, at, at + length, clocks):
        return False
    return _run(buffer, at, buffer.size, 1, past, blocked, clocks)[0] > past


@inner
def _first_log(buffer: U8, begin: int, at: int) -> Any:
    """Where the log record that ends at `at` begins, if one place alone can be it; else `at`.

    As nothing stands before it, its code must be that of one of the next records.
    """
    place, hits = at, 0
    for first in range(max(begin, at - _LONGEST), at - _LOG_LEAST + 1):
        if word16(buffer, first) != at - first or word16(buffer, first + 2) != 0:
            continue
        then, code = at, word16(buffer, first + 4)
        for _ in range(_LIKE):
            length = segment(buffer, then, buffer.size)
            if length < _LOG_LEAST:
                break
            if word16(buffer, then + 4) == code:
                place, hits = first, hits + 1
                break
            then += length
    return place if hits == 1 else at


@inner
def _records_stand(buffer: U8, at: int, past: int, blocked: bool, clocks: Any) -> Any:
    """Whether records are proved to stand at `at`, in a chain that leads beyond `past`."""
    if segment(buffer, at, buffer.size) == 0 or buffer[at + 2] > FIRST:
        return False
    if clocks.size:
        return _log_stands(buffer, at, past, blocked, clocks)
    return _smf_stands(buffer, at, past, blocked, clocks)


@inner
def _blocks_stand(buffer: U8, at: int, past: int, clocks: Any) -> Any:
    """Whether a block begins at `at` that leads beyond `past`: its records fill it."""
    if block(buffer, at) == 0 or segment(buffer, at + 4, buffer.size) == 0:
        return False
    seen = 0
    for _ in range(_BLOCKS):
        length, count = _fills(buffer, at, clocks)
        if length == 0:
            break
        named = clocks.size == 0 and is_named(buffer, at + 4)
        seen += count
        at += length
        if seen >= _PROOF or named:
            break
    return at > past and (seen >= _PROOF or (seen > 0 and (named or at == buffer.size)))


@inner
def _is_lost(buffer: U8, at: int) -> Any:
    """Whether zeros explain that no record stands at `at`: up to the end of the file, a page that
    begins there or inside the header, or padding up to a page where records begin."""
    page = -(-at // _PAGE) * _PAGE
    stop = at
    while stop < buffer.size and stop < page + _PAGE and (buffer[stop] == 0 or stop < page):
        if buffer[stop] != 0 and page - at >= SMF_HEADER:
            return False
        stop += 1
    if stop == buffer.size or stop == page + _PAGE:
        return stop > page or stop == buffer.size
    return is_named(buffer, page) or is_named(buffer, page + 4)


@inner
def _leads_on(buffer: U8, at: int, clocks: Any) -> Any:
    """Whether log records stand at `at`, two or as many as there are, in any order."""
    for _ in range(_PROOF):
        if at == buffer.size:
            return True
        length = segment(buffer, at, buffer.size)
        if length == 0 or buffer[at + 2] > FIRST or not sane(buffer, at, length, clocks):
            return False
        at += length
    return True


# --- search -------------------------------------------------------------------------------------


@kernel
def search(
    buffer: U8, at: int, until: int, past: int, blocked: bool, clocks: Any
) -> tuple[int, int]:
    """First place from `at` on, before `until`, where records are proved to stand, or -1.

    And where the block ends that the place is in: the place itself where a block begins there.
    What begins before `past` must lead beyond it.
    """
    begin, last = at, min(until, buffer.size - 8)
    while at < last:
        if buffer[at] == 0 and buffer[at + 3] == 0:
            at = behind_zeros(buffer, at, last)
        if buffer[at + 3] == 0 or (blocked and buffer[at] & 0x80):
            if blocked and _blocks_stand(buffer, at, past, clocks):
                return at, at
            if _records_stand(buffer, at, past, blocked, clocks):
                end = buffer.size
                if blocked:
                    end = _run(buffer, at, buffer.size, _ALL, past, blocked, clocks)[0]
                return (_first_log(buffer, begin, at) if clocks.size else at), end
        at += 1
    return -1, -1


@kernel
def probe(
    buffer: U8, blocked: bool, clocks: Any, at: int, end: int, limit: int, place: I64
) -> None:
    """How far a form holds from `at` on: found = segments, sane ones, rising ones, the end, begun.

    Rising: with a sequence number above that of the one before. `end` is that of the block. It is
    not followed where most records do not make sense: others may be glued behind those that do.
    """
    lsn: Any = np.uint64(0)
    odd = 0  # records without sense; that of a spanned log record stands in its last segment
    while place[0] < limit and at < buffer.size and (odd < _ODD or odd <= place[1]):
        if blocked and at == end:
            length = block(buffer, at)
            if length == 0:
                break
            end, at = min(at + length, buffer.size), at + 4
            continue
        length = segment(buffer, at, end)
        if length == 0:
            break
        place[0] += 1
        begins = buffer[at + 2] <= FIRST
        place[4] += begins
        good = begins and _makes_sense(buffer, at, length, end, clocks)
        good = good and not (
            clocks.size and not blocked and _is_block(buffer, at, length, False, clocks)
        )
        if good and clocks.size:
            now = word64(buffer, at + length - 8)
            place[2] += lsn < now
            lsn = now
        place[1] += good
        odd += begins and not good and (clocks.size == 0 or buffer[at + 2] == WHOLE)
        at += length
    place[3] = at


# --- what a walk stopped at ---------------------------------------------------------------------


@inner
def _is_numbered(buffer: U8, at: int, after: int, clocks: Any) -> Any:
    """Whether the log record between these places has the number that follows the one before it."""
    if at < SUFFIX or not clocks[0] <= word64(buffer, at - 16) <= clocks[1]:
        return False
    return word64(buffer, after - 8) - word64(buffer, at - 8) == np.uint64(1)


@kernel
def is_odd_record(buffer: U8, at: int, end: int, blocked: bool, clocks: Any) -> bool:
    """Whether a record, or its first segment, stands at `at` though it looks odd: its header makes
    no sense, but what stands behind it says that its length is right. `end` is that of the block.
    """
    length = segment(buffer, at, end)
    if length == 0 or length > _LONGEST or buffer[at + 2] > FIRST:
        return False
    after = at + length
    good = _makes_sense(buffer, at, length, end, clocks)
    if good and _is_block(buffer, at, length, blocked, clocks):
        return False
    if clocks.size and not blocked:
        is_right = good and _leads_on(buffer, after, clocks)
        return bool(is_right or _is_numbered(buffer, at, after, clocks))
    if clocks.size == 0 and (good or length < SMF_HEADER or not is_name(buffer, at + 14)):
        is_short = not good and 4 < length < SMF_HEADER and buffer[at + 2] == WHOLE and not blocked
        return bool(good or (is_short and _records_stand(buffer, after, 0, False, clocks)))
    if after == end:
        is_next = block(buffer, after) > 0 and segment(buffer, after + 4, buffer.size) > 0
        return bool(after == buffer.size or is_next)
    if blocked:
        return bool(_run(buffer, after, end, _PROOF, 0, blocked, clocks)[1] >= 1)
    return bool(_records_stand(buffer, after, 0, False, clocks))


@kernel
def is_bdw(buffer: U8, at: int) -> bool:
    """Whether a BDW stands at `at` that leads to the next block, or to the end of the file: no RDW
    of a record that does so too."""
    after = at + block(buffer, at)
    if is_named(buffer, at):
        return False
    if after == at or after >= buffer.size:
        return bool(after == buffer.size)
    return bool(block(buffer, after) > 0 and segment(buffer, after + 4, buffer.size) > 0)


@kernel
def is_header(buffer: U8, at: int) -> bool:
    """Whether 18 bytes at `at` make sense as an SMF header."""
    return bool(sane_smf(buffer, at))


@inner
def _ends_before_zeros(buffer: U8, begin: int, at: int) -> Any:
    """Whether the record from `begin` plainly ends where zeros stand that explain a break at `at`.

    Its last byte is no zero, and the zeros go on to the end of a sector, or it is all header; or it
    ends in zeros of its own and the rest of a sector pads it. Else what is lost may begin in it, or
    bytes were put into it.
    """
    end = at
    while end < buffer.size and end - at < _PAGE and buffer[end] == 0:
        end += 1
    if end == at or (at - begin == SMF_HEADER and is_named(buffer, begin)):
        return True  # what is lost begins in the header behind it
    first = at
    while first > begin and buffer[first - 1] == 0:
        first -= 1
    while end < buffer.size and end % _SECTOR and buffer[end] == 0:
        end += 1
    if end % _SECTOR and (first < at or end == buffer.size or end - at < _SECTOR):
        return False
    return first == at or ((first - 1) // _SECTOR == (at - 1) // _SECTOR and end - first < _PAGE)


@kernel
def is_explained(buffer: U8, begin: int, at: int, header: int) -> bool:
    """Whether the record from `begin` that leads to `at`, where no SMF record can be read, has its
    right length: a header stands behind it, as if its RDW were at `header`, or zeros explain the
    break, and none of them is in the record."""
    if is_named(buffer, header):
        is_apart = word32(buffer, at) != 0 or (buffer[at - 1] != 0 and buffer[at + 4] != 0)
        return bool(is_apart or _ends_before_zeros(buffer, begin, at))
    return bool(_is_lost(buffer, at) and _ends_before_zeros(buffer, begin, at))


@kernel
def is_next(buffer: U8, end: int, then: int, step: int, clocks: Any) -> bool:
    """Whether the log record that ends at `then` may follow the one that ends at `end`, with no
    sequence number more than `step` above."""
    if not follows(buffer, end, then, clocks):
        return False
    return bool(word64(buffer, then - 8) - word64(buffer, end - 8) <= np.uint64(step))
