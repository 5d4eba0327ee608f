"""Virtual storage that a scenario repeats, as type 78.2 holds it.

Its metrics are those of run.metrics: CSA of key 7, and LSQA and user region of address spaces,
below 16 MB (`private_kb`) and above (`eprivate_mb`). What they do not take of a region is free, in
one block between them. How much SQA is in use is an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from imsperf.synthetic.accounts.inventory import CONTROL, REGION, Inventory
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.smf.address_space import Space
from imsperf.synthetic.smf.measured import Level
from imsperf.synthetic.smf.record_groups import Interval
from imsperf.synthetic.smf.type78_2 import (
    LIMIT_ABOVE,
    LIMIT_BELOW,
    STORAGE_MAP,
    Area,
    Job,
    VirtualStorage,
)

KB, MB = 1 << 10, 1 << 20
CSA_BELOW, CSA_ABOVE = "csa_below_16m_key7_kb", "csa_above_16m_key7_mb"
PAGE = 4 << 10
AREAS = {"lsqa": "ls", "user": "us"}
SQA_IN_USE = 0.6
SQA_USED, SQA_FREE = ("sqau", "sqal"), ("sqaf", "sqlf")
USED = ("csak_7", "csau", "csal")  # what is not of key 7 is not published: it is taken as none
FREE = ("csaf", "cslf")

# What a metric begins with: the address space it is about, the first one of its kind.
KINDS: Mapping[str, Callable[[Space], bool]] = {
    "control": lambda one: one.program == CONTROL and one.job.endswith("CTL"),
    "dli": lambda one: one.program == CONTROL and one.job.endswith("DLI"),
    "ims_connect": lambda one: one.program == "HWSHWS00",
    "region": lambda one: one.program == REGION,
    "cics": lambda one: one.program == "DFHSIP",
    "cqs": lambda one: one.job.startswith("CQS"),
    "odbm": lambda one: "OD" in one.job and one.program == "BPEINI00",
    "zos_connect": lambda one: one.job.startswith("ZCEE"),
}


def storage_of(
    values: Mapping[str, float], inventory: Inventory, interval: Interval
) -> VirtualStorage | None:
    """The same at every sample; None without values of storage."""
    count = len(interval)
    jobs = {kind: _job(kind, inventory) for kind in KINDS if _has(values, kind)}
    known = [(kind, job) for kind, job in jobs.items() if job is not None]
    if CSA_BELOW not in values and not known:
        return None
    sqa = STORAGE_MAP["ss"], STORAGE_MAP["ess"]
    below, above = (round(SQA_IN_USE * area / PAGE) * PAGE for area in sqa)
    common = dict.fromkeys(SQA_USED, _area((below, above), count))
    common |= dict.fromkeys(SQA_FREE, _area((sqa[0] - below, sqa[1] - above), count))
    if CSA_BELOW in values:
        used = values[CSA_BELOW] * KB, values.get(CSA_ABOVE, 0.0) * MB
        free = STORAGE_MAP["cs"] - used[0], STORAGE_MAP["ecs"] - used[1]
        common |= dict.fromkeys(USED, _area(used, count)) | dict.fromkeys(FREE, _area(free, count))
    return VirtualStorage(
        common=common, jobs=[job for _, job in known], private=_private(values, known, count)
    )


def _private(
    values: Mapping[str, float], known: Sequence[tuple[str, Job]], count: int
) -> dict[str, Area]:
    """Allocated, in pages, and free storage of the jobs, (count, jobs)."""

    def of(name: str, unit: str, size: int) -> F64:
        return np.array([values.get(f"{kind}_{name}_{unit}", 0) * size for kind, _ in known])

    taken = {
        area: (of(name, "private_kb", KB), of(name, "eprivate_mb", MB))
        for name, area in AREAS.items()
    }
    free = [
        np.maximum(limit - sum(sizes[side] for sizes in taken.values()), 0)
        for side, limit in enumerate((LIMIT_BELOW, LIMIT_ABOVE))
    ]
    areas: dict[str, tuple[F64, ...]] = {}
    for area, sizes in taken.items():
        areas[area + "al"] = sizes
        areas[area + "pa"] = tuple(np.ceil(area_size / PAGE) * PAGE for area_size in sizes)
        areas[area + "fp"] = areas[area + "fb"] = tuple(free)
    shape = (count, len(known))
    return {
        name: Area(*(_steady(side_ticks.tolist(), shape) for side_ticks in sides))
        for name, sides in areas.items()
    }


def _area(size: tuple[float, float], count: int) -> Area:
    """Below and above 16 MB; nothing is free where more is used than there is."""
    below, above = (_steady([max(part, 0.0)], (count,)) for part in size)
    return Area(below, above)


def _has(values: Mapping[str, float], kind: str) -> bool:
    return any(name.startswith(f"{kind}_{area}_") for name in values for area in AREAS)


def _job(kind: str, inventory: Inventory) -> Job | None:
    space = next(filter(KINDS[kind], inventory.spaces), None)
    return None if space is None else Job(space.job, space.program)


def _steady(values: list[float], shape: tuple[int, ...]) -> Level:
    return Level.steady(np.rint(np.array(values)).astype(np.int64), shape)
