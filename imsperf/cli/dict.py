"""imsperf dict."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import output_options
from imsperf.cli.screen import show


@click.command()
@click.argument("name", required=False)
@output_options
def command(name: str | None, fmt: str | None, output: Path | None) -> None:
    """Look up a table, field, report or report column: place, kind, unit, meaning, source.

    NAME is a table, a report, TABLE.COLUMN, a column, or a word of a meaning; without NAME, all.

    \b
    Examples:
      imsperf dict smf74_1_device
      imsperf dict smf70pdt
      imsperf dict rmf.device
      imsperf dict -o dictionary.csv
    """
    from imsperf import api

    show(api.dictionary(name), fmt, output)
