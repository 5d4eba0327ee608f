"""SMF records around their sections: header, product section, triplets, dump header and trailer.

Level written: z/OS 2.4 lengths (CPU control 344, logical processor 88). The lengths of z/OS 2.1,
which document 002 ran, are not public; a reader steps by the lengths in the triplets either way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.layout import Section
from imsperf.layouts import smf2, smf3
from imsperf.layouts.smf import SHORT_HEADER
from imsperf.record import Record
from imsperf.synthetic.records.hardware import Host

U8 = npt.NDArray[np.uint8]
I64 = npt.NDArray[np.int64]

OS_LEVEL = "zV020400"
RMF_VERSION, RECORD_LEVEL = 796, 86  # what z/OS 2.4 writes
TICK = 4096  # ticks of simulated time in a microsecond
FLAGS = 0xDE  # subsystem id, subtypes, and the older system bits
SHORT_FLAGS = 0x1E  # a header without subtypes
LARGEST_RECORD = 32_756  # so that the record and its RDW fit one segment


@dataclass(frozen=True)
class Interval:
    """The RMF intervals of a run: start and end in UTC, length in us, samples; n values each."""

    start: npt.NDArray[np.datetime64]
    end: npt.NDArray[np.datetime64]
    length_us: I64
    samples: I64
    cycle_ms: int

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True)
class Part:
    """`number` sections of one kind in every record of a group, `length` bytes each."""

    section: Section
    columns: Mapping[str, Any]
    number: int
    length: int

    def encode(self, records: int) -> U8:
        """Bytes of shape (records, number * length); columns hold records x number values."""
        flat = {name: _flat(values) for name, values in self.columns.items()}
        rows = self.section.encode(flat, count=records * self.number, length=self.length)
        return rows.reshape(records, self.number * self.length)


def _flat(values: Any) -> Any:
    return values.reshape(-1, *values.shape[2:]) if np.ndim(values) > 1 else values


def record_rows(
    record: Record, host: Host, interval: Interval, parts: Sequence[Part], written: I64
) -> U8:
    """One record per interval, shape (n, bytes). `written`: us from interval end to the write.

    Parts stand in the record in the order given, the product section before them.
    """
    count = len(interval)
    everything = [product(record, host, interval), *parts]
    columns, end = _triplets(record, everything)
    columns |= _standard(record, host, interval.end + written.astype("timedelta64[us]"), end)
    head = record.header.encode(columns, count=count)
    return np.hstack([head, *(part.encode(count) for part in everything)])


def _triplets(record: Record, parts: Sequence[Part]) -> tuple[dict[str, Any], int]:
    """Header columns of all triplets, and the length of the record."""
    here = {part.section.table: part for part in parts}
    at, start = record.header.length, {}
    for part in parts:
        start[part.section.table] = at
        at += part.number * part.length
    columns: dict[str, Any] = {_at(record.header, 24): len(record.parts)}
    for triplet in record.parts:
        name = triplet.section.table
        number = here[name].number if name in here else 0
        length = here[name].length if name in here else triplet.section.length
        columns[_at(record.header, triplet.at)] = start[name] if number else 0
        columns[_at(record.header, triplet.at + 4)] = length
        columns[_at(record.header, triplet.at + 6)] = number
    return columns, at


def _at(section: Section, offset: int) -> str:
    return next(one.name for one in section.fields if one.offset == offset)


def _standard(
    record: Record, host: Host, utc: npt.NDArray[np.datetime64], length: int
) -> dict[str, Any]:
    """The 24-byte header."""
    p = f"smf{record.type}"
    time = _local(host, utc)
    return {
        f"{p}len": length,
        f"{p}flg": FLAGS,
        f"{p}rty": record.type,
        f"{p}tme": time - time.astype("datetime64[D]"),
        f"{p}dte": time.astype("datetime64[D]"),
        f"{p}sid": host.smf_id,
        f"{p}ssi": "RMF",
        f"{p}sty": record.subtype,
    }


def _local(host: Host, utc: npt.NDArray[np.datetime64]) -> npt.NDArray[np.datetime64]:
    local: npt.NDArray[np.datetime64] = (utc + host.offset).astype("datetime64[us]")
    return local


def product(record: Record, host: Host, interval: Interval) -> Part:
    """The RMF product section: IST and DAT are local, IET and GIE are UTC."""
    p = f"smf{record.type}"
    section = record.parts[0].section
    local = _local(host, interval.start)
    columns = {
        f"{p}mfv": RMF_VERSION,
        f"{p}prd": "RMF",
        f"{p}ist": local - local.astype("datetime64[D]"),
        f"{p}dat": local.astype("datetime64[D]"),
        f"{p}int": interval.length_us,
        f"{p}sam": interval.samples,
        f"{p}fla": 0x1000,  # synchronised with SMF
        f"{p}rls": "",
        f"{p}cyc": interval.cycle_ms,
        f"{p}mvs": OS_LEVEL,
        f"{p}iml": 3,
        f"{p}prf": 0x13,  # z/Architecture, enhanced DAT; no zAAP, no zIIP
        f"{p}ptn": host.partition_number,
        f"{p}srl": RECORD_LEVEL,
        f"{p}iet": interval.end,
        f"{p}lgo": host.offset,
        f"{p}oil": np.rint(interval.length_us / 1e6).astype(np.int64),
        f"{p}gie": interval.end,
        f"{p}xnm": host.sysplex,
        f"{p}snm": host.system,
    }
    return Part(section, columns, 1, section.length)


def dump_mark(kind: int, host: Host, utc: np.datetime64) -> U8:
    """Type 2, the dump header, or type 3, the trailer: 18 bytes, no subtype; one row."""
    section = {2: smf2.HEADER, 3: smf3.HEADER}[kind]
    p = f"smf{kind}"
    time = _local(host, np.array([utc]))
    columns = {
        f"{p}len": SHORT_HEADER,
        f"{p}flg": SHORT_FLAGS,
        f"{p}rty": kind,
        f"{p}tme": time - time.astype("datetime64[D]"),
        f"{p}dte": time.astype("datetime64[D]"),
        f"{p}sid": host.smf_id,
    }
    return section.encode(columns, length=SHORT_HEADER)


def in_units(ticks: I64, unit: int) -> I64:
    """Per-interval sums in ticks -> whole field units by error diffusion along the first axis.

    The running total is cut, never the interval: any run of intervals is within one unit.
    """
    total = np.cumsum(ticks, axis=0) // unit
    return np.diff(total, axis=0, prepend=np.zeros_like(total[:1]))
