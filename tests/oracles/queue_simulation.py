"""Queues simulated one event at a time, in compiled loops: what the solvers are checked against.

Nothing here is shared with the solvers. `walk` follows customers through a pool and first come
first served stations; the others are one device each. All answer means per batch, so that an
error can be given.
"""

from __future__ import annotations

import heapq

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BATCHES = 20


@njit(cache=True)
def _walk(seed, clients, think, rate, regions, servers, means, visits, each, batches):  # type: ignore[no-untyped-def]
    """Per batch: time, response sum, busy time by station [K], held time of regions."""
    np.random.seed(seed)
    count = len(servers)
    most = clients if clients > 0 else 200_000
    events = [(0.0, 0)]
    events.pop()
    place = np.zeros(most, np.int64)  # station, of those inside
    begun, entered = np.zeros(most), np.zeros(most)
    pool = np.zeros(most, np.int64)
    pool_head, pool_size = 0, 0
    free = [0]
    free.pop()
    queue = np.zeros((count, most), np.int64)
    head, waiting = np.zeros(count, np.int64), np.zeros(count, np.int64)
    busy = np.zeros(count, np.int64)
    inside = 0
    out = np.zeros((batches, 3 + count))
    if clients > 0:
        for one in range(clients):
            place[one] = -1
            heapq.heappush(events, (np.random.exponential(think) if think > 0 else 0.0, one))
    else:
        for one in range(most - 1, -1, -1):
            free.append(one)
        heapq.heappush(events, (np.random.exponential(1 / rate), -1))
    now, last = 0.0, 0.0
    for batch in range(-1, batches):  # the first batch settles
        done = 0
        while done < each:
            now, one = heapq.heappop(events)
            start = -1  # station that a customer comes to
            if one == -1:
                heapq.heappush(events, (now + np.random.exponential(1 / rate), -1))
                one = free.pop()
                place[one] = -1
            if place[one] == -1:
                begun[one] = now
                pool[(pool_head + pool_size) % most] = one
                pool_size += 1
            else:
                at = place[one]
                if servers[at] > 0:
                    busy[at] -= 1
                    if waiting[at] > 0:
                        two = queue[at, head[at]]
                        head[at] = (head[at] + 1) % most
                        waiting[at] -= 1
                        busy[at] += 1
                        length = np.random.exponential(means[at] / visits)
                        if batch >= 0:
                            out[batch, 3 + at] += length
                        heapq.heappush(events, (now + length, two))
                if at + 1 < count:
                    start = at + 1
                elif np.random.random() * visits < visits - 1:
                    start = 0
                else:
                    inside -= 1
                    done += 1
                    if batch >= 0:
                        out[batch, 1] += now - begun[one]
                        out[batch, 2] += now - entered[one]
                    if clients > 0:
                        place[one] = -1
                        length = np.random.exponential(think) if think > 0 else 0.0
                        heapq.heappush(events, (now + length, one))
                    else:
                        free.append(one)
            first = True
            while first or (pool_size > 0 and inside < regions):
                if start < 0:
                    if pool_size == 0 or inside >= regions:
                        break
                    one = pool[pool_head]
                    pool_head = (pool_head + 1) % most
                    pool_size -= 1
                    inside += 1
                    entered[one] = now
                    start = 0
                first = False
                place[one] = start
                if servers[start] == 0 or busy[start] < servers[start]:
                    busy[start] += servers[start] > 0
                    length = np.random.exponential(means[start] / visits)
                    if batch >= 0:
                        out[batch, 3 + start] += length
                    heapq.heappush(events, (now + length, one))
                else:
                    queue[start, (head[start] + waiting[start]) % most] = one
                    waiting[start] += 1
                start = -1
        if batch >= 0:
            out[batch, 0] = now - last
        last = now
    return out


class Seen:
    """Means of a simulation, with three standard errors."""

    def __init__(self, batches: Floats) -> None:
        self.batches = np.asarray(batches, np.float64)
        self.mean = float(self.batches.mean())
        self.room = float(3 * self.batches.std(ddof=1) / len(self.batches) ** 0.5)


