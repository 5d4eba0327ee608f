"""imsperf load."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layouts_option, read_options
from imsperf.cli.screen import note, progress

if TYPE_CHECKING:
    from imsperf.loading import LoadedFile


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option(
    "--db", type=click.Path(path_type=Path), help="The database (a DuckDB file), made if missing."
)
@click.option(
    "--parquet",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Instead of --db: the folder of a lake, tables as Parquet files; made if missing.",
)
@click.option("--run", help="Measurement these files belong to. Default: the name of their folder.")
@read_options(
    "types",
    "system",
    "start",
    "end",
    "raw",
    "drop_suspect",
    "profile",
    "framing",
    "memory",
    "codepage",
)
@click.option("--strict", is_flag=True, help="Stop at the first damage; load nothing.")
@layouts_option
@click.option(
    "--unread",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the bytes that could not be read, with a list of their places.",
)
@click.option(
    "--jobs", type=click.IntRange(1), help="Threads of the database. Default: all processors."
)
def command(
    paths: tuple[str, ...],
    db: Path | None,
    parquet: Path | None,
    run: str | None,
    strict: bool,
    unread: Path | None,
    jobs: int | None,
    options: dict[str, Any],
) -> None:
    """Load dumps into a database or a lake.

    PATHS are files, folders or globs: SMF dumps and IMS logs, plain or packed. Framing is found by
    looking at the bytes. The load is one transaction: if it stops, the database is as it was.
    Records that the run has already, from whatever file, are not added again.
    A lake takes in each file as a whole or not at all.

    \b
    Examples:
      imsperf load smf.d0301.bin --db runs.duckdb
      imsperf load monday/ --db runs.duckdb --run monday
      imsperf load 'dumps/*.gz' --db runs.duckdb --raw
      imsperf load smf.zip --db runs.duckdb --types 70,smf:74.1 --from 2026-03-01T09:00
      imsperf load smf.bin --db runs.duckdb --layouts smf200.toml
      imsperf load smf.bin --parquet lake
      imsperf load damaged.bin --db runs.duckdb --unread lost
    """
    from imsperf.api import load
    from imsperf.parsers.kernels import first_start
    from imsperf.parsers.read import expand_paths

    target = parquet or db
    if target is None or (db and parquet):
        raise click.UsageError("expected --db FILE or --parquet DIR, one of them")
    first_start.begin()
    total = sum(path.stat().st_size for path in expand_paths(paths) if path.exists())
    with progress("load", total) as step:
        done = load(
            paths,
            target,
            run=run,
            strict=strict,
            unread=unread,
            parquet=parquet is not None,
            jobs=jobs,
            progress=step,
            passed_over=lambda _, why: note(f"passed over: {why}"),
            **options,
        )
    for file in done:
        _say(file)
    if db is not None:
        _say_unfinished(db)


def _say_unfinished(db: Path) -> None:
    """Where there was no room for it in the database, its newest content stands beside it."""
    from imsperf.store import log_of

    log = log_of(db)
    if log.exists() and (size := log.stat().st_size):
        note(
            f"warning: {size:,} bytes of {db} stand in {log}: there was no room to write them into "
            f"the database. Keep both files together; the next load with room for it moves them."
        )


def _say(loaded_file: LoadedFile) -> None:
    if loaded_file.skipped:
        note(f"{loaded_file.name}: not loaded again: {loaded_file.skipped}")
        return
    left = loaded_file.kept - loaded_file.decoded
    note(
        f"{loaded_file.name}: run {loaded_file.run}, {loaded_file.framing}, "
        f"{loaded_file.records:,} records: "
        f"{loaded_file.decoded:,} decoded, {left:,} kept without a layout"
        if loaded_file.framing
        else f"{loaded_file.name}: run {loaded_file.run}, nothing could be unpacked"
    )
    if loaded_file.repeated:
        note(f"  {loaded_file.repeated:,} records are in the run already and were not added again")
    if rest := loaded_file.records - loaded_file.kept - loaded_file.repeated:
        note(f"  {rest:,} records were not asked for")
    reasons = Counter((p.severity, p.reason) for p in loaded_file.problems)
    for (severity, reason), times in sorted(reasons.items()):
        first = next(
            p for p in loaded_file.problems if (p.severity, p.reason) == (severity, reason)
        )
        count = sum(
            p.bytes for p in loaded_file.problems if (p.severity, p.reason) == (severity, reason)
        )
        lost = "" if severity in ("info", "suspect") else f"{count:,} bytes lost, "
        note(
            f"  {severity}: {reason}: {times:,} times, {lost}"
            f"first at byte {first.byte_offset:,}: {first.detail}"
        )
    if loaded_file.unread:
        note(f"  the bytes lost are in {loaded_file.unread}")
