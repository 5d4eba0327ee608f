"""Programs in regions: which message a region takes, and that 08 and 07 name its program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_networks import idle_network

import imsperf
from imsperf.database.store import Store
from imsperf.synthetic.accounts.regions import psb_name
from imsperf.synthetic.generate import generate
from imsperf.synthetic.network.network import Network, RegionPool, TransactionClass
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import SimResult, simulate

TICK = 4096  # ticks of a microsecond
SCHEDULE_US = 100.0


def two_programs(regions: int, messages: float, **changes: Any) -> Network:
    """Two codes, each half of the messages, in one pool; a schedule takes 100 us of CPU."""
    classes = tuple(
        TransactionClass(name, 1.0, 1.0, 0.0, 0.0, 1, 1, 100) for name in ("ONE", "OTHER")
    )
    given: dict[str, Any] = {
        "region_pools": (RegionPool("MPP", regions, messages, SCHEDULE_US, 0.0),),
        "classes": classes,
        "rate_per_s": 500.0,
        "cpu": {"cps": 64},
        "unexplained_us": 5.0,
    }
    return idle_network(**given | changes)


def run(network: Network, seconds: float = 10.0) -> SimResult:
    return simulate(network, seed=2, seconds=seconds, every_s=seconds, warmup_s=1.0, sample_k=1)


def per_message(result: SimResult) -> tuple[float, float]:
    """Schedules, and microseconds of CPU."""
    done = result.completed.sum()
    return result.schedules.sum() / done, result.cpu_ticks.sum() / done / TICK


def mixed(result: SimResult) -> int:
    """Messages in a region whose program is another one."""
    rows = result.transactions
    order = np.lexsort((rows["taken"], rows["region"]))
    region, cls = rows["region"][order], rows["cls"][order]
    stays = (np.diff(region) == 0) & (rows["scheduled"][order][1:] == 0)
    return int((np.diff(cls) != 0)[stays].sum())


def test_one_region_changes_its_program_every_second_message() -> None:
    """Rarely busy: a message finds the program of the other code with chance 1/2, and may not have
    it for nothing more often than one in 1,000 times: 0.5 schedules, 0.1 us of CPU. Of 4 schedules
    for 5 messages the changes are a part: there are no more, with 80 us."""
    seldom = run(two_programs(1, 1_000.0, rate_per_s=10_000.0))
    schedules, cpu = per_message(seldom)
    assert schedules == pytest.approx(0.5, rel=0.04) and cpu == pytest.approx(0.1, rel=0.5)
    assert set(seldom.transactions["scheduled"].tolist()) == {0, 1, 2}
    often = run(two_programs(1, 1.25))
    assert per_message(often) == pytest.approx((0.8, 80.0), rel=0.03)
    assert mixed(seldom) == mixed(often) == 0


def test_programs_stay_where_there_are_regions_enough() -> None:
    """A message always finds its program: one schedule in 1,000 messages, and no other."""
    result = run(two_programs(20, 1_000.0, rate_per_s=5_000.0))
    schedules, cpu = per_message(result)
    assert schedules == pytest.approx(1e-3, rel=0.4)
    assert cpu == pytest.approx(SCHEDULE_US * schedules, rel=0.4)
    regions, cls = result.transactions["region"], result.transactions["cls"]
    assert all(len(set(cls[regions == region].tolist())) == 1 for region in set(regions.tolist()))


def test_a_full_region_goes_on_with_its_program() -> None:
    """A hundred clients wait for one region: about fifty of a code are there before it changes."""
    closed = {"rate_per_s": 0.0, "clients": 100, "unexplained_us": 1_000.0}
    result = run(two_programs(1, 1e9, **closed), 5.0)
    schedules, _ = per_message(result)
    assert result.completed.sum() == pytest.approx(5_000, rel=0.05)
    assert schedules < 1 / 50
    assert mixed(result) == 0


# --- the log --------------------------------------------------------------------------------------

FEW = {"clients": 40, "regions.mpp": 12, "dasd.volumes": 8, "sched.plct": 65535}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two seconds of Db2 transactions of seven codes in 12 regions that are often all busy."""
    folder = tmp_path_factory.mktemp("programs")
    generate(load("esaf-pooling", FEW), folder / "run", seconds=2.0, every_s=1.0, seed=6)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


def test_messages_between_08_and_07_are_of_its_program(loaded: Store) -> None:
    """31, 56FA and 5607 of a region name the program of the last 08 before them; 07, too."""
    sql = """
        WITH one AS (
            SELECT log_lsn, pst, tran FROM ims_5607
            UNION ALL SELECT log_lsn, tpcpstn, tptran FROM ims_56fa
            UNION ALL SELECT log_lsn, pst, dest FROM ims_31 WHERE dest_type = 'S'
            UNION ALL SELECT log_lsn, pst, tran FROM ims_07)
        SELECT count(*) FILTER (one.tran = b.tran), count(*) FILTER (one.tran <> b.tran)
        FROM one ASOF JOIN ims_08 AS b ON one.pst = b.pst AND one.log_lsn > b.log_lsn"""
    same, others = rows(loaded, sql)[0]
    assert same > 1000 and others == 0
    assert len(rows(loaded, "SELECT DISTINCT tran FROM ims_07")) > 4


