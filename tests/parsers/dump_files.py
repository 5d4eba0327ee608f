"""Small dumps for tests of the reading half: records, and files of them."""

from __future__ import annotations

import struct
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from imsperf.parsers.framing.frames import Frames
from imsperf.parsers.read import Loaded, read_file

TOD_2024 = 0xDEBE7AECECE00000  # 2024-03-04 15:30:00 UTC


def smf(
    kind: int,
    subtype: int | None = None,
    body: bytes = b"",
    *,
    time: int = 3_600_000,
    date: int = 0x0124064F,
    system: bytes = b"\xe2\xe8\xe2\xf1",
) -> bytes:
    """An SMF record without its RDW; time in 1/100 s, date packed."""
    if subtype is None:
        return struct.pack(">BBII4s", 0x1E, kind, time, date, system) + body
    known = struct.pack(">BBII4s", 0x5E, kind, time, date, system)
    return known + b"\xe2\xe3\xc3\x40" + struct.pack(">H", subtype) + body


def log(code: int, subcode: int, lsn: int, body: bytes = b"", clock: int | None = None) -> bytes:
    """An IMS log record with its LL and suffix, one microsecond after another."""
    tod = TOD_2024 + 4096 * lsn if clock is None else clock
    return (
        struct.pack(">HHBB", 6 + len(body) + 16, 0, code, subcode)
        + body
        + struct.pack(">QQ", tod, lsn)
    )


def bodies(frames: Frames) -> list[bytes]:
    """The records of a file without their RDWs."""
    where = zip(frames.start, frames.length, frames.joined, strict=True)
    return [
        bytes((frames.joined_buffer if joined else frames.buffer)[at + 4 : at + size])
        for at, size, joined in where
    ]


def load(path: Path, **options: Any) -> tuple[Loaded, dict[str, list[dict[str, Any]]]]:
    """Read a file to its end: what is said of it, and the rows of each table."""
    loaded = read_file(path, 7, **options)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for table, batch in loaded.batches:
        assert isinstance(batch, (pa.RecordBatch, pa.Table))
        batch.validate(full=True)
        rows[table] += batch.to_pylist()
    return loaded, rows
