"""What reports cost on many rows: a day of ten systems with 2,000 volumes each, and transactions.

A day of one system and a minute of one IMS are generated and loaded; nine more systems are copies
in SQL under other names. Goals: a report of one interval 1 s, the first 1,000 rows of all 3 s (also
of a lake), `ims.transit` of 10 million transactions 10 s.
"""

from __future__ import annotations

import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import duckdb
import pytest
from bench_clock import told

from imsperf import api
from imsperf.asking import asked
from imsperf.errors import ImsperfError
from imsperf.reports.catalog import catalog
from imsperf.sources import connected
from imsperf.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

SYSTEMS = 10
FIRST_ROWS = 1000
MIDDLE = "2026-03-02T12:00"  # one of the 96 intervals
FOLDER = Path(tempfile.gettempdir()) / "imsperf-bench"


def copied(db: Path, target: Path) -> Path:
    """A database with what is in `db` of SYSTEMS systems, each with files of its own."""
    shutil.copy(db, target)
    with duckdb.connect(str(target)) as con:
        tables = con.execute(
            "SELECT table_name, list(column_name), list(data_type) FROM information_schema.columns"
            " WHERE table_schema = 'main'"
            " AND table_name IN (SELECT table_name FROM duckdb_tables())"
            " GROUP BY ALL HAVING list_contains(list(column_name), 'file_id')"
        ).fetchall()
        for number in range(1, SYSTEMS):
            letter = chr(ord("A") + number)
            in_bytes = f"{letter.encode('cp037').hex().upper()}"  # of tokens, in EBCDIC
            for table, columns, types in tables:
                changed = [
                    f"replace(replace({c}, 'SYSA', 'SYS{letter}'), 'IMSA', 'IMS{letter}') AS {c}"
                    for c, kind in zip(columns, types, strict=True)
                    if kind == "VARCHAR" and c != "run"
                ]
                changed += [
                    f"unhex(replace(hex({c}), 'C9D4E2C1', 'C9D4E2{in_bytes}')) AS {c}"
                    for c, kind in zip(columns, types, strict=True)
                    if kind == "BLOB"
                ]
                moved = ", ".join([f"file_id + {1000 * number} AS file_id", *changed])
                con.execute(
                    f'INSERT INTO "{table}" SELECT * REPLACE ({moved}) FROM "{table}"'
                    " WHERE file_id < 1000"
                )
    return target


def made(name: str, make: Callable[[Path], None]) -> Path:
    """The database of that name, made once."""
    FOLDER.mkdir(exist_ok=True)
    place = FOLDER / f"reports-{name}.duckdb"
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            make(Path(folder))
            copied(Path(folder) / "one.duckdb", Path(folder) / "all.duckdb")
            shutil.move(Path(folder) / "all.duckdb", place)
    return place


def _day(folder: Path) -> None:
    day = scenario.load("ff-haldb", {"dasd.volumes": 2000, "run.start": "2026-03-02T00:00"})
    generate_intervals(day, folder / "day", intervals=96, every_s=900)
    api.load([folder / "day"], folder / "one.duckdb", run="day")


def _full_function(folder: Path) -> None:
    generate(scenario.load("ff-haldb", {"clients": 4000}), folder / "ff", seconds=16, every_s=4)
    api.load([folder / "ff"], folder / "one.duckdb", run="ff")


def _fast_path(folder: Path) -> None:
    generate(scenario.load("tps-100k"), folder / "fp", seconds=10, every_s=5)
    api.load([folder / "fp"], folder / "one.duckdb", run="fp")


def cpu() -> float:
    """Processor seconds of this process, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock and of processors; the better of two."""
    runs = []
    for _ in range(2):
        began, used = time.perf_counter(), cpu()
        work()
        runs.append((time.perf_counter() - began, cpu() - used))
    return min(runs)


def first_rows(store: Store, report: str, **options: str) -> int:
    query = asked(store, report, None, options)
    with query.rows() as rows:
        return len(next(iter(rows.to_arrow_reader(FIRST_ROWS)), ()))


def slowest(title: str, seconds: dict[str, tuple[float, float]], goal: float) -> None:
    over = [name for name, (wall, _) in seconds.items() if wall > goal]
    worst = sorted(seconds.items(), key=lambda item: -item[1][0])[:12]
    told(
        f"{title}: {len(seconds)} reports, {len(over)} above {goal:g} s",
        [(name, f"{wall:6.2f} s, {used:6.2f} of processors") for name, (wall, used) in worst],
    )


@pytest.mark.bench
@pytest.mark.parametrize(("name", "make"), [("day", _day), ("ff", _full_function)])
def test_reports_of_many_rows(name: str, make: Callable[[Path], None]) -> None:
    with connected(made(name, make)) as store:
        ids = list(catalog().reports)
        one: dict[str, tuple[float, float]] = {}
        first: dict[str, tuple[float, float]] = {}
        for report in ids:
            span = {"start": MIDDLE, "end": "2026-03-02T12:15"} if name == "day" else {}
            try:
                if span:
                    one[report] = timed(partial(first_rows, store, report, **span))
                first[report] = timed(partial(first_rows, store, report))
            except ImsperfError:
                continue
        if one:
            slowest("one interval of 960", one, 1)
        slowest("the first 1,000 rows", first, 3)


@pytest.mark.bench
@pytest.mark.parametrize("report", ["ims.transit", "ims.transactions", "run.metrics"])
def test_ten_million_transactions(report: str) -> None:
    with connected(made("fp", _fast_path)) as store:
        ((count,),) = store.con.sql("SELECT count(*) FROM ims_message").fetchall()
        wall, used = timed(partial(first_rows, store, report))
        told(f"{report} of {count:,}", [("seconds", f"{wall:.1f} s, {used:.1f} of processors")])
