"""One Excel workbook of a run: an index, native charts, what changed, a sheet for each report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from imsperf.errors import AbsentRecords
from imsperf.reports.catalog import catalog
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.filter import Filter
from imsperf.reports.html_page.condensed import Condensed, condensed
from imsperf.reports.html_page.timeline import FIGURES, Figure, figures_of
from imsperf.reports.lineage.columns import ratio_text
from imsperf.reports.numbers import visible
from imsperf.reports.run import no_rows, to_show
from imsperf.reports.taken import Taken, Together
from imsperf.reports.xlsx import cells, new_book, sheet_name

if TYPE_CHECKING:
    from imsperf.reports.comparison.compare import Comparison

MOST_ROWS = 100_000  # of a sheet, so that it opens in seconds; more are totals
ABOVE = 4  # lines of a sheet above its rows: title, question, way back, headings
MOST_SERIES = 12  # of a chart
_WIDEST = 42  # characters of a column
_PRINTED = 260  # characters across a printed page, which can still be read
_FIGURED = tuple(dict.fromkeys(figure.report for figure in FIGURES))
_SHADES = {  # of a verdict: fill, letters; dark on pale, told apart without colour by the word
    "better": ("#D6EBDD", "#0B5A2E"),
    "worse": ("#F9DCD8", "#8C1D10"),
    "differs": ("#FBEFCF", "#6B4E00"),
}


def write_workbook(
    con: duckdb.DuckDBPyConnection,
    keep: Filter,
    path: Path,
    *,
    reports: Sequence[str] = (),
    comparison: Comparison | None = None,
    together: Together | None = None,
) -> None:
    """Write the workbook of a run, with these `reports` or all that the records give; rows that
    `together` has are not asked again.

    Raises ReportError where nothing of the run can be shown or the file cannot be written.
    """
    run = keep.run or ""
    asked = [report for report, _ in to_show(con, keep, reports)]
    with Taken(con, keep, together) as taken:
        every = list({r.id: r for r in (*asked, *map(catalog().get, _FIGURED))}.values())
        made = dict(zip((r.id for r in every), taken.take(every, _made), strict=True))
    with new_book(path) as book:
        pages = _Sheets(book)
        index = pages.add("Index")
        index.set_column(0, 0, 28)
        index.set_column(1, 1, 46)
        index.set_column(2, 2, 80)
        index.set_column(3, 3, 12, pages.form("count"))
        index.write_string(0, 0, visible(f"Run {run}"), pages.form("title"))
        index.write_string(
            1, 0, "Times are local to each system. A name leads to its sheet.", pages.form("quiet")
        )
        for place, words in enumerate(("sheet", "report", "what it answers")):
            index.write_string(3, place, words, pages.form("heading"))
        index.write_string(3, 3, "rows", pages.form("heading of numbers"))
        index.freeze_panes(4, 0)
        index.hide_gridlines(2)
        index.set_landscape()
        index.fit_to_pages(1, 0)
        row = 4
        if comparison:
            name = _comparison(pages, comparison)
            _entry(pages, index, row, name, "What changed", "Better or worse than the base?")
            row += 1
        drawn = _figures(pages, [each for one in made.values() for each in one[1]])
        if drawn:
            _entry(pages, index, row, drawn, "Key figures", "How did the run go, over time?")
            row += 1
        first = row
        said: list[str] = []
        meanings: list[tuple[Report, ReportColumn]] = []
        for report in asked:
            shown, _ = made[report.id]
            if shown is None:
                continue
            name = _report(pages, shown)
            _entry(pages, index, row, name, report.title, report.answers, shown.rows)
            row += 1
            said += shown.result.remarks
            meanings += [(report, column) for column in report.shown]
        if row == first:
            raise no_rows(con, run)
        _entry(pages, index, row, _columns(pages, meanings), "Columns", "What does a column say?")
        for place, line in enumerate(dict.fromkeys(said)):
            index.write_string(row + 2 + place, 0, visible(line), pages.form("quiet"))


@dataclass
class _Sheets:
    """A workbook with the names of its sheets and its formats, each once."""

    book: Any

    def __post_init__(self) -> None:
        self.used: set[str] = set()
        words = {"align": "left", "indent": 1}  # apart from numbers beside them
        heading = {"bold": True, "bottom": 1, "text_wrap": True, "bg_color": "#E8EDF3"}
        self.forms = {
            name: self.book.add_format({"valign": "top"} | given)
            for name, given in dict[str, dict[str, Any]]({
                "title": {"bold": True, "font_size": 14},
                "quiet": {"italic": True, "font_color": "#555555"},
                "link": {"font_color": "#0B57A4", "underline": 1},
                "heading": heading,
                "heading of words": heading | words,
                "heading of numbers": heading | {"align": "right"},
                "wrap": {"text_wrap": True},
                "time": {"num_format": "yyyy-mm-dd hh:mm:ss"} | words,
                "count": {"num_format": "#,##0"},
                "text": {"num_format": "@"} | words,
                "signed": {"num_format": "+0.0;-0.0;0.0"},
                "mixed": {"num_format": "[=0]0;[<1]0.0000##;#,##0.00"},  # rows of many units
                **{f"number{n}": {"num_format": "#,##0." + "0" * n} for n in range(1, 7)},
            }).items()
        }  # fmt: skip

    def form(self, name: str) -> Any:
        return self.forms[name]

    def add(self, name: str) -> Any:
        return self.book.add_worksheet(sheet_name(name, self.used))


def _entry(
    pages: _Sheets,
    index: Any,
    row: int,
    name: str,
    title: str,
    answers: str,
    rows: int | None = None,
) -> None:
    index.write_url(row, 0, f"internal:'{name}'!A1", pages.form("link"), name)
    index.write_string(row, 1, title)
    index.write_string(row, 2, answers)
    if rows is not None:
        index.write_number(row, 3, rows)


# --- a report ------------------------------------------------------------------------------------


def _made(taken: Taken, report: Report) -> tuple[Condensed | None, list[tuple[Figure, pa.Table]]]:
    """What the workbook has of a report: its sheet, None without rows; and its key figures."""
    drawn = list(figures_of(taken, report))
    try:
        shown = condensed(taken, report, MOST_ROWS)
    except AbsentRecords:
        return None, drawn
    taken.drop(report)
    return (shown if shown.result.table.num_rows else None), drawn


def _report(pages: _Sheets, given: Condensed) -> str:
    """Write the sheet of a report, and return its name."""
    report, note = given.result.report, given.note
    sheet = pages.add(report.id)
    _head(pages, sheet, report.title, f"{report.answers} {note}".strip())
    shown = [column for column in report.shown if column.name != "run"]
    table = given.result.table.select([column.name for column in shown])
    _rows(pages, sheet, iter([table]), [_heading(column) for column in shown])
    named = [column.kind in ("attribute", "time") for column in shown]
    keys = named.index(False) if False in named else 0
    sheet.freeze_panes(ABOVE, min(keys, 4))
    if keys:  # on each page that is printed
        sheet.repeat_columns(0, min(keys, 8) - 1)
    return str(sheet.get_name())


def _heading(column: ReportColumn) -> str:
    return f"{column.heading}\n[{column.unit}]" if column.unit else column.heading


def _head(pages: _Sheets, sheet: Any, title: str, answers: str) -> None:
    sheet.write_string(0, 0, visible(title), pages.form("title"))
    sheet.write_string(1, 0, visible(answers), pages.form("quiet"))
    sheet.write_url(2, 0, "internal:'Index'!A1", pages.form("link"), "Index")
    sheet.hide_gridlines(2)
    sheet.set_landscape()
    sheet.repeat_rows(ABOVE - 1)


def _rows(
    pages: _Sheets,
    sheet: Any,
    tables: Iterator[pa.Table],
    headings: Sequence[str],
    forms: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Typed rows below their headings, with widths and filters; how many there are.

    `forms`: the format of a column by its name, where it is not that of its middle value.
    """
    row, letters = ABOVE, 0
    lines = max(heading.count("\n") + 1 for heading in headings)
    sheet.set_row(ABOVE - 1, 15 * lines)
    for table in tables:
        if row == ABOVE:
            for place, heading in enumerate(headings):
                column = table.column(place)
                wide = max(*(len(line) for line in heading.split("\n")), _width(column)) + 2
                name = table.column_names[place]
                form = forms.get(name) or _form(column)
                wide = min(max(wide, 8), _WIDEST)
                letters += wide
                sheet.set_column(place, place, wide, pages.form(form))
                above = "words" if form in ("text", "time") else "numbers"
                sheet.write_string(ABOVE - 1, place, heading, pages.form(f"heading of {above}"))
        for values in zip(*(_values(column) for column in table.columns), strict=True):
            sheet.write_row(row, 0, values)
            row += 1
    sheet.autofilter(ABOVE - 1, 0, row - 1, len(headings) - 1)
    sheet.fit_to_pages(max(1, ceil(letters / _PRINTED)), 0)
    return row - ABOVE


