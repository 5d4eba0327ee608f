"""imsperf load."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layouts_option, read_options
from imsperf.cli.output import OutputFile, OutputFolder
from imsperf.cli.screen import note, passed_over, progress

if TYPE_CHECKING:
    from imsperf.loading.loaded_file import LoadedFile
    from imsperf.parsers.problems import Problem


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option("--db", type=OutputFile(), help="The database (a DuckDB file), made if missing.")
@click.option(
    "--parquet",
    metavar="DIR",
    type=OutputFolder(),
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
    type=OutputFolder(),
    help="Folder for the bytes that could not be read, with a list of their places.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Say what became of each file as JSON, on stdout."
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    help="With --parquet: processes that read the dumps, each on one processor. Default: one. "
    "With --db: threads of the database. Default: all processors.",
)
def command(
    paths: tuple[str, ...],
    db: Path | None,
    parquet: Path | None,
    run: str | None,
    strict: bool,
    unread: Path | None,
    as_json: bool,
    jobs: int | None,
    options: dict[str, Any],
) -> None:
    """Load dumps into a database or a lake.

    PATHS are files, folders or globs: SMF dumps and IMS logs, plain or packed. Framing is found by
    looking at the bytes. The load is one transaction: if it stops, the database, or the lake, is as
    it was. Records that the run has already, from whatever file, are not added again.
    Damage ends a load only with --strict; the last line says what was lost.

    \b
    Examples:
      imsperf load smf.d0301.bin --db runs.duckdb
      imsperf load monday/ --db runs.duckdb --run monday
      imsperf load 'dumps/*.gz' --db runs.duckdb --raw
      imsperf load smf.zip --db runs.duckdb --types 70,smf:74.1 --from 2026-03-01T09:00
      imsperf load smf.bin --db runs.duckdb --layouts smf200.toml
      imsperf load smf.bin --parquet lake
      imsperf load week/ --parquet lake --jobs 4
      imsperf load damaged.bin --db runs.duckdb --unread lost
    """
    is_new = not {"duckdb", "pyarrow"} & sys.modules.keys()  # this process has no threads of theirs
    from imsperf.api import load
    from imsperf.parsers.kernels import first_start
    from imsperf.parsers.read import expand_paths

    target = parquet or db
    if target is None or (db and parquet):
        raise click.UsageError("expected --db FILE or --parquet DIR, one of them")
    first_start.begin()
    dumps = expand_paths(paths, passed_over)
    total = sum(path.stat().st_size for path in dumps if path.exists())
    with _processes(jobs if is_new and parquet else None), progress("load", total) as step:
        done = load(
            dumps,
            target,
            run=run,
            strict=strict,
            unread=unread,
            parquet=parquet is not None,
            jobs=jobs,
            progress=step,
            passed_over=passed_over,
            **options,
        )
    if as_json:
        click.echo(json.dumps(_summary(done), indent=2))
    else:
        for file in done:
            _say(file)
    _say_nothing(done)
    if db is not None:
        _say_unfinished(db)
    _say_lost(done)


def _processes(jobs: int | None) -> AbstractContextManager[None]:
    """What several processes need before anything else is started."""
    if jobs is None or jobs == 1:
        return nullcontext()
    from imsperf.loading.copies import copied

    return copied(jobs)


def _say_unfinished(db: Path) -> None:
    """Where there was no room for it in the database, its newest content stands beside it."""
    from imsperf.database.store import log_of

    log = log_of(db)
    if log.exists() and (size := log.stat().st_size):
        note(
            f"warning: {size:,} bytes of {db} stand in {log}: there was no room to write them into "
            f"the database. Keep both files together; the next load with room for it moves them."
        )


def _say_nothing(done: Sequence[LoadedFile]) -> None:
    """Where no record at all is of the choice: a misspelt system is none of the dump."""
    dumps = [file for file in done if file.framing != "text"]  # members are loaded whole
    some = any(file.kept or file.repeated or file.skipped for file in dumps)
    if not some and any(file.records for file in dumps):
        note(
            "nothing was loaded: no record is of the system, types and times asked for; "
            "`imsperf inspect` shows what is there"
        )


def _say(loaded_file: LoadedFile) -> None:
    if loaded_file.skipped:
        note(f"{loaded_file.name}: not loaded again: {loaded_file.skipped}")
        return
    bare = loaded_file.kept - loaded_file.decoded
    note(
        f"{loaded_file.name}: run {loaded_file.run}, {loaded_file.framing}, "
        f"{loaded_file.records:,} records: "
        f"{loaded_file.decoded:,} decoded"
        + (f", {bare:,} by header only: imsperf has no layout of their bodies" if bare else "")
        if loaded_file.framing
        else f"{loaded_file.name}: run {loaded_file.run}, nothing could be unpacked"
    )
    if loaded_file.repeated:
        note(f"  {loaded_file.repeated:,} records are in the run already and were not added again")
    if rest := loaded_file.records - loaded_file.kept - loaded_file.repeated:
        note(f"  {rest:,} records were not asked for")
    for problem in _by_reason(loaded_file):
        lost = (
            f"{problem['bytes_lost']:,} bytes lost, " if problem["bytes_lost"] is not None else ""
        )
        note(
            f"  {problem['severity']}: {problem['reason']}: {problem['times']:,} times, {lost}"
            f"first at byte {problem['first_byte']:,}: {problem['detail']}"
        )
    if loaded_file.unread:
        note(f"  the bytes lost are in {loaded_file.unread}")


def _by_reason(loaded_file: LoadedFile) -> Iterator[dict[str, Any]]:
    """The problems of a file, those of one severity and reason together."""

    def reason_of(problem: Problem) -> tuple[str, str]:
        return problem.severity, problem.reason

    for (severity, reason), group in groupby(
        sorted(loaded_file.problems, key=reason_of), reason_of
    ):
        problems = list(group)
        is_lost = severity not in ("info", "suspect")
        yield {
            "severity": severity,
            "reason": reason,
            "times": len(problems),
            "bytes_lost": sum(problem.bytes for problem in problems) if is_lost else None,
            "first_byte": problems[0].byte_offset,
            "detail": problems[0].detail,
        }


def _summary(files: Sequence[LoadedFile]) -> dict[str, Any]:
    """What became of each file, for scripts."""
    told = [
        {
            "file": file.name,
            "run": file.run,
            "framing": file.framing or None,
            "bytes": file.bytes,
            "records": file.records,
            "added": file.kept,
            "decoded": file.decoded,
            "in_the_run_already": file.repeated,
            "not_loaded_again": file.skipped or None,
            "bytes_lost": _bytes_lost(file),
            "suspect": sum(problem.severity == "suspect" for problem in file.problems),
            "unread": str(file.unread) if file.unread else None,
            "problems": list(_by_reason(file)),
        }
        for file in files
    ]
    return {"bytes_lost": sum(file["bytes_lost"] for file in told), "files": told}


def _bytes_lost(file: LoadedFile) -> int:
    return sum(problem["bytes_lost"] or 0 for problem in _by_reason(file))


def _is_damaged(file: LoadedFile) -> bool:
    return any(problem["bytes_lost"] is not None for problem in _by_reason(file))


def _say_lost(files: Sequence[LoadedFile]) -> None:
    """The last line of a load from damaged files."""
    damaged = [file for file in files if _is_damaged(file)]
    if not damaged:
        return
    lost = sum(_bytes_lost(file) for file in damaged)
    names = ", ".join(file.name for file in damaged[:3]) + (" ..." if damaged[3:] else "")
    note(
        f"DATA LOST: {lost:,} bytes of {len(damaged):,} of {len(files):,} files ({names}) are not "
        "in the tables; `imsperf doctor` says what happened and what to do"
    )
