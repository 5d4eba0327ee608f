"""What is in a packed file or an archive: its kind by its first bytes, and its members in order.

Names in an archive are data. They are shown, never used as a path to read from.
"""

from __future__ import annotations

import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import SEEK_CUR, SEEK_END, SEEK_SET, RawIOBase
from pathlib import PurePosixPath
from typing import IO, Any, cast

from imsperf.errors import DumpError
from imsperf.parsers.containers import streams
from imsperf.parsers.containers.streams import Broken, Done
from imsperf.parsers.kernels.loads import U8
from imsperf.parsers.problems import Problem, Severity

Note = Callable[[Problem], None]

MOST_MEMBERS = 10_000
STREAMS = {"gz": "gzip", "zst": "zstd", "xz": "xz", "bz2": "bzip2"}  # one member without a name
_WORDS = {**STREAMS, "terse": "terse"}

_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04")
_BLOCKS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")  # how a bzip2 block, or none, begins
_LONGEST = 200  # letters of a name that are shown


@dataclass(frozen=True)
class Member:
    """One member: its bytes where they lie in the container, or pieces that are unpacked.

    `words` says for a message what it was unpacked with. Pieces may end in Broken; `problems` are
    complete when all have been taken.
    """

    name: str
    words: str
    content: U8 | Iterator[Any]
    problems: list[Problem] = field(default_factory=list)


def kind_of(buffer: U8) -> str:
    """gz zip zst xz bz2 tar terse xmit, or "" if it is none of them."""
    start = bytes(buffer[:512])
    if start[:3] == streams.GZIP + b"\x08":
        return "gz"
    if start[:4] == streams.ZSTD or (start[1:4] == b"\x2a\x4d\x18" and start[0] >> 4 == 5):
        return "zst"
    if start.startswith(streams.XZ):
        return "xz"
    if start[:3] == streams.BZIP2 and start[4:10] in _BLOCKS:
        return "bz2"
    if start.startswith(_ZIP):
        return "zip"
    if _is_tar(start):
        return "tar"
    return _kind_of_host(buffer)


def _kind_of_host(buffer: U8) -> str:
    from imsperf.parsers.containers import terse, xmit

    if xmit.is_xmit(buffer):
        return "xmit"
    return "terse" if terse.is_terse(buffer) else ""


def members(kind: str, buffer: U8, note: Note, done: Done) -> Iterator[Member]:
    """The members that hold bytes. `note` is told what is left out; `done` counts packed bytes.

    Raises Broken where the container cannot be read any further: of reason "limit" where it says
    more than it should.
    """
    return _OPENERS[kind](buffer, note, done)


