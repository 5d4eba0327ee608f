"""Blocks with BDWs that are equal to the block before them: a copy wrote them twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.framing.walk_state import Pieces
from imsperf.parsers.kernels.loads import I32, I64, MIDDLE, U8, word64
from imsperf.parsers.problems import Problem

_RDW = 4
_HEAD = 24  # bytes of a block that hold its BDW, an RDW, and the time of a record
_NOWHERE = Pieces(np.full(1, -2), np.zeros(1, np.int32), np.zeros(1, np.uint8))  # ends a block
_BEFORE, _BEGIN, _END, _WIDTH = range(4)  # where the last two blocks begin, and the last one ends


class RepeatedBlocks:
    """Follows the blocks of a file, part by part."""

    def __init__(self) -> None:
        self._last = np.full(_WIDTH, -1, np.int64)

    def of(self, buffer: U8, pieces: Pieces) -> list[Problem]:
        """A problem for each block of a part that is equal to the one before it, but for its last
        block, which may go on in the next part."""
        found = np.empty((len(pieces.start), 2), np.int64)
        count = follow_blocks(buffer, pieces.start, pieces.length, self._last, found)
        return [_repeated(*block) for block in found[:count].tolist()]

    def rest(self, buffer: U8) -> list[Problem]:
        """The same of the last block of all."""
        return self.of(buffer, _NOWHERE)


@inner
def _is_repeat(buffer: U8, before: Any, begin: Any, end: Any) -> Any:
    """Whether the block from `begin` to `end` is equal to that from `before` on, which leads to it.

    Not of the middle of one record: a long one may hold the same bytes again and again.
    """
    size = end - begin
    if before < 0 or begin - before != size or size <= _HEAD:
        return False
    if buffer[before + _RDW + 2] == MIDDLE:
        return False
    at = 0
    while at + 8 <= size:
        if word64(buffer, before + at) != word64(buffer, begin + at):
            return False
        at += 8
    while at < size:
        if buffer[before + at] != buffer[begin + at]:
            return False
        at += 1
    return True


@kernel
def follow_blocks(buffer: U8, starts: I64, lengths: I32, last: I64, found: I64) -> int:
    """Note the place and size of each block that is a repeat; returns how many.

    A block begins where a BDW stands in front of a piece, and ends where its last piece does.
    `last` goes on from part to part.
    """
    count, before, begin, end = 0, last[_BEFORE], last[_BEGIN], last[_END]
    for i in range(starts.size):
        if starts[i] != end:
            if begin >= 0 and _is_repeat(buffer, before, begin, end):
                found[count, 0], found[count, 1] = begin, end - begin
                count += 1
            # one that does not lead to the next block is not before it
            before, begin = begin if starts[i] - _RDW == end else np.int64(-1), starts[i] - _RDW
        end = starts[i] + lengths[i]
    last[_BEFORE], last[_BEGIN], last[_END] = before, begin, end
    return count


def _repeated(at: int, size: int) -> Problem:
    detail = f"found a block equal to the {size:,} bytes before it: a block that was copied twice"
    return Problem(None, at, 0, None, None, "info", "repeat", detail)
