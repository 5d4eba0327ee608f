"""imsperf html."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import document_options
from imsperf.cli.screen import note

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@document_options(".html")
def command(db: Source, output: Path | None, options: dict[str, Any]) -> None:
    """Write one HTML page of a run: health, key figures, a timeline, every report with its chart.

    The page is one file that needs no network: mail it. Drag over a chart to zoom all of them to
    the same minutes; tables sort and filter. With --base it begins with what changed.

    \b
    Examples:
      imsperf html --db runs.duckdb -o monday.html
      imsperf html monday/ -o monday.html
      imsperf html --db runs.duckdb --run tuesday --base monday -o tuesday.html
      imsperf html --db runs.duckdb --from 2026-03-02T09:00 --to 2026-03-02T12:00 -o morning.html
    """
    from imsperf import api

    written = api.html_page(db, output, **options)
    note(f"wrote {written} ({written.stat().st_size / 1e6:.1f} MB)")
