"""Think times at which processors are as busy as they are to be: what an operator chooses.

The rate follows from the target alone, as the CPU time of a transaction depends on rates only; and
with the rates the waits of all devices are known. What is left is one network for each work, whose
think time is to let that rate out; what its own rate then changes is corrected. Times in
microseconds, rates per microsecond. Source: model.md 3.1 (laws), 3.3 (CPU time).
"""

from __future__ import annotations

from dataclasses import replace

from scipy.optimize import brentq

from imsperf.errors import OutOfReach
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.result import Results, require
from imsperf.synthetic.solver.solve import NOTHING, rate_of_think, solve
from imsperf.synthetic.solver.steps import terms

ROUNDS = 60
CLOSE = 1e-11  # of a rate
CORRECTIONS = 8
LEAST = 0.1  # slope of a secant
REACHED = 1e-6  # of a rate
NEAR = 1e-10  # of the time between two transactions of a client


def with_busy(model: m.Model, busy: float, what: str = "utilisation") -> tuple[m.Model, Results]:
    """The model with think times at which the processors of each work are `busy`, and its balance.

    `busy`: 0 to 1; `what`: its name in messages. Closed works. Errors:
    ScenarioError for others; OutOfReach where processors stay below the target even without think
    time, or are above it without work.
    """
    require(what, busy, "above 0, below 1", 0 < busy < 1)
    names = [one.name for one in model.work]
    require("works", names, "closed ones", not any(one.is_open for one in model.work))
    for cpus in model.cpus:
        fixed = cpus.fixed_us_per_s / 1e6 / cpus.cps
        if busy <= fixed:
            raise _out_of_reach(what, busy, f"more than {fixed:.4%}, that without work")
    rates = _rates(model, busy)
    thinks = [_think(model, one, rates) for one in model.work]
    if None in thinks:
        raise _out_of_reach(what, busy, f"at most {_most(model):.2%}, that without think time")
    pairs = zip(model.work, thinks, strict=True)
    paced = replace(model, work=tuple(replace(one, think_us=us or 0.0) for one, us in pairs))
    return _corrected(paced, rates) if len(thinks) == 1 else (paced, solve(paced))


def _rates(model: m.Model, busy: float) -> dict[str, float]:
    """The rates at which all processors are so busy; CPU time may grow with them."""
    rates = {one.name: NOTHING for one in model.work}
    for _ in range(ROUNDS):
        before = rates
        rates = {one.name: _rate(model, one, busy, before) for one in model.work}
        if max(abs(rates[name] / before[name] - 1) for name in rates) < CLOSE:
            break
    return rates


def _rate(model: m.Model, work: m.Work, busy: float, rates: dict[str, float]) -> float:
    cpus = model.cpus_of(work)
    used = float(terms(model, work, rates).cpu.sum())
    return (busy * cpus.cps - cpus.fixed_us_per_s / 1e6) / used


def _think(model: m.Model, work: m.Work, rates: dict[str, float]) -> float | None:
    """The think time that lets out the work's rate; None: not even none does."""
    out = rate_of_think(model, work, rates)
    if out is None:
        return None
    cycle = work.clients / rates[work.name]

    def excess(think: float) -> float:
        return work.clients / out(think) - cycle

    if excess(0.0) >= 0:
        return None
    return float(brentq(excess, 0.0, cycle, xtol=NEAR * cycle, rtol=1e-12))


def _corrected(model: m.Model, rates: dict[str, float]) -> tuple[m.Model, Results]:
    """One work: the think time with which `solve` has the rate, where log releases move it."""
    (work,) = model.work
    rate, results = rates[work.name], solve(model)
    before, slope = (0.0, 0.0), 1.0  # thought and cycle; how the cycle grows with thought
    for step in range(CORRECTIONS):
        now = results.of(work.name).rate / 1e6
        if abs(now / rate - 1) < REACHED:
            break
        at = work.think_us, work.clients / now
        if step and at[0] != before[0]:
            slope = min(max((at[1] - before[1]) / (at[0] - before[0]), LEAST), 1.0)
        before = at
        think = max(at[0] + (work.clients / rate - at[1]) / slope, 0.0)
        work = replace(work, think_us=think)
        model = replace(model, work=(work,))
        results = solve(model)
    return model, results


def _out_of_reach(what: str, busy: float, expected: str) -> OutOfReach:
    return OutOfReach(
        f"{what}: found {busy:.2%}, expected {expected}",
        "without think time (0) --explain shows what is full",
    )


def _most(model: m.Model) -> float:
    """What the processors reach without think time, those of the work with least."""
    results = solve(replace(model, work=tuple(replace(one, think_us=0.0) for one in model.work)))
    return min(float(results.details[f"{cpu.name}.busy"] or 0.0) for cpu in model.cpus)
