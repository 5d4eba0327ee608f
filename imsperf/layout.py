"""What a record layout is: fields in sections, sections in records.

A section is one run of fields and becomes one table. It is declared once; the encoder, the decoder,
the table, the dictionary and the tests all read that declaration. A wrong one fails at import.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from imsperf.errors import LayoutError, near
from imsperf.kinds import Kind, opaque, tod, u8

CONFIDENCE = ("2src", "1src", "inferred", "project-defined")
PROJECT_DEFINED = "project-defined"

# What a raw value counts; "" is a plain number, a code, a name or a clock.
UNITS = frozenset(
    (
        *("", "bytes", "KB", "MB", "GB", "4 KB", "256 bytes", "128 KB"),
        *("pages", "frames", "blocks", "buffers", "cylinders", "slots"),
        *("s", "ms", "us", "ns", "0.5 us", "128 us", "1024 us", "1/100 s", "1/4096 us"),
        *("1.048576 s", "16 us", "15 min", "1/100 SAPs"),
        *("samples", "1/s x samples", "1/4096 samples"),
        *("%", "1/16", "1/100 CPU", "1/100 blocks", "1/100 buffers", "1/256", "1/1000", "1/1024"),
        *("requests", "calls", "records", "transactions", "processors", "service units", "MSU/h"),
    )
)


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
class DictionaryField:
    """A field without a fixed place: a dictionary record of the dump says where it stands.

    Group, number and type name it there; where the number is not known, group, type and nickname.
    Types: A unsigned, C text, P packed, T point in time (TOD), S clock: time and number of times.
    """

    group: str
    number: str  # three digits, or "": by nickname, which is `name` in upper case
    type: str
    name: str
    doc: str
    unit: str = ""
    confidence: str = ""

    def columns(self, confidence: str) -> tuple[Column, ...]:
        """The column it becomes; a clock becomes two."""
        unit = f" [{self.unit}]" if self.unit else ""
        sure = "" if confidence == "2src" else f" ({confidence})"
        return tuple(
            Column(f"{self.name}{end}", arrow, sql, f"{self.doc}{words or unit}{sure}")
            for end, arrow, sql, words in _DICTIONARY_TYPES[self.type]
        )


_DICTIONARY_TYPES = {
    "A": (("", pa.uint64(), "UBIGINT", ""),),
    "C": (("", pa.string(), "VARCHAR", ""),),
    "P": (("", pa.uint64(), "UBIGINT", ""),),
    "S": (
        ("_us", pa.float64(), "DOUBLE", " [us]"),
        ("_count", pa.uint32(), "UINTEGER", ": number of times"),
    ),
    "T": (("", pa.timestamp("us"), "TIMESTAMP", ""),),
}


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
    by_dictionary: tuple[DictionaryField, ...] = ()  # their places stand in dictionary records
    reserved: tuple[tuple[int, int], ...] = ()  # offset and length of bytes the source sets aside

    def __post_init__(self) -> None:
        _check_section(self)

    @property
    def described(self) -> tuple[Field, ...]:
        """All that the source says of its bytes: the fields and the reserved bytes, by offset."""
        spare = (Field(at, f"reserved_{at}", opaque(n), "Reserved") for at, n in self.reserved)
        return tuple(sorted((*self.fields, *spare), key=lambda field: field.offset))

    def confidence_of(self, field: Field | DictionaryField) -> str:
        """How sure the place of a field is."""
        return field.confidence or self.confidence

    def named(self, name: str) -> Field:
        """The field of that name."""
        for field in self.fields:
            if field.name == name:
                return field
        names = [field.name for field in self.fields]
        raise LayoutError(f"{self.table}: found no field {name!r}", hint=near(name, names))

    def columns(self) -> tuple[Column, ...]:
        """The columns its fields become."""
        placed = (
            Column(field.name, field.kind.arrow, field.kind.sql, self._comment(field))
            for field in self.fields
        )
        others = (
            entry_column.columns(self.confidence_of(entry_column))
            for entry_column in self.by_dictionary
        )
        return (*placed, *chain.from_iterable(others))

    def _comment(self, field: Field) -> str:
        unit = f" [{field.unit}]" if field.unit else ""
        sure = self.confidence_of(field)
        return f"{field.doc}{unit}" + ("" if sure == "2src" else f" ({sure})")

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
            field = self.named(name)
            if field.end <= size:
                out[:, field.offset : field.end] = self.encode_field(field, values)
        return out

    def encode_field(self, field: Field, values: Any) -> npt.NDArray[np.uint8]:
        """Bytes of one of the fields, (values, width); LayoutError where one does not fit."""
        try:
            return field.kind.encode(values)
        except LayoutError as error:
            where = f"{self.table}.{field.name} at +{field.offset}"
            raise LayoutError(f"{where}: {error.message}", error.hint) from error


def _row_count(columns: Mapping[str, Any]) -> int:
    sizes = {len(v) for v in columns.values() if np.ndim(v) and not isinstance(v, (str, bytes))}
    if len(sizes) > 1:
        raise LayoutError(f"found columns of {sorted(sizes)} rows, expected one length")
    return sizes.pop() if sizes else 1


def _check_section(section: Section) -> None:
    end, before, names = 0, "", set()
    if list(section.fields) != sorted(section.fields, key=lambda field: field.offset):
        raise LayoutError(f"{section.table}: fields are not in the order of their offsets")
    for field in section.described:
        where = f"{section.table}: {field.name} at +{field.offset} (0x{field.offset:X})"
        hint = f"check the offset against {section.source}"
        if field.offset < end:
            raise LayoutError(f"{where} overlaps {before}, which ends at +{end}", hint)
        if field.end > section.length:
            raise LayoutError(
                f"{where} ends at +{field.end}, section ends at +{section.length}", hint
            )
        if field.name in names or field.name != field.name.lower():
            raise LayoutError(f"{where}: found a name twice or not in lower case", hint)
        if section.confidence_of(field) not in CONFIDENCE:
            raise LayoutError(f"{where}: confidence must be one of {', '.join(CONFIDENCE)}")
        if not field.doc:
            raise LayoutError(f"{where} has no meaning", hint)
        if field.unit not in UNITS:
            known = near(field.unit, UNITS, f"units: {', '.join(sorted(UNITS - {''}))}")
            raise LayoutError(f"{where}: found unit {field.unit!r}, expected a known one", known)
        names.add(field.name)
        end, before = field.end, field.name
    _check_by_dictionary(section)


def _check_by_dictionary(section: Section) -> None:
    names, keys = set[str](), set[tuple[str, ...]]()
    for column in section.by_dictionary:
        where = f"{section.table}: {column.group} {column.type}{column.number} {column.name}"
        if column.type not in _DICTIONARY_TYPES or section.confidence_of(column) not in CONFIDENCE:
            raise LayoutError(f"{where}: found an unknown type or confidence")
        if column.unit not in UNITS or not column.doc or column.name != column.name.lower():
            raise LayoutError(f"{where}: found no meaning, an unknown unit or upper case")
        key = (column.group, column.type, column.number or column.name)
        if key in keys or not names.isdisjoint(part.name for part in column.columns("")):
            raise LayoutError(f"{where}: found a field or a column name twice")
        keys.add(key)
        names |= {part.name for part in column.columns("")}


@dataclass(frozen=True)
class Table:
    """A table of the database: key columns, then the section's fields."""

    name: str
    doc: str
    section: Section
    keys: tuple[Column, ...]
    fields: tuple[Column, ...] = dataclasses.field(default=())

    @property
    def columns(self) -> tuple[Column, ...]:
        """Keys first."""
        return self.keys + self.fields

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, keys first."""
        return tuple(column.name for column in self.columns)

    def schema(self) -> pa.Schema:
        """Arrow schema; meaning stands in the field metadata."""
        return self._schema

    @cached_property
    def _schema(self) -> pa.Schema:
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
