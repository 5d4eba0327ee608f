"""Values of real IBM MQ dumps against those that a public formatter of IBM printed for them.

The dumps are not ours to give. They are TEST115.dat and TEST116.dat in testing/data of
ibm-messaging/mq-smf-csv; IMSPERF_REAL_DUMPS names the folder that holds them. Without it these
tests are skipped.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evidence_files import as_written
from places import GOLDEN

from imsperf import api
from imsperf.database.store import Store
from imsperf.parsers.diagnosis.coverage import coverage

FOLDER = os.environ.get("IMSPERF_REAL_DUMPS")
FILES = ("TEST115.dat", "TEST116.dat")

pytestmark = pytest.mark.skipif(not FOLDER, reason="IMSPERF_REAL_DUMPS names no folder of dumps")


def printed() -> list[dict[str, str]]:
    """What the formatter printed, one row for each value."""
    with (GOLDEN / "mq_formatter_values.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def dump(name: str) -> Path:
    return Path(FOLDER or "") / name


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A database of both dumps."""
    path = tmp_path_factory.mktemp("real") / "real.duckdb"
    api.load([dump(name) for name in FILES], path)
    with api.connect(path) as opened:
        yield opened


def as_printed(value: Any, wanted: str) -> str:
    """A value of ours as the formatter has it: `n us` is a time in TOD units, cut to us."""
    if value is None:
        return ""
    return f"{value // 4096} us" if wanted.endswith(" us") else str(as_written(value))


def test_every_value_is_the_one_of_the_formatter(store: Store) -> None:
    rows = printed()
    differ = []
    for row in rows:
        values = api.query(
            store,
            f"SELECT t.{row['column']} FROM {row['table']} t JOIN load_file f USING (file_id) "
            f"WHERE f.path LIKE '%{row['file']}' AND record_no = {row['record_no']} "
            f"AND section_no = {row['section_no']}",
        )
        ours = [as_printed(value, row["value"]) for value in values.column(0).to_pylist()]
        if ours != [row["value"]]:
            differ.append((row, ours))
    assert len(rows) == 104
    assert not differ


@pytest.mark.parametrize(("name", "unknown"), [("TEST115.dat", 172), ("TEST116.dat", 0)])
def test_most_bytes_are_explained(name: str, unknown: int) -> None:
    """Not explained: two blocks that IBM keeps to itself, and what stands behind QSST and QTST."""
    covered = coverage(dump(name))
    total = {
        name: sum(covered.rows[name].to_pylist()) for name in ("decoded", "reserved", "unknown")
    }
    assert total["unknown"] == unknown
    assert total["decoded"] + total["reserved"] > 0.97 * covered.record_bytes
