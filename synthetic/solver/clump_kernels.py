"""The loops of clumps.py and paths.py, compiled: chains followed in small steps of time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imsperf.kernels import allocating_kernel

Floats = NDArray[np.float64]
LITTLE = 1e-15  # chance below which a state is passed over
LEAST = 1e-18  # the same while time goes on
ROUGHLY = 1e-12  # the same for pairs of a state and a member
SETTLED = 1e-9  # change over a round of all cycles at which the rounds end
ROUNDS = 400


@allocating_kernel
def follow(
    now: Floats,
    sizes: Floats,
    leave: Floats,
    waits: Floats,
    rate: float,
    step: float,
    cycles: Floats,
    ends: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Chances before each clump [cycle, state], time with each number, starts in each part.

    `sizes` [cycle, state] are chances of the members of the clump that begins a cycle. Arrivals at
    `rate` in the middle of a part start after `waits` [state], in the part in which that ends; all
    cycles have the same number of parts. Two rounds, of which the second counts.
    """
    states, many = len(now), len(cycles)
    parts = len(ends) // many
    before, during, starts = np.empty((many, states)), np.zeros(states), np.zeros(len(ends))
    new, here = np.empty(states), np.empty(states)
    for turn in range(2):
        for c in range(many):
            before[c] = now
            _joined(now, sizes[c], new)
            top = states - 2
            each = max(int(np.ceil(cycles[c] / step / parts)), 1)
            short = cycles[c] / (each * parts)
            for part in range(parts):
                while top > 1 and now[top] < LEAST:  # states above have next to no chance
                    top -= 1
                top = min(top + each, states - 2)
                _pass_time(now[: top + 2], leave, rate, short, each, new, here)
                if turn == 1:
                    during[: top + 2] += here[: top + 2]
                    _start_later(here[: top + 2], waits, rate, c * parts + part, ends, starts)
    return before, during, starts


@allocating_kernel
def _pass_time(
    now: Floats, leave: Floats, rate: float, short: float, steps: int, flow: Floats, here: Floats
) -> None:
    """The chain so many short steps later; `here` is the time in each state."""
    last = len(now) - 1
    here[: last + 1] = 0.0
    for _ in range(steps):
        for i in range(last + 1):
            here[i] += now[i] * short
        for i in range(last):
            flow[i] = now[i] * (rate * short) - now[i + 1] * (leave[i + 1] * short)
        now[0] -= flow[0]
        for i in range(1, last):
            now[i] += flow[i - 1] - flow[i]
        now[last] += flow[last - 1]


@allocating_kernel
def _joined(now: Floats, sizes: Floats, new: Floats) -> None:
    """The clump comes: chances of the sum, in `now`; what is too many is left out."""
    states, most = len(now), int(np.argmax(sizes))
    while most < states - 1 and sizes[most] > LEAST:
        most += 1
    new[:] = 0.0
    for i in range(states):
        if now[i] > LITTLE:
            for j in range(min(most + 1, states - i)):
                new[i + j] += now[i] * sizes[j]
    now[:] = new


@allocating_kernel
def _start_later(
    numbers: Floats, waits: Floats, rate: float, part: int, ends: Floats, starts: Floats
) -> None:
    """Arrivals in the middle of a part that find so many: in which part their wait ends."""
    last = len(ends) - 1
    middle = ((ends[part - 1] if part else 0.0) + ends[part]) / 2
    place, turned = part, 0.0
    for state in range(len(numbers)):
        time = middle + waits[state]
        while time >= ends[place] + turned:
            place += 1
            if place > last:
                place, turned = 0, turned + ends[last]
        starts[place] += numbers[state] * rate


