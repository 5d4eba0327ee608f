"""OLDS: blocks written one after the other, and the wait for a buffer while all are full.

model.md 2 and 3.5: one outstanding write for each log data set. Transactions fill blocks, so both
what comes and what is written are nearly steady, and what is unwritten moves like a Brownian
motion with a wall at nothing: J. M. Harrison, Brownian Motion and Stochastic Flow Systems (1985),
chapter 5. Nobody waits while buffers are free; beyond that who waits does not send, which pulls it
back (a reflected Ornstein-Uhlenbeck process), so that clients who are many pass all that can be
written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq
from scipy.special import log_ndtr

from imsperf.synthetic.solver.devices import block_writes

LEAST = 60.0  # log of the chance that all buffers are full, beyond which it is not looked at
LAST = 1e-5  # of a write: what is left at the very limit, where who is nowhere else waits
FLAT = 1e-12


@dataclass(frozen=True)
class LogBuffers:
    """The buffers of a log and the writes of their blocks; `cv` of a write's time, in `write`."""

    block_bytes: int
    write: float
    buffers: int
    cv: float


def buffer_wait(
    rate: float, length: float, log: LogBuffers, *populations: float
) -> tuple[float, float | None]:
    """Load of the OLDS, and how long a transaction of `length` bytes waits for a buffer, mean.

    `populations`: what limits how many can wait, clients and regions; without any, or where all are
    endless, arrivals come whatever waits. None: more is logged than is written.
    """
    load, _ = block_writes(rate * length, log.block_bytes, log.write)
    if load >= 1:
        return load, None
    if load == 0:
        return load, 0.0
    filled = log.block_bytes / length  # transactions in a block
    limit = filled / log.write
    spread = limit * (1 + filled * log.cv**2)  # variance of what comes less what is written
    room = (log.buffers - 1) * filled  # one is written, and full until that has ended
    slope = 2 * (limit - rate) / spread
    if slope * room > LEAST:
        return load, 0.0
    endless = math.exp(-slope * room) / slope / rate
    waits = [_finite(rate, limit, spread, room, one) for one in populations if math.isfinite(one)]
    return load, min([endless, *waits]) + LAST * log.write / (1 - load)


def _finite(rate: float, limit: float, spread: float, room: float, clients: float) -> float:
    """The wait where so many take part: the cycle without it is the one that gives the rate."""
    longest = clients / rate

    def excess(cycle: float) -> float:
        return clients - _waiting(clients, cycle, limit, spread, room) - rate * cycle

    least = longest * 1e-9
    if excess(least) <= 0:
        return longest
    if excess(longest) >= 0:  # rounding: nobody waits
        return 0.0
    return longest - float(brentq(excess, least, longest, rtol=1e-12))


def _waiting(clients: float, cycle: float, limit: float, spread: float, room: float) -> float:
    """Mean number that wait while all buffers are full.

    Density e^(k a y) up to `room`, beyond it a normal one around a x cycle; k = 2 / spread, a what
    comes more than is written while nobody waits.
    """
    scale, more = 2 / spread, clients / cycle - limit
    power = -scale * more * room
    if power > LEAST:
        return 0.0
    flat = abs(power) < FLAT
    below = room if flat else math.expm1(power) / power * room
    mean, deviation = more * cycle, math.sqrt(cycle / scale)
    place = mean / deviation
    log_above = place * place / 2 + float(log_ndtr(place)) + math.log(2 * math.pi) / 2
    if log_above > LEAST:
        return mean
    above = deviation * math.exp(log_above)
    return (mean * above + deviation * deviation) / (below + above)
