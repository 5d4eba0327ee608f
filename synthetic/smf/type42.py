"""SMF 42: I/O to the data sets of a job (subtype 6), to storage classes and VTOCs (subtype 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.layouts import smf42_5, smf42_6
from imsperf.record import Record
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.io_means import IoUse
from imsperf.synthetic.smf.policy import US_128, Amounts, quantised
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, local_time, pieces, smf_group

I64 = npt.NDArray[np.int64]

WRITTEN_US, APART_US = 17_000, 20
AT_CLOSE, AT_INTERVAL_END = 0, 1
FIRST = 0x80  # record since the data set was opened
AES_256 = 0x0100  # kind of encryption; that it is this number is an assumption
SEQUENTIAL, KSDS, LINEAR, ESDS = 1, 16, 21, 22  # kinds of data sets
ONLINE, SMS = 0x80, 0x40
TOD_HIGH_US = 1_048_576
LEVEL = "DFSMS2.4"


@dataclass(frozen=True)
class DataSet:
    """A data set on a volume, used by job `job` (index)."""

    name: str
    volume: str
    device: int
    job: int = 0
    kind: int = ESDS
    block_bytes: int = 4096
    storage_class: str = ""
    is_encrypted: bool = False


@dataclass(frozen=True)
class Job:
    """A job with data sets."""

    name: str
    step: str = ""
    service_class: str = ""
    workload: str = ""


@dataclass(frozen=True, kw_only=True)
class DataSetUse:
    """What d data sets had in n intervals: `longest` response in ticks, blocks, bytes; (n, d).

    `opened` (n, d): in that interval; `closed` (n,): its records tell of data sets being closed.
    """

    use: IoUse
    opened: I64 | None = None
    closed: I64 | None = None
    longest: Amounts = 0
    zhyperwrites: Amounts = 0
    blocks_read: Amounts = 0
    blocks_written: Amounts = 0
    bytes_read: Amounts = 0
    bytes_written: Amounts = 0


@dataclass(frozen=True, kw_only=True)
class StorageClassIo:
    """I/O to storage classes, and to the VTOC, VTOC index and VVDS of volumes.

    `volumes`: serial and device number. `components`: by `vtoc`, `index`, `vvds`, of all volumes.
    """

    classes: Sequence[str]
    use: IoUse
    volumes: Sequence[tuple[str, int]] = ()
    components: Mapping[str, IoUse] = field(default_factory=dict)


_COMPONENTS = {
    "vtoc": (smf42_5.VTOC_DATA, "s42vd"),
    "index": (smf42_5.VTOC_INDEX, "s42vx"),
    "vvds": (smf42_5.VVDS, "s42vv"),
}
_BLOCKS = {
    "s42amdrb": "blocks_read", "s42amdwb": "blocks_written", "s42amrci": "blocks_read",
    "s42amwci": "blocks_written", "s42amrib": "bytes_read", "s42amwib": "bytes_written",
}  # fmt: skip


def data_set_groups(
    jobs: Sequence[Job],
    data_sets: Sequence[DataSet],
    use: DataSetUse,
    host: Host,
    interval: Interval,
) -> list[Group]:
    """Subtype 6: for each job and interval as many records as its data sets need.

    Intervals in which none of a record's data sets had I/O have no such record.
    """
    columns = dict(use.use.columns("s42ds"))
    columns |= {"s42dsmxr": quantised(use.longest, US_128), "s42dsios": use.zhyperwrites}
    blocks = {f: getattr(use, name) for f, name in _BLOCKS.items()}
    known = {f: v for f, v in columns.items() if np.ndim(v)}
    accessed = {f: v for f, v in blocks.items() if np.ndim(v)}
    sections = [smf42_6.DATASET, smf42_6.IO, *([smf42_6.ACCESS_METHOD] if accessed else [])]
    head = smf42_6.HEADER.length + smf42_6.PRODUCT.length + smf42_6.JOB.length
    groups = list[Group]()
    for number, job in enumerate(jobs):
        mine = np.flatnonzero([one.job == number for one in data_sets])
        for piece in pieces(len(mine), LARGEST_RECORD - head, sum(one.length for one in sections)):
            which = mine[piece]
            active = use.use.io[:, which].any(axis=1)
            if not active.any():
                continue
            cells = np.ix_(active, which)
            opened = None if use.opened is None else use.opened[cells]
            closed = None if use.closed is None else use.closed[active]
            parts = [
                _job(job, host, closed),
                _named([data_sets[n] for n in which.tolist()], opened),
                Sections(smf42_6.IO, {f: v[cells] for f, v in known.items()}, len(which)),
            ]
            if accessed:
                found = {f: v[cells] for f, v in accessed.items()}
                parts.append(Sections(smf42_6.ACCESS_METHOD, found, len(which)))
            each = (1,) * len(which)
            parts[2:] = [_one_each(one, each) for one in parts[2:]]
            late = WRITTEN_US + APART_US * len(groups)
            made = _group(smf42_6.DATASET_IO, parts, host, interval.taken(active), late, {})
            groups.append(replace(made, at=np.flatnonzero(active)))
    return groups


def _one_each(part: Sections, each: tuple[int, ...]) -> Sections:
    return Sections(part.section, part.columns, part.number, each=each)


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
        "s42jdstn": job.step or job.name,
    }
    code = AT_INTERVAL_END if closed is None else np.where(closed, AT_CLOSE, AT_INTERVAL_END)
    return Sections(smf42_6.JOB, {"s42jdcod": code}, fixed=fixed)


def _named(some: Sequence[DataSet], opened: I64 | None) -> Sections:
    fixed = {
        "s42dsn": np.array([one.name for one in some]),
        "s42dstyp": np.array([one.kind for one in some]),
        "s42dsvol": np.array([one.volume for one in some]),
        "s42dsdev": np.array([one.device for one in some]),
        "s42dssc": np.array([one.storage_class for one in some]),
        "s42dsbsz": np.array([one.block_bytes for one in some]),
        "s42dsent": np.array([AES_256 * one.is_encrypted for one in some]),
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


def storage_class_groups(io: StorageClassIo, host: Host, interval: Interval) -> list[Group]:
    """Subtype 5: the storage classes in the first record, volumes over as many as they need."""
    names = np.array(io.classes)
    classes = Sections(
        smf42_5.STORAGE_CLASS,
        io.use.columns("s42sc", hits="hit"),
        len(names),
        fixed={"s42scrnl": np.char.str_len(names), "s42scrnn": names},
    )
    used = [(_COMPONENTS[name], use) for name, use in io.components.items()]
    size = smf42_5.VOLUME.length + sum(section.length for (section, _), _ in used)
    head = smf42_5.HEADER.length + smf42_5.PRODUCT.length
    room = LARGEST_RECORD - head - classes.number * classes.size
    found = []
    for number, piece in enumerate(pieces(len(io.volumes), room, size) or [slice(0, 0)]):
        volumes = io.volumes[piece]
        parts = [] if number else [classes]
        if volumes:
            parts.append(_volumes(volumes))
        for (section, prefix), use in used:
            # a volume has the section if anything was done to it in the run
            active = use.io[:, piece].any(axis=0)
            columns = use.columns(prefix, hits="hit")
            mine = {f: v[:, piece][:, active] for f, v in columns.items()}
            each = tuple(active.astype(int).tolist())
            parts.append(Sections(section, mine, sum(each), each=each))
        fixed = {
            "smf42vhl": smf42_5.VOLUME.length if volumes else 0,
            "smf42vhn": len(volumes),
        }
        late = WRITTEN_US + 1000 + APART_US * number
        found.append(_group(smf42_5.STORAGE_CLASS_IO, parts, host, interval, late, fixed))
    return found


def _volumes(volumes: Sequence[tuple[str, int]]) -> Sections:
    fixed = {
        "s42vtser": np.array([serial for serial, _ in volumes]),
        "s42vtadr": np.array([device for _, device in volumes]),
        "s42vtfl1": ONLINE | SMS,
    }
    return Sections(smf42_5.VOLUME, {}, len(volumes), fixed=fixed)
