"""What a run is asked for, and the systems that it has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.accounts.hardware import Host, host_of, of_system
from imsperf.synthetic.accounts.inventory import Inventory, inventory_of, response_goal_us
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.workloads.families import systems as systems_of
from imsperf.synthetic.writer import (
    Form,
)

SHORTEST_S = 0.001  # an RMF record gives the length of its interval in milliseconds
LONGEST_S = 3600.0  # INTERVAL of RMF: 1 to 60 minutes
FORMS: Mapping[str, tuple[Form, Form]] = {"vbs": ("vbs", "vb"), "rdw": ("rdw", "rdw")}


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    seconds: float
    seed: int
    sample_k: int
    every_s: float
    form: str
    save: Path | None = None  # keep the state here
    resume: Path | None = None  # go on from this state


@dataclass(frozen=True)
class System:
    """One system of a run: its own view of the scenario, its names, what is simulated."""

    scenario: Any
    host: Host
    network: Network

    @property
    def inventory(self) -> Inventory:
        """Its address spaces and classes."""
        return inventory_of(self.scenario, self.network)


def systems_in(scenario: Any) -> list[System]:
    """The systems of a scenario, each with the goal that its responses are counted by."""
    systems = list[System]()
    for number, (own, network) in enumerate(systems_of(scenario)):
        host = host_of(own)
        host = of_system(host, number, systems[0].host if systems else host)
        goal = response_goal_us(own)
        systems.append(System(own, host, replace(network, response_goal_us=goal)))
    return systems


def check(order: Order) -> None:
    """Raise ScenarioError for an order that cannot be met."""
    if not (0 < order.seconds < math.inf and 0 < order.every_s < math.inf and order.sample_k >= 1):
        raise ScenarioError(
            f"found {order.seconds} s, intervals of {order.every_s} s, one transaction in "
            f"{order.sample_k}; expected numbers above zero"
        )
    _check_intervals(order)
    if order.form not in FORMS:
        raise ScenarioError(f"form: found {order.form!r}, expected {' or '.join(FORMS)}")
    if not 0 <= order.seed < 1 << 64:
        raise ScenarioError(f"seed: found {order.seed}, expected 0 to 2^64 - 1")


def _check_intervals(order: Order) -> None:
    """What the product section can tell apart: start in seconds, length in milliseconds."""
    if order.every_s > LONGEST_S:
        raise ScenarioError(
            f"intervals: found {order.every_s:g} s, expected at most {LONGEST_S:g} s",
            "an RMF interval is an hour at most",
        )
    if order.every_s < order.seconds and order.every_s != int(order.every_s):
        raise ScenarioError(
            f"intervals: found {order.every_s} s, expected whole seconds",
            "an RMF record gives its start in whole seconds; only a run of one interval may have "
            "another length",
        )
    last = order.seconds - order.every_s * (math.ceil(order.seconds / order.every_s) - 1)
    if last < SHORTEST_S:
        raise ScenarioError(
            f"intervals: found a last one of {last:g} s, expected at least {SHORTEST_S} s",
            f"it is what intervals of {order.every_s:g} s leave of a run of {order.seconds:g} s",
        )
