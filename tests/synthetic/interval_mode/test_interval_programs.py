"""Interval mode of callouts (otma-tpipe), of TCBs (CICS) and of a batch program (bmp-banking)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conservation import differences
from test_generate import records

import imsperf
from imsperf import api
from imsperf.database.store import Store
from imsperf.errors import ScenarioError
from imsperf.synthetic.generate import Generated
from imsperf.synthetic.interval_mode.batch import batch_drawn
from imsperf.synthetic.interval_mode.drawn import drawn
from imsperf.synthetic.interval_mode.mean_parts import Inputs, joined
from imsperf.synthetic.interval_mode.means import at_load, means_of, own_response_us
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.workloads.families import network

TICK = 4096
S = TICK * 10**6
CALLOUTS = {"otma.tpipes": 3, "otma.limitrtp": 10, "icals.in_flight": 60}
BATCH = {"dasd.volumes": 16}
SEGMENTS, ELAPSED_S = 85_142, 308.0  # document 000: 4.4 and T23, IMS 15


def made_of(network: Network, load: float, intervals: int, every_s: float = 900.0) -> SimResult:
    """Intervals at one load, drawn."""
    interval_means = means_of(Inputs(at_load(network, load, own_response_us(network))))
    means = joined([interval_means], lambda v: np.repeat(v[0][None], intervals, axis=0))
    means = replace(means, load=np.full(intervals, load))
    draw = drawn if network.sequence is None else batch_drawn
    return draw(network, means, seed=5, every_s=every_s, intervals=intervals)


def generated(name: str, folder: Path, settings: dict[str, Any], **more: Any) -> Generated:
    asked: dict[str, Any] = {"every_s": 120.0, "seed": 4, "intervals": 6, "profile": "flat"}
    return generate_intervals(scenario.load(name, settings), folder, **(asked | more))


def each(result: SimResult, name: str) -> float:
    return float(getattr(result, name).sum() / result.completed.sum())


# --- counters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [("otma-tpipe", CALLOUTS), ("cics-fp", {}), ("bmp-banking", BATCH | {"bmp.segments": 20_003})],
)
@pytest.mark.parametrize("load", [0.4, 1.0])
def test_the_laws_hold_to_the_tick(name: str, settings: dict[str, Any], load: float) -> None:
    """Population, Little's law, CPU, paths, gates, samples and responses, as in a simulation."""
    result = made_of(network(scenario.load(name, settings)), load, 12, every_s=60.0)
    assert not [law for law, left in differences(result).items() if np.any(left)]
    assert (result.cpu_ticks <= result.ticks[:, None]).all() and (result.cpu_ticks >= 0).all()
    assert (result.region_ticks >= 0).all() and (result.response_ticks >= 0).all()


@pytest.mark.parametrize(
    ("name", "settings", "seconds"), [("otma-tpipe", CALLOUTS, 3.0), ("cics-fp", {}, 2.0)]
)
def test_gates_count_what_a_simulation_counts(
    name: str, settings: dict[str, Any], seconds: float
) -> None:
    """Calls, their time and its wait of a transaction; 3 % of callouts. TCBs wait for CPUs too,
    which the queue of the TCB alone knows to a quarter."""
    model_network = network(scenario.load(name, settings))
    seen = simulate(
        model_network, seed=2, seconds=seconds, every_s=seconds, warmup_s=1, sample_k=10**6
    )
    ours = made_of(model_network, 1.0, 4, every_s=60.0)
    for what in ("ticks", "cpu_ticks", "wads_writes", "gate_calls", "gate_ended", "get_exc"):
        assert each(ours, what) == pytest.approx(each(seen, what), rel=0.02), what
    near = 0.03 if model_network.callouts else 0.25
    assert each(ours, "gate_ticks") == pytest.approx(each(seen, "gate_ticks"), rel=near)
    if model_network.callouts:
        for what in ("gate_waited_ticks", "response_ticks", "cont_exc", "wait_ticks"):
            assert each(ours, what) == pytest.approx(each(seen, what), rel=0.08), what
        assert (ours.gate_waiting_high[-1] == seen.gate_waiting_high[-1]).all()


def test_callers_pause_below_load_1() -> None:
    """Half the load, half the callouts; 60 callers, 30 of whom wait at load 1 and nobody at 0.4."""
    model_network = network(scenario.load("otma-tpipe", CALLOUTS))
    full, half, low = (made_of(model_network, load, 8) for load in (1.0, 0.5, 0.4))
    assert half.completed.sum() / full.completed.sum() == pytest.approx(0.5, rel=0.01)
    assert low.completed.sum() / full.completed.sum() == pytest.approx(0.4, rel=0.01)
    waits = [load.gate_waited_ticks.sum() / load.gate_ticks.sum() for load in (full, low)]
    assert waits[0] == pytest.approx(0.5, abs=0.03) and waits[1] < 0.02


