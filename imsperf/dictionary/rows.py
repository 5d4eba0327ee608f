"""The data dictionary: tables, columns, fields, units, sources and confidence, as rows.

It lists the columns of every table and view; the fields of headers that many records share, which
are no tables; and fields of which nobody has published where they stand (`located` is false, no
offset). `offset` counts from the start of the section (for SMF headers and IMS records, of the
record), or back from the end of the record where it is below zero: the suffix of IMS records. Keys
and columns of views have no place in a record: `located` and `offset` are NULL. Where a dictionary
record of the dump says where a field stands, `kind` is "by dictionary" and there is no offset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from dataclasses import fields as fields_of
from functools import cache
from importlib.resources import files
from itertools import chain, groupby

import pyarrow as pa
import pyarrow.compute as pc

from imsperf import layouts
from imsperf.described import views_described, without_unit
from imsperf.errors import LayoutError, near
from imsperf.layout import IMS_SUFFIX, RAW_TABLES, Column, Field, Section, Table
from imsperf.layouts import Layouts, all_log_records, all_records, smf_record
from imsperf.layouts.also_known import NOT_KEPT, SPELLINGS
from imsperf.layouts.common import LOG_HEADER, RMF_HEADER, RMF_PRODUCT, UTC_STAMP
from imsperf.layouts.smf import HEADER_18, HEADER_24, HEADER_56, REASSEMBLY, REASSEMBLY_BLOCK
from imsperf.layouts.unlocated import UNLOCATED
from imsperf.ledger import LEDGER_TABLES
from imsperf.record import LogRecord, Record, SectionPlace


@dataclass(frozen=True)
class Entry:
    """One column of a table or view, or one field; `table` is None for a field not located."""

    table: str | None
    column: str
    record: str | None  # 70.1, or 45 07
    section: str | None
    located: bool | None
    offset: int | None  # bytes
    length: int | None  # bytes
    kind: str | None
    sql_type: str | None  # None: not a column of the database
    unit: str
    meaning: str
    confidence: str | None
    source: str


@dataclass(frozen=True)
class Group:
    """Entries that stand together: a table, a shared section, a view, a record."""

    name: str
    doc: str
    entries: tuple[Entry, ...]
    section: Section | None = None
    record: str | None = None


# Sections of many records, no tables themselves.
SHARED = (
    HEADER_18, HEADER_24, HEADER_56, RMF_HEADER, RMF_PRODUCT, REASSEMBLY, REASSEMBLY_BLOCK,
    LOG_HEADER, IMS_SUFFIX, UTC_STAMP,
)  # fmt: skip

_TYPES = {"offset": pa.int32(), "length": pa.int32(), "located": pa.bool_()}
SCHEMA = pa.schema([pa.field(f.name, _TYPES.get(f.name, pa.string())) for f in fields_of(Entry)])
_LOADER = "written by imsperf load"
_SMF_TABLE = re.compile(r"smf(\d+)(?:_(\d+))?_")
_RANGE = re.compile(r"\w+\d\d_[a-z]+\d\d")


def fields() -> pa.Table:
    """One row per column and field, in the order of the records."""
    return _fields(layouts.current())


@cache
def _fields(beside: Layouts) -> pa.Table:
    """The same with that set of layouts beside ours."""
    return _rows(chain.from_iterable(group.entries for group in groups()))


def of_table(name: str) -> pa.Table | None:
    """The rows of one table, view or shared section; None where there is none of that name.

    Upper case and lower case are the same, and a trailing _data or _section does not count.
    """
    wanted = name.strip().lower()
    for spelling in (wanted, re.sub(r"(_data|_section)+$", "", wanted)):
        for group in _near_groups(spelling):
            if group.name == spelling:
                return _rows(group.entries)
    return None


def search(name: str, also_known: Iterable[str] = ()) -> pa.Table:
    """The rows a name stands for: table, table.column, column, record, else part of a name.

    Raises LayoutError where nothing fits, with near names; `also_known` are more to think of.
    """
    wanted = name.strip().lower()
    table, _, column = wanted.rpartition(".")
    matches = of_table(wanted)
    if matches is None and (of_that_table := of_table(table)) is not None:
        matches = of_that_table.filter(pc.equal(of_that_table["column"], column))
    if matches is not None and matches.num_rows:
        return matches
    rows = fields()
    for mask in _masks(rows, wanted):
        if pc.any(mask).as_py():
            return rows.filter(pc.fill_null(mask, False))
    known = {*rows["table"].drop_null().to_pylist(), *rows["column"].to_pylist(), *also_known}
    raise LayoutError(f"found no table, column or meaning with {name!r}", near(name, known))


def _masks(rows: pa.Table, wanted: str) -> Iterator[pa.ChunkedArray]:
    """Which rows a name stands for, the best way to take it first."""
    yield pc.equal(rows["column"], wanted)
    yield pc.equal(rows["column"], wanted.replace("-", "_").replace("#", ""))
    yield pc.equal(pc.replace_substring(pc.utf8_lower(rows["record"]), " ", ""), _squeezed(wanted))
    for name in ("table", "column", "meaning"):
        yield pc.match_substring(rows[name], wanted, ignore_case=True)


def _squeezed(name: str) -> str:
    return name.replace(" ", "")


def _rows(entries: Iterable[Entry]) -> pa.Table:
    return pa.Table.from_pylist([asdict(entry) for entry in entries], SCHEMA)


# --- what there is -------------------------------------------------------------------------------


def groups() -> Iterator[Group]:
    """Everything: records, shared sections, fields not located, ledger, views."""
    for record in all_records():
        yield from _record_groups(record)
    seen = set[str]()  # records may share a table
    for group in chain.from_iterable(map(_tables_of, all_log_records())):
        if group.name not in seen:
            seen.add(group.name)
            yield group
    yield from _others()
    yield from _bytes_not_kept()
    yield from _not_located()


def _near_groups(name: str) -> Iterator[Group]:
    """The groups that a table's name may be among: only the layouts of its record are imported."""
    for user_record in layouts.user_records():
        yield from _tables_of(user_record)
    match = _SMF_TABLE.match(name)
    record = smf_record(int(match[1]), int(match[2]) if match[2] else None) if match else None
    if record:
        yield from _record_groups(record)
    if name.startswith("ims_"):
        yield from chain.from_iterable(map(_tables_of, all_log_records()))
    yield from _others()


