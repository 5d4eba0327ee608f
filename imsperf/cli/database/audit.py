"""imsperf audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import source_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show, waiting

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@click.argument("check", required=False)
@source_option("check", required=False)
@click.option("--run", help="Only this run.")
@click.option("--published", is_flag=True, help="The published tables the scenarios stem from.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Print the rows that hold too, and why a check was not tested.",
)
@output_options
def command(
    check: str | None,
    db: Source | None,
    run: str | None,
    published: bool,
    every: bool,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Test the identities that must hold, and print where they do not; exit code 3 then.

    A number stands for a range: a unit of its field, or half a unit of its last printed digit to
    either side. What is printed lies outside the range that the other numbers leave for it (low
    and high, with its own unit), by `excess`.

    Counts of the same events in the same time agree to a unit of each counter. 0.1 to 1 % are left
    where RMF samples, where times are cut to a field's unit, and where two clocks or two moments
    of reading bound a time; the source of each check says which.

    Records that are missing break nothing: what two kinds of records count is compared where
    both cover the same time, by interval and statistics set, volumes of the log where no sequence
    number is missing or there twice. Else a check is not tested, and says why. What is there twice
    counts once. Of SMF records of one interval, of several of a kind, the loss shows only against
    other intervals of the run.

    \b
    Examples:
      imsperf audit --db runs.duckdb --run monday
      imsperf audit captured_cpu --db runs.duckdb --all
      imsperf audit smf.dump ims.log
      imsperf audit --published
      imsperf audit --published itr --all
    """
    from imsperf.api import audit as audit_database
    from imsperf.errors import CheckFailed
    from imsperf.reports import audit

    if published == (db is not None):
        raise click.UsageError("say what to audit: --db FILE, dumps, or --published")
    with waiting("audit"):
        if db is None:
            done = audit.published(check, every=every)
        else:
            done = audit_database(db, run=run, check=check, every=every)
    bad = done.violations
    titles = {outcome.id: outcome.title for outcome in done.checks}
    for name in dict.fromkeys(bad["check"].to_pylist()):
        note(f"{name}: {titles[name]}")
    on_screen = output is None and fmt in (None, "text")
    if done.table.num_rows or not on_screen:
        show(done.table, fmt, output)
    said = f"{done.tested:,} values tested by {len(done.checks)} checks"
    if not bad.num_rows:
        note(f"{said}: all hold" if done.tested else "nothing could be tested: see below")
    in_full = every or check or not done.tested or not on_screen
    if done.untested and not in_full:
        note(f"{len(done.untested):,} more checks could not be tested: --all says why")
    for untested_check in done.untested if in_full else ():
        why = f" ({done.why[untested_check.id]})" if untested_check.id in done.why else ""
        note(f"not tested: {untested_check.id}: {untested_check.title}{why}")
    if bad.num_rows:
        raise CheckFailed(f"{bad.num_rows:,} of {said} do not hold")
