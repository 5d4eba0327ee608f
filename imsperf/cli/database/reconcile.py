"""imsperf reconcile."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import source_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@click.argument("listing", type=click.Path(path_type=Path, dir_okay=False))
@source_option(required=False)
@click.option("--run", help="Only this run.")
@click.option("--system", help="One system of the listing.")
@output_options
def command(
    listing: Path,
    db: Source | None,
    run: str | None,
    system: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Hold an XML listing of the RMF Postprocessor (CPU) against a database or dumps, cell by cell.

    A cell agrees where the number of the database, rounded as RMF prints it, is the printed one.
    Rows and intervals that one of the two lacks are listed too. Then what is printed must follow
    from the rest of the listing: totals from their rows, utilizations from dispatch times; without
    --db and dumps that is all. Exit code 3 where anything differs.

    \b
    Examples:
      imsperf reconcile --db runs.duckdb CPU.xml
      imsperf reconcile --db runs.duckdb --run monday --system SYSA CPU.xml -o differs.csv
      imsperf reconcile CPU.xml smf.dump
      imsperf reconcile CPU.xml
      imsperf report rmf.cpu --db runs.duckdb --format rmfxml -o CPU.xml
    """
    from imsperf import api
    from imsperf.errors import CheckFailed
    from imsperf.reports.filter import Filter
    from imsperf.reports.rmf_xml.reconciling import reconcile

    if run is not None and db is None:
        raise click.UsageError("found --run without --db or dumps")
    with nullcontext() if db is None else api.connect(db) as store:
        con = None if store is None else store.con
        done = reconcile(listing, con, Filter(run, system))
    if done.table.num_rows or output or fmt not in (None, "text"):
        show(done.table, fmt, output)
    for name in done.others:
        note(f"not compared: {name}")
    said = f"{done.identities:,} values tested by identities"
    if db is not None:
        said = f"{done.cells:,} cells of {done.intervals:,} intervals compared, {said}"
    if done.table.num_rows:
        raise CheckFailed(f"{said}: {done.table.num_rows:,} differ")
    note(f"{said}: all agree")
