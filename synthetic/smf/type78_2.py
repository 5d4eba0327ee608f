"""SMF 78.2: virtual storage, common and of jobs.

Areas carry the manual's names after `r782`: csak_7 is CSA of key 7, 231k_7 subpool 231 of that key,
lsal the LSQA allocated to a job, usal its user region, toby all it has above 2 GB.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from imsperf.layouts import smf78_2
from imsperf.record import Part as Place
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, pieces, rmf_group
from imsperf.synthetic.smf.sampled_level import Level

WRITTEN_US, APART_US = 300_000, 1000
MB = 1 << 20

# Addresses and sizes in bytes of a z/OS system (assumed): its ECSA holds what the papers print.
STORAGE_MAP = {
    "pa": 0x1000, "ps": 9 * MB, "ca": 0x900000, "cs": 4 * MB, "na": 0xFC0000, "ns": 256 * 1024,
    "sa": 0xE00000, "ss": 2 * MB - 256 * 1024, "pla": 0xD00000, "pls": MB,
    "epa": 0x3F000000, "eps": 1040 * MB, "eca": 0x0C000000, "ecs": 800 * MB,
    "esa": 0x08000000, "ess": 40 * MB, "elpa": 0x02000000, "elps": 90 * MB,
    "ena": 0x01000000, "ens": 14 * MB, "mr": 8 * MB, "emr": 1023 * MB,
}  # fmt: skip


@dataclass(frozen=True)
class Area:
    """Samples of an area, bytes: below and above 16 MB. Arrays of a Level are (n,) or (n, jobs)."""

    below: Level
    above: Level | None = None


@dataclass(frozen=True)
class Job:
    """A job whose private storage is monitored."""

    name: str
    program: str
    step: str = ""
    region: int = 0  # bytes asked for
    limit_below: int = 8 * MB
    limit_above: int = 1040 * MB
    memlimit_mb: int = 20_480


@dataclass(frozen=True, kw_only=True)
class VirtualStorage:
    """Storage in n intervals, by area; what is not named is zero.

    `common`: areas of common storage, (n,). `private`: of jobs, (n, jobs). `high`: bytes of jobs
    above 2 GB; `objects`: memory objects and frames of jobs; both (n, jobs).
    """

    common: Mapping[str, Area] = field(default_factory=dict)
    jobs: Sequence[Job] = ()
    private: Mapping[str, Area] = field(default_factory=dict)
    high: Mapping[str, Level] = field(default_factory=dict)
    objects: Mapping[str, Level] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=lambda: STORAGE_MAP)


def storage_groups(storage: VirtualStorage, host: Host, interval: Interval) -> list[Group]:
    """One record per interval, and more with jobs alone where one does not hold them."""
    first = [Sections(smf78_2.COMMON, {}, fixed=_sizes(storage))]
    first += _common(storage, interval)
    room = LARGEST_RECORD - smf78_2.HEADER.length - smf78_2.PRODUCT.length - smf78_2.COMMON.length
    here = pieces(len(storage.jobs), room, smf78_2.PRIVATE.length) or [slice(0, 0)]
    return [
        rmf_group(
            smf78_2.VIRTUAL_STORAGE,
            host,
            interval,
            [*(() if number else first), *_private(storage, interval, one)],
            WRITTEN_US + APART_US * number,
        )
        for number, one in enumerate(here)
    ]


def _sizes(storage: VirtualStorage) -> dict[str, Any]:
    return {f"r782{name}": value for name, value in storage.sizes.items()}


def _areas(section: Any) -> Iterator[tuple[Place, list[str]]]:
    """The blocks of a layout with the names of their areas, without r782."""
    for place in smf78_2.VIRTUAL_STORAGE.parts_of(section):
        yield place, [name.removeprefix("r782") for name in place.areas]


def _common(storage: VirtualStorage, interval: Interval) -> Iterator[Sections]:
    for place, names in _areas(smf78_2.COMMON_AREA):
        columns = _blocks([storage.common.get(name) for name in names], interval, ())
        size = place.length
        assert isinstance(size, int) and isinstance(place.offset, int)
        if size < smf78_2.COMMON_AREA.length:
            columns = {name: values for name, values in columns.items() if name[0] == "b"}
        yield Sections(smf78_2.COMMON_AREA, columns, len(names), size, at=place.offset)


def _private(storage: VirtualStorage, interval: Interval, here: slice) -> Iterator[Sections]:
    jobs = storage.jobs[here]
    if not jobs:
        return
    fixed = {
        "r782jobn": np.array([one.name for one in jobs]),
        "r782step": np.array([one.step or one.name for one in jobs]),
        "r782pgmn": np.array([one.program for one in jobs]),
        "r782regr": np.array([one.region for one in jobs]),
        "r782rgab": np.array([one.limit_below for one in jobs]),
        "r782rgaa": np.array([one.limit_above for one in jobs]),
        "r782gmlb": np.array([one.limit_below for one in jobs]),
        "r782gmla": np.array([one.limit_above for one in jobs]),
        "r782meml": np.array([one.memlimit_mb for one in jobs]),
    }
    samples = np.repeat(interval.samples[:, None], len(jobs), axis=1)
    yield Sections(smf78_2.PRIVATE, {"r782samp": samples}, len(jobs), fixed=fixed)
    for place, names in _areas(smf78_2.PRIVATE_AREA):
        areas = [_cut_area(storage.private.get(name), here) for name in names]
        columns = _blocks(areas, interval, (len(jobs),))
        yield _inside(smf78_2.PRIVATE_AREA, columns, place, len(jobs) * len(names))
    for section, known in (
        (smf78_2.PRIVATE_HIGH, storage.high),
        (smf78_2.PRIVATE_OBJECT, storage.objects),
    ):
        prefix = section.fields[0].name[0]
        for place, names in _areas(section):
            levels = [_cut(known.get(name), here) for name in names]
            columns = _samples(levels, interval, prefix, (len(jobs),), floating=True)
            if prefix == "g":
                columns["ghwm"] = columns["gmax"]
            yield _inside(section, columns, place, len(jobs) * len(names))


def _inside(section: Any, columns: Mapping[str, Any], place: Place, number: int) -> Sections:
    assert isinstance(place.offset, int)
    return Sections(section, columns, number, at=place.offset)


def _cut(level: Level | None, here: slice) -> Level | None:
    if level is None:
        return None
    return Level(level.least[:, here], level.most[:, here], level.mean[:, here])


def _cut_area(area: Area | None, here: slice) -> Area | None:
    if area is None:
        return None
    below = _cut(area.below, here)
    assert below is not None
    return Area(below, _cut(area.above, here))


def _blocks(
    areas: Sequence[Area | None], interval: Interval, jobs: tuple[int, ...]
) -> dict[str, Any]:
    """The fields of sample blocks, below and above 16 MB; (n, areas) or (n, jobs x areas)."""
    below = [None if one is None else one.below for one in areas]
    above = [None if one is None else one.above for one in areas]
    found = _samples(below, interval, "b", jobs, floating=False)
    return found | _samples(above, interval, "a", jobs, floating=False)


def _samples(
    levels: Sequence[Level | None],
    interval: Interval,
    p: str,
    jobs: tuple[int, ...],
    *,
    floating: bool,
) -> dict[str, Any]:
    """Least, most and sum of the samples; an extreme that lasted is dated at the first sample."""
    shape = (len(interval), *jobs)
    none = Level.steady(0, shape)
    some = [none if one is None else one for one in levels]
    kind = np.float64 if floating else np.int64

    def field_of(values: Sequence[Any], as_kind: Any) -> Any:
        return np.stack(values, axis=-1).astype(as_kind).reshape(len(interval), -1)

    samples = interval.samples.reshape(-1, *(1 for _ in jobs))
    number = field_of([none.least] * len(some), np.int64).shape[1]
    known = [one is not None for one in levels] * (number // len(levels))
    first = np.where(known, interval.start[:, None], np.datetime64("NaT", "us"))
    return {
        f"{p}min": field_of([one.least for one in some], kind),
        f"{p}ntme": first,
        f"{p}max": field_of([one.most for one in some], kind),
        f"{p}xtme": first,
        f"{p}totl": field_of([one.mean * samples for one in some], np.float64),
    }
