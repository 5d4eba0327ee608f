"""Dumps of pinned seeds for the benches, made once and kept in the folder for temporary files.

IMSPERF_BENCH_MB says how many megabytes (10^6 bytes) a dump has; 1000 if it is not set. Values are
like those of a system: small counters, names from a few hundred, clocks that go on. The records are
laid out here by the declared layouts; sections follow each other behind the header.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from second_writer import bdw_rdw, vbs

from imsperf import layouts
from imsperf.kinds import Kind, Op, centisec, date, text
from imsperf.layout import Field, Section
from imsperf.record import Record

U8 = npt.NDArray[np.uint8]

MEGABYTES = int(os.environ.get("IMSPERF_BENCH_MB", "1000"))
_VERSION = 2  # of the bytes below: raised when they change
_CHUNK = 8_000_000  # bytes made at a time, each from a seed of its own
_DAY = np.datetime64("2026-03-01", "us")
_SPAN_S = 900  # of an interval; each chunk is one
_NAMES = 400


@dataclass(frozen=True)
class Chunk:
    """Some bytes of a dump: those of one interval, with random numbers of their own."""

    number: int
    random: np.random.Generator

    @property
    def begin(self) -> np.datetime64:
        """Of its interval."""
        return _DAY + np.timedelta64(self.number * _SPAN_S, "s")

    def times(self, count: int) -> Any:
        """Points in time in the interval, rising."""
        return self.begin + np.sort(self.random.integers(0, _SPAN_S * 10**6, count)).astype(
            "m8[us]"
        )


# --- values --------------------------------------------------------------------------------------


def _values(kind: Kind, rows: int, chunk: Chunk) -> Any:
    """Bytes of `rows` plausible values, shape (rows, width)."""
    random, count, width = chunk.random, rows * kind.count, kind.item_width
    match kind.op:
        case Op.UNSIGNED | Op.SIGNED | Op.PACKED_NUMBER | Op.WIDE:
            most = 10 ** (2 * width - 1) if kind.op is Op.PACKED_NUMBER else 2 ** (8 * width - 1)
            drawn: Any = np.minimum(random.exponential(2000.0, count), min(most, 2**31) - 1)
            values = drawn.astype(np.int64)
            values = values.tolist() if kind.op is Op.WIDE else values
        case Op.HEX_FLOAT:
            values = np.round(random.exponential(50.0, count), 3)
        case Op.TEXT:
            size = min(width, 20)
            names = [
                f"{'PRODUCTIONSYSTEM'[: size - 4]}{number:04d}"[-size:] for number in range(_NAMES)
            ]
            return kind.encode(np.array(names))[random.integers(0, _NAMES, rows)]
        case Op.OPAQUE:
            return random.integers(0, 256, (rows, width), np.uint8)
        case Op.PACKED_TIME | Op.CENTISECONDS:
            values = chunk.times(count) - chunk.begin.astype("M8[D]")
        case Op.PACKED_LENGTH | Op.TOD_OFFSET:
            values = np.full(count, np.timedelta64(_SPAN_S, "s"))
        case _:
            values = chunk.times(count)
    return kind.encode(values.reshape(rows, -1) if kind.count > 1 else values)


def sections(layout: Section, rows: int, chunk: Chunk) -> U8:
    """`rows` sections with values in all fields, shape (rows, length)."""
    out = np.zeros((rows, layout.length), np.uint8)
    for field in layout.fields:
        out[:, field.offset : field.end] = _values(field.kind, rows, chunk)
        if layout.table.endswith("_product"):
            _of_interval(out[:, field.offset : field.end], field, chunk)
    return out


def _of_interval(out: U8, field: Field, chunk: Chunk) -> None:
    """Product sections of RMF: one system and interval, no pieces of records (SMFxRAN)."""
    match field.name[5:]:
        case "ran":
            out[:] = 0
        case "xnm" | "snm":
            out[:] = field.kind.encode("SYSPLEX1" if field.name[5:] == "xnm" else "SYSA")
        case "dat":
            out[:] = field.kind.encode(chunk.begin)
        case "ist":
            out[:] = field.kind.encode(chunk.begin - chunk.begin.astype("M8[D]"))


def _put(out: U8, at: int, value: Any, width: int) -> None:
    shape = np.atleast_1d(value).astype(">u8").view(np.uint8).reshape(-1, 8)
    out[:, at : at + width] = shape[:, 8 - width :]


def _header(out: U8, kind: int, subtype: int, chunk: Chunk) -> None:
    """RDW and standard header; clocks rise from record to record."""
    rows, length = out.shape
    _put(out, 0, length, 2)
    out[:, 2:4] = 0
    out[:, 4], out[:, 5] = 0x5E, kind
    day = chunk.begin.astype("M8[D]")
    out[:, 6:10] = centisec.encode(chunk.times(rows) - day)
    out[:, 10:14] = date.encode(day)
    out[:, 14:18] = text(4).encode("SYSA")
    _put(out, 22, subtype, 2)


def smf_records(record: Record, rows: int, numbers: list[int], chunk: Chunk) -> U8:
    """Records of one layout with so many sections of each of its triplets, shape (rows, length)."""
    parts = [part for part in record.parts if part.in_header]
    begin = max([record.header.length, *(part.at + 8 for part in parts)])
    sizes = [part.section.length * n for part, n in zip(parts, numbers, strict=True)]
    out = np.zeros((rows, begin + sum(sizes)), np.uint8)
    out[:, : record.header.length] = sections(record.header, rows, chunk)
    _header(out, record.type, record.subtype or 0, chunk)
    at = begin
    for part, number, size in zip(parts, numbers, sizes, strict=True):
        _put(out, part.at, at, 4)
        _put(out, part.at + 4, part.section.length, 2)
        _put(out, part.at + 6, number, 2)
        out[:, at : at + size] = sections(part.section, rows * number, chunk).reshape(rows, size)
        at += size
    return out


def bare_records(length: int, rows: int, kind: int, chunk: Chunk) -> U8:
    """Records of a type that has no layout: a header and any bytes."""
    out = chunk.random.integers(0, 256, (rows, length), np.uint8)
    _header(out, kind, 1, chunk)
    return out


def _shuffled(groups: list[U8], chunk: Chunk) -> bytes:
    """Records of several kinds among each other."""
    rows = [row.tobytes() for group in groups for row in group]
    return b"".join(rows[at] for at in chunk.random.permutation(len(rows)).tolist())


# --- the dumps -----------------------------------------------------------------------------------


def _devices(rows: int, number: int, chunk: Chunk) -> U8:
    """Records of type 74.1 with `number` devices in each, all of one class."""
    record = layouts.smf_record(74, 1)
    assert record is not None
    out = smf_records(record, rows, [1, 1, number], chunk)
    control = record.header.length + record.parts[0].section.length
    _put(out, control + 2, min(rows * number, 65_535), 2)  # smf74tot
    _put(out, control + 6, 0x2000, 2)  # smf74sub: DASD
    return out


def _dense(chunk: Chunk) -> bytes:
    """74.1: 100 device sections of 300 bytes and 60 fields in each record."""
    return _devices(_CHUNK // 30_360, 100, chunk).tobytes()


def _sparse(chunk: Chunk) -> bytes:
    """123 version 1: a request in each record, 336 bytes and 15 fields."""
    record = next(
        record for record in layouts.all_records() if record.header.table == "smf123_1_header"
    )
    own = [record.header, *(part.section for part in record.parts)]
    rows = _CHUNK // sum(section.length for section in own)
    out = np.concatenate([sections(section, rows, chunk) for section in own], axis=1)
    _header(out, 123, 1, chunk)
    for place, value in ((24, 1), (28, 2), (32, 0), (36, 1)):  # version, triplets, record 1 of 1
        _put(out, place, value, 4)
    out[:, 40:48] = 0  # no other records belong to it
    at = own[0].length
    for triplet, section in zip((48, 60), own[1:], strict=True):
        for place, value in enumerate((at, section.length, 1)):
            _put(out, triplet + 4 * place, value, 4)
        at += section.length
    return out.tobytes()


def _sixty_layouts() -> list[Record]:
    """Layouts whose sections all stand where triplets of the header say, with 60 tables or more."""
    records: list[Record] = []
    for record in layouts.all_records():
        plain = record.when is None and all(part.in_header for part in record.parts)
        if plain and record.parts and sum(len(each.sections) for each in records) < 60:
            records.append(record)
    return records


def _sixty(chunk: Chunk) -> bytes:
    """About as many bytes of each layout, four sections of each of its tables in a record."""
    chosen = _sixty_layouts()
    groups = []
    for record in chosen:
        size = sum(4 * part.section.length for part in record.parts) + record.header.length
        rows = max(1, _CHUNK // len(chosen) // size)
        groups.append(smf_records(record, rows, [4] * len(record.parts), chunk))
    return _shuffled(groups, chunk)


def _undecoded(chunk: Chunk) -> bytes:
    """Nine bytes of ten in records of 1,000 bytes of types 200 to 203, without a layout."""
    rows = _CHUNK * 9 // 10 // 4 // 1000
    bare = [bare_records(1000, rows, 200 + number, chunk) for number in range(4)]
    return _shuffled([*bare, _devices(_CHUNK // 10 // 3360, 10, chunk)], chunk)


def _one_percent(chunk: Chunk) -> bytes:
    """One byte of a hundred in records of type 74.1, the others without a layout."""
    bare = bare_records(1000, _CHUNK * 99 // 100 // 1000, 200, chunk)
    return _shuffled([bare, _devices(max(1, _CHUNK // 100 // 6360), 20, chunk)], chunk)


def _rdw300(chunk: Chunk) -> bytes:
    return bare_records(300, _CHUNK // 300, 200, chunk).tobytes()


def _payloads(data: U8) -> list[bytes]:
    return [row[4:].tobytes() for row in data]


def _bdw300(chunk: Chunk) -> bytes:
    return bdw_rdw(_payloads(bare_records(300, _CHUNK // 300, 200, chunk)), 27_998)


def _vbs(chunk: Chunk) -> bytes:
    """Records of 30,360 bytes, every one in two or three segments."""
    return vbs(_payloads(bare_records(30_360, _CHUNK // 30_360, 200, chunk)), 27_998)


DUMPS: dict[str, Callable[[Chunk], bytes]] = {
    "sparse": _sparse,
    "dense": _dense,
    "sixty": _sixty,
    "undecoded": _undecoded,
    "one_percent": _one_percent,
    "rdw300": _rdw300,
    "bdw300": _bdw300,
    "vbs": _vbs,
}


def chunks(name: str, megabytes: float) -> Iterator[bytes]:
    """The bytes of a dump; each chunk has a seed of its own."""
    for number in range(max(1, round(megabytes * 1e6 / _CHUNK))):
        yield DUMPS[name](Chunk(number, np.random.default_rng([7, number])))


def folder() -> Path:
    """Where dumps are kept."""
    place = Path(tempfile.gettempdir()) / "imsperf-bench"
    place.mkdir(exist_ok=True)
    return place


def dump(name: str, megabytes: float | None = None) -> Path:
    """A dump of about so many megabytes, MEGABYTES if not given."""
    size = MEGABYTES if megabytes is None else megabytes
    path = folder() / f"{name}-{size:g}-v{_VERSION}.smf"
    if not path.exists():
        aside = path.with_suffix(".part")
        with aside.open("wb") as file:
            for chunk in chunks(name, size):
                file.write(chunk)
        aside.rename(path)
    return path
