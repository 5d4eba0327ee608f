"""imsperf query."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from imsperf.cli.options import db_option, output_options
from imsperf.cli.screen import show


@click.command()
@click.argument("sql", required=False)
@db_option
@click.option(
    "-f", "--file", "file", type=click.Path(path_type=Path), help="Read the SQL from a file."
)
@output_options
def command(
    sql: str | None, db: Path, file: Path | None, fmt: str | None, output: Path | None
) -> None:
    """Run SQL on a database, read-only; of several statements the last one prints.

    \b
    Examples:
      imsperf query --db runs.duckdb "SELECT * FROM load_count"
      imsperf query --db runs.duckdb -f busy.sql -o busy.csv
      echo "FROM rmf_device LIMIT 5" | imsperf query --db runs.duckdb -
    """
    from imsperf.api import connect, query

    if (sql is None) == (file is None):
        raise click.UsageError("expected SQL, or -f FILE, or - for standard input")
    words = file.read_text(encoding="utf-8") if file else sys.stdin.read() if sql == "-" else sql
    with connect(db) as store:
        show(query(store, words or ""), fmt, output)
