"""Think times at which processors are as busy as they are to be: what an operator chooses.

The rate follows from the target alone, as the CPU time of a transaction depends on rates only. Each
work's think time then moves by what its cycle, clients / rate, is too short or too long. Times in
microseconds, rates per microsecond. Source: model.md 3.1 (laws), 3.3 (CPU time).
"""

from __future__ import annotations

from dataclasses import replace

from imsperf.errors import OutOfReach
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.result import Results, require
from imsperf.synthetic.solver.solve import NOTHING, solve
from imsperf.synthetic.solver.steps import terms

ROUNDS = 60
CLOSE = 1e-11  # of a rate
LEAST = 0.02  # by which a cycle grows with thought
REACHED = 1e-7  # of a rate


def with_busy(works: m.Works, busy: float, what: str = "utilisation") -> Results:
    """The balance with think times at which the processors of each work are `busy`.

    `busy`: 0 to 1; `what`: its name in messages. Closed works. Errors:
    ScenarioError for others; OutOfReach where processors stay below the target even without think
    time, or are above it without work.
    """
    require(what, busy, "above 0, below 1", 0 < busy < 1)
    names = [one.name for one in works]
    require("works", names, "closed ones", not any(one.is_open for one in works))
    for cpus in (work.cpus for work in works):
        fixed = cpus.fixed_us_per_s / 1e6 / cpus.cps
        if busy <= fixed:
            raise _out_of_reach(what, busy, f"more than {fixed:.4%}, that without work")
    rates = _rates(works, busy)
    wanted = {work.name: work.clients / rates[work.name] for work in works}  # cycles
    thinks = dict(wanted)
    before: dict[str, tuple[float, float]] = {}  # thought and cycle
    for _ in range(ROUNDS):
        works = tuple(replace(work, think_us=thinks[work.name]) for work in works)
        results = solve(works)
        now = {
            work.name: (work.think_us, work.clients / results.of(work.name).rate * 1e6)
            for work in works
        }
        if all(abs(cycle / wanted[name] - 1) < REACHED for name, (_, cycle) in now.items()):
            return results
        if all(think == 0 for think, _ in now.values()):
            break
        thinks = {
            name: max(think + (wanted[name] - cycle) / _slope(now[name], before.get(name)), 0.0)
            for name, (think, cycle) in now.items()
        }
        before = now
    raise _out_of_reach(what, busy, f"at most {_most(results):.2%}, that without think time")


def _slope(now: tuple[float, float], before: tuple[float, float] | None) -> float:
    """How a cycle grows with thought: by as much, but where thought replaces waits."""
    if before is None or now[0] == before[0]:
        return 1.0
    return min(max((now[1] - before[1]) / (now[0] - before[0]), LEAST), 1.0)


def _rates(works: m.Works, busy: float) -> dict[str, float]:
    """The rates at which all processors are so busy; CPU time may grow with them."""
    rates = {one.name: NOTHING for one in works}
    for _ in range(ROUNDS):
        before = rates
        rates = {one.name: _rate(works, one, busy, before) for one in works}
        if max(abs(rates[name] / before[name] - 1) for name in rates) < CLOSE:
            break
    return rates


def _rate(works: m.Works, work: m.Work, busy: float, rates: dict[str, float]) -> float:
    cpus = work.cpus
    used = float(terms(works, work, rates).cpu.sum())
    return (busy * cpus.cps - cpus.fixed_us_per_s / 1e6) / used


def _out_of_reach(what: str, busy: float, expected: str) -> OutOfReach:
    return OutOfReach(
        f"{what}: found {busy:.2%}, expected {expected}",
        "without think time (0) --explain shows what is full",
    )


def _most(results: Results) -> float:
    """What the processors reach, those of the work with least."""
    return min(float(results.details[f"{work.cpu}.busy"] or 0.0) for work in results.works)
