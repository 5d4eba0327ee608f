"""SMF 42: buffers of PDSEs (subtype 1), I/O to storage classes and VTOCs (5), to data sets (6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from imsperf.layouts import smf42_1, smf42_5, smf42_6
from imsperf.record import Record
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.io_means import IoUse
from imsperf.synthetic.smf.measured import Amounts, columns_of, columns_of_each, measured, stated
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, local_time, pieces, smf_group

WRITTEN_US, APART_US = 17_000, 20
AT_CLOSE, AT_INTERVAL_END = 0, 1
FIRST = 0x80  # record since the data set was opened
AES_256 = 0x0100  # kind of encryption; that it is this number is an assumption
LSR, EXTENDED = 0x80, 0x20  # flags of a data set
SEQUENTIAL, PDS, PDSE, KSDS, LINEAR, ESDS = 1, 2, 3, 16, 21, 22  # kinds of data sets
TOD_HIGH_US = 1_048_576
LEVEL = "DFSMS2.4"


@dataclass(frozen=True)
class DataSet:
    """A data set on a volume."""

    name: str = stated("s42dsn")
    volume: str = stated("s42dsvol")
    device: int = stated("s42dsdev")
    kind: int = stated("s42dstyp", default=ESDS)
    block_bytes: int = stated("s42dsbsz", default=4096)
    storage_class: str = stated("s42dssc", default="")
    is_encrypted: bool = False

    @property
    def flags(self) -> int:
        """VSAM databases are in pools of local shared resources; what is encrypted is extended."""
        return LSR * (self.kind in (KSDS, ESDS)) + EXTENDED * self.is_encrypted


@dataclass(frozen=True)
class Job:
    """A job with data sets."""

    name: str
    service_class: str = ""
    workload: str = ""


@dataclass(frozen=True, kw_only=True)
class DataSetUse:
    """What d data sets of a job had in n intervals; (n, d).

    `opened` (n, d): in that interval; `closed` (n,): its records tell of data sets being closed.
    """

    use: IoUse
    opened: I64 | None = None
    closed: I64 | None = None
    zhyperwrites: Amounts = measured("s42dsios")


def data_set_groups(
    job: Job,
    data_sets: Sequence[DataSet],
    use: DataSetUse,
    host: Host,
    interval: Interval,
) -> list[Group]:
    """Subtype 6 of a job: for each interval as many records as its data sets need.

    Intervals in which none of a record's data sets had I/O have no such record.
    """
    columns = dict(use.use.columns("s42ds")) | columns_of(use, smf42_6.IO)
    head = smf42_6.HEADER.length + smf42_6.PRODUCT.length + smf42_6.JOB.length
    groups = list[Group]()
    each_bytes = smf42_6.DATASET.length + smf42_6.IO.length
    for piece in pieces(len(data_sets), LARGEST_RECORD - head, each_bytes):
        active = use.use.io[:, piece].any(axis=1)
        if not active.any():
            continue
        opened = None if use.opened is None else use.opened[active, piece]
        closed = None if use.closed is None else use.closed[active]
        here = {field: values[active, piece] for field, values in columns.items()}
        number = len(data_sets[piece])
        parts = [
            _job(job, host, closed),
            _named(data_sets[piece], opened),
            Sections(smf42_6.IO, here, number, each=(1,) * number),
        ]
        late = WRITTEN_US + APART_US * len(groups)
        group = _group(smf42_6.DATASET_IO, parts, host, interval.taken(active), late, {})
        groups.append(replace(group, at=np.flatnonzero(active)))
    return groups


def _job(job: Job, host: Host, closed: I64 | None) -> Sections:
    started = local_time(host, np.array([host.ipl]))
    day = started.astype("datetime64[D]")
    fixed = {
        "s42jdjnm": job.name,
        "s42jdrst": started - day,
        "s42jdrsd": day,
        "s42jdst1": 1,
        "s42jdgmo": host.offset_minutes * 60_000_000 // TOD_HIGH_US,
        "s42jdwsc": job.service_class,
        "s42jdwld": job.workload,
        "s42jdstn": job.name,
    }
    code = AT_INTERVAL_END if closed is None else np.where(closed, AT_CLOSE, AT_INTERVAL_END)
    return Sections(smf42_6.JOB, {"s42jdcod": code}, fixed=fixed)


def _named(some: Sequence[DataSet], opened: I64 | None) -> Sections:
    fixed = columns_of_each(some, smf42_6.DATASET) | {
        "s42dsent": np.array([AES_256 * data_set.is_encrypted for data_set in some]),
        "s42dsfl1": np.array([data_set.flags for data_set in some]),
    }
    columns = {} if opened is None else {"s42dscod": np.where(opened, FIRST, 0)}
    return Sections(smf42_6.DATASET, columns, len(some), fixed=fixed)


def _group(
    record: Record,
    parts: Sequence[Sections],
    host: Host,
    interval: Interval,
    late_us: int,
    head: Mapping[str, Any],
) -> Group:
    """Type 42 records, one for each interval: the product section first."""
    product = Sections(
        record.parts[0].section,
        {"smf42pts": interval.start, "smf42pte": interval.end},
        fixed={"smf42pdl": LEVEL, "smf42pdn": "DFSMS", "smf42psv": 1},
    )
    return smf_group(
        record,
        host,
        [product, *parts],
        interval.end + np.timedelta64(late_us, "us"),
        subsystem="SMS",
        fixed={"smf42nt": (record.header.length - 28) // 8, **head},
    )


def storage_class_group(
    classes: Sequence[str], use: IoUse, host: Host, interval: Interval
) -> Group:
    """Subtype 5: I/O to storage classes, (n, classes); nothing is told of volumes."""
    names = np.array(classes)
    part = Sections(
        smf42_5.STORAGE_CLASS,
        use.columns("s42sc"),
        len(names),
        fixed={"s42scrnl": np.char.str_len(names), "s42scrnn": names},
    )
    late = WRITTEN_US + 1000
    return _group(smf42_5.STORAGE_CLASS_IO, [part], host, interval, late, {})


@dataclass(frozen=True, kw_only=True)
class BufferUse:
    """Pages of PDSEs asked for and found, (n, classes + 1): the last are without a storage class.

    `in_use`: buffers of 4 KB at most, (n,).
    """

    pages: I64
    found: I64
    directory: I64
    directory_found: I64
    buffers: int
    in_use: I64
    lru_s: int
    lru_cycles: int


PAGES = {  # attribute: field of the whole, of a class
    "pages": ("smf42trt", "smf42srt"),
    "found": ("smf42trh", "smf42srh"),
    "directory": ("smf42tdt", "smf42sdt"),
    "directory_found": ("smf42tdh", "smf42sdh"),
}


def buffer_group(
    classes: Sequence[str], use: BufferUse, host: Host, interval: Interval, at: I64 | None = None
) -> Group:
    """Subtype 1: the buffer manager, and its storage classes. `at`: RMF interval of each record."""
    names = np.array(classes, dtype=np.str_)
    both = {attribute: getattr(use, attribute) for attribute in PAGES}
    totals = {PAGES[name][0]: values.sum(axis=1) for name, values in both.items()}
    seconds = np.rint(interval.length_us / 1e6).astype(np.int64)
    fixed = {
        "smf42tna": len(names),
        "smf42buf": use.buffers,
        "smf42lru": use.lru_s,
        "smf42uic": use.lru_cycles,
    }
    summary = Sections(
        smf42_1.BUFFER_MANAGER,
        {**totals, "smf42tmt": seconds, "smf42bmx": np.maximum.accumulate(use.in_use)},
        fixed=fixed,
    )
    each = Sections(
        smf42_1.STORAGE_CLASS,
        {PAGES[name][1]: values[:, :-1] for name, values in both.items()},
        len(names),
        fixed={"smf42pnl": np.char.str_len(names), "smf42pnn": names},
    )
    group = _group(smf42_1.BUFFERING, [summary, each], host, interval, WRITTEN_US + 1500, {})
    return group if at is None else replace(group, at=at)
