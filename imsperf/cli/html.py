"""imsperf html."""

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
    help="The page. Default: RUN.html.",
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
    """Write one HTML page of a run: health, key figures, a timeline, every report with its chart.

    The page is one file that needs no network: mail it. Drag over a chart to zoom all of them to
    the same minutes; tables sort and filter. With --base it begins with what changed.

    \b
    Examples:
      imsperf html --db runs.duckdb -o monday.html
      imsperf html --db runs.duckdb --run tuesday --base monday -o tuesday.html
      imsperf html --db runs.duckdb --from 2026-03-02T09:00 --to 2026-03-02T12:00 -o morning.html
    """
    from imsperf import api

    written = api.html_page(
        db, output, run=run, base=base, system=system, start=since, end=to,
        reports=reports, told=note,
    )  # fmt: skip
    note(f"wrote {written} ({written.stat().st_size / 1e6:.1f} MB)")
