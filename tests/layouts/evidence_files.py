"""Reads tests/evidence: what the sources say of each record. The form: tests/evidence/README.md."""

from __future__ import annotations

import csv
import datetime as dt
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache, cached_property
from typing import Any

from places import TESTS

EVIDENCE = TESTS / "evidence"
COLUMNS = [
    *("sample", "table", "row", "field", "offset", "length", "format", "confidence"),
    *("hex", "value", "note"),
]
PLACES = ("triplet", "pointer", "chain", "nested", "index")
WHOLE = ("record", "piece", "part", "header")  # first words of samples of several sections


@dataclass(frozen=True)
class Line:
    """One line; `where` is its file and number, for messages."""

    where: str
    sample: str
    table: str
    row: str
    field: str
    offset: int | None
    length: int
    format: str
    confidence: str
    data: bytes
    value: str
    note: str

    @property
    def key(self) -> str:
        """The sample it belongs to: `record`, `smf70_1_cpu v24`."""
        is_whole = self.sample.split(" ")[0] in WHOLE
        return self.sample if is_whole else f"{self.table} {self.sample}".strip()


@dataclass(frozen=True)
class Sample:
    """Bytes, and the values in them: the rows of each table, in order; what `about` tells."""

    name: str
    data: bytes
    rows: dict[str, list[dict[str, Any]]]
    about: dict[str, Any]
    starts: dict[tuple[str, int], int] = field(default_factory=dict)  # of each row, in `data`
    ends: dict[tuple[str, int], int] = field(default_factory=dict)


@dataclass(frozen=True)
class Evidence:
    """One file: the record of that name."""

    name: str
    comments: tuple[str, ...]
    lines: tuple[Line, ...]

    @cached_property
    def fields(self) -> dict[tuple[str, str], Line]:
        """The line that describes each field, by table and field."""
        by_name: dict[tuple[str, str], Line] = {}
        for line in self.lines:
            if line.length and line.format != "reserved":
                if (line.table, line.field) in by_name:
                    raise ValueError(f"{line.where}: found {line.field} described twice")
                by_name[line.table, line.field] = line
        return by_name

    @property
    def reserved(self) -> list[tuple[str, int, int]]:
        """Table, offset and length of the bytes that the source sets aside."""
        return [(x.table, x.offset or 0, x.length) for x in self.lines if x.format == "reserved"]

    @property
    def places(self) -> list[Line]:
        """The lines that say where sections stand."""
        return [line for line in self.lines if line.format in PLACES]

    @property
    def status(self) -> str:
        """`two readers` or `single reader`."""
        words = [
            comment.removeprefix("status:").strip()
            for comment in self.comments
            if "status:" in comment
        ]
        if words not in (["two readers"], ["single reader"]):
            raise ValueError(f"{self.name}.csv: found status {words}, expected one of the two")
        return words[0]

    @cached_property
    def samples(self) -> dict[str, Sample]:
        """Every sample, by `record` or `smf70_1_cpu v24`."""
        lines: dict[str, list[Line]] = {}
        for line in self.lines:
            if line.data or line.field == "*" or (line.value and line.format not in PLACES):
                lines.setdefault(line.key, []).append(line)
        for key, some in lines.items():
            lines[key] = [sample for line in some for sample in self._section(line, lines)]
        return {key: self._sample(key, some) for key, some in lines.items()}

    def _section(self, line: Line, lines: dict[str, list[Line]]) -> list[Line]:
        """The lines that a line stands for: field `*` is the section alone, or the sample named."""
        if line.field != "*":
            return [line]
        key = line.value if line.value.startswith("part ") else f"{line.table} {line.value}".strip()
        if key not in lines:
            raise ValueError(f"{line.where}: found no sample {key!r}")
        mine = {line.table: line.row}
        return [
            replace(row, sample=line.sample, row=mine.get(row.table, row.row)) for row in lines[key]
        ]

    def _sample(self, key: str, lines: list[Line]) -> Sample:
        data, starts, ends = bytearray(), dict[tuple[str, int], int](), dict[tuple[str, int], int]()
        rows: dict[str, dict[int, dict[str, Any]]] = {}
        about, at_end = dict[str, Any](), list[tuple[Line, int]]()
        for line in lines:
            row = int(line.row or 1)
            if line.data and line.offset is not None:
                start = starts.setdefault((line.table, row), len(data) - max(line.offset, 0))
                if line.offset < 0:
                    at_end.append((line, len(data)))
                elif start + line.offset != len(data):
                    expected = len(data) - start
                    raise ValueError(
                        f"{line.where}: found {line.field or 'bytes'} at +{line.offset}, the line "
                        f"before ends at +{expected}"
                    )
            data += line.data
            if line.data:
                ends[line.table, row] = len(data)
            if line.field and line.value:
                value = self._value(line)
                if line.table:
                    rows.setdefault(line.table, {}).setdefault(row, {})[line.field] = value
                else:
                    about[line.field] = value
        for line, begin in at_end:
            if begin - len(data) != line.offset:
                raise ValueError(f"{line.where}: found it at {begin - len(data)} from the end")
        numbered = self.name.startswith("smf") and key.split(" ")[0] in WHOLE
        tables = {
            table: [{"section_no": n, **some[n]} if numbered else some[n] for n in sorted(some)]
            for table, some in rows.items()
        }
        return Sample(f"{self.name} {key}", bytes(data), tables, about, starts, ends)

    def _value(self, line: Line) -> Any:
        described = self.fields.get((line.table, line.field))
        return value_of(line.value, described.format if described else "")


