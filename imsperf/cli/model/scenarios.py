"""imsperf scenarios."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import completing, output_options, set_option
from imsperf.cli.screen import show


@click.command()
@click.argument("name", required=False, shell_complete=completing("scenario"))
@set_option
@output_options
def command(
    name: str | None, settings: dict[str, str], fmt: str | None, output: Path | None
) -> None:
    """List the built-in scenarios and their variants, or print one as TOML with every knob.

    \b
    Examples:
      imsperf scenarios
      imsperf scenarios tps-100k
      imsperf scenarios tps-100k@rb9-before > mine.toml
    """
    import pyarrow as pa

    from imsperf.synthetic.scenarios import scenario
    from imsperf.synthetic.scenarios.toml_text import to_toml

    if name:
        click.echo(to_toml(scenario.load(name, settings)))
        return
    show(pa.Table.from_pylist(scenario.overview()), fmt, output)
