"""Kernels that put records together from their pieces.

Segment codes: z/OS DFSMS Using Data Sets, spanned variable-length records.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import kernel
from imsperf.parsers.kernels.loads import AFTER_GAP, FIRST, I32, I64, LAST, MIDDLE, U8, WHOLE

# Columns of pairs of segments that a copy may have exchanged: the row or number of their record,
# where the first begins in it, and the data bytes of each.
ROW, BEGIN, SIZE, PAIR_WIDTH = range(4)
NO_PAIRS = np.empty((0, PAIR_WIDTH), np.int64)

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


def pairs_alike(lengths: I32, codes: U8, record: I64) -> I64:
    """The neighbouring middle segments of equal length in joined records, shape (pairs,
    PAIR_WIDTH): blocks that hold nothing else may change places, and lengths and codes hold."""
    is_middle = (codes & 3 == MIDDLE) & (record >= 0)
    first = np.flatnonzero(
        is_middle[:-1] & is_middle[1:] & (lengths[:-1] == lengths[1:]) & (record[:-1] == record[1:])
    )
    if not len(first):
        return NO_PAIRS
    data = lengths.astype(np.int64) - 4
    before = np.cumsum(data) - data
    begins = np.flatnonzero(codes & 3 == FIRST)
    begin = begins[np.searchsorted(begins, first) - 1]
    return np.stack([record[first], 4 + before[first] - before[begin], data[first]], axis=1)


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
