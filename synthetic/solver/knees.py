"""States of a balance in which transactions that go on together decide about its times.

The solver takes those who come to the processors for strangers, but for what one log write releases
(releases.py). Here stands where that is not enough. Each test is a share, worked out from the
balance itself, and its limit; below all of them rate and response are within 1 and 5 % of the event
simulation (tests/synthetic/solver/test_knees.py). Beyond one of them the simulation is asked
(short_runs.py).

* The XCF gate lets what it holds pass together: messages wait for it more than a hundredth of its
  window, or it passes more than 95 % of what it can.
* A log write frees regions together for messages that wait: more than 2 % of all regions at once,
  times the share of messages that find no region free.
* Clients whom a log write answers together come back before the next one has ended: more than 3 %
  of all clients, those of a write times the chance of an exponential think time to be so short.
* All log buffers are full: the OLDS is more than 95 % busy, and regions stand still with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.result import Results

GATE_FULL = 0.95  # of the quota
HELD = 0.01  # wait for the gate, in windows
FREED = 0.02  # of the regions, by one write, for messages that wait
RETURNING = 0.03  # of the clients, with those of the same write
OLDS_FULL = 0.95


def knees(model: m.Model, found: Results) -> tuple[str, ...]:
    """What the balance of a model stands close to, in words; empty where the solver holds."""
    return tuple(words for work in model.work for words in _knees(work, found))


def _knees(work: m.Work, found: Results) -> Iterator[str]:
    details = found.details
    for step in work.steps:
        if isinstance(step, m.Gate):
            load, held = _number(found, f"{step.name}.load"), details.get(f"{step.name}.delay_us")
            if load > GATE_FULL or (held or 0.0) > HELD * step.window_us:
                yield f"{step.name}: messages that the XCF gate holds pass together"
        elif isinstance(step, m.LogWrite) and step.place != "none":
            yield from _after_write(work, step, found)
        elif isinstance(step, m.LogBlocks) and _number(found, f"{step.name}.load") > OLDS_FULL:
            yield f"{step.name}: all log buffers are full"


def _after_write(work: m.Work, write: m.LogWrite, found: Results) -> Iterator[str]:
    released = found.of(work.name).rate / 1e6 * write.write_us
    pool = work.pool
    if pool is not None and write.place == "region":
        waiting = _number(found, f"{pool.name}.all_busy")
        if waiting * min(released / pool.size, 1.0) > FREED:
            yield f"{pool.name}: a log write frees several while messages wait for one"
    if work.clients:
        soon = math.exp(-work.think_us / write.write_us) if write.write_us > 0 else 0.0
        if released / work.clients * soon > RETURNING:
            yield f"{write.name}: clients whom a log write answers come back together"


def _number(found: Results, name: str) -> float:
    return found.details.get(name) or 0.0
