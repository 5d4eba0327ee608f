"""Callouts through TPIPEs, TCBs, a batch program: laws, agreement with the solver, records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conservation import differences
from small_networks import idle_network

import imsperf
from imsperf import api
from imsperf.database.store import Store
from imsperf.measured.metrics import read_values
from imsperf.synthetic.generate import generate
from imsperf.synthetic.network.network import (
    Callouts,
    Network,
    RegionPool,
    Sequence,
    Tcbs,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import SimResult, simulate
from imsperf.synthetic.workloads.families import network, predicted

TICK = 4096  # of a microsecond
MS = 1000 * TICK

TPIPE_VARIANTS = [
    f"t{tpipes}-{limit}"
    for tpipes in (1, 5, 10)
    for limit in ("non-parallel", "l10", "l25", "l50", "l75", "l100")
]


def run(network: Network, seconds: float, **options: Any) -> SimResult:
    given = {"seed": 2, "every_s": seconds / 4, "warmup_s": 0.1, "sample_k": 1}
    return simulate(network, seconds=seconds, **(given | options))


def callers(count: int, calls: Callouts, **changes: Any) -> Network:
    """So many callers that do nothing but call; nothing costs anything until it is changed."""
    pools = (RegionPool("MPP", count),)
    given: dict[str, Any] = {"rate_per_s": 0.0, "clients": count, "region_pools": pools}
    return replace(idle_network(**(given | changes)), callouts=calls)


# --- callouts: laws -------------------------------------------------------------------------------


def test_slots_cap_the_rate_and_callers_wait_for_them() -> None:
    """6 slots held 1 ms pass 6,000/s; 40 callers without thought: 40/6,000 s each, 1 ms of it held.

    The slots of a TPIPE serve its callers alone: 20 callers and 3 slots each.
    """
    result = run(callers(40, Callouts(2, 3, 0.0), unexplained_us=1000.0), 2.0)
    assert result.gate_ended.sum() / 2.0 == pytest.approx(6000, rel=0.03)
    assert result.gate_ended.sum(axis=0) == pytest.approx(6000, rel=0.05)
    each = result.gate_ticks.sum() / result.gate_ended.sum() / MS
    waited = result.gate_waited_ticks.sum() / result.gate_ended.sum() / MS
    assert each == pytest.approx(40 / 6, rel=0.03)
    assert each - waited == pytest.approx(1.0, rel=0.03)
    assert (result.gate_open_end == 20).all() and (result.gate_free_end == 0).all()
    assert result.gate_waiting_high.max() == 20 - 3 and result.calls_open_high.max() == 40


def test_the_latch_of_otma_serves_one_callout_at_a_time() -> None:
    """Held 100 us by each: 10,000/s however many slots there are; each waits for all the others."""
    result = run(callers(50, Callouts(1, 50, 100.0)), 8.0)
    assert result.gate_ended.sum() / 8.0 == pytest.approx(10_000, rel=0.02)
    assert result.gate_ticks.sum() / result.gate_ended.sum() / MS == pytest.approx(5.0, rel=0.03)
    assert not result.gate_waited_ticks.any()
    assert result.get_exc[:, 2].sum() == pytest.approx(80_000, rel=0.02)
    assert (result.cont_exc[:, 2] == result.get_exc[:, 2]).all()


def test_a_slot_is_held_over_cpu_latch_and_service() -> None:
    """One slot: 1 / (0.2 + 0.1 + 0.3 ms) calls a second; CPU outside the slot costs no rate."""
    network = callers(
        8, Callouts(1, 1, 100.0), unexplained_us=300.0, cpu={"input_us": 50.0, "region_us": 200.0}
    )
    result = run(replace(network, cpu=replace(network.cpu, cps=4)), 4.0)
    assert result.completed.sum() / 4.0 == pytest.approx(1 / 600e-6, rel=0.03)
    assert result.cpu_ticks.sum() / result.completed.sum() / TICK == pytest.approx(250, rel=0.03)
    assert not [law for law, values in differences(result).items() if values.any()]


def test_callouts_add_up_over_the_transactions() -> None:
    """Nothing else happens between the message and the sync point of these transactions."""
    network = callers(30, Callouts(3, 2, 20.0), unexplained_us=500.0, cpu={"region_us": 40.0})
    result = run(replace(network, cpu=replace(network.cpu, cps=3)), 0.5)
    rows = {
        name: values[result.transactions["sync"] >= 0]
        for name, values in result.transactions.items()
    }
    assert result.gate_ticks.sum() == (rows["sync"] - rows["gu"]).sum()
    assert not [law for law, values in differences(result).items() if values.any()]
    mine = [(rows["sync"] - rows["gu"])[rows["client"] % 3 == n].sum() for n in range(3)]
    assert result.gate_ticks.sum(axis=0).tolist() == mine
    assert result.gate_longest[-1].max() == (rows["sync"] - rows["gu"]).max()


# --- TCBs -----------------------------------------------------------------------------------------


def test_a_tcb_serves_one_transaction_at_a_time() -> None:
    """Two regions with one TCB each, 100 us on it: 20,000/s, though there are 8 processors."""
    network = idle_network(
        rate_per_s=0.0, clients=40, regions=40, cpu={"cps": 8, "region_us": 50.0, "input_us": 1.0}
    )
    result = run(replace(network, tcbs=Tcbs("qr_tcb", 2, 100.0)), 2.0)
    assert result.completed.sum() / 2.0 == pytest.approx(20_000, rel=0.02)
    assert result.cpu_ticks.sum() / result.completed.sum() / TICK == pytest.approx(151, rel=0.03)
    assert not [law for law, values in differences(result).items() if values.any()]


# --- a sequence: to the tick ----------------------------------------------------------------------


def chain(steps: int, per_commit: int) -> Network:
    """Reads of 100 us and log writes of 300 us; nothing else takes time."""
    unit = TransactionClass("PGM", 1.0, 1.0, float(per_commit), 0.0, 0, 1, 100)
    rest = replace(unit, weight=0.0, reads=float(steps % per_commit))
    network = idle_network(
        rate_per_s=0.0,
        clients=1,
        region_pools=(RegionPool("BMP", 1),),
        classes=(unit, rest) if steps % per_commit else (unit,),
        dasd={"pend_us": 100.0},
        logger={"check_write": "in_region", "wads_us": 300.0, "wads_cv": 0.0},
    )
    return replace(network, sequence=Sequence(steps, per_commit))


@pytest.mark.parametrize(
    ("steps", "per_commit", "us", "units"),
    [(25, 10, 25 * 100 + 3 * 300, [2, 1]), (20, 10, 20 * 100 + 2 * 300, [2]), (3, 1, 1200, [3])],
)
def test_elapsed_is_the_sum_of_reads_and_log_writes(
    steps: int, per_commit: int, us: int, units: list[int]
) -> None:
    """One thing after the other, from the start of the run; then nothing more happens."""
    result = run(chain(steps, per_commit), 0.02)
    (start,), (end,) = result.programs["start"], result.programs["end"]
    assert (start, end) == (0, us * TICK)
    assert result.completed.sum(axis=0).tolist() == units
    assert result.io_count.sum() == steps
    assert not result.warm["completed"].any()
    assert not [law for law, values in differences(result).items() if values.any()]


def test_a_program_that_has_not_ended_has_no_end() -> None:
    """3.4 ms of work in a run of 1 ms."""
    result = run(chain(25, 10), 0.001)
    assert result.programs["end"][0] > 10**18
    assert result.programs["start"].tolist() == [0]


# --- agreement with the solver --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("variant", TPIPE_VARIANTS)
def test_the_solver_agrees_on_callouts(variant: str) -> None:
    """Rate, time of a callout and CPU busy within 1 % of the solver, in all rows of table 35."""
    scenario = load(f"otma-tpipe@{variant}")
    predicted_values = predicted(scenario).values
    slow = variant.endswith("parallel") or variant == "t1-l25"  # few calls; 0.93 % apart
    seconds = 40.0 if slow else 6.0
    result = run(network(scenario), seconds, warmup_s=1.0, sample_k=1000)
    assert result.completed.sum() / seconds == pytest.approx(
        predicted_values["etr_per_s"], rel=0.01
    )
    response = result.gate_ticks.sum() / result.gate_ended.sum() / MS
    assert response == pytest.approx(predicted_values["ical_response_ms"], rel=0.01)
    busy = result.cpu_ticks.sum() / result.ticks.sum() / 5 * 100
    assert busy == pytest.approx(predicted_values["cpu_busy_pct"], rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("release", [13, 14, 15])
def test_the_solver_agrees_on_the_batch_program(release: int) -> None:
    """Elapsed time within 0.6 % (its standard deviation is 0.3 %), reads and commits exactly."""
    scenario = load("bmp-banking", {"ims.release": release})
    predicted_values = predicted(scenario).values
    result = run(network(scenario), 330.0, sample_k=1000)
    programs = {name: int(values[0]) for name, values in result.programs.items()}
    elapsed = (programs["end"] - programs["start"]) / TICK / 1e6
    assert elapsed == pytest.approx(predicted_values["bmp_elapsed_s"], rel=0.006)
    used = float(predicted_values["bmp_task_cpu_s"]) + float(predicted_values["bmp_srb_cpu_s"])  # type: ignore[arg-type]
    assert programs["cpu"] / TICK / 1e6 == pytest.approx(used, rel=0.02)
    assert (programs["reads"], programs["messages"]) == (85_142, 8_515)


# --- records --------------------------------------------------------------------------------------


def store_of(folder: Path, name: str, settings: dict[str, Any], **options: Any) -> Path:
    generate(load(name, settings), folder / "run", seed=4, **options)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True)
    return folder / "r.duckdb"


@pytest.fixture(scope="module")
def tpipes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """0.2 s of 3 TPIPEs with 10 requests each, 60 regions."""
    settings = {"otma.tpipes": 3, "otma.limitrtp": 10, "icals.in_flight": 60}
    folder = tmp_path_factory.mktemp("tpipe")
    db = store_of(folder, "otma-tpipe", settings, seconds=0.2, sample_k=40)
    with imsperf.connect(db) as store:
        yield store


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


def test_statistics_of_each_tpipe(tpipes: Store) -> None:
    """20 callers and 10 slots each: 10 are under way, up to 10 wait; all are seldom elsewhere."""
    entries = rows(tpipes, "SELECT tpipe, parallel_limit, sync_callouts - sync_responses, queue, "
                   "queue_max FROM ims_a101_tpipe ORDER BY record_no, tpipe")  # fmt: skip
    assert [entry[0] for entry in entries] == ["CALL0001", "CALL0002", "CALL0003"] * 2
    for _, limit, under_way, queue, most in entries:
        assert (limit, under_way) == (10, 10)
        assert 5 <= queue <= most == 10
    ((calls, elapsed_us, wait_us),) = rows(
        tpipes,
        "SELECT sum(d), sum(e), sum(w) FROM (SELECT max(sync_responses) - min(sync_responses) AS d,"
        " max(callout_us) - min(callout_us) AS e, max(queue_us) - min(queue_us) AS w "
        "FROM ims_a101_tpipe GROUP BY tpipe)",
    )
    assert elapsed_us / 0.2e6 == pytest.approx(60, rel=0.03)  # Little: callers in a callout
    assert (elapsed_us - wait_us) / 0.2e6 == pytest.approx(30, rel=0.03)  # slots that are busy
    assert calls == pytest.approx(rows(tpipes, "SELECT max(trans_total) - min(trans_total) "
                                  "FROM ims_4500")[0][0], abs=60)  # fmt: skip


def test_statistics_of_otma_add_up_its_tpipes(tpipes: Store) -> None:
    """451A, 451B, A101, A102 count the same callouts; 8,000 bytes there and back (document 000)."""
    same = "sync_callouts, sync_responses, resume_tpipe, bytes_out, bytes_in"
    rows_read = rows(tpipes, f"SELECT {same} FROM ims_451a ORDER BY record_no")
    assert rows_read == rows(tpipes, f"SELECT {same} FROM ims_451b_member ORDER BY record_no")
    total = ", ".join(f"sum({setting})::BIGINT" for setting in same.split(", "))
    each = f"SELECT {total} FROM ims_a101_tpipe GROUP BY record_no ORDER BY record_no"
    assert rows_read == rows(tpipes, each)
    assert {(out // sent, back // got) for sent, got, _, out, back in rows_read} == {(8000, 8000)}
    calls = rows(tpipes, "SELECT sum(icals - responses), sum(responses), max(in_flight_max), "
                 "any_value(tran) FROM ims_a102_ical GROUP BY record_no "
                 "ORDER BY record_no")  # fmt: skip
    assert [call[1] for call in calls] == [value[1] for value in rows_read]
    assert all(55 <= waiting <= 60 and most == 20 for waiting, _, most, _ in calls)
    assert {call[3] for call in calls} == {"ICALTRAN"}
    names = rows(tpipes, "SELECT DISTINCT name FROM ims_450a_latch ORDER BY name")
    assert names == [("LOGL",), ("LREC",), ("OTMA",)]


def test_reports_of_callouts(tpipes: Store) -> None:
    """The transit of a transaction is its callout: in flight = rate x response = 60 (Little)."""
    metrics = imsperf.report("run.metrics", tpipes.path).to_pylist()
    (row,) = imsperf.report("ims.transit", tpipes.path, total=True).to_pylist()
    by_name = {metric["metric"]: metric["value"] for metric in metrics}
    assert by_name["etr_per_s"] * by_name["ims_response_ms"] / 1000 == pytest.approx(60, rel=0.05)
    assert row["tran"] == "ICALTRAN"
    assert row["process_ms"] == pytest.approx(by_name["ims_response_ms"], rel=0.01)


def test_published_response_of_callouts(tpipes: Store) -> None:
    """A program that does nothing but call out takes as long as the calls that A102 times."""
    ((mean_ms,),) = rows(
        tpipes,
        "SELECT (max(us) - min(us)) / (max(n) - min(n)) / 1000 FROM (SELECT sum(elapsed_us) AS us, "
        "sum(responses) AS n FROM ims_a102_ical GROUP BY record_no)",
    )
    ours, source = read_values(tpipes, {"ical_response_ms"}).get("ical_response_ms")
    assert ours == pytest.approx(mean_ms, rel=0.2)  # of one call in 40, A102 of all
    assert source.startswith("ims.transit")


SEGMENTS = 57  # 5 units of recovery of 10 segments, and one of 7
SMALL = {"bmp.segments": SEGMENTS, "dasd.volumes": 16}


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A program of 57 segments, which ends: about 0.2 s, in a run of 1 s."""
    with imsperf.connect(store_of(tmp_path_factory.mktemp("bmp"), "bmp-banking", SMALL,
                                  seconds=1.0, sample_k=1)) as store:  # fmt: skip
        yield store


