"""zIIPs in the simulation: textbook queues, the solver's figures, records and reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conservation import differences
from small_networks import idle_network
from test_interval_mode import of_interval

import imsperf
from imsperf import api
from imsperf.errors import ScenarioError
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.drawn import drawn
from imsperf.synthetic.interval_mode.mean_parts import Inputs, joined
from imsperf.synthetic.interval_mode.means import at_load, means_of, own_response_us
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import SimResult, simulate, simulate_all
from imsperf.synthetic.solver.declared import balance_of
from imsperf.synthetic.workloads.families import predicted, systems

TICK = 4096


def eligible(share: float, ziips: int, *, honor: bool) -> Network:
    """5,000 a second with a region burst of 100 us; plenty of CPs."""
    return idle_network(
        rate_per_s=5_000.0,
        cpu={
            "cps": 20, "region_us": 100.0, "quantum_us": 20.0, "ziips": ziips,
            "ziip_honor": honor, "eligible": (0.0, share, 0.0),
        },
    )  # fmt: skip


def run(network: Network) -> SimResult:
    return simulate(network, seed=5, seconds=20, every_s=5, warmup_s=0.5, sample_k=10**6)


def busy(result: SimResult, name: str) -> float:
    """Processors busy."""
    return float(getattr(result, name).sum() / result.ticks.sum())


def test_eligible_work_waits_for_a_ziip() -> None:
    """Nothing may go to a CP: M/M/1 at 50 %, 200 us each; CPs do nothing."""
    result = run(eligible(1.0, 1, honor=False))
    assert busy(result, "ziip_ticks") == pytest.approx(0.5, rel=0.02)
    assert not result.cpu_ticks.any() and not result.ziip_spilled_ticks.any()
    each = result.response_ticks.sum() / result.completed.sum() / TICK
    assert each == pytest.approx(200, rel=0.05)
    assert not [law for law, left in differences(result).items() if np.any(left)]


def test_what_finds_no_ziip_free_goes_to_a_cp() -> None:
    """Erlang's loss formula, one server at 0.5: a third is lost to the CPs; nobody waits."""
    result = run(eligible(1.0, 1, honor=True))
    assert busy(result, "ziip_ticks") == pytest.approx(1 / 3, rel=0.02)
    assert busy(result, "ziip_spilled_ticks") == pytest.approx(0.5 / 3, rel=0.04)
    assert (result.cpu_ticks.sum(axis=1) - result.ziip_spilled_ticks).sum() < 1e-3 * 20e6 * TICK
    each = result.response_ticks.sum() / result.completed.sum() / TICK
    assert each == pytest.approx(100, rel=0.02)


def test_a_share_of_a_burst_moves() -> None:
    """40 of 100 us on two zIIPs: 0.2 of one busy, 0.3 CPs; the loss of 0.2 on two is 1.6 %."""
    result = run(eligible(0.4, 2, honor=True))
    assert busy(result, "ziip_ticks") == pytest.approx(0.2 * (1 - 0.0164), rel=0.02)
    assert busy(result, "cpu_ticks") == pytest.approx(0.3 + 0.2 * 0.0164, rel=0.02)
    assert not [law for law, left in differences(result).items() if np.any(left)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ziips"), [("zos-connect", 8), ("zos-connect", 2),
                                             ("dsff-smq", 1)])  # fmt: skip
def test_the_solver_agrees(name: str, ziips: int) -> None:
    """Rate 1.5 %, CPs and zIIPs busy 2 points, of each system."""
    scenario = load(name, {"cpu.ziips": ziips})
    predicted_values = predicted(scenario).values
    networks = [network for _, network in systems(scenario)]
    results = simulate_all(networks, seed=1, seconds=20, every_s=20, warmup_s=2, sample_k=10**6)
    for number, result in enumerate(results, 1):
        of = f"_ims{number}" if len(results) > 1 else ""
        rate = result.completed.sum() / 20
        assert rate == pytest.approx(predicted_values[f"etr_per_s{of}"], rel=0.015)
        for metric, what in (("cpu_busy_pct", "cpu_ticks"), ("ziip_busy_pct", "ziip_ticks")):
            share = busy(result, what) / getattr(result, what).shape[1] * 100
            assert share == pytest.approx(predicted_values[f"{metric}{of}"], abs=2.0), metric


