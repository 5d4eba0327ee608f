"""imsperf load."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import db_option, layouts_option
from imsperf.cli.screen import note, progress

if TYPE_CHECKING:
    from imsperf.api import LoadedFile


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@db_option
@click.option("--run", help="Measurement these files belong to. Default: the name of their folder.")
@click.option("--strict", is_flag=True, help="Stop at the first damage; load nothing.")
@click.option("--raw", is_flag=True, help="Keep the bodies of records without a layout too.")
@click.option(
    "--profile", help="Layouts of IMS log bodies. Default: what the log's signature says."
)
@layouts_option
@click.option("--codepage", default="cp1047", show_default=True, help="Code page of IMS log text.")
def command(
    paths: tuple[str, ...],
    db: Path,
    run: str | None,
    strict: bool,
    raw: bool,
    profile: str | None,
    codepage: str,
) -> None:
    """Load dumps into a database.

    PATHS are files, folders or globs: SMF dumps and IMS logs, plain or gzip. Framing is found by
    looking at the bytes. The load is one transaction: if it stops, the database is as it was.

    \b
    Examples:
      imsperf load smf.d0301.bin --db runs.duckdb
      imsperf load monday/ --db runs.duckdb --run monday
      imsperf load 'dumps/*.gz' --db runs.duckdb --raw
      imsperf load smf.bin --db runs.duckdb --layouts smf200.toml
    """
    from imsperf.api import load
    from imsperf.parsers.read import expand_paths

    total = sum(path.stat().st_size for path in expand_paths(paths) if path.exists())
    with progress("load", total) as step:
        done = load(
            paths,
            db,
            run=run,
            strict=strict,
            raw=raw,
            profile=profile,
            codepage=codepage,
            progress=step,
            passed_over=lambda _, why: note(f"passed over: {why}"),
        )
    for one in done:
        _say(one)


def _say(one: LoadedFile) -> None:
    if one.skipped:
        note(f"{one.path}: not loaded again: {one.skipped}")
        return
    kept = one.records - one.decoded
    note(
        f"{one.path}: run {one.run}, {one.framing}, {one.records:,} records: "
        f"{one.decoded:,} decoded, {kept:,} kept without a layout"
    )
    reasons = Counter((p.severity, p.reason) for p in one.problems)
    for (severity, reason), times in sorted(reasons.items()):
        first = next(p for p in one.problems if (p.severity, p.reason) == (severity, reason))
        lost = sum(
            p.bytes or 0 for p in one.problems if (p.severity, p.reason) == (severity, reason)
        )
        note(
            f"  {severity}: {reason}: {times:,} times, {lost:,} bytes lost, "
            f"first at byte {first.byte_offset:,}: {first.detail}"
        )
