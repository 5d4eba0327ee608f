"""A declared record against its evidence: each check gives complaints, none where both agree.

The tests, the mutation check and `imsperf dev check` use the same checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import plain_reader
from evidence_files import Evidence, Line, Sample, as_written, evidence, names, pending
from plain_places import followed

from imsperf import layouts
from imsperf.kinds import Op
from imsperf.layout import IMS_SUFFIX, Column, Field, Section, Table
from imsperf.record import At, LogRecord, Place, Record, SectionPlace

Declared = Record | LogRecord

# What a format may be declared as; where it leaves a choice, the values tell.
FORMATS = {
    "binary": {Op.UNSIGNED, Op.CENTISECONDS, Op.WIDE},
    "binary signed": {Op.SIGNED},
    "array of binary": {Op.UNSIGNED, Op.SIGNED},
    "bitflags": {Op.UNSIGNED},
    "hex/binary": {Op.UNSIGNED, Op.OPAQUE},
    "opaque": {Op.OPAQUE},
    "EBCDIC": {Op.TEXT},
    "packed": {
        *(Op.PACKED_NUMBER, Op.PACKED_DATE, Op.PACKED_TIME, Op.PACKED_LENGTH, Op.UTC12),
    },
    "TOD": {Op.TOD, Op.TOD_HIGH, Op.TOD_OFFSET, Op.STCKE, Op.UNSIGNED},
    "IBM hex float": {Op.HEX_FLOAT},
}


def name_of(record: Declared) -> str:
    """The name of its evidence: `smf74_1`, `smf30`, `ims_4504`."""
    if isinstance(record, LogRecord):
        return record.section.table
    return f"smf{record.type}" + ("" if record.subtype is None else f"_{record.subtype}")


@cache
def shipped() -> Mapping[str, Declared]:
    """Every record that the product registers, by the name of its evidence."""
    every = (*layouts.shipped_records(), *layouts.shipped_log_records())
    return {name_of(record): record for record in every}


@cache
def file_of() -> Mapping[str, str]:
    """The file that describes each table; two records may share one."""
    return {table: name for name in names() for table, _ in evidence(name).fields}


def own_tables(record: Declared, known: Evidence) -> list[Table]:
    """The tables of a record that no other file describes."""
    return [
        table for table in record.tables() if file_of().get(table.name, known.name) == known.name
    ]


# --- fields --------------------------------------------------------------------------------------


def fields_of(table: Table) -> Iterator[tuple[int, Field, str]]:
    """Offset (below zero: back from the record's end), field and confidence of each."""
    section = table.section
    for field in section.fields:
        yield field.offset, field, section.confidence_of(field)
    if len(table.fields) > len(section.columns()):
        for field in IMS_SUFFIX.fields:
            yield field.offset - IMS_SUFFIX.length, field, IMS_SUFFIX.confidence_of(field)


def differences(line: Line, offset: int, field: Field, confidence: str) -> dict[str, Any]:
    """What is not as the source has it: (evidence, declaration)."""
    kind, format = field.kind, line.format
    checks = {
        "offset": (line.offset, offset),
        "length": (line.length, kind.width),
        "format": (format, format if kind.op in FORMATS.get(format, ()) else kind.op.name),
        "is an array": (format == "array of binary", kind.count > 1),
        "holds flags": (format == "bitflags", kind.name.startswith("flags")),
        "confidence": (line.confidence, confidence),
    }
    return {what: pair for what, pair in checks.items() if pair[0] != pair[1]}


def fields_wrong(record: Declared, known: Evidence) -> list[str]:
    """Fields and reserved bytes that the declaration and the source do not have alike."""
    said, mine = [], set[tuple[str, str]]()
    for table in own_tables(record, known):
        for offset, declared, confidence in fields_of(table):
            where = f"{table.name}.{declared.name}"
            mine.add((table.name, declared.name))
            line = known.fields.get((table.name, declared.name))
            if line is None:
                said.append(f"{where}: declared, and no line of {known.name}.csv describes it")
                continue
            for what, (source, ours) in differences(line, offset, declared, confidence).items():
                said.append(f"{where}: {what}: source {source}, declared {ours} ({line.where})")
        listed = sorted(some[1:] for some in known.reserved if some[0] == table.name)
        if listed != sorted(table.section.reserved):
            said.append(f"{table.name}: reserved: source {listed}, declared otherwise")
    for (name, field), line in known.fields.items():
        if (name, field) not in mine and ("declaration", name) not in pending():
            said.append(f"{name}.{field}: described ({line.where}), not declared")
    return said


# --- bytes ---------------------------------------------------------------------------------------


def kernel(data: bytes, section: Section) -> dict[str, Any]:
    """The fields as the product reads them."""
    from imsperf.parsers.kernels.decode import decode_section

    place = np.zeros(1, np.int64), np.array([len(data)], np.int32)
    batch = decode_section(np.frombuffer(data, np.uint8), *place, section)
    row: dict[str, Any] = batch.to_pylist()[0] if section.fields else {}
    return row


def areas(record: Declared, sample: Sample) -> Iterator[tuple[Section, dict[str, Any], bytes]]:
    """The sections of a sample, their values and bytes; of a log record the main section."""
    key = sample.name.partition(" ")[2]
    sections = {table.name: table.section for table in record.tables()}
    if key.split(" ")[0] == "record" and isinstance(record, LogRecord):
        (row,), end = sample.rows[record.section.table], len(sample.data) - IMS_SUFFIX.length
        fields = {name: row[name] for name in row if name not in ("log_stck", "log_lsn")}
        yield record.section, fields, sample.data[:end]
        yield IMS_SUFFIX, {n: row[n] for n in ("log_stck", "log_lsn")}, sample.data[end:]
        return
    for table, rows in sample.rows.items():
        section = sections.get(table)
        for number, row in enumerate(rows, 1) if section and section.fields else ():
            begin = sample.starts.get((table, number))
            if section and begin is not None:
                known = {column.name for column in _keys(record, section)}
                fields = {name: value for name, value in row.items() if name not in known}
                yield section, fields, sample.data[begin : sample.ends[table, number]]


def _keys(record: Declared, section: Section) -> Iterator[Column]:
    """The columns of a row that stand in no bytes."""
    yield from next(table for table in record.tables() if table.section is section).keys


def bytes_wrong(record: Declared, known: Evidence) -> list[str]:
    """Values that the bytes of a section do not decode to, by the kernel or by a plain reader."""
    said = []
    for sample in known.samples.values():
        for section, row, data in areas(record, sample):
            readings = {"kernel": kernel(data, section)}
            readings["plain reader"] = plain_reader.read_section(data, section)
            for name, wanted in row.items():
                for reader, values in readings.items():
                    got = as_written(values.get(name, "no such column"))
                    if got != wanted:
                        where = f"{sample.name}: {section.table}.{name}"
                        said.append(f"{where}: source {wanted!r}, {reader} {got!r}")
    return said


def values_missing(record: Declared, known: Evidence) -> list[str]:
    """Fields that no sample has a value of."""
    seen: dict[str, set[str]] = {}
    for sample in known.samples.values():
        for table, rows in sample.rows.items():
            seen.setdefault(table, set()).update(name for row in rows for name in row)
    return [
        f"{table.name}.{field.name}: no bytes and value"
        for table in own_tables(record, known)
        for _, field, _ in fields_of(table)
        if field.name not in seen.get(table.name, ())
    ]


# --- places --------------------------------------------------------------------------------------

PlaceLine = tuple[str, str, str, str]  # table, how, at, what else tells


def listed_places(known: Evidence) -> set[PlaceLine]:
    """What the source says, without what may wait."""
    places = set()
    for line in known.places:
        if ("place", f"{line.table} {line.format}") in pending():
            continue
        at = line.field if line.offset is None else str(line.offset)
        words = [word for word in line.value.split() if word != "base=1"]
        for start in _each(line.table, line.format, at, words):
            places.add((line.table, line.format, start, " ".join(words)))
    return places


def _each(table: str, how: str, at: str, words: list[str]) -> list[str]:
    """Each area of a block on its own: the source has them together, or not."""
    number = 2 if words[:1] == ["in"] else 0
    if how != "nested" or not words[number].isdigit() or "when" in words:
        return [at]
    short = [int(word.removeprefix("length=")) for word in words if word.startswith("length=")]
    length = short[0] if short else layouts.section(table).length
    many, words[number] = int(words[number]), "1"
    return [str(int(at) + length * n) for n in range(many)]


def declared_places(record: Record) -> set[PlaceLine]:
    """What the record declares, in the words of the evidence."""
    places = set()
    for part in record.parts:
        words = [*_inside(part.inside), *_versions(record), *_detail(part)]
        how, at = _place(part)
        for start in _each(part.section.table, how, at, words):
            places.add((part.section.table, how, start, " ".join(words)))
    for index in record.indexes:
        many = f"last={index.last}" if index.last else index.number or "1"
        words = [*_inside(index.parent), many, *(["base=0"] if index.base == 0 else [])]
        places.add((index.child.table, "index", index.first, " ".join(words)))
    return places


def _inside(section: Section | None) -> list[str]:
    return ["in", section.table] if section else []


def _versions(record: Record) -> list[str]:
    return [f"version={value}" for value in record.when[1]] if record.when else []


def _place(part: SectionPlace) -> tuple[str, str]:
    """How, and at which offset."""
    if isinstance(part.offset, int):
        return "nested", str(part.offset)
    if part.next_at is not None:
        return "chain", str(part.offset.at)
    return ("triplet" if isinstance(part.number, At) else "pointer"), str(part.offset.at)


def _detail(part: SectionPlace) -> list[str]:
    """What else tells: how many areas, when, where the length stands."""
    when = []
    if part.when is not None:
        byte, values = part.when
        in_header = part.inside is None and byte == _SUBTYPE
        when = [f"subtype={n}" for n in values] if in_header else ["when", f"+{byte}={values[0]}"]
    if isinstance(part.offset, int):
        many = str(part.number) if isinstance(part.number, int) else _counter(part, part.number)
        short = [f"length={part.length}"] if part.length != part.section.length else []
        return [many, *short, *when]
    if isinstance(part.number, At):
        return [*_widths(part.offset, part.length, part.number), *when]
    many = [f"number={part.number}"] if part.number != 1 else []
    if part.next_at is not None:
        return [f"next={part.next_at}", _length(part.offset, part.length), *many, *when]
    return [_length(part.offset, part.length), *many, *when]


def _widths(offset: At, length: Place, number: At) -> list[str]:
    """What is not usual in a triplet: 4 bytes of offset, 2 of length and 2 of number."""
    at = offset.at
    if (offset, length, number) == (At(at, 4), At(at + 4), At(at + 6)):
        return []
    if not isinstance(length, At):
        return [f"length={length}"]
    three = (offset, length, number)
    ends = [width.at + width.width for width in three]
    follow = ends[:2] == [length.at, number.at]
    words = "widths=" + "+".join(str(width.width) for width in three)
    return [words] if follow else [words, "at=" + "+".join(str(width.at) for width in three)]


def _length(offset: At, length: Place) -> str:
    """Where the length of a section stands that a pointer finds."""
    if isinstance(length, int):
        return str(length)
    return f"{length.of.table}+{length.at}" if length.of else f"+{length.at - offset.at}"


_SUBTYPE = 23  # of the header: the second byte of its subtype


def _counter(part: SectionPlace, number: At) -> str:
    """The field of the parent that counts."""
    assert part.inside is not None
    fields = {field.offset: field.name for field in part.inside.fields}
    return fields.get(number.at, f"+{number.at}")


def places_wrong(record: Declared, known: Evidence) -> list[str]:
    """Sections that do not stand where the source says; log records have no places."""
    if isinstance(record, LogRecord):
        return []
    source, ours = listed_places(known), declared_places(record)
    said = [f"source, not declared: {' '.join(line)}" for line in sorted(source - ours)]
    return said + [f"declared, not in the source: {' '.join(x)}" for x in sorted(ours - source)]


# --- whole records -------------------------------------------------------------------------------


def whole(known: Evidence) -> list[Sample]:
    """The samples that are complete records."""
    return [sample for key, sample in known.samples.items() if key.split(" ")[0] == "record"]


def whole_missing(record: Declared, known: Evidence) -> bool:
    """Whether a record of several sections, or a log record, has no complete one in its file."""
    several = isinstance(record, LogRecord) or bool(record.parts)
    return several and not whole(known)


def whole_wrong(record: Declared, known: Evidence) -> list[str]:
    """Sections that are not found where the bytes of a complete record have them."""
    said: list[str] = []
    if isinstance(record, LogRecord):
        return said
    for name in whole(known):
        wanted: dict[str, list[int]] = {}
        for (table, _), start in sorted(name.starts.items()):
            wanted.setdefault(table, []).append(start)
        try:
            places = followed(record, name.data)
        except (IndexError, KeyError) as error:
            said.append(f"{name.name}: {error}")
            continue
        for table in sorted({*wanted, *places}):
            source, ours = wanted.get(table, []), places.get(table, [])
            if ("declaration", table) in pending():
                continue
            # of many areas the source may list those that are used
            if source != ours and not (source and {*source} < {*ours}):
                said.append(f"{name.name}: {table}: source at {source}, found at {ours}")
    return said


CHECKS = {
    "fields": fields_wrong,
    "bytes": bytes_wrong,
    "values": values_missing,
    "places": places_wrong,
    "whole record": whole_wrong,
}
