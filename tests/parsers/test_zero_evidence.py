"""Zeros in records: those that were lost, wherever they begin, and those of records themselves."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
import second_writer as writer
from dump_files import load, smf
from evidence_checks import name_of
from evidence_files import record_bytes
from independent_mangler import later
from test_damage_classes import with_peers
from test_segment_order import long_record

from imsperf.layouts import shipped_records
from imsperf.parsers.evidence.declared import Declared
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.sections import place_sections
from imsperf.parsers.smf_records import RecordReader
from imsperf.record import Record

RECORDS_IN_USE = [record for record in shipped_records() if Declared(record).in_use]
STRUCTURES = record_bytes("smf115_2 record")[4:]  # 62 of its 64 rows of structures are not used
UNUSED = 62 * 64  # bytes


def doubts(path: Path, data: bytes) -> list[tuple[int | None, str, str]]:
    """Record, severity and reason of what is more than information."""
    path.write_bytes(data)
    loaded, _ = load(path)
    return [
        (problem.record_no, problem.severity, problem.reason)
        for problem in loaded.problems
        if problem.severity != "info"
    ]


@pytest.mark.parametrize("at", range(5_000, 8_000, 371))
def test_zeros_at_any_place_between_rows_of_a_table(at: int, tmp_path: Path) -> None:
    """512 bytes hold no sector of the file whole, but the names of devices of 300 bytes each."""
    data = writer.rdw([long_record()])
    ((record, _, reason),) = doubts(tmp_path / "dump", data[:at] + bytes(512) + data[at + 512 :])
    assert (record, reason) == (1, "zeroed_sector")


def test_a_device_without_a_number_was_lost(tmp_path: Path) -> None:
    """600 zeros are the rows of devices 20 and 21, from first to last byte. Slots may be free, but
    a device that is counted has a number and a type: `in_use` in the layout of 74.1."""
    data = writer.rdw([long_record()])
    at = 4 + 262 + 20 * 300  # an RDW, and 262 bytes in front of the devices
    lost = data[:at] + bytes(600) + data[at + 600 :]
    assert doubts(tmp_path / "dump", lost) == [(1, "error", "zeroed_sector")]


def test_a_row_in_use_without_others(tmp_path: Path) -> None:
    """A record of a cache is zero from its device section on, at +228, to its end: there is nothing
    to compare it with, but no device can be empty."""
    record = record_bytes("smf74_5 record")[4:]
    at, length, number = struct.unpack_from(">IHH", record, 44 - 4)  # device sections
    head = record[: at - 4] + bytes(length * number) + bytes(300)
    doubted = doubts(tmp_path / "dump", writer.rdw([head[: len(record)]]))
    assert len(record) - at - length * number < 300 and number >= 1
    assert doubted == [(1, "suspect", "zeroed_sector")]


def test_zeros_in_the_list_of_sections(tmp_path: Path) -> None:
    """The sections of a record of which the header lost the triplets stand in no table; nearly all
    other records of the kind have the same triplets there."""
    records = [smf(31), *[record_bytes("smf115_1 record")[4:]] * 6]
    data = writer.rdw(records)
    begin = len(data) - len(records[-1]) + 92
    doubted = doubts(tmp_path / "dump", data[:begin] + bytes(512) + data[begin + 512 :])
    assert [record for record, _, _ in doubted] == [7]


def test_a_chain_that_breaks_off(tmp_path: Path) -> None:
    """The offset of the next data set reads as zero: the rest of the record is in no row."""
    record = record_bytes("smf42_6 record")[4:]
    (job,) = struct.unpack_from(">I", record, 36 - 4)
    (first,) = struct.unpack_from(">I", record, job - 4 + 24)
    assert any(record[first - 4 : first])  # there is a second one
    cut = bytearray(record)
    cut[first - 4 : first] = bytes(4)
    doubted = doubts(tmp_path / "dump", writer.rdw([record] * 8 + [bytes(cut)]))
    assert doubted == [(9, "error", "odd_length")]


@pytest.mark.parametrize("at", [5, 55])
def test_zeros_from_the_last_row_in_use_on(at: int, tmp_path: Path) -> None:
    """Behind the structure APPLICATION1, at +1,280, stand unused rows. 512 zeros from the middle of
    its name on, or from its last 9 bytes; the records before have the same bytes there."""
    records = [later(STRUCTURES, turn) for turn in range(6)]
    data = writer.rdw(records)
    begin = len(data) - len(STRUCTURES) + 1_280 + at
    assert data[begin - at :].startswith("APPLICATION1".encode("cp037"))
    doubted = doubts(tmp_path / "dump", data[:begin] + bytes(512) + data[begin + 512 :])
    assert doubted == [(6, "suspect", "zeroed_sector")]


@pytest.mark.parametrize(
    ("begin", "end"),
    [(20, 24), (0, 24), (80, 84), (24, 152)],
    ids=["I/Os", "times and I/Os", "response time", "all behind the I/Os"],
)
def test_an_io_section_that_contradicts_itself(begin: int, end: int, tmp_path: Path) -> None:
    """In the second of three sections of a 42.6, at +836, a part is zero: the average response time
    stands at +0 in 128 us and at +80 in us, the number of I/Os at +20, reads at +68."""
    record = record_bytes("smf42_6 record")[4:]
    lost = bytearray(record)
    lost[836 - 4 + begin : 836 - 4 + end] = bytes(end - begin)
    doubted = doubts(tmp_path / "dump", writer.rdw([*[record] * 8, bytes(lost)]))
    assert doubted == [(9, "suspect", "contradiction")]


def test_a_data_set_without_io(tmp_path: Path) -> None:
    """All of the section is zero: the data set was open, and nobody read or wrote it."""
    record = record_bytes("smf42_6 record")[4:]
    idle = bytearray(record)
    idle[836 - 4 : 836 - 4 + 152] = bytes(152)
    assert not doubts(tmp_path / "dump", writer.rdw([*[record] * 8, bytes(idle)]))


@pytest.mark.parametrize("form", ["rdw", pytest.param("vbs", marks=pytest.mark.slow)])
def test_unused_rows_are_no_evidence_wherever_they_stand(form: str, tmp_path: Path) -> None:
    """They are zero from the first to the last of them, at a sector or not."""
    assert bytes(UNUSED) in STRUCTURES
    for shift in range(0, 512, 4):
        records = [smf(31, 1, b"\xa5" * (100 + shift)), STRUCTURES]
        data = writer.rdw(records) if form == "rdw" else writer.vbs(records, 4_096)
        assert not doubts(tmp_path / "dump", data), shift


@pytest.mark.parametrize("record", RECORDS_IN_USE, ids=name_of)
def test_no_row_in_use_is_zero(record: Record) -> None:
    """In the records of the evidence."""
    data = np.frombuffer(record_bytes(f"{name_of(record)} record"), np.uint8)
    one = np.array([0], np.int64)
    part = Part(data, one, np.array([len(data)], np.int32), one, one)
    reader = RecordReader(record, 0, "cp037")
    bad, extent, _ = reader.check(part)
    assert not bad.any()
    runs = place_sections(record, part, extent).runs
    for table in Declared(record).in_use:
        spans = zip(runs[table].start.tolist(), runs[table].length.tolist(), strict=True)
        assert all(data[at : at + length].any() for at, length in spans), table


@pytest.mark.slow
def test_healthy_neighbours_in_segments(tmp_path: Path) -> None:
    """Blocks of 27,998 bytes whose first 8 bytes are missing: a record was called suspect."""
    data = writer.vbs(with_peers(), 27_998)[8:]
    doubted = doubts(tmp_path / "dump", data)
    assert not [doubt for doubt in doubted if doubt[1] == "suspect"]
