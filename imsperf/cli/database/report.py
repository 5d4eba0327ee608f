"""imsperf report."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.defaults import is_default
from imsperf.cli.options import (
    LEFT_OUT,
    completing,
    no_source,
    pairs,
    reports_option,
    seconds,
    selection_options,
    source_option,
    tod_option,
    top_options,
)
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show, show_pieces, text_width

if TYPE_CHECKING:
    import pyarrow as pa

    from imsperf.asking import ReportOptions
    from imsperf.reports.run import Result
    from imsperf.sources import Source


RMF_XML = "rmfxml"
_FIRST = "imsperf.report.first_word"


class _Command(click.Command):
    """`report ID --help` is about that report."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_FIRST] = args[0] if args else "-"
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        name = ctx.meta[_FIRST]
        if name.startswith("-"):
            super().format_help(ctx, formatter)
            return
        from imsperf.reports.catalog import catalog
        from imsperf.reports.lineage.explanation import guide

        formatter.write(guide(catalog().get(name)))


@click.command(cls=_Command)
@click.argument("report_id", metavar="[ID]", required=False, shell_complete=completing("report"))
@source_option("report_id", required=False)
@click.option(
    "--param", "parameters", multiple=True, metavar="KEY=VALUE", help="A parameter of it."
)
@click.option(
    "--conditions",
    metavar="LIST",
    help="Of rmf.overview and rmf.exceptions: CPUBSY,EXVEL(S.IMSHIGH) and CPUBSY>90.",
)
@click.option(
    "--interval",
    type=seconds,
    metavar="TIME",
    help="Longer intervals, from sums, cut from local midnight: 30m, 1h, 1d.",
)
@click.option("--total", is_flag=True, help="One row for the whole run, from sums.")
@top_options
@click.option(
    "--fields",
    default="",
    metavar="LIST",
    help="Of ims.transit: tran,total:p95,cpu:avg; --by tran,hour then names the groups.",
)
@click.option(
    "--where", default="", metavar="EXPR", help="Only rows of which an SQL condition holds."
)
@click.option(
    "--sort",
    default="",
    metavar="COLUMN[:asc]",
    help="Order within each interval, largest first; several with commas. --top goes by the first.",
)
@tod_option
@reports_option
@click.option(
    "--page",
    is_flag=True,
    help="All that RMF prints together with it, numbered: rmf.cpu with partitions and queues.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Test ID, or all of --reports, or all: rows, ratios, page. Exit code 3 where one fails.",
)
@selection_options
@partial(output_options, more={RMF_XML: ".xml"})
def command(
    report_id: str | None,
    db: Source | None,
    parameters: tuple[str, ...],
    conditions: str | None,
    interval: float | None,
    total: bool,
    top: int | None,
    by: str | None,
    fields: str,
    where: str,
    sort: str,
    tod: str | None,
    page: bool,
    check: bool,
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Print a report; without ID, the list of reports; ID --help says how to read it.

    The list says of a database or dumps which reports have records there.

    Text is laid out as RMF and IMSPA readers know it; csv and json hold every column at full
    precision.

    \b
    Examples:
      imsperf report
      imsperf report --db runs.duckdb
      imsperf report rmf.device --help
      imsperf report rmf.device smf.dump
      imsperf report rmf.device --db runs.duckdb --run monday
      imsperf report rmf.device --db runs.duckdb --total --top 10 --by resp_ms
      imsperf report rmf.device --db runs.duckdb --where "resp_ms > 2" --sort resp_ms --top 5
      imsperf report ims.transit --db runs.duckdb --fields tran,total:p95,cpu --by tran,hour
      imsperf report ims.fixed_pools --db runs.duckdb -o pools.csv
      imsperf report rmf.cpu --db runs.duckdb --page
      imsperf report rmf.cpu --db runs.duckdb --format rmfxml -o CPU.xml
      imsperf report rmf.cpu --db runs.duckdb --interval 1d --tod 09:00-17:00
      imsperf report --db runs.duckdb --reports my-reports --check
      imsperf report rmf.exceptions --db runs.duckdb --conditions "CPUBSY>90"
    """
    from imsperf import api
    from imsperf.reports.catalog import catalog, shipped

    if interval and total and is_default("total"):
        total = False  # of the file: words of the command line come first
    elif interval and total and is_default("interval"):
        interval = None
    if interval and total:
        raise click.UsageError("found --interval and --total, expected one of them")
    if by and not top and not fields:
        raise click.UsageError(
            f"found --by without --top, expected both; --sort {by} sorts all rows"
        )
    xml = fmt == RMF_XML or (fmt is None and output is not None and output.suffix == ".xml")
    if xml and (report_id is None or interval or total or top or parameters or check):
        raise click.UsageError("rmfxml is of rmf.cpu or rmf.partition, of intervals as recorded")
    is_text = fmt == "text" or (fmt is None and (output is None or output.suffix == ".txt"))
    if page and not is_text:
        raise click.UsageError("found --page and a format, expected pages as text (-o FILE.txt)")
    if page and (
        report_id is None or top or parameters or conditions or fields or where or sort or check
    ):
        raise click.UsageError("--page prints all rows of a report: it goes with no choice of rows")
    if db is None and report_id is None and not check:
        _show_list(api.reports(), fmt, output)
        return
    if db is None:
        raise no_source()
    keep: ReportOptions = {"run": run, "system": system, "start": since, "end": to, "tod": tod}
    every = timedelta(seconds=interval) if interval else None
    options: ReportOptions = {**keep, "every": every, "total": total}
    with api.connect(db, bounded=True) as store:
        if xml:
            show_pieces(api.rmf_xml(store, str(report_id), **keep), output)
            return
        if page:
            pages = api.printed_pages(store, str(report_id), **options)
            show_pieces((text.encode() for text in pages), output, paged=True)
            return
        if check:
            if report_id is None and catalog().reports.keys() == shipped().reports.keys():
                _check_left_out()  # of a folder where none can be read: else all of ours are tested
            _check(api.check_reports(store, report_id, run=run), fmt, output)
            return
        if report_id is None:
            _show_list(api.reports(store), fmt, output)
            return
        given = pairs(parameters) | ({"conditions": conditions} if conditions is not None else {})
        options |= {"top": top, "by": by, "fields": fields, "where": where, "sort": sort}
        parts = api.report_parts(store, report_id, given, **options)
        if top and not by and not sort and (ranked := catalog().get(report_id).ranked_by):
            note(f"--top goes by {ranked}; --by names another column")
        show(parts if is_text and output is None else _noted(parts), fmt, output)


def _noted(parts: Iterator[Result]) -> Iterator[Result]:
    """The same; why there are no rows is said, which on the screen stands in the text."""
    for part in parts:
        if part.note:
            note(part.note)
        yield part


def _show_list(reports: pa.Table, fmt: str | None, output: Path | None) -> None:
    """Text is for people; other forms have all columns."""
    if output is None and fmt in (None, "text"):
        from imsperf.reports.text import LIST_WIDTH, listing

        show_pieces(iter([listing(reports, text_width(LIST_WIDTH)).encode()]), None, paged=True)
        return
    show(reports, fmt, output)


def _check(found: pa.Table, fmt: str | None, output: Path | None) -> None:
    """What is wrong; what was not tested is only said."""
    from imsperf.errors import CheckFailed
    from imsperf.reports.checking import NOT_TESTED

    wrong = [row["report"] for row in found.to_pylist() if row["check"] != NOT_TESTED]
    show(found, fmt, output)
    if wrong:
        raise CheckFailed(f"reports in which something is wrong: {', '.join(dict.fromkeys(wrong))}")
    _check_left_out()


def _check_left_out() -> None:
    """An error where a file of --reports could not be read."""
    from imsperf.errors import CheckFailed

    if left_out := click.get_current_context().meta.get(LEFT_OUT):
        raise CheckFailed(f"reports that cannot be read: {left_out:,}")
