"""The fields of a browsed record beside their bytes; what no field explains is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from imsperf.kinds import DEFAULT_CODEPAGE
from imsperf.layout import Field
from imsperf.layouts.common import LOG_HEADER
from imsperf.parsers.diagnosis.browse import BrowsedRecord, BrowsedSection
from imsperf.parsers.kernels.decode import Decoder

UNKNOWN = "unknown"

SCHEMA = pa.schema(
    [
        ("record_no", pa.int64()),
        ("table", pa.string()),
        ("section_no", pa.int32()),
        ("field", pa.string()),
        ("offset_in_record", pa.int32()),
        ("length", pa.int32()),
        ("hex", pa.string()),
        ("value", pa.string()),
        ("unit", pa.string()),
        ("meaning", pa.string()),
        ("confidence", pa.string()),
        ("source", pa.string()),
    ]
)


@dataclass(frozen=True)
class BrowsedField:
    """Some bytes of a record: a field with its value, or unknown (`field` is None).

    `place` counts from the start of the record. `value` is None where the bytes are no valid one.
    """

    place: int
    data: bytes
    field: Field | None = None
    value: str | None = None


Block = tuple[BrowsedSection | None, list[BrowsedField]]


def blocks(record: BrowsedRecord, code_page: str = DEFAULT_CODEPAGE) -> list[Block]:
    """Sections in the order of the record, each with its fields and what is unknown in it.

    Every byte of the record is in a field or unknown. Bytes in no section have the section None.
    """
    here = [piece for piece in record.pieces if piece.record_no == record.number]
    owner, named = _owners(record, here)
    block_list: list[Block] = []
    for number, child in enumerate(here):
        rows = [*_fields(child, code_page), *_unknown(record.data, (owner == number) & ~named)]
        block_list.append((child, sorted(rows, key=lambda row: row.place)))
    order = sorted(block_list, key=_begin)
    outside = [(None, [row]) for row in _unknown(record.data, (owner < 0) & ~named)]
    return sorted([*order, *outside], key=_begin)


def _begin(block: Block) -> tuple[int, int]:
    section, rows = block
    if section is None:
        return rows[0].place, 2
    return section.place, 0 if section.section is LOG_HEADER else 1


def _owners(record: BrowsedRecord, here: list[BrowsedSection]) -> tuple[Any, Any]:
    """The section that each byte belongs to, -1 for none, and whether a field names the byte.

    A section inside another one owns its bytes; a header and a suffix those of a log record.
    """
    owner = np.full(len(record.data), -1, np.int64)
    named = np.zeros(len(record.data), np.bool_)
    inner = sorted(range(len(here)), key=lambda n: -len(here[n].data))
    for number in inner:
        child = here[number]
        owner[child.place : child.place + len(child.data)] = number
        for field in child.section.described:
            if field.end <= len(child.data):
                named[child.place + field.offset : child.place + field.end] = True
    return owner, named


def _unknown(data: bytes, mask: Any) -> Iterator[BrowsedField]:
    """The stretches of bytes that a mask has."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    for first, last in edges.reshape(-1, 2).tolist():
        yield BrowsedField(first, data[first:last])


def _fields(browsed_section: BrowsedSection, code_page: str) -> Iterator[BrowsedField]:
    """The fields that the section is long enough to have, with their values."""
    there = [
        field
        for field in browsed_section.section.described
        if field.end <= len(browsed_section.data)
    ]
    if not there:
        return
    buffer = np.frombuffer(browsed_section.data, np.uint8)
    batch = Decoder(there, code_page).decode(buffer, [0], [len(browsed_section.data)]).batch
    for field, column in zip(there, batch.columns, strict=True):
        data = browsed_section.data[field.offset : field.end]
        yield BrowsedField(
            browsed_section.place + field.offset, data, field, _words(column[0].as_py())
        )


def _words(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return f"{value / timedelta(seconds=1):.6f} s"
    return str(value)


def table(records: Iterable[BrowsedRecord], code_page: str = DEFAULT_CODEPAGE) -> pa.Table:
    """One row for each field and each unknown stretch of the records."""
    rows = [
        _row(record, section, field)
        for record in records
        for section, fields in blocks(record, code_page)
        for field in fields
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


def _row(
    record: BrowsedRecord, section: BrowsedSection | None, browsed_field: BrowsedField
) -> dict[str, Any]:
    field = browsed_field.field
    return {
        "record_no": record.number,
        "table": section and section.table,
        "section_no": section and section.section_no,
        "field": field and field.name,
        "offset_in_record": browsed_field.place,
        "length": len(browsed_field.data),
        "hex": browsed_field.data.hex(),
        "value": browsed_field.value,
        "unit": (field and field.unit) or None,
        "meaning": field.doc if field else UNKNOWN,
        "confidence": section.section.confidence_of(field) if section and field else UNKNOWN,
        "source": section.section.source if section and field else None,
    }
