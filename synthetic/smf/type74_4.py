"""SMF 74.4: a coupling facility as one system used it, one record for each facility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from imsperf.layouts import smf74_4
from imsperf.layouts.smf74_4_request import REQUEST
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64, Values
from imsperf.synthetic.smf.measured import (
    Amounts,
    columns_of,
    columns_of_each,
    measured,
    quantised,
    stated,
)
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

WRITTEN_US = 85_000
TYPES = {"list": 1, "serialised list": 2, "lock": 3, "cache": 4}
CONNECTED, ACTIVE, DEDICATED = 0x80, 0x80, 0x80
KB_IN_BLOCK = 4
MACHINE_TYPE, MACHINE_MODEL, LEVEL, PARTITION, PATH_TYPE = "3906", "M05", 22, 10, "CS5"  # assumed


@dataclass(frozen=True)
class Structure:
    """A structure. `entries`: of a list, a lock table or a cache directory; `elements`: of data."""

    name: str = stated("r744qstr", "r744snam")
    type: Literal["list", "serialised list", "lock", "cache"] = stated()
    size_kb: int = stated()
    entries: int = 0  # that it may hold
    elements: int = 0


@dataclass(frozen=True)
class Facility:
    """A coupling facility and its structures. `paths`: channel path ids of this system to it."""

    name: str
    systems: tuple[str, ...]
    structures: tuple[Structure, ...]
    paths: tuple[int, ...]
    processors: int = 2
    subchannels: int = 14
    storage_kb: int = 16_777_216
    free_kb: int = 8_388_608


@dataclass(frozen=True, kw_only=True)
class Requests:
    """What this system asked in n intervals: (n, structures), times in ticks, squares of us.

    Lists and caches are asked synchronously or asynchronously; processors (n, processors).
    `execution`: time in the facility for all systems, as `busy` is; of all structures that time.
    """

    sync: I64 = stated("r744ssrc")
    sync_time: Amounts = measured(r744sstm=TICKS_PER_US)
    sync_squares: Amounts = measured("r744sssq")
    asynchronous: Amounts = measured("r744sarc")
    async_time: Amounts = measured(r744satm=TICKS_PER_US)
    async_squares: Amounts = measured("r744sasq")
    queued: Amounts = measured("r744sqrc")  # for want of a subchannel
    queued_time: Amounts = measured(r744sqtm=TICKS_PER_US)
    queued_squares: Amounts = measured("r744sqsq")
    deferred: Amounts = measured("r744stac")
    contention: Amounts = measured("r744scn")
    false_contention: Amounts = measured("r744sfcn")
    entries: Amounts = 0  # in use at the end; of a cache directory: not known
    elements: Amounts = 0  # of lists
    execution: Amounts = measured(r744setm=TICKS_PER_US)
    busy: Amounts = measured(r744pbsy=TICKS_PER_US)


def facility_group(facility: Facility, use: Requests, host: Host, interval: Interval) -> Group:
    """One record per interval."""
    structures = facility.structures
    parts = [
        _facility(facility, use, host),
        Sections(
            smf74_4.CONNECTION, {}, len(facility.systems), fixed={"r744xsys": _of(facility.systems)}
        ),
        Sections(
            smf74_4.STORAGE,
            {},
            fixed={
                "r744gtsd": facility.storage_kb // KB_IN_BLOCK,
                "r744gtsf": facility.free_kb // KB_IN_BLOCK,
            },
        ),
        Sections(
            smf74_4.STRUCTURE,
            {},
            len(structures),
            fixed=columns_of_each(structures, smf74_4.STRUCTURE)
            | {
                "r744qsiz": _of([structure.size_kb // KB_IN_BLOCK for structure in structures]),
                "r744qver": _versions(structures),
                "r744qflg": ACTIVE,
            },
        ),
        _requests(structures, use),
        _processors(facility, use, interval),
        Sections(
            smf74_4.CHANNEL_PATH,
            {},
            len(facility.paths),
            fixed={"r744hcpi": _of(facility.paths), "r744htap": PATH_TYPE},
        ),
    ]
    return rmf_group(smf74_4.CF_ACTIVITY, host, interval, parts, WRITTEN_US)


def _of(values: Sequence[Any]) -> Values:
    return np.array(values)


def _versions(structures: Sequence[Structure]) -> list[bytes]:
    """A version for each structure: unlike, and the same in structure and request sections."""
    return [(n + 1).to_bytes(8) for n in range(len(structures))]


def _facility(facility: Facility, use: Requests, host: Host) -> Sections:
    asked = use.sync + use.asynchronous

    def total(values: Amounts) -> Amounts:
        return values if isinstance(values, int) else values.sum(axis=1)

    columns = {
        "r744fscc": total(use.queued),
        "r744ftor": total(asked),
        "r744fctm": total(quantised(use.queued_time, TICKS_PER_US)),
        "r744fcsq": total(use.queued_squares),
    }
    fixed = {
        "r744fnam": facility.name,
        "r744fsys": host.system,
        "r744fflg": CONNECTED,
        "r744fpam": len(facility.paths),
        "r744fscg": facility.subchannels,
        "r744fscu": facility.subchannels,
        "r744fscl": facility.subchannels,
        "r744fmod": f"{MACHINE_TYPE:>6}",
        "r744fver": MACHINE_MODEL,
        "r744fmpc": host.plant,
        "r744flpn": PARTITION,
        "r744flvl": LEVEL,
        "r744fseq": f"{host.serial:012X}",
        "r744fpdn": facility.processors,
        "r744fcpi": 1,
        "r744fcpn": len(facility.paths),
    }
    return Sections(smf74_4.FACILITY, columns, fixed=fixed)


def _requests(structures: Sequence[Structure], use: Requests) -> Sections:
    columns = columns_of(use, REQUEST)
    columns["r744strc"] = use.sync + use.asynchronous
    entries = np.broadcast_to(np.asarray(use.entries), use.sync.shape)
    elements = np.broadcast_to(np.asarray(use.elements), use.sync.shape)
    lock, cache = (
        _of([structure.type == kind for structure in structures]) for kind in ("lock", "cache")
    )
    held = ~(lock | cache)
    columns |= {"r744sltm": entries * lock, "r744slem": entries * held}
    columns |= {"r744scue": elements * held}
    most, data = (
        _of([getattr(structure, k) for structure in structures]) for k in ("entries", "elements")
    )
    fixed = columns_of_each(structures, REQUEST) | {
        "r744sver": _versions(structures),
        "r744styp": _of([TYPES[structure.type] for structure in structures]),
        "r744sflg": CONNECTED,
        "r744slel": most * held,
        "r744sltl": most * lock,
        "r744sdec": most * cache,
        "r744smae": data * held,
        "r744sdel": data * cache,
        "r744ssiz": _of([structure.size_kb // KB_IN_BLOCK for structure in structures]),
        "r744smas": _of([structure.size_kb // KB_IN_BLOCK for structure in structures]),
    }
    return Sections(REQUEST, columns, len(structures), fixed=fixed)


def _processors(facility: Facility, use: Requests, interval: Interval) -> Sections:
    online = np.repeat(interval.length_us[:, None], facility.processors, axis=1)
    columns = columns_of(use, smf74_4.PROCESSOR)
    columns["r744pwai"] = online - columns.get("r744pbsy", 0)
    fixed = {"r744pnum": np.arange(facility.processors), "r744ptyp": DEDICATED}
    return Sections(smf74_4.PROCESSOR, columns, facility.processors, fixed=fixed)
