"""What a log write adds to the waits for processors when it releases many transactions at once.

Those who wait for the same write of the log want a processor in the same moment, and keep everybody
waiting. The number at the processors is followed from write to write: a birth-death chain in time,
whose services end at the mean rate of those there, as processors are shared evenly. A release is as
large as the write before the last was long, hence one chain for each of two lengths. Followed are
the bursts after the write; what the others wait longer is a part of that (BESIDES). Source of the
log: model.md 3.8. Times in microseconds.
"""

from __future__ import annotations

import numpy as np

from imsperf.kernels import allocating_kernel
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver.queueing import birth_death_open, poisson

LARGEST = 60.0  # released at once and followed one by one; more wait in proportion
FULL = 0.92  # the chain is followed at no higher load; beyond it the population bounds the waits
BESIDES = 0.5  # others wait so much of it: 0.41 to 0.60 in simulations of five workloads
EVENTS = 0.25  # in a step of time, at most
CLOSE = 5e-4
SHORTEST = 0.25  # of the other bursts, in bursts after a write
ROUNDS = 60
LITTLE = 1e-11  # chance beyond which larger numbers are left out


def release_waits(
    rate: float, cpu: F64, servers: int, write: float, cv: float, behind: float = 0.0
) -> F64:
    """Extra wait by place [outside, ims, region] of one transaction.

    `cpu` by place: the bursts in `ims` come after a write that takes `write`, with coefficient of
    variation `cv`; `rate` per microsecond. `behind`: share of the transactions that wait for the
    region which such a write sets free. Zeros where nobody waits for another one.
    """
    after = np.array([0.0, cpu[1], behind * cpu[2]])
    demand, burst = float(cpu.sum()), float(after.sum())
    if write <= 0 or burst <= 0:
        return np.zeros(3)
    rate = min(rate, FULL * servers / demand)
    scale = max(rate * write / LARGEST, 1.0)
    others = demand - burst
    extra = scale * max(_after_write(rate, burst, others, servers, write / scale, cv), 0.0)
    beside = extra * min(BESIDES / others, 1 / burst) if others > 0 else 0.0
    return np.asarray(beside * (cpu - after) + extra / burst * after)


def _after_write(
    rate: float, burst: float, others: float, servers: int, write: float, cv: float
) -> float:
    """Time of the bursts after a write, beyond what it would be if each came by itself."""
    lengths, weights = two_lengths(write, cv)
    largest = rate * float(lengths[-1])
    count = int(largest + 4 * largest**0.5 + 5)
    sizes = np.array([poisson(count, rate * length) for length in lengths.tolist()])
    most = int(servers + len(sizes[0]) + 9 / (1 - rate * (burst + others) / servers) + 10)
    there = np.arange(most)
    speeds = np.minimum(there, servers) / ((burst + others) / 3)
    steady = birth_death_open(3 * rate, speeds)  # each by itself: two bursts and the last
    if steady is None:
        raise ValueError("the load was to be below the limit")
    alone = np.zeros(most)
    known = steady.chances[:most]
    alone[: len(known)] = known / known.sum()
    share, other = burst / (burst + others), max(others / 2, SHORTEST * burst)
    other_rate = rate * others / other
    number = _followed(alone, sizes, lengths, weights, servers, burst, other, other_rate, share)
    return (number - share * float(alone @ there)) / rate


def two_lengths(mean: float, cv: float) -> tuple[F64, F64]:
    """Lengths and their chances, with the mean, variance and skewness of a gamma distribution."""
    root = (1 + cv**2) ** 0.5
    lengths = mean * (1 + cv * np.array([cv - root, cv + root]))
    return lengths, np.array([0.5 + cv / (2 * root), 0.5 - cv / (2 * root)])


@allocating_kernel
def _followed(
    alone: F64,
    sizes: F64,
    lengths: F64,
    weights: F64,
    servers: int,
    burst: float,
    other: float,
    rate: float,
    share: float,
) -> float:
    """Mean number of bursts after a write. Other bursts, each `other` long, come at `rate`.

    `sizes` [length, number] are chances of a release by the length of the write in which it
    gathered; `alone`, `share`: where to begin, chances of the number there and the part of it that
    comes after writes.
    """
    many, most = len(lengths), len(alone)
    now, after = np.empty((many, most)), np.empty((many, most))
    present, later = np.empty(many), np.empty(many)
    released = np.zeros(many)
    for size in range(many):
        now[size] = alone * weights[size]
        present[size] = share * (alone * np.arange(most)).sum() * weights[size]
        released[size] = (sizes[size] * np.arange(sizes.shape[1])).sum() * weights[size]
    number, before = 0.0, -1.0
    for _ in range(ROUNDS):
        after[:], later[:], number = 0.0, 0.0, 0.0
        for size in range(many):  # the release to come gathered during a write of this length
            begin, left = 0.0, 1.0
            for write in range(many):  # and comes when one of this length ends
                time, there = _pass_time(
                    now[size], present[size], lengths[write] - begin, servers, burst, other, rate
                )
                present[size], begin = there, lengths[write]
                number += time * left
                left -= weights[write]
                _release(now[size], sizes[size], weights[write], after[write])
                later[write] += weights[write] * (there + released[size])
        for size in range(many):
            now[size] = after[size] * (weights[size] / after[size].sum())
        present[:] = later
        number /= (weights * lengths).sum()
        if abs(number - before) < CLOSE * number:
            break
        before = number
    return number


@allocating_kernel
def _pass_time(
    now: F64,
    present: float,
    length: float,
    servers: int,
    burst: float,
    other: float,
    rate: float,
) -> tuple[float, float]:
    """The chain `length` later: time spent there by bursts after writes, and how many are left."""
    top, number = len(now) - 1, 0.0
    for n in range(len(now)):
        number += n * now[n]
    time, passed = 0.0, 0.0
    while passed < length:
        while top > 1 and now[top] < LITTLE:
            top -= 1
        part = min(present / number, 1.0)
        speed = part / burst + (1 - part) / other
        step = min(EVENTS / (rate + min(servers, top) * speed), length - passed)
        passed += step
        top = min(top + 1, len(now) - 1)
        busy, number_after, carried, here = 0.0, 0.0, 0.0, now[0]
        for n in range(top):
            above = now[n + 1]
            running = min(n + 1, servers) * above
            flow = (here * rate - running * speed) * step
            now[n] = here + carried - flow
            busy += running
            number_after += n * now[n]
            carried, here = flow, above
        now[top] = here + carried
        number_after += top * now[top]
        left = present * np.exp(-busy / number / burst * step)
        time += (present + left) / 2 * step
        present, number = left, number_after
    return time, present


@allocating_kernel
def _release(now: F64, sizes: F64, weight: float, after: F64) -> None:
    """Add the chances of the sum of those there and those released, times `weight`."""
    most = len(now)
    for size in range(len(sizes)):
        chance = weight * sizes[size]
        if chance > LITTLE:
            for n in range(most - size):
                after[n + size] += chance * now[n]
