"""Bytes of unknown number: in memory while few, else in a temporary file that is mapped."""

from __future__ import annotations

import mmap
import shutil
import sys
import tempfile
from functools import lru_cache
from typing import IO, Any, BinaryIO

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.kernels.loads import U8, read_only

MEMORY = 64 << 20  # bytes kept in memory
SPARE = 1 << 30  # bytes of the temporary folder that are left free
_STEP = 64 << 20  # bytes written between two looks at the room that is left
_HEAD = 1 << 16
_STDIN = "standard input"


class NoRoom(DumpError):
    """More bytes than the temporary folder holds."""


class Spool:
    """Collects pieces, then gives them as one array. `name` says whose bytes they are."""

    def __init__(self, name: str) -> None:
        self.name, self.size = name, 0
        self.head = b""  # the first bytes
        self._memory = bytearray()
        self._file: IO[bytes] | None = None
        self._checked, self._most = -_STEP, 0

    def write(self, piece: Any) -> None:
        """Add bytes. Raises NoRoom."""
        if len(self.head) < _HEAD:
            self.head += bytes(piece[: _HEAD - len(self.head)])
        self.size += len(piece)
        if self._file is None and self.size <= MEMORY:
            self._memory.extend(memoryview(piece))
            return
        try:
            self._to_disk(piece)
        except OSError as error:
            self.close()
            raise self._no_room(error.strerror or str(error)) from error

    def view(self) -> U8:
        """All bytes, read-only. Nothing can be added any more."""
        if self._file is None:
            return read_only(np.frombuffer(self._memory, dtype=np.uint8))
        try:
            self._file.flush()
            mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise self._no_room(error.strerror or str(error)) from error
        finally:
            self.close()
        return read_only(np.frombuffer(mapped, dtype=np.uint8))

    def cut(self, size: int) -> None:
        """Keep the first `size` bytes only."""
        self.size, self.head = size, self.head[:size]
        if self._file is None:
            del self._memory[size:]
        elif size:
            self._file.truncate(size)
        else:
            self.close()
            self._file = None

    def close(self) -> None:
        """Give the temporary file back; what was mapped stays."""
        if self._file is not None:
            self._file.close()

    def _to_disk(self, piece: Any) -> None:
        if self.size > self._checked + _STEP:
            self._checked = self.size
            self._most = (self.size - len(piece) if self._file else 0) + room()
        if self.size > self._most:
            self.close()
            raise self._no_room(f"{max(0, self._most):,} bytes have room")
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="imsperf-")  # noqa: SIM115
            self._file.write(self._memory)
            self._memory = bytearray()
        self._file.write(piece)

    def _no_room(self, why: str) -> NoRoom:
        return NoRoom(
            f"{self.name}: found more than {self.size:,} bytes, expected what has room in the "
            f"folder for temporary files ({why})",
            "set TMPDIR to a folder with more room, or unpack it there and name what was unpacked",
        )


def room() -> int:
    """Bytes that may still be written to the folder for temporary files."""
    return shutil.disk_usage(tempfile.gettempdir()).free - SPARE


def spooled_stdin() -> U8:
    """All of standard input; it is read once, and given again to who asks again."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or sys.stdin.isatty():
        raise DumpError(
            f"{_STDIN}: found a terminal, expected the bytes of a dump",
            "pipe a file into it, or name one",
        )
    return _all_of(stream)


@lru_cache(maxsize=1)
def _all_of(stream: BinaryIO) -> U8:
    spool = Spool(_STDIN)
    while piece := stream.read(1 << 20):
        spool.write(piece)
    return spool.view()
