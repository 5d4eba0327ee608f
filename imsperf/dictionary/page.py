"""sql/DICTIONARY.md: the data dictionary as one page, written by `imsperf dict --write`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from imsperf.dictionary.rows import SHARED, Entry, Group, groups, record_label
from imsperf.layout import IMS_SUFFIX
from imsperf.layouts import all_log_records, all_records
from imsperf.layouts.smf import BOOK

_HEAD = """# Data dictionary

Written by `imsperf dict --write`; a test fails when it is stale. `imsperf dict NAME` looks up one
name, and says more.

Every table that comes from a record has key columns that are not repeated below: `file_id`,
`record_no` (from 1 in the file), `section_no` (from 1 in the record); SMF tables also `system`,
`interval_start`, `interval_end` (local time), and the number of the section they belong to; headers
and IMS records `byte_offset`, IMS records `log_stck` and `log_lsn`.

Offsets are decimal and count from the start of the section, in headers and IMS records from the
start of the record. How sure a place is: two sources agree unless it says `1src` one source,
`inferred`, or `project-defined`: ours, not IBM's.
"""
BOOK_NUMBER = BOOK.rpartition(", ")[2]
_SURE = ("2src", "1src", "inferred", "project-defined")
_SUMMARY = f"""## How sure, by record

Tables, and columns that are fields of the record, by how sure their place is; keys, and what all
log records share, are not counted. The source is that of the largest section but for header and
product section; every table below names its own. {BOOK_NUMBER} is {BOOK.rpartition(", ")[0]}.
docs/record-layouts.md says what the words mean, what is left out, and what is doubtful.

| record | tables | fields | 2src | 1src | inferred | project-defined | source |
|---|---:|---:|---:|---:|---:|---:|---|"""
_MARKUP = re.compile(r"[|*<>`\[\]]|(?<!\w)_|_(?!\w)")


def path() -> Path:
    """Where the page stands."""
    return Path(str(files("imsperf.sql"))) / "DICTIONARY.md"


def page() -> str:
    """The page."""
    return "\n".join([_HEAD, *_summary(), *_body()]) + "\n"


def _summary() -> Iterator[str]:
    """One line for each record, and for all SMF and all IMS records."""
    yield _SUMMARY
    titles, totals = _titles(), {"SMF": Counter[str](), "IMS": Counter[str]()}
    for record, some in groupby(_sections(), key=lambda section: section.record):
        tables = list(some)
        counts = sum((_counts(table) for table in tables), Counter[str]())
        totals[titles[record][:3]] += counts
        yield _numbers(titles[record], counts, _main_source(tables))
    for family, counts in totals.items():
        yield _numbers(f"all {family} records", counts, "")
    yield ""


def _sections() -> Iterator[Group]:
    """The tables of records."""
    shared = {section.table for section in SHARED}
    return (group for group in groups() if group.section is not None and group.name not in shared)


def _counts(group: Group) -> Counter[str]:
    """One table, its fields, and how many of them are how sure."""
    ends = {field.name for field in IMS_SUFFIX.fields}
    fields = [
        entry
        for entry in group.entries
        if entry.kind and entry.sql_type and entry.column not in ends
    ]
    return Counter(tables=1, fields=len(fields)) + Counter(
        field.confidence or "" for field in fields
    )


def _main_source(tables: list[Group]) -> str:
    """Where the largest section comes from; headers and product sections are much the same."""
    own = [table for table in tables if not table.name.endswith(("_header", "_product"))]
    main = max(own or tables, key=lambda field: _counts(field)["fields"])
    return _text(main.section.source.replace(BOOK, BOOK_NUMBER)) if main.section else ""


def _numbers(title: str, counts: Counter[str], source: str) -> str:
    numbers = " | ".join(str(counts[name] or "") for name in ("tables", "fields", *_SURE))
    return f"| {title} | {numbers} | {source} |"


def _body() -> Iterator[str]:
    titles = _titles()
    shared = {section.table for section in SHARED}
    for record, some in groupby(groups(), key=lambda group: group.record):
        title = titles.pop(record, "")
        if title:
            yield f"## {title}\n"
        for group in some:
            if group.section is not None and group.name not in shared:
                yield from _table(group)
            elif group.section is not None:
                yield from _table(group, "no table of its own")
            elif group.entries[0].table is None:
                yield from _no_table(group)
            else:
                yield from _plain(group)


def _titles() -> dict[str | None, str]:
    """The heading that comes before the first group of a record."""
    titles: dict[str | None, str] = {
        record_label(record): f"SMF {record_label(record)}: {_text(record.title)}"
        for record in all_records()
    }
    for log in all_log_records():
        label = record_label(log)
        titles[label] = f"IMS {label}: {_text(log.title)}"
    return {**titles, "any": "Shared by many records"}


def _table(group: Group, remark: str = "") -> Iterator[str]:
    section = group.section
    if section is None:
        return
    sure = "" if section.confidence == "2src" else section.confidence
    notes = ", ".join(filter(None, [f"{section.length} bytes", remark, sure]))
    yield f"### {group.name}\n\n{_text(group.doc)} ({notes}). {_text(section.source)}.\n"
    yield "| column | offset | length | kind | unit | meaning |\n|---|---:|---:|---|---|---|"
    ends = {field.name for field in IMS_SUFFIX.fields} if section is not IMS_SUFFIX else set()
    for entry in group.entries:
        if entry.located and entry.kind and entry.column not in ends:
            yield _line(entry, section.confidence)
    yield ""
    areas = [entry for entry in group.entries if entry.located and entry.kind is None]
    if areas:
        words = ", ".join(f"{area.column} +{area.offset}" for area in areas)
        yield f"Areas of the parent section: {words}.\n"


def _line(entry: Entry, usual: str) -> str:
    sure = "" if entry.confidence == usual else f" ({entry.confidence})"
    meaning = f"{_text(entry.meaning)}{sure}"
    place = f"{'' if entry.offset is None else entry.offset} | {entry.length or ''}"
    return f"| {_text(entry.column)} | {place} | {entry.kind} | {entry.unit} | {meaning} |"


def _no_table(group: Group) -> Iterator[str]:
    yield f"### IMS {group.name}: no column\n\n{group.doc}.\n"
    yield "| field | offset | length | meaning | confidence | source |\n|---|---:|---:|---|---|---|"
    for entry in group.entries:
        place = "not located |" if entry.offset is None else f"{entry.offset} | {entry.length}"
        words = f"{_text(entry.meaning)} | {entry.confidence} | {_text(entry.source)}"
        yield f"| {_text(entry.column)} | {place} | {words} |"
    yield ""


def _plain(group: Group) -> Iterator[str]:
    yield f"### {group.name}\n\n{_text(group.doc)}. {group.entries[0].source.capitalize()}.\n"
    yield "| column | type | unit | meaning |\n|---|---|---|---|"
    for entry in group.entries:
        yield f"| {entry.column} | {entry.sql_type or ''} | {entry.unit} | {_text(entry.meaning)} |"
    yield ""


def _text(words: str) -> str:
    """Words without what Markdown would take for its own."""
    return _MARKUP.sub(r"\\\g<0>", words)
