"""How many messages one schedule of a program serves, and what a schedule costs (model.md 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.mix import scheduling_share
from imsperf.synthetic.workloads.program_fetch import fetch

LE_LEFT = 0.2  # of the Language Environment cost, when it stays initialised (assumed)


@dataclass(frozen=True)
class Schedule:
    """One schedule: CPU and other time in microseconds, and the messages it serves.

    `load_us`: of the CPU, program load and Language Environment, behind log record 08.
    """

    cpu_us: float
    elapsed_us: float
    messages: float
    load_us: float = 0.0
    fetch_io_us: float = 0.0  # of the other time, I/O to program libraries, behind 08 too
    share: float = 1.0  # of all messages that run where programs are scheduled

    @property
    def each(self) -> float:
        """Schedules for one message of the mix."""
        return self.share / self.messages


def schedule(scenario: Scenario, by_space_us: float = 0.0) -> Schedule | None:
    """The schedules of a scenario; None where all programs wait for input (Fast Path, threads).

    `by_space_us`: CPU that its cost table gives for them, on its processors (cpu.speed is in it).
    """
    share = scheduling_share(scenario) if "sched.plct" in scenario else 0.0
    if share == 0:
        return None
    found, preinit = fetch(scenario), scenario["sched.preinit"] == "on"
    load = found.cpu_us + scenario["sched.le_us"] * (LE_LEFT if preinit else 1.0)
    elapsed = scenario["sched.elapsed_ms"] * 1000 + found.io_us
    if scenario.get("esaf.pooling", "on") == "off":
        elapsed += scenario["esaf.thread_ms"] * 1000
    speed = scenario["cpu.speed"]
    cpu = by_space_us + (scenario["sched.cpu_us"] + load) / speed
    return Schedule(cpu, elapsed, messages(scenario), load / speed, found.io_us, share)


def messages(scenario: Scenario) -> float:
    """Messages of one schedule: what the processing limit allows of what is queued.

    Each message is followed by another one with chance p: (1 - p^n) / (1 - p) for a limit of n.
    """
    limit = scenario["sched.plct"]
    if limit == 0:
        return 1.0
    waits = scenario["sched.wfi"] == "on"
    if "messages_per_schedule" in scenario.tables and not waits:
        chance = _measured_chance(scenario, limit)
    else:
        chance = 1 - 1 / scenario["sched.messages" if waits else "sched.quick"]
    if chance >= 1:
        return float(limit)
    return float((1 - chance**limit) / (1 - chance))


def _measured_chance(scenario: Scenario, limit: int) -> float:
    """Chance of a further message, from what was measured at some limits; in between linear in 1/n.

    With the measured number q at limit n: q = (1 - p^n) / (1 - p).
    """
    pooling = scenario["esaf.pooling"]
    rows = [r for r in scenario.table("messages_per_schedule") if r["pooling"] == pooling]
    known = sorted((1 / r["plct"], _chance(r["messages"], r["plct"])) for r in rows)
    place = 1 / limit
    if place <= known[0][0]:
        return known[0][1]
    for (low, first), (high, last) in pairwise(known):
        if place <= high:
            return float(first + (last - first) * (place - low) / (high - low))
    return known[-1][1]


def _chance(found: float, limit: int) -> float:
    """p with (1 - p^n) / (1 - p) = found, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        q = (1 - p**limit) / (1 - p)
        low, high = (p, high) if q < found else (low, p)
    return low
