"""Layouts of the user beside ours: what may stand beside what, and which tables a log fills."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from imsperf import layouts
from imsperf.errors import LayoutError
from imsperf.layout import RAW_TABLES, Section
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


def use_files(paths: Iterable[Path]) -> tuple[LayoutError, ...]:
    """Use the layouts of files and folders from now on; what is wrong is returned and left out."""
    layouts.use(())
    found = read(paths)
    records, problems = accepted(found)
    fills, wrong = fills_of(records, found.mappings)
    layouts.use([one.record for one in records], fills)
    return (*found.problems, *problems, *wrong)


def check_files(paths: Iterable[Path]) -> tuple[UserLayouts, tuple[LayoutError, ...]]:
    """What files hold and all that is wrong with it; nothing is used."""
    found = read(paths)
    records, problems = accepted(found)
    _, wrong = fills_of(records, found.mappings)
    return found, (*found.problems, *problems, *wrong)


def accepted(found: UserLayouts) -> tuple[list[Declared], list[LayoutError]]:
    """The records that may stand beside ours: not of a type that we have, no table of our name."""
    kept: list[Declared] = []
    problems: list[LayoutError] = []
    tables: dict[str, Declared] = {}
    for one in found.records:
        error = _in_our_place(one) or _of_our_name(one) or _of_known_name(one, tables)
        if error:
            problems.append(error)
            continue
        kept.append(one)
        tables.update({section.table: one for section in one.sections})
    return kept, problems


def _shipped(key: Key) -> bool:
    kind, first, second = key
    if kind == "ims":
        return (first, second) in layouts.shipped_profile(layouts.HEADER_ONLY).records
    wanted = {(first, second), (first, None)}
    return any((one.type, one.subtype) in wanted for one in layouts.shipped_records())


def _in_our_place(one: Declared) -> LayoutError | None:
    if one.replaces or not _shipped(one.key):
        return None
    return one.node.error(
        "",
        f"found a layout for {words_of(one.key)}, which has one already",
        "write `replaces = true` into it to use it instead of ours",
    )


def _of_our_name(one: Declared) -> LayoutError | None:
    """Names of ours stay ours, except the tables of a record that the user replaces."""
    mine = _tables_of_shipped(one) if one.replaces else set()
    taken = {*layouts.shipped_tables(), *_names_of_databases()} - mine
    for section in one.sections:
        if section.table in taken:
            words = f"found table {section.table}, which is one of ours"
            return one.node.error("section", words, "give it another name: table = ...")
    return None


@cache
def _names_of_databases() -> frozenset[str]:
    """Tables that every database has, whatever is loaded, and its views."""
    views = "".join(
        one.read_text(encoding="utf-8") for one in (files("imsperf.sql") / "views").iterdir()
    )
    known = re.findall(r"^CREATE OR REPLACE VIEW (\w+)", views, re.MULTILINE)
    return frozenset({*known, *RAW_TABLES, *LEDGER_TABLES, META_NAME})


def _tables_of_shipped(one: Declared) -> set[str]:
    if isinstance(one.record, LogRecord):
        known = layouts.shipped_profile(layouts.HEADER_ONLY).records
        ours = known.get((one.record.code, one.record.subcode))
        return {section.table for section in ours.sections} if ours else set()
    key = (one.record.type, one.record.subtype)
    some = [x for x in layouts.shipped_records() if (x.type, x.subtype) in (key, (key[0], None))]
    return {section.table for x in some for section in x.sections}


def _of_known_name(one: Declared, tables: Mapping[str, Declared]) -> LayoutError | None:
    names = [section.table for section in one.sections]
    for name in names:
        if name in tables or names.count(name) > 1:
            other = tables.get(name, one).node
            words = f"found table {name}, which {other.file}: {other.place} has already"
            return one.node.error("section", words, "give one of them another name: table = ...")
    return None


def fills_of(
    records: Iterable[Declared], mappings: Iterable[Mapped]
) -> tuple[list[Fill], list[LayoutError]]:
    """The tables that log records of the user fill: their own, and ours by mapping."""
    logs = [one.record for one in records if isinstance(one.record, LogRecord)]
    sections: dict[str, Section] = {s.table: s for one in logs for s in one.sections}
    fills = [same_names(table) for one in logs for table in one.tables()]
    problems: list[LayoutError] = []
    for one in mappings:
        try:
            fills.append(fill(layouts.mapped_table(one.table), one.columns, sections))
        except LayoutError as error:
            problems.append(mapping_error(one, error))
    doubled = [one for one in fills if sum(x.table.name == one.table.name for x in fills) > 1]
    names = sorted({one.table.name for one in doubled})
    if names:
        problems += [_doubled(name, mappings) for name in names]
        fills = [one for one in fills if one.table.name not in names]
    return fills, problems


def _doubled(name: str, mappings: Iterable[Mapped]) -> LayoutError:
    places = " and ".join(
        f"{one.node.file}: {one.node.place}" for one in mappings if one.table == name
    )
    return LayoutError(
        f"{places}: found two mappings of {name}, expected one; none is used", "remove one"
    )
