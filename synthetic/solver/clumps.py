"""Arrivals that come in clumps: what they add to the waits of Poisson arrivals.

A log write ends for many transactions at once, and XCF releases a member's messages at once. Both
send a clump to the CPUs, and the database writes of a clump meet at the channel paths. The queue is
followed over some cycles of the clump's source (a birth-death chain in time, clumps at the starts).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import gamma, poisson

from imsperf.synthetic.solver.queueing import Floats, erlang_c

LARGEST = 300.0  # members of a clump that are followed one by one; more wait in proportion
FULL = 0.97  # the chain is followed at no higher load; beyond it the population bounds the waits
CYCLES = 7
PARTS = 64  # of a cycle, in which the starts of bursts are counted


@dataclass(frozen=True)
class Starts:
    """How many bursts begin to be served in each part of the cycles, by how they came."""

    widths: Floats  # of the parts
    single: Floats
    clump: Floats
    behind: Floats


@dataclass(frozen=True)
class Clumped:
    """Waits at m servers, and the share of busy servers that a service finds, itself counted."""

    single_wait: float  # Poisson arrivals
    clump_wait: float  # the members of a clump
    behind_wait: float  # those who come with the clump but queue behind it
    single_busy: float
    clump_busy: float
    behind_busy: float
    poisson_wait: float  # of anybody, if all arrivals were Poisson
    starts: Starts


def gamma_cycles(mean: float, cv: float) -> Floats:
    """Cycle lengths that stand for a gamma distribution, long and short ones in turn."""
    if cv <= 0:
        return np.full(CYCLES, mean)
    places = (np.arange(CYCLES) * 3 % CYCLES + 0.5) / CYCLES
    lengths = gamma.ppf(places, cv**-2.0)
    return np.asarray(mean * lengths / lengths.mean())


def clumped(
    servers: int,
    service: float,
    single_rate: float,
    clump_rate: float,
    cycles: Floats,
    behind: float = 0.0,
) -> Clumped:
    """Single arrivals, and clumps of what gathered at `clump_rate` during the cycle before.

    `behind` further arrivals for each member of a clump queue behind all of it.
    """
    rate = single_rate + clump_rate * (1 + behind)
    scale = max(float(cycles.max()) * clump_rate * (1 + behind) / LARGEST, 1.0)
    cycles = cycles / scale
    service = min(service, FULL * servers / rate)
    largest = float(cycles.max()) * clump_rate * (1 + behind)
    states = np.arange(int(servers + 1.5 * largest + 8 * largest**0.5 + 120), dtype=np.float64)
    before, course = _follow(states, servers, service, single_rate, clump_rate, cycles, behind)
    during = course.sum(axis=0) / course.sum()
    waits, busy = _by_place(before, servers, service, clump_rate, cycles, behind)
    ahead = np.maximum(states - servers + 1, 0) * service / servers
    widths = np.repeat(cycles / PARTS, PARTS)
    begun = _parts_of(widths, course * single_rate, ahead)
    together = _clump_starts(before, servers, service, clump_rate, cycles, behind)
    queue = np.maximum(states - servers + 1, 0)
    load = rate * service
    alone = erlang_c(servers, load) * service / (servers - load)
    found = (float(during @ queue) * service / servers, waits[0], waits[1])
    single, clump, last = (alone + (wait - alone) * scale for wait in found)
    return Clumped(
        single_wait=single,
        clump_wait=clump,
        behind_wait=last,
        single_busy=float(during @ np.minimum(states + 1, servers)) / servers,
        clump_busy=busy[0],
        behind_busy=busy[1],
        poisson_wait=alone,
        starts=Starts(widths * scale, begun * scale, together[0] * scale, together[1] * scale),
    )


def _follow(
    states: Floats,
    servers: int,
    service: float,
    single_rate: float,
    clump_rate: float,
    cycles: Floats,
    behind: float,
) -> tuple[list[Floats], Floats]:
    """Chances of the number present before each clump, and times with each number in each part."""
    leave = np.minimum(states, servers) / service
    step = 0.9 / (single_rate + servers / service)
    now = poisson.pmf(states, min(single_rate * service, servers))
    before: list[Floats] = []
    course: list[Floats] = []
    for turn in range(2):
        for cycle, gathered in zip(cycles, np.roll(cycles, 1), strict=True):
            if turn:
                before.append(now)
            sizes = poisson.pmf(states, clump_rate * gathered * (1 + behind))
            now = np.convolve(now, sizes)[: len(states)]
            now, over_time = _evolve(now, leave, single_rate, step, float(cycle))
            if turn:
                course.append(over_time)
    return before, np.concatenate(course)


def _evolve(
    now: Floats, leave: Floats, rate: float, step: float, length: float
) -> tuple[Floats, Floats]:
    """The chain `length` later, and its chances summed over each part of that time."""
    each = max(math.ceil(length / step / PARTS), 1)
    short = length / (each * PARTS)
    down, up = leave[1:] * short, rate * short
    now = now.copy()
    over_time = np.zeros((PARTS, len(now)))
    for count in range(each * PARTS):
        over_time[count // each] += now
        flow = now[:-1] * up - now[1:] * down
        now[:-1] -= flow
        now[1:] += flow
    return now, over_time * short


def _parts_of(widths: Floats, numbers: Floats, waits: Floats) -> Floats:
    """Numbers [part, state] that come in the middle of a part: in which part their wait ends."""
    ends = np.cumsum(widths)
    times = (ends - widths / 2)[:, None] + waits
    places = np.searchsorted(ends, times % ends[-1], side="right")
    counted = np.bincount(places.ravel(), numbers.ravel(), len(widths))
    return counted[: len(widths)].astype(np.float64)


def _clump_starts(
    before: list[Floats],
    servers: int,
    service: float,
    clump_rate: float,
    cycles: Floats,
    behind: float,
) -> Floats:
    """Starts of a clump's members, and of those behind it, in each part of the cycles."""
    ends = np.cumsum(np.repeat(cycles / PARTS, PARTS))
    found = np.zeros((2, len(ends) + 1))
    begin = np.cumsum(cycles) - cycles
    for chances, gathered, time in zip(before, np.roll(cycles, 1), begin, strict=True):
        size = clump_rate * gathered
        place = np.arange(1, int(size + 8 * size**0.5 + 10) + 1)
        there = poisson.sf(place - 1, size)
        for part, first in enumerate((0.0, size)):
            each = behind if part else 1.0
            if not each:
                continue
            ahead = np.arange(len(chances))[:, None] + first + each * place
            times = time + np.maximum(ahead - servers, 0.0) * service / servers
            places = np.searchsorted(ends, times % ends[-1], side="right")
            weights = each * chances[:, None] * there
            found[part] += np.bincount(places.ravel(), weights.ravel(), len(ends) + 1)
    return found[:, :-1]


def _by_place(
    before: list[Floats],
    servers: int,
    service: float,
    clump_rate: float,
    cycles: Floats,
    behind: float,
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean wait and busy share of the members of a clump, and of those behind it."""
    waits, busy, weights = np.zeros(2), np.zeros(2), np.zeros(2)
    for chances, gathered in zip(before, np.roll(cycles, 1), strict=True):
        size = clump_rate * gathered
        place = np.arange(1, int(size + 8 * size**0.5 + 10) + 1)
        there = poisson.sf(place - 1, size)
        for part, first in enumerate((0.0, size)):
            if part and not behind:
                continue
            ahead = np.arange(len(chances))[:, None] + first + (behind if part else 1) * place
            mean_wait = chances @ np.maximum(ahead - servers, 0.0)
            waits[part] += mean_wait @ there * service / servers
            busy[part] += chances @ np.minimum(ahead, servers) @ there / servers
            weights[part] += there.sum()
    weights = np.where(weights > 0, weights, 1.0)
    w, b = waits / weights, busy / weights
    return (float(w[0]), float(w[1])), (float(b[0]), float(b[1]))
