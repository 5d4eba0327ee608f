"""imsperf reproduce."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import output_options
from imsperf.cli.screen import note, progress, show

NUMBERS = ("published", "ours", "error_pct", "tolerance_pct")


@click.command()
@click.argument("wanted", nargs=-1, metavar="[ID]...")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the dumps and databases here.",
)
@output_options
def command(
    wanted: tuple[str, ...], out: Path | None, fmt: str | None, output: Path | None
) -> None:
    """Run published measurements and set their numbers beside ours.

    Each point is simulated, written, loaded and reported; `ours` is what the report says. An ID is
    a scenario, one with its settings, or a row of the list of published systems (C01). Without one
    all points run, in about 20 minutes. Exit code 3: a number is further off than its tolerance.

    \b
    Examples:
      imsperf reproduce fast-path
      imsperf reproduce C17 D20 --format csv
      imsperf reproduce --out points -o all.csv
    """
    import pyarrow as pa

    from imsperf.errors import CheckFailed
    from imsperf.reproducing.judging import summary
    from imsperf.reproducing.points import points, reproduce

    cells = []
    with progress("points", len(points(wanted)), unit="") as step:
        last = ""
        for cell in reproduce(wanted, out):
            step(float(cell.system != last))
            last = cell.system
            cells.append(cell)
    rows = [cell.row() for cell in cells]
    kinds = {name: pa.float64() if name in NUMBERS else pa.string() for name in rows[0]}
    show(pa.Table.from_pylist(rows, pa.schema(kinds)), fmt, output)
    said = summary(cells)
    if any(cell.verdict == "missed" for cell in cells):
        raise CheckFailed(said)
    note(said)
