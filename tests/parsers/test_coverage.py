"""Bytes decoded, reserved and unknown: worked out by hand, and a second count that loops."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import second_writer as writer
from dump_files import log, smf
from evidence_files import record_bytes, record_names

from imsperf.errors import DumpError
from imsperf.kinds import opaque, u2, u4
from imsperf.layout import Field
from imsperf.parsers.diagnosis.browse import Browser
from imsperf.parsers.diagnosis.browsed_fields import blocks
from imsperf.parsers.diagnosis.coverage import BETWEEN, NO_LAYOUT, UNREADABLE, coverage, is_reserved
from imsperf.parsers.read import inspect

GOLDEN = record_names("smf")
COUNTS = ("records", "sections", "bytes", "decoded", "reserved", "unknown")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dump"


def counted(
    file: Path, **options: Any
) -> dict[tuple[str | None, str | None, str], tuple[Any, ...]]:
    rows = coverage(file, **options).rows.to_pylist()
    return {
        (row["type"], row["subtype"], row["section"]): tuple(row[name] for name in COUNTS)
        for row in rows
    }


def test_small_file_by_hand(file: Path) -> None:
    """A dump header with 5 bytes more than we know, records without a layout."""
    file.write_bytes(writer.rdw([smf(2, 2, b"12345"), smf(99, 1, bytes(10)), smf(14, None, b"ab")]))
    assert counted(file) == {
        ("2", "2", "smf2_header"): (1, 1, 29, 24, 0, 5),
        ("14", None, "smf_header_18"): (1, 1, 18, 18, 0, 0),
        ("14", None, NO_LAYOUT): (1, None, 2, 0, 0, 2),
        ("99", "1", "smf_header_24"): (1, 1, 24, 24, 0, 0),
        ("99", "1", NO_LAYOUT): (1, None, 10, 0, 0, 10),
    }


def test_rmf_record_by_hand(file: Path) -> None:
    """Type 70.1, product section only, 3 bytes behind it and 2 before it.

    Header: 36 bytes, of which 2 at +26 have no field, then room up to the section at +102: the
    triplets to +100 are fields, 2 bytes are not. Product: 104 bytes, two reserved fields of 2.
    """
    triplet = struct.pack(">IHH", 102, 104, 1)
    head = struct.pack(">HH", 9, 0) + triplet + bytes(64) + b"??"
    file.write_bytes(writer.rdw([smf(70, 1, head + bytes(104) + b"end")]))
    assert counted(file) == {
        ("70", "1", "smf70_1_header"): (1, 1, 102, 98, 0, 4),
        ("70", "1", "smf70_1_product"): (1, 1, 104, 100, 4, 0),
        ("70", "1", BETWEEN): (1, None, 3, 0, 0, 3),
    }


def test_field_cut_by_a_short_section_is_unknown(file: Path) -> None:
    """Of a product section of 21 bytes, the interval length at +18 to +22 is not there."""
    head = struct.pack(">HH", 9, 0) + struct.pack(">IHH", 100, 21, 1) + bytes(64)
    file.write_bytes(writer.rdw([smf(70, 1, head + bytes(21))]))
    assert counted(file)["70", "1", "smf70_1_product"] == (1, 1, 21, 18, 0, 3)


def test_reserved_bytes_by_hand(file: Path) -> None:
    """MQ buffer pools end in 28 reserved bytes; of a pool of 80 bytes 4 are cut off from them."""
    for length, counts in ((104, (76, 28, 0)), (80, (76, 0, 4))):
        places = struct.pack(">IHHIHH", 0, 0, 0, 44, length, 1)
        file.write_bytes(writer.rdw([smf(115, 215, b"800\0" + places + bytes(length))]))
        counts_by_class = counted(file)
        assert counts_by_class["115", "215", "smf115_215_header"] == (1, 1, 44, 43, 1, 0)
        assert counts_by_class["115", "215", "smf115_215_qpst"] == (1, 1, length, *counts)
        (pool,) = [
            some for block, some in blocks(Browser(file).read(1)) if block and block.place == 44
        ]
        last = pool[-1].field
        assert (last.name if last else "") == ("reserved_76" if length == 104 else "")


def test_log_by_hand(file: Path) -> None:
    """5903: fields from +6 to +58, 4 bytes more; 45 66 has no layout; a real log no bodies."""
    records = [log(0x59, 3, 1, bytes(56)), log(0x45, 0x66, 2, b"12"), log(0x59, 3, 3, bytes(52))]
    file.write_bytes(writer.ims_vb(records, 2000))
    counts_by_class = counted(file, profile="imsperf-1")
    assert counts_by_class == {
        ("45", "66", "ims_header"): (1, 1, 6, 6, 0, 0),
        ("45", "66", "ims_suffix"): (1, 1, 16, 16, 0, 0),
        ("45", "66", NO_LAYOUT): (1, None, 2, 0, 0, 2),
        ("59", "03", "ims_5903"): (2, 2, 108, 104, 0, 4),
        ("59", "03", "ims_header"): (2, 2, 12, 12, 0, 0),
        ("59", "03", "ims_suffix"): (2, 2, 32, 32, 0, 0),
    }
    assert counted(file)["59", "03", NO_LAYOUT] == (2, None, 108, 0, 0, 108)


def test_record_whose_sections_do_not_fit(file: Path) -> None:
    head = struct.pack(">HH", 9, 0) + struct.pack(">IHH", 100, 9999, 1) + bytes(64)
    file.write_bytes(writer.rdw([smf(70, 1, head + bytes(21))]))
    assert counted(file)["70", "1", UNREADABLE] == (1, None, 97, 0, 0, 97)


@pytest.mark.parametrize("form", ["rdw", "vbs"])
def test_all_bytes_of_all_records_are_counted(file: Path, form: str) -> None:
    records = [smf(2), *(record_bytes(name)[4:] for name in GOLDEN), smf(99, 1, b"x"), smf(3)]
    file.write_bytes(writer.rdw(records) if form == "rdw" else writer.vbs(records, 500))
    covered = coverage(file)
    total = sum(covered.rows["bytes"].to_pylist())
    assert total == covered.record_bytes == sum(row["bytes"] for row in inspect(file).rows)
    for row in covered.rows.to_pylist():
        assert row["bytes"] == row["decoded"] + row["reserved"] + row["unknown"]
        assert row["decoded_pct"] == pytest.approx(100 * row["decoded"] / row["bytes"])


@pytest.mark.parametrize("name", GOLDEN)
def test_agrees_with_the_browser(file: Path, name: str) -> None:
    """The browser finds the bytes of each record one by one, in Python."""
    file.write_bytes(writer.rdw([record_bytes(name)[4:]]))
    rows = coverage(file).rows.to_pylist()
    record = Browser(file).read(1)
    unknown = sum(
        len(block.data) for _, some in blocks(record) for block in some if not block.field
    )
    assert sum(row["unknown"] for row in rows) == unknown
    sections = [piece.table for piece in record.pieces]
    for row in rows:
        if row["section"] != BETWEEN:
            assert row["sections"] == sections.count(row["section"])


@pytest.mark.parametrize(
    ("doc", "reserved"),
    [
        ("Reserved", True),
        ("Reserved; was zAAP time", True),
        ("Flags, all reserved", True),
        ("Samples with the device reserved", False),
        ("Release field of the system; reserved at some levels", False),
    ],
)
def test_reserved_is_what_the_field_says(doc: str, reserved: bool) -> None:
    assert is_reserved(Field(0, "a", u2, doc)) == is_reserved(Field(0, "a", opaque(2), doc))
    assert is_reserved(Field(0, "a", u4, doc)) is reserved


def test_random_bytes_are_counted_or_refused(file: Path) -> None:
    """Garbage in sections, records, the whole file: a count that adds up, or a DumpError."""
    rng = np.random.default_rng(7)
    for seed in range(30):
        noise = rng.integers(0, 256, 700, np.uint8).tobytes()
        golden = bytearray(record_bytes(GOLDEN[seed % len(GOLDEN)])[4:])
        for at in rng.integers(20, len(golden), 5).tolist():
            golden[at] = noise[at % 700]
        files = [noise, writer.rdw([smf(2), bytes(golden), smf(70, 1, noise), smf(99, 2, noise)])]
        file.write_bytes(files[seed % 2])
        try:
            counted_bytes = coverage(file)
            records = [Browser(file).read(number + 1) for number in range(counted_bytes.records)]
        except DumpError:
            continue
        assert sum(counted_bytes.rows["bytes"].to_pylist()) == counted_bytes.record_bytes
        for record in records:
            shown = [block for _, some in blocks(record) for block in some]
            covered = {
                at for share in shown for at in range(share.place, share.place + len(share.data))
            }
            assert covered == set(range(len(record.data)))
