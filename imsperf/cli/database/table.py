"""imsperf table."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import output_options
from imsperf.cli.screen import note, show, tell_lines


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--runs", "_runs", is_flag=True, hidden=True, help="What follows are runs.")
@click.option(
    "--db", type=click.Path(path_type=Path), help="The database of runs that are named alone."
)
@click.option("--base", default="", metavar="NAME", help="Against which. Default: the first.")
@click.option("--scenario", help="A last column: what the model predicts of this scenario.")
@click.option("--system", help="Only this system.")
@click.option(
    "--margin", default=1.0, show_default=True, metavar="PERCENT", help="At most this is equal."
)
@click.option(
    "--chart",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the deltas, or curves over --x, here: .html, .svg, .png or .json.",
)
@click.option("--x", default="", metavar="METRIC", help="Curves over this one, as etr_per_s.")
@click.option("--y", multiple=True, metavar="METRIC", help="Of these curves. Default: itr_per_s.")
@output_options
def command(
    runs: tuple[str, ...],
    _runs: bool,
    db: Path | None,
    base: str,
    scenario: str | None,
    system: str | None,
    margin: float,
    chart: Path | None,
    x: str,
    y: tuple[str, ...],
    fmt: str | None,
    output: Path | None,
) -> None:
    """Print runs as releases are printed: a column each, delta and delta per cent.

    A run is a name in --db, or DATABASE, DATABASE::RUN, a dump, a folder of dumps. NAME=PATTERN
    makes one column of several runs (seeds, days): their mean and its 95 % interval. Without RUN,
    all runs of --db. A chart over --x draws columns named SERIES/STEP as points of a curve each.

    \b
    Examples:
      imsperf table --db runs.duckdb
      imsperf table --db runs.duckdb ims14 ims15 ims16 --base ims15
      imsperf table 'before=runs.duckdb::mon*' 'after=runs.duckdb::tue*' -o release.xlsx
      imsperf table --db runs.duckdb monday --scenario ff-haldb
      imsperf table --db runs.duckdb ims14 ims15 --chart deltas.svg
      imsperf table --db runs.duckdb 'a/10=r10' 'a/80=r80' --chart itr.html --x etr_per_s
    """
    from imsperf import api
    from imsperf.reports.comparison.release_table import CURVE, drawn_rows, text

    if db is None and not runs:
        raise click.UsageError("expected --db or runs, found neither")
    rows = api.release_table(
        runs, db=db, base=base, scenario=scenario, system=system, margin_pct=margin, told=note
    )
    if chart is not None:
        from imsperf.reports.charts.chart import write_rows

        title = f"{', '.join(y or CURVE)} over {x}" if x else "Deltas, per cent"
        write_rows(drawn_rows(rows, x, y), chart, title)
        note(f"wrote {chart}")
    if output is None and fmt in (None, "text"):
        tell_lines(text(rows, base, margin))
    else:
        show(rows, fmt, output)
