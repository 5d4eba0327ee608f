"""SMF 74.4: a coupling facility as one system used it, one record for each facility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from imsperf.layouts import smf74_4
from imsperf.layouts.smf74_4_request import REQUEST
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.policy import Amounts, quantised
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

I64 = npt.NDArray[np.int64]

WRITTEN_US = 85_000
TYPES = {"list": 1, "serialised list": 2, "lock": 3, "cache": 4}
CONNECTED, ACTIVE, DEDICATED = 0x80, 0x80, 0x80
KB_IN_BLOCK = 4


@dataclass(frozen=True)
class Structure:
    """A structure; `cache_classes`: storage classes of a cache structure.

    `entries`: of a list, a lock table or a cache directory; `elements`: of data.
    """

    name: str
    type: Literal["list", "serialised list", "lock", "cache"]
    size_kb: int
    entries: int = 0  # that it may hold
    elements: int = 0
    cache_classes: int = 0


@dataclass(frozen=True)
class Remote:
    """Another facility this one is connected to, for duplexing."""

    name: str
    paths: tuple[int, ...]  # channel path ids
    subchannels: int = 14


@dataclass(frozen=True)
class Facility:
    """A coupling facility and its structures. `paths`: channel path ids of this system to it."""

    name: str
    systems: tuple[str, ...]
    structures: tuple[Structure, ...]
    paths: tuple[int, ...]
    processors: int = 2
    dedicated: bool = True
    subchannels: int = 14
    storage_kb: int = 16_777_216
    free_kb: int = 8_388_608
    level: int = 22
    machine_type: str = "3906"
    machine_model: str = "M05"
    partition: int = 10
    remotes: tuple[Remote, ...] = ()
    path_type: str = "CS5"


@dataclass(frozen=True, kw_only=True)
class Requests:
    """What this system asked in n intervals: (n, structures), times in ticks, squares of us.

    `requests`: as a lock structure counts them; others: synchronous and asynchronous together.
    `changed`: asynchronous ones that were meant to be synchronous. `caches`: hits and misses by the
    cache classes of all structures in order, (n, classes): see CACHES.
    `remote`: signals and messages, (n, remotes): see REMOTES. Processors (n, processors).
    `execution`: time in the facility for all systems, as `busy` is; of all structures that time.
    """

    sync: I64
    sync_time: Amounts = 0
    sync_squares: Amounts = 0
    asynchronous: Amounts = 0
    async_time: Amounts = 0
    async_squares: Amounts = 0
    requests: I64 | None = None
    changed: Amounts = 0
    queued: Amounts = 0  # for want of a subchannel
    queued_time: Amounts = 0
    queued_squares: Amounts = 0
    peer_wait: Amounts = 0
    peer_wait_time: Amounts = 0
    peer_wait_squares: Amounts = 0
    peer_end: Amounts = 0
    peer_end_time: Amounts = 0
    peer_end_squares: Amounts = 0
    deferred: Amounts = 0
    contention: Amounts = 0
    false_contention: Amounts = 0
    entries: Amounts = 0  # in use at the end; of a cache directory: not known
    elements: Amounts = 0  # of lists
    execution: Amounts = 0
    caches: dict[str, I64] | None = None
    remote: dict[str, I64] | None = None
    busy: Amounts = 0


_REQUESTS = {  # field: what, ticks in a unit
    "r744ssta": ("changed", 1), "r744stac": ("deferred", 1), "r744sarc": ("asynchronous", 1),
    "r744satm": ("async_time", TICKS_PER_US), "r744sasq": ("async_squares", 1),
    "r744ssrc": ("sync", 1), "r744sstm": ("sync_time", TICKS_PER_US),
    "r744sssq": ("sync_squares", 1), "r744sqrc": ("queued", 1),
    "r744sqtm": ("queued_time", TICKS_PER_US), "r744sqsq": ("queued_squares", 1),
    "r744scn": ("contention", 1), "r744sfcn": ("false_contention", 1),
    "r744sptc": ("peer_wait", 1), "r744spst": ("peer_wait_time", TICKS_PER_US),
    "r744spss": ("peer_wait_squares", 1), "r744sctc": ("peer_end", 1),
    "r744scst": ("peer_end_time", TICKS_PER_US), "r744scss": ("peer_end_squares", 1),
    "r744setm": ("execution", TICKS_PER_US),
}  # fmt: skip
CACHES = {
    "read_hits": "r744crhc", "no_data": "r744crmd", "suppressed": "r744crma",
    "name_assigned": "r744crmn", "class_full": "r744crmt", "writes_unchanged": "r744cwh0",
    "writes_changed": "r744cwh1", "castouts": "r744ccoc", "invalidated_by_write": "r744cxfw",
    "entries_reclaimed": "r744cder",
}  # fmt: skip
REMOTES = {  # what: its field, ticks in a unit
    "ready_to_execute": ("r744rres", 1), "ready_to_complete": ("r744rrcs", 1),
    "signal_time": ("r744rsse", TICKS_PER_US), "signal_squares": ("r744rsss", 1),
    "delayed": ("r744rdsc", 1), "delay_time": ("r744rsdt", TICKS_PER_US),
    "delay_squares": ("r744rssd", 1), "messages": ("r744ramc", 1),
    "message_time": ("r744ramst", TICKS_PER_US), "message_squares": ("r744ramsq", 1),
    "path_busy": ("r744rampb", 1), "no_subchannel": ("r744ramns", 1),
}  # fmt: skip


def facility_group(
    facility: Facility, use: Requests, host: Host, interval: Interval, late_us: int = 0
) -> Group:
    """One record per interval. `late_us`: after the first facility's records."""
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
            fixed={
                "r744qstr": _of([one.name for one in structures]),
                "r744qsiz": _of([one.size_kb // KB_IN_BLOCK for one in structures]),
                "r744qver": _versions(structures),
                "r744qflg": ACTIVE,
            },
        ),
        _requests(structures, use),
        _processors(facility, use, interval),
        _caches(structures, use),
        _remotes(facility, use),
        _paths(facility),
    ]
    some = [one for one in parts if one.number]
    return rmf_group(smf74_4.CF_ACTIVITY, host, interval, some, WRITTEN_US + late_us)


