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
