"""The data dictionary: every table and column the declared layouts make, as rows.

`offset` counts from the start of the section (for SMF headers and IMS records, of the record), or
back from the end of the record where it is below zero: the suffix of IMS records. Keys have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from dataclasses import fields as fields_of
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import LayoutError, near
from imsperf.layout import IMS_SUFFIX, RAW_TABLES, Column, Field, Section, Table
from imsperf.layouts import all_tables


@dataclass(frozen=True)
class Entry:
    """One column of one table."""

    table: str
    column: str
    offset: int | None  # bytes
    length: int | None  # bytes
    kind: str | None
    sql_type: str
    unit: str
    meaning: str
    confidence: str | None
    source: str


SCHEMA = pa.schema(
    [
        pa.field(one.name, pa.int32() if one.name in ("offset", "length") else pa.string())
        for one in fields_of(Entry)
    ]
)
_LOADER = "written by imsperf load"


@cache
def fields() -> pa.Table:
    """One row per column of every table, in the order of the tables."""
    return pa.Table.from_pylist([asdict(one) for one in _entries()], SCHEMA)


def search(name: str) -> pa.Table:
    """The rows a name stands for: table, table.column, column, else part of a name or meaning.

    Upper case and lower case are the same. Raises LayoutError where nothing fits.
    """
    rows, wanted = fields(), name.strip().lower()
    full_name = pc.binary_join_element_wise(rows["table"], rows["column"], ".")
    exact = (rows["table"], full_name, rows["column"])
    part = (rows["table"], rows["column"], rows["meaning"])
    tries = (
        *(pc.equal(found, wanted) for found in exact),
        *(pc.match_substring(found, wanted, ignore_case=True) for found in part),
    )
    for mask in tries:
        if pc.any(mask).as_py():
            return rows.filter(mask)
    known = {*rows["table"].to_pylist(), *rows["column"].to_pylist()}
    raise LayoutError(f"found no table, column or meaning with {name!r}", near(name, known))


def _entries() -> Iterator[Entry]:
    for table in all_tables():
        yield from _table_entries(table)
    for name, columns in RAW_TABLES.items():
        yield from (_plain(name, column) for column in columns)


def _table_entries(table: Table) -> Iterator[Entry]:
    yield from (_plain(table.name, key) for key in table.keys)
    for one in table.section.fields:
        yield _declared(table.name, table.section, one, one.offset)
    if len(table.fields) > len(table.section.fields):
        for one in IMS_SUFFIX.fields:
            yield _declared(table.name, IMS_SUFFIX, one, one.offset - IMS_SUFFIX.length)


def _plain(table: str, column: Column) -> Entry:
    """A column that comes from loading, not from bytes at a declared place."""
    return Entry(table, column.name, None, None, None, column.sql, "", column.doc, None, _LOADER)


def _declared(table: str, section: Section, one: Field, offset: int) -> Entry:
    return Entry(
        table,
        one.name,
        offset,
        one.kind.width,
        one.kind.name,
        one.kind.sql,
        one.unit,
        one.doc,
        section.confidence_of(one),
        section.source,
    )
