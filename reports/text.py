"""Plain text: a table of any rows, and the page of a report where one is known of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import fill, indent

import pyarrow as pa

from imsperf import layouts
from imsperf.layout import PROJECT_DEFINED
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.numbers import formatter, plain, python_values, visible
from imsperf.reports.pages import declared_page, metrics_page
from imsperf.reports.run import Result

_MARKUP = re.compile(r"[\\`|*~\[\]$]|\b_|_\b")  # an underscore inside a word is none
SUSPECT = (
    "loaded, though lost data may be in them; SELECT * FROM load_problem WHERE severity = 'suspect'"
)
OWN_PAGES = {"run.metrics": metrics_page}  # laid out by what there is
LIST_WIDTH, PAGE_WIDTH = 100, 132
OWN_PAGE = "ours"  # the layout of a page of which no print was seen
NUMERIC = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)


def render(result: Result, form: str = "page") -> str:
    """A report as text: "page" as RMF or IMSPA print it if we know how, "table" one line a row."""
    if not result.table.num_rows:
        return (
            f"{result.report.title}: no rows" + (f" ({result.note})" if result.note else "") + "\n"
        )
    return body(result, form) + footer(result)


def body(result: Result, form: str = "page") -> str:
    """`render` without what is said below all pages."""
    return _page(result) if form == "page" else report_table(result)


def has_page(report: Report) -> bool:
    """Whether it is printed in a form of its own, not as the plain table."""
    return report.page is not None or report.id in OWN_PAGES


def _page(result: Result) -> str:
    """The page its header declares, its own, or the plain table."""
    report = result.report
    if report.page:
        return declared_page(result, report.page)
    return OWN_PAGES.get(report.id, report_table)(result)


def report_table(result: Result) -> str:
    """The shown columns of a report, numbers in the form of their column."""
    columns = [column for column in result.report.shown if column.name != "interval_start_utc"]
    cells = [cell_texts(result.table[c.name], c.format, empty=_empty(c)) for c in columns]
    right = [is_number(result.table[column.name].type) for column in columns]
    title = f"{result.report.title}\n{result.report.answers}\n\n"
    return title + lay_out([column.name for column in columns], cells, right)


def _empty(column: ReportColumn) -> str:
    return column.empty if column.kind == "ratio" and column.empty else "-"


def listing(rows: pa.Table, width: int = LIST_WIDTH) -> str:
    """The reports a database gives, with what they answer, then those it lacks records of; all
    where no database was asked."""
    given = [row for row in rows.to_pylist() if row.get("lacks") is None]
    others = [row for row in rows.to_pylist() if row.get("lacks") is not None]
    wide = max(len(name) for name in rows["id"].to_pylist())
    is_asked = "lacks" in rows.column_names
    text = f"{len(given)} of {rows.num_rows} reports have records here.\n\n" if is_asked else ""
    for row in given:
        words = fill(row["answers"], width - wide - 4)
        text += f"{row['id']:<{wide}}  {row['title']}\n{indent(words, ' ' * (wide + 4))}\n"
    if others:
        text += "\nThese lack the records beside them:\n\n"
    for row in others:
        words = fill(row["lacks"].replace("type ", ""), width - wide - 2)
        text += f"{row['id']:<{wide}}  {indent(words, ' ' * (wide + 2)).strip()}\n"
    return text


def table(rows: pa.Table, *, limit: int | None = None) -> str:
    """Any Arrow table, one line a row; `limit` leaves out the rest and says how many."""
    shown = rows if limit is None else rows.slice(0, limit)
    cells = [cell_texts(column) for column in shown.columns]
    right = [is_number(field.type) for field in rows.schema]
    text = lay_out([visible(name) for name in rows.column_names], cells, right)
    left = rows.num_rows - shown.num_rows
    return text + (f"... and {left:,} more rows\n" if left else "")


def markdown(rows: pa.Table, heads: bool = True) -> str:
    """A Markdown table, or more rows of one; what Markdown would take for its own is escaped."""
    cells = [[_markdown(v) for v in cell_texts(column, empty="")] for column in rows.columns]
    right = [is_number(field.type) for field in rows.schema]
    rule = ["---:" if number else "---" for number in right]
    above = [[_markdown(name) for name in rows.column_names], rule] if heads else []
    lines = [*above, *map(list, zip(*cells, strict=True))]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _markdown(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", text).replace("&", "&amp;").replace("<", "&lt;")


def cell_texts(column: pa.ChunkedArray, form: str = "", empty: str = "-") -> list[str]:
    """The values of a column as text."""
    write = formatter(form) if form and is_number(column.type) else plain
    return [empty if value is None else write(value) for value in python_values(column)]


def lay_out(heads: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Columns padded to the widest cell; numbers to the right."""
    widths = [max([len(h), *map(len, c)]) for h, c in zip(heads, cells, strict=True)]
    padded = [
        [v.rjust(w) if r else v.ljust(w) for v in (head, "-" * w, *column)]
        for head, column, w, r in zip(heads, cells, widths, right, strict=True)
    ]
    return "".join("  ".join(line).rstrip() + "\n" for line in zip(*padded, strict=True))


def is_number(kind: pa.DataType) -> bool:
    """A column that is set to the right."""
    return any(test(kind) for test in NUMERIC)


def suspect_line(*counts: int) -> str:
    """What is said below numbers that suspect records may be in: of a run, or of each of two."""
    words = " and ".join(f"{count:,}" for count in counts)
    return f"\n{words} suspect record{'s' * (counts != (1,))}: {SUSPECT}\n" if any(counts) else ""


def footer(result: Result) -> str:
    """What is said below all pages."""
    said = [  # names of runs are somebody else's
        fill(visible(words), PAGE_WIDTH, break_on_hyphens=False) for words in result.remarks
    ]
    remarks = "".join(f"\n{line}" for line in said) + ("\n" if said else "")
    return (
        _own_page(result.report)
        + _own_layouts(result.report)
        + remarks
        + suspect_line(result.suspect)
    )


def _own_page(report: Report) -> str:
    """Tells readers of RMF or IMSPA listings not to look for this page there."""
    is_ours = report.page is not None and report.page.layout == OWN_PAGE
    return f"\nlayout ours: no printed page of {report.id} was seen\n" if is_ours else ""


def _own_layouts(report: Report) -> str:
    """Names the tables whose layout is the project's own, so that nobody takes it for IBM's."""
    if report.is_of_any_record:  # of which it reads what IBM documents: code, time and number
        return ""
    tables = (layouts.table(name) for name in report.needs if layouts.has_table(name))
    names = sorted(t.name for t in tables if t.section.confidence == PROJECT_DEFINED)
    words = f"project-defined layout, not IBM's: {', '.join(names)}"
    return f"\n{fill(words, PAGE_WIDTH, break_on_hyphens=False)}\n" if names else ""
