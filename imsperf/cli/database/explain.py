"""imsperf explain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import (
    completing,
    layouts_option,
    reports_option,
    selection_options,
    source_option,
)
from imsperf.cli.output import OutputFile
from imsperf.cli.screen import note, waiting
from imsperf.output_files import written_whole

if TYPE_CHECKING:
    from imsperf.sources import Source

FORMS = ("text", "json", "md", "html")


@click.command()
@click.argument("name", metavar="REPORT.COLUMN", shell_complete=completing("column"))
@source_option(required=False)
@click.option("--where", default="", metavar="SQL", help="A condition on the report's columns.")
@layouts_option
@reports_option
@selection_options
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Rows of a sum that the example follows.",
)
@click.option("--profile", help="Layouts the IMS log was loaded with. Default: its signature's.")
@click.option("--format", "fmt", type=click.Choice(FORMS), help="Default: text, or by -o.")
@click.option("-o", "--output", type=OutputFile(stdout=True), help="Write here.")
def command(
    name: str,
    db: Source | None,
    where: str,
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
    rows: int,
    profile: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Say where a number comes from: formula, view, column, field, record, offset, unit, manual.

    The name may also be VIEW.COLUMN or TABLE.COLUMN. A database or dumps add one worked example,
    from the bytes of the file to the number: the first row with a value that --where, --run,
    --system, --from and --to leave.

    \b
    Examples:
      imsperf explain rmf.device.resp_ms
      imsperf explain rmf.device.resp_ms smf.dump
      imsperf explain rmf.device.resp_ms --db runs.duckdb --where "volume = 'OLDS01'"
      imsperf explain ims_logger.wads_us --db runs.duckdb --run monday
      imsperf explain smf74_1_device.smf74cmr --db runs.duckdb --format json
    """
    from contextlib import nullcontext

    from imsperf import api
    from imsperf.reports.lineage.explanation import render

    with waiting(f"explain {name}"), api.connect(db) if db else nullcontext() as store:
        explanation = api.explain(
            name, store, where=where, run=run, system=system, start=since, end=to, rows=rows,
            profile=profile,
        )  # fmt: skip
    suffix = output.suffix.removeprefix(".").lower() if output else ""
    _write(render(explanation, fmt or (suffix if suffix in FORMS else "text")), output)


def _write(text: str, output: Path | None) -> None:
    """To the screen, or to a file."""
    if output is None:
        click.echo(text, nl=False)
        return
    with written_whole(output) as aside:
        aside.write_text(text, encoding="utf-8", newline="")
    note(f"wrote {output}")
