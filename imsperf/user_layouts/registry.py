"""Layouts of the user beside ours: what may stand beside what, and which tables a log fills."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path

from imsperf import layouts
from imsperf.errors import LayoutError
from imsperf.layout import RAW_TABLES, Section
from imsperf.layouts import Layouts
from imsperf.layouts.profile import Fill, fill, same_names
from imsperf.ledger import LEDGER_TABLES, META_NAME
from imsperf.record import LogRecord
from imsperf.user_layouts.layout_file import (
    Declared,
    Key,
    Mapped,
    UserLayouts,
    mapping_error,
    read,
    words_of,
)


@contextmanager
def using_files(paths: Iterable[Path]) -> Iterator[tuple[LayoutError, ...]]:
    """Inside of it the layouts of files and folders stand beside ours; gives what is left out."""
    layouts_read = read(paths)
    records, problems = accepted(layouts_read)
    fills, wrong = fills_of(records, layouts_read.mappings)
    with layouts.using(Layouts.of((record.record for record in records), fills)):
        yield (*layouts_read.problems, *problems, *wrong)


def check_files(paths: Iterable[Path]) -> tuple[UserLayouts, tuple[LayoutError, ...]]:
    """What files hold and all that is wrong with it; nothing is used."""
    layouts_read = read(paths)
    records, problems = accepted(layouts_read)
    _, wrong = fills_of(records, layouts_read.mappings)
    return layouts_read, (*layouts_read.problems, *problems, *wrong)


def accepted(user_layouts: UserLayouts) -> tuple[list[Declared], list[LayoutError]]:
    """The records that may stand beside ours: not of a type that we have, no table of our name."""
    accepted_records: list[Declared] = []
    problems: list[LayoutError] = []
    tables: dict[str, Declared] = {}
    for record in user_layouts.records:
        error = _in_our_place(record) or _of_our_name(record) or _of_known_name(record, tables)
        if error:
            problems.append(error)
            continue
        accepted_records.append(record)
        tables.update({section.table: record for section in record.sections})
    return accepted_records, problems


def _shipped(key: Key) -> bool:
    kind, first, second = key
    if kind == "ims":
        return (first, second) in layouts.shipped_profile(layouts.HEADER_ONLY).records
    wanted = {(first, second), (first, None)}
    return any((record.type, record.subtype) in wanted for record in layouts.shipped_records())


def _in_our_place(declared: Declared) -> LayoutError | None:
    if declared.replaces or not _shipped(declared.key):
        return None
    return declared.node.error(
        "",
        f"found a layout for {words_of(declared.key)}, which has one already",
        "write `replaces = true` into it to use it instead of ours",
    )


def _of_our_name(declared: Declared) -> LayoutError | None:
    """Names of ours stay ours, except the tables of a record that the user replaces."""
    mine = _tables_of_shipped(declared) if declared.replaces else set()
    taken = {*layouts.shipped_tables(), *_names_of_databases()} - mine
    for section in declared.sections:
        if section.table in taken:
            words = f"found table {section.table}, which is one of ours"
            return declared.node.error("section", words, "give it another name: table = ...")
    return None


@cache
def _names_of_databases() -> frozenset[str]:
    """Tables that every database has, whatever is loaded, and its views."""
    views = "".join(
        path.read_text(encoding="utf-8") for path in (files("imsperf.sql") / "views").iterdir()
    )
    known = re.findall(r"^CREATE OR REPLACE VIEW (\w+)", views, re.MULTILINE)
    return frozenset({*known, *RAW_TABLES, *LEDGER_TABLES, META_NAME})


def _tables_of_shipped(declared: Declared) -> set[str]:
    if isinstance(declared.record, LogRecord):
        known = layouts.shipped_profile(layouts.HEADER_ONLY).records
        ours = known.get((declared.record.code, declared.record.subcode))
        return {section.table for section in ours.sections} if ours else set()
    key = (declared.record.type, declared.record.subtype)
    some = [x for x in layouts.shipped_records() if (x.type, x.subtype) in (key, (key[0], None))]
    return {section.table for x in some for section in x.sections}


def _of_known_name(declared: Declared, tables: Mapping[str, Declared]) -> LayoutError | None:
    names = [section.table for section in declared.sections]
    for name in names:
        if name in tables or names.count(name) > 1:
            other = tables.get(name, declared).node
            words = f"found table {name}, which {other.file}: {other.place} has already"
            return declared.node.error(
                "section", words, "give one of them another name: table = ..."
            )
    return None


def fills_of(
    records: Iterable[Declared], mappings: Iterable[Mapped]
) -> tuple[list[Fill], list[LayoutError]]:
    """The tables that log records of the user fill: their own, and ours by mapping."""
    logs = [record.record for record in records if isinstance(record.record, LogRecord)]
    sections: dict[str, Section] = {s.table: s for log in logs for s in log.sections}
    fills = [same_names(table) for log in logs for table in log.tables()]
    problems: list[LayoutError] = []
    for mapping in mappings:
        try:
            fills.append(fill(layouts.mapped_table(mapping.table), mapping.columns, sections))
        except LayoutError as error:
            problems.append(mapping_error(mapping, error))
    doubled = [
        own_fill
        for own_fill in fills
        if sum(x.table.name == own_fill.table.name for x in fills) > 1
    ]
    names = sorted({key.table.name for key in doubled})
    if names:
        problems += [_doubled(name, mappings) for name in names]
        fills = [own_fill for own_fill in fills if own_fill.table.name not in names]
    return fills, problems


def _doubled(name: str, mappings: Iterable[Mapped]) -> LayoutError:
    places = " and ".join(
        f"{mapping.node.file}: {mapping.node.place}"
        for mapping in mappings
        if mapping.table == name
    )
    return LayoutError(
        f"{places}: found two mappings of {name}, expected one; none is used", "remove one"
    )
