"""SMF 78.2: virtual storage, common and of jobs.

Areas carry the manual's names after `r782`: csak_7 is CSA of key 7, 231k_7 subpool 231 of that key,
lsal the LSQA allocated to a job, usal its user region, toby all it has above 2 GB.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from imsperf.layouts import smf78_2
from imsperf.record import SectionPlace
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import Values
from imsperf.synthetic.smf.measured import Level, columns_of_each, stated
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group

WRITTEN_US = 300_000
MB = 1 << 20
LIMIT_BELOW, LIMIT_ABOVE, MEMLIMIT_MB = 8 * MB, 1040 * MB, 20_480  # of the region of a job

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
    above: Level


@dataclass(frozen=True)
class Job:
    """A job whose private storage is monitored."""

    name: str = stated("r782jobn", "r782step")
    program: str = stated("r782pgmn")


@dataclass(frozen=True, kw_only=True)
class VirtualStorage:
    """Storage in n intervals, by area; what is not named is zero.

    `common`: areas of common storage, (n,). `private`: of jobs, (n, jobs).
    """

    common: Mapping[str, Area] = field(default_factory=dict)
    jobs: Sequence[Job] = ()
    private: Mapping[str, Area] = field(default_factory=dict)


def storage_group(storage: VirtualStorage, host: Host, interval: Interval) -> Group:
    """One record per interval."""
    sizes = {f"r782{name}": size for name, size in STORAGE_MAP.items()}
    parts = [Sections(smf78_2.COMMON, {}, fixed=sizes)]
    parts += [*_common(storage, interval), *_private(storage, interval)]
    return rmf_group(smf78_2.VIRTUAL_STORAGE, host, interval, parts, WRITTEN_US)


def _areas(section: Any) -> Iterator[tuple[SectionPlace, list[str]]]:
    """The blocks of a layout with the names of their areas, without r782."""
    for place in smf78_2.VIRTUAL_STORAGE.parts_of(section):
        yield place, [name.removeprefix("r782") for name in place.areas]


def _common(storage: VirtualStorage, interval: Interval) -> Iterator[Sections]:
    for place, names in _areas(smf78_2.COMMON_AREA):
        columns = _blocks([storage.common.get(name) for name in names], interval, (len(interval),))
        size = place.length
        assert isinstance(size, int) and isinstance(place.offset, int)
        if size < smf78_2.COMMON_AREA.length:
            columns = {name: values for name, values in columns.items() if name[0] == "b"}
        yield Sections(smf78_2.COMMON_AREA, columns, len(names), size, at=place.offset)


def _private(storage: VirtualStorage, interval: Interval) -> Iterator[Sections]:
    jobs = storage.jobs
    if not jobs:
        return
    fixed = columns_of_each(jobs, smf78_2.PRIVATE) | {
        **dict.fromkeys(("r782rgab", "r782gmlb"), LIMIT_BELOW),
        **dict.fromkeys(("r782rgaa", "r782gmla"), LIMIT_ABOVE),
        "r782meml": MEMLIMIT_MB,
    }
    samples = np.repeat(interval.samples[:, None], len(jobs), axis=1)
    yield Sections(smf78_2.PRIVATE, {"r782samp": samples}, len(jobs), fixed=fixed)
    for place, names in _areas(smf78_2.PRIVATE_AREA):
        areas = [storage.private.get(name) for name in names]
        columns = _blocks(areas, interval, (len(interval), len(jobs)))
        assert isinstance(place.offset, int)
        yield Sections(smf78_2.PRIVATE_AREA, columns, len(jobs) * len(names), at=place.offset)


def _blocks(
    areas: Sequence[Area | None], interval: Interval, shape: tuple[int, ...]
) -> dict[str, Any]:
    """The fields of sample blocks, below and above 16 MB; (n, areas) or (n, jobs x areas).

    Least, most and sum of the samples; an extreme that lasted is dated at the first sample.
    """
    none = Level.steady(0, shape)
    samples = interval.samples.reshape(-1, *(1 for _ in shape[1:]))
    known = [area is not None for area in areas] * math.prod(shape[1:])
    first = np.where(known, interval.start[:, None], np.datetime64("NaT", "us"))

    def field_of(values: Sequence[Values], kind: type) -> Values:
        return np.stack(values, axis=-1).astype(kind).reshape(len(interval), -1)

    columns: dict[str, Any] = {}
    for letter, side in (("b", "below"), ("a", "above")):
        levels = [none if area is None else getattr(area, side) for area in areas]
        columns |= {
            f"{letter}min": field_of([level.least for level in levels], np.int64),
            f"{letter}ntme": first,
            f"{letter}max": field_of([level.most for level in levels], np.int64),
            f"{letter}xtme": first,
            f"{letter}totl": field_of([level.mean * samples for level in levels], np.float64),
        }
    return columns
