"""Rows by hand for the reports beyond processors, partitions, devices and IMS pools.

One more part of `report_database.sample`: two intervals of everything, small round numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import duckdb

Insert = Callable[[duckdb.DuckDBPyConnection, str, Sequence[Mapping[str, Any]]], None]

SECONDS = 120
FIRST = datetime(2026, 3, 2, 10, 0)


def keys(record_no: int, interval: int, section: int = 1) -> dict[str, Any]:
    """The key columns of a section of an SMF record in interval 1 or 2."""
    start = FIRST + timedelta(seconds=SECONDS * (interval - 1))
    times = {
        "interval_start": start.isoformat(),
        "interval_end": (start + timedelta(seconds=SECONDS)).isoformat(),
    }
    return {"file_id": 1, "record_no": record_no, "section_no": section,
            "system": "PRODSYSA"} | times  # fmt: skip


def product(prefix: str) -> dict[str, Any]:
    """The product section of an RMF record."""
    values = {"int": SECONDS * 1_000_000, "sam": SECONDS, "cyc": 1000, "mvs": "zV020500",
              "ptn": 2, "snm": "PRODSYSA", "xnm": "PLEX1", "lgo": 3_600_000_000}  # fmt: skip
    return {prefix + name: value for name, value in values.items()}


def add_rows(con: duckdb.DuckDBPyConnection, insert: Insert, busy: float) -> None:
    """All of them."""
    for interval in (1, 2):
        _workload(con, insert, interval, busy)


# class, report class, workload, transactions, response ms, CPU s
_CLASSES = (
    ("IMSHIGH", False, "ONLINE", 12_000, 20, 60),
    ("STCLOW", False, "SYSTEM", 0, 0, 9),
    ("RIMS", True, "", 12_000, 20, 60),
)
_BUCKETS = [50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 200, 400, 4_294_967_295]


def _workload(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    for place, (name, report, workload, ended, response, cpu) in enumerate(_CLASSES):
        k = keys(1000 + 10 * interval + place, interval)
        n = int(ended * busy)
        insert(con, "smf72_3_product", [k | product("smf72")])
        service = {"r723mscf": 128 if report else 0, "r723mnsp": "STD", "r723mwnm": workload,
                   "r723mcnm": name, "r723mcpu": 10_000, "r723msrb": 10_000, "r723madj": 16_000,
                   "r723nffs": 256, "r723mcf": 1024, "r723mcfs": 1024, "r723mtv": 480}  # fmt: skip
        insert(con, "smf72_3_control", [k | service])
        goal = {"r723crgf": 128, "r723crtf": 128, "r723cval": 25, "r723cpct": 90, "r723crtx": 1}
        if not ended:
            goal = {"r723crgf": 32, "r723crtf": 0, "r723cval": 40, "r723cpct": 0, "r723crtx": 0}
        units = {"r723csrv": 1000.0 * cpu + 5000, "r723ccpu": 1000.0 * cpu, "r723cioc": 2000.0,
                 "r723cmso": 1000.0, "r723csrb": 2000.0, "r723csup": 500.0,
                 "r723csuc": 100.0}  # fmt: skip
        times = {"r723ctat": 234_375.0, "r723ctrr": 117_187.5, "r723ciea": 1171.875,
                 "r723cfea": 117.1875, "r723crct": 1000.0, "r723ciit": 2000.0, "r723chst": 500.0,
                 "r723cprs": 11_718_750.0, "r723csrs": 117_187.5}  # fmt: skip
        ended_us = 1000.0 * response * n
        response_times = {"r723ctetx": ended_us, "r723cxetx": 0.75 * ended_us,
                          "r723cqdtx": 0.25 * ended_us,
                          "r723cetsx": 2000.0 * response * ended_us}  # fmt: skip
        counts = {"r723crcp": n, "r723cncp": n, "r723cswc": 2, "r723circ": 2400,
                  "r723ctou": 300, "r723ctot": 100, "r723ctsa": 400.0}  # fmt: skip
        io = {"r723cict": 6000.0, "r723cidt": 600.0, "r723ciwt": 1200.0, "r723ciot": 300.0}
        raised = {"r723tpdp": 10.0, "r723ectc": 20.0, "r723cpdp": 30.0, "r723lpdp": 40.0,
                  "r723spdp": 50.0}  # fmt: skip
        period = {"r723cper": 1, "r723crs1": 0, "r723cimp": 1}
        row = k | period | goal | units | times | response_times | counts | io | raised
        insert(con, "smf72_3_period", [row])
        if ended:
            counted = [n // 2, n // 4, n // 8, n // 8, *[0] * 10]
            insert(con, "smf72_3_response", [
                k | {"r723trdb": _BUCKETS},
                k | {"section_no": 2, "period_no": 1, "r723trdb": counted},
            ])  # fmt: skip
