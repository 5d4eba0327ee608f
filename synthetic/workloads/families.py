"""Which model a scenario's family has."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.prediction import Prediction

FAMILIES = {  # family: module with `predicted`
    "network": "network_family",
    "tm": "tm_family",
    "sysplex": "sysplex",
    "bmp": "bmp",
    "tpipe": "tpipe_family",
}


SIMULATED = {  # family: module with `build`
    "network": "workloads.network_family",
    "tm": "workloads.simulated",
    "sysplex": "workloads.sysplex_network",
    "bmp": "workloads.bmp_network",
    "tpipe": "workloads.tpipe_network",
}


def systems(scenario: Scenario) -> list[tuple[Scenario, Network]]:
    """The systems that are simulated together: what each sees of the scenario, and its network.

    Errors: ScenarioError, also where a family has none yet.
    """
    if scenario.family not in SIMULATED:
        raise ScenarioError(
            f"scenario {scenario.name}: is predicted only, records are not written for it yet",
            "imsperf model predicts it",
        )
    if scenario.get("cpu.ziips", 0) > 0 and scenario["cpu.smt"] > 1:
        raise ScenarioError(
            f"cpu.smt: found {scenario['cpu.smt']} threads of a zIIP, expected 1 in records",
            "imsperf model predicts what a second thread does",
        )
    module = import_module(f"imsperf.synthetic.{SIMULATED[scenario.family]}")
    if hasattr(module, "systems"):
        several: Callable[[Scenario], list[tuple[Scenario, Network]]] = module.systems
        return several(scenario)
    build: Callable[[Scenario], Network] = module.build
    return [(scenario, build(scenario))]


def network(scenario: Scenario) -> Network:
    """The network of a scenario of one system. Errors: ScenarioError."""
    found = systems(scenario)
    if len(found) > 1:
        raise ScenarioError(f"scenario {scenario.name}: found {len(found)} systems, expected one")
    return found[0][1]


def predicted(scenario: Scenario) -> Prediction:
    """The balance of a scenario. Errors: ScenarioError."""
    if scenario.family not in FAMILIES:
        raise ScenarioError(
            f"scenario {scenario.name}: found family {scenario.family!r}, expected one of "
            f"{', '.join(FAMILIES)}"
        )
    module = import_module(f"imsperf.synthetic.workloads.{FAMILIES[scenario.family]}")
    found: Callable[[Scenario], Prediction] = module.predicted
    return found(scenario)
