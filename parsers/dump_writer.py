"""Records of a dump to a dump again: their bytes as they are, in one of two forms.

    rdw   records back to back, an RDW before each
    vbs   in blocks with BDWs: as SMF writes them, a record is cut only if no block could hold it

A record that is longer than a segment can say is cut in both. Rules: z/OS DFSMS Using Data Sets,
spanned variable-length records. Logs have the same two forms; their records are hardly ever cut.
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from imsperf.errors import DumpError
from imsperf.kernels import inner, kernel
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels.loads import FIRST, I32, I64, LAST, MIDDLE, U8, WHOLE
from imsperf.parsers.kernels.loads import read_only as fixed

DumpForm = Literal["rdw", "vbs"]
FORMS: tuple[DumpForm, ...] = ("rdw", "vbs")

_WORD = 4  # bytes of an RDW, or of a BDW
_LARGEST = 32_760  # bytes of a segment or block, its RDW or BDW counted
_FULL = _LARGEST - _WORD  # bytes of a block for segments
_LEAST_FIRST = 24  # bytes of a first segment: it holds the whole header of the record
_GZIP_LEVEL = 6
_PACKED = (".gz", ".zst", ".xz")
_OTHERS = (".zip", ".tar", ".tgz", ".bz2", ".trs", ".xmit")  # read, but not written


@inner
def _word(out: U8, at: int, length: int, code: int) -> None:
    """An RDW or BDW."""
    out[at], out[at + 1], out[at + 2], out[at + 3] = length >> 8, length & 255, code, 0


@kernel
def _put(
    record: U8, joined: U8, is_joined: Any, starts: I64, lengths: I32,
    blocked: bool, out: U8, at: int,
) -> tuple[int, int]:  # fmt: skip
    """Write records to `out`; `at` bytes of an open block are there.

    Returns where the open block begins and where it ends; its BDW is still to be written.
    """
    block = 0
    for i in range(starts.size):
        buffer = joined if is_joined[i] else record
        take: Any = starts[i] + _WORD
        left: Any = np.int64(lengths[i]) - _WORD
        room: Any = np.int64(_LARGEST)
        if blocked:
            room = block + _LARGEST - at if at > block else 0
            need = left + _WORD
            if need > room and (need <= _FULL or room < _LEAST_FIRST):
                room = 0
        begun = False
        while not begun or left > 0:
            if room == 0:
                if at > block:
                    _word(out, block, at - block, 0)
                block, at, room = at, at + _WORD, _FULL
            count = min(left, room - _WORD)
            ends = count == left
            code = (LAST if ends else MIDDLE) if begun else (WHOLE if ends else FIRST)
            _word(out, at, count + _WORD, code)
            for n in range(count):
                out[np.uint64(at + _WORD + n)] = buffer[np.uint64(take + n)]
            at, take, left, begun = at + _WORD + count, take + count, left - count, True
            room = 0 if blocked else _LARGEST
    return (block, at) if blocked else (at, at)


def in_order(parts: Iterable[Part]) -> Iterator[tuple[Part, Part]]:
    """Parts whose records stand among each other in the file, as pairs; the second may be empty.

    A dump gives records that were joined in a part of their own.
    """
    held: Part | None = None
    for part in parts:
        if not len(part.start):
            continue
        if held is None:
            held = part
        elif part.number[0] < held.number[-1]:
            yield held, part
            held = None
        else:
            yield held, held.take(slice(0, 0))
            held = part
    if held is not None:
        yield held, held.take(slice(0, 0))


def check_name(path: Path, replace: bool) -> None:
    """Raises DumpError where a file of that name may not be written, or not in that way."""
    if not replace and (path.exists() or path.is_symlink()):
        raise DumpError(
            f"{path}: found a file of that name, expected none",
            "name another file with -o, or write over it with --force",
            path=path,
        )
    if path.suffix.lower() in _OTHERS:
        raise DumpError(
            f"{path}: cannot be written as {path.suffix}, expected a plain name or one of "
            f"{' '.join(_PACKED)}",
            "pack the dump with another program",
            path=path,
        )


class DumpWriter:
    """A dump being written, packed as its name says; a context manager. `bytes` counts what was
    written before it was packed."""

    def __init__(self, path: Path, form: DumpForm) -> None:
        self.form, self.bytes = form, 0
        self._open_block = np.empty(0, np.uint8)
        self._scratch = np.empty(0, np.uint8)
        self._file = path.open("wb")
        self._out = _packer(path, self._file)

    def write(self, first: Part, second: Part) -> None:
        """Append the records of two parts in the order of their numbers."""
        number = np.concatenate([first.number, second.number])
        order = np.argsort(number, kind="stable")
        starts = np.concatenate([first.start, second.start])[order]
        lengths = np.concatenate([first.length, second.length])[order]
        used, total = len(self._open_block), int(lengths.sum(dtype=np.int64))
        most = used + total + 2 * _WORD * (len(starts) + total // (_FULL - _WORD) + 2)
        if most > len(self._scratch):
            self._scratch = np.empty(most + most // 4, np.uint8)
        out = self._scratch
        out[:used] = self._open_block
        block, end = _put(
            fixed(first.buffer), fixed(second.buffer), order >= len(first.start), starts,
            lengths, self.form == "vbs", out, used,
        )  # fmt: skip
        self._write(out[:block])
        self._open_block = out[block:end].copy()

    def _write(self, data: U8) -> None:
        self._out.write(data.data)
        self.bytes += data.size

    def close(self) -> None:
        """Write the last block."""
        size = len(self._open_block)
        if size:
            self._open_block[:_WORD] = (size >> 8, size & 255, 0, 0)
            self._write(self._open_block)
        if self._out is not self._file:
            self._out.close()

    def __enter__(self) -> DumpWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            self._file.close()


def _packer(path: Path, file: Any) -> Any:
    """What packs as the suffix of the name says, or the file itself."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0)
    if suffix == ".xz":
        return lzma.LZMAFile(file, "wb")
    if suffix == ".zst":
        return pa.CompressedOutputStream(pa.PythonFile(file, "w"), "zstd")
    return file