_DAY_ZERO = datetime(1899, 12, 30)  # of Excel's days; exact from March 1900
_OLDEST = datetime(1900, 3, 1)
_NEWEST = datetime(9999, 12, 31)


def _values(column: pa.ChunkedArray) -> list[Any]:
    """Cells; a time that Excel knows is its number of days, made without a step for each."""
    if not kinds.is_timestamp(column.type):
        return cells(column)
    plain = column.cast(pa.timestamp("us", column.type.tz)).cast(pa.timestamp("us"))
    ends = pc.min_max(plain).as_py() if plain.null_count < len(plain) else None
    if ends and not (ends["min"] >= _OLDEST and ends["max"] < _NEWEST):
        return cells(column)
    micros = pc.subtract(
        plain.cast(pa.int64()), pa.scalar(_DAY_ZERO, pa.timestamp("us")).cast("int64")
    )
    return list(pc.divide(pc.cast(micros, pa.float64()), 86_400e6).to_pylist())


def _form(column: pa.ChunkedArray) -> str:
    """The number format of a column: about four digits of its middle value."""
    if kinds.is_timestamp(column.type):
        return "time"
    if kinds.is_integer(column.type):
        return "count"
    if not (kinds.is_floating(column.type) or kinds.is_decimal(column.type)):
        return "text"
    sizes = pc.abs(pc.cast(column, pa.float64()))
    middle = pc.quantile(sizes.filter(pc.greater(sizes, 0)), 0.5)[0].as_py()
    if middle is None or middle != middle:
        return "number2"
    steps = ((1000, 1), (1, 2), (0.1, 3), (0.01, 4), (0.001, 5))
    return next((f"number{n}" for least, n in steps if middle >= least), "number6")


