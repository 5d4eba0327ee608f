"""The page that a [page] in the header of a report declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from imsperf.reports.definition import PageSpec, PageTable
from imsperf.reports.numbers import visible
from imsperf.reports.page_parts import (
    Page,
    Row,
    cell,
    columns,
    ims_heading,
    lines,
    log_heading,
    rmf_heading,
    smf_heading,
    split,
)
from imsperf.reports.run import Result

_LEAD = ("run", "sysplex", "system", "interval_start", "interval_start_utc")


def declared_page(result: Result, spec: PageSpec) -> str:
    """Every page: a heading, then its tables that have rows, or its one row as a list."""
    pages, heading = _FORMS[spec.heading or _family(result)]
    body = _list if spec.form == "list" else _tables
    text = "\n".join(
        heading(result, spec, page) + body(result, spec, page) for page in pages(result, spec)
    )
    return text + (f"\n{spec.note}\n" if spec.note else "")


def _family(result: Result) -> str:
    """rmf and ims have headings of their own; all others that of SMF."""
    family = result.report.id.partition(".")[0]
    return family if family in _FORMS else "smf"


def _tables(result: Result, spec: PageSpec, page: Page) -> str:
    chosen = ((table, [row for row in page.rows if _is_of(table, row)]) for table in spec.tables)
    return "\n".join(_table(result, table, rows) for table, rows in chosen if rows)


def _table(result: Result, table: PageTable, rows: list[Row]) -> str:
    above = "".join(f"{line}\n" for line in (table.name, table.above) if line)
    return above + columns(result, rows, table.columns)


def _is_of(table: PageTable, row: Row) -> bool:
    return all(row[name] == value for name, value in table.where.items())


def _list(result: Result, spec: PageSpec, page: Page) -> str:
    """The columns of one row, a line each."""
    shown = [column for column in result.report.shown if column.name not in _LEAD]
    width = max(len(column.heading) for column in shown)
    body = [[column.heading, cell(result, page.rows[0], column.name)] for column in shown]
    return lines(f"-{width} 16", body)


# --- where a page begins, and what stands above it -----------------------------------------------


def _of_interval(result: Result, spec: PageSpec) -> Iterator[Page]:
    of_ims = ("ims",) if "ims" in result.report.names else ()
    return split(result, *of_ims, *spec.breaks, result.report.time)


def _of_log(result: Result, spec: PageSpec) -> Iterator[Page]:
    for _, rows in groupby(result.table.to_pylist(), key=lambda row: (row["run"], row["ims"])):
        yield Page(list(rows), {})


def _title(result: Result, spec: PageSpec, page: Page) -> str:
    """With the values of the columns that begin a page."""
    values = (visible(page.rows[0][name] or "-") for name in spec.breaks)
    return ", ".join([spec.title or result.report.title, *values])


def _rmf(result: Result, spec: PageSpec, page: Page) -> str:
    return rmf_heading(_title(result, spec, page), page)


def _ims(result: Result, spec: PageSpec, page: Page) -> str:
    return ims_heading(_title(result, spec, page), page)


def _smf(result: Result, spec: PageSpec, page: Page) -> str:
    about = "".join(f"{name.capitalize()} : {page.rows[0][name]}" for name in spec.breaks)
    return smf_heading(spec.title or result.report.title, page, about)


def _log(result: Result, spec: PageSpec, page: Page) -> str:
    return log_heading(_title(result, spec, page), page)


Pages = Callable[[Result, PageSpec], Iterator[Page]]
Heading = Callable[[Result, PageSpec, Page], str]
_FORMS: dict[str, tuple[Pages, Heading]] = {
    "rmf": (_of_interval, _rmf),
    "ims": (_of_interval, _ims),
    "smf": (_of_interval, _smf),
    "log": (_of_log, _log),
}
