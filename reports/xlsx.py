"""Excel workbooks: typed cells, one sheet a table. The only module that imports xlsxwriter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from imsperf.errors import ReportError
from imsperf.reports.numbers import python_values, values

MAX_ROWS = 1_048_575  # and one row of headings
_OPTIONS = {
    # text stays text, whatever it begins with
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "default_date_format": "yyyy-mm-dd hh:mm:ss",
    "remove_timezone": True,
}


def write_sheets(sheets: Sequence[tuple[str, pa.Table]], path: Path) -> None:
    """One workbook. Raises ReportError where a table is longer than a sheet can be."""
    for name, table in sheets:
        if table.num_rows > MAX_ROWS:
            raise ReportError(
                f"{path}: {name} has {table.num_rows:,} rows, a sheet holds {MAX_ROWS:,}",
                "narrow it with --system, --from and --to, or write parquet",
            )
    book = xlsxwriter.Workbook(str(path), _OPTIONS)
    heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    used: set[str] = set()
    for name, table in sheets:
        _sheet(book.add_worksheet(_sheet_name(name, used)), table, heading)
    try:
        book.close()
    except FileCreateError as error:
        raise ReportError(
            f"{path}: cannot be written: {error}", "check the folder and the room on the disk"
        ) from error


def _sheet(sheet: Any, table: pa.Table, heading: Any) -> None:
    for place, name in enumerate(table.column_names):
        sheet.write_string(0, place, name, heading)
        sheet.set_column(place, place, min(max(len(name), 10), 30))
        sheet.write_column(1, place, _cells(table[name]))
    sheet.freeze_panes(1, 0)
    if table.num_rows and table.num_columns:
        sheet.autofilter(0, 0, table.num_rows, table.num_columns - 1)


def _cells(column: pa.ChunkedArray) -> list[Any]:
    """Numbers and times keep their type; integers past 2^53 and what Excel lacks become text."""
    if pa.types.is_timestamp(column.type):
        return python_values(column.cast(pa.timestamp("us")))
    return [_cell(value) for value in values(column)]


def _cell(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return str(value) if isinstance(value, (list, dict)) else value


def _sheet_name(name: str, used: set[str]) -> str:
    """At most 31 letters, none of []:*?/\\, once in the workbook."""
    base = re.sub(r"[\[\]:*?/\\]", "_", name)[:31].strip("'") or "sheet"
    unused, number = base, 1
    while unused.lower() in used:
        number += 1
        unused = f"{base[:27]} {number}"
    used.add(unused.lower())
    return unused
