"""What a log write adds to the waits for processors when those it releases soon come back together.

For few clients who think no longer than two writes of the log. Each of them thinks, wants a
processor, waits for all else (delay) and for the log. Who is at the processors and who thinks is
followed from write to write as in full_regions.py, the others by their mean. The answer is the
delay that makes the product form of the same network as slow. Bursts, thought and delay are taken
for exponential; the burst after a write counts as a part of the next one. Times in microseconds.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from imsperf.kernels import allocating_kernel
from imsperf.synthetic.solver.queueing import birth_death
from imsperf.synthetic.solver.releases import two_lengths

Floats = NDArray[np.float64]
EVENTS = 0.4  # in a step of time, at most
ROUNDS = 60
NEW = 0.75  # of a cycle, see full_regions.py
CLOSE = 1e-3
LITTLE = 1e-9  # chance of a state that is not followed
STATES = 2_500
SOON = 2.0  # writes that one thinks at most; beyond, 5 us of 1,300 (`jmp` as measured) or less
SEVERAL = 1.3  # released on the mean; fewer often leave the log idle
SPREAD = 4.0  # standard deviations of a Poisson number that are followed


def return_wait(
    clients: int,
    cycle: tuple[float, float, float],
    servers: int,
    write: tuple[float, float],
) -> float:
    """Extra wait for processors of one transaction; 0 where too many states are to be followed.

    `cycle`: thought, CPU time and delay; `write`: its length and coefficient of variation.
    """
    think, burst, delay = cycle
    if not 0 < think < SOON * write[0] or delay <= 0:
        return 0.0
    speeds = np.arange(servers + 1) / burst
    log = write[0] * (1.5 + write[1] ** 2 / 2)
    plain = birth_death(clients, think + delay + log, speeds)
    released = plain.rate * write[0]
    top = (_most(plain.number, released), _most(plain.rate * think, released))
    size = (min(clients, top[0]) + 1, min(clients, top[1]) + 1)
    if released < SEVERAL or math.prod(size) > STATES:
        return 0.0
    lengths, weights = two_lengths(*write)
    first = (min(int(plain.number), size[0] - 1), min(int(plain.rate * think), size[1] - 1))
    given = (think, delay, float(clients))
    rate, logged = _followed(given, speeds, lengths, weights, np.zeros((2, *size)), first)
    away = think + delay + logged

    def faster(wait: float) -> float:
        return birth_death(clients, away + wait, speeds).rate - rate

    return float(brentq(faster, 0.0, away, xtol=1e-3)) if faster(0.0) > 0 else 0.0


def _most(mean: float, released: float) -> int:
    """Hardly ever more are at a place, with a release of twice the mean."""
    return int(mean + released + SPREAD * np.sqrt(mean + released) + 4)


@allocating_kernel
def _followed(
    given: tuple[float, float, float],
    speeds: Floats,
    lengths: Floats,
    weights: Floats,
    now: Floats,
    first: tuple[int, int],
) -> tuple[float, float]:
    """The rate, and the mean time at the log. `now` [length, at processors, thinking]: room."""
    _, delay, clients = given
    now[:, first[0], first[1]] = weights
    mean = (weights * lengths).sum()
    rate = (clients - first[0] - first[1]) / (delay + 1.5 * mean)
    means, area, before = rate * lengths, np.zeros(3), -1.0
    for _ in range(ROUNDS):
        area[:] = 0.0
        _cycle(now, means, given, speeds, lengths, weights, area)
        change, rate = abs(area[2] / delay / mean - rate), area[2] / delay / mean
        time = area[0] / mean / rate
        if abs(time - before) < CLOSE * time and change < CLOSE * rate:
            break
        before = time
    return rate, (clients - area.sum() / mean) / rate


@allocating_kernel
def _cycle(
    now: Floats,
    means: Floats,
    given: tuple[float, float, float],
    speeds: Floats,
    lengths: Floats,
    weights: Floats,
    area: Floats,
) -> None:
    """One write and its release. `area`: time at processors, in thought, in delays."""
    think, delay, clients = given
    many, old = len(lengths), now.copy()
    after, gathered = np.zeros_like(now), np.zeros(many)
    for one in range(many):  # the release to come gathered during a write of this length
        begin, left, known = 0.0, 1.0, np.zeros(2)
        known[0] = max(clients - _there(now[one]) / weights[one] - means[one], 0.0)
        for two in range(many):  # and comes when one of this length ends
            length, weight = lengths[two] - begin, left * weights[one]
            _pass_time(now[one], known, length, think, delay, speeds, weight, weights[one], area)
            begin = lengths[two]
            left -= weights[two]
            others = clients - _there(now[one]) / weights[one]
            _release(now[one], clients, min(means[one] / others, 1.0), weights[two], after[two])
            gathered[two] += weights[one] * known[1]
    for one in range(many):
        now[one] = NEW * after[one] * (weights[one] / after[one].sum()) + (1 - NEW) * old[one]
    means += NEW * (gathered - means)


@allocating_kernel
def _there(now: Floats) -> float:
    """Mean number at processors and in thought, times the chance of all states."""
    number = 0.0
    for m in range(now.shape[0]):
        for t in range(now.shape[1]):
            number += (m + t) * now[m, t]
    return number


@allocating_kernel
def _pass_time(
    now: Floats,
    known: Floats,
    length: float,
    think: float,
    delay: float,
    speeds: Floats,
    weight: float,
    chance: float,
    area: Floats,
) -> None:
    """The chain `length` later; `known`: mean clients in delay, and at the log since.

    `chance` of all states; `weight`: what their time counts.
    """
    most, passed = speeds[-1] + now.shape[1] / think / 2, 0.0
    while passed < length:
        step = min(EVENTS / most, length - passed)
        passed += step
        here = now.copy()
        ended = present = thinking = 0.0
        for m in range(now.shape[0]):
            speed = speeds[min(m, len(speeds) - 1)]
            for t in range(now.shape[1]):
                if here[m, t] < LITTLE:
                    continue
                present += m * here[m, t]
                thinking += t * here[m, t]
                done = here[m, t] * step * speed
                now[m, t] -= done
                now[max(m - 1, 0), t] += done
                ended += done
                if m + 1 < now.shape[0]:
                    back = here[m, t] * step * t / think
                    now[m, t] -= back
                    now[m + 1, max(t - 1, 0)] += back
        inside = known[0] * delay * (1 - np.exp(-step / delay))
        known[0] += ended / chance - inside / delay
        known[1] += inside / delay
        area += np.array([present * step, thinking * step, inside * chance]) * (weight / chance)


@allocating_kernel
def _release(now: Floats, clients: float, chance: float, weight: float, after: Floats) -> None:
    """Add the chances after a release, times `weight`."""
    last = now.shape[1] - 1
    for m in range(now.shape[0]):
        for t in range(last + 1):
            here, free = now[m, t] * weight, max(int(clients) - m - t, 0)
            if here < LITTLE * 1e-3:
                continue
            odds = (1 - chance) ** free
            for b in range(free + 1):
                after[m, min(t + b, last)] += here * odds
                odds *= (free - b) / (b + 1) * chance / max(1 - chance, 1e-12)