@pytest.mark.slow
def test_records_of_ziips(tmp_path: Path) -> None:
    """RMF has as many as there are; type 72.3 and 30 have their CPU; no identity is broken."""
    run_written = generate(
        load("zos-connect", {"cpu.ziips": 2}), tmp_path / "run", seconds=1.0, seed=3
    )
    imsperf.load(run_written.paths[0].parent, db=tmp_path / "r.duckdb", run="r", strict=True)
    cpus = imsperf.report("rmf.cpu", tmp_path / "r.duckdb").to_pylist()
    each = [cpu for cpu in cpus if cpu["type"] == "IIP" and cpu["cpu"] is not None]
    assert [row["cpu"] for row in each] == [8, 9]
    metrics = imsperf.report("run.metrics", tmp_path / "r.duckdb").to_pylist()
    by_name = {
        metric["metric"]: metric["value"] for metric in metrics if metric["system"] != "*ALL*"
    }
    assert by_name["ziip_busy_pct"] == pytest.approx(
        sum(row["lpar_busy_pct"] for row in each) / 2, rel=1e-6
    )
    assert by_name["ziip_busy_pct"] > 50
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        ((spaces, classes),) = store.con.execute(
            "SELECT (SELECT sum(smf30_time_on_ziip) * 10000 FROM smf30_processor), "
            "(SELECT sum(iip_us) FROM rmf_workload WHERE kind = 'policy' AND period IS NULL)"
        ).fetchall()
    used = by_name["ziip_busy_pct"] / 100 * 2 * 1e6
    assert classes == pytest.approx(used, rel=0.02)
    assert spaces == pytest.approx(used, rel=0.05)  # units of 10 ms
    cut = ("run.dataset_time", "run.storage_class_time", "run.log_io_time")
    broken = api.audit(tmp_path / "r.duckdb").violations.to_pylist()
    assert not [change for change in broken if change["check"] not in cut]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("zos-connect", {}),
        ("zos-connect", {"cpu.ziip_honor": "off"}),  # both zIIPs full
        ("jmp", {}),
        ("cics-ff", {}),
    ],
)
def test_interval_mode_agrees(name: str, settings: dict[str, object]) -> None:
    """With the event simulation: rate 2 %, processors busy 2 points, each zIIP too, response 4 %;
    eligible work on CPs 5 % and a us. Laws of conservation hold to the tick."""
    ((_, network),) = systems(load(name, {"cpu.ziips": 2, **settings}))
    event = simulate(network, seed=1, seconds=6, every_s=6, warmup_s=1.5, sample_k=10**6)
    means = means_of(Inputs(at_load(network, 1.0, own_response_us(network))))
    rows = joined([means], lambda values: np.repeat(values[0][None], 3, axis=0))
    drawn_result = drawn(network, rows, seed=5, every_s=60, intervals=3)
    assert not [law for law, left in differences(drawn_result).items() if np.any(left)]

    def each(result: SimResult, field: str) -> float:
        return float(getattr(result, field).sum() / result.completed.sum() / TICK)

    rates = [r.completed.sum() / r.ticks.sum() for r in (drawn_result, event)]
    assert rates[0] == pytest.approx(rates[1], rel=0.02)
    assert busy(drawn_result, "cpu_ticks") == pytest.approx(busy(event, "cpu_ticks"), abs=0.02 * 8)
    for here, there in zip(drawn_result.ziip_ticks.T, event.ziip_ticks.T, strict=True):
        shares = here.sum() / drawn_result.ticks.sum(), there.sum() / event.ticks.sum()
        assert shares[0] == pytest.approx(shares[1], abs=0.02)
    for field in ("response_ticks", "total_ticks"):
        assert each(drawn_result, field) == pytest.approx(each(event, field), rel=0.04), field
    spilled = each(event, "ziip_spilled_ticks")
    assert each(drawn_result, "ziip_spilled_ticks") == pytest.approx(spilled, rel=0.05, abs=1.0)


def test_a_capped_partition_leaves_ziips_alone() -> None:
    """Its CPs at half speed: as much time on zIIPs; what spills lasts twice as long."""
    ((_, network),) = systems(load("zos-connect", {"cpu.ziips": 2, "clients": 4}))
    usual, capped = (means_of(Inputs(network, cap=share)) for share in (1.0, 0.5))
    eligible = [m.ziips.used_us + m.ziips.spilled_us for m in (usual, capped) if m.ziips]
    assert eligible[1] == pytest.approx(eligible[0], rel=0.02)
    assert capped.times.rate_per_s < usual.times.rate_per_s