def _of(values: Sequence[Any]) -> npt.NDArray[Any]:
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
        "r744fmod": f"{facility.machine_type:>6}",
        "r744fver": facility.machine_model,
        "r744fmpc": host.plant,
        "r744flpn": facility.partition,
        "r744flvl": facility.level,
        "r744fseq": f"{host.serial:012X}",
        "r744fpsn": 0 if facility.dedicated else facility.processors,
        "r744fpdn": facility.processors if facility.dedicated else 0,
        "r744fcpi": 1,
        "r744fcpn": len(facility.paths),
    }
    return Sections(smf74_4.FACILITY, columns, fixed=fixed)


def _requests(structures: Sequence[Structure], use: Requests) -> Sections:
    columns: dict[str, Any] = {
        field: quantised(getattr(use, name), unit) if unit > 1 else getattr(use, name)
        for field, (name, unit) in _REQUESTS.items()
    }
    asked = use.sync + use.asynchronous
    columns["r744strc"] = asked if use.requests is None else use.requests
    entries = np.broadcast_to(np.asarray(use.entries), use.sync.shape)
    elements = np.broadcast_to(np.asarray(use.elements), use.sync.shape)
    lock, cache = (_of([one.type == kind for one in structures]) for kind in ("lock", "cache"))
    held = ~(lock | cache)
    columns |= {"r744sltm": entries * lock, "r744slem": entries * held}
    columns |= {"r744scue": elements * held}
    classes = _of([one.cache_classes for one in structures])
    most, data = (_of([getattr(one, k) for one in structures]) for k in ("entries", "elements"))
    fixed = {
        "r744snam": _of([one.name for one in structures]),
        "r744sver": _versions(structures),
        "r744styp": _of([TYPES[one.type] for one in structures]),
        "r744sflg": CONNECTED,
        "r744slel": most * held,
        "r744sltl": most * lock,
        "r744sdec": most * cache,
        "r744smae": data * held,
        "r744sdel": data * cache,
        "r744ssiz": _of([one.size_kb // KB_IN_BLOCK for one in structures]),
        "r744smas": _of([one.size_kb // KB_IN_BLOCK for one in structures]),
        "r744cdsi": np.where(classes, np.cumsum(classes) - classes + 1, 0),
        "r744cdne": classes,
    }
    return Sections(REQUEST, columns, len(structures), fixed=fixed)


def _processors(facility: Facility, use: Requests, interval: Interval) -> Sections:
    online = np.repeat(interval.length_us[:, None], facility.processors, axis=1)
    busy = np.broadcast_to(np.asarray(quantised(use.busy, TICKS_PER_US)), online.shape)
    fixed = {
        "r744pnum": np.arange(facility.processors),
        "r744ptyp": DEDICATED * facility.dedicated,
    }
    columns = {"r744pbsy": busy, "r744pwai": online - busy}
    return Sections(smf74_4.PROCESSOR, columns, facility.processors, fixed=fixed)


def _caches(structures: Sequence[Structure], use: Requests) -> Sections:
    number = sum(one.cache_classes for one in structures)
    found = {CACHES[name]: values for name, values in (use.caches or {}).items()}
    return Sections(smf74_4.CACHE, found, number)


def _remotes(facility: Facility, use: Requests) -> Sections:
    remotes = facility.remotes
    columns = {
        field: quantised((use.remote or {})[name], unit)
        for name, (field, unit) in REMOTES.items()
        if name in (use.remote or {})
    }
    paths = _of([len(one.paths) for one in remotes])
    fixed = {
        "r744r_type": facility.machine_type.rjust(6),
        "r744r_model": facility.machine_model,
        "r744r_mfr": "IBM",
        "r744rnam": _of([one.name for one in remotes]),
        "r744rpgs": paths,
        "r744rsgs": paths,
        "r744rflg": CONNECTED,
        "r744rtap": _of([facility.path_type.ljust(5) * len(one.paths) for one in remotes]),
        "r744ridp": [bytes(one.paths) for one in remotes],
        "r744rcpi": len(facility.paths) + 1 + np.cumsum(paths) - paths,
        "r744rcpn": paths,
        "r744rsc": _of([one.subchannels for one in remotes]),
    }
    return Sections(smf74_4.REMOTE, columns, len(remotes), fixed=fixed if remotes else {})


def _paths(facility: Facility) -> Sections:
    ids = [*facility.paths, *(path for one in facility.remotes for path in one.paths)]
    fixed = {"r744hcpi": _of(ids), "r744htap": facility.path_type}
    return Sections(smf74_4.CHANNEL_PATH, {}, len(ids), fixed=fixed)
