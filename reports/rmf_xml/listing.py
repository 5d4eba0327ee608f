"""A listing of the RMF Postprocessor in XML: what is in it, and reading it from a file.

A listing that somebody sends is not trusted: a document type, which entities need, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from imsperf.errors import ReportError

_DEPTH = 64  # elements in one another; RMF has 8
_CLOCK = re.compile(r"(?:(\d+)\.)?(\d+)\.(\d\d)\.(\d{3})", re.ASCII)  # hh.mm.ss.ttt
_NUMBER = re.compile(r"(-?)(\d*)(?:\.(\d*))?([KMG]?)", re.ASCII)
_SCALE = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}


class Value(NamedTuple):
    """What is printed; of our own listings also the number that was printed, not rounded."""

    text: str
    number: float | None = None

    @property
    def range(self) -> tuple[float, float] | None:
        """From where to where the number may be that was printed so; None where it is none.

        A time is cut to the millisecond, another number rounded to its last digit.
        """
        if clock := _CLOCK.fullmatch(self.text):
            hours, minutes, seconds, ms = (int(part or 0) for part in clock.groups())
            low = hours * 3600 + minutes * 60 + seconds + ms / 1000
            return low, low + 0.001
        number = _NUMBER.fullmatch(self.text)
        if not number or not (number[2] or number[3]):
            return None
        scale = _SCALE[number[4]]
        half = 0.5 * 10.0 ** -len(number[3] or "") * scale
        middle = float(f"{number[1]}{number[2] or '0'}.{number[3] or '0'}") * scale
        return middle - half, middle + half


@dataclass
class Row:
    """Values by the heading of their column; `total`: a row of sums."""

    values: dict[str, Value]
    total: bool = False


@dataclass
class Table:
    """A table, or a list of variables (`is_list`) as one row, of a part of a segment."""

    segment: str
    part: str
    rows: list[Row]
    is_list: bool = False
    numbers: frozenset[str] = frozenset()  # headings of columns of numbers


@dataclass
class Listing:
    """What RMF prints of one system and interval. `start` is local time."""

    system: str
    start: datetime | None
    seconds: float | None
    tables: list[Table] = field(default_factory=list)
    run: str = ""
    level: str = ""
    cycle_ms: int | None = None


def read(path: Path) -> list[Listing]:
    """The listings of a file. Raises ReportError for what is no XML, or none of the Postprocessor,
    and for a message in place of a report.

    It refuses a document type, and with it all entities but those of XML itself.
    """
    try:
        root = _parsed(path)
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from error
    except expat.ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        why = expat.ErrorString(error.code)
        raise ReportError(
            f"{path}: no well-formed XML: {why}, {place}",
            "expected XML output of the RMF Postprocessor, or of `report --format rmfxml`",
        ) from error
    every = []
    for element in root.iter("postprocessor"):
        if (message := element.find("message")) is not None and element.find("segment") is None:
            raise ReportError(
                f"{path}: found no report, but a message of RMF: {message.get('id', '')} "
                f"{_text(message, 'description')}"
            )
        every.append(_listing(path, element))
    if not every:
        raise ReportError(
            f"{path}: found no <postprocessor> in <{root.tag}>",
            "expected a report of the RMF Postprocessor as XML",
        )
    return every


def _parsed(path: Path) -> Element:
    builder, parser, depth = TreeBuilder(), expat.ParserCreate(), 0

    def refuse(*_: object) -> None:
        raise ReportError(
            f"{path}: found a document type (line {parser.CurrentLineNumber}), which is not read",
            "listings of RMF have none; entities in one can name files or fill the memory",
        )

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEPTH:
            raise ReportError(f"{path}: found more than {_DEPTH} elements in one another")
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.buffer_text = True
    with path.open("rb") as file:
        parser.ParseFile(file)
    return builder.close()


def _listing(path: Path, element: Element) -> Listing:
    begin, length = _text(element, ".//display-start"), _text(element, ".//report-interval")
    try:
        start = datetime.strptime(begin, "%m/%d/%Y-%H.%M.%S") if begin else None
        minutes, seconds, ms = (int(part) for part in (length or "0:0:0").split(":"))
    except ValueError as error:
        raise ReportError(
            f"{path}: found {begin!r} and {length!r}, expected a start as "
            "mm/dd/yyyy-hh.mm.ss and a length as mm:ss:ttt"
        ) from error
    cycle = _text(element, ".//cycle")
    return Listing(
        _text(element, ".//resname"),
        start,
        minutes * 60 + seconds + ms / 1000 if length else None,
        list(_tables(element)),
        level=_text(element, ".//smf-data"),
        cycle_ms=int(cycle) if cycle.isdecimal() else None,
    )


def _tables(element: Element) -> Iterator[Table]:
    for segment in element.iter("segment"):
        for part in segment.iter("part"):
            names = _text(segment, "name"), _text(part, "name")
            for variables in part.iter("var-list"):
                pairs = (
                    (_text(v, "name"), Value(_text(v, "value"))) for v in variables.iter("var")
                )
                yield Table(*names, [Row(dict(pairs))], is_list=True)
            for table in part.iter("table"):
                columns = table.findall("column-headers/col")
                heads = ["".join(column.itertext()).strip() for column in columns]
                numbers = frozenset(
                    head
                    for head, column in zip(heads, columns, strict=True)
                    if column.get("type") == "N"
                )
                rows = [
                    Row(dict(zip(heads, _values(row), strict=False)), row.get("type") == "SUM")
                    for row in table.iter("row")
                ]
                yield Table(*names, rows, numbers=numbers)


def _values(row: Element) -> Iterator[Value]:
    for cell in row.findall("col"):
        yield Value("".join(cell.itertext()).strip())


def _text(element: Element, path: str) -> str:
    there = element.find(path)
    return "".join(there.itertext()).strip() if there is not None else ""
