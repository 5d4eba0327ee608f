"""Simulate a network, transaction by transaction: the front of the compiled engine.

Whole ticks, no clock but the simulated one, own random streams: the same network and seed give
the same arrays everywhere. Memory grows with clients, transactions in flight and sampled rows only.

What the simulation decides beyond network.py:

* The response-time clock runs from `arrival` (queued for a region) to `dequeue`.
* Log calls besides the syncpoint are made at the ends of the input, output and region bursts, in
  turn. In mode `exclusive` each holds the latch as long as the syncpoint does. Holds are
  exponential and lie inside the CPU bursts. A contended call at the end of the output burst makes
  it longer: a second burst of `contention_cpu_us` before the answer leaves.
* CPU time grows with the moving mean of busy CPs over 33 ms: model.md 3.3 has c(X, U) with the
  utilisation, and bursts begin when more CPs are busy than on average.
* A program ends when its region schedules the next one. Its end (07) and the schedule (08) are
  logged at once, and nobody waits for that.
* Exponential: think, CPU bursts, schedules, unexplained delay, port, disconnect and connect
  times, holds. Gamma: WADS and OLDS writes. Constant: PEND, device busy, interrupt delay, buffer
  holds, 200 us bursts of fixed work.
* First read and first write of a transaction go to its area (a volume), further ones to any volume.
  Writes start when the answer leaves, not all together when the log write ends.
* An OLDS block write is counted when the block is full; one is outstanding, the others queue.
  When all log buffers are full, a sync point waits for the first to be written. Records of
  schedules take their place in the queue, but nobody waits for that.
* A pool size without secondary blocks may have more buffers in use than it has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation import engine
from imsperf.synthetic.simulation.checkpoint import Keeper, asked_for, restore
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.run import (
    PROGRAMS,
    SMALL,
    TIMES,
    Completed,
    Run,
)
from imsperf.synthetic.simulation.state import check_alike, grown
from imsperf.synthetic.simulation.state_pointers import Words, table_of
from imsperf.synthetic.units import FAR_AWAY, TICKS_PER_S, TICKS_PER_US

__all__ = ["PROGRAMS", "SMALL", "TIMES", "SimResult", "interval_ends", "simulate", "simulate_all"]

NEVER = FAR_AWAY  # tick
WARMUP_S = 2.0  # from all clients in thought to a steady state

Sink = Callable[[list[Completed], list[SimResult]], None]


def simulate(network: Network, **asked: Any) -> SimResult:
    """`simulate_all` of a single system."""
    return simulate_all([network], **asked)[0]


def simulate_all(
    networks: Sequence[Network],
    *,
    seed: int,
    seconds: float,
    every_s: float,
    warmup_s: float = WARMUP_S,
    sample_k: int = 1,
    progress: Callable[[float], None] | None = None,
    save: Path | None = None,
    resume: Path | None = None,
    sink: Sink | None = None,
) -> list[SimResult]:
    """Run `warmup_s` and then `seconds`, in intervals of `every_s`; keep every k-th transaction.

    The systems of a sysplex together, two at most: they share paths and CF processors, and the
    first one draws what it would draw alone. `progress` is told the simulated seconds after each
    interval. `save`: keep the state at the latest boundary in
    this file; `resume`: go on from such a file, to the same result. `sink`: is
    given the transactions of each system while the run goes on, and the intervals closed so far;
    the result then has those that are left (not with `save` or `resume`). Errors: ScenarioError
    for more than two systems, and for a file of another run.
    """
    if not 0 < len(networks) <= engine.MOST:
        raise ScenarioError(f"found {len(networks)} systems, expected 1 to {engine.MOST}")
    start = -round(warmup_s * 1e6) * TICKS_PER_US
    runs = [
        Run(network, sample_k, seed=seed_of(seed, number), start=start)
        for number, network in enumerate(networks)
    ]
    ends = interval_ends(seconds, every_s).tolist()
    facts = asked_for(seed=seed, every_s=every_s, warmup_s=warmup_s, sample_k=sample_k)
    keeper = None if save is None else Keeper(save, facts, seconds)
    reached = begin(runs, start) - 1 if resume is None else restore(resume, runs, facts, ends)
    together(runs)
    asked = {"seconds": seconds, "every_s": every_s, "warmup_s": warmup_s}
    told: dict[str, Any] = {**asked, "sample_k": sample_k, "seed": seed}

    def hand_over() -> None:
        if sink is not None:
            handed = [run.handed() for run in runs]
            sink(handed, [run.so_far(ends, **told) for run in runs])

    for end in [end_of_part for end_of_part in ends if end_of_part > reached]:
        go_on(runs, end, hand_over if sink else None)
        for run in runs:
            run.snapshots.close(run.state, run.scalars, end)
        if keeper is not None:
            keeper.boundary(runs, end)
        if progress is not None:
            progress(end / TICKS_PER_S)
    return [run.result(**told) for run in runs]


def begin(runs: Sequence[Run], start: int) -> int:
    """All systems at the start of the warm-up, which is given back."""
    engine.begin(words_of(runs), start)
    return start


def seed_of(seed: int, system: int) -> int:
    """The seed of one system's streams: that of the run for the first."""
    return seed ^ (system * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)


def interval_ends(seconds: float, every_s: float) -> I64:
    """Ticks of the n + 1 interval boundaries, from 0; the last interval may be shorter."""
    count = math.ceil(seconds / every_s - 1e-9)
    edges = np.minimum(np.arange(count + 1) * every_s, seconds)
    ends: I64 = np.rint(edges * 1e6).astype(np.int64) * TICKS_PER_US
    return ends


def go_on(runs: Sequence[Run], end: int, hand_over: Callable[[], None] | None) -> None:
    """Run all systems until a time; the engine stops where one of them needs room."""
    while (reason := engine.run(words_of(runs), end)) != engine.DONE:
        if reason == engine.SLOTS_FULL:
            for run in runs:
                run.state = grown(run.state)
        elif hand_over is not None:
            hand_over()
        else:
            for run in runs:
                run.empty_rows()


def words_of(runs: Sequence[Run]) -> Words:
    """What the engine is told of all systems."""
    return table_of([run.state for run in runs], [run.scalars for run in runs])


def together(runs: Sequence[Run]) -> None:
    """Let all systems use the paths and CF processors of the first one."""
    first = runs[0].state
    for run in runs:
        check_alike(first, run.state)
        run.state = run.state._replace(ports=first.ports, processors=first.processors)
