"""What reports cost on many rows: a day of ten systems with 2,000 volumes each, and transactions.

    python tests report_speeds day day-lake fp > after.csv
    python tests report_speeds table after.csv

The first prints a line for each report and question: seconds of the clock and of processors, the
better of two. The second makes the table of README.md of such a file. A day of one system and ten
seconds of one IMS are generated and loaded; nine more are copies in SQL under other names. The
lake is that database, written table by table; `day-2` is the same day of another seed, to be
compared with it. Goals: a report of one interval 1 s, the first 1,000 rows of all 3 s (also of a
lake), `ims.transit` of ten million transactions 10 s.
"""

from __future__ import annotations

import csv
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

import duckdb

from imsperf import api
from imsperf.asking import asked
from imsperf.database.store import Store
from imsperf.errors import ImsperfError
from imsperf.lake.manifest import HOME, DataFile, manifest_path, manifest_text
from imsperf.reports.catalog import catalog
from imsperf.sources import connected
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

SYSTEMS = 10
FIRST_ROWS = 1000
INTERVAL = {"start": "2026-03-02T12:00", "end": "2026-03-02T12:15"}  # one of the 96
QUESTIONS: dict[str, dict[str, str]] = {"one interval": INTERVAL, "first rows": {}}
OF_TRANSACTIONS = ("ims.transit", "ims.transactions", "run.metrics")
SHOWN = 0.25  # seconds of the clock: what takes less in all its questions is not in the table
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


def made(name: str) -> Path:
    """The database or lake of that name, made once."""
    FOLDER.mkdir(exist_ok=True)
    place = FOLDER / f"reports-{name}"
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            MAKERS[name](Path(folder))
            shutil.move(Path(folder) / "made", place)
    return place


def _day(folder: Path, seed: int = 1) -> None:
    day = scenario.load("ff-haldb", {"dasd.volumes": 2000, "run.start": "2026-03-02T00:00"})
    generate_intervals(day, folder / "day", intervals=96, every_s=900, seed=seed)
    api.load([folder / "day"], folder / "one.duckdb", run="day")
    copied(folder / "one.duckdb", folder / "made")


def _fast_path(folder: Path) -> None:
    generate(scenario.load("tps-100k"), folder / "fp", seconds=10, every_s=5)
    api.load([folder / "fp"], folder / "one.duckdb", run="fp")
    copied(folder / "one.duckdb", folder / "made")


def _day_lake(folder: Path) -> None:
    """The tables of the day as files by system, in the order of their rows."""
    place = folder / "made"
    (place / HOME).mkdir(parents=True)
    with duckdb.connect(str(made("day")), read_only=True) as con:
        parts = list(_written(con, place))
    manifest_path(place, 1).write_text(manifest_text(1, parts), encoding="utf-8")


def _written(con: duckdb.DuckDBPyConnection, place: Path) -> Iterator[DataFile]:
    tables = con.execute(
        "SELECT table_name, list((column_name, data_type) ORDER BY column_index)"
        " FROM duckdb_columns() WHERE schema_name = 'main' AND table_name <> 'imsperf_meta'"
        " AND table_name IN (SELECT table_name FROM duckdb_tables()) GROUP BY table_name"
    ).fetchall()
    for table, columns in tables:
        names = [name for name, _ in columns]
        picks = ", ".join(
            f'(1e6 * epoch("{n}"))::BIGINT AS "{n}"' if t == "INTERVAL" else f'"{n}"'
            for n, t in columns
        )
        systems: list[tuple[str | None]] = [(None,)]
        if "system" in names:
            systems = con.execute(f'SELECT DISTINCT system FROM "{table}"').fetchall()
        for (system,) in systems:
            path = f"{table}/system={system}/part-1.parquet"
            (place / path).parent.mkdir(parents=True)
            where = "system IS NOT DISTINCT FROM $1" if "system" in names else "$1 IS NULL"
            rows = f'SELECT {picks} FROM "{table}" WHERE {where}'
            ((count,),) = con.execute(
                f"COPY ({rows}) TO '{place / path}' (FORMAT parquet)", [system]
            ).fetchall()
            size = (place / path).stat().st_size
            yield DataFile(table, path, count, size, tuple(columns))


MAKERS: dict[str, Callable[[Path], None]] = {
    "day": _day, "day-2": partial(_day, seed=77), "day-lake": _day_lake, "fp": _fast_path,
}  # fmt: skip


def cpu() -> float:
    """Processor seconds of this process, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def seconds(store: Store, report: str, **options: str) -> tuple[float, float] | None:
    """Seconds of the clock and of processors until its first rows are there; None: no records."""
    used = []
    for _ in range(2):
        began = perf_counter(), cpu()
        try:
            with asked(store, report, None, options).rows() as rows:
                next(iter(rows.to_arrow_reader(FIRST_ROWS)), None)
        except ImsperfError:
            return None
        used.append((perf_counter() - began[0], cpu() - began[1]))
    return min(used)


def measure(name: str) -> None:
    """Print a line for each report of a database or lake that has its records."""
    with connected(made(name)) as store:
        lines = csv.writer(sys.stdout)
        for report in OF_TRANSACTIONS if name == "fp" else catalog().reports:
            for question, options in QUESTIONS.items():
                if name == "fp" and options:
                    continue
                used = seconds(store, report, **options)
                if used is not None:
                    lines.writerow([name, report, question, *(f"{one:.2f}" for one in used)])
                    sys.stdout.flush()


def table(measured: str) -> str:
    """The table of a measurement, those that take longest first."""
    found: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    with Path(measured).open(encoding="utf-8", newline="") as file:
        for of, report, question, *used in csv.reader(file):
            found.setdefault((of, report), {})[question] = (used[0], used[1])
    longest = {key: max(float(clock) for clock, _ in rows.values()) for key, rows in found.items()}
    lines = [
        "| of | report | one interval: clock | processors | first rows: clock | processors |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for of, report in sorted(found, key=lambda key: (key[0], -longest[key])):
        if longest[of, report] >= SHOWN:
            cells = [cell for name in QUESTIONS for cell in found[of, report].get(name, "--")]
            lines.append(f"| {of} | `{report}` | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1] == "table":
        print(table(sys.argv[2]))
    else:
        for wanted in sys.argv[1:]:
            measure(wanted)
