"""What a record layout is: fields in sections, sections in records.

A section is one run of fields and becomes one table. It is declared once; the encoder, the decoder,
the table, the dictionary and the tests all read that declaration. A wrong one fails at import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from imsperf.errors import LayoutError, near
from imsperf.kinds import Kind, tod, u8

CONFIDENCE = ("2src", "1src", "inferred", "project-defined")
PROJECT_DEFINED = "project-defined"


@dataclass(frozen=True)
class Column:
    """One column of a table: what SQL needs to know of it."""

    name: str
    arrow: pa.DataType
    sql: str
    doc: str


@dataclass(frozen=True)
class Field:
    """One field; `offset` counts from its section's start, `confidence` "" means the section's."""

    offset: int
    name: str
    kind: Kind
    doc: str
    unit: str = ""
    confidence: str = ""

    @property
    def end(self) -> int:
        """Offset of the first byte after the field."""
        return self.offset + self.kind.width


@dataclass(frozen=True)
class Section:
    """A run of fields = one table. `length` is the longest level known; a record may differ."""

    table: str
    doc: str
    source: str
    length: int
    fields: tuple[Field, ...]
    confidence: str = "2src"
    levels: tuple[tuple[str, int], ...] = ()  # shorter lengths by level: ("z/OS 2.4", 344)

    def __post_init__(self) -> None:
        _check_section(self)

    def confidence_of(self, one: Field) -> str:
        """How sure the place of a field is."""
        return one.confidence or self.confidence

    def named(self, name: str) -> Field:
        """The field of that name."""
        for one in self.fields:
            if one.name == name:
                return one
        names = [one.name for one in self.fields]
        raise LayoutError(f"{self.table}: found no field {name!r}", hint=near(name, names))

    def columns(self) -> tuple[Column, ...]:
        """The columns its fields become."""
        return tuple(
            Column(one.name, one.kind.arrow, one.kind.sql, self._comment(one))
            for one in self.fields
        )

    def _comment(self, one: Field) -> str:
        unit = f" [{one.unit}]" if one.unit else ""
        sure = self.confidence_of(one)
        return f"{one.doc}{unit}" + ("" if sure == "2src" else f" ({sure})")

    def encode(
        self, columns: Mapping[str, Any], count: int | None = None, length: int | None = None
    ) -> npt.NDArray[np.uint8]:
        """Bytes of `count` sections, shape (count, length); columns left out are zero bytes.

        A single value stands for every row. Fields past `length` are not written: that is how a
        shorter level of a section is made. Raises LayoutError for an unknown column.
        """
        size = self.length if length is None else length
        rows = _row_count(columns) if count is None else count
        out = np.zeros((rows, size), dtype=np.uint8)
        for name, values in columns.items():
            one = self.named(name)
            if one.end <= size:
                out[:, one.offset : one.end] = _encoded(self, one, values)
        return out


def _encoded(section: Section, one: Field, values: Any) -> npt.NDArray[np.uint8]:
    try:
        return one.kind.encode(values)
    except LayoutError as error:
        where = f"{section.table}.{one.name} at +{one.offset}"
        raise LayoutError(f"{where}: {error.message}", error.hint) from error


def _row_count(columns: Mapping[str, Any]) -> int:
    sizes = {len(v) for v in columns.values() if np.ndim(v) and not isinstance(v, (str, bytes))}
    if len(sizes) > 1:
        raise LayoutError(f"found columns of {sorted(sizes)} rows, expected one length")
    return sizes.pop() if sizes else 1


def _check_section(section: Section) -> None:
    end, before, names = 0, "", set()
    for one in section.fields:
        where = f"{section.table}: {one.name} at +{one.offset} (0x{one.offset:X})"
        hint = f"check the offset against {section.source}"
        if one.offset < end:
            raise LayoutError(f"{where} overlaps {before}, which ends at +{end}", hint)
        if one.end > section.length:
            raise LayoutError(
                f"{where} ends at +{one.end}, section ends at +{section.length}", hint
            )
        if one.name in names or one.name != one.name.lower():
            raise LayoutError(f"{where}: found a name twice or not in lower case", hint)
        if section.confidence_of(one) not in CONFIDENCE:
            raise LayoutError(f"{where}: confidence must be one of {', '.join(CONFIDENCE)}")
        if not one.doc:
            raise LayoutError(f"{where} has no meaning", hint)
        names.add(one.name)
        end, before = one.end, one.name


@dataclass(frozen=True)
class Table:
    """A table of the database: key columns, then the section's fields."""

    name: str
    doc: str
    section: Section
    keys: tuple[Column, ...]
    fields: tuple[Column, ...] = field(default=())

    @property
    def columns(self) -> tuple[Column, ...]:
        """Keys first."""
        return self.keys + self.fields

    def schema(self) -> pa.Schema:
        """Arrow schema; meaning stands in the field metadata."""
        return pa.schema(
            [pa.field(c.name, c.arrow, metadata={"meaning": c.doc}) for c in self.columns],
            metadata={"table": self.name, "meaning": self.doc, "source": self.section.source},
        )

    def create_sql(self) -> Iterable[str]:
        """CREATE TABLE, then its comments. Names are quoted: a field may be called `limit`."""
        body = ", ".join(f'"{c.name}" {c.sql}' for c in self.columns)
        yield f"CREATE TABLE {self.name} ({body})"
        yield f"COMMENT ON TABLE {self.name} IS {_quoted(self.doc)}"
        for c in self.columns:
            yield f'COMMENT ON COLUMN {self.name}."{c.name}" IS {_quoted(c.doc)}'


