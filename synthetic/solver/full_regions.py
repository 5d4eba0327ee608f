"""What a log write does to processors while all regions are busy and transactions wait for one.

A region that held its log write is free when the write ends, with all that the write released, and
takes the next transaction at once: outputs and regions begin their bursts in the same moment. What
is at the processors is followed from write to write, a Markov chain of three numbers: regions,
outputs, inputs. Bursts are exponential and share the processors evenly; inputs are Poisson. Of the
regions that are not at the processors a release frees each with the same chance, which grows with
the write before as 1 - exp(-length / delay) does: the delay of a region, taken for exponential,
brings it to the log. How many come out follows from Little's law (J. D. C. Little, Operations
Research 9 (1961), pages 383-387) for the regions. Times in microseconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.simulation.compiled import compiled, inner
from imsperf.synthetic.solver.releases import two_lengths

Floats = NDArray[np.float64]
EVENTS = 0.4  # in a step of time, at most
ROUNDS = 40
CLOSE = 1e-3
LITTLE = 1e-8  # chance of a state that is not followed
STATES = 3_500
SHORT = 0.02  # of the CPU time: bursts that are left out
SPREAD = 3.0  # standard deviations of a Poisson number that are followed


@dataclass(frozen=True)
class Away:
    """So many regions, and how long each is not at the processors: in all, and before the log."""

    regions: int
    us: float
    before_log: float


@dataclass(frozen=True)
class Full:
    """All regions busy for ever: rate per microsecond, and the time of each burst."""

    rate: float
    times: Floats  # [outside, ims, region]


def in_releases(
    arrivals: float,
    cpu: Floats,
    servers: int,
    write: tuple[float, float],
    away: Away,
    running: float,
) -> Full | None:
    """The balance of full regions; None where it has too many states.

    `cpu` [outside, ims, region] of a transaction; `arrivals` of inputs per microsecond, no more
    than come out; `write`: its length and coefficient of variation; `running`: mean number of
    regions at the processors, about.
    """
    lengths, weights = two_lengths(*write)
    delay = away.before_log
    back = 1 - np.exp(-lengths / delay) if delay > 0 else np.ones(2)
    most = min(away.regions, servers / float(cpu.sum()) * float(lengths[-1]))
    came = 2 * arrivals * float(cpu[0])
    there = [_most(running + most), _most(most), _most(came) + servers]
    counted = cpu[[2, 1, 0]] > SHORT * cpu.sum()
    most_of = (min(there[0], away.regions), min(there[1], away.regions), there[2])
    size = [n + 1 if known else 1 for n, known in zip(most_of, counted, strict=True)]
    if math.prod(size) > STATES or not counted[0]:
        return None
    bursts = np.where(counted, cpu[[2, 1, 0]], cpu[2])
    given = (arrivals, away.regions, away.us, running)
    rate, times = _followed(given, bursts, servers, lengths, weights, back, np.zeros((2, *size)))
    times = np.where(counted, times, cpu[[2, 1, 0]])
    return Full(rate, np.asarray(times[[2, 1, 0]]))


def _most(mean: float) -> int:
    """Above this a Poisson number hardly ever is."""
    return math.ceil(mean + SPREAD * mean**0.5)


@compiled
def _followed(
    given: tuple[float, int, float, float],
    bursts: Floats,
    servers: int,
    lengths: Floats,
    weights: Floats,
    back: Floats,
    now: Floats,
) -> tuple[float, Floats]:
    """The rate, and the mean time of a burst of regions, outputs, inputs.

    `given`: arrivals, regions, and how long these are not at the processors. `back`: chance of a
    region to be at the log after a write of each length, but for a factor. `now`: room for the
    chances of each state.
    """
    arrivals, regions, away, running = given
    now[:, min(int(running), now.shape[1] - 1), 0, 0] = weights
    mean = (weights * lengths).sum()
    rate = regions / (away + bursts[0])
    gathering = (weights * back).sum() * regions
    times, before = np.zeros(3), -1.0
    for _ in range(ROUNDS):
        area = np.zeros(3)
        came = min(arrivals, rate)
        chances = np.minimum(rate * mean / gathering * back, 1.0)
        freed, held = _cycle(now, regions, came, bursts, servers, lengths, weights, chances, area)
        gathering = (weights * back * regions - held * back).sum()
        times[:2] = area[:2] / freed
        times[2] = area[2] / (came * mean) if came > 0 else bursts[2]
        rate = (regions - area[0] / mean) / away
        if abs(times[0] - before) < CLOSE * times[0]:
            break
        before = times[0]
    return rate, times


@inner
def _cycle(
    now: Floats,
    regions: int,
    arrivals: float,
    bursts: Floats,
    servers: int,
    lengths: Floats,
    weights: Floats,
    chances: Floats,
    area: Floats,
) -> tuple[float, Floats]:
    """One write and its release: mean freed, and for each length the regions at processors then."""
    many, freed = len(lengths), 0.0
    after, held = np.zeros_like(now), np.zeros(many)
    for one in range(many):  # the release to come gathered during a write of this length
        begin, left = 0.0, 1.0
        for two in range(many):  # and comes when one of this length ends
            length = lengths[two] - begin
            _pass_time(now[one], length, arrivals, bursts, servers, left, area)
            begin = lengths[two]
            left -= weights[two]
            some, there = _release(now[one], regions, chances[one], weights[two], after[two])
            freed += some
            held[one] += there
    for one in range(many):
        now[one] = after[one] * (weights[one] / after[one].sum())
    return freed, held


@inner
def _pass_time(
    now: Floats,
    length: float,
    arrivals: float,
    bursts: Floats,
    servers: int,
    weight: float,
    area: Floats,
) -> None:
    """The chain `length` later; `area` grows by the time that bursts of each kind were there."""
    most = arrivals + servers / bursts.min()
    share = np.minimum(1.0, servers / np.maximum(np.arange(sum(now.shape)), 1))
    speeds = np.stack((share / bursts[0], share / bursts[1], share / bursts[2]))
    passed = 0.0
    while passed < length:
        step = min(EVENTS / most, length - passed)
        passed += step
        _step(now, step, arrivals, speeds, weight, area)


@inner
def _step(
    now: Floats, step: float, arrivals: float, speeds: Floats, weight: float, area: Floats
) -> None:
    """The chain a short time later. `speeds` [kind, bursts there] of each one."""
    last = now.shape[2] - 1
    regions = outputs = inputs = 0.0
    for r in range(now.shape[0]):
        for o in range(now.shape[1]):
            came = 0.0
            for i in range(last + 1):
                here = now[r, o, i]
                left, came = here + came, 0.0
                if here > LITTLE:
                    regions += r * here
                    outputs += o * here
                    inputs += i * here
                    n, there = r + o + i, here * step
                    ended = (there * r * speeds[0, n], there * o * speeds[1, n])
                    begun = there * i * speeds[2, n]
                    left -= ended[0] + ended[1] + begun
                    now[max(r - 1, 0), o, i] += ended[0]
                    now[r, max(o - 1, 0), i] += ended[1]
                    now[r, o, max(i - 1, 0)] += begun
                    if i < last:
                        came = there * arrivals
                        left -= came
                now[r, o, i] = left
    area[0] += regions * step * weight
    area[1] += outputs * step * weight
    area[2] += inputs * step * weight


@inner
def _release(
    now: Floats, regions: int, chance: float, weight: float, after: Floats
) -> tuple[float, float]:
    """Add the chances after a release, times `weight`; the mean freed, and mean regions there."""
    top, outs = now.shape[0] - 1, now.shape[1] - 1
    odds = np.zeros(regions + 1)
    freed = held = 0.0
    for r in range(top + 1):
        free = regions - r
        odds[:] = 0.0
        odds[0] = (1 - chance) ** free
        for b in range(free):
            odds[b + 1] = odds[b] * (free - b) / (b + 1) * chance / max(1 - chance, 1e-12)
        if chance >= 1.0:
            odds[0], odds[free] = 0.0, 1.0
        for o in range(outs + 1):
            for i in range(now.shape[2]):
                here = now[r, o, i] * weight
                if here < LITTLE * 1e-2:
                    continue
                held += here * r
                for b in range(free + 1):
                    after[min(r + b, top), min(o + b, outs), i] += here * odds[b]
                    freed += here * odds[b] * b
    return freed, held
