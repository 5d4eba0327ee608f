"""What a walk along a file holds: where it stands, and the pieces of records that it has noted.

Declared here once. Kernels and Python read and write the same fields by name: a `WalkState` is one
record of 64-bit numbers, which Numba takes as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from imsperf.kernels import inner
from imsperf.parsers.framing.join import NO_PAIRS
from imsperf.parsers.framing.lost_pages import NO_ZEROS, Zeros
from imsperf.parsers.kernels.loads import AFTER_GAP, I32, I64, MIDDLE, U8


class WalkState(np.void):  # type: ignore[misc]
    """Where a walk stands between calls of its kernels. Places are bytes of the file."""

    position: int  # where it goes on
    block_begin: int  # where the block begins, or what is known of it
    block_end: int
    piece_count: int  # those noted since the part began
    piece_bytes: int  # theirs
    gap: int  # AFTER_GAP where bytes were lost before the next piece, else 0
    is_proved: int  # 1: the next piece is, though it looks odd
    is_broken: int  # 1: nothing that makes sense stands at `position`
    is_cut: int  # 1: the last block goes on beyond the end of the file
    open_piece: int  # the row of a first segment whose record has not ended, -1 if there is none
    open_position: int  # where the walk stood before it
    open_block_end: int
    last_code: int  # segment code of the last piece
    last_lsn: Any  # log sequence number of the last record
    last_end: int  # where the last log record ends; 0 if not known, -1 if it does not matter
    file_ends: int  # not 0: the last FTP block ends the file

    def restore(self, before: Self) -> None:
        """Go back to a copy made before."""
        for name in WALK_STATE.names or ():
            self[name] = before[name]

    def no_pieces(self) -> None:
        """Begin a part."""
        self.piece_count = self.piece_bytes = 0

    def jump(self, to: int, block_end: int) -> None:
        """Go on at a place that is proved, behind what is lost: no record is open."""
        self.position = self.block_begin = to
        self.block_end = block_end
        self.open_piece, self.gap, self.is_broken, self.is_proved = -1, AFTER_GAP, 0, 1


def _by_name(name: str) -> property:
    """A field as an attribute, as kernels have it; `np.record` takes ten times as long to do so."""
    return property(itemgetter(name), lambda state, value: state.__setitem__(name, value))


for _name in WalkState.__annotations__:
    setattr(WalkState, _name, _by_name(_name))
WALK_STATE = np.dtype((WalkState, [(name, np.int64) for name in WalkState.__annotations__]))


def walk_from(at: int, block_end: int = 0) -> WalkState:
    """The state of a walk that begins at byte `at`, in a block that ends at `block_end`."""
    state: WalkState = np.zeros(1, WALK_STATE)[0]
    state.position, state.block_end = at, max(at, block_end)
    state.open_piece, state.last_code = -1, MIDDLE
    return state


@inner
def goes_on(state: WalkState, buffer: U8, starts: I64, limit: int) -> Any:
    """Whether bytes are left, room for a piece, and bytes up to the limit of the part."""
    is_room = state.piece_count < starts.size and state.piece_bytes < limit
    return state.position < buffer.size and is_room


@dataclass(frozen=True)
class Pieces:
    """Where pieces of records stand, their bytes with an RDW, and their segment codes."""

    start: I64
    length: I32
    code: U8

    @classmethod
    def room(cls, count: int) -> Pieces:
        """Room for so many."""
        return cls(np.empty(count, np.int64), np.empty(count, np.int32), np.empty(count, np.uint8))

    def doubled(self) -> Pieces:
        """The same with room for as many again."""
        return Pieces(*(_doubled(array) for array in (self.start, self.length, self.code)))

    def first(self, count: int) -> Pieces:
        """The first ones."""
        return Pieces(self.start[:count], self.length[:count], self.code[:count])

    def end(self, row: int) -> int:
        """Where one of them ends."""
        return int(self.start[row]) + int(self.length[row])

    def take_back(self, state: WalkState, row: int) -> None:
        """Forget those noted from a row on."""
        state.piece_bytes -= int(self.length[row : int(state.piece_count)].sum())
        state.piece_count = row


class Records(NamedTuple):
    """Whole records, put together from pieces: see Frames."""

    joined_buffer: U8
    start: I64
    length: I32
    joined: npt.NDArray[np.bool_]
    byte_offset: I64
    zeros: Zeros = NO_ZEROS
    pairs: I64 = NO_PAIRS


def _doubled(array: Any) -> Any:
    return np.concatenate([array, np.empty(len(array), array.dtype)])
