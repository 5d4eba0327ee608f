"""imsperf report."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import click

from imsperf.cli.options import db_option, output_options, pairs, seconds, selection_options
from imsperf.cli.screen import note, show


@click.command()
@click.argument("report_id", metavar="[ID]", required=False)
@db_option
@click.option(
    "--param", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of it."
)
@click.option("--interval", type=seconds, metavar="TIME", help="Longer intervals, from sums.")
@click.option("--total", is_flag=True, help="One row for the whole run, from sums.")
@selection_options
@output_options
def command(
    report_id: str | None,
    db: Path,
    parameters: tuple[str, ...],
    interval: float | None,
    total: bool,
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Print a report; without ID, the list of reports.

    Text is laid out as RMF and IMSPA readers know it; csv and json hold every column at full
    precision.

    \b
    Examples:
      imsperf report --db runs.duckdb
      imsperf report rmf.device --db runs.duckdb --run monday
      imsperf report ims.fixed_pools --db runs.duckdb -o pools.csv
      imsperf report rmf.cpu --db runs.duckdb --interval 15m
    """
    from imsperf import api

    with api.connect(db) as store:
        if report_id is None:
            show(api.reports(), fmt, output)
            return
        result = api.run_report(
            store,
            report_id,
            pairs(parameters),
            run=run,
            system=system,
            start=since,
            end=to,
            every=timedelta(seconds=interval) if interval else None,
            total=total,
        )
    if result.note:
        note(result.note)
    show(result, fmt, output)
