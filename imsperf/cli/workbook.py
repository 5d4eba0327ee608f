"""imsperf workbook."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import db_option, selection_options
from imsperf.cli.screen import note


@click.command()
@db_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The workbook. Default: RUN.xlsx.",
)
@click.option(
    "--base",
    metavar="SIDE",
    help="Set it beside another run: RUN of the same database, DATABASE or DATABASE::RUN.",
)
@click.option(
    "--report", "reports", multiple=True, metavar="ID", help="Only this report; may repeat."
)
@selection_options
def command(
    db: Path,
    output: Path | None,
    base: str | None,
    reports: tuple[str, ...],
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
) -> None:
    """Write one Excel workbook of a run: index, charts, a typed sheet for each report.

    Numbers are numbers and times are times, local to each system; every sheet has filters. With
    --base a sheet says what changed, coloured by better and worse.

    \b
    Examples:
      imsperf workbook --db runs.duckdb -o monday.xlsx
      imsperf workbook --db runs.duckdb --run tuesday --base monday -o tuesday.xlsx
      imsperf workbook --db runs.duckdb --report rmf.device --report ims.transactions
    """
    from imsperf import api

    written = api.workbook(
        db, output, run=run, base=base, system=system, start=since, end=to,
        reports=reports, told=note,
    )  # fmt: skip
    note(f"wrote {written} ({written.stat().st_size / 1e6:.1f} MB)")
