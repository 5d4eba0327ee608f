"""imsperf reproduce."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.output import OutputFolder, output_options
from imsperf.cli.screen import note, progress, show

NUMBERS = ("published", "ours", "error_pct", "tolerance_pct")


@click.command()
@click.argument("wanted", nargs=-1, metavar="[ID]...")
@click.option(
    "--out",
    type=OutputFolder(),
    help="Keep the dumps and databases here; every run is made anew.",
)
@click.option("--explain", is_flag=True, help="Say how each ID is shown, and run nothing.")
@click.option("--fresh", is_flag=True, help="Run everything, even what was asked before.")
@click.option(
    "--processes", type=click.IntRange(1, 64), default=2, show_default=True, help="Runs at a time."
)
@output_options
def command(
    wanted: tuple[str, ...],
    out: Path | None,
    explain: bool,
    fresh: bool,
    processes: int,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Run published systems and set what reports say beside what was printed.

    Each is simulated, written, loaded and reported; `ours` is what the report says. An ID is a row
    of the list of published systems (A01 to R24), a scenario, or one with its settings. Without
    one all rows run, in about a quarter of an hour; answers are kept in the user's cache folder, so
    that a run that was stopped goes on, and a second one takes seconds. `open` is a row that
    nothing shows yet. Exit code 3: a number is further off than its tolerance.

    \b
    Examples:
      imsperf reproduce fast-path
      imsperf reproduce C17 D20 --format csv
      imsperf reproduce --explain D21
      imsperf reproduce --out points -o all.csv
    """
    import pyarrow as pa

    from imsperf.errors import CheckFailed
    from imsperf.reproducing.answers import default_folder
    from imsperf.reproducing.explaining import explain as explained
    from imsperf.reproducing.judging import rows_summary, summary
    from imsperf.reproducing.rows import Plan

    if explain:
        for id in wanted:
            for line in explained(id):
                click.echo(line)
        return
    kept = None if fresh else default_folder()
    plan = Plan(wanted, kept)
    with progress("runs", len(plan.asked()), unit="") as step:
        cells = plan.run(kept, out, processes, lambda _: step(1.0))
    rows = [cell.row() for cell in cells]
    kinds = {name: pa.float64() if name in NUMBERS else pa.string() for name in rows[0]}
    show(pa.Table.from_pylist(rows, pa.schema(kinds)), fmt, output)
    note(rows_summary(cells))
    said = summary(cells)
    if any(cell.verdict == "missed" for cell in cells):
        raise CheckFailed(said)
    note(said)
