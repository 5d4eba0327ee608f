"""What the XCF gate adds to the waits for processors, as it lets many messages through at once.

Who is held passes when the next window of the member begins; the windows of the members begin
one after the other, evenly spread. How many pass at once: the chances of the backlog then, a chain
from window to window whose clients send while they are not held. Those who find the gate open
come one by one, till the quota is used up. What both find at the processors: gate_kernels.py. Times
in microseconds, rates per microsecond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr, pdtr, pdtrc, xlogy

from imsperf.synthetic.solver.devices import gate_chances, held_at_end

Floats = NDArray[np.float64]
NOBODY = 0.02  # held at a member on the mean: no crowd
ALONE = 1e-3  # mean number before a message in its crowd, over that of processors
DEEP = 8.0  # standard deviations of the backlog beyond which a window never gets all through
LARGEST_CHAIN = 400  # numbers of the backlog that are told apart
HEAVY = 0.99  # of the quota, of open work
LARGEST = 100.0  # in a crowd that is followed one by one; more wait in proportion
FULL = 0.92  # as in releases.py
SHORTEST = 0.01  # of all CPU: a burst, and a delay
EVEN = 0.005  # of all CPU: shorter turns than that share as evenly
FELT = 5.0  # times as long as the processors work for a crowd, and a transaction takes
PARTS = 256  # of a window
RENEWALS = 20  # that are told apart
KINDS = 32  # of crowds whose end of the quota is told apart


@dataclass(frozen=True)
class Crowds:
    """A member's gate. `held`: mean number there; `clients` of a member, endless for open work."""

    members: int
    quota: int
    window: float
    rate: float  # of a member
    held: float
    clients: float
    cycle: float  # of a client without the gate, mean
    cycle_cv: float


@dataclass(frozen=True)
class Path:
    """A transaction between its messages: CPU [outside, region, ims], and delays between.

    `turn`: how long a burst has its processor at most. `io`: chance, and two stages of a delay
    behind the region burst; `later`: stages of the delays behind that.
    """

    cpu: Floats
    turn: float
    servers: int
    io: Floats
    later: Floats


def gate_waits(gate: Crowds, path: Path) -> tuple[Floats, float]:
    """Extra wait for a processor by place [outside, ims, region] of one transaction.

    And the rate at which others come to the log with it.
    """
    nothing = np.zeros(3), gate.rate * gate.members
    if gate.held < NOBODY or path.cpu.sum() <= 0:
        return nothing
    sizes = crowd_sizes(gate)
    number = np.arange(len(sizes))
    mean, crowd = gate.rate * gate.window, float(sizes @ number)
    if sizes @ (number * (number - 1)) < ALONE * 2 * mean * path.servers:
        return nothing
    if gate.clients <= gate.quota:
        alone = float(_followed(gate, path, np.full(1, 1e-12), sizes)[:3].sum())
        gate = _slowed(gate, alone * mean / crowd)
    steady = np.full(1, gate.rate * gate.members)
    found = _followed(gate, path, _folded(gate, sizes), sizes)
    usual = _followed(gate, path, steady, np.ones(1), crowd)
    return np.maximum(found - usual, 0.0)[[0, 2, 1]], max(float(found[3]), nothing[1])


def _slowed(gate: Crowds, wait: float) -> Crowds:
    """Those of a crowd come back later, by what they waited: from nothing to twice the mean."""
    variance = (gate.cycle * gate.cycle_cv) ** 2 + wait**2 / 3
    cycle = gate.cycle + wait
    return replace(gate, cycle=cycle, cycle_cv=variance**0.5 / cycle)


