"""SMF 88: the system logger; subtype 1 for each log stream, 11 for each structure.

No source describes the product section: there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from imsperf.layout import Section
from imsperf.layouts import smf88_1
from imsperf.record import Record
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.measured import Amounts, columns_of, columns_of_each, measured, stated
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, smf_group

WRITTEN_US, APART_US = 19_000, 20
DASD_ONLY, STAGING = "*DASDONLY", 0x4000
SELF_DEFINING_AT = 24
STRUCTURES = replace(smf88_1.SYSTEM_LOGGER, subtype=11)


@dataclass(frozen=True)
class LogStream:
    """A log stream: in a structure, or in staging data sets alone."""

    name: str
    structure: str = DASD_ONLY


@dataclass(frozen=True, kw_only=True)
class LogStreamUse:
    """What s log streams did in n intervals: counts and bytes, (n, s)."""

    writes: Amounts = measured("smf88lwi")
    shortest: Amounts = measured("smf88lib")  # block, bytes
    longest: Amounts = measured("smf88lab")
    bytes_written: Amounts = measured("smf88lwb")
    bytes_to_disk: Amounts = measured("smf88ldb")
    disk_ios: Amounts = measured("smf88lio")
    interim_bytes: Amounts = measured("smf88swb")
    deleted_late_bytes: Amounts = measured("smf88sab")  # when they were on disk
    deleted_late: Amounts = measured("smf88sai")
    type_1: Amounts = measured("smf88sc1")  # writes that completed below every threshold
    offloads: Amounts = measured("smf88eo")


@dataclass(frozen=True)
class LogStructure:
    """A structure of log streams, as subtype 11 has it."""

    name: str = stated("smf88anm")
    size_kb: int = stated()
    streams: int = stated("smf88als")
    block_bytes: int = stated("smf88acb")  # average that the ratio is made from
    aimed_bytes: int = stated("smf88atb")


def log_stream_group(
    streams: Sequence[LogStream], use: LogStreamUse, host: Host, interval: Interval
) -> Group:
    """One record for each log stream and interval."""
    each = len(streams)
    which = np.tile(np.arange(each), len(interval))

    def columns(section: Section) -> dict[str, I64]:
        return {field: values.reshape(-1) for field, values in columns_of(use, section).items()}

    names = {
        "smf88lit": _tokens(each),
        "smf88lsn": np.array([stream.name for stream in streams]),
        "smf88lfl": np.array([STAGING * (stream.structure == DASD_ONLY) for stream in streams]),
    }
    ended = np.repeat(interval.end, each)
    structures = {"smf88stn": np.array([stream.structure for stream in streams])}
    parts = [
        Sections(
            smf88_1.LOG_STREAM,
            columns(smf88_1.LOG_STREAM) | {"smf88ltd": ended},
            fixed=names,
            which=which,
        ),
        Sections(smf88_1.STRUCTURE, columns(smf88_1.STRUCTURE), fixed=structures, which=which),
        Sections(smf88_1.EVENTS, columns(smf88_1.EVENTS)),
    ]
    return _group(smf88_1.SYSTEM_LOGGER, parts, host, interval, each, 0)


def structure_group(
    structures: Sequence[LogStructure],
    bytes_written: I64,
    writes: I64,
    offloads: I64,
    host: Host,
    interval: Interval,
) -> Group:
    """Subtype 11: one record for each structure and interval; arrays (n, structures)."""
    each = len(structures)
    fixed = columns_of_each(structures, smf88_1.ALTER) | {
        "smf88ait": _tokens(each),
        "smf88asz": np.array([structure.size_kb // 4 for structure in structures]),
        "smf88atk": np.full(each, host.ipl),
    }
    columns = {
        "smf88awb": bytes_written.reshape(-1),
        "smf88ao": offloads.reshape(-1),
        "smf88atw": writes.reshape(-1),
    }
    which = np.tile(np.arange(each), len(interval))
    parts = [Sections(smf88_1.ALTER, columns, fixed=fixed, which=which)]
    return _group(STRUCTURES, parts, host, interval, each, 1000)


def _tokens(number: int) -> list[bytes]:
    return [(n + 1).to_bytes(8) for n in range(number)]


def _group(
    record: Record,
    parts: Sequence[Sections],
    host: Host,
    interval: Interval,
    each: int,
    late_us: int,
) -> Group:
    late = WRITTEN_US + late_us + APART_US * np.arange(each)
    time = interval.end[:, None] + late.astype("timedelta64[us]")
    fixed = {"smf88sdl": record.header.length - SELF_DEFINING_AT}
    return smf_group(record, host, parts, time.reshape(-1), subsystem="IXGL", fixed=fixed)
