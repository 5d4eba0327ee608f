"""Rows for programs: csv, json, md, html, xlsx, parquet; all start from the same Arrow table.

Values keep full precision; NULL is an empty field in csv, null in json. Text that came out of a
dump is data, never markup or a formula: html escapes it, csv puts an apostrophe before what a
spreadsheet would run.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from imsperf.errors import ReportError, near
from imsperf.reports import text
from imsperf.reports.comparison.compare import Comparison
from imsperf.reports.comparison.summary import comparison_text
from imsperf.reports.csv_text import csv_pieces
from imsperf.reports.numbers import values, visible
from imsperf.reports.run import Result

FORMATS = ("text", "md", "csv", "json", "html", "xlsx", "parquet")
BINARY = ("xlsx", "parquet")
Rows: TypeAlias = Result | Comparison | pa.Table
_SUFFIXES = {"txt": "text", "htm": "html", "markdown": "md", "pq": "parquet"}


def format_of(path: Path) -> str:
    """The format a file name asks for. Raises ReportError where its suffix names none."""
    suffix = path.suffix.removeprefix(".").lower()
    name = _SUFFIXES.get(suffix, suffix)
    if name not in FORMATS:
        hint = near(name, FORMATS) or f"formats: {', '.join(FORMATS)}"
        raise ReportError(f"{path}: found no format for suffix {path.suffix!r}", hint)
    return name


def render(rows: Rows, form: str, title: str = "") -> str:
    """The rows as a string. Raises ReportError for a form that is not text."""
    writers: dict[str, Callable[[pa.Table], str]] = {
        "csv": to_csv,
        "json": to_json,
        "md": text.markdown,
        "html": lambda table: to_html(table, title or _title(rows)),
    }
    if form == "text" and isinstance(rows, Comparison):
        return comparison_text(rows.table) + text.suspect_line(*rows.suspect)
    if form == "text":
        return text.render(rows) if isinstance(rows, Result) else text.table(rows)
    if form not in writers:
        hint = "give a file with -o" if form in BINARY else near(form, FORMATS)
        raise ReportError(f"cannot print {form!r}, expected one of {', '.join(writers)}", hint)
    return writers[form](_table(rows))


def write(rows: Rows, path: Path, form: str | None = None) -> None:
    """Write the rows to a file, in the form its suffix names unless one is given."""
    name = form or format_of(path)
    if name == "parquet":
        pq.write_table(_table(rows), path)
    elif name == "xlsx":
        from imsperf.reports.xlsx import write_sheets  # a heavy library

        write_sheets([(_title(rows), _table(rows))], path)
    elif name == "csv":
        with path.open("wb") as file:
            file.writelines(csv_pieces(_table(rows)))
    else:
        path.write_text(render(rows, name), encoding="utf-8", newline="")


def _table(rows: Rows) -> pa.Table:
    return rows.table if isinstance(rows, (Result, Comparison)) else rows


def _title(rows: Rows) -> str:
    return rows.report.id if isinstance(rows, Result) else "query"


# --- csv and json --------------------------------------------------------------------------------


def to_csv(table: pa.Table) -> str:
    """RFC 4180: a header row, comma, CRLF, quotes doubled; NULL is empty."""
    return b"".join(csv_pieces(table)).decode()


def to_json(table: pa.Table) -> str:
    """One array of objects, one object a line."""
    names = table.column_names
    rows = zip(*(values(column) for column in table.columns), strict=True)
    body = ",\n".join(
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows
    )
    return f"[\n{body}\n]\n" if body else "[]\n"


# --- html ----------------------------------------------------------------------------------------

STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}"
    "td{font-variant-numeric:tabular-nums}"
    "th{position:sticky;top:0;background:#f4f4f4}td.n,th.n{text-align:right}"
)


def html_table(table: pa.Table) -> str:
    """A table element; every value escaped."""
    number = [text.is_number(kind) for kind in table.schema.types]
    cells = [text.cell_texts(column, empty="") for column in table.columns]
    heads = _cells("th", [visible(name) for name in table.column_names], number)
    rows = "".join(f"<tr>{_cells('td', row, number)}</tr>\n" for row in zip(*cells, strict=True))
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"


def _cells(tag: str, row: Sequence[str], number: Sequence[bool]) -> str:
    return "".join(
        f"<{tag}{' class=n' if n else ''}>{html.escape(v)}</{tag}>"
        for v, n in zip(row, number, strict=True)
    )


def to_html(table: pa.Table, title: str) -> str:
    """A page that needs nothing else: no script, no link."""
    name = html.escape(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>\n'
        f"<style>{STYLE}</style></head>\n<body>\n<h1>{name}</h1>\n{html_table(table)}</body></html>\n"
    )