def walk(
    stations: list[tuple[float, int]],
    *,
    clients: int = 0,
    think: float = 0.0,
    rate: float = 0.0,
    regions: int = 1 << 40,
    visits: int = 1,
    each: int = 20_000,
    seed: int = 1,
) -> dict[str, Seen | list[Seen]]:
    """Rate, response, regions held, and per station busy servers; stations are (demand, servers).

    After each round through the stations a customer leaves with chance 1 / `visits`: no law but
    the mean of what a transaction needs.
    `each` transactions in each of 20 batches, after one that is left out.
    """
    servers = np.array([m for _, m in stations], np.int64)
    means = np.array([d for d, _ in stations])
    out = _walk(seed, clients, think, rate, regions, servers, means, visits, each, BATCHES)
    busy = [Seen(out[:, 3 + k] / out[:, 0]) for k in range(len(stations))]
    return {
        "rate": Seen(each / out[:, 0]),
        "response": Seen(out[:, 1] / each),
        "held": Seen(out[:, 2] / out[:, 0]),
        "busy": busy,
    }


@njit(cache=True)
def _latch(seed, shared, hold_s, exclusive, hold_x, each, batches):  # type: ignore[no-untyped-def]
    np.random.seed(seed)
    now = free_x = free_s = 0.0
    out = np.zeros((batches, 5))
    for batch in range(batches):
        for _ in range(each):
            now += np.random.exponential(1 / (shared + exclusive))
            writer = np.random.random() < exclusive / (shared + exclusive)
            start = max(now, free_x)
            if writer:
                start = max(start, free_s)
                free_x = start + np.random.exponential(hold_x)
                out[batch, 1] += 1
                out[batch, 3] += start > now
            else:
                free_s = max(free_s, start + np.random.exponential(hold_s))
                out[batch, 0] += 1
                out[batch, 2] += start > now
            out[batch, 4] += start - now
    return out


def latch_calls(
    shared: float, hold_s: float, exclusive: float, hold_x: float, each: int = 100_000
) -> dict[str, Seen]:
    """Chance of waiting of both kinds of callers, mean wait of all."""
    out = _latch(3, shared, hold_s, exclusive, hold_x, each, BATCHES)
    return {
        "shared": Seen(out[:, 2] / out[:, 0]),
        "exclusive": Seen(out[:, 3] / out[:, 1]),
        "wait": Seen(out[:, 4] / each),
    }


@njit(cache=True)
def _log(seed, rate, write, shape, each, batches):  # type: ignore[no-untyped-def]
    np.random.seed(seed)
    out = np.zeros((batches, 4))
    now = np.random.exponential(1 / rate)
    for batch in range(batches):
        begin = now
        done = 0
        while done < each:  # one write, begun at `now` by one request
            pending, since = 1, 0.0
            while pending > 0:
                length = np.random.gamma(shape) * write / shape if shape > 0 else write
                out[batch, 0] += 1
                out[batch, 1] += since + pending * length
                out[batch, 2] += length
                done += pending
                pending = np.random.poisson(rate * length)
                since = 0.0
                for _ in range(pending):
                    since += np.random.random() * length
                now += length
            now += np.random.exponential(1 / rate)
        out[batch, 1] /= done
        out[batch, 3] = done / out[batch, 0]
        out[batch, 0] /= now - begin
        out[batch, 2] /= now - begin
    return out


def log_writes(rate: float, write: float, cv: float, each: int = 50_000) -> dict[str, Seen]:
    """Writes, busy share, requests of a write and wait of a request until its write ends."""
    out = _log(5, rate, write, cv**-2 if cv else 0.0, each, BATCHES)
    names = ("writes", "wait", "busy", "batch")
    return {name: Seen(out[:, place]) for place, name in enumerate(names)}


@njit(cache=True)
def _spill(seed, rate, own, eligible, cps, speeds, honor, each, batches):  # type: ignore[no-untyped-def]
    """Numbers: own bursts at CPs, spilled bursts at CPs, bursts at zIIPs."""
    np.random.seed(seed)
    n = np.zeros(3)
    flows = np.zeros(4)
    out = np.zeros((batches, 4))
    for batch in range(-1, batches):
        done, time, area, spilled, all_ziip = 0, 0.0, 0.0, 0, 0
        work = 0.0
        while done < each:
            at_cp = n[0] + n[1]
            speed = min(at_cp, float(cps)) / at_cp if at_cp > 0 else 0.0
            flows[0], flows[1] = n[0] * speed / own, n[1] * speed / eligible
            flows[2] = speeds[min(int(n[2]), len(speeds)) - 1] / eligible if n[2] > 0 else 0.0
            flows[3] = rate
            step = np.random.exponential(1 / flows.sum())
            time += step
            area += n.sum() * step
            work += min(at_cp, float(cps)) * step
            draw = np.random.random() * flows.sum()
            kind = 0
            while kind < 3 and draw >= flows[kind]:
                draw -= flows[kind]
                kind += 1
            if kind == 3:
                n[0] += 1
                continue
            n[kind] -= 1
            if kind == 0:
                all_ziip += 1
                if honor and n[2] >= len(speeds):
                    n[1] += 1
                    spilled += 1
                else:
                    n[2] += 1
            else:
                done += 1
        if batch >= 0:
            out[batch] = (done / time, area / done, spilled / all_ziip, work / time / cps)
    return out


