"""imsperf load."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import framing_option, layouts_option, records_options
from imsperf.cli.screen import note, progress

if TYPE_CHECKING:
    from imsperf.loading import LoadedFile


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LEAST_MEMORY = 256 << 20


def _bytes(ctx: click.Context, option: click.Parameter, value: str | None) -> int | None:
    """512M, 4G and the like in bytes."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d+)([KMG]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    size = int(found[1]) * _UNITS[found[2].upper()] if found else 0
    if size < _LEAST_MEMORY:
        raise click.BadParameter(f"found {value!r}, expected a size of at least 256M, such as 512M")
    return size


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
@records_options
@click.option("--strict", is_flag=True, help="Stop at the first damage; load nothing.")
@click.option(
    "--drop-suspect", is_flag=True, help="Decode no record that something speaks against."
)
@click.option("--raw", is_flag=True, help="Keep the bodies of records without a layout too.")
@click.option(
    "--profile", help="Layouts of IMS log bodies. Default: what the log's signature says."
)
@layouts_option
@framing_option
@click.option(
    "--unread",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the bytes that could not be read, with a list of their places.",
)
@click.option(
    "--memory", callback=_bytes, metavar="SIZE", help="What the load may take, about: 512M, 4G."
)
@click.option(
    "--jobs", type=click.IntRange(1), help="Threads of the database. Default: all processors."
)
@click.option("--codepage", default="cp1047", show_default=True, help="Code page of IMS log text.")
def command(
    paths: tuple[str, ...],
    db: Path | None,
    parquet: Path | None,
    run: str | None,
    types: str,
    system: str | None,
    since: str | None,
    to: str | None,
    strict: bool,
    drop_suspect: bool,
    raw: bool,
    profile: str | None,
    framing: str,
    unread: Path | None,
    memory: int | None,
    jobs: int | None,
    codepage: str,
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
            types=types,
            system=system,
            start=since,
            end=to,
            strict=strict,
            drop_suspect=drop_suspect,
            raw=raw,
            profile=profile,
            codepage=codepage,
            framing=framing,
            unread=unread,
            parquet=parquet is not None,
            memory=memory,
            jobs=jobs,
            progress=step,
            passed_over=lambda _, why: note(f"passed over: {why}"),
        )
    for one in done:
        _say(one)
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


def _say(one: LoadedFile) -> None:
    if one.skipped:
        note(f"{one.name}: not loaded again: {one.skipped}")
        return
    left = one.kept - one.decoded
    note(
        f"{one.name}: run {one.run}, {one.framing}, {one.records:,} records: "
        f"{one.decoded:,} decoded, {left:,} kept without a layout"
        if one.framing
        else f"{one.name}: run {one.run}, nothing could be unpacked"
    )
    if one.repeated:
        note(f"  {one.repeated:,} records are in the run already and were not added again")
    if rest := one.records - one.kept - one.repeated:
        note(f"  {rest:,} records were not asked for")
    reasons = Counter((p.severity, p.reason) for p in one.problems)
    for (severity, reason), times in sorted(reasons.items()):
        first = next(p for p in one.problems if (p.severity, p.reason) == (severity, reason))
        count = sum(p.bytes for p in one.problems if (p.severity, p.reason) == (severity, reason))
        lost = "" if severity in ("info", "suspect") else f"{count:,} bytes lost, "
        note(
            f"  {severity}: {reason}: {times:,} times, {lost}"
            f"first at byte {first.byte_offset:,}: {first.detail}"
        )
    if one.unread:
        note(f"  the bytes lost are in {one.unread}")
