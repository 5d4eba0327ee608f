"""Rows for programs: csv, json, md, html, xlsx, parquet; all start from the same Arrow table.

Values keep full precision; NULL is an empty field in csv, null in json. Text that came out of a
dump is data, never markup or a formula: html escapes it, csv puts an apostrophe before what a
spreadsheet would run, but for columns whose words are the report's own; xlsx has text cells.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from imsperf.errors import ReportError, near
from imsperf.output_files import utf8_name, written_whole
from imsperf.reports import text
from imsperf.reports.comparison.compare import Comparison
from imsperf.reports.comparison.summary import comparison_text
from imsperf.reports.csv_text import csv_head, csv_rows
from imsperf.reports.numbers import values, visible
from imsperf.reports.run import Result

FORMATS = ("text", "md", "csv", "json", "html", "xlsx", "parquet")
BINARY = ("xlsx", "parquet")
Part: TypeAlias = Result | Comparison | pa.Table
Rows: TypeAlias = Part | Iterator[Result] | Iterator[pa.Table]  # in parts: at least one
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
    return b"".join(pieces(rows, form, title)).decode()


def pieces(rows: Rows, form: str, title: str = "") -> Iterator[bytes]:
    """`render` piece by piece, in UTF-8; no more of it is in memory than one of the parts."""
    if form not in _WRITERS:
        hint = "give a file with -o" if form in BINARY else near(form, FORMATS)
        raise ReportError(f"cannot print {form!r}, expected one of {', '.join(_WRITERS)}", hint)
    parts = _parts(rows)
    first = next(parts)
    return _WRITERS[form](title or _title(first), chain([first], parts))


def write(rows: Rows, path: Path, form: str | None = None) -> None:
    """Write the rows to a file, in the form its suffix names unless one is given."""
    name = form or format_of(path)
    if name in BINARY:
        parts = _parts(rows)
        first = next(parts)
        tables = map(_table, chain([first], parts))
        if name == "parquet":
            import pyarrow.parquet as pq  # a tenth of a second

            with (
                written_whole(path) as aside,
                pq.ParquetWriter(utf8_name(aside), _table(first).schema) as file,
            ):
                for table in tables:
                    file.write_table(table)
        else:
            from imsperf.reports.xlsx import write_sheets  # a heavy library

            write_sheets([(_title(first), tables)], path)
        return
    written = pieces(rows, name)
    with written_whole(path) as aside, aside.open("wb") as text_file:
        text_file.writelines(written)


def _parts(rows: Rows) -> Iterator[Part]:
    return rows if isinstance(rows, Iterator) else iter([rows])


def _table(rows: Part) -> pa.Table:
    return rows.table if isinstance(rows, (Result, Comparison)) else rows


def _title(rows: Part) -> str:
    return rows.report.id if isinstance(rows, Result) else "query"


def _text_pieces(title: str, parts: Iterator[Part]) -> Iterator[bytes]:
    """Pages, or a table for each part that has rows; what is said of all of it last."""
    before, last = "", None
    for part in parts:
        if isinstance(part, Result) and part.table.num_rows:
            yield (before + text.body(part)).encode()
            before, last = "\n", part
        elif isinstance(part, Result):
            yield text.render(part).encode()
        elif isinstance(part, Comparison):
            yield (comparison_text(part.table) + text.suspect_line(*part.suspect)).encode()
        else:  # columns are as wide as their widest cell: all rows must be seen
            yield text.table(pa.concat_tables([part, *map(_table, parts)])).encode()
    if last is not None:
        yield text.footer(last).encode()


# --- csv and json --------------------------------------------------------------------------------


def _csv_pieces(title: str, parts: Iterator[Part]) -> Iterator[bytes]:
    for place, part in enumerate(parts):
        table = _table(part)
        columns = part.report.columns if isinstance(part, Result) else ()
        if not place:
            yield csv_head(table)
        yield from csv_rows(table, {column.name for column in columns if column.own_words})


def _json_pieces(title: str, parts: Iterator[Part]) -> Iterator[bytes]:
    before = "[\n"
    for table in map(_table, parts):
        names = table.column_names
        rows = zip(*(values(column) for column in table.columns), strict=True)
        lines = [json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows]
        if lines:
            yield (before + ",\n".join(lines)).encode()
            before = ",\n"
    yield b"[]\n" if before == "[\n" else b"\n]\n"


def _markdown_pieces(title: str, parts: Iterator[Part]) -> Iterator[bytes]:
    for place, table in enumerate(map(_table, parts)):
        yield text.markdown(table, heads=not place).encode()


# --- html ----------------------------------------------------------------------------------------

STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}"
    "td{font-variant-numeric:tabular-nums}"
    "th{position:sticky;top:0;background:#f4f4f4}td.n,th.n{text-align:right}"
)


def _html_pieces(title: str, parts: Iterator[Part]) -> Iterator[bytes]:
    """A page that needs nothing else: no script, no link; every value escaped."""
    name = html.escape(title)
    for place, table in enumerate(map(_table, parts)):
        number = [text.is_number(kind) for kind in table.schema.types]
        if not place:
            heads = _cells("th", [visible(column) for column in table.column_names], number)
            yield (
                '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
                f"<title>{name}</title>\n<style>{STYLE}</style></head>\n<body>\n<h1>{name}</h1>\n"
                f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n"
            ).encode()
        cells = [text.cell_texts(column, empty="") for column in table.columns]
        rows = zip(*cells, strict=True)
        yield "".join(f"<tr>{_cells('td', row, number)}</tr>\n" for row in rows).encode()
    yield b"</tbody>\n</table>\n</body></html>\n"


def _cells(tag: str, row: Sequence[str], number: Sequence[bool]) -> str:
    return "".join(
        f"<{tag}{' class=n' if n else ''}>{html.escape(v)}</{tag}>"
        for v, n in zip(row, number, strict=True)
    )


_WRITERS: dict[str, Callable[[str, Iterator[Part]], Iterator[bytes]]] = {
    "text": _text_pieces,
    "csv": _csv_pieces,
    "json": _json_pieces,
    "md": _markdown_pieces,
    "html": _html_pieces,
}
