"""Prediction of one IMS system."""

from __future__ import annotations

from dataclasses import replace

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.solver.target import with_busy
from imsperf.synthetic.workloads.prediction import Prediction
from imsperf.synthetic.workloads.tm import Parts, build_model
from imsperf.synthetic.workloads.tm_metrics import prediction


def predicted(scenario: Scenario) -> Prediction:
    """Rate, response, CPU and stations of a scenario; think time sought where a target is set."""
    parts, found = _balance(scenario, build_model(scenario))
    return prediction(scenario, parts, found)


def driven(scenario: Scenario, parts: Parts) -> Parts:
    """The model with the think time that reaches driver.target_busy, where that is set."""
    return _balance(scenario, parts)[0] if scenario["driver.target_busy"] > 0 else parts


def _balance(scenario: Scenario, parts: Parts) -> tuple[Parts, Results]:
    busy = scenario["driver.target_busy"] / 100
    if busy == 0:
        return parts, solve(parts.model)
    if scenario["driver.rate_per_s"] > 0:
        raise ScenarioError(
            "driver.target_busy: found together with driver.rate_per_s, expected one of the two",
            "open arrivals come at their rate whatever the CPUs do",
        )
    model, found = with_busy(parts.model, busy, "driver.target_busy")
    return replace(parts, model=model), found
