"""CICS where the processors are full: X = m / c, in solver and simulation (model.md 3.1, 3.3)."""

from __future__ import annotations

import pytest

from imsperf.synthetic.scenarios.scenario import Scenario, load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.workloads.families import network, predicted

FULL = [
    ("cics-ff", {"cpu.gcps": 2}),
    ("cics-ff", {"clients": 4000}),
    ("cics-fp", {"cpu.gcps": 2}),
    ("cics-fp", {"clients": 4000}),
]


def limit(scenario: Scenario) -> float:
    """Transactions a second of full processors.

    Published c at a rate and busy, less 20 ms/s there, with 5 % growth to 100 % instead of to
    that busy; the processors less the same 20 ms/s.
    """
    published = {"cics-ff": 372.099, "cics-fp": 221.626}[scenario.name]
    rate, busy = scenario["cpu.measured_rate_per_s"], scenario["cpu.measured_busy_pct"] / 100
    cost = (published - 20_000 / rate) * 1.05 / (1 + 0.05 * busy)
    return float((scenario["cpu.gcps"] * 1e6 - 20_000) / cost)


@pytest.mark.parametrize(("name", "settings"), FULL)
def test_full_processors_set_the_rate(name: str, settings: dict[str, int]) -> None:
    scenario = load(name, settings)
    predicted_values = predicted(scenario).values
    assert predicted_values["etr_per_s"] == pytest.approx(limit(scenario), rel=0.002)
    assert predicted_values["cpu_busy_pct"] == pytest.approx(100, abs=0.1)
    assert predicted_values["bottleneck"] == "cpu"
    at_default = float(predicted(load(name)).values["cpu_us_per_tran"])  # type: ignore[arg-type]
    assert float(predicted_values["cpu_us_per_tran"]) > at_default  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "settings"), FULL)
def test_simulation_of_full_processors(name: str, settings: dict[str, int]) -> None:
    """Rate within 0.5 %, response within 2 %: who waits, waits for a TCB, inside the response."""
    scenario = load(name, settings)
    predicted_values = predicted(scenario).values
    result = simulate(network(scenario), seed=1, seconds=4, every_s=4, warmup_s=3)
    assert result.completed.sum() / 4 == pytest.approx(predicted_values["etr_per_s"], rel=0.005)
    response = result.response_ticks.sum() / result.completed.sum() / 4096 / 1000
    assert predicted_values["ims_response_ms"] == pytest.approx(response, rel=0.02)


NEARLY = [
    ("cics-ff", {"cpu.speed": 0.9}),
    ("cics-fp", {"cpu.speed": 0.82}),
    ("cics-ff", {"cics.qr_share": 0.5}),
]


@pytest.mark.parametrize(("name", "settings"), NEARLY)
def test_simulation_of_nearly_full_processors(name: str, settings: dict[str, float]) -> None:
    """84 to 98 % busy: CPU of a transaction within 0.3 %, rate (3 standard errors) 0.8, response 5.

    Longer: rate within 0.2 %, response within 3 % (docs/model.md).
    """
    scenario = load(name, settings)
    predicted_values = predicted(scenario).values
    result = simulate(network(scenario), seed=3, seconds=15, every_s=15, warmup_s=3, sample_k=100)
    rate = result.completed.sum() / 15
    assert rate == pytest.approx(predicted_values["etr_per_s"], rel=0.008)
    busy = result.cpu_ticks.sum() / result.ticks.sum() / scenario["cpu.gcps"] * 100
    each = float(predicted_values["cpu_busy_pct"]) / float(predicted_values["etr_per_s"])  # type: ignore[arg-type]
    assert busy / rate == pytest.approx(each, rel=0.003)
    response = result.response_ticks.sum() / result.completed.sum() / 4096 / 1000
    assert predicted_values["ims_response_ms"] == pytest.approx(response, rel=0.05)


def test_a_slow_tcb_sets_the_rate_of_one_region() -> None:
    """One region whose QR TCB has 90 % of the CPU of CICS: X = 1 / QR time, processors idle."""
    scenario = load("cics-ff", {"cics.regions": 1, "cics.qr_share": 0.9, "cpu.gcps": 8})
    predicted_values = predicted(scenario).values
    on_qr = 0.9 * float(predicted_values["cics_cpu_us_per_tran"])  # type: ignore[arg-type]
    assert predicted_values["etr_per_s"] == pytest.approx(1e6 / on_qr, rel=0.03)
    assert predicted_values["bottleneck"] == "qr_tcb"
