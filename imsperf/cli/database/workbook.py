"""imsperf workbook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import document_options
from imsperf.cli.screen import note

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@document_options(".xlsx")
def command(db: Source, output: Path | None, options: dict[str, Any]) -> None:
    """Write one Excel workbook of a run: index, charts, a typed sheet for each report.

    Numbers are numbers and times are times, local to each system; every sheet has filters. With
    --base a sheet says what changed, coloured by better and worse.

    \b
    Examples:
      imsperf workbook --db runs.duckdb -o monday.xlsx
      imsperf workbook smf.dump -o monday.xlsx
      imsperf workbook --db runs.duckdb --run tuesday --base monday -o tuesday.xlsx
      imsperf workbook --db runs.duckdb --report rmf.device --report ims.transactions
    """
    from imsperf import api

    written = api.workbook(db, output, **options)
    note(f"wrote {written} ({written.stat().st_size / 1e6:.1f} MB)")
