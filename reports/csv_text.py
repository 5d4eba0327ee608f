"""Rows as csv, column by column: every column becomes text at once, then rows are joined.

Text and times are written once for each different value. Numbers are the shortest that are read
back as the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.numbers import values

ROWS = 1 << 16  # made at once
END = "\r\n"
_SPECIAL = re.compile('[",\r\n]')
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # also the full-width ones
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")  # a sign before digits is no formula


def inert(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula, with an apostrophe before it."""
    if not isinstance(value, str) or not value.startswith(_FORMULA) or _NUMBER.fullmatch(value):
        return value
    return "'" + value


def csv_head(table: pa.Table) -> bytes:
    """The row of headings, UTF-8."""
    return (",".join(_quoted(inert(name)) for name in table.column_names) + END).encode()


def csv_rows(table: pa.Table, own_words: Collection[str] = ()) -> Iterator[bytes]:
    """The rows in pieces, UTF-8. Texts of the columns `own_words` are from no dump and stay."""
    alone = table.num_columns == 1
    for begin in range(0, table.num_rows, ROWS):
        some = table.slice(begin, ROWS).combine_chunks()
        columns = dict(enumerate(some.columns))
        texts = _floats({n: column for n, column in columns.items() if _is_float(column.type)})
        for n, column in columns.items():
            if n not in texts:
                texts[n] = _text(column, table.column_names[n] in own_words)
        yield _joined([texts[n] for n in range(some.num_columns)], alone)


def _joined(columns: list[pa.Array], alone: bool) -> bytes:
    """Rows of text: the bytes of one array, whose values follow each other."""
    if not columns or not len(columns[0]):
        return b""
    cells = [pc.fill_null(column, "").cast(pa.large_string()) for column in columns]
    if alone:  # an empty line would be no row
        cells = [pc.if_else(pc.equal(cells[0], ""), '""', cells[0])]
    comma, end, none = (pa.scalar(text, pa.large_string()) for text in (",", END, ""))
    rows = pc.binary_join_element_wise(*cells, comma) if len(cells) > 1 else cells[0]
    rows = pc.binary_join_element_wise(rows, end, none)
    return b"".join(_bytes(chunk) for chunk in _chunks(rows))


def _chunks(rows: Any) -> list[pa.Array]:
    return rows.chunks if isinstance(rows, pa.ChunkedArray) else [rows]


def _bytes(rows: pa.Array) -> bytes:
    """The data of a text array without NULL."""
    _, offsets, data = rows.buffers()
    places = memoryview(offsets).cast("q")
    first, last = places[rows.offset], places[rows.offset + len(rows)]
    return memoryview(data)[first:last].tobytes()


def _is_float(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind))


def _floats(columns: dict[int, pa.ChunkedArray]) -> dict[int, pa.ChunkedArray]:
    """Numbers with a point or an exponent; what is no number or endless is NULL."""
    if not columns:
        return {}
    from imsperf.reports.in_memory import in_memory

    names = [f"c{n}" for n in columns]
    doubles = [pc.cast(column, pa.float64()) for column in columns.values()]
    finite = [pc.if_else(pc.is_finite(column), column, None) for column in doubles]
    given = pa.table(finite, names=names)
    wanted = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in names)
    con = in_memory()
    try:
        con.register("given", given)
        written: Any = con.sql(f"SELECT {wanted} FROM given").to_arrow_table()
    finally:
        con.close()
    return {n: written.column(name) for n, name in zip(columns, names, strict=True)}


def _text(column: pa.ChunkedArray, own_words: bool) -> Any:
    """Any other column; each different value is written once where values can be told apart."""
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return pc.cast(column, pa.string())
    if pa.types.is_interval(kind):
        return pa.array(values(column), pa.string())
    if pa.types.is_nested(kind) or pa.types.is_null(kind):
        return pa.array([_cell(value) for value in values(column)], pa.string())
    coded = pc.dictionary_encode(column).combine_chunks()
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
    each = values(pa.chunked_array([coded.dictionary]))
    # no text of somebody else
    plain = own_words or pa.types.is_temporal(kind) or pa.types.is_decimal(kind)
    written = pa.array(
        [_quoted(str(v)) if plain and v is not None else _cell(v) for v in each], pa.string()
    )
    return pc.take(written, coded.indices)


def _cell(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, (list, dict)):
        return _quoted(json.dumps(value))
    return _quoted(str(inert(value)))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text
