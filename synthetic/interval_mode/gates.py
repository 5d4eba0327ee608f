"""TPIPEs of callouts and TCBs of CICS in an interval: who is there at its ends, calls, times.

A gate has the clients whose number leaves its own as rest. Who is at a gate when an interval ends
is drawn by the place of that boundary, so neighbours agree on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.interval_mode.draws import Draws, integer_split
from imsperf.synthetic.interval_mode.mean_parts import GateTimes
from imsperf.synthetic.interval_mode.stations import Basis, Counted
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.units import TICKS_PER_US

SIGMAS = 4.5  # the most in an interval is about so many standard deviations above the mean


@dataclass(frozen=True)
class Gates:
    """Requests ended (n, gates); there and served at the n + 1 boundaries (n + 1, gates)."""

    callers: I64  # (gates,)
    ended: I64
    there: I64
    served: I64


def gates_of(basis: Basis, done: I64, seed: int) -> Gates:
    """Drawn; as many end in an interval as transactions are completed."""
    network = basis.network
    callers = callers_of(network)
    ended = basis.draws.split("gates", done.sum(axis=1), callers / callers.sum())
    before = np.concatenate([np.zeros_like(ended[:1]), np.cumsum(ended, axis=0)])
    mean = _at(_means(basis).there)[:, None] * (callers / callers.sum())
    there = _there(network, Draws(seed, np.arange(len(mean))), mean, callers)
    there = np.maximum.accumulate(there + before, axis=0) - before  # no more leave than are there
    return Gates(callers, ended, there, np.minimum(there, np.array(network.gates)))


def _means(basis: Basis) -> GateTimes[F64]:
    means = basis.means.gates
    assert means is not None, "asked for where there are gates"
    return means


def callers_of(network: Network) -> I64:
    """Clients of each gate; of open arrivals the share of each is the same."""
    count = len(network.gates)
    clients = max(network.clients, count)
    callers: I64 = clients // count + (np.arange(count) < clients % count)
    return callers


def _at(values: F64) -> F64:
    """Of the intervals, for the boundaries: that of the interval before."""
    return np.concatenate([values[:1], values])


def _there(network: Network, here: Draws, mean: F64, callers: I64) -> I64:
    """At TPIPEs those who are not away, or who are there, whichever are fewer; at a TCB a queue
    with one server."""
    if network.callouts is None:
        ratio = np.clip(mean / (1 + mean), 1e-12, 0.999)
        queue = np.floor(np.log(here.uniform("at gates", len(callers))) / np.log(ratio))
        most = np.iinfo(np.int64).max if network.is_open else callers
        return np.minimum(queue.astype(np.int64), most)
    some = np.minimum(here.count("at gates", mean), callers)
    away = np.minimum(here.count("away from gates", np.maximum(callers - mean, 0)), callers)
    return np.where(mean < callers / 2, some, callers - away)


def counters(basis: Basis, gates: Gates, response: I64) -> Counted:
    """`response`: ticks of the transactions, which are callouts; of a TCB only a part is there."""
    ended = gates.ended
    even = ended * (1 + basis.draws.normal("callout", ended.shape[1]) / np.sqrt(ended + 100) / 10)
    if basis.network.callouts is not None:
        ticks = integer_split(response, even)
    else:
        each = _means(basis).time_us[:, None] * TICKS_PER_US
        ticks = basis.draws.total("at gate", ended, each, each)
    share = _means(basis).wait_us / np.maximum(_means(basis).time_us, 1e-9)
    waited = np.rint(ticks * share[:, None]).astype(np.int64)
    return {
        "gate_calls": ended + np.diff(gates.there, axis=0),
        "gate_ended": ended,
        "gate_waited_ticks": np.where(gates.ended > 0, waited, 0),
        "gate_ticks": ticks,
        "gate_free_end": np.array(basis.network.gates) - gates.served[1:],
        "gate_open_end": gates.there[1:],
        **_highest(basis, gates),
    }


def _highest(basis: Basis, gates: Gates) -> Counted:
    """Since the start: the most at a gate, those of them that waited, the longest call."""
    mean = _means(basis).there[:, None] * (gates.callers / gates.callers.sum())
    spread = mean if basis.network.callouts is not None else mean * (1 + mean)
    most = np.iinfo(np.int64).max if basis.network.is_open else gates.callers
    if basis.network.callouts is not None:
        each = mean + SIGMAS * np.sqrt(mean)
    else:  # as likely as one of so many requests, in a queue with one server
        each = 1 + np.log(np.maximum(gates.ended, 1)) / np.log(1 + 1 / np.maximum(mean, 1e-9))
    each = np.minimum(np.floor(each).astype(np.int64), most)
    each = np.maximum(np.maximum(each, gates.there[1:]), gates.there[:-1])
    highest = mean.sum(axis=1) + SIGMAS * np.sqrt(spread.sum(axis=1))
    highest = np.minimum(np.rint(highest).astype(np.int64), each.sum(axis=1))
    highest = np.maximum(np.maximum(highest, gates.there[1:].sum(axis=1)), each.max(axis=1))
    high = np.maximum.accumulate(each, axis=0)
    return {
        "gate_open_high": high,
        "gate_waiting_high": np.maximum(high - np.array(basis.network.gates), 0),
        "gate_longest": np.maximum.accumulate(_longest(basis, gates.ended), axis=0),
        "calls_open_high": np.maximum.accumulate(highest),
    }


def _longest(basis: Basis, ended: I64) -> I64:
    """The longest of so many times with a gamma distribution, drawn as such, in ticks."""
    shape = 1 / _means(basis).time_cv2[:, None]
    chance = basis.draws.uniform("longest", ended.shape[1]) ** (1 / np.maximum(ended, 1))
    times = gammaincinv(shape, chance) / shape * _means(basis).time_us[:, None]
    return np.where(ended > 0, np.rint(times * TICKS_PER_US), 0).astype(np.int64)
