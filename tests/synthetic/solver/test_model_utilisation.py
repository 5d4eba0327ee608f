"""Utilisation law over all workloads and 1 to 4 processors: X D <= m (model.md 3.1)."""

from __future__ import annotations

import pytest

from imsperf.synthetic.scenarios.scenario import Scenario, load, names
from imsperf.synthetic.workloads.costs import costs
from imsperf.synthetic.workloads.families import network, predicted

SCENARIOS = [name for name in names() if load(name).family in ("tm", "tpipe", "network")]


def least_cpu_us(scenario: Scenario, busy: float) -> float:
    """CPU of a transaction: what the cost table adds up to, with growth; nothing else counted."""
    if scenario.family == "tm":
        cost = costs(scenario)
        return cost.total_us * (1 + cost.growth * busy)
    cpu = network(scenario).cpu
    return (cpu.input_us + cpu.region_us + cpu.output_us) * (1 + cpu.growth * busy)


@pytest.mark.parametrize(
    "cps", [1, 2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_more_is_used_than_there_is(name: str, cps: int) -> None:
    """X D <= m from the inputs; what is printed as busy is no less, and at most 100 %."""
    scenario = load(name, {"cpu.gcps": cps})
    predicted_values = predicted(scenario).values
    busy = float(predicted_values["cpu_busy_pct"]) / 100  # type: ignore[arg-type]
    used = float(predicted_values["etr_per_s"]) * least_cpu_us(scenario, busy) / 1e6 / cps  # type: ignore[arg-type]
    assert used <= 1.001
    assert busy >= used * 0.999
    for metric, value in predicted_values.items():
        if metric.startswith("util_") or metric.endswith("busy_pct"):
            assert float(value) <= 100 + 1e-6, metric  # type: ignore[arg-type]
