"""Encoded records -> blocks -> file.

Records come as Batches: rows of one length, first byte to last (RDW or LL included), and the place
of each row in its chunk. A chunk is what is held in memory at a time; a file is written from any
number of them. Three physical forms:

    vbs   BDW + RDW as SMF writes it: a record is cut only if an empty block could not hold it
    vb    BDW + RDW, records never cut: the IMS log
    rdw   records back to back, no BDW

Rules: smf-notes 2 and ims-log-notes 2 of the project's references; DFSMS Using Data Sets for VBS.
A file is written aside under the name NAME.part and renamed when it is whole.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np

from imsperf.errors import ImsperfError, LayoutError
from imsperf.kernels import allocating_kernel
from imsperf.locks import WorkFolder
from imsperf.synthetic.arrays import I64, U8

Form = Literal["vbs", "vb", "rdw"]

LARGEST_SEGMENT = 32760  # bytes an RDW can say for a record or segment
SMALLEST_FIRST = 24  # a first segment holds the whole record header, its RDW counted
WHOLE, FIRST, LAST, MIDDLE = 0, 1, 2, 3  # segment codes
BDW = 4


@dataclass(frozen=True)
class Batch:
    """Records of one length: `rows` (n, length) bytes; `place` n positions in the chunk, from 0."""

    rows: U8
    place: I64


@dataclass(frozen=True)
class Written:
    """What is in a finished file. `blocks` is 0 without BDWs."""

    path: Path
    records: int
    bytes: int
    blocks: int


@allocating_kernel
def _scatter(out: U8, start: I64, rows: U8, place: I64) -> None:
    width = rows.shape[1]
    for i in range(rows.shape[0]):
        at = start[place[i]]
        for j in range(width):
            out[at + j] = rows[i, j]


@allocating_kernel
def _word(out: U8, at: int, length: int, code: int) -> None:
    """An RDW or BDW."""
    out[at], out[at + 1], out[at + 2], out[at + 3] = length >> 8, length & 255, code, 0


@allocating_kernel
def _block(out: U8, used: int, data: U8, length: I64, size: int, cut: bool) -> tuple[int, int, int]:
    """Pack records into blocks of at most `size` bytes; out[:used] already holds an open block.

    Returns where the open block begins, where it ends, and how many blocks were begun.
    """
    full = size - BDW
    block, at, begun = 0, used, 0
    source, copied, held = 0, 0, used  # data[copied:source] belongs to out[held:at]
    for i in range(length.shape[0]):
        need = length[i]
        room = block + size - at if at > block else 0
        if need > room and (not cut or need <= full or room < min(SMALLEST_FIRST, full)):
            room = 0
        fits = need <= (room if room else full)
        if room == 0 or not fits:
            out[held:at] = data[copied:source]
        if fits:
            if room == 0:
                _word(out, block, at - block, 0)  # where no block was open: overwritten below
                block, at, begun = at, at + BDW, begun + 1
                copied, held = source, at
            at += need
            source += need
            continue
        done = BDW
        while done < need:
            if room == 0:
                _word(out, block, at - block, 0)
                block, at, begun, room = at, at + BDW, begun + 1, full
            count = min(need - done, room - 4)
            begins, ends = done == BDW, done + count == need
            code = FIRST if begins else LAST if ends else MIDDLE
            _word(out, at, count + 4, code)
            out[at + 4 : at + 4 + count] = data[source + done : source + done + count]
            at, done, room = at + 4 + count, done + count, 0
        source += need
        copied, held = source, at
    out[held:at] = data[copied:source]
    if at > block:
        _word(out, block, at - block, 0)
    return block, at, begun


class _Scratch:
    """Two pieces of memory in turn: one is filled while the other is on its way to the disk.

    They are used again for each chunk: new pages cost more than what is copied to them.
    """

    def __init__(self) -> None:
        self._held = [np.empty(0, dtype=np.uint8)] * 2

    def take(self, size: int) -> U8:
        """`size` bytes with anything in them, not those taken last."""
        self._held.reverse()
        if size > len(self._held[0]):
            self._held[0] = np.empty(size + size // 4, dtype=np.uint8)
        return self._held[0][:size]


def back_to_back(batches: Sequence[Batch], scratch: _Scratch | None = None) -> tuple[U8, I64]:
    """The records of a chunk in order, without gaps, and their lengths."""
    count = sum(len(batch.rows) for batch in batches)
    length = np.zeros(count, dtype=np.int64)
    for batch in batches:
        length[batch.place] = batch.rows.shape[1]
    if count and not length.all():
        raise LayoutError(f"found {int((length == 0).sum())} of {count} places without a record")
    ends = np.cumsum(length)
    out = (scratch or _Scratch()).take(int(ends[-1]) if count else 0)
    for batch in batches:
        _scatter(out, ends - length, np.ascontiguousarray(batch.rows), batch.place)
    return out, length


class DumpFile:
    """A dump being written, a context manager: leaving it without an error names the file."""

    def __init__(self, path: Path, form: Form, block_size: int) -> None:
        self.path = path
        self.form = form
        self.block_size = block_size
        self.records = self.bytes = self.blocks = 0
        self._open_block = np.zeros(0, dtype=np.uint8)
        self._records, self._blocked = _Scratch(), _Scratch()
        self._aside = path.with_name(path.name + ".part")
        if form != "rdw" and not 9 <= block_size <= LARGEST_SEGMENT:
            raise LayoutError(f"block size: found {block_size}, expected 9 to {LARGEST_SEGMENT}")
        try:
            self._file = self._aside.open("wb", buffering=0)
        except OSError as error:
            raise cannot_write(path, error) from error
        self._disk = ThreadPoolExecutor(max_workers=1)
        self._under_way: Future[None] | None = None

    def __enter__(self) -> DumpFile:
        return self

    def write(self, batches: Sequence[Batch]) -> None:
        """Append one chunk."""
        data, length = back_to_back(batches, self._records)
        if not len(length):
            return
        self._check(int(length.max()))
        self.records += len(length)
        if self.form == "rdw":
            self._put(data)
            return
        self.blocks += self._in_blocks(data, length)

    def room(self, total: int, records: int, longest: int) -> tuple[U8, int, int]:
        """Memory to encode so many records in: it, bytes used by the open block, size of a block.

        The block is 0 in a file without blocks. What is in it then goes to `filled`.
        """
        self._check(longest)
        if self.form == "rdw":
            return self._blocked.take(total), 0, 0
        fewest = max(1, self.block_size - BDW - longest + 1)  # bytes of records in a full block
        used = len(self._open_block)
        words = BDW * (min(records, total // fewest + 1) + 2)
        out = self._blocked.take(used + total + words)
        out[:used] = self._open_block
        return out, used, self.block_size

    def filled(self, out: U8, block: int, end: int, begun: int, records: int) -> None:
        """Append what was encoded: whole blocks up to `block`, the open one from there to `end`."""
        self._put(out[:block])
        self._open_block = out[block:end].copy()
        self.blocks += begun
        self.records += records

    def _check(self, longest: int) -> None:
        limit = self.block_size - BDW if self.form == "vb" else LARGEST_SEGMENT
        if longest > limit:
            raise LayoutError(
                f"{self.path.name}: found a record of {longest:,} bytes, expected at most {limit:,}"
            )

    def _in_blocks(self, data: U8, length: I64) -> int:
        used = len(self._open_block)
        segments = len(length) + len(data) // max(1, self.block_size - 8) + 2
        out = self._blocked.take(used + len(data) + 8 * segments)
        out[:used] = self._open_block
        block, end, begun = _block(out, used, data, length, self.block_size, self.form == "vbs")
        self._put(out[:block])
        self._open_block = out[block:end].copy()
        return int(begun)

    def _put(self, data: U8) -> None:
        """Hand over bytes to the disk once those before them are written."""
        self._wait()
        self._under_way = self._disk.submit(self._to_disk, data)
        self.bytes += len(data)

    def _to_disk(self, data: U8) -> None:
        view = memoryview(data)  # type: ignore[arg-type]
        while view:
            view = view[self._file.write(view) :]

    def _wait(self) -> None:
        if self._under_way is None:
            return
        try:
            self._under_way.result()
        except OSError as error:
            raise cannot_write(self.path, error) from error
        finally:
            self._under_way = None

    def close(self) -> Written:
        """Write the last block and give the file its name."""
        self._put(self._open_block)
        self._open_block = self._open_block[:0]
        self._wait()
        self._disk.shutdown()
        try:
            self._file.close()
            self._aside.replace(self.path)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        return Written(self.path, self.records, self.bytes, self.blocks)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if kind is None and not self._file.closed:
            self.close()
        self._disk.shutdown()
        if not self._file.closed:
            self._file.close()
        self._aside.unlink(missing_ok=True)


@contextmanager
def folder_aside(folder: Path) -> Iterator[Path]:
    """A folder to write to beside `folder`; on success its files are in `folder`, else nowhere.

    A folder that did not exist appears whole. What killed processes left there is removed. Raises
    ImsperfError where it cannot be written.
    """
    final = folder.absolute()
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        if final.exists() and not final.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        aside = WorkFolder(final.parent, f"{final.name}.part")
    except OSError as error:
        raise cannot_write(folder, error) from error
    with aside:
        try:
            yield aside.path
            _move(aside.path, final)
        except OSError as error:
            raise cannot_write(folder, error) from error


def _move(aside: Path, final: Path) -> None:
    if not final.exists():
        aside.rename(final)
        return
    for path in sorted(aside.iterdir()):
        path.replace(final / path.name)


def write_dump(
    path: Path, chunks: Iterable[Sequence[Batch]], form: Form, block_size: int
) -> Written:
    """One file from chunks of records."""
    with DumpFile(path, form, block_size) as dump:
        for batches in chunks:
            dump.write(batches)
        return dump.close()


def write_text(path: Path, text: str) -> None:
    """A text file, also written aside and renamed."""
    aside = path.with_name(path.name + ".part")
    try:
        aside.write_text(text, encoding="utf-8", newline="\n")
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


_ADVICE = {
    errno.ENOSPC: "the disk is full: free space, shorten --seconds or raise --sample",
    errno.EDQUOT: "the disk quota is used up: shorten --seconds or raise --sample",
    errno.EACCES: "choose a folder you may write to with --out",
    errno.EROFS: "the file system is read-only: choose another folder with --out",
}


def cannot_write(path: Path, error: OSError) -> ImsperfError:
    """The one error for a full disk, a read-only folder and the like."""
    reason = os.strerror(error.errno) if error.errno else str(error)
    hint = _ADVICE.get(error.errno or 0, "check the folder given with --out")
    facts: dict[str, Any] = {"path": path, "errno": error.errno}
    return ImsperfError(f"{path}: could not be written: {reason}", hint, **facts)
