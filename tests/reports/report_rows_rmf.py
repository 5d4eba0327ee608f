"""Rows by hand for paging, enqueues, I/O queueing, XCF, caches, storage controllers, system totals.

One more part of `report_database.sample`: two intervals of everything, small round numbers.
"""

from __future__ import annotations

from typing import Any

import duckdb
from report_rows import SECONDS, Insert, keys, product

# letters of the fields, fewest, most and mean number of address spaces
QUEUES = (("i", 40, 50, 45), ("r", 1, 9, 4), ("o", 0, 0, 0), ("w", 0, 2, 1), ("l", 0, 1, 0),
          ("a", 10, 12, 11), ("b", 2, 3, 2), ("s", 30, 33, 31), ("t", 5, 7, 6), ("p", 0, 0, 0),
          ("x", 1, 1, 1))  # fmt: skip
UNITS = (("c", 0, 20, 5), ("d", 0, 0, 0), ("e", 0, 4, 1))
BUCKETS = [600, 120, 60, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 396]


def add_rows(con: duckdb.DuckDBPyConnection, insert: Insert, busy: float) -> None:
    """All of them."""
    for interval in (1, 2):
        _system(con, insert, interval)
        _paging(con, insert, interval, busy)
        _enqueues(con, insert, interval, busy)
        _queueing(con, insert, interval, busy)
        _signals(con, insert, interval, busy)
        _caches(con, insert, interval, busy)
        _controllers(con, insert, interval, busy)
        _facility(con, insert, interval)
    con.execute("UPDATE smf70_1_product SET smf70fla = 68")
    con.execute(
        "UPDATE smf70_1_control SET smf70pmi = 1200, smf70pmu = 60, smf70pmw = 180, smf70pmp = 4, "
        "smf70pmt = 5, smf70pml = 20, smf70cai = 0"
    )
    con.execute("UPDATE smf70_1_processor SET smf70hw_cap_limit = 0, smf70hwgr_cap_limit = 0")
    con.execute(
        "UPDATE smf70_1_partition SET smf70gnm = 'GRP1', smf70gmu = 500 WHERE smf70lpm = 'PRDA'"
    )


def _system(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int) -> None:
    """The address spaces of the 70.1 records, which have the numbers 1 and 2."""
    row = {f"smf70{c}{what}": value for c, least, most, mean in QUEUES for what, value in
           (("mn", least), ("mm", most), ("tt", mean * SECONDS))}  # fmt: skip
    row |= {f"smf70{c}{what}": value for c, least, most, mean in UNITS for what, value in
            (("mn", least), ("mm", most), ("tt", mean * 1200))}  # fmt: skip
    distribution: dict[str, Any] = {"smf70srm": 1200, "smf70u00_u15": BUCKETS}
    insert(con, "smf70_1_asid", [keys(interval, interval) | row | distribution])


