"""imsperf runs."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import db_option, output_options
from imsperf.cli.screen import note, show


@click.command()
@db_option
@click.option("--rename", nargs=2, metavar="OLD NEW", help="Give a run another name.")
@click.option("--remove", metavar="RUN", help="Delete all that was loaded as this run.")
@output_options
def command(
    db: Path,
    rename: tuple[str, str] | None,
    remove: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """List the runs of a database: files, records, times; rename or remove one.

    Removing is one transaction; the room is used again by the next load, the file stays as large.

    \b
    Examples:
      imsperf runs --db runs.duckdb
      imsperf runs --db runs.duckdb --rename run1 monday
      imsperf runs --db runs.duckdb --remove monday
    """
    from imsperf.api import connect
    from imsperf.errors import StoreError
    from imsperf.runs import remove_run, rename_run, runs
    from imsperf.store import open_store

    if rename and remove:
        raise click.UsageError("found --rename and --remove, expected one of them")
    if not rename and not remove:
        with connect(db) as store:
            show(runs(store), fmt, output)
        return
    if db.is_dir():
        raise StoreError(
            f"{db}: a lake; its runs are folders, which imsperf does not rename or remove",
            "load into another folder",
        )
    with open_store(db) as store:
        if rename:
            rename_run(store, *rename)
            note(f"run {rename[0]} is now {rename[1]}")
        elif remove:
            remove_run(store, remove)
            note(f"removed run {remove}")
