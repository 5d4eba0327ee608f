"""Compare records with tests/record_values: rows as our parser reads them, bytes without it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from dump_files import load
from evidence_files import as_written
from places import TESTS

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.record_groups import Group, Interval, batches
from imsperf.synthetic.writer import back_to_back

VALUES = TESTS / "record_values"
ALL_TIME = np.datetime64("1900-01-01", "us"), np.datetime64("2200-01-01", "us")
HOST = Host()
START = HOST.start_utc  # 2014-03-10T14:00:00Z, local time seven hours earlier
US = 4096  # ticks
MS, S = 1000 * US, 1_000_000 * US
SIZE_AT = 8


def every(seconds: float, count: int = 1, samples: int = 240) -> Interval:
    """Intervals of that length from START."""
    us = np.full(count, round(seconds * 1e6), dtype=np.int64)
    edges = START + np.concatenate([[0], np.cumsum(us)]).astype("timedelta64[us]")
    return Interval(edges[:-1], edges[1:], us, np.full(count, samples, dtype=np.int64), 250)


def written(groups: Sequence[Group]) -> list[bytes]:
    """The records in the order of a dump."""
    data, length = back_to_back(batches(groups, *ALL_TIME))
    ends = np.cumsum(length)
    return [bytes(data[end - n : end]) for end, n in zip(ends, length, strict=True)]


def compare(name: str, groups: Sequence[Group], file: Path, part: str = "") -> list[bytes]:
    """Every row and every byte that the file of expected values names."""
    wanted: dict[str, Any] = json.loads((VALUES / f"{name}.json").read_text(encoding="utf-8"))
    wanted = wanted[part] if part else wanted
    records = written(groups)
    for line in wanted["hex"]:
        begin = section_at(records[line["record"] - 1], line["path"]) + line["at"]
        there = records[line["record"] - 1][begin : begin + len(line["hex"]) // 2].hex().upper()
        assert there == line["hex"], line["what"]
    rows = read(records, file)
    for table, expected in wanted.get("rows", {}).items():
        assert len(rows[table]) == len(expected), table
        for got, want in zip(rows[table], expected, strict=True):
            assert {k: as_written(got[k]) for k in want} == want, table
    return records


def section_at(record: bytes, path: list[list[int]]) -> int:
    """Where a section begins: by triplets and pointers, from the header on."""
    begin = 0
    for at, *number in path:
        first = int.from_bytes(record[begin + at : begin + at + 4])
        length = int.from_bytes(record[begin + at + 4 : begin + at + 6])
        count = int.from_bytes(record[begin + at + 6 : begin + at + SIZE_AT])
        assert first and (not number or number[0] <= count), (path, first, count)
        begin = first + (number[0] - 1) * length if number else first
    return begin


def read(records: Sequence[bytes], file: Path) -> dict[str, list[dict[str, Any]]]:
    """The tables of a dump of these records; nothing may be wrong with it."""
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    assert loaded.problems == []
    return {table: sorted(some, key=lambda row: row["record_no"]) for table, some in rows.items()}
