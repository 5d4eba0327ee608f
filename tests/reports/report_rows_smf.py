"""Rows by hand for the reports of RMF records 73 to 78 and of SMF 30, 42 and 88.

One more part of `report_database.sample`: two intervals of everything, small round numbers.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import duckdb
from report_rows import FIRST, SECONDS, Insert, keys, product

OFFSET = timedelta(hours=1)  # local less UTC
AREAS = (("csak_7", 260, 24_576), ("csau", 1024, 65_536), ("sqau", 512, 8192), ("227k_all", 64, 0))
PRIVATE = (("lsal", 624, 14_950), ("usal", 2284, 409_600), ("usfb", 5120, 1_048_576))


def add_rows(con: duckdb.DuckDBPyConnection, insert: Insert, busy: float) -> None:
    """All of them."""
    for interval in (1, 2):
        known = {"file_id": 1, "system": "PRODSYSA", "name": "PRODSYSA", "sysplex": "PLEX1",
                 "type": "70", "subtype": "1", "records": 1}  # fmt: skip
        times = {n: v for n, v in keys(1, interval).items() if n.startswith("interval_")}
        insert(con, "load_interval", [known | times])
        _storage(con, insert, interval, busy)
        _channels(con, insert, interval, busy)
        _structures(con, insert, interval, busy)
        _address_spaces(con, insert, interval, busy)
        _data_sets(con, insert, interval, busy)
        _log_streams(con, insert, interval, busy)


def utc(interval: int, part: float = 0) -> str:
    """The start of an interval, and so many parts of it later, UTC."""
    start: datetime = FIRST - OFFSET + timedelta(seconds=SECONDS * (interval - 1 + part))
    return start.isoformat()


def _storage(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(2000 + interval, interval)
    insert(con, "smf78_2_product", [k | product("smf78")])
    sizes = {"r782cs": 4 << 20, "r782ecs": 400 << 20, "r782ss": 2 << 20, "r782ess": 30 << 20}
    insert(con, "smf78_2_common", [k | sizes])
    areas = [_samples(k, place, *area, busy) | {"common_no": 1} for place, area in enumerate(AREAS)]
    insert(con, "smf78_2_common_area", areas)
    job = {"r782jobn": "IMS1CTL", "r782step": "IMS", "r782pgmn": "DFSMVRC0", "r782samp": SECONDS,
           "r782rgab": 8 << 20, "r782rgaa": 1600 << 20, "r782meml": 4096}  # fmt: skip
    insert(con, "smf78_2_private", [k | job])
    areas = [_samples(k, place, *area, busy) | {"private_no": 1} for place, area in
             enumerate(PRIVATE)]  # fmt: skip
    insert(con, "smf78_2_private_area", areas)
    high = {"area": "r782toby", "private_no": 1, "gmin": 1e9, "gmax": 2e9, "gtotl": 1.5e9 * SECONDS}
    insert(con, "smf78_2_private_high", [k | high])


def _samples(
    k: dict[str, Any], place: int, area: str, below_kb: int, above_kb: int, busy: float
) -> dict[str, Any]:
    """A sample block: the mean and 8 KB around it; nothing above where there is no such block."""
    row = k | {"section_no": place + 1, "area": f"r782{area}"}
    below = int(below_kb * busy)
    row |= {"bmin": (below - 8) * 1024, "bmax": (below + 8) * 1024, "btotl": below * 1024 * SECONDS}
    if above_kb:
        row |= {"amin": (above_kb - 8) * 1024, "amax": (above_kb + 8) * 1024,
                "atotl": above_kb * 1024 * SECONDS}  # fmt: skip
    return row


def _channels(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(2010 + interval, interval)
    insert(con, "smf73_1_product", [k | product("smf73")])
    insert(con, "smf73_1_control", [k | {"smf73smp": SECONDS}])
    path = {"smf73fg2": 1, "smf73fg3": 3, "smf73fg4": 2, "smf73pti": 117_188, "smf73gen": 7,
            "smf73spd": 160, "smf73msc": 0, "smf73fg5": 248, "smf73pby": 11_719,
            "smf73bsy": 30}  # fmt: skip
    types = ((0x40, 2, "FC_S"), (0x41, 1, "OSD"), (0x42, 0, "CTC"), (0x43, 3, "IQD"))
    insert(con, "smf73_1_channel", [
        k | path | {"section_no": place, "smf73pid": number, "smf73cmg": group, "smf73acr": name}
        for place, (number, group, name) in enumerate(types, 1)
    ])  # fmt: skip
    ficon = {"smf73mbc": 1000, "smf73mcu": 1600, "smf73us": 4096, "smf73tbc": 6000,
             "smf73tuc": 48_000 * busy, "smf73puc": 24_000 * busy, "smf73twu": 120_000,
             "smf73pwu": 60_000, "smf73tru": 480_000, "smf73pru": 240_000}  # fmt: skip
    insert(con, "smf73_1_cmg2", [k | ficon | {"channel_no": 1}])
    insert(con, "smf73_1_cmg1", [k | {"channel_no": 2, "smf73tut": 187_500, "smf73put": 93_750}])
    messages = {"smf73pdu": 1024, "smf73tdu": 1024, "smf73pum": 1, "smf73tum": 1,
                "smf73pms": 6000, "smf73tms": 9000, "smf73pus": 6, "smf73pub": 3, "smf73tub": 9,
                "smf73pds": 60_000, "smf73tds": 90_000}  # fmt: skip
    insert(con, "smf73_1_cmg3", [k | messages | {"channel_no": 4}])
    operations = {"smf73eoc": 12_000, "smf73eod": 120, "smf73eos": 18_000, "smf73etc": 24_000,
                  "smf73etd": 0, "smf73ets": 48_000}  # fmt: skip
    insert(con, "smf73_1_extended", [k | operations | {"channel_no": 1, "smf73ecp": 0x40}])


def _structures(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(2020 + interval, interval)
    insert(con, "smf74_4_product", [k | product("smf74")])
    facility = {"r744fnam": "CF01", "r744fsys": "PRODSYSA", "r744fpdn": 2, "r744fpsn": 0,
                "r744flvl": 24}  # fmt: skip
    insert(con, "smf74_4_facility", [k | facility])
    # name, type, synchronous requests, asynchronous ones
    used = (
        ("IRLMLOCK1", 3, 60_000, 0),
        ("IMSMSGQ01", 2, 12_000, 12_000),
        ("OSAMCACHE", 4, 6000, 0),
    )
    times = {"r744sqtm": 1600, "r744sqsq": 40_000, "r744spst": 300, "r744spss": 5000,
             "r744scst": 500, "r744scss": 26_000, "r744sdtm": 100, "r744smtm": 80}  # fmt: skip
    counts = {"r744sqrc": 80, "r744sptc": 20, "r744sctc": 10, "r744sdrc": 5, "r744smrc": 4,
              "r744spes": 0, "r744ssta": 24, "r744sflg": 128, "r744ssiz": 25_600,
              "r744sltl": 4096, "r744sltm": 40, "r744slel": 1000, "r744slem": 250,
              "r744smae": 2000, "r744scue": 500, "r744sdec": 5000, "r744sdel": 4000}  # fmt: skip
    locks = {"r744strc": 60_000, "r744stac": 50, "r744scn": 25, "r744sfcn": 5}
    insert(con, "smf74_4_request", [
        k | times | counts | locks
        | {"section_no": place, "r744snam": name, "r744styp": kind, "r744setm": 2.0 * (sync + late)}
        | {"r744ssrc": int(sync * busy), "r744sstm": 5 * sync, "r744sssq": 30 * sync}
        | {"r744sarc": late, "r744satm": 40 * late, "r744sasq": 1700 * late}
        for place, (name, kind, sync, late) in enumerate(used, 1)
    ])  # fmt: skip
    cache = dict.fromkeys(("r744crhc", "r744cwh0", "r744cwh1", "r744ccoc", "r744cxci", "r744cxni",
                           "r744cxfw", "r744cxrl", "r744cxdr", "r744cder"), 100)  # fmt: skip
    entries = {"request_no": 3, "r744cdec": 3000, "r744cdac": 2500}
    insert(con, "smf74_4_cache", [k | cache | entries])


# job, program, step, seconds on CPs and zIIPs in each interval, I/Os
SPACES = (
    ("IMS1CTL", "DFSMVRC0", "IMS", 15.25, 6, 1200),
    ("MPP001", "DFSRRC00", "MPP", 40.0, 0, 600),
    ("HWS1", "HWSHWS00", "HWS", 5.0, 2, 0),
    ("VTAM", "ISTINM01", "NET", 1.0, 0, 0),
)


def _address_spaces(
    con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float
) -> None:
    for place, (job, program, step, cpu, ziip, ios) in enumerate(SPACES):
        k = keys(2100 + 10 * interval + place, interval)
        insert(con, "smf30_subsystem", [k | {"smf30typ": 2, "smf30syp": "PLEX1"}])
        name = {"smf30jbn": job, "smf30pgm": program, "smf30stm": step, "smf30stn": 1,
                "smf30jnm": f"STC0000{place}", "smf30asi": 80 + place, "smf30ssn": 0,
                "smf30iss": utc(interval), "smf30iet": utc(interval + 1)}  # fmt: skip
        insert(con, "smf30_identification", [k | name])
        still = dict.fromkeys(("icu", "isb", "iip", "rct", "hpt", "enc", "_time_ziip_on_cp"), 0)
        times = {"cpt": int(80 * cpu * busy), "cps": int(20 * cpu * busy),
                 "_time_on_ziip": 100 * ziip}  # fmt: skip
        used = {f"smf30{n}": v for n, v in (still | times).items()}
        insert(con, "smf30_processor", [k | used])
        classes = {"smf30scn": "STCHI", "smf30rcn": "RIMS", "smf30wlm": "SYSTEM", "smf30trs": 1,
                   "smf30srv_l": 1000, "smf30snf": 256}  # fmt: skip
        insert(con, "smf30_performance", [k | classes])
        io = {"smf30tex": 5 * ios, "smf30ais": ios, "smf30aic": 3 * ios, "smf30aid": ios,
              "smf30aiw": ios}  # fmt: skip
        insert(con, "smf30_io", [k | io])


def _no_interval(k: dict[str, Any]) -> dict[str, Any]:
    """The keys of a record that has no interval in local time."""
    return {name: value for name, value in k.items() if not name.startswith("interval_")}


def _data_sets(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = _no_interval(keys(2200 + interval, interval))
    clocks = {"smf42pts": utc(interval), "smf42pte": utc(interval + 1)}
    insert(con, "smf42_6_product", [k | clocks])
    job = {"s42jdjnm": "IMS1DLI", "s42jdcod": 1, "s42jdgmo": 3433, "s42jdwsc": "STCHI"}
    insert(con, "smf42_6_job", [k | job])
    # data set, volume, I/Os, response and connect time in us
    sets = (("IMS.ACCTDB", "VOL001", 12_000, 768, 384), ("IMS.HISTDB", "VOL002", 6000, 512, 256))
    for place, (name, volume, ios, response, connect) in enumerate(sets, 1):
        row = k | {"section_no": place}
        about = {"job_no": 1, "s42dsn": name, "s42dsvol": volume, "s42dstyp": 21, "s42dsbsz": 4096,
                 "s42dssc": "SCIMS"}  # fmt: skip
        insert(con, "smf42_6_dataset", [row | about])
        times = {"s42dsr1u": response, "s42dsc1u": connect, "s42dsp1u": 128, "s42dsd1u": 100,
                 "s42dsq1u": 0, "s42dsmxr": 100}  # fmt: skip
        counts = {"s42dscnd": ios, "s42dshts": ios // 2, "s42dswcn": ios // 4,
                  "s42dswhi": ios // 4, "s42dsseq": 0, "s42dsrdt": ios // 2,
                  "s42dshrd": ios // 2, "s42dshwr": ios // 4, "s42dsios": 0}  # fmt: skip
        used = {"dataset_no": place, "s42dsion": int(ios * busy)}
        insert(con, "smf42_6_io", [row | used | times | counts])


def _log_streams(
    con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float
) -> None:
    k = _no_interval(keys(2300 + interval, interval))
    end = FIRST + timedelta(seconds=SECONDS * interval)
    written = {"smf88dte": end.date().isoformat(), "smf88tme": f"{end:%H:%M:%S}.300000"}
    insert(con, "smf88_1_header", [k | written])
    writes = {"smf88lsn": "IMSPLEX.CQS.LOG", "smf88ltd": utc(interval + 1),
              "smf88lwi": int(60_000 * busy), "smf88lib": 100, "smf88lab": 4000,
              "smf88lwb": 24e6 * busy, "smf88ldb": 12e6}  # fmt: skip
    insert(con, "smf88_1_log_stream", [k | writes])
    storage = {"smf88stn": "CQSLOG", "smf88swb": 18e6, "smf88sib": 6e6, "smf88sab": 1e6,
               "smf88sc1": 59_000}  # fmt: skip
    insert(con, "smf88_1_structure", [k | storage])
    events = {"smf88eds": 1, "smf88esf": 0, "smf88ett": 0, "smf88etf": 0, "smf88eo": 2,
              "smf88efs": 0}  # fmt: skip
    insert(con, "smf88_1_events", [k | events])
