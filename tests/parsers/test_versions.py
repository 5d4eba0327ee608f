"""One type and subtype in several layouts: the version in the record tells which (SMF 123)."""

from __future__ import annotations

from pathlib import Path

import pytest
import second_writer as writer
from dump_files import load, smf
from evidence_files import record_bytes

from imsperf.layouts import smf_layouts, smf_record, table
from imsperf.parsers.diagnosis.browse import Browser
from imsperf.parsers.diagnosis.coverage import NO_LAYOUT, coverage

VERSION, SUBTYPE = 27 - 4, 23 - 4  # low bytes, counted without the RDW


def golden(version: int, at: int = VERSION, value: int | None = None) -> bytes:
    """The golden record of a version, with another byte in one place."""
    out = bytearray(record_bytes("smf123_1 record" if version == 1 else "smf123 record")[4:])
    out[at] = out[at] if value is None else value
    return bytes(out)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Versions 1, 2, one not known, 1; then a requester's record; then one too short to tell."""
    records = [golden(1), golden(2), golden(2, VERSION, 3), golden(1)]
    path = tmp_path / "dump.smf"
    path.write_bytes(writer.rdw([smf(2), *records, golden(2, SUBTYPE, 2), smf(123, 1, b"\0")]))
    return path


def test_each_record_goes_to_the_tables_of_its_version(file: Path) -> None:
    loaded, rows = load(file)
    numbers = {name: [row["record_no"] for row in some] for name, some in rows.items()}
    assert numbers["smf123_1_header"] == numbers["smf123_1_data"] == [2, 5]
    assert numbers["smf123_2_header"] == numbers["smf123_2_server"] == [3, 6]
    assert numbers["smf123_2_request"] == [3, 3]
    assert numbers["smf_raw"] == [4, 7]
    counts = [
        (row["system"], row["subtype"], row["records"], row["loaded"]) for row in loaded.counts
    ]
    assert {("MV4A", "1", 4, 3), ("MV4A", "2", 1, 1), ("SYS1", "1", 1, 0)} <= set(counts)


def test_browser_and_coverage_tell_versions_apart(file: Path) -> None:
    browser = Browser(file)
    tables = [browser.read(number).pieces[0].table for number in range(2, 8)]
    first, two, raw = "smf123_1_header", "smf123_2_header", "smf_header_24"
    assert tables == [first, two, raw, first, two, raw]
    rows = coverage(file).rows.to_pylist()
    records = {(row["subtype"], row["section"]): row["records"] for row in rows}
    assert (records["1", first], records["1", two], records["2", two]) == (2, 1, 1)
    assert records["1", NO_LAYOUT] == 2
    assert sum(row["bytes"] for row in rows) == coverage(file).record_bytes


def test_layouts_of_a_type_are_tried_in_order() -> None:
    assert [layout.subtype for layout in smf_layouts(123, 1)] == [1, None]
    assert [layout.subtype for layout in smf_layouts(123, 2)] == [None]
    assert smf_layouts(123, 1)[0] is smf_record(123, 1)
    assert [layout.subtype for layout in smf_layouts(30, None)] == [None]
    assert smf_layouts(99, 1) == ()
    assert table("smf123_2_request").name == "smf123_2_request"