def test_log_of_the_batch_program(batch: Store) -> None:
    """One 08 and one 07, a checkpoint for each unit of recovery, a 5950 for each segment."""
    count = {
        code: rows(batch, f"SELECT count(*) FROM ims_{code}")[0][0]
        for code in ("08", "07", "41", "5937", "5607", "5612", "56fa", "5950")
    }
    assert count == {"08": 1, "07": 1, "5950": SEGMENTS} | dict.fromkeys(
        ("41", "5937", "5607", "5612", "56fa"), 6
    )
    assert rows(batch, "SELECT list(number ORDER BY number), list(changes ORDER BY number) "
                "FROM ims_41") == [([1, 2, 3, 4, 5, 6], [10] * 5 + [7])]  # fmt: skip
    assert rows(batch, "SELECT max(ckpt_id), max(kind), max(jobname) FROM ims_41") == [
        ("00000006", "S", "BANKBMP")
    ]
    ((job, kind, tran, messages, calls, reads, writes),) = rows(
        batch,
        "SELECT jobname, region_type, tran, msgs, fp_calls, fp_reads, fp_writes FROM ims_07",
    )
    assert (job, kind, tran, messages) == ("BANKBMP", "B", "", 0)
    assert (calls, reads, writes) == (2 * SEGMENTS, SEGMENTS, SEGMENTS)
    assert rows(batch, "SELECT sum(fp_calls), sum(fp_ci_updates), max(tptype) FROM ims_56fa") == [
        (2 * SEGMENTS, SEGMENTS, 2)
    ]
    assert rows(batch, "SELECT max(trans_total) FROM ims_4500") == [(0,)]
    assert rows(batch, "SELECT max(schedules), max(quick_resched) FROM ims_4506") == [(1, 0)]


