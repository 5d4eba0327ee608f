"""imsperf query."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import pairs, source_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show
from imsperf.errors import ReportError

if TYPE_CHECKING:
    import pyarrow as pa

    from imsperf.sources import Source

_ON_TERMINAL = 500  # rows


@click.command()
@source_option("sql")
@click.argument("sql", required=False)
@click.option(
    "-f", "--file", "file", type=click.Path(path_type=Path), help="Read the SQL from a file."
)
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="What $NAME in the SQL stands for, as text; may be repeated.",
)
@click.option(
    "--map",
    "map_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="CSV of pattern,application: application(name) and the view ims_application for the SQL.",
)
@output_options
def command(
    sql: str | None,
    db: Source,
    file: Path | None,
    parameters: tuple[str, ...],
    map_file: Path | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Run SQL on a database or on dumps, read-only; of several statements the last one prints.

    A terminal shows the first 500 rows, how many more there are and how long it took; -o and a
    pipe get all.

    \b
    Examples:
      imsperf query --db runs.duckdb "SELECT * FROM load_count"
      imsperf query --db runs.duckdb "SELECT volume, resp_ms FROM rmf.device"
      imsperf query smf.dump "SELECT volume, resp_ms FROM rmf.device"
      imsperf query --db runs.duckdb -f busy.sql -o busy.csv
      imsperf query --db runs.duckdb --map applications.csv "FROM ims_application"
      imsperf query --db runs.duckdb --param vol=IMSP01 "FROM rmf_device WHERE volume = \\$vol"
      echo "FROM rmf_device LIMIT 5" | imsperf query --db runs.duckdb -
    """
    from imsperf.api import connect, query_parts

    if (sql is None) == (file is None):
        raise click.UsageError("expected SQL, or -f FILE, or - for standard input")
    words = _words(sql or "", file)
    on_terminal = output is None and fmt in (None, "text") and sys.stdout.isatty()
    tally = _Tally(_ON_TERMINAL if on_terminal else None)
    begun = perf_counter()
    with connect(db, bounded=True) as store:
        if map_file:
            from imsperf.reports.application_map import use_map

            use_map(store.con, map_file)
        show(tally.shown(query_parts(store, words, pairs(parameters))), fmt, output)
    if tally.most is not None and tally.rows > tally.most:
        note(f"... and {tally.rows - tally.most:,} more rows; -o FILE writes all")
    if on_terminal or output:
        note(f"{tally.rows:,} rows in {perf_counter() - begun:.2f} s")


def _words(sql: str, file: Path | None) -> str:
    """The SQL of a file, of standard input (`-`) or of the command line."""
    if file:
        data = file.read_bytes()
    else:
        data = sys.stdin.buffer.read() if sql == "-" else os.fsencode(sql)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        source = file or ("standard input" if sql == "-" else "the SQL")
        found = f"found byte {data[error.start]:#04x} at {error.start:,}, expected text in UTF-8"
        raise ReportError(f"{source}: {found}", "save it as UTF-8") from None


@dataclass
class _Tally:
    """Counts rows and hands on the first of them."""

    most: int | None
    rows: int = 0

    def shown(self, parts: Iterator[pa.Table]) -> Iterator[pa.Table]:
        for part in parts:
            left = None if self.most is None else max(self.most - self.rows, 0)
            self.rows += part.num_rows
            yield part.slice(0, left)
