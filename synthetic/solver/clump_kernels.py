"""The loops of clumps.py and paths.py, compiled: chains followed in small steps of time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.simulation.compiled import compiled

Floats = NDArray[np.float64]
LITTLE = 1e-15  # chance below which a state is passed over
LEAST = 1e-18  # the same while time goes on
ROUGHLY = 1e-12  # the same for pairs of a state and a member
SETTLED = 1e-9  # change over a round of all cycles at which the rounds end
ROUNDS = 400


@compiled
def follow(
    now: Floats, sizes: Floats, leave: Floats, rate: float, step: float, cycles: Floats, parts: int
) -> tuple[Floats, Floats]:
    """Chances before each clump [cycle, state], and time with each number [cycle x part, state].

    `sizes` [cycle, state] are chances of the members of the clump that begins a cycle; two rounds,
    of which the second counts. States above `top` have next to no chance.
    """
    states, many = len(now), len(cycles)
    before = np.empty((many, states))
    course = np.zeros((many * parts, states))
    new = np.empty(states)
    for turn in range(2):
        for c in range(many):
            before[c] = now
            peak = np.argmax(sizes[c])
            new[:] = 0.0
            for i in range(states):
                if now[i] > LITTLE:
                    for j in range(states - i):
                        new[i + j] += now[i] * sizes[c, j]
                        if j > peak and sizes[c, j] < LEAST:
                            break
            now[:] = new
            top = states - 2
            each = max(int(np.ceil(cycles[c] / step / parts)), 1)
            short = cycles[c] / (each * parts)
            for part in range(parts):
                while top > 1 and now[top] < LEAST:
                    top -= 1
                top = min(top + each, states - 2)
                for _ in range(each):
                    if turn == 1:
                        for i in range(top + 2):
                            course[c * parts + part, i] += now[i] * short
                    for i in range(top + 1):
                        new[i] = now[i] * (rate * short) - now[i + 1] * (leave[i + 1] * short)
                    now[0] -= new[0]
                    for i in range(1, top + 1):
                        now[i] += new[i - 1] - new[i]
                    now[top + 1] += new[top]
    return before, course


@compiled
def parts_of(ends: Floats, numbers: Floats, waits: Floats) -> Floats:
    """Numbers [part, state] that come in the middle of a part: in which part their wait ends.

    `waits` do not fall from state to state.
    """
    found = np.zeros(len(ends))
    last = len(ends) - 1
    for part in range(len(ends)):
        begin = ends[part - 1] if part else 0.0
        middle = (begin + ends[part]) / 2
        place, turned = part, 0.0
        for state in range(len(waits)):
            time = middle + waits[state]
            while time >= ends[place] + turned:
                place += 1
                if place > last:
                    place, turned = 0, turned + ends[last]
            found[place] += numbers[part, state]
    return found


@compiled
def members(
    before: Floats,
    gathered: Floats,
    begins: Floats,
    behind: float,
    servers: int,
    service: float,
    ends: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Members of the clumps [0] and those who come with them but queue behind [1].

    Sums of wait, of busy servers and of members, and how many start in each part. The number
    present before each clump is `before` [cycle, state], `gathered` its mean size (Poisson).
    """
    waits, busy, weights = np.zeros(2), np.zeros(2), np.zeros(2)
    starts = np.zeros((2, len(ends)))
    many, states = before.shape
    for c in range(many):
        size = gathered[c]
        most = int(size + 8 * size**0.5 + 10)
        there = np.empty(most)  # chance that the clump has an n-th member
        chance, left = np.exp(-size), 1.0
        for n in range(most):
            left -= chance
            there[n] = max(left, 0.0)
            chance *= size / (n + 1)
        for kind in range(2):
            each = behind if kind else 1.0
            if each == 0:
                continue
            first = size if kind else 0.0
            ahead = np.zeros(states + most + 1)
            if each == 1:  # so many stand before one of them: a whole number
                for state in range(states):
                    if before[c, state] > LITTLE:
                        for n in range(most):
                            ahead[state + n + 1] += before[c, state] * there[n]
                for k in range(len(ahead)):
                    if ahead[k] > LITTLE:
                        _start(
                            k + first, ahead[k], 1.0, begins[c], servers, service, ends,
                            starts[kind], waits, busy, kind,
                        )  # fmt: skip
            else:
                for state in range(states):
                    if before[c, state] > ROUGHLY:
                        for n in range(most):
                            weight = before[c, state] * there[n]
                            if weight > ROUGHLY:
                                _start(
                                    state + first + each * (n + 1), weight, each, begins[c],
                                    servers, service, ends, starts[kind], waits, busy, kind,
                                )  # fmt: skip
            weights[kind] += there.sum()
    return waits, busy, weights, starts


@compiled
def _start(
    ahead: float,
    weight: float,
    each: float,
    begin: float,
    servers: int,
    service: float,
    ends: Floats,
    starts: Floats,
    waits: Floats,
    busy: Floats,
    kind: int,
) -> None:
    """Count one who finds so many ahead."""
    wait = max(ahead - servers, 0.0) * service / servers
    waits[kind] += weight * wait
    busy[kind] += weight * min(ahead, servers) / servers
    place = np.searchsorted(ends, (begin + wait) % ends[-1], side="right")
    if place < len(ends):
        starts[place] += weight * each


@compiled
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


@compiled
def _change(chances: Floats, up: float, down: float, into: Floats) -> None:
    carried = 0.0
    for i in range(len(chances) - 1):
        flow = chances[i] * up - chances[i + 1] * down
        into[i] = carried - flow
        carried = flow
    into[len(chances) - 1] = carried
