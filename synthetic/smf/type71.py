"""SMF 71.1: paging and the use of frames and slots of a system.

Filled are the fields of the areas named in Paging; those of areas that are not are zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from imsperf.layouts import smf71_1
from imsperf.layouts.smf71_1_paging import PAGING
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.policy import Amounts
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.smf.sampled_level import Level

WRITTEN_US = 26_000

_AREAS = {  # area: its fields, least, most and mean; and those in floating point
    "available": ("mnf", "mxf", "avf", "lvf"),
    "in_use": ("mnt", "mxt", "avt", "lvt"),
    "csa": ("mnp", "mxp", "avp", ""),
    "private": ("mns", "mxs", "avs", "lvs"),
    "sqa_fixed": ("mnq", "mxq", "avq", ""),
    "csa_fixed": ("mnc", "mxc", "avc", ""),
    "private_fixed": ("mnr", "mxr", "avr", "lvr"),
    "fixed": ("mnx", "mxx", "avx", "lvx"),
    "lpa": ("nlp", "xlp", "alp", ""),
    "lpa_fixed": ("nlf", "xlf", "alf", ""),
    "lsqa_fixed": ("nls", "xls", "als", ""),
    "below_16_mb_fixed": ("mnl", "mxl", "avl", ""),
    "sqa": ("msr", "xsr", "asr", ""),
    "lsqa": ("mlr", "xlr", "alr", ""),
    "slots_free": ("mnu", "mxu", "avu", "lvu"),
    "slots_used": ("mnm", "mxm", "avm", "lvm"),
    "slots_vio": ("mnv", "mxv", "avv", "lvv"),
    "slots_bad": ("mnb", "mxb", "avb", "lvb"),
    "uic": ("ulc", "uhc", "uac", ""),
}
_FLOATS = {"available": ("cam", "cax", "caa"), "common_high": ("cpm", "cpx", "cpa")}
_COUNTS = {
    "pages_in": "pin", "pages_out": "pot", "swaps": "ssq", "swap_pages_in": "sin",
    "swap_pages_out": "sot", "vio_in": "vin", "vio_out": "vot", "common_in": "sni",
    "common_out": "sno", "lpa_in": "lni", "pages_moved": "pmv", "storage_requests": "grn",
    "pages_backed": "fbn", "first_faults": "1rn", "later_faults": "nrn",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Paging:
    """One system in n intervals. Levels are frames or pages of 4 KB, or slots; counts are pages.

    `levels`: the areas of _AREAS and `common_high`, high virtual common storage; `in_use` follows
    from `available`. `frames`: of central storage. `slots`: of the local page data sets.
    """

    frames: int
    available: Level
    levels: dict[str, Level] = field(default_factory=dict)
    slots: int = 0
    pages_in: Amounts = 0
    pages_out: Amounts = 0
    swaps: Amounts = 0
    swap_pages_in: Amounts = 0
    swap_pages_out: Amounts = 0
    vio_in: Amounts = 0
    vio_out: Amounts = 0
    common_in: Amounts = 0
    common_out: Amounts = 0
    lpa_in: Amounts = 0
    pages_moved: Amounts = 0
    storage_requests: Amounts = 0
    pages_backed: Amounts = 0
    first_faults: Amounts = 0
    later_faults: Amounts = 0


def paging_group(paging: Paging, host: Host, interval: Interval) -> Group:
    """One record per interval."""
    known = {"available": paging.available, "in_use": paging.available.rest_of(paging.frames)}
    columns: dict[str, Any] = {}
    for area, level in {**known, **paging.levels}.items():
        if area in _AREAS:
            least, most, mean, wide = (f"smf71{one}" for one in _AREAS[area])
            columns |= level.columns(least, most, mean)
            if wide != "smf71":
                columns[wide] = level.mean.astype(np.float64)
        if area in _FLOATS:
            columns |= level.columns(*(f"smf71{one}" for one in _FLOATS[area]), whole=False)
    columns |= {f"smf71{name}": getattr(paging, one) for one, name in _COUNTS.items()}
    columns["smf71afc"] = paging.available.mean.astype(np.int64)
    fixed = {
        "smf71tfc": paging.frames,
        "smf71tsc": paging.slots,
        "smf71opt": "00",
        "smf71mcf": 1024,
    }
    part = Sections(PAGING, columns, fixed=fixed)
    return rmf_group(smf71_1.PAGING_ACTIVITY, host, interval, [part], WRITTEN_US)
