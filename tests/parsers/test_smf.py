"""SMF records to tables: golden records, header forms, levels, quirks, what is kept raw."""

from __future__ import annotations

import datetime as dt
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import second_writer as writer
from dump_files import load, smf
from evidence_files import as_written, header_names, record_bytes, record_names, sample

from imsperf.layout import RAW_TABLES
from imsperf.layouts import all_records, smf_record
from imsperf.parsers.census import NO_TIME
from imsperf.parsers.diagnosis.doctor import examine, is_whole
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.hashing import hash_records
from imsperf.parsers.kernels.loads import read_only
from imsperf.parsers.problems import Problem
from imsperf.parsers.read import inspect, read_file
from imsperf.parsers.selection import Keep
from imsperf.parsers.smf_headers import HEADER, read_headers

GOLDEN_RECORDS = record_names("smf")  # CICS performance records: tests/parsers/test_cics.py


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dump.smf"


def golden(name: str) -> bytes:
    """A golden record without its RDW."""
    return record_bytes(name)[4:]


def changed(record: bytes, offset: int, form: str, *values: int) -> bytes:
    """The record with something else at a documented offset, which counts the RDW."""
    out = bytearray(record)
    struct.pack_into(form, out, offset - 4, *values)
    return bytes(out)


@pytest.mark.parametrize("most", [1, 3000, 1 << 20])
def test_records_of_wanted_tables_are_decoded_some_at_a_time(file: Path, most: int) -> None:
    """So many bytes of them, whatever else stands between them; their rows are the same."""
    devices, others = record_bytes("smf74_1 record"), smf(200, 1, bytes(90))
    file.write_bytes(writer.rdw([devices[4:], others, others] * 7))
    keep = Keep(columns={"smf74_1_device": frozenset({"file_id", "smf74ser"})})
    whole, some = (
        [rows for table, rows in read_file(file, 1, keep=keep, part_bytes=part).batches]
        for part in (None, most)
    )
    at_once = max(1, min(7, -(-most // len(devices))))
    assert [len(whole), len(some)] == [1, -(-7 // at_once)]
    assert pa.Table.from_batches(some).equals(pa.Table.from_batches(whole))


def test_headers_say_what_the_decoder_says() -> None:
    """Times of any bytes, and of dates and times of day near their limits, read in two ways."""
    rng = np.random.default_rng(3)
    rows = 5000
    data = rng.integers(0, 256, (rows, 64), dtype=np.uint8)
    some = rng.random(rows) < 0.7
    clock = rng.integers(8_600_000, 8_680_000, rows).astype(">u4").view(np.uint8).reshape(rows, 4)
    dates = "".join(f"{c:02}{y:02}{d:03}F" for c, y, d in rng.integers(0, (3, 100, 400), (rows, 3)))
    data[some, 6:10] = clock[some]
    data[some, 10:14] = np.frombuffer(bytes.fromhex(dates), np.uint8).reshape(rows, 4)[some]
    data[:, 4] = rng.choice([0x5E, 0x1E, 0xFE, 0], rows)
    length = rng.choice([10, 17, 18, 20, 24, 40, 64], rows).astype(np.int32)
    buffer, start = read_only(data.reshape(-1)), np.arange(rows) * 64
    headers = read_headers(Part(buffer, start, length, start, start))
    batch = Decoder(HEADER).decode(buffer, start, headers.form).batch
    expected = [
        NO_TIME if day is None or us is None else (day * 86_400_000_000 + us)
        for day, us in zip(
            batch.column("date").cast(pa.int32()).to_pylist(),
            batch.column("time").cast(pa.int64()).to_pylist(), strict=True,
        )
    ]  # fmt: skip
    assert headers.time.tolist() == expected
    assert 1000 < expected.count(NO_TIME) < rows - 500


# --- golden records ------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["rdw", "vbs"])
@pytest.mark.parametrize("name", GOLDEN_RECORDS)
def test_golden_records(file: Path, name: str, form: str) -> None:
    """Every section of a whole record, its key columns, and nothing else."""
    record = golden(name)
    records = [smf(2), record, smf(3)]
    file.write_bytes(writer.rdw(records) if form == "rdw" else writer.vbs(records, 500))
    loaded, rows = load(file)
    content = sample(name).about
    # a value that is none, such as a packed date without digits, is NULL and told of
    assert [problem for problem in loaded.problems if problem.reason != "invalid_value"] == []
    for table, wanted in sample(name).rows.items():
        if table.endswith("qest_structure"):  # 64 places, most of them not used
            rows[table] = [row for row in rows[table] if row["qeststr"]]
        assert len(rows[table]) == len(wanted)
        for row, values in zip(rows[table], wanted, strict=True):
            assert {name: as_written(row[name]) for name in values} == values
    for table in sample(name).rows:
        for row in rows[table]:
            assert (row["file_id"], row["record_no"]) == (7, 2)
            assert as_written(row["system"]) == content["system"]
            for key in ("interval_start", "interval_end"):
                assert as_written(row[key]) == content.get(key) or content["type"] in (
                    115,
                    116,
                    123,
                )
    (header,) = rows[next(iter(sample(name).rows))]
    assert header["byte_offset"] == (18 if form == "rdw" else 22)
    assert set(rows) == {*sample(name).rows, "smf2_header", "smf3_header"}


def test_batches_have_the_schema_of_their_tables(file: Path) -> None:
    file.write_bytes(writer.rdw([smf(2), *map(golden, GOLDEN_RECORDS), smf(99, 1)]))
    tables = {table.name: table for record in all_records() for table in record.tables()}
    for name, batch in read_file(file, 1).batches:
        if name in RAW_TABLES:
            assert batch.schema.names == [column.name for column in RAW_TABLES[name]]
            assert batch.schema.types == [column.arrow for column in RAW_TABLES[name]]
        else:
            assert batch.schema.equals(tables[name].schema(), check_metadata=True)


# --- headers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", header_names())
def test_header_forms(file: Path, name: str) -> None:
    """18, 24 and 56 bytes; type 126 with an extended header has its real type at +52."""
    (wanted,) = sample(name).rows["smf_header"]
    record = golden(name)
    file.write_bytes(writer.rdw([smf(2), record, smf(2)]))
    _, rows = load(file)
    row = (rows["smf_raw"] + rows["smf2_header"])[0]
    if smf_record(wanted["type"], wanted.get("subtype")):
        pytest.skip("has a layout")
    for column in ("type", "subtype", "flags", "subsystem"):
        assert row[column] == wanted.get(column), column
    assert row["system"] == wanted["sid"]
    assert (as_written(row["date"]), as_written(row["time"])) == (wanted["date"], wanted["time"])
    assert (row["record_no"], row["byte_offset"], row["length"]) == (2, 18, len(record) + 4)


def test_short_and_standard_header_of_type_2(file: Path) -> None:
    """Subsystem id and subtype are NULL in the short form."""
    file.write_bytes(writer.rdw([smf(2), smf(2, 2)]))
    _, rows = load(file)
    assert [row["smf2sty"] for row in rows["smf2_header"]] == [None, 2]
    assert [row["smf2ssi"] for row in rows["smf2_header"]] == [None, "STC"]
    assert {row["interval_start"] for row in rows["smf2_header"]} == {None}


def test_records_without_a_layout_are_kept_raw(file: Path) -> None:
    """Place, length, header and hash; the body on request."""
    records = [smf(215, 1, bytes(100)), smf(215, 215, b"abc"), smf(14, None, b"xyz")]
    file.write_bytes(writer.rdw([smf(2), *records]))
    loaded, rows = load(file)
    raw = rows["smf_raw"]
    assert [(row["type"], row["subtype"]) for row in raw] == [(215, 1), (215, 215), (14, None)]
    assert [row["body"] for row in raw] == [None] * 3
    for row, record in zip(raw, records, strict=True):
        data = np.frombuffer(b"RDW_" + record, np.uint8)
        assert (
            row["hash"]
            == hash_records(data, np.zeros(1, np.int64), np.array([len(data)])).tobytes()
        )
    _, rows = load(file, raw=True)
    assert [row["body"] for row in rows["smf_raw"]] == records
    assert [count["loaded"] for count in loaded.counts] == [1, 0, 0, 0]


def test_record_too_short_for_a_header(file: Path) -> None:
    """An RDW and six bytes between two sound records: kept, counted, a problem."""
    good = [smf(200, 1, bytes(30))] * 5
    file.write_bytes(writer.rdw([*good, b"abcdef", *good]))
    loaded, rows = load(file)
    (problem,) = loaded.problems
    assert (problem.reason, problem.record_no, problem.byte_offset) == ("short_record", 6, 270)
    assert [row["type"] for row in rows["smf_raw"] if row["record_no"] == 6] == [None]
    assert sum(count["records"] for count in loaded.counts) == 11
    assert sum(count["bytes"] for count in loaded.counts) == file.stat().st_size


# --- levels and quirks ---------------------------------------------------------------------------


def test_longer_sections_are_stepped_by_the_length_in_the_record(file: Path) -> None:
    """A newer release: 74.1 devices of 320 bytes; the first 300 are read."""
    record = golden("smf74_1 record")
    at, size, count = struct.unpack_from(">IHH", record, 44 - 4)
    longer = [record[at - 4 + n * size :][:size] + bytes(20) for n in range(count)]
    record = changed(record[: at - 4] + b"".join(longer), 48, ">H", size + 20)
    file.write_bytes(writer.rdw([record]))
    _, rows = load(file)
    wanted = sample("smf74_1 record").rows["smf74_1_device"]
    shown = [{name: as_written(row[name]) for name in wanted[0]} for row in rows["smf74_1_device"]]
    assert shown == wanted


def test_shorter_sections_give_null_for_what_does_not_fit(file: Path) -> None:
    """An older release: 74.1 devices of 100 bytes."""
    record = golden("smf74_1 record")
    at, size, count = struct.unpack_from(">IHH", record, 44 - 4)
    shorter = [record[at - 4 + n * size :][:100] for n in range(count)]
    record = changed(record[: at - 4] + b"".join(shorter), 48, ">H", 100)
    file.write_bytes(writer.rdw([record]))
    loaded, rows = load(file)
    wanted = sample("smf74_1 record").rows["smf74_1_device"]
    for row, full in zip(rows["smf74_1_device"], wanted, strict=True):
        assert row["smf74nda"] == full["smf74nda"]  # +96..99
        assert row["smf74dev"] is None  # +100
    assert loaded.problems == []


def test_header_of_an_older_level_has_fewer_triplets(file: Path) -> None:
    """70.1 whose header ends behind the third triplet: product data is no triplet."""
    record = golden("smf70_1 record")
    offset, size, count = struct.unpack_from(">IHH", record, 28 - 4)
    product = record[offset - 4 :][: size * count]
    short = changed(record[: 52 - 4] + product, 28, ">IHHIHHIHH", 52, size, 1, *[0] * 6)
    file.write_bytes(writer.rdw([short]))
    loaded, rows = load(file)
    assert loaded.problems == []
    assert set(rows) == {"smf70_1_header", "smf70_1_product"}
    (header,) = rows["smf70_1_header"]
    assert header["smf70cpn"] == 0  # +50, the last field of the header
    assert header["smf70ass"] is None  # +52
    wanted = sample("smf70_1 record").rows["smf70_1_product"][0]["smf70snm"]
    assert rows["smf70_1_product"][0]["smf70snm"] == wanted


@pytest.mark.parametrize(("field", "value"), [(0, 0), (4, 0), (6, 0)])
def test_section_is_absent_when_offset_length_or_number_is_0(
    file: Path, field: int, value: int
) -> None:
    record = golden("smf74_1 record")
    file.write_bytes(writer.rdw([changed(record, 44 + field, ">I" if field == 0 else ">H", value)]))
    loaded, rows = load(file)
    assert "smf74_1_device" not in rows
    assert [problem.reason for problem in loaded.problems] == ["device_count"]


@pytest.mark.parametrize(
    ("offset", "form", "value"),
    [(44, ">I", 5000), (44, ">I", 8), (48, ">H", 1), (50, ">H", 4), (28, ">I", 0xFFFFFFFF)],
)
def test_section_outside_its_record_keeps_the_record_raw(
    file: Path, offset: int, form: str, value: int
) -> None:
    """Nothing of the record goes to the tables; others of its type do."""
    record = golden("smf74_1 record")
    file.write_bytes(writer.rdw([record, changed(record, offset, form, value), record]))
    loaded, rows = load(file, raw=True)
    bad = [problem for problem in loaded.problems if problem.severity == "error"]
    assert [(p.reason, p.record_no, p.type, p.subtype) for p in bad] == [
        ("section_past_end", 2, "74", "1")
    ]
    assert bad[0].bytes == len(record) + 4
    assert {row["record_no"] for row in rows["smf74_1_device"]} == {1, 3}
    assert [row["record_no"] for row in rows["smf_raw"]] == [2]
    assert rows["smf_raw"][0]["body"] == changed(record, offset, form, value)
    (count,) = loaded.counts
    assert (count["records"], count["loaded"]) == (3, 2)


def test_a_broken_chain_keeps_the_record_raw_and_the_doctor_says_so(file: Path) -> None:
    """An offset in a job section of 42.6 that leads out of the record: nothing of it is shown."""
    record = golden("smf42_6 record")
    (part,) = (part for part in smf_record(42, 6).parts if part.section.table == "smf42_6_dataset")
    job = struct.unpack_from(">I", record, _triplet_of(42, 6, "smf42_6_job") - 4)[0]
    broken = changed(record, job + part.offset.at, ">I", 0xFFFFFFFF)
    file.write_bytes(writer.rdw([record, broken, record]))
    loaded, rows = load(file)
    (bad,) = [problem for problem in loaded.problems if problem.severity == "error"]
    assert (bad.reason, bad.record_no, bad.bytes) == ("broken_chain", 2, len(record) + 4)
    assert [row["record_no"] for row in rows["smf_raw"]] == [2]
    for table in ("smf42_6_header", "smf42_6_job", "smf42_6_dataset"):
        assert {row["record_no"] for row in rows[table]} == {1, 3}
    (told,) = [row for row in examine([file]).to_pylist() if row["severity"] != "info"]
    assert (told["verdict"], told["records"]) == ("damaged", 1)
    assert (told["byte_offset"], told["bytes_lost"]) == (bad.byte_offset, len(record) + 4)


def _triplet_of(kind: int, subtype: int, table: str) -> int:
    record = smf_record(kind, subtype)
    assert record is not None
    return next(part.at for part in record.parts if part.in_header and part.section.table == table)


def test_the_doctor_finds_what_a_load_finds_in_records(file: Path) -> None:
    """Triplets that claim 4 GB: framing is whole, records are not."""
    record = golden("smf74_1 record")
    file.write_bytes(writer.rdw([record, changed(record, 28, ">I", 0xFFFFFFFF), record]))
    (told,) = [row for row in examine([file]).to_pylist() if row["severity"] != "info"]
    assert not is_whole(examine([file])) and told["bytes_lost"] == len(record) + 4
    assert told["byte_offset"] == len(record) + 4 and "section past end" in told["detail"]


def test_message_of_a_section_outside_its_record() -> None:
    problem = Problem(18204, 0x2710800, 132, "70", "1", "error", "section_past_end", "why")
    assert str(problem) == "record 18,204 at byte 40,962,048 (0x2710800), type 70-1: why"


def test_system_is_the_name_else_the_id(file: Path) -> None:
    """A product section without a system name, and no product section at all."""
    record = golden("smf74_1 record")
    at = struct.unpack_from(">I", record, 28 - 4)[0]
    nameless = changed(record, at + 96, ">Q", 0x4040404040404040)
    without = changed(record, 28, ">IHH", 0, 0, 0)
    file.write_bytes(writer.rdw([record, nameless, without, without]))
    _, rows = load(file)
    assert [row["system"] for row in rows["smf74_1_header"]] == ["SYS#A", "SYA#", "SYA#", "SYA#"]
    assert [row["interval_start"] is None for row in rows["smf74_1_header"]][1:] == [
        False,
        True,
        True,
    ]


def test_devices_over_several_records_add_up(file: Path) -> None:
    """Three records of one class and interval; SMF74TOT counts the devices of all."""
    record = golden("smf74_1 record")
    control = struct.unpack_from(">I", record, 36 - 4)[0]
    three = [changed(record, control + 2, ">H", 9)] * 3
    file.write_bytes(writer.rdw(three))
    assert load(file)[0].problems == []
    file.write_bytes(writer.rdw(three[:2]))
    (problem,) = load(file)[0].problems
    assert (problem.severity, problem.reason) == ("info", "device_count")
    assert "found 6 devices" in problem.detail and "expected 9" in problem.detail


def test_device_control_too_short_to_name_its_class(file: Path) -> None:
    """The count of devices is there, the class is not."""
    record = golden("smf74_1 record")
    control = struct.unpack_from(">I", record, 36 - 4)[0]
    short = changed(changed(record, control + 2, ">H", 9), 36 + 4, ">H", 4)
    file.write_bytes(writer.rdw([short]))
    (problem,) = load(file)[0].problems
    assert problem.reason == "device_count" and "class unknown" in problem.detail


def test_invalid_values_become_one_problem_per_field(file: Path) -> None:
    record = golden("smf74_1 record")
    at = struct.unpack_from(">I", record, 28 - 4)[0]
    bad = changed(record, at + 14, ">I", 0x0124999F)
    file.write_bytes(writer.rdw([record, bad, record, bad]))
    loaded, rows = load(file)
    assert [row["smf74dat"] is None for row in rows["smf74_1_product"]] == [False, True] * 2
    problems = [p for p in loaded.problems if p.reason == "invalid_value"]
    assert [(p.record_no, p.severity) for p in problems] == [(2, "info")]
    assert problems[0].detail == "smf74_1_product.smf74dat: found 2 invalid values, which are NULL"


def test_spanned_record_longer_than_an_rdw_is_decoded_whole(file: Path) -> None:
    """74.1 with 250 devices, 75,000 bytes of them, in blocks of 27,998."""
    record = golden("smf74_1 record")
    at, size, _ = struct.unpack_from(">IHH", record, 44 - 4)
    device = record[at - 4 :][:size]
    long = changed(record[: at - 4] + device * 250, 50, ">H", 250)
    control = struct.unpack_from(">I", record, 36 - 4)[0]
    long = changed(long, control + 2, ">H", 250)
    file.write_bytes(writer.vbs([smf(2), long, record, smf(3)], 27_998))
    loaded, rows = load(file)
    assert len(rows["smf74_1_device"]) == 253
    assert {row["record_no"] for row in rows["smf74_1_device"]} == {2, 3}
    assert loaded.framing == "bdw_rdw_spanned"


# --- counts --------------------------------------------------------------------------------------


def test_counts_and_times(file: Path) -> None:
    """By system, type and subtype; first and last are local times of the record headers."""
    other = b"\xe2\xe8\xe2\xf2"
    records = [
        smf(2, time=100),
        smf(215, 1, bytes(10), time=300),
        smf(215, 1, bytes(20), time=200),
        smf(215, 1, bytes(20), system=other, time=400),
        smf(216, 0, bytes(5), date=0xFFFFFFFF),
        smf(3, time=8_639_999),
        smf(2, time=1, date=0x0124065F),
    ]
    file.write_bytes(writer.rdw(records))
    loaded, _ = load(file)
    keys = ("kind", "system", "type", "subtype", "records", "bytes", "loaded")
    assert {tuple(count[key] for key in keys) for count in loaded.counts} == {
        ("smf", "SYS1", "2", None, 2, 36, 2),
        ("smf", "SYS1", "215", "1", 2, 78, 0),
        ("smf", "SYS2", "215", "1", 1, 44, 0),
        ("smf", "SYS1", "216", "0", 1, 29, 0),
        ("smf", "SYS1", "3", None, 1, 18, 1),
    }
    assert loaded.first == dt.datetime(2024, 3, 4, 0, 0, 1)
    assert loaded.last == dt.datetime(2024, 3, 5, 0, 0, 0, 10_000)
    assert loaded.records == 7


def test_inspect_rows(file: Path) -> None:
    """The columns of `imsperf inspect`, in the order of system, type and subtype."""
    file.write_bytes(writer.rdw([smf(215, 10), smf(215, 2), smf(2), smf(14)]))
    inspected = inspect(file)
    assert [(row["type"], row["subtype"]) for row in inspected.rows] == [
        ("2", None), ("14", None), ("215", "2"), ("215", "10"),
    ]  # fmt: skip
    assert list(inspected.rows[0]) == inspected.schema.names
    assert inspected.rows[0]["file"] == str(file)
    assert inspected.rows[0]["first"] == dt.datetime(2024, 3, 4, 10)


def test_inspect_names_subsystems(file: Path) -> None:
    """SSI at byte 18: the queue managers MQP1 (D4D8D7F1) and MQP2, many names up to the sixth; none
    in a header of 18 bytes, nor of blanks or zeros."""

    def by(name: bytes, kind: int = 115) -> bytes:
        record = smf(kind, 1)
        return record[:14] + name + record[18:]

    mq = [by(b"\xd4\xd8\xd7" + end) for end in (b"\xf2", b"\xf1", b"\xf2")]
    many = [by(b"\xc1\xc1\xc1" + bytes([0xF0 + n]), 116) for n in range(8)]
    file.write_bytes(writer.rdw([smf(2), *mq, *many, by(b"\x40" * 4, 70), by(bytes(4), 71)]))
    assert {row["type"]: row["subsystem"] for row in inspect(file).rows} == {
        "2": None, "70": None, "71": None, "115": "MQP1 MQP2",
        "116": "AAA0 AAA1 AAA2 AAA3 AAA4 AAA5 and 2 more",
    }  # fmt: skip


def test_file_facts_and_progress(file: Path) -> None:
    """The hash is of the file on disk; progress adds up to its size, packed or not."""
    import hashlib

    data = writer.gz(writer.rdw([smf(215, 1, bytes(100))] * 50))
    file.write_bytes(data)
    steps: list[int] = []
    loaded, rows = load(file, progress=steps.append)
    assert loaded.sha256 == hashlib.sha256(data).hexdigest()
    assert loaded.bytes == len(data) == sum(steps)
    assert len(rows["smf_raw"]) == 50


def test_many_kinds_of_records(file: Path) -> None:
    """More than the table of kinds holds: still counted and kept, one by one."""
    records: list[Any] = [smf(200, n, system=bytes(4)) for n in range(3000)]
    file.write_bytes(writer.rdw(records))
    loaded, rows = load(file)
    assert len(loaded.counts) == 3000
    assert [row["subtype"] for row in rows["smf_raw"]] == list(range(3000))
