"""imsperf findings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import named, selection_options, source_option, tod_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show, tell_lines, text_width, waiting

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@source_option()
@click.option("--all", "every", is_flag=True, help="All findings, not the first ten.")
@click.option(
    "--site",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A TOML file with limits of your own; [RULE] with limits, severity, ignore, off.",
)
@tod_option
@selection_options
@output_options
def command(
    db: Source,
    every: bool,
    site: Path | None,
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
    tod: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Say what stands out, worst first, with the evidence and what would overrule it.

    \b
    Examples:
      imsperf findings --db runs.duckdb
      imsperf findings --db runs.duckdb --run monday --all
      imsperf findings monday/smf.dump monday/ims.log
      imsperf findings --db runs.duckdb --site our-limits.toml -o findings.csv
    """
    from imsperf.api import findings
    from imsperf.reports.findings.findings import SHOWN
    from imsperf.reports.findings.text import WIDTH, tested, text

    with waiting("test the rules"):
        done = findings(db, run=run, system=system, start=since, end=to, tod=tod, site=site)
    shown = done.table if every else done.table.slice(0, SHOWN)
    if output is None and fmt in (None, "text"):
        tell_lines(text(shown, named(db), text_width(WIDTH)))
    else:
        show(shown, fmt, output)
    if left := done.table.num_rows - shown.num_rows:
        note(f"{left:,} more findings: --all shows them")
    note(tested(done))
    if not done.table.num_rows:
        note("what lasts for most of the run is usual here; `imsperf compare` holds it to another")
