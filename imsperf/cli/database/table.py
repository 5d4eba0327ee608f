"""imsperf table."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import memory_option
from imsperf.cli.output import CHARTS, OutputFile, output_options
from imsperf.cli.screen import note, show, tell_lines, waiting


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--runs", "_runs", is_flag=True, hidden=True, help="What follows are runs.")
@click.option(
    "--db", type=click.Path(path_type=Path), help="The database of runs that are named alone."
)
@memory_option
@click.option("--base", default="", metavar="NAME", help="Against which. Default: the first.")
@click.option("--scenario", help="A last column: what the model predicts of this scenario.")
@click.option("--system", help="Only this system.")
@click.option(
    "--margin", default=1.0, show_default=True, metavar="PERCENT", help="At most this is equal."
)
@click.option(
    "--chart",
    type=OutputFile(CHARTS),
    metavar="FILE",
    help="Draw response, CPU time, ITR and busy of the runs, too: .html, .svg, .png.",
)
@click.option(
    "--over",
    type=click.Choice(["rate", "run", "delta"]),
    default="rate",
    show_default=True,
    help="rate: against transactions a second, with the curve of --scenario; run: side by side; "
    "delta: bars of all metrics.",
)
@output_options
def command(
    runs: tuple[str, ...],
    _runs: bool,
    db: Path | None,
    memory: int | None,
    base: str,
    scenario: str | None,
    system: str | None,
    margin: float,
    chart: Path | None,
    over: str,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Print runs as releases are printed: a column each, delta and delta per cent.

    A run is a name in --db, or DATABASE, DATABASE::RUN, a dump, a folder of dumps. NAME=PATTERN
    makes one column of several runs (seeds, days): their mean and its 95 % interval. Without RUN,
    all runs of --db, the first loaded first.

    \b
    Examples:
      imsperf table --db runs.duckdb
      imsperf table --db runs.duckdb ims14 ims15 ims16 --base ims15
      imsperf table 'before=runs.duckdb::mon*' 'after=runs.duckdb::tue*' -o release.xlsx
      imsperf table --db runs.duckdb monday --scenario ff-haldb
      imsperf table --db runs.duckdb --scenario ff-haldb --chart load.png
      imsperf table --db runs.duckdb --chart days.html --over run
      imsperf table --db runs.duckdb ims14 ims15 --chart deltas.png --over delta
    """
    from imsperf import api
    from imsperf.reports.comparison.release_table import text

    if db is None and not runs:
        raise click.UsageError("expected --db or runs, found neither")
    with waiting("ask the runs"):
        rows = api.release_table(
            runs, db=db, base=base, scenario=scenario, system=system, margin_pct=margin, told=note,
            memory=memory, chart=chart, over=over,
        )  # fmt: skip
    if chart:
        note(f"wrote {chart}")
    if output is None and fmt in (None, "text"):
        tell_lines(text(rows, base, margin))
    else:
        show(rows, fmt, output)
