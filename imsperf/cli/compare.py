"""imsperf compare."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import output_options
from imsperf.cli.screen import note, show


@click.command()
@click.argument("base")
@click.argument("candidate")
@click.option(
    "--report", "reports", multiple=True, metavar="ID", help="Only this report; may repeat."
)
@output_options
def command(
    base: str, candidate: str, reports: tuple[str, ...], fmt: str | None, output: Path | None
) -> None:
    """Set two runs side by side: every number of every report, re-made from sums for the whole run.

    BASE and CANDIDATE are databases, or DATABASE::RUN. What else differs between the sides goes to
    standard error before any number.

    \b
    Examples:
      imsperf compare before.duckdb after.duckdb
      imsperf compare runs.duckdb::monday runs.duckdb::tuesday --report rmf.device -o diff.csv
    """
    from imsperf import api
    from imsperf.reports.formats import render

    comparison = api.compare(base, candidate, reports or None)
    if comparison.differences.num_rows:
        note("What else differs between the sides:")
        for line in render(comparison.differences, "text").splitlines():
            note(line)
    show(comparison, fmt, output)