def spills(
    rate: float, own: float, eligible: float, cps: int, speeds: tuple[float, ...], honor: bool
) -> dict[str, Seen]:
    """A burst at the CPs, then one at the zIIPs: rate, response, share spilled, CPs busy."""
    out = _spill(9, rate, own, eligible, cps, np.array(speeds), honor, 60_000, BATCHES)
    names = ("rate", "response", "spilled", "busy")
    return {name: Seen(out[:, place]) for place, name in enumerate(names)}


@njit(cache=True)
def _tcb(seed, serial, free, cps, clients, think, rate, each, batches):  # type: ignore[no-untyped-def]
    np.random.seed(seed)
    t, c = 0, 0
    out = np.zeros((batches, 3))
    for batch in range(-1, batches):
        done, time, area, area_t = 0, 0.0, 0.0, 0.0
        while done < each:
            running = c + (t > 0)
            speed = min(1.0, cps / running) if running else 0.0
            come = (clients - t - c) / think if clients else rate
            leave_t, leave_c = (t > 0) * speed / serial, c * speed / free
            total = come + leave_t + leave_c
            step = np.random.exponential(1 / total)
            time += step
            area += (t + c) * step
            area_t += t * step
            draw = np.random.random() * total
            if draw < come:
                t += 1
            elif draw < come + leave_t:
                t -= 1
                c += 1
            else:
                c -= 1
                done += 1
        if batch >= 0:
            out[batch] = (done / time, area / done, area_t / done)
    return out


def tcb_work(
    serial: float, free: float, cps: int, *, clients: int = 0, think: float = 0, rate: float = 0
) -> dict[str, Seen]:
    """Serial work, then work on any processor: rate, response, time at the TCB."""
    out = _tcb(11, serial, free, cps, clients, think, rate, 60_000, BATCHES)
    return {name: Seen(out[:, k]) for k, name in enumerate(("rate", "response", "tcb"))}


@njit(cache=True)
def _awe(seed, rate, hold, blocks, stay, share, turns):  # type: ignore[no-untyped-def]
    np.random.seed(seed)
    out = np.zeros((turns, 2))  # time in the good and in the bad mode
    n = np.random.poisson(rate * hold)
    for turn in range(turns):
        n = min(n, blocks)
        while True:
            total = rate + n / hold
            out[turn, 0] += np.random.exponential(1 / total)
            if np.random.random() * total < rate:
                if n == blocks:
                    break
                n += 1
            else:
                n -= 1
        out[turn, 1] = np.random.exponential(stay)
        n = np.random.poisson(rate * hold)
    return out


def awe_turns(rate: float, hold: float, blocks: int, stay: float, turns: int = 4_000) -> Seen:
    """Share of time in the bad mode, per batch of turns through both modes."""
    out = _awe(13, rate, hold, blocks, stay, 0.8, turns).reshape(BATCHES, -1, 2).sum(axis=1)
    return Seen(out[:, 1] / out.sum(axis=1))


def gate_waits(quota: int, share: float, windows: int = 400_000) -> float:
    """Mean number waiting at a window quota with Poisson arrivals of `share` x quota a window."""
    rng = np.random.default_rng(11)
    counts = rng.poisson(share * quota, windows)
    level = np.cumsum(counts - quota)
    left = level - np.minimum(np.minimum.accumulate(level), 0)
    begin = np.concatenate(([0], left[:-1]))
    steps = (np.arange(20) + 0.5) / 20
    part = rng.binomial(counts[:, None], steps[None, :])
    return float(np.maximum(begin[:, None] + part - quota, 0).mean())
