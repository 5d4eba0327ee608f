"""Which model a scenario's family has."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.prediction import Prediction

FAMILIES = {  # family: module with `predicted`, and `build` or `systems`
    "network": "network_family",
    "tm": "tm",
    "sysplex": "sysplex",
    "bmp": "bmp",
    "tpipe": "tpipe",
    "cics": "cics",
}


def systems(scenario: Scenario) -> list[tuple[Scenario, Network]]:
    """The systems that are simulated together: what each sees of the scenario, and its network.

    Errors: ScenarioError.
    """
    module = _module(scenario)
    if hasattr(module, "systems"):
        several: Callable[[Scenario], list[tuple[Scenario, Network]]] = module.systems
        return several(scenario)
    build: Callable[[Scenario], Network] = module.build
    return [(scenario, build(scenario))]


def network(scenario: Scenario) -> Network:
    """The network of a scenario of one system. Errors: ScenarioError."""
    every = systems(scenario)
    if len(every) > 1:
        raise ScenarioError(f"scenario {scenario.name}: found {len(every)} systems, expected one")
    return every[0][1]


def predicted(scenario: Scenario) -> Prediction:
    """The balance of a scenario. Errors: ScenarioError."""
    predict: Callable[[Scenario], Prediction] = _module(scenario).predicted
    return predict(scenario)


def _module(scenario: Scenario) -> ModuleType:
    if scenario.family not in FAMILIES:
        raise ScenarioError(
            f"scenario {scenario.name}: found family {scenario.family!r}, expected one of "
            f"{', '.join(FAMILIES)}"
        )
    return import_module(f"imsperf.synthetic.workloads.{FAMILIES[scenario.family]}")
