"""imsperf chart."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import (
    completing,
    pairs,
    reports_option,
    seconds,
    selection_options,
    source_option,
    tod_option,
    top_options,
)
from imsperf.cli.output import CHARTS, OutputFile
from imsperf.cli.screen import note, waiting

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@click.argument("report_id", metavar="[ID]", required=False, shell_complete=completing("report"))
@source_option("report_id")
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputFile(CHARTS),
    help="A file ending in .html, .svg, .png or .json.",
)
@click.option(
    "--param", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of it."
)
@click.option(
    "--column", "columns", multiple=True, metavar="NAME", help="Draw this column; may be repeated."
)
@click.option(
    "--form",
    type=click.Choice(["line", "bar", "percentiles", "heatmap", "ecdf", "scatter"]),
    help="Default: what the report says. percentiles: of all rows of an interval; heatmap: hour by "
    "day; ecdf: share of rows below a value; scatter: of two columns.",
)
@click.option(
    "--overlay",
    type=click.Choice(["run", "day", "week"]),
    help="Runs, days or weeks over one another.",
)
@click.option(
    "--interval", type=seconds, metavar="TIME", help="Longer intervals, from sums: 30m, 1h, 1d."
)
@click.option("--sql", metavar="SELECT", help="Draw these rows instead of a report: x first.")
@click.option(
    "--finding", metavar="RULE", help="Draw what a rule of `imsperf findings` finds, over all time."
)
@click.option(
    "--where",
    default="",
    metavar="EXPR",
    help="Only what an SQL condition on names says: \"volume LIKE 'OLDS%'\".",
)
@top_options
@tod_option
@reports_option
@selection_options
def command(
    report_id: str | None,
    db: Source,
    output: Path,
    parameters: tuple[str, ...],
    columns: tuple[str, ...],
    form: str | None,
    overlay: str | None,
    interval: float | None,
    sql: str | None,
    finding: str | None,
    where: str,
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
      imsperf chart rmf.cpu smf.dump -o cpu.png
      imsperf chart rmf.device --db runs.duckdb --top 5 --by resp_ms -o slow.svg
      imsperf chart rmf.device --db runs.duckdb --where "volume LIKE 'OLDS%'" -o logs.png
      imsperf chart rmf.device --db runs.duckdb --form percentiles --column resp_ms -o spread.html
      imsperf chart rmf.cpu --db runs.duckdb --column mvs_busy_pct --overlay week -o weeks.html
      imsperf chart --finding device_slow --db runs.duckdb --run monday -o slow.html
      imsperf chart --sql "SELECT name, x FROM my_view" --db runs.duckdb -o own.html
    """
    from imsperf import api
    from imsperf.reports.catalog import catalog
    from imsperf.reports.charts import chart
    from imsperf.reports.charts.rows import Choice, check_names
    from imsperf.reports.filter import Filter
    from imsperf.reports.run import Top

    if sum(given is not None for given in (report_id, sql, finding)) != 1:
        raise click.UsageError("expected a report's ID, --sql or --finding, one of them")
    if by and not top:
        raise click.UsageError("found --by without --top, expected both")

    _refuse_others("--finding", finding, ("run", "system"))
    _refuse_others("--sql", sql, ())

    with waiting(f"draw {output}"), api.connect(db) as store:
        if finding:
            chart.write_finding(store.con, finding, output, Filter(run=run, system=system))
        elif report_id is None:
            chart.write_rows(api.query(store, sql or ""), output, store.path.stem)
        else:
            if where:
                check_names(catalog().get(report_id), where)
            result = api.run_report(
                store,
                report_id,
                pairs(parameters),
                run=run,
                system=system,
                start=since,
                end=to,
                tod=tod,
                every=timedelta(seconds=interval) if interval else None,
                where=where,
            )
            ranked = Top(top, by or result.report.ranked_by) if top else None
            chart.write(result, output, Choice(ranked, columns, form or "", overlay or ""))
    note(f"wrote {output}")


def _refuse_others(option: str, given: str | None, allowed: tuple[str, ...]) -> None:
    """Raise UsageError for an option of a report's chart beside one that draws something else."""
    ctx = click.get_current_context()
    command_line = click.core.ParameterSource.COMMANDLINE
    for parameter in ctx.command.params if given is not None else ():
        name = str(parameter.name)
        if (
            name not in ("db", "memory", "paths", "report_id", "output", "sql", "finding", *allowed)
            and ctx.get_parameter_source(name) is command_line
        ):
            raise click.UsageError(f"found {parameter.opts[0]} with {option}, expected one of them")