def _followed(gate: Crowds, path: Path, sent: Floats, sizes: Floats, crowd: float = 0.0) -> Floats:
    """Waits by place [outside, region, ims] for crowds of such sizes, and all others `sent`.

    Of one transaction of all; fourth, the rate of others at the log. Followed for as long as a
    crowd (of mean size `crowd`, where there is none in `sizes`) may be felt; waits after that are
    left out.
    """
    from imsperf.synthetic.solver.gate_kernels import waits  # numba: not before it is needed

    demand = float(path.cpu.sum())
    slower = max(gate.rate * gate.members * demand / (FULL * path.servers), 1.0)
    scale = max(gate.quota / LARGEST, 1.0) if len(sizes) > LARGEST else 1.0
    crowd = crowd or float(sizes @ np.arange(len(sizes)))
    period = gate.window / gate.members * slower
    alone = demand + float(path.io[1:].sum() + path.later.sum())
    part = min(FELT * (crowd * demand / path.servers + alone) / period, 1.0)
    sent = sent[: math.ceil(part * len(sent))] / slower
    cpu = np.maximum(path.cpu, SHORTEST * demand)  # a burst of no length has no turns
    again = np.exp(-max(path.turn, EVEN * demand) / cpu)
    found = waits(
        path.servers,
        cpu * (1 - again),
        again,
        np.append(path.io[:1], np.maximum(path.io[1:], SHORTEST * demand) / scale),
        np.maximum(path.later, SHORTEST * demand) / scale,
        sent,
        _smaller(sizes, scale),
        period * part / scale,
    )
    number = float(sizes @ np.arange(len(sizes))) + float(sent.mean()) * period * part
    found[:3] *= scale * number / max(gate.rate * gate.window, 1e-300)
    return found


def _smaller(sizes: Floats, scale: float) -> Floats:
    """The same chances for crowds so much smaller."""
    if scale == 1:
        return sizes
    place = np.arange(len(sizes)) / scale
    low = np.floor(place).astype(np.int64)
    made = np.zeros(int(low[-1]) + 2)
    np.add.at(made, low, sizes * (low + 1 - place))
    np.add.at(made, low + 1, sizes * (place - low))
    return made


def crowd_sizes(gate: Crowds) -> Floats:
    """Chances that 0, 1 ... `quota` or all clients pass when a window begins."""
    quota, arrivals = gate.quota, gate.rate * gate.window
    if gate.clients <= quota:
        return _few(gate)
    if math.isinf(gate.clients):
        chances = gate_chances(min(arrivals, HEAVY * quota), quota)
        chances /= chances.sum()
    else:
        spread = math.sqrt(max(gate.clients - gate.held, 1.0) / 2)
        if gate.held > quota + DEEP * spread:
            return np.asarray(np.eye(quota + 1)[quota])
        chances = _backlog(gate, min(int(gate.held + DEEP * spread) + quota, int(gate.clients)))
    made = np.zeros(quota + 1)
    made[: min(len(chances), quota)] = chances[:quota]
    made[quota] = chances[quota:].sum()
    return made


