"""Where a number comes from, from the bytes of a file to the report: lineage and bytes joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa

from imsperf import layouts
from imsperf.database.store import Store
from imsperf.errors import DumpError
from imsperf.layout import IMS_SUFFIX, RAW_TABLES, Field
from imsperf.ledger import LEDGER_TABLES
from imsperf.parsers.containers.source import STDIN, storable, stored_file
from imsperf.parsers.diagnosis.browse import BrowsedRecord, BrowsedSection, Browser
from imsperf.parsers.kernels.decode import Decoder
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.lineage.columns import lineage, subject
from imsperf.reports.lineage.example import ROWS_FOLLOWED, Number, Place, example
from imsperf.reports.lineage.explanation import Explanation, FieldBytes

if TYPE_CHECKING:
    from imsperf.layouts.profile import Profile

_DESCRIPTOR = 4  # bytes before a record, a segment and a block


def explain(
    name: str,
    store: Store | None = None,
    *,
    keep: Filter = EVERYTHING,
    where: str = "",
    rows: int = ROWS_FOLLOWED,
    profile: str | Profile | None = None,
) -> Explanation:
    """Explain REPORT.COLUMN, VIEW.COLUMN or TABLE.COLUMN; with a database, with an example.

    Raises ReportError for an unknown name, and where no row has a value.
    """
    what = subject(name)
    explanation = Explanation(what, lineage(what))
    if store is None:
        return explanation
    sample = example(store.con, what, keep, where, rows)
    numbers = {
        (number.place, number.value): number for number in sample.number.walk() if number.place
    }
    with duckdb.connect() as plain:
        reader = _Reader(store, profile, plain)
        return replace(explanation, example=sample, bytes=tuple(reader.read_all(numbers.values())))


@dataclass
class _File:
    """A loaded file, opened when a record of it is wanted."""

    path: Path
    size: int
    profile: str | Profile | None
    records: dict[int, BrowsedRecord] = field(default_factory=dict)

    @cached_property
    def browser(self) -> Browser:
        if not self.path.is_file():
            if self.path.name == str(STDIN):
                raise DumpError("they came from standard input, which is read once")
            raise DumpError(f"{storable(self.path)}: the file is no longer there")
        if self.path.stat().st_size != self.size:
            raise DumpError(f"{storable(self.path)}: the file has changed since it was loaded")
        return Browser(self.path, self.profile)

    def record(self, number: int) -> BrowsedRecord:
        if number not in self.records:
            self.records[number] = self.browser.read(number)
        return self.records[number]


class _Reader:
    """Reads fields of records again, from the files they were loaded from."""

    def __init__(
        self, store: Store, profile: str | Profile | None, plain: duckdb.DuckDBPyConnection
    ) -> None:
        self._plain = plain  # writes values as the database does
        rows = store.con.execute("SELECT file_id, path, bytes FROM load_file").fetchall()
        self._files = {
            number: _File(_where(store, stored_file(path)), size, profile)
            for number, path, size in rows
        }

    def read_all(self, numbers: Iterable[Number]) -> Iterator[FieldBytes]:
        """Those that stand in a record."""
        for number in numbers:
            place = number.place
            if place is None or place.record_no is None or place.table in LEDGER_TABLES:
                continue
            yield self._read(place, number.value)

    def _read(self, place: Place, value: str | None) -> FieldBytes:
        file = self._files.get(place.file_id or 0)
        if file is None:
            return FieldBytes(place, value, note="its file is not in load_file")
        start = FieldBytes(place, value, storable(file.path), place.record_no)
        try:
            record = file.record(place.record_no or 0)
            return self._of_record(start, record, file.browser)
        except (DumpError, OSError) as error:
            words = error.message if isinstance(error, DumpError) else str(error)
            return replace(start, note=f"its bytes cannot be shown: {words}")

    def _of_record(self, start: FieldBytes, record: BrowsedRecord, browser: Browser) -> FieldBytes:
        """The field's bytes in the record that was read."""
        place = start.place
        here = replace(start, record_at=record.place)
        if _is_key(place):
            return replace(here, note="not a field: made from the record when it was loaded")
        place_of = _section_of(place, record, browser)
        if place_of is None:
            return replace(here, note="the record has no such section: name its --profile")
        section, field = place_of
        data = section.data[field.offset : field.end]
        if len(data) < field.kind.width:
            return replace(here, note="the section is too short for the field")
        at = _place_in_file(section, field, record, browser)
        apart = "" if at is not None else "the field stands in two segments of its record"
        said = _decoded(self._plain, data, field)
        return replace(
            here, record_no=section.record_no, section_at=section.place, offset=field.offset, at=at,
            hex=data.hex(), kind=field.kind.name, decoded=said, note=apart,
        )  # fmt: skip


def _where(store: Store, path: Path) -> Path:
    """The file, or the one of its name beside a database that was moved with it."""
    beside = store.path.parent / path.name
    return beside if not path.is_file() and beside.is_file() else path


def _is_key(place: Place) -> bool:
    if place.table in RAW_TABLES:
        return True
    return place.column in {key.name for key in layouts.table(place.table).keys}


def _section_of(
    place: Place, record: BrowsedRecord, browser: Browser
) -> tuple[BrowsedSection, Field] | None:
    """The section and field behind a table column; another layout of a log has its own names."""
    wanted, column = place.table, place.column
    if column in {field.name for field in IMS_SUFFIX.fields} and record.kind == "ims":
        wanted = IMS_SUFFIX.table
    elif browser.profile is not None:
        fill = next(
            (fill_of for fill_of in browser.profile.fills if fill_of.table.name == wanted), None
        )
        if fill is None or column not in fill.sources:
            return None
        wanted, column = fill.section.table, fill.sources[column].field
    number = 1 if wanted == IMS_SUFFIX.table else place.section_no
    for piece in record.pieces:
        if piece.table == wanted and piece.section_no == number:
            return piece, piece.section.named(column)
    return None


def _place_in_file(
    section: BrowsedSection, field: Field, record: BrowsedRecord, browser: Browser
) -> int | None:
    """Where a field begins in the unpacked file; None where it goes on in another segment."""
    if section.byte_offset is not None:
        return section.byte_offset + field.offset
    if section.record_no != record.number:
        record = browser.read(section.record_no)
    wanted = section.place + field.offset - _DESCRIPTOR
    block = _DESCRIPTOR if browser.frames.is_blocked else 0
    buffer, at = browser.frames.buffer, record.place
    while at + _DESCRIPTOR <= len(buffer):
        length = int(buffer[at]) << 8 | int(buffer[at + 1])
        here = at + _DESCRIPTOR + wanted
        if length < _DESCRIPTOR or here + field.kind.width <= at + length:
            data = section.data[field.offset : field.end]
            return here if buffer[here : here + len(data)].tobytes() == data else None
        wanted -= length - _DESCRIPTOR
        at += length + block
    return None


def _decoded(con: duckdb.DuckDBPyConnection, data: bytes, field: Field) -> str | None:
    """What the bytes say, as DuckDB writes it."""
    field_alone = replace(field, offset=0)
    buffer = np.frombuffer(data, np.uint8)
    batch = Decoder([field_alone]).decode(buffer, [0], [len(data)]).batch
    con.register("value", pa.Table.from_batches([batch]))
    (row,) = con.execute(f'SELECT CAST("{field.name}" AS VARCHAR) FROM value').fetchall()
    text: str | None = row[0]
    return text
