"""imsperf compare."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import (
    check_output,
    memory_option,
    report_ids_option,
    reports_option,
    tod_option,
)
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show, tell_lines, waiting

_MOST = 10  # lines of what else differs; the rest is in run.config of both sides


@click.command()
@click.argument("base")
@click.argument("candidate")
@click.option(
    "--db", type=click.Path(path_type=Path), help="The database of runs that are named alone."
)
@memory_option
@report_ids_option
@click.option("--system", help="Only this system.")
@click.option("--from", "since", help="Only intervals that begin at or after this local time.")
@click.option("--to", help="Only intervals that begin before this local time.")
@tod_option
@click.option(
    "--pair",
    type=click.Choice(["clock"]),
    help="clock: intervals of the same time of the week belong together, else of the day.",
)
@click.option(
    "--top", type=click.IntRange(min=1), default=20, show_default=True, help="Rows that are shown."
)
@click.option("--all", "every", is_flag=True, help="Print every row, changed or not.")
@click.option(
    "--fail-on",
    type=click.Choice(["worse", "differs"]),
    help="Exit code 3 where a row is worse; differs: where any changed.",
)
@reports_option
@output_options
def command(
    base: str,
    candidate: str,
    db: Path | None,
    memory: int | None,
    reports: tuple[str, ...],
    system: str | None,
    since: str | None,
    to: str | None,
    tod: str | None,
    pair: str | None,
    top: int,
    every: bool,
    fail_on: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Say what changed between two runs: a sentence, and what changed most beyond noise.

    BASE and CANDIDATE are databases, DATABASE::RUN, or DATABASE::PATTERN for several runs; a dump
    or a folder of dumps stands for a database. With --db, a name alone is a run or a pattern. Every
    number of every report is made again from sums for the whole run and tested by how its intervals
    differ; with three runs a side or more, by how the runs differ. What else is not the same goes
    to standard error before any number. -o and --format have every row.

    \b
    Examples:
      imsperf compare before.duckdb after.duckdb
      imsperf compare monday.dump tuesday.dump
      imsperf compare --db runs.duckdb monday tuesday
      imsperf compare runs.duckdb::monday runs.duckdb::tuesday --report rmf.device -o diff.csv
      imsperf compare 'runs.duckdb::before*' 'runs.duckdb::after*' --fail-on worse
      imsperf compare runs.duckdb::monday runs.duckdb::tuesday --tod 09:00-12:00
      imsperf compare runs.duckdb::week1 runs.duckdb::week2 --pair clock
    """
    from imsperf import api
    from imsperf.errors import CheckFailed
    from imsperf.reports.comparison.summary import sentence, some_differences, summary
    from imsperf.reports.text import suspect_line, table
    from imsperf.sources import database_and_run

    own = _runs(db)
    base, candidate = (_label(name, db, own) for name in (base, candidate))
    check_output(output, tuple(database_and_run(side)[0] for side in (base, candidate)))
    with waiting("compare"):
        comparison = api.compare(
            base, candidate, reports or None,
            system=system, start=since, end=to, tod=tod, clock=pair == "clock",
            told=note, memory=memory,
        )  # fmt: skip
    if comparison.differences.num_rows:
        note("What else differs between the sides:")
        shown = some_differences(comparison.differences, _MOST)
        for line in table(shown).splitlines():
            note(line)
        if left := comparison.differences.num_rows - shown.num_rows:
            note(f"... and {left:,} more")
        note("")
    if every or output is not None or fmt not in (None, "text"):
        if comparison.same_run:
            note(sentence(comparison, ()))
        show(comparison, fmt, output)
    else:
        tell_lines(summary(comparison, top) + suspect_line(*comparison.suspect))
        if comparison.caution and not comparison.same_run:
            note(comparison.caution)
        if comparison.by_day and not comparison.same_run:
            note(
                "The load follows the hours of the day: --pair clock holds each interval against "
                "that of its own time, which shows smaller changes."
            )
    verdicts = set(comparison.table["verdict"].to_pylist())
    verdicts |= set(comparison.excursions["verdict"].to_pylist())
    wanted = {"worse"} if fail_on == "worse" else {"worse", "better", "differs"}
    if fail_on and verdicts & wanted:
        raise CheckFailed(
            f"{candidate}: {fail_on} than {base}"
            if fail_on == "worse"
            else f"{candidate}: differs from {base}",
            "the rows above say where",
        )


def _runs(db: Path | None) -> list[str]:
    """The runs that may be named alone."""
    if db is None:
        return []
    from imsperf import api
    from imsperf.reports.comparison.sides import run_names

    with api.connect(db) as store:
        return run_names(store.con)


def _label(name: str, db: Path | None, own: list[str]) -> str:
    """A side as `api.compare` takes it; a folder may have the name of the run that was loaded from
    it. Raises StoreError for a name alone without --db."""
    from imsperf.errors import StoreError
    from imsperf.sources import is_there

    if name not in own and ("::" in name or name == "-" or is_there(Path(name))):
        return name
    if db is not None:
        return f"{db}::{name}"
    hint = f"a run is named as DATABASE::{name}, or as {name} with --db DATABASE"
    raise StoreError(
        f"{name}: no such file or folder",
        "check the path" if Path(name).suffix or "/" in name else hint,
    )
