"""Scenarios of one IMS system, simulated: laws, the solver's figures, records and their reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conservation import differences

import imsperf
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import SimResult, simulate
from imsperf.synthetic.solver.declared import works_of
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.workloads.families import network

NAMES = (
    *("fast-path", "ff-haldb", "jmp", "tm-db2-irww", "zos-connect", "odbm", "cics-ff", "cics-fp"),
)
TICK = 4096


def run(name: str, seconds: float, **options: Any) -> SimResult:
    return simulate(network(load(name)), seed=3, seconds=seconds, every_s=seconds / 5, **options)


@pytest.mark.parametrize("name", NAMES)
def test_laws_hold_to_the_tick(name: str) -> None:
    """Every transaction kept: population, Little, CPU, regions, log records."""
    result = run(name, 0.5, warmup_s=0.5)
    assert not [law for law, values in differences(result).items() if values.any()]
    assert result.completed.sum() > 500


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_solver_agrees(name: str) -> None:
    """CPU of each 0.5 %, rate 0.5 % or 3 standard errors of a count, response 1.5 %."""
    scenario = load(name)
    solution = solve(works_of([network(scenario)]))
    result = run(name, 20.0, warmup_s=4.0, sample_k=1000)
    work = solution.of("work")
    assert work.response is not None
    rate = result.completed.sum() / result.seconds
    room = max(0.005, 3 * result.completed.sum() ** -0.5)
    assert rate == pytest.approx(work.rate, rel=room)
    response = result.response_ticks.sum() / result.completed.sum() / TICK / 1e6
    assert response == pytest.approx(work.response, rel=0.015)
    busy = result.cpu_ticks.sum() / result.ticks.sum() / network(scenario).cpu.cps
    assert solution.details["cpu.busy"] is not None
    assert busy / rate == pytest.approx(solution.details["cpu.busy"] / work.rate, rel=0.005)


@pytest.fixture(scope="module", params=["jmp", "tm-db2-irww", "odbm"])
def loaded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Half a second of a workload, through its records."""
    folder = tmp_path_factory.mktemp(request.param)
    generate(load(request.param), folder / "run", seconds=0.5)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run=request.param, strict=True)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


def test_statistics_count_the_records(loaded: Store) -> None:
    """Between the two sets as many records as 4507 says, but for those of the sets themselves."""
    tables = [
        name
        for (name,) in rows(
            loaded,
            "SELECT table_name FROM duckdb_tables() WHERE regexp_matches(table_name, "
            "'^ims_(0[1378]|1[12]|3[1356]|3730|5[069]..|a109)$')",
        )
    ]
    (first, last), *_ = [rows(loaded, "SELECT min(sample), max(sample) FROM ims_4507")[0]]
    written = sum(
        loaded.con.execute(
            f"SELECT count(*) FROM {name} WHERE log_stck >= ? AND log_stck < ?", [first, last]
        ).fetchall()[0][0]
        for name in tables
    )
    said, sent = rows(
        loaded,
        "SELECT max(records_written) - min(records_written), max(bytes_written) - "
        "min(bytes_written) FROM ims_4507",
    )[0]
    # a transaction's records count at its sync point; some of it is written before, some after
    assert written == pytest.approx(said, rel=0.01)
    assert sent / said == pytest.approx(
        rows(loaded, "SELECT sum(bytes) / sum(records) FROM load_count WHERE kind = 'ims' AND "
             "NOT regexp_matches(type, '^(06|4.|A0)$')")[0][0],
        rel=0.01,
    )  # fmt: skip


def test_units_of_recovery_are_whole(loaded: Store) -> None:
    """Each has one start and one end, in order, and its changes between them."""
    if not rows(loaded, "SELECT 1 FROM duckdb_tables() WHERE table_name = 'ims_5607'"):
        pytest.skip("Fast Path has no 5607")
    if rows(loaded, "SELECT 1 FROM duckdb_tables() WHERE table_name = 'ims_5603'"):
        pytest.skip("changes of Db2 are in its own log")
    wrong = rows(
        loaded,
        "SELECT count(*) FROM ims_5612 e LEFT JOIN ims_5607 b USING (rtoken, pst) "
        "WHERE b.event > e.event",
    )
    assert wrong == [(0,)]
    changes = rows(
        loaded,
        "SELECT count(*), count(e.rtoken), count(DISTINCT c.database) FROM ims_5050 c "
        "LEFT JOIN ims_5612 e USING (rtoken, pst)",
    )
    assert changes[0][0] == changes[0][1] > 1000
    assert changes[0][2] == 3  # 000 T13: accounts, their history, customers


