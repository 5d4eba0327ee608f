"""Excel workbooks: typed cells, one sheet a table. The only module that imports xlsxwriter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from imsperf.errors import ReportError
from imsperf.output_files import cannot_write, written_whole
from imsperf.reports.numbers import python_values, values

MAX_ROWS = 1_048_575  # and one row of headings
_OPTIONS = {
    # text stays text, whatever it begins with
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "default_date_format": "yyyy-mm-dd hh:mm:ss",
    "remove_timezone": True,
    "constant_memory": True,
}


@contextmanager
def new_book(path: Path) -> Iterator[Any]:
    """An XlsxWriter workbook that is written to the disk as its rows come, and at the end closed.

    Raises OutputError where it cannot be written, and ReportError where what it holds raises one;
    then there is none.
    """
    with written_whole(path) as aside:
        book = xlsxwriter.Workbook(str(aside), _OPTIONS)
        try:
            yield book
        except ReportError as error:
            raise ReportError(f"{path}: {error.message}", error.hint) from None
        try:
            book.close()
        except FileCreateError as error:
            raise cannot_write(path, error.args[0]) from error


def write_sheets(sheets: Sequence[tuple[str, Iterable[pa.Table]]], path: Path) -> None:
    """One workbook, each sheet of tables with the same columns, at least one.

    Rows go to the disk as they come. Raises ReportError where there are more than a sheet holds;
    then there is no workbook.
    """
    used: set[str] = set()
    with new_book(path) as book:
        heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        for name, tables in sheets:
            _sheet(book.add_worksheet(sheet_name(name, used)), tables, heading)


def _sheet(sheet: Any, tables: Iterable[pa.Table], heading: Any) -> None:
    row, columns = 0, 0
    for table in tables:
        if not row:
            columns = table.num_columns
            for place, name in enumerate(table.column_names):
                sheet.set_column(place, place, min(max(len(name), 10), 30))
                sheet.write_string(0, place, name, heading)
            sheet.freeze_panes(1, 0)
            row = 1
        if row - 1 + table.num_rows > MAX_ROWS:
            raise ReportError(
                f"{sheet.get_name()} has more rows than the {MAX_ROWS:,} of a sheet",
                "narrow it with --system, --from and --to, or write parquet",
            )
        for values_of_row in zip(*(cells(column) for column in table.columns), strict=True):
            sheet.write_row(row, 0, values_of_row)
            row += 1
    if row > 1 and columns:
        sheet.autofilter(0, 0, row - 1, columns - 1)


def cells(column: pa.ChunkedArray) -> list[Any]:
    """Numbers and times keep their type; integers past 2^53 and what Excel lacks become text."""
    if pa.types.is_timestamp(column.type):
        return python_values(column.cast(pa.timestamp("us")))
    return [_cell(value) for value in values(column)]


def _cell(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return str(value) if isinstance(value, (list, dict)) else value


def sheet_name(name: str, used: set[str]) -> str:
    """At most 31 letters, none of []:*?/\\, once in the workbook."""
    base = re.sub(r"[\[\]:*?/\\]", "_", name)[:31].strip("'") or "sheet"
    unused, number = base, 1
    while unused.lower() in used:
        number += 1
        unused = f"{base[:27]} {number}"
    used.add(unused.lower())
    return unused
