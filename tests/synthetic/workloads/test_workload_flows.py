"""Conversations, program-to-program switches and what they are linked by, through the records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf.database.store import Store
from imsperf.measured.metrics import read_values
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import SimResult, simulate
from imsperf.synthetic.workloads.families import network

TICK = 4096
SMALL = {"clients": 60, "driver.think_ms": 20.0}
CHAIN = ["OE1", "OE2", "OE4", "OE5"]  # document 000 4.1.3


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """0.3 s of full function with 60 clients: about 450 transactions."""
    folder = tmp_path_factory.mktemp("chain")
    generate(load("ff-haldb", SMALL), folder / "run", seconds=0.3, seed=6)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


@pytest.fixture(scope="module")
def simulated() -> SimResult:
    net = network(load("ff-haldb", SMALL))
    return simulate(net, seed=6, seconds=0.3, every_s=0.3, warmup_s=2.0)


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


def chains(result: SimResult) -> Any:
    """Transactions of OE1 whose whole chain is in the log."""
    net = network(load("ff-haldb", SMALL))
    place = [work_class.name for work_class in net.classes].index("OE1")
    done = result.transactions
    return (done["cls"] == place) & (done["arrival"] >= 0)


def test_switches_are_linked_to_their_first_input(loaded: Store, simulated: SimResult) -> None:
    """Four programs, each with the message of the one before as its parent; one answer."""
    rows_read = rows(
        loaded,
        """
        SELECT a.dest, b.dest, c.dest, d.dest, e.dest = a.lterm, a.arrival = d.arrival
        FROM ims_01 AS a JOIN ims_03 AS b ON b.parent_uow = a.uow
        JOIN ims_03 AS c ON c.parent_uow = b.uow JOIN ims_03 AS d ON d.parent_uow = c.uow
        JOIN ims_03 AS e ON e.parent_uow = d.uow""",
    )
    assert set(rows_read) == {(*CHAIN, True, True)}
    assert len(rows_read) == chains(simulated).sum() > 10
    taken = rows(
        loaded,
        "SELECT count(*), count(q.uow), count(*) FILTER (q.log_lsn < g.log_lsn) FROM ims_31 AS g "
        "LEFT JOIN ims_35 AS q ON q.uow = g.uow AND q.dest_type = 'S' "
        "WHERE g.dest IN ('OE2', 'OE4', 'OE5') AND g.dest_type = 'S' "
        "AND g.log_stck > (SELECT min(log_stck) + INTERVAL 0.1 SECOND FROM ims_01)",
    )
    assert taken[0][0] == taken[0][1] == taken[0][2] > 10  # queued before it is taken


def test_parts_of_a_chain_add_up(loaded: Store, simulated: SimResult) -> None:
    """Response of the last message from the first input on; CPU, I/O as simulated."""
    mine = chains(simulated)
    done = {name: values[mine] for name, values in simulated.transactions.items()}
    ((cpu, ios, waited, count),) = rows(
        loaded,
        "SELECT sum(u.tpextime), sum(u.db_ios), sum(u.tptdbio), count(*) "
        "FROM ims_56fa AS u WHERE u.tptran LIKE 'OE%' "
        "AND u.tpinutc >= (SELECT min(sample) FROM ims_4500)",
    )
    assert count == 4 * len(done["cls"])
    # T19, IMS 15: the region 360.642 us, meanwhile half of IMS's 36.185 and 0.9 of others' 47.075
    share = 360.642 / (360.642 + 0.5 * 36.185 + 0.9 * 47.075)
    own = (done["cpu_region"] - done["cpu_schedule"]).sum() / TICK  # the schedule is in 07
    assert cpu == pytest.approx(own * share, abs=count)
    assert ios == done["reads"].sum() + done["writes"].sum()
    assert waited == pytest.approx(done["io_wait"].sum() / TICK, abs=count)
    transit = imsperf.report("ims.transit", loaded.path, total=True).to_pylist()
    (last,) = [row for row in transit if row["tran"] == "OE5"]
    mean = (done["dequeue"] - done["arrival"]).mean() / TICK / 1000
    assert last["response_ms"] == pytest.approx(mean, rel=0.25)  # some began before the log


def test_published_rate_busy_and_itr(loaded: Store) -> None:
    """0.3 s: transactions of 4500 and dispatch time of 70.1, three processors; ITR = ETR / busy."""
    read = read_values(loaded, {"etr_per_s", "cpu_busy_pct", "itr_per_s", "cpu_us_per_tran"})
    etr, busy, itr, cpu = (
        read.get(metric)[0]
        for metric in ("etr_per_s", "cpu_busy_pct", "itr_per_s", "cpu_us_per_tran")
    )
    ((ended,),) = rows(loaded, "SELECT max(trans_total) - min(trans_total) FROM ims_4500")
    ((used,),) = rows(loaded, "SELECT sum(lpar_busy_us) FROM rmf_cpu WHERE type = 'CP'")
    assert etr == pytest.approx(ended / 0.3, rel=0.001)
    assert busy == pytest.approx(used / (3 * 0.3e6) * 100, rel=0.001)
    assert itr == pytest.approx(ended / 0.3 / (used / 0.9e6), rel=0.001)
    assert cpu == pytest.approx(used / ended, rel=0.001)


def test_programs_of_a_chain_do_what_each_is_said_to(loaded: Store) -> None:
    """000 T2: OE1 and OE4 read, OE2 updates, OE5 updates and inserts.

    Calls and changes of the scenario's table: OE1 3 calls, OE2 3 with one change, OE4 3, OE5 6 with
    two: 15 in all, half of a teller's 28.
    """
    each = rows(
        loaded,
        "SELECT DISTINCT tptran, tpdgu + tpdgn + tpdghu + dl_repl + dl_isrt, dl_repl, dl_isrt "
        "FROM ims_56fa WHERE tptran LIKE 'OE%' ORDER BY 1",
    )
    assert each == [("OE1", 3, 0, 0), ("OE2", 3, 1, 0), ("OE4", 3, 0, 0), ("OE5", 6, 1, 1)]
    logged = rows(
        loaded,
        "SELECT c.psb, count(*) / count(DISTINCT c.rtoken), "
        "count(DISTINCT (c.database, c.block, c.offset)) = count(*) "
        "FROM ims_5050 AS c WHERE c.psb LIKE 'POE%' GROUP BY 1 ORDER BY 1",
    )
    assert logged == [("POE2", 1, True), ("POE5", 2, True)]


def test_programs_change_databases_of_their_application(loaded: Store) -> None:
    """000 T2: a teller changes CUSTDA alone, stock control INVENTRA, IT8 four databases."""
    rows_read = rows(
        loaded,
        "SELECT psb, list(DISTINCT database ORDER BY database) FROM ims_5050 "
        "GROUP BY psb ORDER BY psb",
    )
    labour = ["DEPSUMDA", "EMPACTDA", "ITEMACTA", "ITEMMASA"]
    assert rows_read == [
        ("PHR1", ["HOTELDBA"]), ("PIT8", labour), ("POE2", ["CUSTOMRA"]),
        ("POE5", ["CUSTOMRA", "INVENTRA"]), ("PSC6", ["INVENTRA"]), ("PTS1", ["CUSTDA"]),
    ]  # fmt: skip


def test_programs_that_end_have_the_calls_of_their_messages(tmp_path: Path) -> None:
    """07 of HR1: each message 4 of its 18 calls replace, 4 hold, 1 GU, 9 GN."""
    generate(load("ff-haldb", SMALL | {"sched.plct": 5}), tmp_path / "run", seconds=0.1, seed=6)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="ims:07")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        each = "SELECT DISTINCT gu / msgs, gn / msgs, ghu / msgs, repl / msgs FROM ims_07"
        assert rows(store, f"{each} WHERE tran = 'HR1'") == [(1, 9, 4, 4)]


def test_time_of_a_program_is_what_it_used_and_more(loaded: Store) -> None:
    """CPU as 0.1465 three times and 0.2513 of 0.6908; each has its I/O wait, in its own time."""
    rows_read = rows(
        loaded,
        """
        SELECT sum(tpextime), count(*) FILTER (tpextime + tptdbio > 2 + lasted_us) FROM (
            SELECT tptran, tpextime, tptdbio, date_diff('us', tpstartu, tpendu) AS lasted_us
            FROM ims_56fa WHERE tptran LIKE 'OE%' AND tpinutc >= (SELECT min(sample) FROM ims_4500))
        GROUP BY tptran ORDER BY tptran""",
    )
    in_one_go = sum(cpu for cpu, _ in rows_read)
    assert [cpu / in_one_go for cpu, _ in rows_read] == pytest.approx(
        [0.212, 0.212, 0.212, 0.364], abs=2e-3
    )
    assert [wrong for _, wrong in rows_read] == [0, 0, 0, 0]


def test_conversations_begin_and_end(loaded: Store, simulated: SimResult) -> None:
    """11 at the first input, 12 when the last program of the chain ends it; the SPA in each."""
    rows_read = rows(
        loaded,
        """
        SELECT b.tran, e.tran, e.psb, e.end_reason, e.spa_inserts, e.spa_bytes = 4 * e.spa_size,
            e.end_time > b.start_time, i.lterm = b.lterm
        FROM ims_11 AS b JOIN ims_12 AS e USING (conv_id) JOIN ims_01 AS i ON i.uow = b.uow""",
    )
    assert set(rows_read) == {("OE1", "OE5", "POE5", "N", 4, True, True, True)}
    assert len(rows_read) == chains(simulated).sum()


def test_metrics_count_a_chain_once(loaded: Store, simulated: SimResult) -> None:
    """Response: clients in IMS over rate (Little), whatever the number of programs."""
    metrics = imsperf.report("run.metrics", loaded.path).to_pylist()
    value = {metric["metric"]: metric["value"] for metric in metrics}
    assert value["etr_per_s"] == pytest.approx(simulated.completed.sum() / 0.3, rel=0.001)
    response = simulated.response_ticks.sum() / simulated.completed.sum() / TICK / 1000
    assert value["ims_response_ms"] == pytest.approx(response, rel=0.03)


def test_the_procedure_of_a_measurement_is_in_the_log(loaded: Store) -> None:
    """Document 000 5.1 and 5.2: cold start, ramp, /SWITCH OLDS, /CHECKPOINT STATISTICS; both again.

    One interval of 0.3 s here; 2 s of ramp are not recorded.
    """
    ((started, event),) = rows(loaded, "SELECT event_time, event FROM ims_06")
    switched = rows(loaded, "SELECT open, reason, log_lsn FROM ims_42 ORDER BY log_lsn")
    sets = rows(
        loaded,
        "SELECT h.sample, c.ckpt_type, h.log_lsn FROM ims_4500 AS h JOIN ims_4001 AS c "
        "USING (ckpt_no) ORDER BY h.log_lsn",
    )
    assert event == "S"
    assert [switch[1] for switch in switched] == [set[1] for set in sets] == ["C", "C"]
    assert [(switch[0] - started).total_seconds() for switch in switched] == [2.0, 2.3]
    assert [(set[0] - started).total_seconds() for set in sets] == [2.0, 2.3]
    assert switched[0][2] < sets[0][2] < sets[1][2] < switched[1][2]
    config = imsperf.report("run.config", loaded.path).to_pylist()
    phases = {(row["section"], row["key"]): row["value"] for row in config}
    assert phases["phases.ramp", "recorded"] == "False"
    assert phases["phases.switch_olds", "at_s"] == "[0, 0.3]"


@pytest.mark.slow
def test_external_traces_are_in_the_log(tmp_path: Path) -> None:
    """Entries of each table as many as the transactions made, in the order of time; all counted."""
    wanted = {f"trace.{table}": "external" for table in ("LATC", "QMGR", "DLI", "DISP", "STRG")}
    more = {"trace.SCHD": "memory", "trace.target": "olds"}
    scenario = load("trace-tables@ff-external", wanted | more)
    generate(scenario, tmp_path / "run", seconds=0.6, seed=6)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", strict=True)
    net = network(scenario)
    result = simulate(net, seed=6, seconds=0.6, every_s=0.6, warmup_s=2.0)
    done = result.transactions
    calls = {row["tran"]: row["db_calls"] for row in scenario.table("transactions")}
    each = [calls[work_class.name] for work_class in net.classes]
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        counts = dict(
            rows(
                store,
                "SELECT table_id, count(*) FROM ims_67fa JOIN ims_67fa_entry "
                "USING (file_id, record_no) GROUP BY 1",
            )
        )
        assert set(counts) == {"LA", "QM", "DL", "DS", "ST"}
        number = {
            time: int((done[time] >= 0).sum()) for time in ("arrival", "gu", "sync", "dequeue")
        }
        under = int(result.in_flight_end[-1].sum())  # at the end: what has happened of them
        assert number["sync"] > 100  # some had theirs before the run
        assert 0 <= counts["LA"] - 2 * number["sync"] <= 2 * under
        assert 0 <= counts["QM"] - sum(number.values()) <= 3 * under
        assert 0 <= counts["DS"] - number["gu"] - number["sync"] <= 2 * under
        assert 0 <= counts["ST"] - number["arrival"] - number["dequeue"] <= under
        assert counts["DL"] == pytest.approx(sum(each[n] for n in done["cls"]), rel=0.05)
        clocks = rows(store, "SELECT clock FROM ims_67fa_latc ORDER BY record_no, section_no")
        assert clocks == sorted(clocks)
        # the middle of the TOD clock in units of 16 us, as the log's own clock has it
        middle = rows(
            store,
            "SELECT max(clock_mid) - min(clock_mid), "
            "epoch_us(max(b.log_stck)) - epoch_us(min(b.log_stck)) FROM ims_67fa_disp "
            "JOIN ims_67fa AS b USING (file_id, record_no)",
        )
        assert 0 < middle[0][1] <= 16 * middle[0][0] < 600_000
        ((said, lsn),) = rows(
            store,
            "SELECT max(records_written) - min(records_written), max(log_lsn) - min(log_lsn) "
            "FROM ims_4507",
        )
        assert said == pytest.approx(lsn, rel=0.03)  # without what the sets themselves are


@pytest.mark.slow
def test_units_of_work_name_who_called(tmp_path: Path) -> None:
    """CICS: A109 for each unit of recovery, with the CICS region of the client."""
    generate(load("cics-ff", {"clients": 80}), tmp_path / "run", seconds=0.2, seed=6)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        rows_read = rows(
            store,
            "SELECT count(*), count(b.rtoken), min(a.source), max(a.source), "
            "count(*) FILTER (a.start_time = b.event) FROM ims_a109 AS a "
            "LEFT JOIN ims_5607 AS b USING (pst, rtoken)",
        )
        count = rows(store, "SELECT count(*) FROM ims_5607")[0][0]
        assert rows_read == [(count, count, "CICS", "CICS", count)] and count > 10
        regions = rows(
            store,
            "SELECT DISTINCT source_name, right(userid, 7)::INTEGER % 4 FROM ims_a109 ORDER BY 1",
        )
        assert regions == [("CICSA1", 0), ("CICSA2", 1), ("CICSA3", 2), ("CICSA4", 3)]


@pytest.mark.slow
def test_otma_counts_messages_and_credentials(tmp_path: Path) -> None:
    """Every message has a credential of 100 bytes; what is under way came and has not left."""
    scenario = load("jmp", {"security.credential_bytes": 100, "message.in_bytes": 250})
    generate(scenario, tmp_path / "run", seconds=0.1, seed=6, sample_k=50)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        rows_read = rows(
            store,
            "SELECT credential_messages = messages_in, credential_bytes = 100 * messages_in, "
            "bytes_in = 250 * messages_in, messages_in - messages_out = tibs, messages_in > 1000 "
            "FROM ims_451a",
        )
        assert rows_read == [(True,) * 5] * 2


def test_messages_are_joined_by_sorting(loaded: Store) -> None:
    """ASOF joins of the view, whatever DuckDB thinks of their size: no loop over all pairs."""
    plan = rows(loaded, "EXPLAIN SELECT sum(response_us) FROM ims_message")
    text = " ".join(str(step[-1]) for step in plan).lower().replace("_", " ")
    assert "asof join" in text and "nested loop" not in text
