"""The processors while messages come in crowds: bursts first come first served, turn by turn.

Compiled. Bursts of three places follow each other: outside, region, and after delays ims. A burst
is an exponential time, served in turns, behind which it queues again: a queue with feedback. The
chances of the number there are a birth-death chain in time, whose rates are those of the mean
numbers in service; who waits is known by the order of arrival: so many as have begun service by now
had come up to some instant, and the places of these are known. Times in microseconds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imsperf.kernels import allocating_kernel

Floats = NDArray[np.float64]
EVENTS = 0.25  # in a step of time, at most
PART = 0.25  # of the shortest mean turn or delay: a step at most
PERIODS = 40
CLOSE = 1e-3
LITTLE = 1e-10  # chance beyond which larger numbers are left out
ROOM = 1 << 14  # instants that are remembered
LATEST, HEAD = 0, 1


@allocating_kernel
def waits(
    servers: int,
    turn: Floats,
    again: Floats,
    io: Floats,
    later: Floats,
    sent: Floats,
    sizes: Floats,
    period: float,
) -> Floats:
    """Waits for a processor by place [outside, region, ims] of one transaction, all its turns.

    `turn`: mean of each; `again`: chance of a further one. `io`: mean of each stage of a delay
    behind the region burst, the first entry is the chance that there is one; `later`: stages of
    what follows for all. `sizes`: chances of a crowd of 0, 1 ... at the start of each `period`;
    `sent`: rates of all others in equal parts of it. Fourth: the rate at which a mean transaction
    sees others end the first stage of `later`.
    """
    mean = (sizes * np.arange(len(sizes))).sum()
    each = mean + sent.mean() * period
    now = np.zeros(4 * servers + 2 * len(sizes) + 200)
    now[0] = 1.0
    busy, rates, begun = np.zeros(3), np.zeros(3), np.zeros(3)
    delayed, behind = np.zeros(len(io)), np.zeros(len(later))  # the first of `io` is not used
    line, at = np.zeros((ROOM, 4)), np.zeros(2, np.int64)
    found, before, ended = np.zeros(3), np.zeros(3), np.zeros(2)
    longest = PART * min(turn.min(), io[1:].min(), later.min())
    top = 0
    for number in range(PERIODS):
        found[:], ended[:] = 0.0, 0.0
        passed = 0.0
        queue, top = _released(now, sizes, servers, top)
        _came(line, at, mean, 0.0, 0.0)
        _begin(line, at, queue, busy, begun)
        while passed < period:
            rates[:] = busy / turn
            after = behind[-1] / later[-1]
            births = sent[min(int(passed / period * len(sent)), len(sent) - 1)]
            out = (1 - again[1]) * rates[1] + (1 - again[2]) * rates[2]
            each_out = out / max(busy.sum(), 1e-300)
            steps = births + after + min(top + 1, servers) * each_out
            step = min(longest, EVENTS / max(steps, 1e-300), period - passed)
            passed += step
            found += (line[at[LATEST], 1:] - begun) * (step / 2)
            queue, top = _chain(now, births + after, each_out, servers, top, step)
            busy -= rates * step
            _came(
                line,
                at,
                (births + again[0] * rates[0]) * step,
                ((1 - again[0]) * rates[0] + again[1] * rates[1]) * step,
                (after + again[2] * rates[2]) * step,
            )
            ended += np.array([step, step * behind[0] / later[0]]) * (behind[0] / later[0])
            _delay(delayed, behind, io, later, (1 - again[1]) * rates[1], step)
            _begin(line, at, queue, busy, begun)
            found += (line[at[LATEST], 1:] - begun) * (step / 2)
        found /= each
        if number > 0 and np.abs(found - before).sum() < CLOSE * found.sum():
            break
        before[:] = found
    return np.append(found, ended[1] / max(ended[0], 1e-300))


@allocating_kernel
def stationary(moves: Floats, down: int) -> Floats:
    """Stationary chances of a chain, `moves` [from, to], that falls by `down` at most; in place.

    States are taken out from the last one on: W. K. Grassmann, M. I. Taksar, D. P. Heyman,
    Operations Research 33 (1985), pages 1107-1116.
    """
    many = len(moves)
    for last in range(many - 1, 0, -1):
        low = max(last - down, 0)
        out = 0.0
        for to in range(low, last):
            out += moves[last, to]
        for begin in range(last):
            part = moves[begin, last] / out
            moves[begin, last] = part
            if part > 1e-18:
                for to in range(low, last):
                    moves[begin, to] += part * moves[last, to]
    found = np.zeros(many)
    found[0] = 1.0
    for state in range(1, many):
        for begin in range(state):
            found[state] += found[begin] * moves[begin, state]
    found /= found.sum()
    return found


@allocating_kernel
def _released(now: Floats, sizes: Floats, servers: int, top: int) -> tuple[float, int]:
    """A crowd joins those there; the mean number waiting, and the largest number there."""
    before, most = now.copy(), len(now)
    now[:] = 0.0
    queue = 0.0
    for size in range(len(sizes)):
        if sizes[size] > LITTLE:
            for n in range(min(top + 1, most - size)):
                now[n + size] += sizes[size] * before[n]
                queue += max(n + size - servers, 0) * sizes[size] * before[n]
    return queue, min(top + len(sizes) - 1, most - 1)


@allocating_kernel
def _chain(
    now: Floats, births: float, each: float, servers: int, top: int, step: float
) -> tuple[float, int]:
    """The chances of 0, 1 ... there a step later; each busy server ends work at rate `each`."""
    while top > 1 and now[top] < LITTLE:
        top -= 1
    top = min(top + 1, len(now) - 1)
    queue, carried, here = 0.0, 0.0, now[0]
    for n in range(top):
        above = now[n + 1]
        flow = (here * births - min(n + 1, servers) * each * above) * step
        now[n] = here + carried - flow
        queue += max(n - servers, 0) * now[n]
        carried, here = flow, above
    now[top] = here + carried
    return queue + max(top - servers, 0) * now[top], top


@allocating_kernel
def _came(line: Floats, at: NDArray[np.int64], outside: float, region: float, ims: float) -> None:
    """Remember how many have come by now: of all places, and of each."""
    latest, head = at[LATEST], at[HEAD]
    if latest + 1 == len(line):  # forget who has begun, and every other instant if need be
        each = 2 if latest - head > len(line) // 2 else 1
        left = (latest - head + each - 1) // each + 1
        for row in range(left):
            line[row] = line[max(latest - each * (left - 1 - row), head)]
        at[LATEST], at[HEAD] = left - 1, 0
    row = at[LATEST]
    at[LATEST] = row + 1
    line[row + 1, 1] = line[row, 1] + outside
    line[row + 1, 2] = line[row, 2] + region
    line[row + 1, 3] = line[row, 3] + ims
    line[row + 1, 0] = line[row + 1, 1] + line[row + 1, 2] + line[row + 1, 3]


@allocating_kernel
def _begin(line: Floats, at: NDArray[np.int64], queue: float, busy: Floats, begun: Floats) -> None:
    """All but `queue` of those who came have begun service, the first to come first."""
    latest = at[LATEST]
    total = max(line[latest, 0] - queue, begun.sum())
    while at[HEAD] < latest and line[at[HEAD] + 1, 0] <= total:
        at[HEAD] += 1
    head = at[HEAD]
    part = 0.0
    if head < latest:
        part = (total - line[head, 0]) / (line[head + 1, 0] - line[head, 0])
    for place in range(3):
        until = line[head, place + 1]
        if head < latest:
            until += part * (line[head + 1, place + 1] - until)
        busy[place] += until - begun[place]
        begun[place] = until


@allocating_kernel
def _delay(
    delayed: Floats, behind: Floats, io: Floats, later: Floats, coming: float, step: float
) -> None:
    """Those in the delays a step later; `coming` is the rate at which region bursts end."""
    flow = coming * io[0]
    for stage in range(1, len(io)):
        passing = delayed[stage] / io[stage]
        delayed[stage] += (flow - passing) * step
        flow = passing
    flow += coming * (1 - io[0])
    for stage in range(len(later)):
        passing = behind[stage] / later[stage]
        behind[stage] += (flow - passing) * step
        flow = passing
