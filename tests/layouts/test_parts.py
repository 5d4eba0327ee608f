"""Where the sections of a record stand, against a list made from the sources alone."""

from __future__ import annotations

import csv
from collections.abc import Iterator

import pytest
from golden_files import GOLDEN

from imsperf import layouts
from imsperf.record import At, Part, Record

Line = tuple[str, str, str, str, str]  # table, how, at, inside, what tells number or length

# What the list has and no part is declared for, and why.
NOT_DECLARED = {
    ("smf30_accounting", "triplet"): "fields of variable length, each with its length before it",
    ("smf70_1_cpu_id", "index"): "many processors share one: smf70cix is its section_no",
}
# What is declared and the sources do not place: it follows from the order, and is marked inferred.
BY_ORDER = {("smf88_1_events", "triplet", "52", "", ""), ("smf88_1_alter", "triplet", "60", "", "")}


def listed() -> dict[tuple[int, int | None], set[Line]]:
    """The list, by type and subtype."""
    found: dict[tuple[int, int | None], set[Line]] = {}
    with (GOLDEN / "parts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (row["table"], row["how"]) in NOT_DECLARED:
                continue
            key = int(row["type"]), int(row["subtype"]) if row["subtype"] else None
            words = [one for one in row["detail"].split() if one not in ("inferred", "base=1")]
            how, inside = row["how"], row["inside"]
            if how == "triplet":
                words = [one for one in words if one.startswith(("version=", "widths="))]
            for at in places(row["table"], how, row["at"], words):
                line = row["table"], how, at, inside, " ".join(words)
                found.setdefault(key, set()).add(line)
    return found


def places(table: str, how: str, at: str, words: list[str]) -> list[str]:
    """Each area of a block on its own: the list has them together, or not."""
    if how != "nested" or not words[0].isdigit() or "when" in words:
        return [at]
    short = [int(one.removeprefix("length=")) for one in words if one.startswith("length=")]
    if not layouts.has_table(table):
        return [at]
    length = short[0] if short else layouts.section(table).length
    many = int(words[0])
    words[0] = "1"
    return [str(int(at) + length * n) for n in range(many)]


def declared(record: Record, subtype: int | None) -> Iterator[Line]:
    """The places a record declares, in the words of the list."""
    for part in record.parts:
        if part.inside is None and part.when is not None and subtype not in part.when[1]:
            continue  # the header's +23 is its subtype
        inside = part.inside.table if part.inside else ""
        table, (how, at), words = part.section.table, place(part), detail(part).split()
        words = [*versions(record), *words]
        for one in places(table, how, at, words):
            yield table, how, one, inside, " ".join(words)
    for index in record.indexes:
        many = f"last={index.last}" if index.last else index.number or "1"
        base = "base=0" if index.base == 0 else ""
        words = f"{many} {base}".strip()
        yield index.child.table, "index", index.first, index.parent.table, words


def versions(record: Record) -> list[str]:
    """The versions of the record that have this layout."""
    return [f"version={one}" for one in record.when[1]] if record.when else []


def place(part: Part) -> tuple[str, str]:
    """How, and at which offset."""
    if isinstance(part.offset, int):
        return "nested", str(part.offset)
    if part.next_at is not None:
        return "chain", str(part.offset.at)
    many = isinstance(part.number, At)
    return ("triplet" if many else "pointer"), str(part.offset.at)


def detail(part: Part) -> str:
    """What else tells: how many areas, when, where the length stands."""
    if isinstance(part.offset, int):
        many = str(part.number) if isinstance(part.number, int) else counter(part, part.number)
        short = f"length={part.length}" if part.length != part.section.length else ""
        when = f"when +{part.when[0]}={part.when[1][0]}" if part.when else ""
        return " ".join(one for one in (many, short, when) if one)
    if part.next_at is not None:
        return f"next={part.next_at}"
    if isinstance(part.number, At):
        usual = part.in_header or part.inside is not None or part.when is not None
        ats = (part.offset, part.length, part.number)
        return "" if usual else "widths=" + "+".join(str(one.width) for one in ats)
    if isinstance(part.length, int):
        return str(part.length)
    where = part.length
    return f"{where.of.table}+{where.at}" if where.of else f"+{where.at - part.offset.at}"


def counter(part: Part, number: At) -> str:
    """The field of the parent that counts."""
    assert part.inside is not None
    return next(one.name for one in part.inside.fields if one.offset == number.at)


KEYS = [key for key in sorted(listed(), key=str) if layouts.smf_record(*key)]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_sections_stand_where_the_sources_say(key: tuple[int, int | None]) -> None:
    found = {line for record in layouts.smf_layouts(*key) for line in declared(record, key[1])}
    assert found - BY_ORDER == listed()[key]