def _bytes_not_kept() -> Iterator[Group]:
    for name, some in groupby(NOT_KEPT, key=lambda column: column.record):
        entries = tuple(
            Entry(None, column.field, name, None, True, column.offset, column.length, None, None,
                  "", column.meaning, column.confidence, column.source)
            for column in some
        )  # fmt: skip
        yield Group(name, "Bytes that no table keeps", entries, None, name)


def _not_located() -> Iterator[Group]:
    for name, some in groupby(UNLOCATED, key=lambda column: column.record):
        entries = tuple(
            Entry(None, column.field, name, None, False, None, None, None, None, "",
                  column.meaning, column.confidence, column.source)
            for column in some
        )  # fmt: skip
        yield Group(name, "Fields known to be in it, place not published", entries, None, name)


def _others() -> Iterator[Group]:
    """What is no section of one record."""
    for section in SHARED:
        length = section.length if section is IMS_SUFFIX else 0
        entries = (
            _field(section.table, "any", section, field, field.offset - length, stored=False)
            for field in section.fields
        )
        yield Group(section.table, section.doc, tuple(entries), section, "any")
    plain = {name: ("Records without a layout", columns) for name, columns in RAW_TABLES.items()}
    for name, (doc, columns) in {**plain, **LEDGER_TABLES}.items():
        yield Group(name, doc, tuple(_plain(name, None, None, column) for column in columns))
    yield from _views()


def _tables_of(record: Record | LogRecord) -> Iterator[Group]:
    label = record_label(record)
    for table in record.tables():
        columns = tuple(_columns(table, label))
        if record.single_reader:
            columns = tuple(
                replace(column, source=f"{column.source}; single reader") for column in columns
            )
        names = (*columns, *_spellings(columns))
        yield Group(table.name, table.doc, names, table.section, label)


def _spellings(columns: tuple[Entry, ...]) -> Iterator[Entry]:
    """Columns under the names their manual writes: with # or x, or a range such as R00-R15."""
    for entry in columns:
        names = [
            name
            for name, table, column in SPELLINGS
            if (table, column) == (entry.table, entry.column)
        ]
        if _RANGE.fullmatch(entry.column):
            names.append("-".join(entry.column.rsplit("_", 1)))
        for name in names:
            meaning = f"{entry.meaning}; column {entry.column}"
            yield replace(entry, column=name, sql_type=None, meaning=meaning)


