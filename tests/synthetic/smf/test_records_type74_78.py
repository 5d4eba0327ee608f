"""SMF 74.2, 74.4, 74.5, 78.2, 78.3: hand-worked examples; records that go on in others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from record_checks import HOST, MS, US, S, compare, every, read, written

from imsperf.synthetic.smf.measured import Level
from imsperf.synthetic.smf.type74_2 import Member, xcf_group
from imsperf.synthetic.smf.type74_4 import (
    Facility,
    Requests,
    Structure,
    facility_group,
)
from imsperf.synthetic.smf.type74_5 import CacheUse, Subsystem, cache_groups
from imsperf.synthetic.smf.type78_2 import (
    Area,
    Job,
    VirtualStorage,
    storage_group,
)
from imsperf.synthetic.smf.type78_3 import ControlUnit, QueueUse, queue_groups

KB, MB = 1024, 1 << 20


def row(*values: int) -> np.ndarray:
    """One interval."""
    return np.array([values], dtype=np.int64)


def test_xcf(tmp_path: Path) -> None:
    members = [Member("HWSG01", "IMSAHWS1", "IMSAHWS1")]
    group = xcf_group(row(5000), members, row(6000), row(5990), HOST, every(60))
    compare("type74_2", [group], tmp_path / "dump")


def test_coupling_facility(tmp_path: Path) -> None:
    facility = Facility(
        "CF01",
        ("SYSA", "SYSB"),
        (
            Structure("IMSIRLM1", "lock", 64 * KB, entries=4096),
            Structure("MSGQ1", "list", 32 * KB, entries=1000, elements=2000),
            Structure("OSAMSESXI", "cache", 128 * KB, 5000, 300),
        ),
        paths=(0x80,),
        storage_kb=MB,
        free_kb=100 * KB,
    )
    use = Requests(
        sync=row(3000, 0, 900),
        sync_time=row(12 * MS, 0, 4500 * US),
        sync_squares=row(60_000, 0, 0),
        asynchronous=row(1000, 600, 0),
        async_time=row(30 * MS, 24 * MS, 0),
        async_squares=row(1_000_000, 0, 0),
        queued=row(80, 0, 0),
        queued_time=row(1600 * US, 0, 0),
        queued_squares=row(40_000, 0, 0),
        deferred=row(50, 0, 0),
        contention=row(25, 0, 0),
        false_contention=row(5, 0, 0),
        entries=row(12, 40, 0),
        elements=row(0, 80, 0),
        execution=row(3 * S, 6 * S, 9 * S),
        busy=row(12 * S, 6 * S),
    )  # fmt: skip
    group = facility_group(facility, use, HOST, every(60))
    compare("type74_4", [group], tmp_path / "dump")


def test_cache(tmp_path: Path) -> None:
    use = CacheUse(
        volume=np.array(["S60$01", "S60$02", "S60$03", "S60$04"]),
        device=np.array([0x8000, 0x8001, 0x8100, 0x8101]),
        reads=row(1000, 0, 500, 0),
        read_hits=row(900, 0, 250, 0),
        writes=row(200, 0, 0, 0),
        write_hits=row(200, 0, 0, 0),
        sequential_writes=row(40, 0, 0, 0),
        sequential_write_hits=row(40, 0, 0, 0),
        staged=row(100, 0, 250, 0),
        destaged=row(150, 0, 0, 0),
    )
    subsystems = [Subsystem(0x80, (0, 1)), Subsystem(0x81, (2, 3))]
    compare("type74_5", cache_groups(subsystems, use, HOST, every(60)), tmp_path / "dump")


def steady(*values: float) -> Level:
    return Level.steady(np.array([values]), (1, len(values)))


def one(least: float, most: float, mean: float) -> Level:
    return Level(*(np.array([value]) for value in (least, most, mean)))


def test_virtual_storage(tmp_path: Path) -> None:
    storage = VirtualStorage(
        common={
            "csak_7": Area(
                one(256 * KB, 272 * KB, 260 * KB), one(23 * MB, 25 * MB, 24 * MB)
            ),
            "sqau": Area(Level.steady(MB, 1), Level.steady(20 * MB, 1)),
        },
        jobs=[Job("IMSACTL", "DFSMVRC0"), Job("IMSADLI", "DFSMVRC0")],
        private={
            "lsal": Area(steady(624 * KB, 0), steady(int(14.6 * MB), 0)),
            "usal": Area(steady(2276 * KB, 568 * KB), steady(0, 0)),
        },
    )  # fmt: skip
    groups = [storage_group(storage, HOST, every(60))]
    compare("type78_2", groups, tmp_path / "dump")
    rows = read(written(groups), tmp_path / "dump")
    by_name = {r["area"]: r for r in rows["smf78_2_common_area"] if r["btotl"]}
    assert sorted(by_name) == ["r782csak_7", "r782sqau"]
    assert by_name["r782csak_7"]["btotl"] / 240 == 260 * KB


def test_io_queueing(tmp_path: Path) -> None:
    units = [
        ControlUnit(0x80, 0x8000, (0x10, 0x11)),
        ControlUnit(0x81, 0x8100, (0x10,), aliases=False),
    ]
    use = QueueUse(
        conn=row(3200 * MS, 0),
        disc=row(12_800 * US, 0),
        alias_requests=row(6000, 0),
        no_alias=row(3, 0),
        path_requests=row(6000, 0, 0),
        path_cmr=row(1280 * MS, 0, 0),
        iop_busy=row(300),
        iop_started=row(6000),
        iop_interrupts=row(6000),
        iop_queued=row(6000),
        iop_queue_lengths=row(6060),
    )
    compare("type78_3", queue_groups(units, use, HOST, every(60)), tmp_path / "dump")


def test_control_units_of_many_records(tmp_path: Path) -> None:
    """Each unit keeps its paths and aliases; only the first record has the processors.

    Three units take 3 x 536 + 2 x 88 bytes: 53 fit the first record, 200 need four.
    """
    units = [ControlUnit(n, 0x1000 + n, tuple(range(8)), n % 3 > 0) for n in range(200)]
    use = QueueUse(
        conn=np.arange(400).reshape(2, 200) * 128 * US,
        path_requests=np.arange(3200).reshape(2, 1600),
        alias_requests=np.arange(400).reshape(2, 200) * 10,
        iop_busy=np.ones((2, 4), dtype=np.int64),
    )
    records = written(queue_groups(units, use, HOST, every(60, 2)))
    rows = read(records, tmp_path / "dump")
    assert len(records) == 2 * 4 and max(map(len, records)) <= 32_756
    assert [r["r783dctm"] for r in rows["smf78_3_queue"]] == list(range(400))
    assert [r["r783pt"] for r in rows["smf78_3_path"]] == list(range(3200))
    assert [r["r783gidn"] for r in rows["smf78_3_global"]] == [4, 0, 0, 0] * 2
    assert {r["r783tot"] for r in rows["smf78_3_global"]} == {200}
    unit = {(r["record_no"], r["section_no"]): r["r783id2"] for r in rows["smf78_3_queue"]}
    for alias in rows["smf78_3_hyperpav"]:
        assert unit[alias["record_no"], alias["queue_no"]] == alias["r783hlcu"]
    assert len(rows["smf78_3_hyperpav"]) == 2 * 133
