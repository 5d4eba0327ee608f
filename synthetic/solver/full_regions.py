"""What a log write does to processors while all regions are busy and transactions wait for one.

A region that held its log write is free when the write ends, with all that the write released, and
takes the next transaction at once: outputs and regions begin their bursts in the same moment. What
is at the processors is followed from write to write, a Markov chain of three numbers: regions,
outputs, inputs. Bursts are exponential and share the processors evenly; inputs are Poisson. Of the
regions that are not at the processors a release frees each with the same chance. How many come to
the log during a write, and when, is followed by its mean: bursts end, then a delay that is taken
for exponential; J. D. C. Little's law (Operations Research 9 (1961), pages 383-387) gives the time
at the log. Times in microseconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imsperf.kernels import allocating_kernel
from imsperf.synthetic.solver.releases import two_lengths

Floats = NDArray[np.float64]
EVENTS = 0.4  # in a step of time, at most
ROUNDS = 40
NEW = 0.75  # of a cycle; all of it would alternate where regions wait for the same writes
CLOSE = 1e-3
LITTLE = 1e-8  # chance of a state that is not followed
SOON = 1.0  # a shorter delay counts as so long
STATES = 3_500
SHORT = 0.02  # of the CPU time: bursts that are left out
SPREAD = 3.0  # standard deviations of a Poisson number that are followed


@dataclass(frozen=True)
class Full:
    """All regions busy for ever: rate per microsecond, and where a transaction's time goes."""

    rate: float
    times: Floats  # at processors, [outside, ims, region]
    logged: float  # for the log, in the region


def in_releases(
    arrivals: float,
    cpu: Floats,
    servers: int,
    write: tuple[float, float, float],
    regions: int,
    delay: float,
    running: float,
) -> Full | None:
    """The balance of full regions; None where it has too many states.

    `cpu` [outside, ims, region] of a transaction; `arrivals` of inputs per microsecond, no more
    than come out; `write`: its length, coefficient of variation, and the chance that one is under
    way; `delay` of a region without processors and log; `running`: mean number of regions at the
    processors, about.
    """
    lengths, weights = two_lengths(*write[:2])
    longest = float(lengths[-1])
    most = longest * min(servers / float(cpu.sum()), regions / (delay + longest))
    came = 2 * arrivals * float(cpu[0])
    there = [_most(running + most), _most(most), _most(came) + 3]
    counted = cpu[[2, 1, 0]] > SHORT * cpu.sum()
    most_of = (min(there[0], regions), min(there[1], regions), there[2])
    size = [n + 1 if known else 1 for n, known in zip(most_of, counted, strict=True)]
    if math.prod(size) > STATES or not counted[0]:
        return None
    bursts = np.where(counted, cpu[[2, 1, 0]], cpu[2])
    given = (arrivals, float(regions), max(delay, SOON), min(running, regions / 2))
    rate, number, times = _followed(given, bursts, servers, lengths, weights, np.zeros((2, *size)))
    times = np.where(counted, times, cpu[[2, 1, 0]])
    logged = write[0] + write[2] * (number / rate - write[0])  # who finds no write begins one
    rate = regions / (delay + float(times[0]) + logged)
    return Full(rate, np.asarray(times[[2, 1, 0]]), logged)


def _most(mean: float) -> int:
    """Above this a Poisson number hardly ever is."""
    return int(np.ceil(mean + SPREAD * np.sqrt(mean)))


