"""imsperf chart."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import (
    db_option,
    pairs,
    reports_option,
    selection_options,
    tod_option,
    top_options,
)
from imsperf.cli.screen import note


@click.command()
@click.argument("report_id", metavar="ID")
@db_option
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file ending in .html, .svg, .png or .json.",
)
@click.option(
    "--param", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of it."
)
@top_options
@tod_option
@reports_option
@selection_options
def command(
    report_id: str,
    db: Path,
    output: Path,
    parameters: tuple[str, ...],
    top: int | None,
    by: str | None,
    tod: str | None,
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
) -> None:
    """Draw a report's chart; the suffix of -o chooses the form. HTML needs no network.

    \b
    Examples:
      imsperf chart rmf.device --db runs.duckdb -o device.html
      imsperf chart rmf.cpu --db runs.duckdb --run monday -o cpu.png
      imsperf chart rmf.device --db runs.duckdb --top 5 --by resp_ms -o slow.svg
    """
    from imsperf import api
    from imsperf.reports import chart
    from imsperf.reports.run import Top

    if (top is None) != (by is None):
        raise click.UsageError("found one of --top and --by, expected both")

    with api.connect(db) as store:
        result = api.run_report(
            store,
            report_id,
            pairs(parameters),
            run=run,
            system=system,
            start=since,
            end=to,
            tod=tod,
        )
    chart.write(result, output, Top(top, by) if top and by else None)
    note(f"wrote {output}")
