"""Every declared layout through encoder and decoder, and what a declaration must say.

What the sources say of each record: test_evidence.py. Overlapping fields and fields past the end of
a section fail when imsperf.layouts is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plain_reader
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from evidence_checks import shipped
from random_values import random_columns

from imsperf import layouts
from imsperf.kinds import Op, u2, u4
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.layouts import smf
from imsperf.record import Interval, LogRecord, Record

HEADERS = (smf.HEADER_18, smf.HEADER_24, smf.HEADER_56)
LOG_RECORDS = layouts.all_log_records()
SECTIONS = {
    **{name: record.sections for name, record in shipped().items()},
    "record headers and suffix": (*HEADERS, IMS_SUFFIX),
}

Check = Callable[[Section], None]


def by_record_sections(check: Check) -> Callable[[str], None]:
    """A test for each record, which checks its sections one after another."""

    @pytest.mark.parametrize("name", SECTIONS)
    def test(name: str) -> None:
        for section in SECTIONS[name]:
            try:
                check(section)
            except AssertionError as error:
                raise AssertionError(f"{section.table}: {error}") from error

    test.__doc__ = check.__doc__
    return test


by_record = pytest.mark.parametrize("record", layouts.all_records(), ids=lambda r: r.title)
by_log_record = pytest.mark.parametrize("record", LOG_RECORDS, ids=lambda r: r.section.table)


def decode(
    data: np.ndarray[Any, np.dtype[np.uint8]], starts: Any, lengths: Any, section: Section
) -> pa.RecordBatch:
    from imsperf.parsers.kernels.decode import decode_section

    batch: pa.RecordBatch = decode_section(
        data, np.asarray(starts, np.int64), np.asarray(lengths, np.int32), section
    )
    return batch


# --- encoder and decoder ------------------------------------------------------------------------


def encoded_rows(section: Section, rows: int, seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    columns = random_columns(section, rows, np.random.default_rng(seed))
    return section.encode(columns, count=rows)


@by_record_sections
def test_random_values_survive_a_round_trip(section: Section) -> None:
    data = encoded_rows(section, 40, seed=3)
    starts = np.arange(40) * section.length
    batch = decode(data.reshape(-1), starts, np.full(40, section.length), section)
    assert batch.num_rows == 40 or not section.fields
    assert batch.schema.names == [field.name for field in section.fields]
    if section.fields:
        expected = [plain_reader.read_section(bytes(row), section) for row in data]
        assert batch.to_pylist() == expected
    again = section.encode({name: for_encode(batch, name) for name in batch.schema.names}, count=40)
    assert np.array_equal(again, data)


def for_encode(batch: pa.RecordBatch, name: str) -> Any:
    """A decoded column in the form `encode` takes."""
    column = batch.column(name)
    if pa.types.is_fixed_size_list(column.type):
        size = column.type.list_size
        return column.flatten().to_numpy(zero_copy_only=False).reshape(-1, size)
    if pa.types.is_fixed_size_binary(column.type):
        return column.to_pylist()
    if pa.types.is_time64(column.type):
        return column.cast(pa.int64()).to_numpy().astype("m8[us]")
    return column.to_numpy(zero_copy_only=False)


@by_record_sections
def test_every_shorter_length_gives_null_past_its_end(section: Section) -> None:
    section_bytes = encoded_rows(section, 1, seed=4).reshape(-1)
    lengths = np.arange(section.length + 20)  # past its end too: longer sections are read as well
    data = np.concatenate([section_bytes, np.full(20, 0xEE, np.uint8)])
    batch = decode(data, np.zeros(len(lengths)), lengths, section)
    values = plain_reader.read_section(bytes(section_bytes), section)
    for field in section.fields:
        column = batch.column(field.name)
        assert column.null_count == field.end, field.name
        assert pc.all(column.slice(0, field.end).is_null()).as_py()
        assert column.slice(field.end).to_pylist() == [values[field.name]] * (
            len(lengths) - field.end
        )


@by_record_sections
def test_columns_left_out_are_zero_bytes_and_gaps_stay_zero(section: Section) -> None:
    assert not section.encode({}, count=2).any()
    gaps = np.ones(section.length, bool)
    for field in section.fields:
        gaps[field.offset : field.end] = False
    assert not encoded_rows(section, 20, seed=5)[:, gaps].any()


@by_record_sections
def test_shorter_level_is_the_longer_one_cut(section: Section) -> None:
    for _, length in section.levels:
        cut(section, length)


def cut(section: Section, length: int) -> None:
    columns = random_columns(section, 3, np.random.default_rng(6))
    short = section.encode(columns, length=length)
    assert np.array_equal(short, section.encode(columns)[:, :length])
    assert not any(field.offset < length < field.end for field in section.fields)
    assert any(field.offset >= length for field in section.fields)


# --- what a declaration must say ----------------------------------------------------------------


@by_record_sections
def test_declaration_reads_well(section: Section) -> None:
    assert section.doc and section.source and not section.doc.endswith("..."), "to be filled in"
    for field in section.fields:
        assert not field.doc[0].islower() or field.doc.startswith("z"), field.name
        assert not field.doc.endswith(".") and field.doc != "Meaning", f"{field.name}: {field.doc}"


@by_record
def test_triplets_stand_where_the_header_has_them(record: Record) -> None:
    parts = [part for part in record.parts if part.in_header]
    for part in parts:
        at = [field for field in record.header.fields if part.at <= field.offset < part.at + 8]
        assert [(place.offset - part.at, place.kind) for place in at] == [(0, u4), (4, u2), (6, u2)]


@by_record
def test_interval_fields_exist(record: Record) -> None:
    interval = record.interval
    if interval is None:
        assert not 70 <= record.type <= 79
        return
    clocks = [
        interval.section.named(name).kind.op
        for name in (interval.date, interval.start, interval.length)
        if name
    ]
    of_rmf = [Op.PACKED_DATE, Op.PACKED_TIME, Op.PACKED_LENGTH]
    of_mq = [Op.TOD, Op.UNSIGNED]
    assert clocks in (of_rmf, [Op.PACKED_DATE, Op.CENTISECONDS], of_mq)
    if interval.system:
        assert (interval.named_in or interval.section).named(interval.system).kind.op is Op.TEXT
    assert isinstance(interval, Interval) and interval.section in record.sections


@by_log_record
def test_body_leaves_the_log_header_alone(record: LogRecord) -> None:
    documented = {field.name for field in record.section.fields if field.offset < 6}
    assert documented <= {"subcode", "subtype", "rectype", "type", "trnrctyp"}, documented
    entries = record.entries
    if entries is None or entries.count_at is None or entries.length_at is None:
        return
    if isinstance(entries.start, int):
        assert entries.start == record.section.length
    fields = {field.offset: field for field in record.section.fields}
    assert fields[entries.count_at].name == "count"
    assert fields[entries.length_at].name == "entry_len"


def test_no_column_is_named_twice() -> None:
    for table in layouts.all_tables():
        columns = [column.name for column in table.columns]
        assert len(columns) == len(set(columns)), table.name
        assert table.schema().names == columns


def test_database_takes_every_table_and_its_comments() -> None:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    for table in layouts.all_tables():
        for statement in table.create_sql():
            con.execute(statement)
    columns_there = con.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE comment IS NOT NULL"
    ).fetchall()
    assert set(columns_there) == {
        (t.name, c.name, c.sql) for t in layouts.all_tables() for c in t.columns
    }