def test_the_set_at_the_start_knows_nothing_of_the_program(batch: Store) -> None:
    """It begins behind the first checkpoint: none scheduled, none listed, the second has one."""
    ((begun, begins, last),) = rows(
        batch,
        "SELECT (SELECT log_lsn FROM ims_08), (SELECT min(log_lsn) FROM ims_5607), "
        "(SELECT min(log_lsn) FROM ims_4098)",
    )
    assert last < begun < begins
    counted = rows(
        batch,
        "SELECT s.schedules, c.schedules, c.threads, h.count FROM ims_4506 AS s "
        "JOIN ims_a108 AS k USING (file_id, ckpt_no) JOIN ims_47 AS h USING (file_id, ckpt_no) "
        "JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no "
        "ORDER BY ckpt_no",
    )
    assert counted == [(0, 0, 0, 0), (1, 1, 0, 0)]  # it has ended within the run


def test_published_quantities_of_the_batch_program(batch: Store) -> None:
    """T23, IMS 15: 49.09 s of task CPU for 85,142 segments; of 57 segments 32.9 ms, of which type
    30 keeps hundredths. Elapsed: the times of 08 and 07."""
    read = read_values(batch, {"bmp_task_cpu_s", "bmp_elapsed_s"})
    task, elapsed = (read.get(metric)[0] for metric in ("bmp_task_cpu_s", "bmp_elapsed_s"))
    assert task is not None and elapsed is not None
    assert task == pytest.approx(49.09 * SEGMENTS / 85_142, abs=0.01) and task > 0.02
    ((ran,),) = rows(batch, 'SELECT epoch("end" - sched) FROM ims_07')
    assert elapsed == pytest.approx(ran, abs=0.02)


