"""Unpack one stream of packed bytes, some at a time: gzip, bzip2, xz, lzma, zstd.

What could be unpacked before damage is given first, then Broken is raised. No step gives more than
a few pieces, however much a few packed bytes may say.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Generator, Iterator
from typing import Protocol

import numpy as np
import pyarrow as pa

from imsperf.parsers.containers import checksums
from imsperf.parsers.kernels.loads import U8

GZIP = b"\x1f\x8b"
XZ = b"\xfd7zXZ\0"
BZIP2 = b"BZh"
ZSTD = b"\x28\xb5\x2f\xfd"

Done = Callable[[int], None]  # called with the packed bytes used since the last call
One = Callable[[memoryview, int, Done], Generator[bytes, None, int]]  # gives where it ends

_IN, _OUT = 1 << 16, 1 << 18  # bytes of one step
_CRUMB = 1 << 10  # bytes of one step where damage is near
_MOST_HEADER = 1 << 18  # bytes of a gzip header: an extra field, a name, a remark
_MOST_MEMORY = 1 << 30  # what a stream may ask for to be unpacked
_END = "found its end missing"


class Broken(Exception):
    """Packed bytes do not go on as they should; `reason` is that of the problem.

    `proved`: of the bytes given before, how many are sound. None: all of them, as far as the format
    can tell. Where a checksum fails or packed bits make no sense the damage may be anywhere before.
    `size`: bytes that there should be, if that is known.
    """

    def __init__(
        self,
        what: str,
        reason: str = "truncated",
        hint: str = "",
        proved: int | None = None,
        size: int = 0,
    ) -> None:
        super().__init__(what if "expected" in what else f"{what}, expected a whole file")
        self.reason, self.hint, self.proved, self.size = reason, hint, proved, size


def gunzip(packed: U8, done: Done) -> Iterator[bytes]:
    """All members of a gzip file."""
    return _members(packed, _gunzip, GZIP, done)


def unxz(packed: U8, done: Done) -> Iterator[bytes]:
    """All streams of an xz file."""
    return _members(packed, _unxz, XZ, done)


def bunzip2(packed: U8, done: Done) -> Iterator[bytes]:
    """All streams of a bzip2 file."""
    return _members(packed, bunzip2_one, BZIP2, done)


def unzstd(packed: U8, done: Done) -> Iterator[bytes]:
    """All frames of a zstd file."""
    end = _zstd_end(packed)
    yield from unzstd_frames(packed[:end], done)
    behind = _past_zeros(packed, end)
    if behind < packed.size:
        raise _garbage(packed.size - behind)


def _members(packed: U8, member: One, magic: bytes, done: Done) -> Iterator[bytes]:
    """One behind the other; zeros may stand behind each, as tapes have them at the end."""
    view, at, before = packed.data, 0, 0
    while True:
        pieces, given = member(view, at, done), 0
        try:
            while True:
                piece = next(pieces)
                given += len(piece)
                yield piece
        except StopIteration as end:
            at, before = _past_zeros(packed, end.value), before + given
        except Broken as error:
            if error.proved is not None:
                error.proved += before
            raise
        if at == len(view):
            return
        if bytes(view[at : at + len(magic)]) != magic:
            raise _garbage(len(view) - at)


def _garbage(size: int) -> Broken:
    return Broken(f"found {size:,} bytes of something else behind it", "garbage")


def _past_zeros(packed: U8, at: int) -> int:
    while at < packed.size:
        piece = packed[at : at + (1 << 20)]
        if piece.any():
            return at + int(np.argmax(piece != 0))
        at += piece.size
    return at


def _gunzip(view: memoryview, at: int, done: Done) -> Generator[bytes, None, int]:
    """One member of a gzip file; its checksum is ours to check, as zlib keeps back what fails."""
    begun, at, crc, size = at, _behind_gzip_header(view, at), 0, 0
    done(at - begun)
    pieces = inflate(view, at, done)
    while True:
        try:
            piece = next(pieces)
        except StopIteration as end:
            at = end.value
            break
        except Broken as error:
            if error.proved is None and _is_length(view, size):
                raise Broken(
                    "found damage (its last block does not end)", "damaged", "", 0
                ) from error
            raise
        crc, size = zlib.crc32(piece, crc), size + len(piece)
        yield piece
    said = bytes(view[at : at + 8])
    done(len(said))
    if len(said) < 8:
        raise _overrun() if _is_length(view, size) else Broken(_END)
    _check(crc, size, int.from_bytes(said[:4], "little"), int.from_bytes(said[4:], "little"))
    return at + 8


def _check(crc: int, size: int, said_crc: int, said_size: int) -> None:
    """The trailer of RFC 1952, 2.3.1: CRC-32 and length of what was packed."""
    if crc != said_crc:
        what = f"found checksum {crc:08X}, expected {said_crc:08X}"
        raise Broken(what, "damaged", proved=0)
    if size & 0xFFFFFFFF != said_size:
        what = f"found {size:,} bytes, expected a length that ends in X'{said_size:08X}'"
        raise Broken(what, "damaged", proved=0)


def _overrun() -> Broken:
    return Broken("found damage (its last block does not end)", "damaged", proved=0)


def _is_length(view: memoryview, size: int) -> bool:
    """Whether the last bytes of the file are about the length of a stream that has no end: its
    trailer is there, so that it was not cut."""
    said = int.from_bytes(view[-4:], "little")
    return abs(said - (size & 0xFFFFFFFF)) <= max(1 << 20, size >> 8)


def _behind_gzip_header(view: memoryview, at: int) -> int:
    """RFC 1952, 2.3: ten bytes, then what the flags say."""
    header = bytes(view[at : at + _MOST_HEADER])
    if len(header) < 10 or header[2] != 8:
        raise Broken("found no whole header of gzip")
    flags, here = header[3], 10
    if flags & 4:
        here += 2 + int.from_bytes(header[10:12], "little")
    for flag in (8, 16):  # a name, a remark
        if flags & flag:
            here = header.find(b"\0", here) + 1
            if not here:
                raise Broken("found no whole header of gzip")
    begin = at + here + (flags & 2)
    if begin > len(view):
        raise Broken("found no whole header of gzip")
    return begin


def inflate(view: memoryview, at: int, done: Done) -> Generator[bytes, None, int]:
    """One deflated stream without a frame."""
    unpack, piece = zlib.decompressobj(wbits=-zlib.MAX_WBITS), view[:0]
    while not unpack.eof:
        if not piece:
            piece = view[at : at + _IN]
            at += len(piece)
            done(len(piece))
        saved = unpack.copy()
        try:
            data = unpack.decompress(piece, _OUT)
        except zlib.error as error:
            yield from _crumbs(saved, piece)
            raise Broken(f"found damage ({error})", "damaged", proved=0) from error
        yield data
        if at >= len(view) and not piece and not data and not unpack.eof:
            raise Broken(_END)
        piece = memoryview(unpack.unconsumed_tail)
    done(-len(unpack.unused_data))
    return at - len(unpack.unused_data)


def _crumbs(unpack: zlib._Decompress, piece: memoryview) -> Iterator[bytes]:
    """What comes before the damage: a failing step gives nothing of what it had, so step less."""
    for size in (_CRUMB, 1):
        crumb = b"begin"
        while crumb or piece:
            saved = unpack.copy()
            try:
                crumb = unpack.decompress(piece, size)
            except zlib.error:
                unpack = saved
                break
            yield crumb
            piece = memoryview(unpack.unconsumed_tail)


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def bunzip2_one(view: memoryview, at: int, done: Done) -> Generator[bytes, None, int]:
    """One stream of bzip2."""
    proved = checksums.proved_bzip2
    return (yield from _pump(bz2.BZ2Decompressor(), view, at, done, proved))


def _unxz(view: memoryview, at: int, done: Done) -> Generator[bytes, None, int]:
    unpack = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
    return (yield from _pump(unpack, view, at, done, checksums.proved_xz))


def unlzma(view: memoryview, done: Done) -> Generator[bytes, None, int]:
    """One lzma stream as it stands in a zip file (its specification, 5.8.8)."""
    if len(view) < 9 or view[2] != 5 or view[3] or view[4] >= 9 * 5 * 5:
        raise Broken("found no properties of lzma", "damaged")
    size = int.from_bytes(view[5:9], "little")
    if size > _MOST_MEMORY:
        raise Broken(f"found that it takes {size:,} bytes of memory to unpack", "unsupported")
    rest, lc = divmod(view[4], 9)
    pb, lp = divmod(rest, 5)
    props = {"id": lzma.FILTER_LZMA1, "dict_size": max(size, 4096), "lc": lc, "lp": lp, "pb": pb}
    try:
        unpack = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[props])
    except (lzma.LZMAError, ValueError) as error:
        raise Broken(f"found damage ({error})", "damaged") from error
    return (yield from _pump(unpack, view, 9, done))


def _pump(
    unpack: _Decompressor,
    view: memoryview,
    at: int,
    done: Done,
    proved: Callable[[U8], int] = lambda packed: 0,
) -> Generator[bytes, None, int]:
    """`proved` says of a damaged stream how much of it is sound."""
    begin = at
    while not unpack.eof:
        piece = b""
        if unpack.needs_input:
            piece = bytes(view[at : at + _IN])
            at += len(piece)
            done(len(piece))
            if not piece:
                raise Broken(_END)
        try:
            yield unpack.decompress(piece, _IN)
        except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
            sound = proved(np.frombuffer(view[begin:], np.uint8))
            raise Broken(f"found damage ({error})", "damaged", proved=sound) from error
    done(-len(unpack.unused_data))
    return at - len(unpack.unused_data)


def unzstd_frames(packed: U8, done: Done) -> Iterator[bytes]:
    """Frames of zstd and nothing else; of a damaged one nothing is proved."""
    at, proved = 0, 0
    while at < packed.size:
        end, given, told = _one_frame(packed, at), 0, at
        reader = pa.BufferReader(pa.py_buffer(packed[at:end]))
        try:
            stream = pa.CompressedInputStream(reader, "zstd")
            while piece := stream.read(_IN):
                given += len(piece)
                yield piece
                done(at + reader.tell() - told)
                told = at + reader.tell()
        except (OSError, pa.ArrowException) as error:
            if "Truncated" in str(error) and end == packed.size:
                raise Broken(_END) from error
            raise Broken(f"found damage ({error})", "damaged", proved=proved) from error
        done(end - told)
        at, proved = end, proved + given


def _zstd_end(packed: U8) -> int:
    """Where the last frame ends; the end of the bytes where it is cut (RFC 8878, 3.1)."""
    at = 0
    while at < packed.size and _begins_frame(packed, at):
        at = _one_frame(packed, at)
    return at or int(packed.size)


def _begins_frame(packed: U8, at: int) -> bool:
    magic = packed[at : at + 8].tobytes()
    return (magic[:4] == ZSTD and len(magic) > 4) or _is_skipped(magic)


def _is_skipped(magic: bytes) -> bool:
    return len(magic) == 8 and magic[0] >> 4 == 5 and magic[1:4] == b"\x2a\x4d\x18"


def _one_frame(packed: U8, at: int) -> int:
    """Where the frame that begins at `at` ends, or the bytes."""
    magic = packed[at : at + 8].tobytes()
    if _is_skipped(magic):
        return min(at + 8 + int.from_bytes(magic[4:8], "little"), int(packed.size))
    if not _begins_frame(packed, at):
        return int(packed.size)
    return min(_frame_end(packed, at + 4), int(packed.size))


def _frame_end(packed: U8, at: int) -> int:
    """Where the frame ends whose descriptor is at `at`: header, blocks, checksum."""
    flags = int(packed[at])
    single = flags >> 5 & 1
    at += 2 - single + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
    while at + 3 <= packed.size:
        block = int.from_bytes(packed[at : at + 3].tobytes(), "little")
        at += 3 + (1 if block >> 1 & 3 == 1 else block >> 3)
        if block & 1:
            return at + (4 if flags & 4 else 0)
    return int(packed.size)
