"""SMF records around their sections: headers, the RMF product section, dump header and trailer.

Level written: z/OS 2.4 lengths (CPU control 344, logical processor 88). The lengths of z/OS 2.1,
which document 002 ran, are not public; a reader steps by the lengths in the triplets either way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from imsperf.layout import Section
from imsperf.layouts import smf2, smf3
from imsperf.layouts.smf import SHORT_HEADER
from imsperf.record import Record
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64, U8, Times, Values
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Plan, Sections, plan
from imsperf.synthetic.writer import Batch

__all__ = [
    "LARGEST_RECORD", "OS_LEVEL", "Group", "Interval", "Sections", "batches", "chunk_edges",
    "dump_mark", "iodf_of", "local_time", "pieces", "rmf_group", "smf_group", "smf_head",
]  # fmt: skip


OS_LEVEL = "zV020400"
RMF_VERSION, RECORD_LEVEL = 796, 86  # what z/OS 2.4 writes
FLAGS = 0xDE  # subsystem id, subtypes, and the older system bits
SHORT_FLAGS = 0x1E  # a header without subtypes
CHUNK = 48 << 20  # bytes of records that are made at once, about
LONG_AGO, FAR_AWAY = np.datetime64("1900-01-01", "us"), np.datetime64("2200-01-01", "us")
FIRST_TRIPLET = 28  # in the header of RMF records and of types 42 and 110


@dataclass(frozen=True)
class Interval:
    """The RMF intervals of a run: start and end in UTC, length in us, samples; n values each."""

    start: Times
    end: Times
    length_us: I64
    samples: I64
    cycle_ms: int

    def __len__(self) -> int:
        return len(self.start)

    def taken(self, which: Any) -> Interval:
        """Some of them, by a mask or a slice."""
        return self._changed(lambda values: values[which])

    def repeated(self, times: int) -> Interval:
        """Each interval `times` times: for that many records in each."""
        return self._changed(lambda values: np.repeat(values, times))

    def _changed(self, change: Callable[[Values], Values]) -> Interval:
        arrays = (self.start, self.end, self.length_us, self.samples)
        start, end, length_us, samples = map(change, arrays)
        return Interval(start, end, length_us, samples, self.cycle_ms)


@dataclass(frozen=True)
class Group:
    """Records of one shape, made when they are asked for.

    `time`: when each reached the SMF buffer, UTC, never earlier than the one before. Columns of
    `head` and `parts` hold a value for each record, see Sections.
    """

    record: Record
    head: Sections
    parts: tuple[Sections, ...]
    time: Times
    skipped: int = 0  # records of the columns in front of the first one
    at: I64 | None = None  # interval of each; None: all intervals have the same number of them

    def __len__(self) -> int:
        return len(self.time)

    def only(self, intervals: slice, of: int) -> Group:
        """The records of some intervals, of so many."""
        begin, end, _ = intervals.indices(of)
        if self.at is not None:
            begin, end = np.searchsorted(self.at, [begin, end]).tolist()
            return replace(
                self, time=self.time[begin:end], skipped=self.skipped + begin, at=self.at[begin:end]
            )
        each = len(self) // of
        time = self.time[begin * each : end * each]
        return replace(self, time=time, skipped=self.skipped + begin * each)

    @cached_property
    def plan(self) -> Plan:
        """How they are made."""
        return plan(self.record, self.head, self.parts)

    def rows(self, begin: int = 0, end: int | None = None) -> U8:
        """The bytes of some records, (records, length)."""
        end = len(self) if end is None else end
        return self.plan.encode(begin + self.skipped, end + self.skipped)


def rmf_group(
    record: Record,
    host: Host,
    interval: Interval,
    parts: Sequence[Sections],
    written: Any,
    each: int = 1,
) -> Group:
    """RMF records: `each` of them for every interval, one after another.

    `written`: us from interval end to the write, one number or one for each of the `each` records.
    The product section stands before the parts.
    """
    late = np.broadcast_to(np.asarray(written, dtype=np.int64), (len(interval), each)).reshape(-1)
    interval = interval.repeated(each)
    triplets = (record.header.length - FIRST_TRIPLET) // 8
    return smf_group(
        record,
        host,
        [_product(record, host, interval), *parts],
        interval.end + late.astype("timedelta64[us]"),
        subsystem="RMF",
        fixed={name_at(record.header, 24): triplets},
    )


def smf_group(
    record: Record,
    host: Host,
    parts: Sequence[Sections],
    time: Times,
    *,
    subsystem: str = "",
    columns: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Group:
    """Records with a 24-byte header written at these times (UTC); header fields as columns.

    No record is written before the one in front of it.
    """
    time = np.maximum.accumulate(time)
    head = smf_head(record, host, time, subsystem)
    head = Sections(
        record.header, {**head.columns, **(columns or {})}, fixed={**head.fixed, **(fixed or {})}
    )
    return Group(record, head, tuple(parts), time)


def name_at(section: Section, offset: int) -> str:
    """The field at an offset: headers of all types begin alike and differ in their names."""
    return next(field.name for field in section.fields if field.offset == offset)


def smf_head(record: Record, host: Host, time: Times, subsystem: str) -> Sections:
    """The 24-byte header; a record for all subtypes sets the subtype itself."""
    section = record.header
    local = local_time(host, time)
    day = local.astype("datetime64[D]")
    columns = {name_at(section, 6): local - day, name_at(section, 10): day}
    fixed = {4: FLAGS, 5: record.type, 14: host.smf_id, 18: subsystem, 22: record.subtype or 0}
    return Sections(section, columns, fixed={name_at(section, at): v for at, v in fixed.items()})


def iodf_of(host: Host, prefix: str) -> dict[str, str]:
    """Fields about the I/O configuration, as several types have them."""
    short_date = host.iodf_date[:6] + host.iodf_date[8:]  # mm/dd/yy
    values = (host.iodf, host.iodf[-2:], short_date, host.iodf_time, host.iodf_date)
    return {
        prefix + name: v
        for name, v in zip(("tnm", "tsf", "tdt", "ttm", "tdy"), values, strict=True)
    }


def local_time(host: Host, utc: Times) -> Times:
    """Local time of the system."""
    local: Times = (utc + host.offset).astype("datetime64[us]")
    return local


def _product(record: Record, host: Host, interval: Interval) -> Sections:
    """The RMF product section: IST and DAT are local, IET and GIE are UTC."""
    p = f"smf{record.type}"
    local = local_time(host, interval.start)
    columns = {
        f"{p}ist": local - local.astype("datetime64[D]"),
        f"{p}dat": local.astype("datetime64[D]"),
        f"{p}int": interval.length_us,
        f"{p}sam": interval.samples,
        f"{p}iet": interval.end,
        f"{p}oil": np.rint(interval.length_us / 1e6).astype(np.int64),
        f"{p}gie": interval.end,
    }
    fixed = {
        f"{p}mfv": RMF_VERSION,
        f"{p}prd": "RMF",
        f"{p}fla": 0x1000,  # synchronised with SMF
        f"{p}cyc": interval.cycle_ms,
        f"{p}mvs": OS_LEVEL,
        f"{p}iml": 3,
        f"{p}prf": 0x17 if host.ziips else 0x13,  # z/Architecture, enhanced DAT, zIIP; no zAAP
        f"{p}ptn": host.partition_number,
        f"{p}srl": RECORD_LEVEL,
        f"{p}lgo": host.offset,
        f"{p}xnm": host.sysplex,
        f"{p}snm": host.system,
    }
    return Sections(record.parts[0].section, columns, fixed=fixed)


def batches(groups: Sequence[Group], begin: np.datetime64, end: np.datetime64) -> list[Batch]:
    """The records written from `begin` to before `end`, in the order of their times.

    Records of one time stay in the order of the groups.
    """
    edges = np.array([begin, end])
    ranges = [np.searchsorted(group.time, edges).tolist() for group in groups]
    times = [group.time[a:b] for group, (a, b) in zip(groups, ranges, strict=True)]
    order = np.argsort(np.concatenate(times), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    chunk, at = [], 0
    for group, (first, last) in zip(groups, ranges, strict=True):
        if last > first:
            chunk.append(Batch(group.rows(first, last), place[at : at + last - first]))
        at += last - first
    return chunk


def chunk_edges(interval: Interval, only: slice, size: int) -> list[np.datetime64]:
    """Times (UTC) between which CHUNK of `size` bytes are written, about."""
    ends = interval.end[only]
    step, parts = max(1, CHUNK * len(ends) // max(size, 1)), -(-size // (CHUNK * len(ends)))
    if parts < 2:
        return [LONG_AGO, *interval.end[step::step], FAR_AWAY]
    start = interval.start[only]
    inside = start[:, None] + (ends - start)[:, None] * np.arange(parts) // parts
    return [LONG_AGO, *inside.reshape(-1)[1:], FAR_AWAY]


def pieces(number: int, room: int, size: int) -> list[slice]:
    """Sections of `size` bytes over as few records as hold them, `room` bytes in each."""
    fit = max(room // size, 1)
    return [slice(at, min(at + fit, number)) for at in range(0, number, fit)]


def dump_mark(kind: int, host: Host, utc: np.datetime64) -> U8:
    """Type 2, the dump header, or type 3, the trailer: 18 bytes, no subtype; one row."""
    section = {2: smf2.HEADER, 3: smf3.HEADER}[kind]
    p = f"smf{kind}"
    time = local_time(host, np.array([utc]))
    columns = {
        f"{p}len": SHORT_HEADER,
        f"{p}flg": SHORT_FLAGS,
        f"{p}rty": kind,
        f"{p}tme": time - time.astype("datetime64[D]"),
        f"{p}dte": time.astype("datetime64[D]"),
        f"{p}sid": host.smf_id,
    }
    return section.encode(columns, length=SHORT_HEADER)
