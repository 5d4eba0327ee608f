"""Records of single requests: 123 of z/OS Connect and 110.1 of CICS, beside the log and type 30."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios.scenario import load

DBCTL_CALLS = {  # of a transaction, from the scenario's table
    "HR1": 13, "HR2": 6, "IT2": 14, "IT8": 32, "PS2": 20, "PS3": 17, "SC2": 14, "SC6": 18,
}  # fmt: skip


def stored(name: str, folder: Path, types: str, **options: Any) -> Iterator[Store]:
    generate(load(name), folder / "run", **options)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run=name, types=types, strict=True)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


@pytest.fixture(scope="module")
def apis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One request in three."""
    folder = tmp_path_factory.mktemp("apis")
    yield from stored("zos-connect", folder, "smf:30,smf:123,ims:36", seconds=1.0, sample_k=3)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("tasks")
    some = "smf:30,smf:72,smf:110,ims:A109,ims:56FA"
    yield from stored("cics-ff", folder, some, seconds=2.0, every_s=1.0)


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


def cpu_us(store: Store, jobs: str) -> float:
    """CPU of address spaces (30), hundredths of a second."""
    rows_read = rows(
        store,
        "SELECT sum(smf30cpt + smf30cps) * 10000 FROM smf30_processor "
        f"JOIN smf30_identification USING (file_id, record_no) WHERE smf30jbn LIKE '{jobs}'",
    )
    return float(rows_read[0][0])