def test_step_and_job_end_of_the_batch_program(batch: Store) -> None:
    """30.4 and 30.5: elapsed as 08 and 07 say, CPU as 07, one EXCP for each read, no zIIP."""
    sql = """
        SELECT h.smf30sty, i.smf30jbn, p.smf30cpt + p.smf30cps, o.smf30tep, p.smf30_time_on_ziip,
            c.smf30scc, epoch_us(h.smf30dte + h.smf30tme) - epoch_us(i.smf30std + i.smf30sit)
        FROM smf30_header AS h JOIN smf30_identification AS i USING (file_id, record_no)
        JOIN smf30_processor AS p USING (file_id, record_no)
        JOIN smf30_io AS o USING (file_id, record_no)
        JOIN smf30_completion AS c USING (file_id, record_no) ORDER BY h.smf30sty"""
    ends = rows(batch, sql)
    ((elapsed_us, cpu_us),) = rows(
        batch, 'SELECT epoch_us(e."end") - epoch_us(s.sched_start), e.cpu_us '
        "FROM ims_07 AS e JOIN ims_08 AS s USING (pst)"
    )  # fmt: skip
    assert [end[0] for end in ends] == [4, 5]
    for _, job, cpu_cs, excps, ziip, code, elapsed in ends:
        assert (job, excps, ziip, code) == ("BANKBMP", SEGMENTS, 0, 0)
        assert abs(cpu_cs * 10_000 - cpu_us) <= 20_000  # two fields of 1/100 s, cut
        assert elapsed == pytest.approx(elapsed_us, abs=20_000)  # written 15 ms later; 1/100 s
    assert rows(batch, "SELECT smf30sty FROM smf30_header JOIN smf30_identification "
                "USING (file_id, record_no) WHERE smf30jbn = 'BANKBMP' ORDER BY smf30sty") == [
        (3,), (4,), (5,)
    ]  # fmt: skip