def value_of(word: str, format: str) -> Any:
    """A written value: NULL, '' (blank text), X'0A' as lower-case hex, a number, a list, text."""
    if word == "NULL":
        return None
    if word == "''":
        return ""
    if word[:1] == '"':
        return json.loads(word)
    if format == "EBCDIC":
        return word
    if word[:1] in "[{":
        return json.loads(word)
    if re.fullmatch(r"X'[0-9A-F]*'", word):
        return word[2:-1].lower()
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    if re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", word):
        return float(word)
    return word


@cache
def evidence(name: str) -> Evidence:
    """The file of that record: `smf74_1`, `ims_4504`."""
    comments, content, numbers = [], [], []
    text = (EVIDENCE / f"{name}.csv").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            comments.append(line[1:].strip())
        elif line.strip():
            content.append(line)
            numbers.append(number)
    rows = csv.DictReader(content)
    if rows.fieldnames != COLUMNS:
        raise ValueError(f"{name}.csv: found columns {rows.fieldnames}, expected {COLUMNS}")
    lines = (
        _line(f"{name}.csv line {number}", row)
        for number, row in zip(numbers[1:], rows, strict=True)
    )
    return Evidence(name, tuple(comments), tuple(lines))


def _line(where: str, row: dict[str, str]) -> Line:
    try:
        offset = int(row["offset"]) if row["offset"] else None
        length, data = int(row["length"] or 0), bytes.fromhex(row["hex"])
    except (ValueError, TypeError) as error:
        raise ValueError(f"{where}: {error}; every line has {len(COLUMNS)} cells") from None
    known = (row[cell] for cell in ("sample", "table", "row", "field"))
    other = row["format"], row["confidence"], data, row["value"], row["note"]
    if length and data and length != len(data) and row["format"] not in PLACES:
        raise ValueError(f"{where}: found {len(data)} bytes of {row['field']}, expected {length}")
    return Line(where, *known, offset, length, *other)


@cache
def names() -> tuple[str, ...]:
    """Every record that has a file."""
    return tuple(sorted(path.stem for path in EVIDENCE.glob("*.csv") if path.stem != "pending"))


def samples() -> Iterator[Sample]:
    """All of all files."""
    for name in names():
        yield from evidence(name).samples.values()


def sample(name: str) -> Sample:
    """The sample of that name: `smf74_1 record`, `smf70_1 smf70_1_cpu v24`."""
    file, _, key = name.partition(" ")
    return evidence(file).samples[key]


def record_bytes(name: str) -> bytes:
    """A sample's bytes; a whole record begins with its RDW."""
    return sample(name).data


def record_names(family: str) -> list[str]:
    """The samples that are complete records of `smf` or `ims` and need no other record."""
    names = (sample for sample in samples() if sample.name.startswith(family))
    alone = (sample.name for sample in names if not {"needs", "undecoded"} & {*sample.about})
    return sorted(name for name in alone if name.split(" ")[1] == "record")


def header_names() -> list[str]:
    """The names of the samples of the three forms of an SMF header."""
    return [sample.name for sample in evidence("smf_headers").samples.values()]


@cache
def pending() -> dict[tuple[str, str], str]:
    """What may wait, and why; the words: tests/evidence/README.md."""
    with (EVIDENCE / "pending.csv").open(encoding="utf-8", newline="") as file:
        return {(row["what"], row["name"]): row["why"] for row in csv.DictReader(file)}


def as_written(value: Any) -> Any:
    """A decoded value in the form the evidence has."""
    if isinstance(value, dt.timedelta):
        return value // dt.timedelta(microseconds=1)
    if isinstance(value, (dt.datetime, dt.time)):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value)
    return value.hex() if isinstance(value, bytes) else value