def test_messages_of_07_are_those_of_the_log(loaded: Store) -> None:
    """Of each program that began and ended in the log, messages are those of 56FA, and CPU is
    theirs and that of the schedule, which took place before the first message."""
    sql = """
        SELECT e.msgs, count(*), e.cpu_us - sum(s.tpextime),
            any_value(e.tran) = any_value(s.tptran),
            date_diff('microsecond', any_value(e.sched), any_value(e.first_gu))
        FROM ims_07 AS e JOIN ims_56fa AS s
            ON s.tpcpstn = e.pst AND s.tptran = e.tran AND s.log_stck BETWEEN e.sched AND e.end
        WHERE e.sched > (SELECT min(log_stck) FROM ims_01)
        GROUP BY e.log_lsn, e.msgs, e.cpu_us"""
    programs = rows(loaded, sql)
    assert len(programs) > 300
    assert all(msgs == logged and same for msgs, logged, _, same, _ in programs)
    assert all(0 < left <= msgs + before for msgs, _, left, _, before in programs)  # us are cut


def test_47_names_the_program_of_each_region(loaded: Store) -> None:
    """After a second: that of the 08 which began when 47 says; active with what 56FA ends next."""
    sql = """
        SELECT r.pst, r.tran = b.tran, r.state FROM ims_47_region AS r
        JOIN ims_47 AS h USING (file_id, record_no)
        JOIN ims_08 AS b ON r.pst = b.pst AND r.sched = b.sched_start
        WHERE h.ckpt_no = 2 ORDER BY r.pst"""
    rows_read = rows(loaded, sql)
    assert [pst for pst, *_ in rows_read] == list(range(1, 13))
    assert all(same for _, same, _ in rows_read)
    taken = """
        SELECT DISTINCT s.tpcpstn FROM ims_56fa AS s, ims_47 AS h WHERE h.ckpt_no = 2
        AND s.tpstartu <= h.log_stck AND s.tpendu > h.log_stck"""
    active = {pst for pst, _, state in rows_read if state == "A"}
    assert {pst for (pst,) in rows(loaded, taken)} <= active and len(active) > 6


def test_codes_of_fast_path_regions_are_one_program(tmp_path: Path) -> None:
    """Their regions schedule nothing; one of MPPs has 08 and 07 for each program (66 and 2)."""
    generate(load("tm-db2-irww", {"clients": 12}), tmp_path / "run", seconds=0.3, seed=6)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        psbs = "SELECT DISTINCT psb FROM ims_5901"
        codes = "SELECT count(DISTINCT tran), bool_and(pst > 2) FROM ims_5901"
        assert (rows(store, psbs), rows(store, codes)) == ([("PNEWORDE",)], [(5, True)])
        assert rows(store, "SELECT count(*) FROM ims_08 WHERE pst > 2") == [(0,)]
        a10d = """
            SELECT region_type, list(DISTINCT psb ORDER BY psb), min(regions), max(regions)
            FROM ims_a10d_transaction GROUP BY ALL ORDER BY ALL"""
        fast, _ = rows(store, a10d)
        assert fast == ("I", ["PNEWORDE"], 66, 66)


def test_numbers_tell_programs_apart() -> None:
    """A PSB name has eight characters: P, the code, and all of the number at its end."""
    names = ("DEBIT", "HR1", "NEWORDER", "VARTX001", "VARTX025")
    psbs = ["PDEBIT", "PHR1", "PNEWORDE", "PVART001", "PVART025"]
    assert [psb_name(name) for name in names] == psbs


def test_ims_says_scheduled_before_the_program_is_loaded() -> None:
    """Of 100 us of CPU 60 are load and environment: 08 is so much of it before the first call."""
    pool = RegionPool("MPP", 20, 1.0, SCHEDULE_US, 50.0, load_share=0.6)
    result = run(two_programs(20, 1.0, region_pools=(pool,)), 2.0)
    programs, rows = result.programs, result.transactions
    cpu = dict(zip(rows["number"].tolist(), rows["cpu_schedule"].tolist(), strict=True))
    ended = (programs["end"] < 1 << 60) & (programs["start"] >= 0)
    before = (programs["first_gu"] - programs["scheduled"])[ended]
    used = np.array([cpu[number] for number in programs["number"][ended].tolist()])
    assert np.array_equal(before, (0.6 * used).astype(np.int64))
    assert 55 * TICK < before.mean() < 65 * TICK  # 1,000 of an exponential time: 3 %
    assert (programs["start"] < programs["scheduled"])[ended].all()