def test_a_batch_program_has_no_transaction_rate(batch: Store) -> None:
    """Nothing is divided by its 0 transactions: no rate, no CPU of one; the processors are busy."""
    metrics = imsperf.report("run.metrics", batch.path).to_pylist()
    by_name = {metric["metric"]: metric["value"] for metric in metrics}
    for name in ("etr_per_s", "itr_per_s", "cpu_us_per_tran", "ims_response_ms"):
        assert by_name[name] is None, name
    assert by_name["cpu_busy_pct"] > 0


def test_data_sets_of_the_batch_program(batch: Store) -> None:
    """42.6: the program read each segment once, the control region wrote each once."""
    counts = dict(
        rows(
            batch,
            "SELECT s42jdjnm, sum(s42dsion) FROM smf42_6_job AS j JOIN "
            "smf42_6_io AS o USING (file_id, record_no) JOIN smf42_6_dataset AS d "
            "ON d.file_id = o.file_id AND d.record_no = o.record_no "
            "AND d.section_no = o.section_no WHERE s42dsn NOT LIKE '%DFS%' GROUP BY s42jdjnm",
        )
    )
    assert counts == {"BANKBMP": SEGMENTS, "IMSACTL": SEGMENTS}


def test_sampling_leaves_interval_records_alone(tmp_path: Path) -> None:
    """Same seed, same bytes; every third unit of recovery changes the log and nothing of SMF."""
    measured_cases = [
        generate(load("bmp-banking", SMALL), tmp_path / str(n), seconds=0.5, sample_k=k)
        for n, k in enumerate((1, 1, 3))
    ]
    smf, log = ([case.paths[n].read_bytes() for case in measured_cases] for n in (0, 1))
    assert smf[0] == smf[1] == smf[2]
    assert log[0] == log[1] != log[2]