def shown(name: str) -> str:
    """A name from an archive as it may be printed: no control characters, not too long."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "..."


def problem(
    at: int, reason: str, detail: str, severity: Severity = "data_loss", lost: int = 0
) -> Problem:
    """A finding about a container."""
    return Problem(None, at, lost, None, None, severity, reason, detail)


def _passed_over(name: str) -> bool:
    """Folders, and what a Mac adds to an archive beside the files themselves."""
    parts = PurePosixPath(name).parts
    return name.endswith("/") or "__MACOSX" in parts or (bool(parts) and parts[-1][:2] == "._")


def check_count(count: int) -> None:
    """More members than dumps come in are a bomb."""
    if count > MOST_MEMBERS:
        raise Broken(f"more than {MOST_MEMBERS:,} members", "limit")


class _Window(RawIOBase):
    """Bytes in memory as a file; a size that a damaged header says costs no memory."""

    def __init__(self, buffer: U8) -> None:
        self._view, self._at = buffer.data, 0

    def read(self, size: int | None = -1) -> bytes:
        end = len(self._view) if size is None or size < 0 else self._at + size
        data = bytes(self._view[self._at : end])
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        self._at = {SEEK_SET: 0, SEEK_CUR: self._at, SEEK_END: len(self._view)}[whence] + offset
        if self._at < 0:
            raise OSError("negative place in a file")
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


# --- one member: gzip, zstd, xz, bzip2, terse -----------------------------------------------------


def _stream(kind: str) -> Any:
    unpack = {
        "gz": streams.gunzip, "zst": streams.unzstd, "xz": streams.unxz, "bz2": streams.bunzip2,
        "terse": _unterse,
    }[kind]  # fmt: skip

    def opener(buffer: U8, note: Note, done: Done) -> Iterator[Member]:
        yield Member("", _WORDS[kind], unpack(buffer, done))

    return opener


def _unterse(buffer: U8, done: Done) -> Iterator[U8]:
    from imsperf.parsers.containers import terse

    try:
        unpacking = terse.Unpacking(buffer, 1 << 62)
    except DumpError as error:
        raise _not_unpacked(error) from error
    yield from unpacking
    done(buffer.size)
    if unpacking.problem:
        raise Broken(unpacking.problem, "damaged")


def _xmit(buffer: U8, note: Note, done: Done) -> Iterator[Member]:
    from imsperf.parsers.containers import xmit

    problems = list[Problem]()

    def lost(at: int, reason: str, what: str, size: int) -> None:
        problems.append(problem(at, reason, what, lost=size))

    unpacked = xmit.unpack(buffer, lost)
    while True:
        try:
            first = next(unpacked, None)
        except DumpError as error:
            raise _not_unpacked(error) from error
        if first is None:
            break
        problems = []
        yield Member(first.name, "xmit", first.pieces, problems)
    done(buffer.size)


def _not_unpacked(error: DumpError) -> Broken:
    reason = error.message.removeprefix("terse: ").removeprefix("xmit: ")
    return Broken(reason, "not_unpacked", error.hint or "")


# --- tar ------------------------------------------------------------------------------------------

_TAR_ERRORS = (tarfile.TarError, ValueError, OverflowError, OSError, RecursionError, struct.error)


def _is_tar(start: bytes) -> bool:
    """A header whose checksum is right: old archives have no other mark."""
    if len(start) < 512 or not start[0]:
        return False
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "surrogateescape")
    except (tarfile.TarError, ValueError):
        return False
    return True


def _tar(buffer: U8, note: Note, done: Done) -> Iterator[Member]:
    for entry in _tar_entries(buffer, note):
        content = buffer[entry.offset_data : entry.offset_data + entry.size]
        problems = []
        if content.size < entry.size:
            detail = f"tar: {_END}, expected {entry.size:,} bytes; {content.size:,} are there"
            problems = [problem(content.size, "truncated", detail)]
        done(entry.size)
        yield Member(entry.name, "tar", content, problems)


_END = "found its end missing"


def _tar_entries(buffer: U8, note: Note) -> list[tarfile.TarInfo]:
    """The regular files; what else there is, and where the archive cannot be read on, is noted."""
    tar_entries, count, end, place = [], 0, 0, 0
    try:
        window = cast(IO[bytes], _Window(buffer))
        with tarfile.open(fileobj=window, mode="r:", errors="surrogateescape") as archive:
            while entry := archive.next():
                check_count(count := count + 1)
                end = entry.offset_data + (entry.size if entry.isreg() else 0)
                if _is_wanted(entry, note):
                    tar_entries.append(entry)
            place = archive.offset
    except _TAR_ERRORS as error:
        if end <= buffer.size:  # else the last file is cut, which its member says
            note(problem(end, "damaged", f"tar: found damage ({error}), expected a header"))
        return tar_entries
    if buffer[place : place + 512].any():
        lost = buffer.size - place
        detail = f"tar: found {lost:,} bytes of something else, expected a header or the end"
        note(problem(place, "garbage", detail, lost=lost))
    return tar_entries


def _is_wanted(tar_info: tarfile.TarInfo, note: Note) -> bool:
    if tar_info.isdir() or _passed_over(tar_info.name):
        return False
    if tar_info.issparse():
        words = (
            f"tar: {shown(tar_info.name)}: found a file with holes, expected a plain one: left out"
        )
        note(problem(tar_info.offset, "unsupported", words, lost=tar_info.size))
        return False
    if not tar_info.isreg():
        words = f"tar: {shown(tar_info.name)}: found a link or a device, expected a file: left out"
        note(problem(tar_info.offset, "not_a_file", words, "info"))
        return False
    return tar_info.size > 0


# --- zip ------------------------------------------------------------------------------------------

_ZIP_ERRORS = (
    zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, OSError, struct.error,
)  # fmt: skip
_STORED, _DEFLATED, _BZIP2, _LZMA, _ZSTD = 0, 8, 12, 14, 93
_HEADER = 30  # bytes before the name of a member


def _zip(buffer: U8, note: Note, done: Done) -> Iterator[Member]:
    try:
        with zipfile.ZipFile(cast(IO[bytes], _Window(buffer))) as archive:
            entries = archive.infolist()
    except _ZIP_ERRORS as error:
        raise Broken(
            f"found its end missing, where the list of its members stands ({error}), expected a "
            "whole file: no member is read, as nothing else proves where one ends",
            hint="transfer it again in binary, whole; or let `zip -FF` try to mend it",
            size=int(buffer.size),
        ) from error
    check_count(len(entries))
    overlapping = _overlapping(entries, buffer.size)
    for entry in entries:
        if not entry.file_size or _passed_over(entry.filename):
            continue
        yield Member(entry.filename, "zip", _unzipped(entry, buffer, overlapping, done))


def _overlapping(entries: list[zipfile.ZipInfo], size: int) -> set[int]:
    """Places of members that reach into others: a few bytes that stand for many are a bomb."""
    placed = sorted((entry.header_offset, entry.compress_size) for entry in entries)
    return {
        at
        for (at, length), (behind, _) in zip(placed, [*placed[1:], (size, 0)], strict=False)
        if at < 0 or at + _HEADER + length > behind
    }


def _unzipped(
    zip_info: zipfile.ZipInfo, buffer: U8, overlapping: set[int], done: Done
) -> Iterator[Any]:
    """The bytes of a member, as many as the list says, then checked. A damaged one proves none."""
    count, crc = 0, 0
    if zip_info.header_offset in overlapping:
        raise Broken(
            "found that it reaches into another member", "damaged", size=zip_info.file_size
        )
    try:
        pieces = _zip_pieces(zip_info, buffer, done)
        while count < zip_info.file_size:
            piece = next(pieces, None)
            if piece is None:
                raise Broken(f"found {count:,} bytes, expected {zip_info.file_size:,}", "damaged")
            piece = piece[: zip_info.file_size - count]
            count, crc = count + len(piece), zlib.crc32(piece, crc)
            yield piece
        if crc != zip_info.CRC:
            raise Broken(f"found checksum {crc:08X}, expected {zip_info.CRC:08X}", "damaged")
    except Broken as error:
        error.size, error.proved = zip_info.file_size, error.proved or 0
        raise


def _zip_pieces(zip_info: zipfile.ZipInfo, buffer: U8, done: Done) -> Iterator[Any]:
    if zip_info.flag_bits & 0x41:
        raise Broken("found it encrypted", "encrypted")
    header = bytes(buffer[zip_info.header_offset : zip_info.header_offset + _HEADER])
    if len(header) < _HEADER or header[:4] != _ZIP[0]:
        raise Broken("found no header", "damaged")
    start = zip_info.header_offset + _HEADER + sum(struct.unpack("<HH", header[26:]))
    packed = buffer[start : start + zip_info.compress_size]
    view = packed.data
    if zip_info.compress_type == _STORED:
        return _stored(view, done)
    if zip_info.compress_type == _DEFLATED:
        return streams.inflate(view, 0, done)
    if zip_info.compress_type == _BZIP2:
        return streams.bunzip2_one(view, 0, done)
    if zip_info.compress_type == _LZMA:
        return streams.unlzma(view, done)
    if zip_info.compress_type == _ZSTD:
        return streams.unzstd_frames(packed, done)
    raise Broken(f"found it packed by method {zip_info.compress_type}", "unsupported")


def _stored(view: memoryview, done: Done) -> Iterator[memoryview]:
    for at in range(0, len(view), 1 << 20):
        piece = view[at : at + (1 << 20)]
        done(len(piece))
        yield piece


_OPENERS: dict[str, Callable[[U8, Note, Done], Iterator[Member]]] = {
    **{kind: _stream(kind) for kind in _WORDS},
    "tar": _tar,
    "zip": _zip,
    "xmit": _xmit,
}