def _backlog(gate: Crowds, most: int) -> Floats:
    """Stationary chances of the backlog at the start of a window, from window to window.

    Who is not held sends as a Poisson stream, once a cycle. Who was held passes first; what the
    quota does not pass is held when the window ends. A large backlog goes in lumps of messages,
    whose number is as good as normal.
    """
    lump = math.ceil(most / LARGEST_CHAIN)
    waiting = np.arange(most // lump + 1)
    passed = np.minimum(waiting * lump, gate.quota).astype(np.float64)
    free = gate.clients - (waiting * lump - passed)
    each = gate.window / gate.cycle
    sent = each * np.maximum(free - _held_later(gate.quota - passed, each * free), 0.0)
    came = (waiting[None, :] - waiting[:, None]) * lump + gate.quota  # lead from row to column
    if lump == 1:
        logs = xlogy(np.maximum(came, 0), sent[:, None]) - sent[:, None]
        moves = np.where(came < 0, 0.0, np.exp(logs - gammaln(np.maximum(came, 0) + 1.0)))
        moves[:, 0] = pdtr(np.maximum(came[:, 0], 0), sent) * (came[:, 0] >= 0)
    else:
        below = ndtr((came + lump / 2 - sent[:, None]) / np.sqrt(sent[:, None] + 1e-9))
        moves = np.diff(below, axis=1, prepend=0.0)
    moves[:, -1] += np.maximum(1 - moves.sum(axis=1), 0.0)
    from imsperf.synthetic.solver.gate_kernels import stationary  # numba: as above

    found = stationary(moves, math.ceil(gate.quota / lump) + 8 * (lump > 1))
    if lump == 1:
        return found
    spaced = np.zeros(lump * len(found))
    spaced[::lump] = found
    return spaced


def _held_later(left: Floats, sent: Floats) -> Floats:
    """Mean number, over a window, of those sent in it beyond the `left` that may pass."""
    nodes, weights = np.polynomial.legendre.leggauss(6)
    mean = sent * (nodes[:, None] + 1) / 2
    beyond = [np.where(left >= k, pdtrc(np.maximum(left - k, 0), mean), 1.0) for k in (2, 1)]
    return np.asarray(weights / 2 @ np.maximum(mean * beyond[0] - left * beyond[1], 0.0))


def _few(gate: Crowds) -> Floats:
    """No more clients than may pass: each is held at the end of a window with the same chance."""
    clients = max(round(gate.clients), 1)
    free = gate.clients * gate.window / gate.cycle
    held = held_at_end(gate.rate * gate.window, gate.quota, gate.clients, free) / gate.clients
    number = np.arange(clients + 1)
    logs = gammaln(clients + 1.0) - gammaln(number + 1.0) - gammaln(clients - number + 1.0)
    logs = logs + xlogy(number, held) + xlogy(clients - number, max(1 - held, 0.0))
    return np.asarray(np.exp(logs))


def _folded(gate: Crowds, sizes: Floats) -> Floats:
    """Rate of those who are not held, of all members, in parts of the time between two windows."""
    cells = max(16, PARTS // gate.members)
    time = (np.arange(gate.members * cells) + 0.5) * gate.window / (gate.members * cells)
    few = gate.clients <= gate.quota
    profile = _few_sent(gate, sizes, time) if few else _many_sent(gate, sizes, time)
    left = max(gate.rate * gate.window - float(sizes @ np.arange(len(sizes))), 0.0)
    mean = max(float(profile.mean()) * gate.window, 1e-300)
    return np.asarray(profile.reshape(gate.members, cells).sum(axis=0) * left / mean)


def _many_sent(gate: Crowds, sizes: Floats, time: Floats) -> Floats:
    """Chance that the quota is not used up by then: the others come at a steady rate."""
    parts = np.array_split(np.arange(len(sizes)), min(KINDS, len(sizes)))
    chances = np.array([sizes[part].sum() for part in parts])
    middle = np.array([part.mean() for part in parts])
    steady = gate.rate * (1 + gate.held / max(gate.clients - gate.held, 1.0))
    left = np.ceil(gate.quota - middle - 1)[:, None]
    open_then = np.where(left < 0, 0.0, pdtr(np.maximum(left, 0), steady * time[None, :]))
    return np.asarray(chances @ open_then) + 1e-12


def _few_sent(gate: Crowds, sizes: Floats, time: Floats) -> Floats:
    """The same for few clients: those of the crowd come back after a cycle, again and again."""
    held = float(sizes @ np.arange(len(sizes)))
    rates = held * _again(time, gate.cycle, gate.cycle_cv * gate.cycle)
    rates += max(gate.clients - held, 0.0) / gate.cycle
    come = np.cumsum(rates) * (time[1] - time[0]) + 1e-12
    return np.asarray(rates * ndtr((gate.quota - held - come) / np.sqrt(come / 2))) + 1e-12


def _again(time: Floats, mean: float, spread: float) -> Floats:
    """Renewal density of cycles with this mean and spread: a constant time and an exponential one.

    The k-th end has a gamma density of k stages, k constant times later; after RENEWALS of them
    ends are as frequent as ever.
    """
    constant = mean - spread
    if constant * RENEWALS < mean:  # as good as exponential
        return np.full(len(time), 1 / mean)
    stage = np.arange(1, RENEWALS + 1)[:, None]
    late = (time[None, :] - stage * constant) / spread
    logs = xlogy(stage - 1, np.maximum(late, 1e-300)) - late - gammaln(stage)
    found = np.where(late > 0, np.exp(np.minimum(logs, 0.0)), 0.0).sum(axis=0) / spread
    return np.where(time > RENEWALS * constant, 1 / mean, found)
