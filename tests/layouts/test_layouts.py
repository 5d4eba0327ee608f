"""Every declared layout against its frozen table and golden bytes, and through encoder and decoder.

Overlapping fields and fields past the end of a section fail when imsperf.layouts is imported.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import numpy as np
import plain_reader
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from golden_files import GOLDEN, as_json, golden_bytes, golden_names, golden_rows, golden_values
from random_values import random_columns

from imsperf import layouts
from imsperf.kinds import Op, u2, u4
from imsperf.layout import IMS_SUFFIX, Field, Section, Table
from imsperf.layouts import smf
from imsperf.record import Interval, LogRecord, Record

HEADERS = (smf.HEADER_18, smf.HEADER_24, smf.HEADER_56)
SECTIONS = (*(table.section for table in layouts.all_tables()), *HEADERS, IMS_SUFFIX)
LOG_RECORDS = layouts.all_log_records()

by_table = pytest.mark.parametrize("section", SECTIONS, ids=lambda s: s.table)
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


# --- frozen tables ------------------------------------------------------------------------------

FROZEN_OPS = {
    "binary": {Op.UNSIGNED, Op.CENTISECONDS, Op.WIDE},
    "binary signed": {Op.SIGNED},
    "bitflags": {Op.UNSIGNED},
    "array of binary": {Op.UNSIGNED, Op.SIGNED},
    "hex/binary": {Op.UNSIGNED, Op.OPAQUE},
    "EBCDIC": {Op.TEXT},
    "packed": {Op.PACKED_NUMBER, Op.PACKED_DATE, Op.PACKED_TIME, Op.PACKED_LENGTH},
    # golden values say which
    "TOD": {Op.TOD, Op.TOD_HIGH, Op.TOD_OFFSET, Op.STCKE, Op.UNSIGNED},
    "IBM hex float": {Op.HEX_FLOAT},
    "B": {Op.UNSIGNED},
    "B signed": {Op.SIGNED},
    "C": {Op.TEXT},
    "X": {Op.OPAQUE, Op.UNSIGNED},  # golden values say which
    "T": {Op.OPAQUE},
    "P": {Op.UTC12, Op.PACKED_DATE, Op.PACKED_TIME},
    "STCK": {Op.TOD},
}
# Their place is documented by IBM, their length is ours; the frozen table calls all of it ours.
DOCUMENTED_PLACE = {("ims_42", "installed_level"), ("ims_4500", "st4500_in_level")}


def frozen() -> dict[tuple[str, str], dict[str, str]]:
    """Every frozen row; tables still to be declared wait."""
    known, found = {table.name for table in layouts.all_tables()}, {}
    for path in sorted((GOLDEN / "frozen").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            lines = [line for line in csv.DictReader(file) if line["table"] in known]
        found |= {(line["table"], line["column"]): line for line in lines}
    return found


FROZEN = frozen()


def declared_fields() -> dict[tuple[str, str], tuple[int, Field, str]]:
    """Offset (below zero: back from the record's end), field and confidence of each column."""
    found = {}
    for table in layouts.all_tables():
        places = [(one.offset, one, table.section) for one in table.section.fields]
        if len(table.fields) > len(table.section.columns()):
            places += [(one.offset - 16, one, IMS_SUFFIX) for one in IMS_SUFFIX.fields]
        for offset, one, section in places:
            found[table.name, one.name] = (offset, one, section.confidence_of(one))
    return found


DECLARED = declared_fields()


def test_declared_fields_are_exactly_the_frozen_ones() -> None:
    assert sorted(DECLARED) == sorted(FROZEN)


def differences(line: dict[str, str], offset: int, field: Field, confidence: str) -> dict[str, Any]:
    """What is not as the frozen line says: expected, declared."""
    kind, text = field.kind, line["format"]
    documented = (line["table"], line["column"]) in DOCUMENTED_PLACE
    checks = {
        "offset": (int(line["offset"]), offset),
        "length": (int(line["length"]), kind.width),
        "format": (text, text if kind.op in FROZEN_OPS[text] else kind.op.name),
        "is an array": (text == "array of binary", kind.count > 1),
        "holds flags": (text == "bitflags", kind.name.startswith("flags")),
        "confidence": ("1src" if documented else line["confidence"], confidence),
    }
    return {what: pair for what, pair in checks.items() if pair[0] != pair[1]}


@pytest.mark.parametrize("table", sorted({table for table, _ in FROZEN}))
def test_fields_are_declared_as_frozen(table: str) -> None:
    columns = [where for where in FROZEN if where[0] == table]
    wrong = {column: differences(FROZEN[column], *DECLARED[column]) for column in columns}
    assert {column: pairs for column, pairs in wrong.items() if pairs} == {}


def test_reserved_bytes_are_those_of_the_sources() -> None:
    with (GOLDEN / "reserved.csv").open(encoding="utf-8", newline="") as file:
        listed = [
            (row["table"], int(row["offset"]), int(row["length"])) for row in csv.DictReader(file)
        ]
    tables = {table.name: table.section for table in layouts.all_tables()}
    found = [(name, *one) for name, section in tables.items() for one in section.reserved]
    assert sorted(found) == sorted(listed)


# --- golden bytes -------------------------------------------------------------------------------


def plain(data: bytes, start: int, length: int, section: Section) -> dict[str, Any]:
    return plain_reader.read_section(data[start : start + length], section)


def kernel(data: bytes, start: int, length: int, section: Section) -> dict[str, Any]:
    batch = decode(np.frombuffer(data, np.uint8), [start], [length], section)
    found: dict[str, Any] = batch.to_pylist()[0] if section.fields else {}
    return found


Reader = Callable[[bytes, int, int, Section], dict[str, Any]]
by_reader = pytest.mark.parametrize("read", [plain, kernel])


def json_values(row: dict[str, Any]) -> dict[str, Any]:
    return {name: as_json(value) for name, value in row.items()}


def names(folder: str, *starts: str) -> list[str]:
    return [name for name in golden_names(folder) if name.split("/")[1].startswith(starts)]


def test_every_section_has_golden_bytes() -> None:
    found = {
        table for name in names("smf", "smf") + names("ims", "") for table in golden_rows(name)
    }
    assert found >= {t.name for t in layouts.all_tables() if not t.section.by_dictionary}


@by_reader
@pytest.mark.parametrize("name", names("smf", "smf"))
def test_golden_section(name: str, read: Reader) -> None:
    data = golden_bytes(name)
    ((table, (row,)),) = golden_rows(name).items()
    found = json_values(read(data, 0, len(data), layouts.section(table)))
    assert {column: found.get(column, "no such column") for column in row} == row


def test_every_field_has_a_golden_value() -> None:
    """A section that two witnesses described has its fields in the files of both."""
    found: dict[str, set[str]] = {}
    for name in names("smf", "smf") + names("ims", ""):
        for table, rows in golden_rows(name).items():
            found.setdefault(table, set()).update(column for row in rows for column in row)
    fields = {
        table.name: {one.name for one in table.section.fields} for table in layouts.all_tables()
    }
    assert {
        t: missing for t, want in fields.items() if (missing := want - found.get(t, set()))
    } == {}


@by_reader
@pytest.mark.parametrize("section", HEADERS, ids=lambda s: s.table)
def test_golden_header_form(section: Section, read: Reader) -> None:
    name = f"smf/header_{section.length}"
    row = json_values(read(golden_bytes(name), 0, section.length, section))
    fields = {
        "length": "smfxlen", "segment": "smfxseg", "flags": "smfxflg", "time": "smfxtme",
        "date": "smfxdte", "sid": "smfxsid", "subsystem": "smfxssi", "subtype": "smfxsty",
    }  # fmt: skip
    expected = golden_values(name)
    assert expected.pop("form") == section.length
    assert expected.pop("type") == row.get("smfxtyp", row["smfxrty"])
    assert expected == {key: row.get(field) for key, field in fields.items()}


@by_reader
@pytest.mark.parametrize("name", ["smf/record_70_1", "smf/record_74_1"])
def test_golden_record_by_its_triplets(name: str, read: Reader) -> None:
    data, content = golden_bytes(name), golden_values(name)
    record = layouts.smf_record(content["type"], content["subtype"])
    assert record is not None
    header = read(data, 0, len(data), record.header)
    found = {record.header.table: [header]}
    for part in record.parts:
        offset, step, number = (
            int.from_bytes(data[part.at + at : part.at + end])
            for at, end in ((0, 4), (4, 6), (6, 8))
        )
        if number:
            starts = range(offset, offset + number * step, step)
            found[part.section.table] = [read(data, at, step, part.section) for at in starts]
    numbered = {
        table: [{"section_no": n, **json_values(row)} for n, row in enumerate(rows, 1)]
        for table, rows in found.items()
    }
    assert numbered == content["rows"]


def test_every_log_section_is_in_a_golden_file() -> None:
    """Whole records go through the reader of logs in test_ims; here field by field."""
    found = {table for name in names("ims", "") for table in golden_rows(name)}
    assert found >= {table.name for one in LOG_RECORDS for table in one.tables()}


@by_reader
@pytest.mark.parametrize("name", names("ims", ""))
def test_golden_log_section(name: str, read: Reader) -> None:
    """The fields of the record itself, or of an entry that has a file of its own."""
    data, table = golden_bytes(name), name.split("/")[1].split(".")[0]
    if table not in golden_rows(name):
        return
    row, section = golden_rows(name)[table][0], layouts.section(table)
    is_record = "log_lsn" in row
    found = json_values(read(data, 0, len(data) - 16 if is_record else len(data), section))
    if is_record:
        found |= json_values(read(data, len(data) - 16, 16, IMS_SUFFIX))
    assert {column: found[column] for column in row} == row


# --- encoder and decoder ------------------------------------------------------------------------


def encoded_rows(section: Section, rows: int, seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    columns = random_columns(section, rows, np.random.default_rng(seed))
    return section.encode(columns, count=rows)


@by_table
def test_random_values_survive_a_round_trip(section: Section) -> None:
    data = encoded_rows(section, 40, seed=3)
    starts = np.arange(40) * section.length
    batch = decode(data.reshape(-1), starts, np.full(40, section.length), section)
    assert batch.num_rows == 40 or not section.fields
    assert batch.schema.names == [one.name for one in section.fields]
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


@by_table
def test_every_shorter_length_gives_null_past_its_end(section: Section) -> None:
    whole = encoded_rows(section, 1, seed=4).reshape(-1)
    lengths = np.arange(section.length + 20)  # past its end too: longer sections are read as well
    data = np.concatenate([whole, np.full(20, 0xEE, np.uint8)])
    batch = decode(data, np.zeros(len(lengths)), lengths, section)
    values = plain_reader.read_section(bytes(whole), section)
    for one in section.fields:
        column = batch.column(one.name)
        assert column.null_count == one.end, one.name
        assert pc.all(column.slice(0, one.end).is_null()).as_py()
        assert column.slice(one.end).to_pylist() == [values[one.name]] * (len(lengths) - one.end)


@by_table
def test_columns_left_out_are_zero_bytes_and_gaps_stay_zero(section: Section) -> None:
    assert not section.encode({}, count=2).any()
    gaps = np.ones(section.length, bool)
    for one in section.fields:
        gaps[one.offset : one.end] = False
    assert not encoded_rows(section, 20, seed=5)[:, gaps].any()


LEVELS = [(section, length) for section in SECTIONS for _, length in section.levels]


@pytest.mark.parametrize(("section", "length"), LEVELS)
def test_shorter_level_is_the_longer_one_cut(section: Section, length: int) -> None:
    columns = random_columns(section, 3, np.random.default_rng(6))
    short = section.encode(columns, length=length)
    assert np.array_equal(short, section.encode(columns)[:, :length])
    assert not any(one.offset < length < one.end for one in section.fields)
    assert any(one.offset >= length for one in section.fields)


# --- what a declaration must say ----------------------------------------------------------------


@by_table
def test_declaration_reads_well(section: Section) -> None:
    assert section.doc and section.source
    for one in section.fields:
        assert not one.doc[0].islower() or one.doc.startswith("z"), one.name
        assert not one.doc.endswith("."), one.name


@by_record
def test_triplets_stand_where_the_header_has_them(record: Record) -> None:
    parts = [part for part in record.parts if part.in_header]
    for part in parts:
        at = [one for one in record.header.fields if part.at <= one.offset < part.at + 8]
        assert [(one.offset - part.at, one.kind) for one in at] == [(0, u4), (4, u2), (6, u2)]


@by_record
def test_interval_fields_exist(record: Record) -> None:
    one = record.interval
    if one is None:
        assert not 70 <= record.type <= 79
        return
    clocks = [one.section.named(name).kind.op for name in (one.date, one.start, one.length) if name]
    whole = [Op.PACKED_DATE, Op.PACKED_TIME, Op.PACKED_LENGTH]
    assert clocks in (whole, [Op.PACKED_DATE, Op.CENTISECONDS])
    if one.system:
        assert (one.named_in or one.section).named(one.system).kind.op is Op.TEXT
    assert isinstance(one, Interval) and one.section in record.sections


@by_log_record
def test_body_leaves_the_log_header_alone(record: LogRecord) -> None:
    documented = {one.name for one in record.section.fields if one.offset < 6}
    assert documented <= {"subcode", "subtype", "rectype", "type", "trnrctyp"}, documented
    entries = record.entries
    if entries is None or entries.count_at is None or entries.length_at is None:
        return
    if isinstance(entries.start, int):
        assert entries.start == record.section.length
    fields = {one.offset: one for one in record.section.fields}
    assert fields[entries.count_at].name == "count"
    assert fields[entries.length_at].name == "entry_len"


@pytest.mark.parametrize("table", layouts.all_tables(), ids=lambda t: t.name)
def test_no_column_is_named_twice(table: Table) -> None:
    columns = [column.name for column in table.columns]
    assert len(columns) == len(set(columns))
    assert table.schema().names == columns


def test_database_takes_every_table_and_its_comments() -> None:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    for table in layouts.all_tables():
        for statement in table.create_sql():
            con.execute(statement)
    made = con.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE comment IS NOT NULL"
    ).fetchall()
    assert set(made) == {(t.name, c.name, c.sql) for t in layouts.all_tables() for c in t.columns}
