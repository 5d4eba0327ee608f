"""Would a test notice a wrong declaration? Every field is moved, resized, retyped and swapped.

`python tests test_mutation` prints how many of the mutants die, by which witness, and names
those that live. A mutant dies by the golden bytes (a value differs), by the frozen table (offset,
length, format) or at import (overlap, past the end).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import plain_reader
from golden_files import as_json, golden_bytes, golden_names, golden_rows
from test_layouts import FROZEN, FROZEN_OPS

from imsperf import layouts
from imsperf.errors import LayoutError
from imsperf.kinds import (
    Kind,
    Op,
    array,
    hfp4,
    hfp8,
    opaque,
    packed,
    signed,
    text,
    tod,
    unsigned,
)
from imsperf.layout import Field, Section

Golden = list[tuple[bytes, dict[str, Any]]]


@dataclass(frozen=True)
class Mutant:
    """A field declared otherwise."""

    table: str
    field: Field
    how: str
    wrong: Field

    def __str__(self) -> str:
        was, now = self.field, self.wrong
        return f"{self.table}.{was.name}: {self.how}: +{now.offset} {now.kind.name}"


def goldens() -> dict[str, Golden]:
    """Bytes and values of each table; of whole log records the body without entries."""
    found: dict[str, Golden] = {}
    names = [name for name in golden_names("smf") if name.startswith("smf/smf")]
    for name in [*names, *golden_names("ims")]:
        for table, rows in golden_rows(name).items():
            if len(golden_rows(name)) == 1 or table == name.split("/")[1].split(".")[0]:
                found.setdefault(table, []).append((golden_bytes(name), rows[0]))
    return found


def mutants(section: Section) -> Iterator[Mutant]:
    """Each field moved by a byte, a byte wider or narrower, of another kind, as its neighbour."""
    fields = section.fields
    for at, one in enumerate(fields):
        for step in (1, -1):
            yield Mutant(
                section.table, one, f"shift {step:+}", replace(one, offset=one.offset + step)
            )
        for kind in resized(one.kind):
            yield Mutant(section.table, one, "resize", replace(one, kind=kind))
        for kind in retyped(one.kind):
            yield Mutant(section.table, one, "retype", replace(one, kind=kind))
        if at + 1 < len(fields):
            other = fields[at + 1]
            yield Mutant(section.table, one, "swap", replace(other, name=one.name))


def resized(kind: Kind) -> list[Kind]:
    """The same kind of value in one byte more and one byte less."""
    if kind.count > 1:
        return [array(unsigned(kind.item_width), kind.count - 1)] if kind.count > 2 else []
    makers = {
        Op.UNSIGNED: unsigned, Op.SIGNED: signed, Op.TEXT: text, Op.OPAQUE: opaque,
        Op.PACKED_NUMBER: packed,
    }  # fmt: skip
    if kind.op is Op.HEX_FLOAT:
        return [hfp8 if kind.width == 4 else hfp4]
    maker = makers.get(kind.op)
    widths = [w for w in (kind.width + 1, kind.width - 1) if w >= 1]
    if kind.op in (Op.UNSIGNED, Op.SIGNED, Op.PACKED_NUMBER):
        widths = [w for w in widths if w <= 8]
    return [maker(width) for width in widths] if maker else []


def retyped(kind: Kind) -> list[Kind]:
    """Another reading of the same bytes."""
    if kind.count > 1:
        return []
    if kind.op is Op.UNSIGNED:
        return [signed(kind.width)] if not kind.name.startswith("flags") else []
    if kind.op is Op.SIGNED:
        return [unsigned(kind.width)]
    if kind.op is Op.TEXT:
        return [opaque(kind.width)]
    if kind.width == 8:
        return [unsigned(8)] if kind.op is not Op.UNSIGNED else [tod]
    return [unsigned(kind.width)] if kind.width <= 8 and kind.op is not Op.OPAQUE else []


def refused(section: Section, mutant: Mutant) -> bool:
    """Whether the declaration fails at import."""
    fields = tuple(mutant.wrong if one is mutant.field else one for one in section.fields)
    try:
        replace(section, fields=tuple(sorted(fields, key=lambda one: one.offset)))
    except LayoutError:
        return True
    return False


def wrong_value(mutant: Mutant, golden: Golden) -> bool:
    """Whether golden bytes read otherwise than their values say."""
    one = mutant.wrong
    for data, values in golden:
        if one.name not in values or one.offset < 0:
            continue
        inside = one.end <= len(data)
        found = plain_reader.read(data[one.offset : one.end], one.kind) if inside else None
        if as_json(found) != values[one.name]:
            return True
    return False


def not_frozen(mutant: Mutant) -> bool:
    """Whether the frozen table says otherwise."""
    line, one = FROZEN.get((mutant.table, mutant.field.name)), mutant.wrong
    if line is None:
        return False
    place = (one.offset, one.kind.width) == (int(line["offset"]), int(line["length"]))
    return not (place and one.kind.op in FROZEN_OPS[line["format"]])


@dataclass
class Score:
    """How many mutants there were, and which witness killed them."""

    made: int = 0
    by: Counter[str] = None  # type: ignore[assignment]
    alive: list[Mutant] = None  # type: ignore[assignment]
    golden_missed: list[Mutant] = None  # type: ignore[assignment]


def score() -> Score:
    """Try every mutant of every section."""
    golden, found = goldens(), Score(0, Counter(), [], [])
    for table in layouts.all_tables():
        for mutant in mutants(table.section):
            found.made += 1
            ways = {
                "golden bytes": wrong_value(mutant, golden.get(table.name, [])),
                "frozen table": not_frozen(mutant),
                "import": refused(table.section, mutant),
            }
            found.by.update(name for name, killed in ways.items() if killed)
            if not any(ways.values()):
                found.alive.append(mutant)
            if not ways["golden bytes"]:
                found.golden_missed.append(mutant)
    return found


def test_every_mutant_is_noticed() -> None:
    found = score()
    assert found.made > 10_000
    assert not found.alive, [str(one) for one in found.alive[:20]]
    assert found.by["golden bytes"] >= 0.94 * found.made


if __name__ == "__main__":
    done = score()
    killed = done.made - len(done.alive)
    print(f"{done.made:,} mutants, {killed:,} noticed ({100 * killed / done.made:.2f} %)")
    for witness, number in done.by.most_common():
        print(f"  by {witness}: {number:,} ({100 * number / done.made:.2f} %)")
    print(f"not noticed by golden bytes alone: {len(done.golden_missed):,}")
    for one in done.golden_missed:
        print(f"  {one}")
    print("not noticed at all:", *(map(str, done.alive) if done.alive else ["none"]), sep="\n  ")
