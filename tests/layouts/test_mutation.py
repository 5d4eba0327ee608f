"""Would a test notice a wrong declaration? Every field and every place of a section is changed.

`python tests test_mutation` prints how many of the mutants die, by which witness, and names those
that live. A mutant of a field dies by the bytes of the evidence (a value differs), by the line that
describes the field (offset, length, format) or at import (overlap, past the end); one of a place by
its line, by a complete record, or at import.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import plain_reader
from evidence_checks import areas, differences, file_of, places_wrong, shipped, whole_wrong
from evidence_files import as_written, evidence

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
from imsperf.record import At, Index, LogRecord, Record, SectionPlace

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
    """Bytes and values of each table; of complete log records the body without entries."""
    by_field: dict[str, Golden] = {}
    for name, record in shipped().items():
        for sample in evidence(name).samples.values():
            for section, row, data in areas(record, sample):
                by_field.setdefault(section.table, []).append((data, row))
    return by_field


def sections() -> Iterator[Section]:
    """Each section of the product once."""
    every = {section.table: section for record in shipped().values() for section in record.sections}
    yield from every.values()


def mutants(section: Section) -> Iterator[Mutant]:
    """Each field moved by a byte, a byte wider or narrower, of another kind, as its neighbour."""
    fields = section.fields
    for at, declared in enumerate(fields):
        for step in (1, -1):
            yield Mutant(
                section.table,
                declared,
                f"shift {step:+}",
                replace(declared, offset=declared.offset + step),
            )
        for kind in resized(declared.kind):
            yield Mutant(section.table, declared, "resize", replace(declared, kind=kind))
        for kind in retyped(declared.kind):
            yield Mutant(section.table, declared, "retype", replace(declared, kind=kind))
        if at + 1 < len(fields):
            other = fields[at + 1]
            yield Mutant(section.table, declared, "swap", replace(other, name=declared.name))


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
    fields = tuple(mutant.wrong if field is mutant.field else field for field in section.fields)
    try:
        replace(section, fields=tuple(sorted(fields, key=lambda sample: sample.offset)))
    except LayoutError:
        return True
    return False


def wrong_value(mutant: Mutant, golden: Golden) -> bool:
    """Whether golden bytes read otherwise than their values say."""
    wrong = mutant.wrong
    for data, values in golden:
        if wrong.name not in values or wrong.offset < 0:
            continue
        inside = wrong.end <= len(data)
        value = plain_reader.read(data[wrong.offset : wrong.end], wrong.kind) if inside else None
        if as_written(value) != values[wrong.name]:
            return True
    return False


def otherwise_described(mutant: Mutant) -> bool:
    """Whether the line of the evidence says otherwise."""
    known = evidence(file_of()[mutant.table])
    line, wrong = known.fields[mutant.table, mutant.field.name], mutant.wrong
    return bool(differences(line, wrong.offset, wrong, line.confidence))


@dataclass
class Score:
    """How many mutants there were, and which witness killed them."""

    made: int = 0
    by: Counter[str] = field(default_factory=Counter)
    alive: list[str] = field(default_factory=list)
    bytes_missed: list[str] = field(default_factory=list)

    def add(self, mutant: object, ways: dict[str, bool], bytes_of: str) -> None:
        """A mutant, and which witness notices it."""
        self.made += 1
        self.by.update(name for name, killed in ways.items() if killed)
        if not any(ways.values()):
            self.alive.append(str(mutant))
        if not ways[bytes_of]:
            self.bytes_missed.append(str(mutant))

    def lines(self) -> Iterator[str]:
        """The score as text."""
        killed = self.made - len(self.alive)
        yield f"{self.made:,} mutants, {killed:,} noticed ({100 * killed / self.made:.2f} %)"
        for witness, number in self.by.most_common():
            yield f"  by {witness}: {number:,} ({100 * number / self.made:.2f} %)"
        yield f"not noticed by bytes alone: {len(self.bytes_missed):,}"
        yield from (f"  {mutant}" for mutant in self.bytes_missed)
        yield from ("not noticed at all:", *(f"  {mutant}" for mutant in self.alive or ["none"]))


def field_score() -> Score:
    """Try every mutant of every field."""
    golden, score = goldens(), Score()
    for section in sections():
        for mutant in mutants(section):
            ways = {
                "bytes": wrong_value(mutant, golden.get(section.table, [])),
                "description": otherwise_described(mutant),
                "import": refused(section, mutant),
            }
            score.add(mutant, ways, "bytes")
    return score


# --- places of sections --------------------------------------------------------------------------


@dataclass(frozen=True)
class PlaceMutant:
    """A record whose sections are declared to stand elsewhere; `make` may raise LayoutError."""

    record: Record
    how: str
    make: Callable[[], Record]

    def __str__(self) -> str:
        return f"{self.record.title}: {self.how}"


def place_mutants(record: Record) -> Iterator[PlaceMutant]:
    """Each part left out, moved, read from other numbers, swapped with each other; each index."""

    def with_parts(parts: tuple[SectionPlace, ...]) -> Callable[[], Record]:
        return lambda: replace(record, parts=parts)

    parts = record.parts
    for at, part in enumerate(parts):
        for how, wrong in wrong_parts(part):
            changed = (*parts[:at], *wrong, *parts[at + 1 :])
            yield PlaceMutant(record, f"{part.section.table}: {how}", with_parts(changed))
    for (i, first), (j, other) in combinations(enumerate(parts), 2):
        if first.inside is other.inside and first.section is not other.section:
            swapped = list(parts)
            swapped[i] = replace(first, section=other.section)
            swapped[j] = replace(other, section=first.section)
            how = f"{first.section.table} and {other.section.table} swapped"
            yield PlaceMutant(record, how, with_parts(tuple(swapped)))
    for at, index in enumerate(record.indexes):
        for how, some in wrong_indexes(index):
            indexes = (*record.indexes[:at], *some, *record.indexes[at + 1 :])
            yield PlaceMutant(
                record,
                f"index of {index.child.table}: {how}",
                lambda indexes=indexes: replace(record, indexes=indexes),  # type: ignore[misc]
            )


def wrong_parts(part: SectionPlace) -> Iterator[tuple[str, tuple[SectionPlace, ...]]]:
    """The part left out, or with another number in one of its places."""
    yield "left out", ()
    for name in ("offset", "length", "number"):
        place = getattr(part, name)
        for step in (1, -1, 8):
            if isinstance(place, At):
                moved = replace(place, at=place.at + step)
            elif name == "offset" or (name == "number" and place + step > 0):
                moved = place + step
            else:
                continue
            yield f"{name} {step:+}", (replace(part, **{name: moved}),)
    if part.next_at is not None:
        yield "next +4", (replace(part, next_at=part.next_at + 4),)
    if part.when is not None:
        byte, values = part.when
        yield "when, another byte", (replace(part, when=(byte + 1, values)),)
        yield "when, another value", (replace(part, when=(byte, tuple(n + 1 for n in values))),)
        yield "always", (replace(part, when=None),)


def wrong_indexes(index: Index) -> Iterator[tuple[str, tuple[Index, ...]]]:
    """The index left out, of another base, or by another field of the parent."""
    yield "left out", ()
    yield "base", (replace(index, base=1 - index.base),)
    names = [field.name for field in index.parent.fields]
    yield "first", (replace(index, first=names[names.index(index.first) - 1]),)
    if index.number:
        yield "number", (replace(index, number=names[names.index(index.number) - 1]),)


def place_score() -> Score:
    """Try every mutant of every place."""
    score = Score()
    for name, record in shipped().items():
        if isinstance(record, LogRecord):
            continue
        for mutant in place_mutants(record):
            try:
                wrong, refused_at_import = mutant.make(), False
            except LayoutError:
                wrong, refused_at_import = record, True
            ways = {
                "complete records": bool(whole_wrong(wrong, evidence(name))),
                "lines of places": bool(places_wrong(wrong, evidence(name))),
                "import": refused_at_import,
            }
            score.add(mutant, ways, "complete records")
    return score


def test_every_mutant_of_a_field_is_noticed() -> None:
    score = field_score()
    assert score.made > 10_000
    assert score.alive == []
    assert score.by["bytes"] >= 0.94 * score.made


def test_every_mutant_of_a_place_is_noticed() -> None:
    score = place_score()
    assert score.made > 1_000
    assert score.alive == []


if __name__ == "__main__":
    print("Fields", *field_score().lines(), "", "Places", *place_score().lines(), sep="\n")
