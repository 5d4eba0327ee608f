"""Full processors that long bursts outside the response share with short ones inside it."""

from __future__ import annotations

import pytest

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.workloads.families import network, predicted


@pytest.mark.parametrize("settings", [{"cpu.gcps": 4}, {"clients": 60}])
def test_response_of_zos_connect_at_full_processors(settings: dict[str, int]) -> None:
    """Rate within 0.5 %, response within 4 % (at a knee): both share processors evenly."""
    scenario = load("zos-connect", settings)
    predicted_values = predicted(scenario).values
    result = simulate(network(scenario), seed=1, seconds=3, every_s=3, warmup_s=0.5)
    assert result.completed.sum() / 3 == pytest.approx(predicted_values["etr_per_s"], rel=0.005)
    response = result.response_ticks.sum() / result.completed.sum() / 4096 / 1000
    assert predicted_values["ims_response_ms"] == pytest.approx(response, rel=0.04)
