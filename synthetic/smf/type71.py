"""SMF 71.1: paging and the use of frames of a system; the frames of address spaces (30, 72.3).

No source says them: each address space has 100 MB while it is there, SQA what 78.2 says is in use,
LPA its whole area, CSA what the scenario repeats. The rest of central storage is available, no page
moves, and fields of other areas are zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from imsperf.layouts import smf71_1
from imsperf.layouts.smf71_1_paging import PAGING
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.accounts.storage_accounts import (
    CSA_ABOVE,
    CSA_BELOW,
    KB,
    MB,
    PAGE,
    SQA_IN_USE,
)
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.measured import US_1024, Level
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.smf.type78_2 import STORAGE_MAP
from imsperf.synthetic.units import TICKS_PER_US

WRITTEN_US = 26_000
AREAS = {  # area: its fields, least, most and mean; and the mean in floating point
    "available": ("mnf", "mxf", "avf", "lvf"),
    "in_use": ("mnt", "mxt", "avt", "lvt"),
    "csa": ("mnp", "mxp", "avp", ""),
    "private": ("mns", "mxs", "avs", "lvs"),
    "sqa_fixed": ("mnq", "mxq", "avq", ""),
    "lpa": ("nlp", "xlp", "alp", ""),
    "sqa": ("msr", "xsr", "asr", ""),
    "uic": ("ulc", "uhc", "uac", ""),
}
FRAMES_PER_MB = MB // PAGE
OF_A_SPACE = 100 * FRAMES_PER_MB  # assumed
LONGEST_UIC = 65_535


def page_time(resident: I64) -> I64:
    """Frames x 1024 us of address spaces that were in storage for so many ticks, (n, m)."""
    return in_units(resident, US_1024, OF_A_SPACE)


def common_frames(storage: Mapping[str, float]) -> dict[str, int]:
    """Frames of common areas, as type 71 names them. `storage`: as `storage_of` takes it."""
    csa = storage.get(CSA_BELOW, 0.0) * KB, storage.get(CSA_ABOVE, 0.0) * MB
    return {
        "sqa": sum(round(SQA_IN_USE * STORAGE_MAP[name] / PAGE) for name in ("ss", "ess")),
        "lpa": (STORAGE_MAP["pls"] + STORAGE_MAP["elps"]) // PAGE,
        "csa": sum(-(-round(size) // PAGE) for size in csa),
    }


def paging_record(
    resident: I64, storage: Mapping[str, float], host: Host, interval: Interval
) -> Group:
    """71. `resident`: ticks of each address space in storage, (n, m).

    An address space is seen in the samples of its part of the interval, which may be none.
    """
    samples = interval.samples[:, None]
    there = np.rint(resident / (interval.length_us * TICKS_PER_US)[:, None] * samples).astype(
        np.int64
    )
    private = Level(
        (there == samples).sum(axis=1) * OF_A_SPACE,
        (there > 0).sum(axis=1) * OF_A_SPACE,
        there.sum(axis=1) * OF_A_SPACE / interval.samples,
    )
    frames, common = host.storage_mb * FRAMES_PER_MB, common_frames(storage)
    levels = {name: Level.steady(size, len(interval)) for name, size in common.items()}
    levels |= {
        "private": private,
        "sqa_fixed": levels["sqa"],  # pages of the SQA are always fixed
        "uic": Level.steady(LONGEST_UIC, len(interval)),
    }
    available = private.rest_of(frames - sum(common.values()))
    return paging_group(frames, available, levels, host, interval)


def paging_group(
    frames: int, available: Level, levels: Mapping[str, Level], host: Host, interval: Interval
) -> Group:
    """One record per interval, of so many frames of central storage and levels of AREAS, (n,)."""
    columns: dict[str, Any] = {}
    known = {"available": available, "in_use": available.rest_of(frames), **levels}
    for area, level in known.items():
        least, most, mean, wide = (f"smf71{field}" for field in AREAS[area])
        columns |= level.columns(least, most, mean)
        if wide != "smf71":
            columns[wide] = level.mean.astype(np.float64)
    columns |= available.columns("smf71cam", "smf71cax", "smf71caa", is_whole=False)
    columns["smf71afc"] = available.mean.astype(np.int64)
    fixed = {"smf71tfc": frames, "smf71opt": "00", "smf71mcf": 1024}
    part = Sections(PAGING, columns, fixed=fixed)
    return rmf_group(smf71_1.PAGING_ACTIVITY, host, interval, [part], WRITTEN_US)
