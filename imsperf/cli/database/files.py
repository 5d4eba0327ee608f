"""imsperf files."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import db_option, output_options
from imsperf.cli.screen import note, show


@click.command()
@db_option
@click.option("--run", help="Only this run.")
@click.option("--coverage", is_flag=True, help="The second table alone.")
@output_options
def command(
    db: Path, run: str | None, coverage: bool, fmt: str | None, output: Path | None
) -> None:
    """Say which files are loaded, and what they cover: intervals, gaps, repeats, problems.

    Text has both tables; the other formats have the files, or the coverage with --coverage, which
    is also the report load.coverage.

    \b
    Examples:
      imsperf files --db runs.duckdb
      imsperf files --db runs.duckdb --format csv
      imsperf files --db runs.duckdb --coverage --run monday -o coverage.xlsx
    """
    from imsperf import api

    both = not coverage and output is None and fmt in (None, "text")
    with api.connect(db) as store:
        files = api.files(store, run=run)
        covered = api.run_report(store, "load.coverage", run=run) if coverage or both else None
    if not coverage:
        show(files, fmt, output)
    if both:
        click.echo()
    if covered is not None:
        if covered.note:
            note(covered.note)
        show(covered, fmt, output)
