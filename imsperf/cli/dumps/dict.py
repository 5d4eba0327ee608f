"""imsperf dict."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import completing, layouts_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show, show_pieces

_MOST = 8  # columns of reports that are named


@click.command()
@click.argument("name", required=False, shell_complete=completing("table"))
@click.option("--write", is_flag=True, help="Write sql/DICTIONARY.md of this installation.")
@click.option(
    "--views",
    is_flag=True,
    help="Print SQL that makes the reports, or the one NAME, views of any DuckDB client.",
)
@layouts_option
@output_options
def command(
    name: str | None, write: bool, views: bool, fmt: str | None, output: Path | None
) -> None:
    """Look up a table, field, report or report column: place, kind, unit, meaning, source.

    NAME is a table, a view, a report, TABLE.COLUMN, a column, a record such as 70.1 or 4507, or a
    word of a meaning; without NAME, all. A name of MXG, of RMF's overview or of IBM SMF Explorer
    finds the column that has the same. Fields whose place nobody has published are listed with
    their source, and `located` is false.

    \b
    Examples:
      imsperf dict smf74_1_device
      imsperf dict smf70pdt
      imsperf dict rmf.device
      imsperf dict CPITCBTM
      imsperf dict -o dictionary.csv
      imsperf dict --views -o reports.sql
    """
    if views:
        from imsperf.reports.catalog import catalog
        from imsperf.reports.views import temporary_views

        wanted = [catalog().get(name)] if name else catalog()
        show_pieces(iter([temporary_views(wanted).encode()]), output)
        return
    if write:
        from imsperf import layouts
        from imsperf.dictionary.page import page, path

        with layouts.using(layouts.SHIPPED):  # the page is about ours
            path().write_text(page(), encoding="utf-8", newline="\n")
        note(f"wrote {path()}")
        return
    from imsperf import api

    found = api.dictionary(name)
    show(found, fmt, output)
    if name and "report" not in found.column_names:
        _say_headed(name)


def _say_headed(word: str) -> None:
    """Which columns reports print under it, beside the fields that were found."""
    from imsperf.reports.catalog import catalog
    from imsperf.reports.lineage.columns import headed

    known = [f"{report.id}.{name}" for report, names in headed(word, catalog()) for name in names]
    more = f" and {len(known) - _MOST:,} more" if len(known) > _MOST else ""
    if known:
        note(f"printed under that heading: {', '.join(known[:_MOST])}{more}")