@pytest.mark.slow
def test_a_batch_program_that_goes_on_has_a_start_only(tmp_path: Path) -> None:
    """85,142 segments take minutes: after 0.1 s there is 08, and no 07, 30.3, 30.4 or 30.5."""
    db = store_of(tmp_path, "bmp-banking", {"dasd.volumes": 16}, seconds=0.1)
    with imsperf.connect(db) as store:
        assert rows(store, "SELECT count(*) FROM ims_08") == [(1,)]
        assert rows(store, "SELECT count(*) FROM ims_07") == [(0,)]
        assert rows(store, "SELECT DISTINCT smf30sty FROM smf30_header") == [(2,)]


CUT = ("run.dataset_time", "run.storage_class_time", "run.log_io_time")


def test_a_java_batch_program_is_a_jbp(tmp_path: Path) -> None:
    """000 4: a JBP is a batch region (B) that runs Java: X'20' and X'02' in 56FA, JBP in A108.

    Its CPU is that of the BMP times bmp.java_factor (assumed), so its busy time is, too.
    """
    db = store_of(tmp_path, "bmp-banking@jbp", SMALL, seconds=4.0)
    with imsperf.connect(db) as store:
        assert rows(store, "SELECT DISTINCT source FROM ims_a108_source") == [("JBP",)]
        kinds = (
            "SELECT DISTINCT region_type FROM ims_07 UNION SELECT region_type FROM ims_47_region"
        )
        assert rows(store, kinds) == [("B",)]
        assert rows(store, "SELECT DISTINCT tptype FROM ims_56fa") == [(0x22,)]
        regions = imsperf.report("ims.regions", store).to_pylist()
        assert {(row["region_type"], row["java"]) for row in regions} == {("B", "Y")}
        assert api.audit(store).violations.to_pylist() == []
    plain, java = (network(load(name, SMALL)) for name in ("bmp-banking", "bmp-banking@jbp"))
    factor = load("bmp-banking")["bmp.java_factor"]
    assert factor > 1
    assert java.cpu.region_us == pytest.approx(plain.cpu.region_us * factor)


@pytest.mark.slow
def test_numbers_of_an_audit_hold(tpipes: Store, batch: Store) -> None:
    """No identity that must hold is broken by these runs.

    But for times of 42.6 and 42.5: means are cut to a microsecond, and what was cut is carried to
    the next interval, which a run of one interval has not: under a microsecond for each I/O.
    """
    for store in (tpipes, batch):
        broken = api.audit(store.path).violations.to_pylist()
        assert not [change for change in broken if change["check"] not in CUT]
        ((ios,),) = rows(store, "SELECT sum(s42dsion) FROM smf42_6_io")
        assert all(abs(change["excess"]) < ios for change in broken)


@pytest.mark.slow
def test_callouts_in_flight_at_both_ends_break_no_identity(tmp_path: Path) -> None:
    """One slot, 300 callers: in 1 s about 1,430 callouts end, 300 of which began before it."""
    db = store_of(tmp_path, "otma-tpipe@t1-non-parallel", {}, seconds=1.0)
    broken = api.audit(db).violations.to_pylist()
    assert not [change for change in broken if change["check"] not in CUT]


def test_callouts_and_tcbs_are_counted_in_arrays_of_their_own() -> None:
    """A network without gates has none."""
    result = run(idle_network(), 0.05)
    assert result.gate_calls.shape == (4, 0)
    assert np.array_equal(result.get_exc.shape, (4, 2))