def _record_groups(record: Record) -> Iterator[Group]:
    """The tables of an SMF record, each with the areas that its rows are about."""
    for group in _tables_of(record):
        parts = record.parts_of(group.section) if group.section else ()
        named = chain.from_iterable(_areas(part, record_label(record)) for part in parts)
        yield replace(group, entries=(*group.entries, *named))


def _areas(part: SectionPlace, record: str) -> Iterator[Entry]:
    """Named areas of a parent section: values of the column `area`, not columns."""
    section, length = part.section, part.length if isinstance(part.length, int) else 0
    for number, name in enumerate(part.areas):
        place = part.offset + number * length if isinstance(part.offset, int) else None
        parent = part.inside.table if part.inside else "the record"
        meaning = f"Area of {parent}, where {section.table}.area is this name"
        yield Entry(
            section.table, name, record, _section(section.table), True, place, length, None, None,
            "", meaning, section.confidence, section.source,
        )  # fmt: skip


def record_label(record: Record | LogRecord) -> str:
    """As people write it: 70.1, or 45 07."""
    if isinstance(record, Record):
        return f"{record.type}" if record.subtype is None else f"{record.type}.{record.subtype}"
    return (
        f"{record.code:02X}"
        if record.subcode is None
        else f"{record.code:02X} {record.subcode:02X}"
    )


def _columns(table: Table, record: str) -> Iterator[Entry]:
    where, section = _section(table.name), table.section
    yield from (_plain(table.name, record, where, key) for key in table.keys)
    for field in section.fields:
        yield _field(table.name, record, section, field, field.offset)
    names = {field.name for field in section.fields}
    suffix = {field.name: field for field in IMS_SUFFIX.fields}
    for column in table.fields:
        if column.name in names:
            continue
        if column.name in suffix:
            field = suffix[column.name]
            yield _field(table.name, record, IMS_SUFFIX, field, field.offset - IMS_SUFFIX.length)
        else:
            yield _by_dictionary(table, record, column)


def _by_dictionary(table: Table, record: str, column: Column) -> Entry:
    """A column whose place a dictionary record of the dump says."""
    meaning, unit = without_unit(column.doc)
    return Entry(
        table.name, column.name, record, _section(table.name), True, None, None, "by dictionary",
        column.sql, unit, meaning, table.section.confidence, table.section.source,
    )  # fmt: skip


def _section(table: str) -> str:
    """The part of a table's name that tells the sections of a record apart."""
    if table.startswith("ims_"):
        return table.split("_", 2)[2] if table.count("_") > 1 else "body"
    return re.sub(r"^(smf|rmf)\d*_(\d+_)?", "", table)


def _plain(table: str, record: str | None, section: str | None, column: Column) -> Entry:
    """A column that comes from loading, not from bytes at a declared place."""
    return Entry(
        table, column.name, record, section, None, None, None, None, column.sql, "", column.doc,
        None, _LOADER,
    )  # fmt: skip


def _field(
    table: str, record: str, section: Section, field: Field, offset: int, stored: bool = True
) -> Entry:
    return Entry(
        table, field.name, record, _section(table), True, offset, field.kind.width, field.kind.name,
        field.kind.sql if stored else None, field.unit, field.doc, section.confidence_of(field),
        section.source,
    )  # fmt: skip


def _views() -> Iterator[Group]:
    """The views, from the words beside their columns."""
    folder = files("imsperf.sql") / "views"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".sql"):
            continue
        described = list(views_described(file.read_text(encoding="utf-8")))
        source = f"view, sql/views/{file.name}"
        for view, _, doc in (view for view in described if not view.column):
            columns = (entry for entry in described if entry.column and entry.view == view)
            yield Group(view, doc, tuple(_view_column(*column, source) for column in columns))


def _view_column(view: str, name: str, words: str, source: str) -> Entry:
    meaning, unit = without_unit(words)
    return Entry(
        view, name, None, None, None, None, None, None, None, unit, meaning, None, source,
    )  # fmt: skip
