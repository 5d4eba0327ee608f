"""Declared models simulated customer by customer, in one compiled loop: the check of `solve`.

Nothing here is shared with the solvers. A route is made of steps. Processors are shared evenly
among exponential bursts, so who is done next is drawn anew whenever their number
changes; queues are first come first served; a log write takes along all that wait for it; a region
is held from one step of a route to another. Times in any one unit.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numba import njit
from queue_simulation import BATCHES, Seen

DELAY, CPU, QUEUE, LOG, TAKE, GIVE, START, STOP = range(8)


@dataclass(frozen=True)
class Route:
    """One class: (kind, station, mean) in order; closed with clients, or open at a rate."""

    steps: tuple[tuple[int, int, float], ...]
    clients: int = 0
    think: float = 0.0
    rate: float = 0.0
    regions: int = 0


@njit(cache=True)
def _run(
    seed,
    kinds,
    places,
    means,
    lengths,
    clients,
    think,
    rates,
    regions,
    cpus,
    servers,
    log_cv,
    each,
    batches,
):  # type: ignore[no-untyped-def]
    np.random.seed(seed)
    classes, longest = kinds.shape
    total = 0
    for r in range(classes):
        total += clients[r] if clients[r] > 0 else 60_000
    owner = np.zeros(total, np.int64)
    at = np.zeros(total, np.int64)
    begun = np.zeros(total)
    free = np.zeros((classes, total), np.int64)
    frees = np.zeros(classes, np.int64)
    events = [(0.0, 0)]
    events.pop()
    base = 0
    for r in range(classes):
        many = clients[r] if clients[r] > 0 else 60_000
        for i in range(many):
            owner[base + i] = r
            if clients[r] > 0:
                at[base + i] = -1
                first = np.random.exponential(think[r]) if think[r] > 0 else 0.0
                heapq.heappush(events, (first, base + i))
            else:
                free[r, frees[r]] = base + i
                frees[r] += 1
        if clients[r] == 0:
            heapq.heappush(events, (np.random.exponential(1 / rates[r]), -1 - r))
        base += many
    # processors: members of each bucket (class, step)
    buckets = classes * longest
    member = np.zeros((buckets, total), np.int64)
    count = np.zeros(buckets, np.int64)
    cpu_of = np.full(buckets, -1, np.int64)
    for r in range(classes):
        for s in range(lengths[r]):
            if kinds[r, s] == CPU:
                cpu_of[r * longest + s] = places[r, s]
    due = np.full(len(cpus), np.inf)
    flow = np.zeros(buckets)
    # queues and logs and pools
    many_q = len(servers)
    line = np.zeros((many_q, total), np.int64)
    head = np.zeros(many_q, np.int64)
    size = np.zeros(many_q, np.int64)
    busy = np.zeros(many_q, np.int64)
    logs = len(log_cv)
    pending = np.zeros((logs, total), np.int64)
    waits = np.zeros(logs, np.int64)
    going = np.zeros((logs, total), np.int64)
    goes = np.zeros(logs, np.int64)
    pool = np.zeros((classes, total), np.int64)
    pool_head = np.zeros(classes, np.int64)
    pool_size = np.zeros(classes, np.int64)
    held = np.zeros(classes, np.int64)
    held_area = np.zeros(classes)
    used = np.zeros(len(cpus))
    todo = np.zeros(total + 8, np.int64)
    out = np.zeros((batches, 1 + 3 * classes + len(cpus)))
    now = 0.0
    for batch in range(-1, batches):
        done_all, begin = 0, now
        count_done = np.zeros(classes)
        sum_time = np.zeros(classes)
        held_area[:] = 0.0
        used[:] = 0.0
        while done_all < each:
            cpu = int(np.argmin(due))
            after = due[cpu]
            from_heap = len(events) > 0 and events[0][0] < after
            if from_heap:
                after = events[0][0]
            for r in range(classes):
                held_area[r] += held[r] * (after - now)
            for c in range(len(cpus)):
                n = 0
                for b in range(buckets):
                    if cpu_of[b] == c:
                        n += count[b]
                used[c] += min(n, cpus[c]) * (after - now)
            now = after
            todos = 0
            dirty = -1
            if from_heap:
                _, one = heapq.heappop(events)
                if one >= total:  # a log write has ended
                    log = one - total
                    for i in range(goes[log]):
                        todo[todos] = going[log, i]
                        todos += 1
                    goes[log] = 0
                elif one < 0:
                    r = -1 - one
                    heapq.heappush(events, (now + np.random.exponential(1 / rates[r]), one))
                    frees[r] -= 1
                    one = free[r, frees[r]]
                    at[one] = -1
                    todo[0] = one
                    todos = 1
                else:
                    todo[0] = one
                    todos = 1
                    r, s = owner[one], at[one]
                    if s >= 0 and kinds[r, s] == QUEUE:
                        q = places[r, s]
                        busy[q] -= 1
                        if size[q] > 0:
                            two = line[q, head[q]]
                            head[q] = (head[q] + 1) % total
                            size[q] -= 1
                            busy[q] += 1
                            mean = means[owner[two], at[two]]
                            heapq.heappush(events, (now + np.random.exponential(mean), two))
            else:
                draw = 0.0
                for b in range(buckets):
                    if cpu_of[b] == cpu:
                        draw += flow[b]
                draw *= np.random.random()
                pick = -1
                for b in range(buckets):
                    if cpu_of[b] == cpu and flow[b] > 0:
                        pick = b
                        draw -= flow[b]
                        if draw < 0:
                            break
                k = np.random.randint(count[pick])
                one = member[pick, k]
                count[pick] -= 1
                member[pick, k] = member[pick, count[pick]]
                todo[0] = one
                todos = 1
                dirty = cpu
            touched = np.zeros(len(cpus), np.bool_)
            if dirty >= 0:
                touched[dirty] = True
            place = 0
            while place < todos:
                one = todo[place]
                place += 1
                r = owner[one]
                moving = True
                while moving:
                    at[one] += 1
                    s = at[one]
                    if s >= lengths[r]:
                        done_all += 1
                        moving = False
                        if clients[r] > 0:
                            at[one] = -1
                            pause = np.random.exponential(think[r]) if think[r] > 0 else 0.0
                            heapq.heappush(events, (now + pause, one))
                        else:
                            free[r, frees[r]] = one
                            frees[r] += 1
                        break
                    kind, station, mean = kinds[r, s], places[r, s], means[r, s]
                    if kind == START:
                        begun[one] = now
                    elif kind == STOP:
                        count_done[r] += 1
                        sum_time[r] += now - begun[one]
                    elif kind == DELAY:
                        heapq.heappush(events, (now + np.random.exponential(mean), one))
                        moving = False
                    elif kind == CPU:
                        b = r * longest + s
                        member[b, count[b]] = one
                        count[b] += 1
                        touched[station] = True
                        moving = False
                    elif kind == QUEUE:
                        if busy[station] < servers[station]:
                            busy[station] += 1
                            heapq.heappush(events, (now + np.random.exponential(mean), one))
                        else:
                            line[station, (head[station] + size[station]) % total] = one
                            size[station] += 1
                        moving = False
                    elif kind == LOG:
                        pending[station, waits[station]] = one
                        waits[station] += 1
                        moving = False
                    elif kind == TAKE:
                        if held[r] < regions[r]:
                            held[r] += 1
                        else:
                            pool[r, (pool_head[r] + pool_size[r]) % total] = one
                            pool_size[r] += 1
                            moving = False
                    elif kind == GIVE:
                        if pool_size[r] > 0:
                            two = pool[r, pool_head[r]]
                            pool_head[r] = (pool_head[r] + 1) % total
                            pool_size[r] -= 1
                            todo[todos] = two
                            todos += 1
                        else:
                            held[r] -= 1
            for log in range(logs):
                if goes[log] == 0 and waits[log] > 0:
                    goes[log] = waits[log]
                    waits[log] = 0
                    mean = 0.0
                    for i in range(goes[log]):
                        going[log, i] = pending[log, i]
                        mean = means[owner[going[log, i]], at[going[log, i]]]
                    shape = log_cv[log] ** -2
                    length = np.random.gamma(shape) * mean / shape
                    heapq.heappush(events, (now + length, total + log))
            for c in range(len(cpus)):
                if touched[c]:
                    everything = 0.0
                    n = 0
                    for b in range(buckets):
                        if cpu_of[b] == c:
                            n += count[b]
                    for b in range(buckets):
                        if cpu_of[b] == c:
                            flow[b] = 0.0
                            if count[b] > 0:
                                mean = means[b // longest, b % longest]
                                flow[b] = min(n, cpus[c]) * count[b] / n / mean
                                everything += flow[b]
                    due[c] = (
                        now + np.random.exponential(1 / everything) if everything > 0 else np.inf
                    )
        if batch >= 0:
            out[batch, 0] = now - begin
            for r in range(classes):
                out[batch, 1 + r] = count_done[r]
                out[batch, 1 + classes + r] = sum_time[r] / max(count_done[r], 1.0)
                out[batch, 1 + 2 * classes + r] = held_area[r]
            for c in range(len(cpus)):
                out[batch, 1 + 3 * classes + c] = used[c]
    return out


def run(
    routes: list[Route],
    *,
    cpus: tuple[int, ...] = (1,),
    queues: tuple[int, ...] = (),
    logs: tuple[float, ...] = (),
    each: int = 30_000,
    seed: int = 1,
) -> dict[str, list[Seen]]:
    """Rate, response (START to STOP) and regions held by class, busy processors by LPAR.

    `queues` are servers, `logs` coefficients of variation; `each` transactions a batch.
    """
    longest = max(len(route.steps) for route in routes)
    table = np.zeros((3, len(routes), longest))
    for r, route in enumerate(routes):
        table[:, r, : len(route.steps)] = np.array(route.steps).T
    out = _run(
        seed,
        table[0].astype(np.int64),
        table[1].astype(np.int64),
        table[2],
        np.array([len(route.steps) for route in routes]),
        np.array([route.clients for route in routes]),
        np.array([route.think for route in routes]),
        np.array([route.rate for route in routes]),
        np.array([route.regions for route in routes]),
        np.array(cpus),
        np.array(queues or (1,)),
        np.array(logs or (1.0,)),
        each,
        BATCHES,
    )
    n, time = len(routes), out[:, :1]
    return {
        "rate": [Seen(out[:, 1 + r] / time[:, 0]) for r in range(n)],
        "response": [Seen(out[:, 1 + n + r]) for r in range(n)],
        "held": [Seen(out[:, 1 + 2 * n + r] / time[:, 0]) for r in range(n)],
        "busy": [Seen(out[:, 1 + 3 * n + c] / time[:, 0]) for c in range(len(cpus))],
    }