def test_transit_reports_what_was_simulated(tmp_path: Path) -> None:
    """Input queue, processing and output of the report against the simulated times."""
    scenario = load("jmp")
    generate(scenario, tmp_path / "run", seconds=0.4, seed=5)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="jmp")
    table = imsperf.report("ims.transit", tmp_path / "r.duckdb", total=True).to_pylist()
    result = simulate(network(scenario), seed=5, seconds=0.4, every_s=0.4, warmup_s=2.0)
    net = network(scenario)
    done = result.transactions
    for place, work_class in enumerate(net.classes):
        in_one_go = (done["cls"] == place) & (done["arrival"] >= 0)
        (row,) = [r for r in table if r["tran"] == work_class.name]
        assert row["count"] == pytest.approx(in_one_go.sum(), abs=net.clients)
        for name, begin, end in (
            ("input_queue_ms", "arrival", "gu"),
            ("process_ms", "gu", "sync"),
            ("output_queue_ms", "sync", "dequeue"),
        ):
            mean = (done[end] - done[begin])[in_one_go].mean() / TICK / 1000
            assert row[name] == pytest.approx(mean, rel=0.01, abs=0.001), name
        # T27, IMS 15: the region 121.827 us, meanwhile half of 12.12 (IMS) and of 7.791 (others)
        used = (done["cpu_region"] - done["cpu_schedule"])[in_one_go].mean() / TICK
        own = used * 121.827 / (121.827 + 6.06 + 3.8955)
        assert row["cpu_us"] == pytest.approx(own, rel=0.01)


def test_records_say_that_programs_wait_for_input(tmp_path: Path) -> None:
    """X'40' in 07, 08 and, with X'21' of a JMP, in 56FA, as A10D says; never a quick reschedule."""
    scenario = load("jmp", {"sched.wfi": "on", "sched.plct": 5})
    generate(scenario, tmp_path / "run", seconds=0.3, seed=5)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="jmp", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        for sql, expected in (
            ("SELECT DISTINCT flags FROM ims_07", 0x40),
            ("SELECT DISTINCT flags FROM ims_08", 0x40),
            ("SELECT DISTINCT qcount FROM ims_08", 1),
            ("SELECT DISTINCT tptype FROM ims_56fa", 0x61),
            ("SELECT DISTINCT wait_for_input FROM ims_a10d_transaction", "Y"),
            ("SELECT DISTINCT quick_resched FROM ims_4506", 0),
        ):
            assert rows(store, sql) == [(expected,)], sql


def test_programs_join_their_messages(tmp_path: Path) -> None:
    """Schedules (08) and ends (07) of a workload whose programs do not wait for input."""
    scenario = load("jmp", {"sched.wfi": "off"})
    generate(scenario, tmp_path / "run", seconds=0.4, seed=5)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="jmp", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        scheduled, ended = (
            rows(store, f"SELECT count(*) FROM ims_{n}")[0][0] for n in ("08", "07")
        )
        assert scheduled > 1000 and ended > 1000
        joined = rows(
            store,
            "SELECT count(*), count(*) FILTER (g.log_stck >= s.sched) FROM ims_08 s "
            "JOIN ims_31 g ON g.rtoken = s.rtoken AND g.pst = s.pst AND g.dest_type = 'S'",
        )
        assert joined[0][0] == joined[0][1] >= 0.98 * scheduled
        mean = rows(store, "SELECT avg(msgs), min(msgs), avg(cpu_us / msgs) FROM ims_07")[0]
        assert mean[0] == pytest.approx(scenario["sched.quick"], rel=0.05)
        assert mean[1] == 1 and mean[2] > 100
        # no program waits for input; X'10': it went on with a further message
        assert rows(store, "SELECT DISTINCT flags, qcount FROM ims_08") == [(0, 1)]
        sql = "SELECT DISTINCT flags, msgs > 1 FROM ims_07 ORDER BY ALL"
        assert rows(store, sql) == [(0, False), (0x10, True)]
        assert rows(store, "SELECT DISTINCT tptype FROM ims_56fa") == [(0x21,)]
        assert rows(store, "SELECT DISTINCT wait_for_input FROM ims_a10d_transaction") == [("N",)]
