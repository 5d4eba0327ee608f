"""Virtual storage that a scenario repeats, as type 78.2 holds it.

Its metrics are those of run.metrics: CSA of key 7, and LSQA and user region of address spaces,
below 16 MB (`private_kb`) and above (`eprivate_mb`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from imsperf.synthetic.records.address_space import Space
from imsperf.synthetic.records.inventory import CONTROL, REGION, Inventory
from imsperf.synthetic.records.levels import Level
from imsperf.synthetic.records.smf_records import Interval
from imsperf.synthetic.records.type78_2 import STORAGE_MAP, Area, Job, VirtualStorage

KB, MB = 1 << 10, 1 << 20
CSA_BELOW, CSA_ABOVE = "csa_below_16m_key7_kb", "csa_above_16m_key7_mb"
AREAS = {"lsqa": "lsal", "user": "usal"}
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
    common: dict[str, Area] = {}
    if CSA_BELOW in values:
        used = values[CSA_BELOW] * KB, values.get(CSA_ABOVE, 0.0) * MB
        free = STORAGE_MAP["cs"] - used[0], STORAGE_MAP["ecs"] - used[1]
        common |= dict.fromkeys(USED, _area(used, count)) | dict.fromkeys(FREE, _area(free, count))
    shape = (count, len(known))
    private = {
        area: Area(
            _steady([values.get(f"{kind}_{name}_private_kb", 0) * KB for kind, _ in known], shape),
            _steady([values.get(f"{kind}_{name}_eprivate_mb", 0) * MB for kind, _ in known], shape),
        )
        for name, area in AREAS.items()
    }
    return VirtualStorage(common=common, jobs=[job for _, job in known], private=private)


def _area(size: tuple[float, float], count: int) -> Area:
    """Below and above 16 MB; nothing is free where more is used than there is."""
    below, above = (_steady([max(one, 0.0)], (count,)) for one in size)
    return Area(below, above)


def _has(values: Mapping[str, float], kind: str) -> bool:
    return any(name.startswith(f"{kind}_{area}_") for name in values for area in AREAS)


def _job(kind: str, inventory: Inventory) -> Job | None:
    found = next(filter(KINDS[kind], inventory.spaces), None)
    return None if found is None else Job(found.job, found.program, found.step)


def _steady(values: list[float], shape: tuple[int, ...]) -> Level:
    return Level.steady(np.rint(np.array(values)).astype(np.int64), shape)
