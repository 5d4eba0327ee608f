"""External table traces go to DFSTRA01 and DFSTRA02, or to the log: 42.6, 74.1, type 30, 67FA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf import api
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load

FEW = {"clients": 200, "dasd.volumes": 8, "trace.DISP": "external", "trace.LATC": "external"}
SETS = "SELECT dataset, sum(io_count) FROM smf_dataset_io WHERE dataset LIKE '%DFSTRA0%' GROUP BY 1"


def store_of(folder: Path, settings: Mapping[str, Any]) -> Store:
    scenario = load("trace-tables@external", FEW | dict(settings))
    generate(scenario, folder / "run", seconds=2.0, every_s=1.0, seed=3)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True)
    return imsperf.connect(folder / "r.duckdb")


def rows(store: Store, sql: str) -> list[Any]:
    return store.con.execute(sql).fetchall()


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Data sets of 6 blocks: the second one is used after 6 writes, then the first one again."""
    with store_of(tmp_path_factory.mktemp("disk"), {"trace.dfstra_blocks": 6}) as store:
        yield store


def test_each_write_has_five_records_of_120_entries(disk: Store) -> None:
    """A transaction has two entries of DISP and two of LATC, each table its own records (31 to 67:
    a region is dispatched twice, the latch of the sync point got and given back). A write is a
    block of five records: n transactions have 2 x (2 n // 120) records, and writes a fifth of that.
    """
    ((ended,),) = rows(disk, "SELECT max(trans_total) - min(trans_total) FROM ims_4500")
    writes = sum(count for _, count in rows(disk, SETS))
    assert writes == 2 * (2 * ended // 120) // 5 > 15
    assert {name for name, _ in rows(disk, SETS)} == {"IMSA.DFSTRA01", "IMSA.DFSTRA02"}


def test_the_data_sets_are_used_in_turn(disk: Store) -> None:
    """6 writes each, the first one again from the 13th on."""
    counts = dict(rows(disk, SETS))
    writes = sum(counts.values())
    full, over = divmod(writes, 12)
    assert counts["IMSA.DFSTRA01"] == full * 6 + min(over, 6)


def test_volume_and_control_region_have_the_same_writes(disk: Store) -> None:
    ((volume,),) = rows(disk, "SELECT sum(io_count) FROM rmf_device WHERE volume = 'TRAC01'")
    ((charged,),) = rows(
        disk,
        "SELECT sum(smf30blk) FROM smf30_excp JOIN smf30_identification USING (file_id, record_no) "
        "WHERE smf30ddn LIKE 'DFSTRA0%' AND smf30jbn = 'IMSACTL'",
    )
    assert volume == charged == sum(count for _, count in rows(disk, SETS))
    assert api.audit(disk).violations.to_pylist() == []


def test_nothing_of_them_is_in_the_log(disk: Store) -> None:
    assert rows(disk, "SELECT count(*) FROM ims_67fa") == [(0,)]


@pytest.mark.parametrize(("target", "in_log"), [("olds", True), ("tape", False)])
def test_other_targets_have_no_data_sets(tmp_path: Path, target: str, in_log: bool) -> None:
    with store_of(tmp_path, {"trace.target": target}) as store:
        assert rows(store, SETS) == []
        assert rows(store, "SELECT count(*) > 0 FROM ims_67fa") == [(in_log,)]
        assert rows(store, "SELECT count(*) FROM rmf_device WHERE volume = 'TRAC01'") == [(0,)]
        assert api.audit(store).violations.to_pylist() == []


def test_blocks_of_the_olds_hold_the_traces(tmp_path: Path) -> None:
    """A transaction has four entries of 32 bytes, and 120 entries share 48 bytes: 129.6 bytes more.

    So many bytes are in the logger's records (4507) and in the blocks of the OLDS: 4507, 42.6,
    74.1. A block at each end of the time is in part of another time.
    """
    sql = (
        "SELECT max(olds_writes) - min(olds_writes), max(buf_size), "
        "max(bytes_written) - min(bytes_written), "
        "(SELECT max(trans_total) - min(trans_total) FROM ims_4500) FROM ims_4507"
    )
    seen = {}
    for target in ("olds", "tape"):
        folder = tmp_path / target
        folder.mkdir()
        with store_of(folder, {"trace.target": target}) as store:
            ((blocks, size, written, ended),) = rows(store, sql)
            assert abs(blocks * size - written) < 1.01 * size + 0.005 * written, target
            ((volume,),) = rows(
                store,
                "SELECT sum(io_count)::BIGINT FROM rmf_device WHERE volume IN (SELECT volume FROM "
                "smf_dataset_io WHERE dataset LIKE '%DFSOLP%')",
            )
            assert volume == blocks
            seen[target] = blocks * size / ended
    assert seen["olds"] - seen["tape"] == pytest.approx(129.6, rel=0.1)