def _width(column: pa.ChunkedArray) -> int:
    """Characters that its values take, of the first hundred rows."""
    if kinds.is_timestamp(column.type):
        return 19
    if kinds.is_floating(column.type) or kinds.is_integer(column.type):
        return 9
    return max((len(str(value)) for value in column.slice(0, 100).to_pylist() if value), default=4)


# --- key figures and their charts ----------------------------------------------------------------


def _figures(pages: _Sheets, drawn: Sequence[tuple[Figure, pa.Table]]) -> str:
    """A sheet of line charts, and behind it the numbers they are of; the name of the first."""
    if not drawn:
        return ""
    charts, numbers = pages.add("Charts"), pages.add("Key figures")
    _head(pages, charts, "Key figures", "How did the run go, over time?")
    charts.set_portrait()
    charts.fit_to_pages(1, 1)
    _head(pages, numbers, "Key figures", "The numbers behind the charts, one row an interval.")
    wide, lines = _wide([(figure.label, table) for figure, table in drawn])
    units = {figure.label: figure.unit for figure, _ in drawn}
    heads = ["local time"]
    heads += [
        visible(f"{label} {system}".strip()) + (f"\n[{units[label]}]" if units[label] else "")
        for label, system in lines
    ]
    count = _rows(pages, numbers, iter([wide]), heads)
    numbers.freeze_panes(ABOVE, 1)
    name = numbers.get_name()
    ends = pc.min_max(wide["began"]).as_py()
    clock = "mm-dd hh:mm" if ends["max"] - ends["min"] > timedelta(days=1) else "hh:mm:ss"
    for place, (figure, _) in enumerate(drawn):
        chart = pages.book.add_chart({"type": "line"})
        own = [n for n, (label, _) in enumerate(lines, 1) if label == figure.label]
        for n in own[:MOST_SERIES]:
            chart.add_series(
                {
                    "name": visible(lines[n - 1][1] or figure.label),
                    "categories": [name, ABOVE, 0, ABOVE + count - 1, 0],
                    "values": [name, ABOVE, n, ABOVE + count - 1, n],
                    "line": {"width": 1.75},
                    "marker": {"type": "circle", "size": 3},
                }
            )
        left = f" ({MOST_SERIES} of {len(own)} systems)" if len(own) > MOST_SERIES else ""
        chart.set_title({"name": figure.label + left, "name_font": {"size": 12}, "overlay": False})
        chart.set_y_axis(
            {
                "name": figure.unit,
                "min": 0,
                "major_gridlines": {"visible": True, "line": {"color": "#DDDDDD"}},
            }
        )
        chart.set_x_axis({"text_axis": True, "num_format": clock, "num_font": {"rotation": -45}})
        chart.show_blanks_as("gap")
        chart.set_legend({"none": True} if len(own) == 1 else {"position": "bottom"})
        chart.set_size({"width": 620, "height": 290})
        charts.insert_chart(3 + (place // 2) * 15, (place % 2) * 10, chart)
    return str(charts.get_name())


def _wide(given: Sequence[tuple[str, pa.Table]]) -> tuple[pa.Table, list[tuple[str, str]]]:
    """A row for each time, a column for each figure of each system, and what these are."""
    times = pc.unique(pa.chunked_array([c for _, t in given for c in t["began"].chunks]))
    wide = pa.table({"began": times.sort()})
    lines: list[tuple[str, str]] = []
    for label, table in given:
        for system in pc.unique(table["system"]).to_pylist():
            of = table.filter(pc.equal(table["system"], system)) if system else table
            found = pc.index_in(wide["began"], of["began"].combine_chunks())
            wide = wide.append_column(f"c{len(lines)}", pc.take(of["value"], found))
            lines.append((label, system or ""))
    began = pc.strptime(wide["began"], "%Y-%m-%dT%H:%M:%S", "us")
    return wide.set_column(0, "began", began), lines


# --- what changed, and what columns say ----------------------------------------------------------


def _comparison(pages: _Sheets, comparison: Comparison) -> str:
    """All rows of a comparison, what changed most first, each coloured by its verdict."""
    from imsperf.reports.comparison.causes import causes_of
    from imsperf.reports.comparison.summary import excursion_lines, sentence

    sheet = pages.add("What changed")
    below = " ".join([*excursion_lines(comparison), comparison.caution]).strip()
    _head(pages, sheet, sentence(comparison, causes_of(comparison.table)), below)
    names = [
        "verdict", "report", "key", "column", "unit", "base", "candidate", "delta_pct",
        "ci_low_pct", "ci_high_pct", "note",
    ]  # fmt: skip
    table = comparison.table.select(names)
    heads = [
        "verdict", "report", "key", "column", "unit", "base", "candidate", "change\n[%]",
        "95 % from\n[%]", "95 % to\n[%]", "note",
    ]  # fmt: skip
    percents = names[7:10]
    forms = {"base": "mixed", "candidate": "mixed"} | dict.fromkeys(percents, "signed")
    rows = _rows(pages, sheet, iter([table]), heads, forms)
    last = max(ABOVE, ABOVE + rows - 1)
    huge = pages.book.add_format({"num_format": "+0.0E+00"})
    sheet.conditional_format(
        ABOVE, 7, last, 9,
        {"type": "cell", "criteria": ">=", "value": 100_000, "format": huge},
    )  # fmt: skip
    sheet.freeze_panes(ABOVE, 4)
    for verdict, (fill, letters) in _SHADES.items():
        shade = pages.book.add_format({"bg_color": fill, "font_color": letters})
        sheet.conditional_format(
            ABOVE, 0, last, len(names) - 1,
            {"type": "formula", "criteria": f'=$A{ABOVE + 1}="{verdict}"', "format": shade},
        )  # fmt: skip
    return str(sheet.get_name())


def _columns(pages: _Sheets, given: Sequence[tuple[Report, ReportColumn]]) -> str:
    sheet = pages.add("Columns")
    _head(pages, sheet, "Columns", "What each column says, its unit, and what a ratio is made of.")
    made = {
        "report": [report.id for report, _ in given],
        "column": [column.name for _, column in given],
        "heading": [column.heading for _, column in given],
        "unit": [column.unit for _, column in given],
        "better": [column.better for _, column in given],
        "meaning": [column.doc for _, column in given],
        "made of": [ratio_text(column) if column.num else "" for _, column in given],
    }
    _rows(pages, sheet, iter([pa.table(made)]), list(made))
    sheet.freeze_panes(ABOVE, 2)
    return str(sheet.get_name())
