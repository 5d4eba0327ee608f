"""Where records begin and end that nothing measures: FTP structure R without RDWs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from dump_files import load, log
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
