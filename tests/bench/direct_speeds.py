"""What each report costs straight from a dump, against a load and the report of the database.

    python tests direct_speeds [--volumes N] [REPORT...] > measured.csv
    python tests direct_speeds table measured.csv

The first prints a line for each report, or each of those named, of a day of one system (96
intervals), with N volumes where they are given: its rows, processor seconds of the database, of the
dump (the better of two, each opened anew in one process), and load and report divided by the report
of the dump; what the load took goes to stderr. The second makes the table of README.md. Goal: 5.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from report_speeds import cpu

from imsperf import api
from imsperf.errors import ImsperfError
from imsperf.reports.catalog import catalog
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

GOAL = 5.0


def rows_of(source: Path, report: str) -> tuple[float, int | None]:
    """Processor seconds and rows; None: it has no records of this report."""
    began = cpu()
    with api.connect(source) as store:
        try:
            rows: int | None = api.run_report(store, report).table.num_rows
        except ImsperfError:
            rows = None
    return cpu() - began, rows


def measure(folder: Path, asked: list[str], volumes: int | None) -> None:
    """Print a line for each report that is asked for, or for all."""
    day, db, loads = folder / "day", folder / "day.duckdb", list[float]()
    larger = {} if volumes is None else {"dasd.volumes": volumes}
    generate_intervals(scenario.load("ff-haldb", larger), day, intervals=96, every_s=900)
    for _ in range(3):
        db.unlink(missing_ok=True)
        began = cpu()
        api.load([day], db)
        loads.append(cpu() - began)
    megabytes = sum(file.stat().st_size for file in day.iterdir()) / 1e6
    print(f"{megabytes:.0f} MB, a load {min(loads):.2f} s of processor", file=sys.stderr)
    lines = csv.writer(sys.stdout)
    for report in map(catalog().get, asked or catalog().reports):
        loaded, direct = ([rows_of(source, report.id) for _ in range(2)] for source in (db, day))
        assert loaded[0][1] == direct[0][1], report.id
        if loaded[0][1] is not None:
            ours, theirs = min(direct)[0], min(loaded)[0]
            ratio = (min(loads) + theirs) / ours
            figures = (f"{theirs:.2f}", f"{ours:.2f}", f"{ratio:.1f}")
            lines.writerow([report.id, loaded[0][1], *figures])
            sys.stdout.flush()


def table(measured: str) -> str:
    """How many reach the goal, and the others."""
    with Path(measured).open(encoding="utf-8", newline="") as file:
        found = sorted(csv.reader(file), key=lambda row: float(row[-1]))
    missed = [row for row in found if float(row[-1]) < GOAL]
    lines = [
        f"{len(found) - len(missed)} of {len(found)} reports with rows reach {GOAL:g}. The others:",
        "",
        "| report | rows | of the database | of the dump | load and report / of the dump |",
        "|---|---:|---:|---:|---:|",
        *(f"| `{name}` | {' | '.join(figures)} |" for name, *figures in missed),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["table"]:
        print(table(sys.argv[2]))
    else:
        options = ArgumentParser(prog="python tests direct_speeds")
        options.add_argument("--volumes", type=int)
        options.add_argument("report", nargs="*")
        given = options.parse_args()
        with tempfile.TemporaryDirectory() as place:
            measure(Path(place), given.report, given.volumes)
