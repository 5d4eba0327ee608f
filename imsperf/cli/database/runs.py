"""imsperf runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import db_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show

if TYPE_CHECKING:
    from datetime import datetime

    import pyarrow as pa


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
    from imsperf.database.runs import remove_run, rename_run, runs
    from imsperf.database.store import open_store
    from imsperf.errors import StoreError

    if rename and remove:
        raise click.UsageError("found --rename and --remove, expected one of them")
    if not rename and not remove:
        with connect(db) as store:
            rows = runs(store)
        show(_spans(rows) if output is None and fmt in (None, "text") else rows, fmt, output)
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


def _spans(rows: pa.Table) -> pa.Table:
    """The runs for people: from when to when instead of four times, which fits a screen."""
    import pyarrow as pa

    spans = [
        {
            **{name: row[name] for name in ("run", "files", "records", "damaged")},
            "smf_local_time": _span(row["smf_first"], row["smf_last"]),
            "log_utc": _span(row["log_first_utc"], row["log_last_utc"]),
            "loaded": f"{row['loaded_at']:%Y-%m-%d}",
        }
        for row in rows.to_pylist()
    ]
    return pa.Table.from_pylist(spans) if spans else rows


def _span(first: datetime | None, last: datetime | None) -> str | None:
    """2026-03-02 09:15 to 15:01, the second day where it is another."""
    if first is None or last is None:
        return None
    end = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{first:%Y-%m-%d %H:%M} to {end}"
