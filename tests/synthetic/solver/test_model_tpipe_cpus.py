"""Callouts through TPIPEs on few processors: no more CPU is used than there is (model.md 3.1)."""

from __future__ import annotations

import pytest

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.workloads.families import network, predicted
from imsperf.synthetic.workloads.prediction import Prediction

# cost of a callout: 165 us and 0.027 us for each slot (T35, six fitted rows), 50 slots
CPU_US = 165 + 0.027 * 50


def at(cps: int) -> Prediction:
    return predicted(load("otma-tpipe", settings(cps)))


def settings(cps: int) -> dict[str, object]:
    return {"cpu.gcps": cps, "otma.tpipes": 5, "otma.limitrtp": 10}


@pytest.mark.parametrize("cps", [1, 2, 3])
def test_full_processors_pass_what_they_can(cps: int) -> None:
    """X = m / D: the latch would pass 23,000 callouts a second, 300 callers ask for more."""
    prediction = at(cps).values
    assert prediction["etr_per_s"] == pytest.approx(cps * 1e6 / CPU_US, rel=1e-3)
    assert prediction["etr_per_s"] * CPU_US <= cps * 1e6 * (1 + 1e-9)  # type: ignore[operator]
    assert prediction["cpu_busy_pct"] == pytest.approx(100, abs=0.1)
    assert prediction["bottleneck"] == "cpu"


@pytest.mark.parametrize("cps", [1, 2, 3, 4, 5, 12])
def test_use_of_the_processors_is_one_number(cps: int) -> None:
    prediction = at(cps)
    used = float(prediction.values["etr_per_s"]) * CPU_US / cps / 1e4  # type: ignore[arg-type]
    assert prediction.values["cpu_busy_pct"] == pytest.approx(used, rel=1e-9)
    assert prediction.values["util_cpu"] == pytest.approx(used, rel=1e-9)
    row = next(station for station in prediction.stations if station.station == "cpu")
    assert row.demand_us == pytest.approx(CPU_US)
    assert row.queue == pytest.approx(
        float(prediction.values["etr_per_s"]) * row.residence_us / 1e6
    )  # type: ignore[arg-type, operator]


@pytest.mark.parametrize("cps", [2, 4])
def test_simulation_of_few_processors(cps: int) -> None:
    """Rate within 0.5 %, time of a callout within 2 %; 4 % where the processors are full."""
    scenario = load("otma-tpipe", settings(cps))
    seen = simulate(network(scenario), seed=1, seconds=2, every_s=2)
    rows = seen.transactions
    rate = len(rows["send"]) / 2
    prediction = at(cps).values
    assert prediction["etr_per_s"] == pytest.approx(rate, rel=0.005)
    took = float((rows["sync"] - rows["taken"]).mean()) / 4096 / 1000
    assert prediction["ical_response_ms"] == pytest.approx(took, rel=0.04 if cps == 2 else 0.02)