# --- a batch program ------------------------------------------------------------------------------


def test_a_run_takes_as_long_as_was_printed() -> None:
    """308.0 s (T23); the next one begins with the first interval after its end: 360 s later."""
    model_network = network(scenario.load("bmp-banking", BATCH))
    result = made_of(model_network, 1.0, 12, every_s=120.0)
    start, end = (result.programs[name] for name in ("start", "end"))
    assert (start / S).tolist() == [0, 360, 720, 1080]
    assert (end - start) / S == pytest.approx([ELAPSED_S] * 4, rel=0.01)
    assert result.programs["reads"].tolist() == [SEGMENTS] * 4
    assert result.completed.sum(axis=0).tolist() == [4 * 8514, 4]  # of 10 segments, and of 2
    assert result.schedules.tolist() == [1, 0, 0] * 4
    assert result.programs_ended.tolist() == [0, 0, 1] * 4
    assert result.programs["cpu"].sum() == (
        result.transaction_cpu_ticks.sum() + np.diff(result.open["cpu"]).sum()
    )


def test_the_load_is_how_much_a_run_does() -> None:
    """Half the load: 4,257 units of 10 segments and the last one of 2, in half the time."""
    model_network = network(scenario.load("bmp-banking", BATCH))
    result = made_of(model_network, 0.5, 3, every_s=900.0)
    assert result.programs["messages"].tolist() == [4258] * 3
    assert result.programs["reads"].tolist() == [42_572] * 3
    took = (result.programs["end"] - result.programs["start"]) / S
    assert took == pytest.approx([ELAPSED_S * 42_572 / SEGMENTS] * 3, rel=0.015)


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Six intervals of 2 minutes: two runs of 308 s."""
    folder = tmp_path_factory.mktemp("batch")
    generated("bmp-banking", folder / "run", BATCH)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


JOB = """
    FROM smf30_header AS h JOIN smf30_identification AS i USING (file_id, record_no)
    JOIN smf30_processor AS p USING (file_id, record_no)
    JOIN smf30_performance AS u USING (file_id, record_no)
    JOIN smf30_io AS o USING (file_id, record_no) WHERE smf30jbn = 'BANKBMP'"""


def test_address_space_records_of_a_run(batch: Store) -> None:
    """Two intervals whole, the third to its end, then step and job end; the ends are the sums."""
    rows_read = rows(batch, f"SELECT smf30jnm, list(smf30sty ORDER BY record_no) {JOB} "
                 "GROUP BY ALL ORDER BY ALL")  # fmt: skip
    assert rows_read == [(job, [2, 2, 3, 4, 5]) for job in ("JOB00001", "JOB00002")]
    sums = rows(
        batch,
        f"""SELECT smf30jnm, sum(smf30cpt) FILTER (smf30sty < 4), max(smf30cpt),
        sum(smf30cps) FILTER (smf30sty < 4), max(smf30cps),
        sum(smf30tep) FILTER (smf30sty < 4), max(smf30tep),
        sum(smf30tcn) FILTER (smf30sty < 4), max(smf30tcn),
        sum(smf30srv_l) FILTER (smf30sty < 4), max(smf30srv_l) FILTER (smf30sty = 5),
        sum(smf30csu_l) FILTER (smf30sty < 4), max(smf30csu_l) FILTER (smf30sty = 4),
        sum(smf30io_l) FILTER (smf30sty < 4), max(smf30io_l) FILTER (smf30sty = 4)
        {JOB} GROUP BY ALL""",
    )
    assert len(sums) == 2
    for _, *pairs in sums:
        assert pairs[0::2] == pairs[1::2]
        assert pairs[4] == SEGMENTS


def test_a_run_is_a_transaction_of_its_class(batch: Store) -> None:
    """Runs of 308 s from 0 s and from 360 s end in the third and the sixth of 120 s."""
    ended = rows(
        batch,
        "SELECT kind, epoch(interval_start_utc - first), ended_count FROM rmf_workload, "
        "(SELECT min(interval_start_utc) AS first FROM rmf_workload) WHERE ended_count > 0 "
        "AND period IS NULL AND kind IN ('service', 'report') ORDER BY ALL",
    )
    assert ended == [(kind, s, 1.0) for kind in ("report", "service") for s in (240.0, 600.0)]
    lasted = rows(
        batch,
        "SELECT sum(response_us), sum(execution_us) FROM rmf_workload "
        "WHERE period IS NULL AND kind = 'service'",
    )
    assert lasted[0] == pytest.approx((2 * ELAPSED_S * 1e6,) * 2, rel=0.006)


def test_log_of_the_runs(batch: Store) -> None:
    """08 and 07 of each run, counted by the statistics; type 30 says the same elapsed time."""
    log = rows(batch, 'SELECT sched, "end", fp_calls, fp_reads, fp_writes FROM ims_07 ORDER BY 1')
    assert [record[2:] for record in log] == [(2 * SEGMENTS, SEGMENTS, SEGMENTS)] * 2
    ends = rows(batch, f"SELECT max(smf30iet) {JOB} GROUP BY smf30jnm ORDER BY 1")
    assert [record[1] for record in log] == [end[0] for end in ends]
    schedules = rows(batch, "SELECT schedules FROM ims_4506 ORDER BY record_no")
    assert [schedule[0] for schedule in schedules] == [0, 1, 1, 1, 2, 2, 2]
    assert rows(batch, "SELECT count(*) FROM ims_08") == [(2,)]
    sources = rows(
        batch,
        "SELECT c.schedules, c.threads FROM ims_a108 AS k JOIN ims_a108_source AS c "
        "USING (file_id, record_no) ORDER BY k.ckpt_no",
    )
    assert sources == list(zip([0, 1, 1, 1, 2, 2, 2], [0, 1, 1, 0, 1, 1, 0], strict=True))
    behind = "SELECT count(*) FROM ims_4500 AS s, ims_08 AS b WHERE b.sched = s.sample AND "
    assert rows(batch, behind + "b.log_lsn > s.log_lsn") == [(2,)]


@pytest.mark.parametrize(
    ("name", "settings"), [("otma-tpipe", CALLOUTS), ("bmp-banking", BATCH)], ids=str
)
def test_intervals_made_alone_have_the_same_bytes(
    name: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    """Intervals 1 to 2 and 3 to 6 by themselves: together the records of all six, of both files."""
    full_run = generated(name, tmp_path / "whole", settings)
    parts = [
        generated(name, tmp_path / str(first), settings, first=first, count=count)
        for first, count in ((1, 2), (3, 4))
    ]
    smf = Counter(records(full_run.paths[0])[1:-1])
    assert Counter(record for part in parts for record in records(part.paths[0])[1:-1]) == smf
    log = records(full_run.paths[1])
    assert [int.from_bytes(record[-8:]) for record in log] == list(range(1, len(log) + 1))
    later = records(parts[1].paths[1])[3:]  # behind signature, start and switch
    assert later == log[-len(later) :]
    earlier = records(parts[0].paths[1])
    assert earlier == log[: len(earlier)]


def test_a_longer_run_begins_with_the_shorter_one(tmp_path: Path) -> None:
    """The first four intervals of six, of a program that goes on in the next one."""
    shorter = generated("bmp-banking", tmp_path / "4", BATCH, intervals=4)
    part = generated("bmp-banking", tmp_path / "6", BATCH, first=1, count=4)
    assert records(shorter.paths[0])[1:-1] == records(part.paths[0])[1:-1]


@pytest.mark.parametrize("fault", ["looping-region", "goal-missed", "pool-too-small"])
def test_what_a_batch_program_has_not_cannot_fail(fault: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=f"--inject {fault}: this scenario has no"):
        generated("bmp-banking", tmp_path / "out", BATCH, inject=[fault])


def test_a_slow_volume_makes_a_run_longer() -> None:
    """1/16 of 85,142 reads take 20 responses of 0.28 ms longer: 29.8 s."""
    from imsperf.synthetic.interval_mode.faults import CATALOGUE

    model_network = network(scenario.load("bmp-banking", BATCH))
    before = means_of(Inputs(model_network))
    after = means_of(CATALOGUE["slow-volume"].change(Inputs(model_network), before))
    longer = (after.units.unit_us - before.units.unit_us) * 8514.2 / 1e6
    assert longer == pytest.approx(SEGMENTS / 16 * 20 * 0.28e-3, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings", "more"),
    [
        ("otma-tpipe", {}, {"inject": ["olds-wait@3"]}),
        ("bmp-banking", BATCH, {"inject": ["slow-volume@2-3", "capped-lpar@8"]}),
        ("bmp-banking", BATCH, {"every_s": 900.0, "profile": "office"}),
    ],
    ids=str,
)
def test_no_identity_is_broken(
    name: str, settings: dict[str, Any], more: dict[str, Any], tmp_path: Path
) -> None:
    """Twelve intervals, with faults or a profile; the audit finds nothing."""
    run_written = generated(name, tmp_path / "run", settings, intervals=12, **more)
    api.load(run_written.paths[0].parent, db=tmp_path / "r.duckdb", strict=True)
    audited = api.audit(tmp_path / "r.duckdb")
    assert not audited.violations.to_pylist()
    assert audited.tested > 1000