@allocating_kernel
def _followed(
    given: tuple[float, float, float, float],
    bursts: Floats,
    servers: int,
    lengths: Floats,
    weights: Floats,
    now: Floats,
) -> tuple[float, float, Floats]:
    """The rate, mean regions at the log, and the mean time of a burst of regions, outputs, inputs.

    `given`: arrivals, regions, their delay, how many are at the processors at first. `now`: room
    for the chances of each state, by length of the write in which the next release gathered.
    """
    arrivals, regions, delay, running = given
    now[:, min(int(running + 0.5), now.shape[1] - 1), 0, 0] = weights
    mean = (weights * lengths).sum()
    rate = (regions - running) / (delay + 1.5 * mean)
    means = rate * lengths  # of the release to come
    times, before, area = np.zeros(3), -1.0, np.zeros(4)
    for _ in range(ROUNDS):
        area[:] = 0.0
        came = min(arrivals, rate)
        _cycle(now, means, regions, delay, came, bursts, servers, lengths, weights, area)
        change, rate = abs(area[3] / delay / mean - rate), area[3] / delay / mean
        times[:2] = area[:2] / mean / rate
        times[2] = area[2] / (came * mean) if came > 0 else bursts[2]
        if abs(times[0] - before) < CLOSE * times[0] and change < CLOSE * rate:
            break
        before = times[0]
    return rate, regions - (area[0] + area[3]) / mean, times


@allocating_kernel
def _cycle(
    now: Floats,
    means: Floats,
    regions: float,
    delay: float,
    arrivals: float,
    bursts: Floats,
    servers: int,
    lengths: Floats,
    weights: Floats,
    area: Floats,
) -> None:
    """One write and its release. `area`: time of bursts of each kind there, and of delays."""
    many, old = len(lengths), now.copy()
    after, gathered = np.zeros_like(now), np.zeros(many)
    for one in range(many):  # the release to come gathered during a write of this length
        begin, left, released = 0.0, 1.0, means[one]
        there = regions_in(now[one]) / weights[one]
        known = np.array([max(regions - there - released, 0.0), 0.0])  # in delay, at the log since
        for two in range(many):  # and comes when one of this length ends
            length = lengths[two] - begin
            _pass_time(
                now[one], known, length, delay, arrivals, bursts, servers, left, weights[one], area
            )
            begin = lengths[two]
            left -= weights[two]
            others = regions - regions_in(now[one]) / weights[one]
            chance = min(released / others, 1.0)
            _release(now[one], int(regions), chance, weights[two], after[two])
            gathered[two] += weights[one] * known[1]
    for one in range(many):
        now[one] = NEW * after[one] * (weights[one] / after[one].sum()) + (1 - NEW) * old[one]
    means += NEW * (gathered - means)


@allocating_kernel
def regions_in(now: Floats) -> float:
    """Mean number of regions at the processors, times the chance of all states."""
    number = 0.0
    for r in range(now.shape[0]):
        number += r * now[r].sum()
    return number


@allocating_kernel
def _pass_time(
    now: Floats,
    known: Floats,
    length: float,
    delay: float,
    arrivals: float,
    bursts: Floats,
    servers: int,
    weight: float,
    chance: float,
    area: Floats,
) -> None:
    """The chain `length` later; `known`: mean regions in their delay, and at the log since."""
    most = arrivals + servers / bursts.min()
    share = np.minimum(1.0, servers / np.maximum(np.arange(sum(now.shape)), 1))
    speeds = np.stack((share / bursts[0], share / bursts[1], share / bursts[2]))
    passed = 0.0
    while passed < length:
        step = min(EVENTS / most, length - passed)
        passed += step
        ended = _step(now, step, arrivals, speeds, weight, area) / chance
        inside = known[0] * delay * (1 - np.exp(-step / delay))  # bursts end at the step's end
        area[3] += inside * weight * chance
        back = inside / delay
        known[0] += ended - back
        known[1] += back


@allocating_kernel
def _step(
    now: Floats, step: float, arrivals: float, speeds: Floats, weight: float, area: Floats
) -> float:
    """The chain a short time later; mean regions whose bursts ended. `speeds` [kind, bursts]."""
    last = now.shape[2] - 1
    regions = outputs = inputs = gone = 0.0
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
                    gone += ended[0]
                    if i < last:
                        came = there * arrivals
                        left -= came
                now[r, o, i] = left
    area[0] += regions * step * weight
    area[1] += outputs * step * weight
    area[2] += inputs * step * weight
    return gone


@allocating_kernel
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
