"""CICS performance records: decoded by the dictionary of their region and their connectors.

A dictionary record lists all fields of a region's run. In front of the performance records of an
SMF record stand connectors: which fields they hold, in which order. Records are grouped by
dictionary and connectors; each group is decoded at once. A record before any dictionary of its
region is decoded by the first one after it if that has all its connectors and their lengths add
up: within a run of CICS dictionaries are equal, and it writes one whenever monitoring is turned on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.kinds import Kind, text, tod, u3, u4, u8, unsigned
from imsperf.kinds import packed as packed_number
from imsperf.layout import DictionaryField, Field, Section
from imsperf.parsers import cics_records
from imsperf.parsers.cics_dictionary import NONE, Dictionaries, Dictionary, Entry
from imsperf.parsers.cics_records import Heads, expanded, read_heads
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels.decode import Decoded, Decoder
from imsperf.parsers.kernels.hashing import hash_records
from imsperf.parsers.kernels.loads import I32, I64, U8
from imsperf.parsers.problems import Problem, Severity
from imsperf.parsers.rows import Runs

_CONNECTOR, _LEAST_OFFSET = 2, 44  # bytes of a connector; end of the header
_NAMED = 20  # fields named in a problem
_NOT_EXPANDED = "whose compressed data sections do not expand to the length they should have"
_NO_DICTIONARY = (
    "without a dictionary record of the region that fits; put the dump that has it in front of "
    "this one in one file: CICS writes it at start and whenever monitoring is turned on, the "
    "utility DFHMNDUP at any time"
)
_KEPT = "they are kept whole in smf_raw"

# A clock by its length: kind of the time, microseconds in a unit, where the count stands.
_CLOCKS: dict[int, tuple[Kind, float, int]] = {12: (u8, 1 / 4096, 9), 8: (u4, 16.0, 5)}
_LONGEST_NUMBER = 8  # bytes


def _fields(column: DictionaryField, entry: Entry, offset: int) -> list[Field]:
    """The fields to decode for a column or, if its length is none of its type, nothing."""

    def at(kind: Kind, name: str = column.name, skip: int = 0) -> Field:
        return Field(offset + skip, name, kind, column.doc)

    if column.type == "S" and entry.length in _CLOCKS:
        kind, _, count = _CLOCKS[entry.length]
        return [at(kind, f"{column.name}_us"), at(u3, f"{column.name}_count", count)]
    if column.type == "T" and entry.length == tod.width:
        return [at(tod)]
    if column.type in "AP" and entry.length <= _LONGEST_NUMBER:
        return [at((unsigned if column.type == "A" else packed_number)(entry.length))]
    return [at(text(entry.length))] if column.type == "C" else []


class Layout:
    """Where the fields stand in performance records: one dictionary, one list of connectors.

    `fits`: all connectors are known and their lengths are the length of a performance record.
    `faults` are reasons and details; `unmapped` the fields that no column takes.
    """

    def __init__(
        self, section: Section, dictionary: Dictionary, connectors: list[int], size: int,
        code_page: str,
    ) -> None:  # fmt: skip
        self.faults: dict[str, str] = {}
        self.unmapped: list[str] = []
        self.schema = pa.schema([(column.name, column.arrow) for column in section.columns()])
        self._factor: dict[str, float] = {}
        known = _by_key(section)
        fields: list[Field] = []
        end = 0
        for place, connector in enumerate(connectors):
            entry = dictionary.entries.get(connector)
            if entry is None:
                self.faults["unknown_connector"] = (
                    f"connector {place + 1} of {len(connectors)}: found {connector}, which the "
                    f"dictionary in record {dictionary.number:,} does not have; the fields from "
                    f"+{end} of the performance records on are NULL"
                )
                break
            if entry.length and end + entry.length <= size:
                fields += self._add(known, entry, end)
            end += entry.length
        self.fits = "unknown_connector" not in self.faults and end == size
        if not self.fits and "unknown_connector" not in self.faults:
            self.faults["dictionary_mismatch"] = (
                f"found connectors of fields of {end} bytes by the dictionary in record "
                f"{dictionary.number:,}, but performance records of {size} bytes; "
                "fields past their end are NULL"
            )
        self.is_empty = end == 0
        self._decoder = Decoder(fields, code_page)
        self._section, self._size = section, size

    @property
    def placed(self) -> Section:
        """The section with its fields where these records have them, in raw units."""
        columns = {entry_column.name: entry_column for entry_column in self._section.by_dictionary}
        fields = tuple(
            replace(field, unit=_raw_unit(columns.get(field.name), field))
            for field in self._decoder.fields
        )
        return replace(self._section, length=self._size, fields=fields, by_dictionary=())

    def _add(
        self, known: dict[tuple[str, str, str], DictionaryField], entry: Entry, offset: int
    ) -> list[Field]:
        """Fields of an entry that a column takes; each column takes one."""
        for key in (entry.number, entry.nickname):
            column = known.get((entry.group, entry.type, key))
            if column is None:
                continue
            del known[entry.group, entry.type, key]
            fields = _fields(column, entry, offset)
            if not fields:
                what = f"found length {entry.length}, which type {entry.type} does not have"
                self.faults.setdefault("field_length", f"{entry}: {what}; the column is NULL")
            elif entry.type == "S":
                self._factor[fields[0].name] = _CLOCKS[entry.length][1]
            return fields
        self.unmapped.append(str(entry))
        return []

    def decode(self, buffer: U8, starts: I64, lengths: I32) -> Decoded:
        """Performance records as a batch of all columns of their table."""
        decoded = self._decoder.decode(buffer, starts, lengths)
        have = dict(zip(decoded.schema.names, decoded.columns, strict=True))
        columns = [
            self._column(have.get(column.name), column, len(starts)) for column in self.schema
        ]
        return Decoded(self.schema, columns, decoded.invalid)

    def _column(self, values: pa.Array | None, field: pa.Field, rows: int) -> pa.Array:
        if values is None:
            return pa.nulls(rows, field.type)
        if factor := self._factor.get(field.name):
            return pa.array(values.to_numpy(zero_copy_only=False) * factor)
        if pa.types.is_string(field.type):
            return pc.utf8_ltrim(values, characters="\0")  # RTYPE has its letter in the last byte
        return values if values.type == field.type else values.cast(field.type)


def _raw_unit(column: DictionaryField | None, field: Field) -> str:
    """The unit of the bytes; those of a clock are its own."""
    if column is None:
        return {"u8": "1/4096 us", "u4": "16 us"}.get(field.kind.name, "")
    return column.unit


def _by_key(section: Section) -> dict[tuple[str, str, str], DictionaryField]:
    return {
        (
            entry_column.group,
            entry_column.type,
            entry_column.number or entry_column.name.upper(),
        ): entry_column
        for entry_column in section.by_dictionary
    }


@dataclass
class _Tally:
    """Records with one thing in common: how many, and the first one."""

    number: int
    place: int
    records: int = 0
    bytes: int = 0

    def add(self, more: _Tally) -> None:
        """Count records behind these."""
        self.records += more.records
        self.bytes += more.bytes

    def none(self) -> _Tally:
        """None yet, with the same first one."""
        return _Tally(self.number, self.place)


@dataclass
class _Used:
    """Records that one layout was used for, and what is to be said of it."""

    tally: _Tally
    unmapped: list[str]
    faults: dict[str, str]


@dataclass(frozen=True)
class PerformanceState:
    """What the records of a range leave to be said of the whole file."""

    of_dictionaries: list[Problem]
    tallies: dict[tuple[str, str], _Tally]
    used: dict[tuple[int, ...], _Used]


@dataclass
class PerformanceReader:
    """Finds the layout of performance records, and says which records cannot be read."""

    section: Section
    code_page: str
    dump: Callable[[], Iterable[Part]]  # the whole file, to look for dictionaries
    dictionaries: Dictionaries = field(init=False)
    _is_scanned: bool = False
    _layouts: list[Layout] = field(default_factory=list)
    _index: dict[tuple[int, ...], int] = field(default_factory=dict)
    _keys: list[tuple[int, ...]] = field(default_factory=list)  # of the layouts
    _used: dict[tuple[int, ...], _Used] = field(default_factory=dict)
    _tallies: dict[tuple[str, str], _Tally] = field(default_factory=dict)
    _failed: Any = None  # of the last piece: mask of the records that did not expand
    _current: tuple[I64, I64] | None = None  # of the last piece: record numbers, their layouts

    def __post_init__(self) -> None:
        self.dictionaries = Dictionaries(self.code_page)

    def pieces(self, part: Part) -> Iterator[tuple[Any, Part]]:
        """The records of a part, expanded: which they are, and where they now stand."""
        for piece in expanded(part):
            self._failed = piece.failed
            yield piece.rows, piece.part

    def check(self, part: Part, bad: Any) -> Any:
        """The mask of the records of the last piece that cannot be read; `bad` already are."""
        if not self._is_scanned:
            self.dictionaries.scan(self.dump())
            self._is_scanned = True
        head = read_heads(part)
        names, code = np.unique(head.regions(part), axis=0, return_inverse=True)
        regions, code = [name.tobytes() for name in names], code.reshape(-1)
        lost = bad | self._failed
        self._count(part, self._failed & ~bad, regions, code, "compressed_records")
        wanted = (head.kind == cics_records.PERFORMANCE) & (head.count > 0) & ~lost
        for reason, mask in _misplaced(part, head):
            self._count(part, wanted & mask, regions, code, reason)
            lost |= wanted & mask
            wanted &= ~mask
        layouts, without = self._assign(part, head, np.flatnonzero(wanted), regions, code)
        self._current = part.number, layouts
        self._count(part, without, regions, code, "no_dictionary")
        other = ~lost & (head.kind > 4) & (head.count > 0)
        self._count(part, other, regions, code, "other_class")
        return lost | without

    def _assign(
        self, part: Part, head: Heads, rows: I64, regions: list[bytes], code: I64
    ) -> tuple[I64, Any]:
        """The layout of each record, -1 for none, and the mask of `rows` without one."""
        layout_no = np.full(len(part.start), NONE, np.int64)
        without = np.zeros(len(part.start), np.bool_)
        which, later = self.dictionaries.find(regions, code[rows], part.number[rows])
        length = (_CONNECTOR * head.connector_count[rows]).astype(np.int32)
        hashes = hash_records(part.buffer, part.start[rows] + head.connectors[rows], length, 0)
        keys = np.column_stack([which, hashes.view("<i8").reshape(-1, 2), head.size[rows], later])
        if not len(rows):
            return layout_no, without
        unique, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        for number, key in enumerate(unique.tolist()):
            some = rows[group.reshape(-1) == number]
            index = self._layout(tuple(key), part, head, int(rows[first[number]]))
            layout = None if index == NONE else self._layouts[index]
            if layout is None or layout.is_empty or (key[-1] and not layout.fits):
                without[some] = True
                continue
            layout_no[some] = index
            self._use(part, some, index, bool(key[-1]), regions, code)
        return layout_no, without

    def _layout(self, key: tuple[int, ...], part: Part, head: Heads, row: int) -> int:
        if key[0] == NONE:
            return NONE
        if key not in self._index:
            at = part.start[row] + head.connectors[row]
            area = part.buffer[at : at + _CONNECTOR * head.connector_count[row]]
            connectors = area.view(">u2").tolist()
            size, dictionary = int(head.size[row]), self.dictionaries.all[key[0]]
            layout = Layout(self.section, dictionary, connectors, size, self.code_page)
            self._index[key] = len(self._layouts)
            self._layouts.append(layout)
            self._keys.append(key)
        return self._index[key]

    def _use(
        self, part: Part, rows: I64, index: int, later: bool, regions: list[bytes], code: I64
    ) -> None:
        mask = np.zeros(len(part.start), np.bool_)
        mask[rows] = True
        if len(rows):
            layout, tally = self._layouts[index], _tally_of(part, rows)
            used = _Used(tally.none(), layout.unmapped, layout.faults)
            self._used.setdefault(self._keys[index], used).tally.add(tally)
        if later:
            self._count(part, mask, regions, code, "later_dictionary")

    def _count(self, part: Part, mask: Any, regions: list[bytes], code: I64, reason: str) -> None:
        """Count records of each region for a problem at the end of the file."""
        for label in np.unique(code[mask]).tolist():
            region = self._region(regions[label])
            _add(self._tallies, (reason, region), part, np.flatnonzero(mask & (code == label)))

    def _region(self, key: bytes) -> str:
        places = (("system", 0, 4), ("generic", 4, 8), ("specific", 12, 8))
        fields = [Field(at, name, text(width), "of the region") for name, at, width in places]
        decoder = Decoder(fields, self.code_page)
        region = decoder.decode(np.frombuffer(key, np.uint8), [0], [len(key)]).batch
        system, generic, specific = (str(column[0].as_py()) for column in region.columns)
        return f"region {generic}/{specific} of system {system}"

    def split(self, part: Part, run: Runs) -> Iterator[tuple[Runs, Any, Layout]]:
        """Performance records by layout: a run of their own, which they are, and the layout."""
        assert self._current is not None
        numbers, layouts = self._current
        index = layouts[np.searchsorted(numbers, part.number[run.record])]
        for layout_no in np.unique(index[index != NONE]).tolist():
            rows = np.flatnonzero(index == layout_no)
            some = Runs(
                run.number, run.record[rows], run.start[rows], run.length[rows], run.section[rows]
            )
            yield some, rows, self._layouts[layout_no]

    @property
    def state(self) -> PerformanceState:
        """What these records leave to be said of the whole file."""
        return PerformanceState(self.dictionaries.problems, self._tallies, self._used)

    def absorb(self, more: PerformanceState) -> None:
        """Count the records of a later range; the dictionaries of the file are known to all."""
        self.dictionaries.problems = self.dictionaries.problems or more.of_dictionaries
        for name, tally in more.tallies.items():
            self._tallies.setdefault(name, tally.none()).add(tally)
        for key, used in more.used.items():
            mine = _Used(used.tally.none(), used.unmapped, used.faults)
            self._used.setdefault(key, mine).tally.add(used.tally)

    def finish(self) -> list[Problem]:
        """What is to be said of the whole file."""
        problems = self.dictionaries.problems + [
            _tallied(reason, region, tally) for (reason, region), tally in self._tallies.items()
        ]
        unmapped: dict[str, None] = {}
        for used in self._used.values():
            tally = used.tally
            unmapped |= dict.fromkeys(used.unmapped)
            more = f"; so in {tally.records - 1:,} more records" if tally.records > 1 else ""
            problems += [_problem(tally, "error", *item, more) for item in used.faults.items()]
        if unmapped:
            names = ", ".join([*unmapped][:_NAMED])
            more = f" and {len(unmapped) - _NAMED:,} more" if len(unmapped) > _NAMED else ""
            detail = f"{self.section.table}: found {len(unmapped):,} fields that no column takes: "
            detail += f"{names}{more}; their values are not kept (smf110_1_dictionary names them)"
            tally = min((used.tally for used in self._used.values()), key=lambda one: one.number)
            problems.append(_problem(tally, "info", "unmapped_field", detail))
        return problems


def _misplaced(part: Part, head: Heads) -> list[tuple[str, Any]]:
    """Masks of performance records whose data or connectors cannot be where they should."""
    last = head.connectors + _CONNECTOR * head.connector_count
    past = (head.end > part.length) | (head.data < _LEAST_OFFSET) | (head.size == 0)
    wrong = (head.connector_size != _CONNECTOR) | (head.connector_count == 0)
    wrong |= (head.connectors < _LEAST_OFFSET) | (last > part.length)
    wrong |= (last > head.data) & (head.end > head.connectors)
    return [("section_past_end", past), ("bad_connectors", wrong)]


def _add(tallies: dict[Any, _Tally], key: Any, part: Part, rows: I64) -> None:
    if len(rows):
        tally = _tally_of(part, rows)
        tallies.setdefault(key, tally.none()).add(tally)


def _tally_of(part: Part, rows: I64) -> _Tally:
    number, place = int(part.number[rows[0]]), int(part.place[rows[0]])
    return _Tally(number, place, len(rows), int(part.length[rows].sum()))


_TALLIED: dict[str, tuple[Severity, str]] = {
    "compressed_records": ("error", f"{_NOT_EXPANDED}; {_KEPT}"),
    "section_past_end": ("error", f"whose performance data would end past the record; {_KEPT}"),
    "bad_connectors": ("error", f"without a list of 2-byte connectors before the data; {_KEPT}"),
    "no_dictionary": ("error", f"{_NO_DICTIONARY}; {_KEPT}"),
    "later_dictionary": ("info", "before any dictionary record; the next one has their fields"),
    "other_class": ("info", "of a class above 4, of which only header and product are read"),
}


def _tallied(reason: str, region: str, tally: _Tally) -> Problem:
    severity, words = _TALLIED[reason]
    lost = 0 if severity == "info" else tally.bytes
    return _problem(tally, severity, reason, f"{region}: found {tally.records:,} records {words}",
                    lost=lost)  # fmt: skip


def _problem(
    tally: _Tally, severity: Severity, reason: str, detail: str, more: str = "", lost: int = 0
) -> Problem:
    return Problem(tally.number, tally.place, lost, "110", "1", severity, reason, detail + more)
