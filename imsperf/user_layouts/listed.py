"""Layouts as rows: the fields of a layout, and what differs between two levels of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imsperf import layouts
from imsperf.errors import LayoutError
from imsperf.layout import Field, Section
from imsperf.user_layouts.layout_file import Declared, UserLayouts, read, words_of

Row = dict[str, Any]


@dataclass(frozen=True)
class Shown:
    """A section with its other names for bytes."""

    section: Section
    aliases: tuple[Field, ...] = ()


def sections_named(name: str) -> list[Shown]:
    """The sections of a layout file, of a record (smf74_1, ims_4507) or of a table.

    Raises LayoutError where there is none, or where the file is wrong.
    """
    if name.endswith(".toml") or Path(name).is_file():
        return _of_file(Path(name))
    wanted = name.lower()
    for one in layouts.user_records():
        if wanted in {section.table for section in one.sections}:
            return [Shown(section) for section in one.sections]
    found = re.fullmatch(r"smf(\d{1,4})(?:_(\d{1,5}))?", wanted)
    record = (
        layouts.smf_record(int(found[1]), int(found[2]) if found[2] else None) if found else None
    )
    if record:
        return [Shown(section) for section in record.sections]
    for log in layouts.all_log_records():
        if log.section.table == wanted:
            return [Shown(section) for section in log.sections]
    return [Shown(layouts.section(wanted))]


def _of_file(file: Path) -> list[Shown]:
    found = read([file])
    if found.problems:
        raise found.problems[0]
    shown = [one for record in found.records for one in shown_of(record)]
    if not shown:
        raise LayoutError(f"{file}: found no [[record]]", "a mapping alone has no fields")
    return shown


def shown_of(record: Declared) -> list[Shown]:
    """The sections of a record of the user."""
    return [Shown(one, record.aliases.get(one.table, ())) for one in record.sections]


def field_rows(shown: list[Shown]) -> list[Row]:
    """One row for each field, aliases behind the field they begin in."""
    rows = []
    for one in shown:
        read_ = [(x.offset, False, x) for x in one.section.fields]
        others = [(x.offset, True, x) for x in one.aliases]
        for offset, alias, x in sorted([*read_, *others], key=lambda item: item[:2]):
            rows.append(
                {
                    "table": one.section.table, "offset": offset, "length": x.kind.width,
                    "field": x.name, "kind": x.kind.name, "alias": "yes" if alias else "",
                    "unit": x.unit, "meaning": x.doc, "confidence": one.section.confidence_of(x),
                }
            )  # fmt: skip
    return rows


def overview_rows(found: UserLayouts) -> list[Row]:
    """One row for each record and mapping of the user's files."""
    rows: list[Row] = [
        {
            "file": str(one.node.file), "what": words_of(one.key),
            "tables": ", ".join(section.table for section in one.sections),
            "fields": sum(len(section.fields) for section in one.sections),
            "aliases": sum(len(some) for some in one.aliases.values()),
        }
        for one in found.records
    ]  # fmt: skip
    for one in found.mappings:
        facts = {"what": "mapping", "tables": one.table, "fields": len(one.columns), "aliases": 0}
        rows.append({"file": str(one.node.file), **facts})
    return rows


# --- two levels of one record --------------------------------------------------------------------


def diff_rows(first: list[Shown], second: list[Shown]) -> list[Row]:
    """What differs: fields added, removed, moved, resized, retyped; one row for each change."""
    before = {one.section.table: one.section for one in first}
    after = {one.section.table: one.section for one in second}
    if len(before) == len(after) == 1:  # two levels may have two names
        after = {next(iter(before)): next(iter(after.values()))}
    rows: list[Row] = []
    for table in dict.fromkeys((*before, *after)):
        rows += _differences(table, before.get(table), after.get(table))
    return rows


def _differences(table: str, before: Section | None, after: Section | None) -> Iterator[Row]:
    old, new = _fields(before), _fields(after)
    for name in sorted({*old, *new}, key=lambda n: ((new.get(n) or old[n]).offset, n)):
        for change, was, now in _changes(old.get(name), new.get(name)):
            yield {"table": table, "field": name, "change": change, "from": was, "to": now}


def _fields(section: Section | None) -> Mapping[str, Field]:
    return {one.name: one for one in section.fields} if section else {}


def _changes(old: Field | None, new: Field | None) -> Iterator[tuple[str, str, str]]:
    if old is None or new is None:
        one = old or new
        words = f"{one.offset} {one.kind.name}" if one else ""
        yield ("added", "", words) if old is None else ("removed", words, "")
        return
    if old.offset != new.offset:
        yield "moved", str(old.offset), str(new.offset)
    if old.kind.width != new.kind.width:
        yield "resized", old.kind.name, new.kind.name
    elif old.kind.name != new.kind.name:
        yield "retyped", old.kind.name, new.kind.name
