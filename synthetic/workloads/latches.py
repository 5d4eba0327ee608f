"""The log latch: how transactions call it in each mode, and what their contentions cost."""

from __future__ import annotations

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.devices import latch


def code_speed(scenario: Scenario) -> float:
    """Speed of the processors against those of the scenario's file, to which its holds belong."""
    knob = scenario.knob("cpu.speed")
    return float(knob.value) / float(knob.default)


def latch_steps(scenario: Scenario) -> tuple[m.Latch, ...]:
    """LOGL, and LREC where it is split off. Holds are code: a faster processor shortens them."""
    mode, calls = scenario["logger.latch"], scenario["latch.calls_shared"]
    speed = code_speed(scenario)
    shared = scenario["latch.hold_shared_us"] / speed
    held = scenario["latch.hold_exclusive_us"] / speed
    post = scenario["latch.contention_cpu_us"] / speed
    others = (scenario["latch.other_per_s"], scenario["latch.other_hold_us"] / speed)
    if mode == "exclusive":
        return (m.Latch("logl", 0, 0.0, calls + 1, held, *others, post),)
    if mode == "shared":
        return (m.Latch("logl", calls, shared, 1, held, *others, post),)
    return (
        m.Latch("logl", calls, shared, 0, 0.0, *others, post),
        m.Latch("lrec", 0, 0.0, 1, held, 0.0, 0.0, post),
    )


def contention_us(scenario: Scenario, rate_per_s: float) -> float:
    """CPU that a transaction's contended calls cost at a rate."""
    rate, total = rate_per_s / 1e6, 0.0
    for step in latch_steps(scenario):
        others = (step.other_exclusive_per_s / 1e6, step.other_hold_us)
        own = (rate * step.calls_exclusive, step.hold_exclusive_us)
        seen = latch(rate * step.calls_shared, step.hold_shared_us, (own, others))
        contended = step.calls_shared * seen.shared_contention
        contended += step.calls_exclusive * seen.exclusive_contention
        total += contended * step.contention_cpu_us
    return total
