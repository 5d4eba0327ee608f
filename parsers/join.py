"""Kernels that put records together from their pieces, and find those that lost bytes.

Segment codes: z/OS DFSMS Using Data Sets, spanned variable-length records.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.parsers.compiled import (
    AFTER_GAP,
    FIRST,
    I32,
    I64,
    LAST,
    MIDDLE,
    U8,
    WHOLE,
    inner,
    kernel,
    word64,
)

PAGE = 4096  # what file systems and copies lose at once
_NEAR = 256  # zero bytes of the records themselves that may touch a lost page
_FAR = 2 * PAGE  # zero bytes behind a piece, or before it, that its neighbours cannot hold
_LEAST = 16  # bytes of a lost page at the end of the file

_LONGEST = 0x7FFFFFFF  # bytes of a joined record: lengths are 32 bits


@kernel
def join_plan(lengths: I32, codes: U8, record: I64, orphan: I64) -> tuple[int, int, int]:
    """Which record each segment belongs to: record[i], or -1 for a piece whose rest is missing.

    Returns the records, the orphaned runs (orphan[k] = first segment of run k) and the bytes that
    the joined records take, a leading RDW each. A record longer than 32 bits can say is orphaned.
    """
    records, orphans, joined, begin, size = 0, 0, 0, -1, 0
    for i in range(codes.size + 1):
        code = codes[i] if i < codes.size else AFTER_GAP
        kind = code & 3
        goes_on = begin >= 0 and code & AFTER_GAP == 0 and kind in (MIDDLE, LAST)
        if goes_on and size + lengths[i] - 4 > _LONGEST:
            goes_on = False
        if begin >= 0 and not goes_on:  # the rest never came
            record[begin:i] = -1
            orphan[orphans] = begin
            orphans += 1
            begin = -1
        if i == codes.size:
            break
        if goes_on:
            size += lengths[i] - 4
            record[i] = records
            if kind == LAST:
                records, joined, begin = records + 1, joined + size, -1
        elif kind == WHOLE:
            record[i] = records
            records += 1
        elif kind == FIRST:
            begin, size = i, lengths[i]
            record[i] = records
        else:
            if i == 0 or record[i - 1] != -1 or codes[i - 1] & 3 == LAST:
                orphan[orphans] = i
                orphans += 1
            record[i] = -1
    return records, orphans, joined


@kernel
def join(
    buffer: U8, starts: I64, lengths: I32, codes: U8, record: I64,
    out: U8, out_start: I64, out_length: I32, is_joined: Any, place: I64,
) -> None:  # fmt: skip
    """Copy the segments of spanned records together, each record behind one RDW."""
    put = 0
    for i in range(starts.size):
        row = record[i]
        if row < 0:
            continue
        kind = codes[i] & 3
        if kind == WHOLE:
            out_start[row], out_length[row], place[row] = starts[i], lengths[i], starts[i]
            continue
        if kind == FIRST:
            place[row], out_start[row], out_length[row] = starts[i], put, 4
            is_joined[row] = True
            put += 4
        size, data = lengths[i] - 4, starts[i] + 4
        for j in range(size):
            out[np.uint64(put + j)] = buffer[np.uint64(data + j)]
        put += size
        out_length[row] += size
        if kind == LAST:
            said, at = min(out_length[row], 0xFFFF), out_start[row]
            out[at], out[at + 1], out[at + 2], out[at + 3] = said >> 8, said & 0xFF, 0, 0


@inner
def _is_lost(buffer: U8, page: int, piece_start: int, piece_end: int) -> Any:
    """Whether the page at `page` is zero, in a run of zeros that begins or ends as a page does, or
    goes far beyond its piece; and where the zeros from there on end. A page that the end of the
    file cuts must begin so; the more so where the piece ends there too."""
    at, end = page, min(page + PAGE, buffer.size)
    while at + 8 <= end:
        if word64(buffer, at) != 0:
            return False, page
        at += 8
    last = min(max(piece_end, end) + _FAR, buffer.size)
    while at < last and buffer[at] == 0:
        at += 1
    if at < end or end < page + _LEAST:
        return False, at
    whole = end == page + PAGE
    if whole and (at % PAGE <= _NEAR or (at == last and last < buffer.size)):
        return True, at
    near = _NEAR if whole or piece_end < end else _LEAST
    first = max(piece_start - _FAR, 0)
    while page > first and buffer[page - 1] == 0:
        page -= 1
    return -page % PAGE <= near or (page == first and first > 0), at


@kernel
def zeroed(buffer: U8, starts: I64, lengths: I32, hit: Any) -> int:
    """Mark the pieces that lost a page: it holds nothing but zeros. Returns how many there are.

    The page a piece begins in holds its descriptor word, so only those behind it can be empty.
    Zeros that a record really holds begin and end anywhere; few of them are long.
    """
    count = 0
    for i in range(starts.size):
        hit[i] = False
        page = (max(starts[i], 0) + PAGE - 1) // PAGE * PAGE
        end = starts[i] + lengths[i]
        while page < end and page < buffer.size and not hit[i]:
            hit[i], zeros_end = _is_lost(buffer, page, starts[i], end)
            page = max(page + PAGE, zeros_end // PAGE * PAGE)
        count += hit[i]
    return count


@kernel
def unwrap(
    buffer: U8, starts: I64, lengths: I32, record: I64,
    out: U8, out_start: I64, out_length: I32, place: I64,
) -> None:  # fmt: skip
    """Copy pieces without RDWs of their own together, each record behind an RDW that is made.

    The data of a piece stands 4 bytes behind its start.
    """
    put, row = 0, np.int64(-1)
    for i in range(starts.size):
        if record[i] < 0:
            continue
        if record[i] != row:
            row = record[i]
            place[row], out_start[row], out_length[row] = starts[i] + 4, put, 4
            put += 4
        size, data = lengths[i] - 4, starts[i] + 4
        for j in range(size):
            out[np.uint64(put + j)] = buffer[np.uint64(data + j)]
        put += size
        out_length[row] += size
        said, at = min(out_length[row], 0xFFFF), out_start[row]
        out[at], out[at + 1], out[at + 2], out[at + 3] = said >> 8, said & 0xFF, 0, 0
