"""Online log data sets: when they are full, and that the log, 4507 and the report agree.

Expected by hand: blocks come evenly within an interval; a data set takes `log.olds.blocks`.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from test_generate import records

from imsperf import api
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.log.olds import FAR_AWAY, full_ticks, known_until, olds_use
from imsperf.synthetic.scenarios import scenario

S = 4096 * 10**6
SWITCHES = "SELECT reason, olds_ddname, prev_ddname, blocks_prev, first_lsn, log_lsn FROM ims_42"
COUNTED = "SELECT olds_switches, olds_writes FROM ims_4507 ORDER BY sample"


def counted(*blocks: int, every: float = 10.0, runs: int | None = None) -> Any:
    seconds = every * (runs or len(blocks))
    warm = {"olds_blocks": 50, "ticks": 2 * S}
    return SimpleNamespace(olds_blocks=np.array(blocks), seconds=seconds, every_s=every, warm=warm)


def test_when_a_data_set_is_full() -> None:
    """100 blocks each: 250 in 10 s fill two, at 4 s and 8 s; 50 more of the next 100, at 15 s, and
    the fourth is full when the interval ends with 400."""
    assert full_ticks(counted(250, 100, 0, 50), 100).tolist() == [4 * S, 8 * S, 15 * S, 40 * S - 1]
    assert full_ticks(counted(99), 100).tolist() == []


def test_until_when_switches_are_known() -> None:
    """30 of 100 blocks and 40 in the last 10 s: up to 60 more in the next, so none is full in it;
    with 45 in the last one up to 67.5 more beside 35."""
    assert known_until(counted(90, 40, runs=4), 100) == FAR_AWAY
    assert known_until(counted(90, 45, runs=4), 100) == 20 * S
    assert known_until(counted(runs=4), 100) == 0  # 25 blocks a second in the warm-up


def test_whose_the_blocks_of_an_interval_are() -> None:
    """100 blocks each, in turn from 01: 250 fill 01 and 02, 100 more go to 03 and 04; 1,000 more go
    once round; 650 end with 09 and 10 (that is 00) full to the block, so 50 are of 01."""
    used = olds_use(np.array([250, 100, 0, 1000, 650, 50]), 100)
    assert used.blocks.tolist() == [
        [0, 100, 100, 50, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 50, 50, 0, 0, 0, 0, 0],
        [0] * 10,
        [100] * 10,
        [100, 0, 0, 0, 50, 100, 100, 100, 100, 100],
        [0, 50, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    assert used.opened.tolist() == [
        [0, 1, 1, 1, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
        [0] * 10,
        [1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
        [1, 0, 0, 0, 0, 1, 1, 1, 1, 1],
        [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    assert used.closed.tolist() == [
        [0, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
        [0] * 10,
        [1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
        [1, 0, 0, 0, 1, 1, 1, 1, 1, 1],
        [0] * 10,
    ]


def rows_of(db: Path, sql: str) -> list[dict[str, Any]]:
    with api.connect(db) as store:
        rows: list[dict[str, Any]] = api.query(store, sql).to_pylist()
        return rows


def agrees(db: Path, capacity: int) -> int:
    """Each switch names the data sets in turn; blocks and counters add up. How many are full."""
    rows = rows_of(db, f"{SWITCHES} ORDER BY log_stck")
    assert [row["olds_ddname"] for row in rows[:-1]] == [row["prev_ddname"] for row in rows[1:]]
    assert [row["reason"] for row in rows] == ["C", *"F" * (len(rows) - 2), "C"]
    assert all(row["first_lsn"] == row["log_lsn"] for row in rows)
    full = rows[1:-1]
    assert all(row["blocks_prev"] == capacity for row in full)
    sets = rows_of(db, COUNTED)
    written = sets[-1]["olds_writes"] - sets[0]["olds_writes"]
    assert sets[0]["olds_switches"] == 1
    assert sets[-1]["olds_switches"] == 1 + len(full) == 1 + written // capacity
    assert sum(row["blocks_prev"] for row in rows[1:]) == written
    return len(full)


WRITTEN = """
    SELECT dataset, any_value(dataset_type) AS kind, any_value(block_bytes) AS bytes,
        sum(io_count - read_count)::BIGINT AS blocks FROM smf_dataset_io
    WHERE dataset LIKE '%.DFS%' GROUP BY 1 ORDER BY 1"""
USED = """
    SELECT prev_ddname AS olds, sum(blocks_prev)::BIGINT AS blocks FROM ims_42
    WHERE log_stck > (SELECT min(log_stck) FROM ims_42) AND blocks_prev > 0 GROUP BY 1 ORDER BY 1"""
EXCP = """
    SELECT smf30ddn AS olds, sum(smf30blk)::BIGINT AS blocks
    FROM smf30_excp JOIN smf30_identification USING (file_id, record_no)
    WHERE smf30ddn LIKE 'DFSOLP%' AND smf30pgm <> 'DFSUARC0'
    GROUP BY 1 HAVING blocks > 0 ORDER BY 1"""


def follows(db: Path) -> None:
    """42.6 and the EXCP sections of type 30 have the writes at the data set of the records 42."""
    rows, used = rows_of(db, WRITTEN), rows_of(db, USED)
    assert [row.pop("kind") for row in rows] == [*["PS"] * (len(rows) - 1), "LINEAR"]
    assert [row.pop("bytes") for row in rows] == [*[26_624] * (len(rows) - 1), 4096]
    assert len(used) > 3
    olds = [{"olds": row["dataset"].split(".")[1], "blocks": row["blocks"]} for row in rows[:-1]]
    assert olds == used == rows_of(db, EXCP)


def test_interval_records(tmp_path: Path) -> None:
    variant = scenario.load("ff-haldb", {"dasd.volumes": 8, "log.olds.blocks": 9000})
    generate_intervals(variant, tmp_path / "run", intervals=4, every_s=60.0, profile="flat")
    api.load(tmp_path / "run", db=tmp_path / "x.duckdb")
    assert agrees(tmp_path / "x.duckdb", 9000) > 8
    follows(tmp_path / "x.duckdb")


def test_transactions(tmp_path: Path) -> None:
    """The log that is written while the run goes on has its switches between its records."""
    variant = scenario.load("ff-haldb", {"dasd.volumes": 8, "log.olds.blocks": 300})
    generate(variant, tmp_path / "run", seconds=3, every_s=1.0, sample_k=50)
    api.load(tmp_path / "run", db=tmp_path / "x.duckdb")
    assert agrees(tmp_path / "x.duckdb", 300) >= 3
    follows(tmp_path / "x.duckdb")


def test_a_part_of_a_run_has_the_switches_of_the_whole(tmp_path: Path) -> None:
    variant = scenario.load("ff-haldb", {"dasd.volumes": 8, "log.olds.blocks": 9000})
    asked: dict[str, Any] = {"intervals": 4, "every_s": 60.0, "profile": "flat"}
    switches = []
    for name, more in (("whole", {}), ("part", {"first": 3, "count": 2})):
        generate_intervals(variant, tmp_path / name, **asked, **more)
        api.load(tmp_path / name, db=tmp_path / f"{name}.duckdb")
        rows = rows_of(tmp_path / f"{name}.duckdb", f"{SWITCHES} ORDER BY log_stck")
        switches.append([tuple(row.values()) for row in rows])
    in_one_go, part = switches
    assert part[0] == in_one_go[0] and part[1:] == in_one_go[-len(part) + 1 :]
    dumps = [records(next((tmp_path / name).glob("*.smf.*")))[1:-1] for name in ("whole", "part")]
    assert dumps[1] == dumps[0][-len(dumps[1]) :] and len(dumps[1]) > 100
