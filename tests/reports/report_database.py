"""Small databases for the report tests: empty, from rows, and one with every report in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import duckdb
from report_rows import add_rows
from report_rows_log import add_log_rows
from report_rows_rmf import add_rows as add_rmf_rows
from report_rows_smf import add_rows as add_smf_rows

from imsperf.database.store import LEDGER_TABLES, install_views, table_statements
from imsperf.layout import RAW_TABLES
from imsperf.layouts import all_tables

Rows = Sequence[Mapping[str, Any]]

TYPES = {table.name: {c.name: c.sql for c in table.columns} for table in all_tables()}
TYPES |= {name: {c.name: c.sql for c in columns} for name, (_, columns) in LEDGER_TABLES.items()}
TYPES |= {name: {c.name: c.sql for c in columns} for name, columns in RAW_TABLES.items()}


_FOLDER = TemporaryDirectory(prefix="report-database-", ignore_cleanup_errors=True)


@cache
def _template() -> Path:
    """A database file with every table and view: made once, copied for each test."""
    file = Path(_FOLDER.name) / "template.duckdb"
    with duckdb.connect(str(file)) as con, together(con):
        for statement in table_statements().split(";\n"):
            if not statement.startswith("COMMENT"):  # they take longer than all else
                con.execute(statement)
        for table in all_tables():
            con.execute(next(iter(table.create_sql())).replace("TABLE", "TABLE IF NOT EXISTS", 1))
        install_views(con, comments=False)
    return file


@contextmanager
def together(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """One transaction: each commit waits for the disk."""
    con.begin()
    yield
    con.commit()


def empty() -> duckdb.DuckDBPyConnection:
    """Every table and view, no row."""
    return _copy(_template())


def _copy(template: Path) -> duckdb.DuckDBPyConnection:
    file = Path(_FOLDER.name) / f"{uuid4().hex}.duckdb"
    shutil.copy(template, file)
    con = duckdb.connect(str(file), config={"threads": 1})
    con.execute("PRAGMA disable_checkpoint_on_shutdown")  # nobody opens it again
    return con


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: Rows) -> None:
    """Add rows; an INTERVAL is given in microseconds, a column left out is NULL."""
    with together(con):
        add(con, table, rows)


def add(con: duckdb.DuckDBPyConnection, table: str, rows: Rows) -> None:
    for row in rows:
        names = ", ".join(f'"{name}"' for name in row)
        marks = ", ".join(_mark(TYPES[table][name]) for name in row)
        con.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))


def _mark(sql_type: str) -> str:
    return "to_microseconds(?)" if sql_type == "INTERVAL" else f"CAST(? AS {sql_type})"


def with_tables(tables: Mapping[str, Rows], run: str = "t") -> duckdb.DuckDBPyConnection:
    """A database with these rows as file 1 of a run."""
    con = empty()
    fill(con, tables, run)
    return con


def fill(con: duckdb.DuckDBPyConnection, tables: Mapping[str, Rows], run: str = "t") -> None:
    """These rows as file 1 of a run, in a database without rows."""
    with together(con):
        _add_file(con, run, "ims" if {name[:3] for name in tables} == {"ims"} else "smf")
        for table, rows in tables.items():
            add(con, table, rows)


def _add_file(con: duckdb.DuckDBPyConnection, run: str, kind: str) -> None:
    add(con, "load_file", [{"file_id": 1, "run": run, "kind": kind, "status": "whole"}])


def sample(run: str = "t", busy: float = 1.0) -> duckdb.DuckDBPyConnection:
    """Two RMF intervals of a system, three IMS statistics sets, by hand; `busy` scales the load."""
    return _copy(_sampled(run, busy))


@cache
def _sampled(run: str, busy: float) -> Path:
    file = Path(_FOLDER.name) / f"sample-{uuid4().hex}.duckdb"
    shutil.copy(_template(), file)
    with duckdb.connect(str(file)) as con, together(con):
        _add_file(con, run, "smf")
        for number in (1, 2):
            _cpu_record(con, number, busy)
            _device_record(con, number, busy)
        for number in (0, 1, 2):
            _statistics_set(con, number, busy)
        add_rows(con, add, busy)
        add_log_rows(con, add, busy)
        add_smf_rows(con, add, busy)
        add_rmf_rows(con, add, busy)
    return file


SECONDS = 120
FIRST = datetime(2026, 3, 2, 10, 0)


def _keys(record_no: int, interval: int) -> dict[str, Any]:
    start = FIRST + timedelta(seconds=SECONDS * (interval - 1))
    end = start + timedelta(seconds=SECONDS)
    times = {"interval_start": start.isoformat(), "interval_end": end.isoformat()}
    return {"file_id": 1, "record_no": record_no, "section_no": 1, "system": "PRODSYSA", **times}


def _product(prefix: str) -> dict[str, Any]:
    values = {
        "int": SECONDS * 1_000_000,
        "sam": SECONDS,
        "cyc": 1000,
        "mvs": "zV020500",
        "ptn": 2,
        "snm": "PRODSYSA",
        "xnm": "PLEX1",
        "lgo": 3_600_000_000,
    }
    return {prefix + name: value for name, value in values.items()}


def _cpu_record(con: duckdb.DuckDBPyConnection, number: int, busy: float) -> None:
    keys = _keys(number, number)
    add(con, "smf70_1_product", [keys | _product("smf70")])
    machine = {
        "smf70mod": 0x3906,
        "smf70mdl": "703",
        "smf70hwm": "M01",
        "smf70csc": "00000000000829E7",
    }
    capacity = {
        "smf70cpa_actual": 576,
        "smf70cpa_scaling_factor": 1,
        "smf70mcr": 300,
        "smf70nrm": 256,
    }
    limits = {"smf70wla": 250, "smf70gts": 0, "smf70dsa": SECONDS, "smf70inb": 24, "smf70hhf": 192}
    add(con, "smf70_1_control", [keys | machine | capacity | limits])
    names = (("CP", 3), ("IIP", 1))
    add(
        con,
        "smf70_1_cpu_id",
        [
            keys | {"section_no": i, "smf70cin": n, "smf70ctn": c}
            for i, (n, c) in enumerate(names, 1)
        ],
    )
    _cpus(con, keys, busy)
    _partitions(con, keys, busy)


def _cpus(con: duckdb.DuckDBPyConnection, keys: dict[str, Any], busy: float) -> None:
    # processor, type, seconds waited, seconds parked, interrupts, of them by TPI
    rows = ((0, 0, 36.5, 0, 96_000, 3_000), (1, 0, 40, 30, 60_500, 500), (2, 2, 100, 0, 0, 0))
    add(
        con,
        "smf70_1_cpu",
        [
            keys
            | {
                "section_no": place,
                "smf70cid": cpu,
                "smf70typ": kind,
                "smf70cnf": 9,
                "smf70wat": int((SECONDS - (SECONDS - wait) * busy) * 4096e6)
                if not parked
                else int(wait * 4096e6),
                "smf70pat": int(parked * 4096e6),
                "smf70slh": slow - tpi,
                "smf70tpi": tpi,
            }
            for place, (cpu, kind, wait, parked, slow, tpi) in enumerate(rows, 1)
        ],
    )


# partition, number, processors as (address, type index, weight, polarity, PDT s, EDT s, online s)
PARTITIONS: tuple[tuple[str, int, tuple[tuple[float, ...], ...]], ...] = (
    ("TEST", 1, ((0, 1, 100, 0, 6.0, 5.5, 120),)),
    (
        "PRDA",
        2,
        (
            (0, 1, 500, 192, 85.25, 84.0, 120),
            (1, 1, 500, 128, 42.5015, 41.0005, 120),
            (2, 2, 60, 192, 20.0, 19.8, 120),
            (3, 1, 500, 0, 0, 0, 0),
        ),
    ),
    ("PHYSICAL", 0, ((0, 1, 0, 0, 1.5, 0, 0), (1, 2, 0, 0, 0.25, 0, 0))),
    ("OLDLPAR", 9, ()),
)


def _partitions(con: duckdb.DuckDBPyConnection, keys: dict[str, Any], busy: float) -> None:
    skipped = 0
    for place, (name, number, processors) in enumerate(PARTITIONS, 1):
        own = {
            "smf70lpm": name,
            "smf70lpn": number,
            "smf70bdn": len(processors),
            "smf70bds": skipped,
        }
        more = {"smf70pfg": 0, "smf70pfl": 8192, "smf70msu": 200 if number == 2 else 0}
        boost = {"smf70_boostinfo": 0}
        add(con, "smf70_1_partition", [keys | {"section_no": place} | own | more | boost])
        add(
            con,
            "smf70_1_processor",
            [
                keys | {"section_no": skipped + i} | _processor(processor, busy)
                for i, processor in enumerate(processors, 1)
            ],
        )
        skipped += len(processors)


def _processor(values: tuple[float, ...], busy: float) -> dict[str, Any]:
    address, kind, weight, polarity, dispatched, effective, online = values
    share = {192: weight if kind == 2 else 200, 128: 300}.get(int(polarity), 0)
    return {
        "smf70vpa": int(address),
        "smf70cix": int(kind),
        "smf70bps": int(weight),
        "smf70pof": int(polarity),
        "smf70vpf": 0,
        "smf70pow": int(share * 4096 * SECONDS),
        "smf70nsw": 0,
        "smf70pdt": round(dispatched * busy * 1e6),
        "smf70edt": round(effective * busy * 1e6),
        "smf70ont": round(online * 1e6),
    }


def _device_record(con: duckdb.DuckDBPyConnection, number: int, busy: float) -> None:
    keys = _keys(number + 2, number)
    add(con, "smf74_1_product", [keys | _product("smf74")])
    iodf = {"smf74tsf": "42", "smf74tdt": "02/14/26", "smf74ttm": "08.15.00"}
    add(con, "smf74_1_control", [keys | iodf])
    # volume, I/O, connect, disconnect, pending, command response in 128 us, IOSQ us
    rows = (
        ("S60$01", 26_354, 112_210, 412, 130_946, 85_033, 0.0),
        ("OLDS01", 37_230, 75_624, 2_909, 43_629, 23_269, 744_600.0),
        ("SPARE1", 0, 0, 0, 0, 0, 0.0),
    )
    add(
        con,
        "smf74_1_device",
        [
            keys
            | {
                "section_no": place,
                "smf74num": 0x9A0F + place,
                "smf74lcu": 0x71,
                "smf74cnf": 1,
                "smf74ser": volume,
                "smf74sgn": "SGIMS",
                "smf74dev": "33909",
                "smf74typ": 0x3010200F,
                "smf74cap": 10_017,
                "smf74cnx": 0x23,
                "smf74nux": 4 * SECONDS,
                "smf74psm": SECONDS,
                "smf74ssc": int(count * busy),
                "smf74mec": int(count * busy),
                "smf74cnn": connected,
                "smf74dis": disconnected,
                "smf74pen": pending,
                "smf74cmr": response,
                "smf74dvb": 0,
                "smf74idt": 4,
                "smf74ios": queued,
                "smf74que": 0,
                "smf74utl": 0,
                "smf74rsv": 0,
                "smf74alc": SECONDS,
                "smf74nda": 2 * SECONDS,
                "smf74mtp": 0,
                "smf74nrd": 0,
            }
            for place, (
                volume,
                count,
                connected,
                disconnected,
                pending,
                response,
                queued,
            ) in enumerate(rows, 1)
        ],
    )


def _statistics_set(con: duckdb.DuckDBPyConnection, number: int, busy: float) -> None:
    sample_time = datetime(2026, 3, 2, 9, 0) + timedelta(seconds=SECONDS * number)
    common = {
        "file_id": 1,
        "section_no": 1,
        "ckpt_no": 10 + number,
        "interval_start": "2026-03-02T06:00:00",
        "sample": sample_time.isoformat(),
        "imsid": "IMS1",
        "log_stck": sample_time.isoformat(),
    }
    place = 100 + 10 * number
    n = int(number * 12_000 * busy)  # transactions so far
    header = {"smfid": "PRDA", "sysplex": "PLEX1", "trans_total": 70_000 + n, "local_offset_q": 4}
    add(con, "ims_4500", [common | {"record_no": place, "log_lsn": place} | header])
    logger: dict[str, float] = {
        "records_written": 20,
        "bytes_written": 9000,
        "check_write": 1,
        "wait_writes": 1,
    }
    logger |= {"bufwait_ckpt": 0, "bufwait_nonckpt": 0, "awe_submitted": 2, "wads_excpvr": 0.7}
    logger |= {"wads_4k": 1.5, "olds_writes": 0.4, "olds_partial": 0.01, "olds_reads": 0}
    logger |= {"olds_switches": 0, "wads_us": 180, "olds_us": 260}
    counts = {name: 1_000_000 + round(each * n) for name, each in logger.items()}
    add(con, "ims_4507", [common | {"record_no": place + 1, "log_lsn": place + 1} | counts])
    _latches(con, common, place + 2, n)
    _pools(con, common, place + 3, n)
    _queues(con, common, place + 4, n)


def _queues(con: duckdb.DuckDBPyConnection, common: dict[str, Any], place: int, n: int) -> None:
    head = {"record_no": place, "log_lsn": place, "cqs": "CQS1", "count": 2, "entry_len": 96}
    add(con, "ims_a104", [common | head])
    keys = {"file_id": 1, "record_no": place, "client": "IMS1", "structure": "IMSMSGQ"}
    # requests so far, objects, bytes, failed, us, us in the queue of CQS, us in the CF, longest
    rows = (
        ("PUT", 2 * n, 2 * n, 900 * n, n // 500, 34 * n, 4 * n, 28 * n, 410),
        ("DEL", n, 2 * n, 0, 0, 16 * n, 0, 15 * n, 220),
    )
    names = (
        *("requests", "objects", "bytes", "failed"),
        *("elapsed_us", "queue_us", "cf_us", "max_elapsed_us"),
    )
    add(
        con,
        "ims_a104_request",
        [
            keys | {"section_no": i, "request": kind} | dict(zip(names, counts, strict=True))
            for i, (kind, *counts) in enumerate(rows, 1)
        ],
    )


def _latches(con: duckdb.DuckDBPyConnection, common: dict[str, Any], place: int, n: int) -> None:
    add(con, "ims_450a", [common | {"record_no": place, "log_lsn": place, "count": 2}])
    keys = {"file_id": 1, "record_no": place}
    rows = (("LOGL", 19 * n, n, n // 100, n // 8, 3), ("LREC", 0, 2 * n, 0, n // 50, 2))
    names = ("get_shr", "get_exc", "cont_shr", "cont_exc", "maxq")
    add(
        con,
        "ims_450a_latch",
        [
            keys
            | {"section_no": i, "name": latch, "wait_us": 9 * n}
            | dict(zip(names, v, strict=True))
            for i, (latch, *v) in enumerate(rows, 1)
        ],
    )


def _pools(con: duckdb.DuckDBPyConnection, common: dict[str, Any], place: int, n: int) -> None:
    pool = {"pool": "DYNP", "pool_size": 4_838_072, "pool_max": 4_838_072, "oversize": 0}
    pool |= {"pool_max_restart": 4_838_072, "count": 4, "entry_len": 120}
    add(con, "ims_450e", [common | {"record_no": place, "log_lsn": place} | pool])
    # size, primary, secondary, gets so far, bytes of a get, mean buffers x 100, high, low
    rows = (
        (2056, 16, 8, n // 1000, 1727, 1000, 10, 9),
        (4304, 1100, 50, 400 * n, 4215, 2500, 352, 2),
        (8200, 4, 2, 0, 0, 500, 5, 5),
        (0, 0, 0, 0, 0, 0, 0, 0),
    )
    keys = {"file_id": 1, "record_no": place}
    still = dict.fromkeys(("limit", "larger", "expand", "compress", "pl_noiw", "pl_iw"), 0)
    add(
        con,
        "ims_450e_buffer",
        [
            keys
            | still
            | {
                "section_no": i,
                "buf_size": size,
                "prim": prim,
                "sec": sec,
                "init": "Y" if size else "N",
            }
            | {"gets": gets, "bytes_req": gets * each, "avg_bufs_c": mean, "high_bufs": high}
            | {"low_bufs": low, "max_bufs": high, "max_blocks": 1 if size else 0}
            | {"avg_blocks_c": 100, "high_blocks": 1, "low_blocks": 1, "blocks": 1, "bufs": low}
            for i, (size, prim, sec, gets, each, mean, high, low) in enumerate(rows, 1)
        ],
    )
