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
    for user_record in layouts.user_records():
        if wanted in {section.table for section in user_record.sections}:
            return [Shown(section) for section in user_record.sections]
    match = re.fullmatch(r"smf(\d{1,4})(?:_(\d{1,5}))?", wanted)
    record = (
        layouts.smf_record(int(match[1]), int(match[2]) if match[2] else None) if match else None
    )
    if record:
        return [Shown(section) for section in record.sections]
    for log in layouts.all_log_records():
        if log.section.table == wanted:
            return [Shown(section) for section in log.sections]
    return [Shown(layouts.section(wanted))]


def _of_file(file: Path) -> list[Shown]:
    layouts_read = read([file])
    if layouts_read.problems:
        raise layouts_read.problems[0]
    shown = [section for record in layouts_read.records for section in shown_of(record)]
    if not shown:
        raise LayoutError(f"{file}: found no [[record]]", "a mapping alone has no fields")
    return shown


def shown_of(record: Declared) -> list[Shown]:
    """The sections of a record of the user."""
    return [Shown(section, record.aliases.get(section.table, ())) for section in record.sections]


def field_rows(shown: list[Shown]) -> list[Row]:
    """One row for each field, aliases behind the field they begin in."""
    rows = []
    for field in shown:
        read_ = [(x.offset, False, x) for x in field.section.fields]
        others = [(x.offset, True, x) for x in field.aliases]
        for offset, alias, x in sorted([*read_, *others], key=lambda item: item[:2]):
            rows.append(
                {
                    "table": field.section.table, "offset": offset, "length": x.kind.width,
                    "field": x.name, "kind": x.kind.name, "alias": "yes" if alias else "",
                    "unit": x.unit, "meaning": x.doc, "confidence": field.section.confidence_of(x),
                }
            )  # fmt: skip
    return rows


def overview_rows(user_layouts: UserLayouts) -> list[Row]:
    """One row for each record and mapping of the user's files."""
    rows: list[Row] = [
        {
            "file": str(record.node.file), "what": words_of(record.key),
            "tables": ", ".join(section.table for section in record.sections),
            "fields": sum(len(section.fields) for section in record.sections),
            "aliases": sum(len(some) for some in record.aliases.values()),
        }
        for record in user_layouts.records
    ]  # fmt: skip
    for mapping in user_layouts.mappings:
        facts = {
            "what": "mapping",
            "tables": mapping.table,
            "fields": len(mapping.columns),
            "aliases": 0,
        }
        rows.append({"file": str(mapping.node.file), **facts})
    return rows


# --- two levels of one record --------------------------------------------------------------------


def diff_rows(first: list[Shown], second: list[Shown]) -> list[Row]:
    """What differs: fields added, removed, moved, resized, retyped; one row for each change."""
    before = {record.section.table: record.section for record in first}
    after = {record.section.table: record.section for record in second}
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
    return {field.name: field for field in section.fields} if section else {}


def _changes(old: Field | None, new: Field | None) -> Iterator[tuple[str, str, str]]:
    if old is None or new is None:
        section = old or new
        words = f"{section.offset} {section.kind.name}" if section else ""
        yield ("added", "", words) if old is None else ("removed", words, "")
        return
    if old.offset != new.offset:
        yield "moved", str(old.offset), str(new.offset)
    if old.kind.width != new.kind.width:
        yield "resized", old.kind.name, new.kind.name
    elif old.kind.name != new.kind.name:
        yield "retyped", old.kind.name, new.kind.name