@allocating_kernel
def members(
    before: Floats,
    gathered: Floats,
    begins: Floats,
    behind: float,
    servers: int,
    service: float,
    ends: Floats,
) -> tuple[Floats, Floats]:
    """Members of the clumps [0] and those who come with them but queue behind [1].

    Sums [kind] of wait and of members, and how many start in each part. The number present before
    each clump is `before` [cycle, state], `gathered` its mean size (Poisson).
    """
    sums, starts = np.zeros((2, 2)), np.zeros((2, len(ends)))
    for c in range(len(before)):
        there = _members_there(gathered[c])
        for kind in range(2):
            each = behind if kind else 1.0
            first = gathered[c] if kind else 0.0
            if each > 0:
                sums[kind, 1] += there.sum()
            if each == 1:  # so many stand before one of them: a whole number
                ahead = _sum_of(before[c], there)
                for k in range(len(ahead)):
                    if ahead[k] > LITTLE:
                        _begin(k + first, ahead[k], begins[c], servers, service, ends,
                               starts[kind], sums[kind])  # fmt: skip
            elif each > 0:
                for state in range(len(before[c])):
                    for n in range(len(there)):
                        weight = before[c, state] * there[n]
                        if weight > ROUGHLY:
                            _begin(state + first + each * (n + 1), weight, begins[c], servers,
                                   service, ends, starts[kind], sums[kind])  # fmt: skip
    starts[1] *= behind
    return sums, starts


@allocating_kernel
def _members_there(size: float) -> Floats:
    """Chances that a clump of this mean size has a first member, a second, and so on."""
    there = np.empty(int(size + 8 * size**0.5 + 10))
    chance, left = np.exp(-size), 1.0
    for n in range(len(there)):
        left -= chance
        there[n] = max(left, 0.0)
        chance *= size / (n + 1)
    return there


@allocating_kernel
def _sum_of(present: Floats, there: Floats) -> Floats:
    """Members [so many present and members up to oneself]."""
    ahead = np.zeros(len(present) + len(there))
    for state in range(len(present)):
        if present[state] > LITTLE:
            for n in range(len(there)):
                ahead[state + n + 1] += present[state] * there[n]
    return ahead


@allocating_kernel
def _begin(
    ahead: float,
    weight: float,
    begin: float,
    servers: int,
    service: float,
    ends: Floats,
    starts: Floats,
    sums: Floats,
) -> None:
    """Count one who finds so many ahead."""
    wait = max(ahead - servers, 0.0) * service / servers
    sums[0] += weight * wait
    place = np.searchsorted(ends, (begin + wait) % ends[-1], side="right")
    if place < len(ends):
        starts[place] += weight


@allocating_kernel
def ended(starts: Floats, leave: Floats, rounds: int) -> Floats:
    """Services that end in each part; `leave` is the chance that one there ends in it."""
    ends, inside = np.zeros(len(starts)), 0.0
    for _ in range(rounds):
        for part in range(len(starts)):
            inside += starts[part]
            ends[part] = inside * leave[part]
            inside -= ends[part]
    return ends


@allocating_kernel
def periodic_number(ups: Floats, downs: Floats, size: int) -> Floats:
    """Mean number at one server in each part, when the parts come round for ever.

    In a part so many come (`ups`) and could leave (`downs`), on average. To second order in time:
    to first order arrivals would vary less than those of a Poisson stream.
    """
    now = (ups.sum() / downs.sum()) ** np.arange(size)  # of a steady stream; soon forgotten
    now /= now.sum()
    once, twice = np.empty(size), np.empty(size)
    numbers = np.zeros(len(ups))
    last = -1.0
    for _ in range(ROUNDS):
        total = 0.0
        for part in range(len(ups)):
            count = int(np.ceil((ups[part] + downs[part]) / 0.25))
            up, down = ups[part] / max(count, 1), downs[part] / max(count, 1)
            mean = 0.0
            for i in range(size):
                mean += i * now[i]
            for _ in range(count):
                _change(now, up, down, once)
                _change(once, up, down, twice)
                for i in range(size):
                    now[i] += once[i] + twice[i] / 2
            after = 0.0
            for i in range(size):
                after += i * now[i]
            numbers[part] = (mean + after) / 2
            total += numbers[part]
        if abs(total - last) <= SETTLED * total:
            break
        last = total
    return numbers


@allocating_kernel
def _change(chances: Floats, up: float, down: float, into: Floats) -> None:
    carried = 0.0
    for i in range(len(chances) - 1):
        flow = chances[i] * up - chances[i + 1] * down
        into[i] = carried - flow
        carried = flow
    into[len(chances) - 1] = carried
