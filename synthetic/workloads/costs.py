"""CPU of one transaction by address-space group: measured, without growth and fixed part, features.

A cost table was measured somewhere: at a rate, a utilisation and with some features on. `costs`
takes the fixed part and the growth of that place out (model.md 3.3) and puts in what settings
change: release, traces, credentials, encryption, JVM, OTMA security. A feature that was on where
the costs were measured is in them already, so only the difference to the scenario's default counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads import features
from imsperf.synthetic.workloads.devices import contention_us, fixed_us_per_s
from imsperf.synthetic.workloads.features import Space
from imsperf.synthetic.workloads.schedules import messages, schedule

GROUPS = {  # group of the cost table: metric of run.metrics
    "ims": "ims_cpu_us_per_tran",
    "ims_connect": "ims_connect_cpu_us_per_tran",
    "region": "region_cpu_us_per_tran",
    "cics": "cics_cpu_us_per_tran",
    "odbm": "odbm_cpu_us_per_tran",
    "zos_connect": "zos_connect_cpu_us_per_tran",
    "cqs": "cqs_cpu_us_per_tran",
    "ixglogr": "ixglogr_cpu_us_per_tran",
}


@dataclass(frozen=True)
class Costs:
    """What a transaction costs, and what the LPAR uses at any rate."""

    spaces: tuple[Space, ...]
    fixed_us_per_s: float
    growth: float

    @property
    def total_us(self) -> float:
        """All of it, schedules not counted."""
        return sum(space.us for space in self.spaces)

    def place_us(self, place: str) -> float:
        """CPU at one place: outside, ims or region."""
        return sum(float(getattr(space, f"{place}_us")) for space in self.spaces)

    def eligible(self, place: str) -> float:
        """Share of the CPU at a place that may run on zIIPs."""
        total = self.place_us(place)
        able = sum(float(getattr(space, f"{place}_us")) * space.ziip for space in self.spaces)
        return able / total if total > 0 else 0.0

    @property
    def schedule_us(self) -> float:
        """CPU of one schedule that the cost table gives by address space."""
        return sum(space.schedule_us for space in self.spaces)


def costs(scenario: Scenario) -> Costs:
    """The costs of a scenario on its processors, with its features."""
    rows = scenario.table("cpu_by_space")
    measured = [_space(scenario, row) for row in rows]
    total = sum(space.us for space in measured)
    if any(space.schedule_us for space in measured):
        served = messages(features.defaults(scenario))
        total += sum(space.schedule_us for space in measured) / served
    fixed = scenario["cpu.fixed_ms_per_s"] * 1000
    here = fixed_us_per_s(scenario)
    share = 1 - fixed / scenario["cpu.measured_rate_per_s"] / total
    bare = share / (1 + scenario["cpu.growth"] * scenario["cpu.measured_busy_pct"] / 100)
    factor = bare / scenario["cpu.speed"]
    check_fixed(scenario, factor)
    changed = features.applied(scenario, measured)
    spaces = tuple(
        replace(space, us=space.us * factor, schedule_us=space.schedule_us * factor)
        for space in changed
    )
    return Costs(_without(scenario, spaces), here, scenario["cpu.growth"])


def check_fixed(scenario: Scenario, factor: float) -> None:
    """Raise ScenarioError where the fixed part leaves nothing of the measured costs."""
    if factor <= 0:
        raise ScenarioError(
            f"cpu.fixed_ms_per_s: found {scenario['cpu.fixed_ms_per_s']}, expected less",
            "it is more than all CPU used where the costs were measured",
        )


def _without(scenario: Scenario, spaces: tuple[Space, ...]) -> tuple[Space, ...]:
    """Without schedules and latch contentions of where it was measured: the model adds its own."""
    there = features.defaults(scenario)
    contended = contention_us(there, there["cpu.measured_rate_per_s"])
    less = {"ims": contended * there["cpu.speed"] / scenario["cpu.speed"]}
    plan = schedule(there)
    if plan is not None and not any(space.schedule_us for space in spaces):
        less["region"] = plan.cpu_us * plan.each * there["cpu.speed"] / scenario["cpu.speed"]
    left = []
    for space in spaces:
        taken = min(less.pop(space.group, 0.0), space.us)
        left.append(replace(space, us=space.us - taken))
    return tuple(left)


def column(scenario: Scenario, row: dict[str, Any], name: str) -> float:
    """A value of a cost table: `name`, or the column of the knob that `cpu.columns` names."""
    if name in row:
        return float(row[name])
    chooser = scenario.get("cpu.columns", "ims.release")
    name_here = f"{name}_{scenario[chooser]}"
    if name_here not in row:
        known = [key.removeprefix(f"{name}_") for key in row if key.startswith(f"{name}_")]
        raise ScenarioError(
            f"scenario {scenario.name}: costs were not published for {chooser}={scenario[chooser]}",
            f"known are {', '.join(known)}",
        )
    return float(row[name_here])


def _space(scenario: Scenario, row: dict[str, Any]) -> Space:
    ziip = float(row["ziip"])
    if row["group"] == "cqs" and scenario.get("cqs.ziip", "on") == "off":
        ziip = 0.0
    schedule = any(key == "schedule" or key.startswith("schedule_") for key in row)
    return Space(
        name=row["space"],
        group=row["group"],
        us=column(scenario, row, "us"),
        inside=float(row["inside"]),
        region=float(row["region"]),
        ziip=ziip,
        schedule_us=column(scenario, row, "schedule") if schedule else 0.0,
    )