def _quoted(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"


KEYS = (
    Column("file_id", pa.int32(), "INTEGER", "File the row was read from (load_file)"),
    Column("record_no", pa.int64(), "BIGINT", "Record in that file, from 1"),
    Column("section_no", pa.int32(), "INTEGER", "Section of its kind in the record, from 1"),
)
PLACE = (
    *KEYS,
    Column("byte_offset", pa.int64(), "BIGINT", "Where the record starts in the unpacked file"),
)
SMF_KEYS = (
    Column("system", pa.string(), "VARCHAR", "System name, else the SMF system id"),
    Column("interval_start", pa.timestamp("us"), "TIMESTAMP", "Interval start, local time"),
    Column("interval_end", pa.timestamp("us"), "TIMESTAMP", "Interval end, local time"),
)

# The 16 bytes that end every IMS log record, at LL-16.

IMS_SUFFIX = Section(
    "ims_suffix",
    "What ends every IMS log record",
    "IMS 15.2 Diagnosis, log sequence field format",
    16,
    (
        Field(0, "log_stck", tod, "When the record was written, UTC if the TOD clock is"),
        Field(8, "log_lsn", u8, "Log sequence number, up by one for each record"),
    ),
)

# Records without a layout: header fields, place, length and hash; the body on request.
_RAW_PLACE = (
    Column("file_id", pa.int32(), "INTEGER", "File the record is in (load_file)"),
    Column("record_no", pa.int64(), "BIGINT", "Record in that file, from 1"),
    Column("byte_offset", pa.int64(), "BIGINT", "Where the record starts in the unpacked file"),
    Column("length", pa.int32(), "INTEGER", "Bytes of the record, RDW included"),
    Column("hash", pa.binary(16), "BLOB", "128-bit hash of the record without its RDW"),
)
_RAW_BODY = Column(
    "body", pa.large_binary(), "BLOB", "The record without its RDW; NULL unless loaded with --raw"
)
RAW_TABLES = {
    "smf_raw": (
        *_RAW_PLACE,
        Column(
            "type", pa.uint16(), "USMALLINT", "SMF record type; the real one of extended headers"
        ),
        Column("subtype", pa.uint16(), "USMALLINT", "Subtype, NULL where the record has none"),
        Column("system", pa.string(), "VARCHAR", "SMF system id"),
        Column("subsystem", pa.string(), "VARCHAR", "Subsystem id, NULL with the short header"),
        Column("flags", pa.uint8(), "UTINYINT", "System indicator flags"),
        Column("date", pa.date32(), "DATE", "Local date the record reached the SMF buffer"),
        Column("time", pa.time64("us"), "TIME", "Local time the record reached the SMF buffer"),
        _RAW_BODY,
    ),
    "ims_raw": (
        *_RAW_PLACE,
        Column("code", pa.string(), "VARCHAR", "Log record code, hex"),
        Column(
            "subcode",
            pa.string(),
            "VARCHAR",
            "The byte after the code, hex; a subcode only for some codes",
        ),
        Column("log_stck", pa.timestamp("us"), "TIMESTAMP", "When the record was written, UTC"),
        Column("log_lsn", pa.uint64(), "UBIGINT", "Log sequence number"),
        _RAW_BODY,
    ),
}