def test_a_request_for_each_transaction_of_the_log(apis: Store) -> None:
    """Responses are dequeued (36) when the request ends; 20 requests to a record, in order."""
    wrong = rows(
        apis,
        "WITH log AS (SELECT row_number() OVER (ORDER BY log_stck) AS n, log_stck FROM ims_36), "
        "api AS (SELECT smf123s1_req_id AS n, smf123s1_time_zc_exit AS ended "
        "FROM smf123_2_request) "
        "SELECT * FROM log FULL JOIN api USING (n) "
        "WHERE abs(epoch_us(log_stck) - epoch_us(ended)) > 1 IS NOT FALSE",
    )
    assert wrong == []
    ((number,),) = rows(apis, "SELECT count(*) FROM smf123_2_request")
    assert number > 5000  # 18,800 a second
    each = rows(
        apis, "SELECT smf123_req_data_count FROM smf123_2_header ORDER BY file_id, record_no"
    )
    assert [n for (n,) in each[:-1]] == [20] * (number // 20)
    assert each[-1] == (number % 20 or 20,)


def test_times_of_a_request(apis: Store) -> None:
    """Entry, to IMS, back, exit; its own CPU in front is what type 30 has of the server.

    T28: 266.4 us for IMS 15, its part of the fixed work included; some 6,300 exponential bursts, of
    which three standard errors are 4 %.
    """
    (low, own, number) = rows(
        apis,
        "SELECT min(least(sent - entry, received - sent, ended - received)), sum(sent - entry), "
        "count(*) FROM (SELECT epoch_us(smf123s1_time_zc_entry) AS entry, "
        "epoch_us(smf123s1_time_sor_sent) AS sent, epoch_us(smf123s1_time_sor_recv) AS received, "
        "epoch_us(smf123s1_time_zc_exit) AS ended FROM smf123_2_request)",
    )[0]
    assert low >= 0
    assert own / number == pytest.approx(266.4, rel=0.04)
    assert 3 * own == pytest.approx(cpu_us(apis, "ZCEE%"), rel=0.03)
    said = rows(
        apis,
        "SELECT DISTINCT smf123s1_req_payload_len, smf123s1_resp_payload_len, "
        "smf123s1_http_resp_code, smf123s1_sor_identifier FROM smf123_2_request",
    )
    assert said == [(1024, 1024, 200, "IMSA")]
    assert rows(apis, "SELECT count(DISTINCT smf123s1_api_name) FROM smf123_2_request") == [(25,)]


def test_a_task_for_each_transaction(tasks: Store) -> None:
    """As many as 72.3 says ended; a region has those A109 names, but for ends of the run."""
    (number,) = rows(tasks, "SELECT count(*) FROM smf110_1_performance")[0]
    (ended,) = rows(tasks, "SELECT sum(r723crcp) FROM smf72_3_period JOIN smf72_3_control "
                    "USING (file_id, record_no) WHERE r723mcnm = 'CICSTRAN'")[0]  # fmt: skip
    assert number == ended > 10_000
    of_region = rows(
        tasks,
        "SELECT smfmnjbn, count(*) FROM smf110_1_performance JOIN smf110_1_product "
        "USING (file_id, record_no) GROUP BY ALL ORDER BY ALL",
    )
    of_log = rows(tasks, "SELECT jobname, count(*) FROM ims_a109 GROUP BY ALL ORDER BY ALL")
    assert [record for record, _ in of_region] == ["CICSA1", "CICSA2", "CICSA3", "CICSA4"]
    assert [record for record, _ in of_log] == [record for record, _ in of_region]
    assert all(0 <= a - b < 20 for (_, a), (_, b) in zip(of_region, of_log, strict=True))


def test_a_thread_is_of_the_job_that_calls(tasks: Store) -> None:
    """56FA names the job of A109 of the same unit of work, which type 30 has; no message class."""
    ((same, others, unknown),) = rows(
        tasks,
        "SELECT count(*) FILTER (u.tpjobn = c.jobname AND u.tptran = c.tran AND u.tpclass = 0), "
        "count(*) FILTER (u.tpjobn <> c.jobname), "
        "count(*) FILTER (u.tpjobn NOT IN (SELECT smf30jbn FROM smf30_identification)) "
        "FROM ims_56fa AS u JOIN ims_a109 AS c ON c.rtoken = u.tpcprtkn",
    )
    assert same > 10_000 and others == unknown == 0


def test_dispatched_and_suspended_are_the_time_of_a_task(tasks: Store) -> None:
    """Whole, for each; used CPU is within the time dispatched, the wait for DBCTL is all waits."""
    wrong = rows(
        tasks,
        "SELECT * FROM smf110_1_performance WHERE usrcput_us > usrdispt_us "
        "OR usrcput_us <= 0 OR imswait_us <= 0 OR imswait_us <> susptime_us "
        "OR abs(epoch_us(stop) - epoch_us(start) - usrdispt_us - susptime_us) > 1.1",
    )
    assert wrong == []


def test_cpu_and_calls_of_tasks(tasks: Store) -> None:
    """CPU: T24 says 265.7 us for CICS, IMS 15, fixed work included; calls as the mix has them."""
    (own, number) = rows(tasks, "SELECT sum(usrcput_us), count(*) FROM smf110_1_performance")[0]
    assert own / number == pytest.approx(265.7, rel=0.03)
    assert own == pytest.approx(cpu_us(tasks, "CICSA%"), rel=0.03)
    calls = rows(tasks, "SELECT DISTINCT tran, imsreqct FROM smf110_1_performance")
    assert dict(calls) == DBCTL_CALLS and len(calls) == len(DBCTL_CALLS)


def test_handed_over_or_kept(tmp_path: Path) -> None:
    """Runs that keep their transactions to the end have the same dump as those that do not."""
    scenario = load("cics-ff", {"clients": 80})
    for name, save in (("one", None), ("two", tmp_path / "state")):
        generate(scenario, tmp_path / name, seconds=2, every_s=1, save=save)
    first, two = (
        (tmp_path / name / "cics-ff.SYSA.smf.vbs").read_bytes() for name in ("one", "two")
    )
    assert first == two


def test_no_requests_in_interval_mode(tmp_path: Path) -> None:
    """Nothing is known of single requests."""
    generate_intervals(load("cics-ff"), tmp_path / "run", intervals=1, every_s=60)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="one", types="smf:110")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        rows_read = rows(store, "SELECT DISTINCT type FROM load_count WHERE kind = 'smf'")
    assert "30" in {kind for (kind,) in rows_read} and "110" not in {kind for (kind,) in rows_read}
