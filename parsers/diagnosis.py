"""What a file is that is no dump, or no longer one: told from its first bytes."""

from __future__ import annotations

from typing import NoReturn

from imsperf.errors import DumpError
from imsperf.parsers.source import Source

_EVIDENCE = (
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x89PNG", "a PNG image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"BZh", "a bzip2 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)
_AGAIN = "transfer it again in binary and keep the RDWs (FTP: binary, then quote site rdw)"


def refuse(source: Source) -> NoReturn:
    """Raise the DumpError that says what the file is instead."""
    first = source.buffer[:4096].tobytes()
    names = [name for magic, name in _EVIDENCE if first.startswith(magic)]
    printable = sum(byte in b"\t\r\n" or 32 <= byte < 127 for byte in first)
    found = f"no records; it begins with X'{first[:8].hex().upper()}'"
    hint = _AGAIN
    if names:
        found, hint = names[0], "name an SMF dump or an IMS log, plain or packed with gzip"
    elif printable > 0.95 * len(first):
        found = "text"
    raise DumpError(
        f"{source.path}: found {found}, expected an SMF dump or an IMS log",
        hint,
        path=source.path,
        first=first[:8],
    )
