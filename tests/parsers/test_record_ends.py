"""Where records begin and end that nothing measures: FTP structure R without RDWs, and those that
were put together from segments."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from dump_files import load, log
from evidence_files import record_bytes
from independent_forms import FORMS


@pytest.mark.parametrize("lost", [0, 1, 4, 8, 20])
def test_the_first_record_of_a_log_in_structure_r(lost: int, tmp_path: Path) -> None:
    """Nothing in the file says where it begins, but others of its kind have some bytes more."""
    body = random.Random(1).randbytes(60)
    records = [log(0x50, 0x51, 100 + n, body + bytes([n]) * 20)[4:] for n in range(40)]
    clean = FORMS["ftp_record"](records).data
    path = tmp_path / "dump"
    path.write_bytes(clean[lost:])
    loaded, _ = load(path)
    told = [(one.record_no, one.severity) for one in loaded.problems if one.reason == "lost_start"]
    assert told == ([(1, "suspect")] if lost else [])


def test_zeros_where_a_log_in_structure_r_begins(tmp_path: Path) -> None:
    """They hold the marks of some records, so that they are one with the next that has its own."""
    records = [log(0x50, 0x51, 100 + n, bytes([n + 1]) * 80)[4:] for n in range(40)]
    data = FORMS["ftp_record"](records).data
    (tmp_path / "dump").write_bytes(bytes(512) + data[512:])
    loaded, _ = load(tmp_path / "dump")
    (problem,) = (one for one in loaded.problems if one.reason == "lost_start")
    assert (problem.record_no, problem.severity) == (1, "suspect")


# --- records that were put together from segments -------------------------------------------------

KINDS = ("smf70_1", "smf74_1", "smf78_3")  # one record of each in a file
TAIL = {"smf70_1": 400, "smf74_1": 300, "smf78_3": 200}  # bytes of its last segment


def block(*segments: tuple[int, bytes]) -> bytes:
    """A BDW and segments: code 0 is a record, 1 its first segment, 2 its last one."""
    inside = b"".join(struct.pack(">HBB", len(data) + 4, code, 0) + data for code, data in segments)
    return struct.pack(">HH", len(inside) + 4, 0) + inside


def halves(name: str) -> tuple[tuple[int, bytes], tuple[int, bytes]]:
    """The two segments of the record of the evidence."""
    record = record_bytes(f"{name} record")[4:]
    return (1, record[: -TAIL[name]]), (2, record[-TAIL[name] :])


def judged(path: Path, data: bytes) -> tuple[list[tuple[int | None, str, str]], set[str]]:
    """Record, severity and reason of what is told of joined records, and the tables with rows."""
    path.write_bytes(data)
    loaded, rows = load(path)
    told = [
        (problem.record_no, problem.severity, problem.reason)
        for problem in loaded.problems
        if problem.reason in ("odd_length", "section_past_end")
    ]
    return told, {table for table, some in rows.items() if some and not table.startswith("load")}


def test_blocks_in_order(tmp_path: Path) -> None:
    (a1, a2), (b1, b2), (c1, c2) = map(halves, KINDS)
    told, tables = judged(tmp_path / "dump", block(a1) + block(a2, b1) + block(b2, c1) + block(c2))
    assert not told and {f"{name}_header" for name in KINDS} <= tables


def test_two_blocks_that_changed_places_spoil_three_records(tmp_path: Path) -> None:
    """Each record is the only one of its kind. The second, 78.3 with 200 bytes too many, and the
    first, 70.1 with 100 too few, cannot both be right: as sections end outside the first one,
    segments of two records were joined in this file, and length is proof for all."""
    (a1, a2), (b1, b2), (c1, c2) = map(halves, KINDS)
    data = block(a1) + block(b2, c1) + block(a2, b1) + block(c2)
    told, tables = judged(tmp_path / "dump", data)
    assert told == [
        (1, "error", "section_past_end"),
        (2, "error", "odd_length"),
        (3, "error", "section_past_end"),
    ]
    assert tables <= {"smf_raw"}


def test_a_lost_block_spoils_one_record(tmp_path: Path) -> None:
    """78.3 and the last 400 bytes of a 70.1. Nothing else in the file is amiss, no other record of
    the kind is there, and more of the kind's sections may be known to others: it is loaded."""
    (c1, _), (_, a2) = halves("smf78_3"), halves("smf70_1")
    told, tables = judged(tmp_path / "dump", block(c1) + block(a2))
    assert told == [(1, "suspect", "odd_length")]
    assert "smf78_3_header" in tables


@pytest.mark.parametrize("more, severity", [(511, "suspect"), (512, "error")])
def test_a_header_that_names_all_sections_is_proof(
    more: int, severity: str, tmp_path: Path
) -> None:
    """74.1: behind the last of its three triplets, at +52, its first section begins, so there is
    none that we do not know. 512 bytes that belong to none are more than RMF itself leaves."""
    record = record_bytes("smf74_1 record")[4:]
    assert struct.unpack_from(">I", record, 28 - 4) == (52,)  # product section, from the RDW
    first, last = record[:-100], record[-100:] + bytes(range(1, 256)) * 3
    told, _ = judged(tmp_path / "dump", block((1, first)) + block((2, last[: 100 + more])))
    assert told == [(1, severity, "odd_length")]


def test_a_lost_block_beside_a_record_in_one_piece(tmp_path: Path) -> None:
    """The same, and another 78.3 that nobody had to put together ends with its last section."""
    (c1, c2), (_, a2) = halves("smf78_3"), halves("smf70_1")
    data = block((0, c1[1] + c2[1])) + block(c1) + block(a2)
    told, _ = judged(tmp_path / "dump", data)
    assert told == [(2, "error", "odd_length")]
