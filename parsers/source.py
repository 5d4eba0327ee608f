"""The bytes of a file: mapped into memory, or unpacked into it; and their fingerprint."""

from __future__ import annotations

import hashlib
import mmap
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from imsperf.errors import DumpError
from imsperf.parsers.compiled import read_only
from imsperf.parsers.problems import Problem

U8 = npt.NDArray[np.uint8]

GZIP = b"\x1f\x8b"
_PIECE = 1 << 20  # bytes read or unpacked at a time


@dataclass(frozen=True)
class Source:
    """The unpacked bytes of a file, and what went wrong while unpacking."""

    path: Path
    buffer: U8
    problems: list[Problem] = field(default_factory=list)


def open_source(path: Path, limit: int | None = None) -> Source:
    """Map a file, or unpack it if its first bytes say gzip, not far past `limit` bytes.

    Raises DumpError if it cannot be read.
    """
    try:
        if path.is_dir():
            raise DumpError(f"{path}: found a directory, expected a file", "name the files in it")
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                raise DumpError(
                    f"{path}: found an empty file, expected an SMF dump or an IMS log",
                    "transfer it again and compare the sizes",
                )
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DumpError(f"{path}: cannot be read: {reason}", "check the name", path=path) from error
    if mapped[:2] == GZIP:
        return _unpacked(path, mapped, limit)
    return Source(path, read_only(np.frombuffer(mapped, dtype=np.uint8)))


def sha256(path: Path) -> str:
    """SHA-256 of the file as it is stored, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpacked(path: Path, packed: mmap.mmap, limit: int | None) -> Source:
    """All members of a gzip file; what was read before damage is kept."""
    out, problems, reason = bytearray(), [], "truncated"
    most = _memory()
    try:
        for piece in _pieces(packed):
            out += piece
            if limit is not None and len(out) >= limit:
                break
            if len(out) > most:
                raise DumpError(
                    f"{path}: gzip: found more than {most:,} bytes in it, expected what fits in "
                    "the memory of this machine",
                    "unpack it on disk and name the unpacked file, which is read in place",
                    path=path,
                )
        cut = ""
    except _Broken as error:
        cut, reason = str(error), error.reason
    if cut:
        detail = f"gzip: {cut}, expected a whole file; {len(out):,} bytes could be unpacked"
        problems.append(Problem(None, len(out), 0, None, None, "data_loss", reason, detail))
    if not out:
        raise DumpError(
            f"{path}: gzip: {cut or 'found nothing in it'}", "transfer it again in binary"
        )
    return Source(path, read_only(np.frombuffer(out, dtype=np.uint8)), problems)


class _Broken(Exception):
    """A gzip file does not end as it should; `reason` is that of the problem."""

    def __init__(self, found: str, reason: str = "truncated") -> None:
        super().__init__(found)
        self.reason = reason


def _pieces(packed: mmap.mmap) -> Iterator[bytes]:
    """The content of all members, some at a time. Raises _Broken where it does not go on."""
    at, unpack = 0, zlib.decompressobj(wbits=31)
    while at < len(packed) or unpack.unconsumed_tail:
        piece = unpack.unconsumed_tail or packed[at : at + _PIECE]
        at += 0 if unpack.unconsumed_tail else len(piece)
        try:
            found = unpack.decompress(piece, _PIECE * 8)
        except zlib.error as error:
            raise _Broken(f"found damage ({error})") from error
        yield found
        if unpack.eof:
            at -= len(unpack.unused_data)
            if packed[at : at + 2] != GZIP:
                break
            unpack = zlib.decompressobj(wbits=31)
    if not unpack.eof:
        raise _Broken("found its end missing")
    if packed[at:].strip(b"\0"):  # gzip itself lets zeros stand at the end, as tapes have them
        raise _Broken(f"found {len(packed) - at:,} bytes of something else behind it", "garbage")


def _memory() -> int:
    """Bytes that may be unpacked: three quarters of the memory of the machine."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return sys.maxsize