def test_open_arrivals_that_ziips_cannot_take_are_refused() -> None:
    """50 us for each of 30,000 a second are 1.5 zIIPs; one has 20,000/s. At 5,000/s: M/M/1."""
    network = eligible(0.5, 1, honor=False)
    with pytest.raises(ScenarioError, match=r"at most 20,000: ziip_cpu can take no more"):
        means_of(Inputs(replace(network, rate_per_s=30_000.0)))
    assert balance_of(network).ziip_us[2] == pytest.approx(50 / 0.75, rel=1e-6)


@pytest.mark.slow
def test_interval_records_of_ziips(tmp_path: Path) -> None:
    """Types 70, 72.3 and 30 of two intervals; no identity is broken; the second alone the same."""
    scenario = load("jmp", {"cpu.ziips": 2})
    run_written = generate_intervals(scenario, tmp_path / "run", intervals=2, every_s=60)
    imsperf.load(run_written.paths[0].parent, db=tmp_path / "r.duckdb", run="r", strict=True)
    assert api.audit(tmp_path / "r.duckdb").violations.to_pylist() == []
    cpus = imsperf.report("rmf.cpu", tmp_path / "r.duckdb").to_pylist()
    each = [cpu["lpar_busy_pct"] for cpu in cpus if cpu["type"] == "IIP" and cpu["cpu"] is not None]
    assert len(each) == 4 and min(each) > 50
    alone = generate_intervals(scenario, tmp_path / "b", intervals=2, every_s=60, first=2, count=1)
    assert of_interval(alone, 0, 1) == of_interval(run_written, 1, 2)


def test_cqs_stays_on_cps_where_it_must() -> None:
    """dsff-smq: with cqs.ziip off nothing of CQS is eligible, the rest as before."""
    usual, less = (
        systems(load("dsff-smq", {"cpu.ziips": 1, "cqs.ziip": switch}))[0][1].cpu
        for switch in ("on", "off")
    )
    assert dict(usual.eligible_by_space)["CQS"] > 0 == dict(less.eligible_by_space)["CQS"]
    assert sum(less.eligible) < sum(usual.eligible)


# --- two threads of a zIIP ------------------------------------------------------------------------
#
# A core with both threads busy does 1.3 times the work of one thread: each runs at 0.65. Chances of
# n bursts there, from the balance of arrivals and ends (birth and death, rates 1, 1.3, 1.3 ...).


def threaded(*, honor: bool, ziips: int = 1) -> Network:
    """A core with two threads; 5,000 bursts of 100 us a second keep one thread half busy."""
    network = eligible(1.0, ziips, honor=honor)
    return replace(network, cpu=replace(network.cpu, ziip_threads=2, ziip_smt=1.3))


def test_two_threads_of_a_core_share_it() -> None:
    """Nobody goes to a CP. p1 = .5 p0, p2 = .5/1.3 p1, and on by .384615: p0 = 1/1.8125 = .551724.

    Core busy 1 - p0 = .448276; threads p1 + 2 (1 - p0 - p1) = .620690, 1.384615 to a busy core;
    work done .5, as if each ran alone; .728448 bursts there, so 145.69 us each.
    """
    result = run(threaded(honor=False))
    assert busy(result, "ziip_core_ticks") == pytest.approx(0.448276, rel=0.02)
    assert busy(result, "ziip_ticks") == pytest.approx(0.620690, rel=0.02)
    assert busy(result, "ziip_work_ticks") == pytest.approx(0.5, rel=0.02)
    assert result.ziip_ticks.shape[1] == 2 and result.ziip_core_ticks.shape[1] == 1
    each = result.response_ticks.sum() / result.completed.sum() / TICK
    assert each == pytest.approx(145.69, rel=0.03)
    assert not [law for law, left in differences(result).items() if np.any(left)]


def test_what_finds_both_threads_busy_goes_to_a_cp() -> None:
    """p0 = 1/1.692308, p1 = .295455, p2 = .113636 goes to CPs: core .409091, threads .522727."""
    result = run(threaded(honor=True))
    assert busy(result, "ziip_core_ticks") == pytest.approx(0.409091, rel=0.02)
    assert busy(result, "ziip_ticks") == pytest.approx(0.522727, rel=0.02)
    assert busy(result, "ziip_work_ticks") == pytest.approx(0.443182, rel=0.02)
    assert busy(result, "ziip_spilled_ticks") == pytest.approx(0.056818, rel=0.05)


def test_one_thread_does_what_it_is_busy_for() -> None:
    """Without a second thread busy time of cores, of threads and work are the same."""
    result = run(eligible(1.0, 2, honor=True))
    assert np.array_equal(result.ziip_core_ticks, result.ziip_ticks)
    assert np.array_equal(result.ziip_work_ticks, result.ziip_ticks)


