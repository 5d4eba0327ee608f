"""Layouts and mappings that a user brings: TOML files to records, sections and columns.

    [[record]]                      one for each record
    kind = "ims"                    or "smf", with type and subtype
    code = "45"
    subcode = "0A"
    [[record.section]]              a table: "smf" places it by triplet, "ims" by `entries`
    table = "lat"
    length = 40
    fields = [{offset = 8, name = "size", kind = "u2", doc = "Length of an entry"}]

    [mapping.ims_450a]              our column = their field
    entry_len = "lat.size"

What is wrong is named with file and key, and the rest is used. docs/layouts.md has the whole form.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from imsperf.errors import LayoutError
from imsperf.layout import CONFIDENCE, IMS_SUFFIX, PLACE, SMF_KEYS, Field, Section
from imsperf.layouts.profile import Columns, Scaled
from imsperf.layouts.smf import short_header, standard_header
from imsperf.record import Entries, LogRecord, Record, SectionPlace, triplet
from imsperf.user_layouts.kind_names import by_name
from imsperf.user_layouts.toml_node import Node, read_toml, toml_files

_MOST = 32_767  # bytes of a record
KEY_NAMES = {column.name for column in (*PLACE, *SMF_KEYS)} | {f.name for f in IMS_SUFFIX.fields}
_RECORD_KEYS = (
    "kind", "type", "subtype", "code", "subcode", "title", "source", "replaces", "header",
    "section",
)  # fmt: skip
_SECTION_KEYS = ("table", "doc", "source", "length", "fields", "alias", "triplet", "entries")
_FIELD_KEYS = ("offset", "name", "kind", "doc", "unit", "confidence")

T = TypeVar("T")
Key = tuple[str, int, int | None]  # smf or ims, type or code, subtype or subcode


@dataclass(frozen=True)
class Declared:
    """A record of a layout file; `aliases`: other names for bytes, by table, not read."""

    record: Record | LogRecord
    node: Node
    replaces: bool
    aliases: Mapping[str, tuple[Field, ...]]

    @property
    def key(self) -> Key:
        """What it is a layout of."""
        if isinstance(self.record, Record):
            return "smf", self.record.type, self.record.subtype
        return "ims", self.record.code, self.record.subcode

    @property
    def sections(self) -> tuple[Section, ...]:
        """Its sections; of an SMF record the header first."""
        return self.record.sections


@dataclass(frozen=True)
class Mapped:
    """Which fields one of our tables takes."""

    table: str
    columns: Columns
    node: Node


@dataclass(frozen=True)
class UserLayouts:
    """What some layout files hold; `problems` are what is wrong in them and left out."""

    records: tuple[Declared, ...]
    mappings: tuple[Mapped, ...]
    problems: tuple[LayoutError, ...]


def words_of(key: Key) -> str:
    """A record as messages call it."""
    kind, first, second = key
    if kind == "smf":
        return f"SMF {first}" + ("" if second is None else f" subtype {second}")
    return f"IMS log record {first:02X}" + ("" if second is None else f"{second:02X}")


def read(paths: Iterable[Path]) -> UserLayouts:
    """Read layout files and folders of them."""
    records: list[Declared] = []
    mappings: list[Mapped] = []
    problems: list[LayoutError] = []
    for file in toml_files(paths):
        try:
            top = read_toml(file)
            top.only("record", "mapping")
            nodes = list(top.children("record"))
            tables = top.child("mapping")
        except LayoutError as error:
            problems.append(error)
            continue
        for node in nodes:
            _collect(records, partial(declared, node), problems)
        for name in tables.table if tables else ():
            _collect(mappings, partial(_mapped, tables, name), problems)
    records_left, doubled = _without_doubles(records)
    return UserLayouts(records_left, tuple(mappings), (*problems, *doubled))


def _collect(into: list[T], make: Callable[[], T], problems: list[LayoutError]) -> None:
    try:
        into.append(make())
    except LayoutError as error:
        problems.append(error)


def check_text(text: str, file: Path) -> Declared:
    """The one record of a layout file that is about to be written. Raises LayoutError."""
    (node,) = Node(file, "", tomllib.loads(text)).children("record")
    return declared(node)


def _without_doubles(
    records: list[Declared],
) -> tuple[tuple[Declared, ...], list[LayoutError]]:
    """Without records of which there are two: nobody says which of them is right."""
    by_key: dict[Key, list[Declared]] = {}
    for record in records:
        by_key.setdefault(record.key, []).append(record)
    problems = []
    for key, some in by_key.items():
        if len(some) > 1:
            places = " and ".join(f"{record.node.file}: {record.node.place}" for record in some)
            problems.append(
                LayoutError(
                    f"{places}: found {len(some)} layouts for {words_of(key)}, expected one; "
                    "none of them is used",
                    "remove one, or name the right file with --layouts",
                )
            )
    return tuple(some[0] for some in by_key.values() if len(some) == 1), problems


# --- records -------------------------------------------------------------------------------------


def declared(node: Node) -> Declared:
    """The record of a [[record]] table. Raises LayoutError with its place."""
    node.only(*_RECORD_KEYS)
    kind = node.text("kind")
    if kind not in ("smf", "ims"):
        raise node.error("kind", f"found {kind!r}, expected smf or ims")
    aliases: dict[str, tuple[Field, ...]] = {}
    record = _smf(node, aliases) if kind == "smf" else _ims(node, aliases)
    return Declared(record, node, node.flag("replaces"), aliases)


def _ims(node: Node, aliases: dict[str, tuple[Field, ...]]) -> LogRecord:
    code = node.hexadecimal("code")
    subcode = node.hexadecimal("subcode") if "subcode" in node.table else None
    own: list[Section] = []
    entries: list[Entries] = []
    for child in node.children("section"):
        section = _section(child, node, aliases)
        where = child.child("entries")
        if where is None:
            own.append(section)
            continue
        where.only("start", "count_at", "length_at")
        start, count, length = (
            where.number(k, 0, _MOST) for k in ("start", "count_at", "length_at")
        )
        entries.append(Entries(section, start, count, length))
    if len(own) != 1 or len(entries) > 1:
        what = f"found {len(own)} sections and {len(entries)} of entries"
        raise node.error("section", f"{what}, expected one, and at most one with `entries`")
    return LogRecord(code, subcode, _title(node), own[0], entries[0] if entries else None)


def _title(node: Node) -> str:
    return node.text("title", "A record of the user")


def _smf(node: Node, aliases: dict[str, tuple[Field, ...]]) -> Record:
    type = node.number("type", 0, 2047)
    subtype = node.number("subtype", 0, 65_535) if "subtype" in node.table else None
    placed = []
    for child in node.children("section"):
        at = child.number("triplet", 18, _MOST)
        placed.append((at, triplet(at, _section(child, node, aliases))))
    parts = [part for _, part in sorted(placed, key=lambda pair: pair[0])]
    header = _header(node, type, subtype, parts, aliases)
    try:
        return Record(type, subtype, _title(node), header, tuple(parts))
    except LayoutError as error:
        raise node.error("", error.message, error.hint) from error


def _header(
    node: Node,
    type: int,
    subtype: int | None,
    parts: list[SectionPlace],
    aliases: dict[str, tuple[Field, ...]],
) -> Section:
    """The header: fields of the file, and around them the standard header and the triplets."""
    prefix = f"smf{type}"
    known = [*(short_header(prefix) if subtype is None else standard_header(prefix))]
    for part in parts:
        known += _triplet_fields(part)
    own = node.child("header")
    name = prefix + ("" if subtype is None else f"_{subtype}") + "_header"
    given = _section(own, node, aliases, name) if own else None
    declared = given.fields if given else ()
    names = {record.name for record in declared}
    extra = [
        record
        for record in known
        if record.name not in names
        and not any(x.offset < record.end and record.offset < x.end for x in declared)
    ]
    fields = tuple(sorted([*declared, *extra], key=lambda field: field.offset))
    length = max([field.end for field in fields] + ([given.length] if given else []))
    table, doc = (given.table, given.doc) if given else (name, f"Header of {_title(node)}")
    source = given.source if given else _source(node, node)
    try:
        return Section(table, doc, source, length, fields, "1src")
    except LayoutError as error:
        raise node.error("header", error.message, error.hint) from error


def _triplet_fields(part: SectionPlace) -> list[Field]:
    at, table = part.at, part.section.table
    kinds = (("offset", 0, "u4"), ("length", 4, "u2"), ("number", 6, "u2"))
    return [
        Field(at + plus, f"{table}_{word}", by_name(kind), f"{word.capitalize()} of {table}")
        for word, plus, kind in kinds
    ]


# --- sections ------------------------------------------------------------------------------------


def _section(
    node: Node, record: Node, aliases: dict[str, tuple[Field, ...]], table: str = ""
) -> Section:
    node.only(*_SECTION_KEYS)
    name = node.text("table", table or None)
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,60}", name):
        hint = "small letters, digits and _, beginning with a letter"
        raise node.error("table", f"found {name!r}, expected a name for a table", hint)
    fields = tuple(_field(child) for child in node.children("fields"))
    aliases[name] = tuple(_field(child) for child in node.children("alias"))
    if not fields:
        raise node.error("fields", "found no field, expected at least one")
    ordered = tuple(sorted(fields, key=lambda field: field.offset))
    length = node.number("length", 1, _MOST, max(field.end for field in ordered))
    doc = node.text("doc", "") or f"{_title(record)}: {name}"
    try:
        return Section(name, doc, _source(node, record), length, ordered, "1src")
    except LayoutError as error:
        raise node.error(
            "fields", error.message, "mend the offset, the kind or the length"
        ) from error


def _source(node: Node, record: Node) -> str:
    return node.text("source", "") or record.text("source", "") or str(node.file)


def _field(node: Node) -> Field:
    node.only(*_FIELD_KEYS)
    offset, name = node.number("offset", 0, _MOST), node.text("name")
    if not re.fullmatch(r"[^\s\"']{1,63}", name) or name != name.lower():
        raise node.error("name", f"found {name!r}, expected small letters without blanks")
    if name in KEY_NAMES:
        raise node.error("name", f"found {name!r}, the name of a key column", "add an underscore")
    try:
        kind = by_name(node.text("kind"))
    except LayoutError as error:
        if error.facts:
            raise
        raise node.error("kind", f"{name}: {error.message}", error.hint) from error
    sure = node.text("confidence", "")
    if sure and sure not in CONFIDENCE:
        raise node.error("confidence", f"found {sure!r}, expected one of {', '.join(CONFIDENCE)}")
    return Field(offset, name, kind, node.text("doc", "") or name, node.text("unit", ""), sure)


# --- mappings ------------------------------------------------------------------------------------


def _mapped(tables: Node | None, table: str) -> Mapped:
    node = tables.child(table) if tables else None
    if node is None:
        raise LayoutError(f"found no mapping of {table}")
    return Mapped(table, {column: _taken(node, column) for column in node.table}, node)


def _taken(node: Node, column: str) -> str | Scaled:
    """The field that a column takes: "section.field", or a table of field and factor."""
    if not isinstance(node.table[column], dict):
        return node.text(column)
    given = node.child(column)
    if given is None:
        raise node.error(column, "found no field")
    given.only("field", "factor")
    return Scaled(given.text("field"), _factor(given))


def _factor(node: Node) -> int | float:
    """A number, or a fraction such as "1/4096"."""
    value = node.table.get("factor", 1)
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}/[0-9]{1,18}", value):
        above, below = (int(part) for part in value.split("/"))
        if below:
            exact = Fraction(above, below)
            return exact.numerator if exact.denominator == 1 else float(exact)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise node.error("factor", f"found {value!r}, expected a number or one such as 1/4096")
    return value


def mapping_error(mapped: Mapped, error: LayoutError) -> LayoutError:
    """What is wrong with a mapping, with its place."""
    return mapped.node.error("", error.message, error.hint)
