"""imsperf audit."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import output_options
from imsperf.cli.screen import note, show


@click.command()
@click.argument("check", required=False)
@click.option("--published", is_flag=True, help="The published tables the scenarios stem from.")
@click.option("--all", "every", is_flag=True, help="Print the rows that hold too.")
@output_options
def command(
    check: str | None, published: bool, every: bool, fmt: str | None, output: Path | None
) -> None:
    """Test the identities that must hold, and print where they do not; exit code 3 then.

    A number stands for a range: half a unit of its last digit to either side. What is printed lies
    outside the range that the other numbers leave for it, by `excess`.

    \b
    Examples:
      imsperf audit --published
      imsperf audit --published itr --all
    """
    from imsperf.errors import CheckFailed
    from imsperf.reports import audit

    if not published:
        raise click.UsageError("say what to audit: --published")
    done = audit.published(check)
    bad = done.violations
    titles = {one.id: one.title for one in done.checks}
    for name in dict.fromkeys(bad["check"].to_pylist()):
        note(f"{name}: {titles[name]}")
    show(done.table if every else bad, fmt, output)
    said = f"{done.table.num_rows:,} values tested by {len(done.checks)} checks"
    if bad.num_rows:
        raise CheckFailed(f"{bad.num_rows:,} of {said} do not hold")
    note(f"{said}: all hold")