def _paging(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(3000 + interval, interval)
    insert(con, "smf71_1_product", [k | product("smf71")])
    counts = {"pin": 1200, "pot": 600, "sin": 60, "sot": 120, "vin": 0, "vot": 0, "sni": 240,
              "sno": 120, "lni": 60, "hin": 0, "hot": 0, "asi": 0, "aso": 0, "blk": 50, "blp": 300,
              "pmv": 6000, "pmt": 4096 * 600_000, "grn": 12_000, "fbn": 6000, "frn": 600,
              "ffn": 1200, "1rn": 1800, "nrn": 60}  # fmt: skip
    frames = {"tfc": 1_000_000, "mnf": 90_000, "mxf": 110_000, "lvf": 100_000, "ulc": 2540,
              "uhc": 2600, "uac": 2570, "msr": 100, "xsr": 300, "asr": 200, "nlp": 1000,
              "xlp": 1000, "alp": 1000, "mnp": 4000, "mxp": 6000, "avp": 5000, "mlr": 700,
              "xlr": 900, "alr": 800, "mns": 1, "mxs": 3, "lvs": 2, "mnx": 10, "mxx": 30,
              "lvx": 20, "tsc": 50_000, "mnu": 40_000}  # fmt: skip
    moved = {name: int(value * busy) for name, value in counts.items()}
    row = {f"smf71{name}": value for name, value in (moved | frames).items()}
    insert(con, "smf71_1_paging", [k | row])


def _enqueues(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(3010 + interval, interval)
    insert(con, "smf77_1_product", [k | product("smf77")])
    times = {"wtm": 1000, "wtx": 5000, "wtt": int(20_000 * busy), "ql1": 6, "ql2": 3, "ql3": 1,
             "ql4": 0, "aql": 15, "evt": 8, "exm": 0, "exx": 2, "shm": 0, "shx": 1, "csc": 40,
             "nod": 2, "dfg": 64, "dow": 1, "dwr": 2}  # fmt: skip
    names = {"qnm": "SYSDSN", "rnm": "IMS.RECON1", "do1": "IMS1CTL", "dw1": "DBRC1",
             "sy1": "PRODSYSA", "sy3": "PRODSYSA"}  # fmt: skip
    row = {f"smf77{name}": value for name, value in (names | times).items()}
    insert(con, "smf77_1_enqueue", [k | row])


def _queueing(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(3020 + interval, interval)
    insert(con, "smf78_3_product", [k | product("smf78")])
    insert(con, "smf78_3_control", [k | {"r783id1": 0x71}])
    still = {"control_no": 1, "r783cub": 0, "r783cbt": 0, "r783cmr": 7500, "r783dpb": 300}
    insert(con, "smf78_3_path", [
        k | still | {"section_no": place, "r783cpid": 0x3F + place, "r783pt": int(taken * busy)}
        for place, taken in ((1, 12_000), (2, 6000))
    ])  # fmt: skip
    queue = {"r783id2": 0x71, "r783qsm": 300, "r783qct": 120, "r783csst": 9000, "r783ptm": 0,
             "r783dpbm": 0, "r783cubm": 0, "r783cbtm": 0, "r783cmrm": 0}  # fmt: skip
    insert(con, "smf78_3_queue", [k | queue])
    alias = {"queue_no": 1, "r783hnai": 90, "r783htio": 18_000, "r783haiu": 12, "r783xhbc": 3}
    insert(con, "smf78_3_hyperpav", [k | alias])
    retries = {"r783icpb": 120, "r783idpb": 60, "r783icub": 0, "r783idvb": 20, "r783iscb": 0,
               "r783iecb": 50}  # fmt: skip
    used = {"r783iqsm": 900, "r783iqct": 600, "r783iipb": 300, "r783iipi": 700, "r783iifs": 12_000,
            "r783ipii": 18_000}  # fmt: skip
    insert(con, "smf78_3_iop", [
        k | retries | used | {"section_no": place, "global_no": 1, "r783iqid": place - 1}
        for place in (1, 2)
    ])  # fmt: skip


def _signals(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(3030 + interval, interval)
    insert(con, "smf74_2_product", [k | product("smf74")])
    counts = {"r742sbsy": 5, "r742snop": 3, "r742sbig": 100, "r742sfit": int(700 * busy),
              "r742ssml": 200, "r742sovr": 25, "r742spth": 4, "r742smxb": 2000}  # fmt: skip
    insert(con, "smf74_2_system", [
        k | counts | {"section_no": 1, "r742snme": "SYSB", "r742sdir": 64, "r742stcl": 956,
                      "r742stcn": "DEFAULT"},
        k | counts | {"section_no": 2, "r742snme": "SYSB", "r742sdir": 128, "r742stcl": 0,
                      "r742stcn": ""},
    ])  # fmt: skip
    path = {"r742pnme": "SYSB", "r742pdir": 64, "r742ptyp": 1, "r742pdev": "4F20",
            "r742podv": "4F30", "r742pstr": "", "r742ptcn": "DEFAULT", "r742plin": 0,
            "r742psig": 12_000, "r742pqln": 60, "r742psus": 11_900, "r742papp": 100,
            "r742prst": 1, "r742pibr": 0, "r742piot": 250, "r742pnib_timesum": 3000,
            "r742pnib_time": 10}  # fmt: skip
    other = {"section_no": 2, "r742pdir": 128, "r742ptyp": 3, "r742pdev": "", "r742podv": "",
             "r742pstr": "IXCSTR1", "r742plin": 3, "r742piot": 0xFFFFFFFF}  # fmt: skip
    insert(con, "smf74_2_path", [k | path, k | path | other])
    member = {"r742mgrp": "IMSPLEX", "r742mmem": "IMS2", "r742msys": "SYSB", "r742mjob": "IMS2CTL",
              "r742mst1": 3, "r742msnt": 2400, "r742mrcv": 1200}  # fmt: skip
    insert(con, "smf74_2_member", [k | member])


def _caches(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float) -> None:
    k = keys(3040 + interval, interval)
    insert(con, "smf74_5_product", [k | product("smf74")])
    used = {"drcr": 1200 * busy, "dcrh": 1080, "dwrc": 400, "dwch": 400, "drsr": 120, "drsh": 120,
            "dwsr": 40, "dwsh": 40, "drnr": 0, "dnrh": 0, "dwnr": 0, "dwnh": 0, "dicl": 20,
            "dbcr": 20, "dtc": 60, "dntd": 120, "dctd": 180, "dfwb": 6, "dfwc": 0}  # fmt: skip
    for place, (volume, scale) in enumerate((("VOL001", 1), ("VOL002", 0)), 1):
        about = {"section_no": place, "r745dvol": volume, "r745devn": 0x9A0F + place,
                 "r745dsid": 0x71}  # fmt: skip
        row = {f"r745{name}": value * scale for name, value in used.items()}
        insert(con, "smf74_5_device", [k | about | row])


def _controllers(
    con: duckdb.DuckDBPyConnection, insert: Insert, interval: int, busy: float
) -> None:
    k = keys(3050 + interval, interval)
    insert(con, "smf74_8_product", [k | product("smf74")])
    insert(con, "smf74_8_control", [k | {"r748cser": "0000075123", "r748ctyp": "002107"}])
    still = {f"r748l{a}{b}": 0 for a in ("er", "ew", "ps", "pr", "sr", "sw") for b in "bot"}
    reads = {"r748lerb": 9600, "r748lero": 12_000 * busy, "r748lert": 6000}
    writes = {"r748lewb": 2400, "r748lewo": 6000, "r748lewt": 1200}
    port = {"r748laid": 0x30, "r748ltyp": 5, "r748lflg": 0}
    insert(con, "smf74_8_link", [k | still | reads | writes | port])
    rank = {"r748rrid": 5, "r748rpnm": 2, "r748rbyr": 480, "r748rrop": 2400, "r748rkrt": 300,
            "r748rbyw": 240, "r748rwop": 1200, "r748rkwt": 75}  # fmt: skip
    insert(con, "smf74_8_rank", [k | rank])
    array = {"rank_no": 1, "r748aaid": 9, "r748aebc": "RAID-5", "r748aasp": 15, "r748aawd": 7,
             "r748aacp": 4000}  # fmt: skip
    insert(con, "smf74_8_array", [k | array])


def _facility(con: duckdb.DuckDBPyConnection, insert: Insert, interval: int) -> None:
    """More of the coupling facility of report_rows_smf."""
    k = keys(2020 + interval, interval)
    insert(con, "smf74_4_storage", [k | {"r744gtsd": 262_144, "r744gtsf": 131_072}])
    rows = ((0, 40_000_000), (1, 20_000_000))
    insert(con, "smf74_4_processor", [
        k | {"section_no": number + 1, "r744pnum": number, "r744pbsy": busy_us,
             "r744pwai": SECONDS * 1_000_000 - busy_us}
        for number, busy_us in rows
    ])  # fmt: skip