@pytest.mark.parametrize("honor", ["on", "off"])
def test_the_solver_counts_busy_cores(honor: str) -> None:
    """Rate, CPs and zIIP cores busy as the simulation has them: .5 %, a point, a point."""
    scenario = load("jmp", {"cpu.ziips": 1, "cpu.smt": 2, "cpu.ziip_honor": honor})
    values = predicted(scenario).values
    ((_, network),) = systems(scenario)
    result = simulate(network, seed=1, seconds=20, every_s=20, warmup_s=2, sample_k=10**6)
    assert result.completed.sum() / 20 == pytest.approx(values["etr_per_s"], rel=0.005)
    cores = busy(result, "ziip_core_ticks") * 100
    assert cores == pytest.approx(values["ziip_busy_pct"], abs=1.0)
    cps = busy(result, "cpu_ticks") / result.cpu_ticks.shape[1] * 100
    assert cps == pytest.approx(values["cpu_busy_pct"], abs=1.0)


def test_records_of_two_threads(tmp_path: Path) -> None:
    """70.1 has a core with two CPUs; density and capacity follow from its own times.

    Thread density = busy time of threads / busy time of the core; capacity = work / the latter;
    time that one thread idled while the other ran = 2 x core - threads. Type 30 and 72.3 have the
    work, as if no second thread were there; 100 % of IIP APPL % is a core at its best (1.3).
    """
    scenario = load("jmp", {"cpu.ziips": 1, "cpu.smt": 2})
    generate(scenario, tmp_path / "run", seconds=2.0, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        ((threads, core_id, count, density, capacity, most, productivity, lpar),) = (
            store.con.execute(
                "SELECT sum(2e6 - u.smf70wat / 4096), any_value(k.smf70_core_id), count(*), "
                "any_value(c.smf70atds), any_value(c.smf70cfs), any_value(c.smf70mcfs), "
                "any_value(k.smf70_prod), any_value(k.smf70_lpar_busy) FROM smf70_1_cpu AS u "
                "JOIN smf70_1_control AS c USING (file_id, record_no) "
                "JOIN smf70_1_core AS k ON k.file_id = u.file_id AND k.record_no = u.record_no "
                "AND u.section_no IN (k.smf70_cpu_skip + 1, k.smf70_cpu_skip + 2) "
                "AND k.smf70_cpu_num = 2 WHERE u.smf70typ = 2"
            ).fetchall()
        )
        ((core, idle),) = store.con.execute(
            "SELECT max(smf70pdt), max(smf70mtit) FROM smf70_1_processor "
            "WHERE smf70cix = 5 AND smf70bps > 0"
        ).fetchall()
        ((spaces, many, classes, whole),) = store.con.execute(
            "SELECT (SELECT sum(smf30_time_on_ziip) * 10000 FROM smf30_processor), "
            "(SELECT count(*) FROM smf30_processor), "
            "(SELECT sum(iip_us) FROM rmf_workload WHERE kind = 'policy' AND period IS NULL), "
            "(SELECT max(ziip_capacity_us) FROM rmf_workload)"
        ).fetchall()
    assert (count, most) == (2, round(1.3 * 1024)) and core_id > 0
    assert density / 1024 == pytest.approx(threads / core, abs=0.001) and density > 1024
    assert idle == pytest.approx(2 * core - threads, abs=3)
    assert lpar == pytest.approx(core / 1000, abs=1)
    work = capacity / 1024 * core
    assert productivity == pytest.approx(1024 * capacity / most, abs=1)
    assert classes == pytest.approx(work, rel=0.02)
    assert work - 10_000 * many <= spaces <= work * 1.001  # each is cut to units of 10 ms
    assert whole == pytest.approx(2e6 * 1.3, rel=0.001)
    cut = ("run.dataset_time", "run.storage_class_time", "run.log_io_time")
    broken = api.audit(tmp_path / "r.duckdb").violations.to_pylist()
    assert not [change for change in broken if change["check"] not in cut]
    values = {
        (row["system"], row["metric"]): row["value"]
        for row in imsperf.report("run.metrics", tmp_path / "r.duckdb").to_pylist()
    }
    ended = 2 * values["SYSA", "etr_per_s"]
    assert values["SYSA", "ziip_us_per_tran"] == pytest.approx(core / ended, rel=0.001)
    assert values["SYSA", "ziip_threads_us_per_tran"] == pytest.approx(threads / ended, rel=1e-6)
