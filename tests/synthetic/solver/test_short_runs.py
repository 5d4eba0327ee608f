"""Short runs of the simulation: their means and intervals, and what a model makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from imsperf.synthetic.predict import predict, predict_change, predict_grid
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.short_runs import _estimate, answered, short_runs
from imsperf.synthetic.workloads.families import predicted, systems

GATE_FULL = {"xcf.members": 2}  # of jmp: 64 messages in 10 ms each, 12,800 a second


def test_the_interval_is_students() -> None:
    """1 to 5: deviation sqrt(2.5), of the mean sqrt(0.5); 2.776 times that (t of 4, 97.5 %)."""
    estimate = _estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert estimate.mean == pytest.approx(3.0)
    assert estimate.half_width == pytest.approx(2.776 * 0.5**0.5)


def test_figures_obey_the_laws() -> None:
    """U = X D / m, N = X R, ITR = X / U; what is busy of 6 CPs and 200 regions."""
    scenario = load("jmp")
    networks = [network for _, network in systems(scenario)]
    means = {name: run.mean for name, run in short_runs(networks, 29_000.0, 60_000.0).items()}
    rate, busy = means["etr_per_s"], means["cpu_busy_pct"] / 100
    assert rate * means["cpu_us_per_tran"] / 1e6 == pytest.approx(6 * busy, rel=1e-3)
    assert means["itr_per_s"] == pytest.approx(rate / busy, rel=1e-3)
    assert means["in_flight"] == pytest.approx(rate * means["ims_response_ms"] / 1000, rel=1e-3)
    cycle = means["ims_response_ms"] + means["outside_ms"] + 0.524705
    assert rate * cycle / 1000 == pytest.approx(38, rel=0.01)  # clients, who think so long
    held = rate * means["region_occupancy_ms"] / 1000
    assert means["regions_busy"] == pytest.approx(held, rel=1e-3)
    assert means["util_regions"] == pytest.approx(means["regions_busy"] / 200 * 100)


def test_two_systems_are_put_together() -> None:
    """As the model has it: rates and numbers in flight add up, busy and response are means."""
    scenario = load("dsff-smq")
    networks = [network for _, network in systems(scenario)]
    means = {name: run.mean for name, run in short_runs(networks, 5_500.0, 20_000.0).items()}
    both: Any = {
        name: [means[f"{name}_ims{n}"] for n in (1, 2)]
        for name in ("etr_per_s", "cpu_busy_pct", "ims_response_ms", "in_flight")
    }
    assert means["etr_per_s"] == pytest.approx(sum(both["etr_per_s"]))
    assert means["in_flight"] == pytest.approx(sum(both["in_flight"]))
    assert means["cpu_busy_pct"] == pytest.approx(sum(both["cpu_busy_pct"]) / 2)
    assert means["ims_response_ms"] == pytest.approx(sum(both["ims_response_ms"]) / 2)
    names = {metric.name for metric in predicted(scenario).metrics}
    assert {"etr_per_s_ims2", "in_flight_ims1"} <= names & means.keys()


def test_simulated_rows_say_so() -> None:
    told: list[str] = []
    rows = {row["metric"]: row for row in predict(load("jmp", GATE_FULL), told=told.append)}
    assert rows["etr_per_s"]["method"] == rows["ims_response_ms"]["method"] == "simulated"
    assert rows["ims_cpu_us_per_tran"]["method"] == "solver"
    assert rows["etr_per_s"]["value"] == pytest.approx(12_800, rel=0.005)
    assert any("simulated, as xcf" in words for words in told)
    alone = {row["metric"]: row for row in predict(load("jmp", GATE_FULL), "solver")}
    assert {row["method"] for row in alone.values()} <= {"solver", None}
    change = {r["metric"]: r for r in predict_change(load("jmp"), load("jmp", GATE_FULL))}
    assert change["etr_per_s"]["method"] == "simulated"
    assert change["etr_per_s"]["before"] == pytest.approx(29_031.5, rel=1e-4)


def test_the_same_numbers_each_time() -> None:
    scenario = load("jmp", GATE_FULL)
    first, second = (answered(scenario, predicted(scenario), 40_000.0) for _ in range(2))
    assert first == second


def test_two_threads_of_a_ziip_are_simulated_too() -> None:
    scenario = load("jmp", {**GATE_FULL, "cpu.ziips": 1, "cpu.smt": 2})
    plain = predicted(scenario)
    assert plain.knees
    methods = {m.name: m.method for m in answered(scenario, plain, 20_000.0).metrics}
    assert methods["etr_per_s"] == methods["ziip_busy_pct"] == "simulated"


def test_points_of_a_sweep_share_the_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for two points of 20,000 at a knee three are too many: the solver's, and told."""
    told: list[str] = []
    sweep = {"xcf.members": [1.0, 2.0, 3.0, 8.0]}
    rows = predict_grid(load("jmp"), sweep)
    by = {r["sweep_value"]: r["method"] for r in rows if r["metric"] == "etr_per_s"}
    assert by == {1: "simulated", 2: "simulated", 3: "simulated", 8: "solver"}
    monkeypatch.setattr("imsperf.synthetic.predict.SWEEP_TRANSACTIONS", 40_000)
    rows = predict_grid(load("jmp"), sweep, told.append)
    assert {r["method"] for r in rows if r["metric"] == "etr_per_s"} == {"solver"}
    assert told == ["3 points are near a knee, too many to simulate: all are the solver's"]
