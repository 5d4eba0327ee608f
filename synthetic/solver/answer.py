"""From what was found for each work to `Results`: seconds, rates per second, named figures.

Residences of a work add up: their sum is the response (ims and region) and the time outside it, and
clients = rate x (think + that sum). The pool's residence is the wait for a region alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.result import HELD, NEARLY_FULL, Result, Results, Use
from imsperf.synthetic.solver.servers import Balance

NONE = 1e-9  # microseconds


def results(works: m.Works, balances: dict[str, Balance]) -> Results:
    """All works, and the stations with all of them together."""
    classes = tuple(_result(balances[work.name]) for work in works)
    details: dict[str, float | None] = {}
    for work_class in reversed(classes):
        details |= work_class.details
    for work in works:
        details |= _processors(balances[work.name])
    held_by = next((work_class.held_by for work_class in classes if work_class.held_by), "")
    return Results(classes, _together(works, classes, details), held_by, details, works)


def _result(balance: Balance) -> Result:
    work, point = balance.work, balance.point
    rate = point.rate
    uses: dict[str, Use] = {}
    inside = outside = 0.0
    for k, (name, server) in enumerate(balance.servers.items()):
        times = server.times(point.stretch[k])
        inside, outside = inside + times[1] + times[2], outside + times[0]
        uses[name] = _use(name, server.station.limit, _busy(balance, name), rate, times.sum())
    for name, at in balance.terms.delays.items():
        inside, outside = inside + at[1] + at[2], outside + at[0]
        load = balance.terms.loads.get(name)
        uses[name] = _use(name, 0.0 if load is None else 1.0, load or 0.0, rate, at.sum())
    for name, load in balance.terms.loads.items():
        uses.setdefault(name, _use(name, 1.0, load, rate, 0.0))
    if work.pool is not None:
        uses[work.pool.name] = _pool(work.pool, balance)
        inside += point.pool_wait
    if point.saturated:
        full = work.pool.name if point.full == "pool" and work.pool else point.full
        one_full = uses.get(full, Use(full, 1.0, 1.0, None, None))
        uses[full] = replace(one_full, queue=None, residence=None)
        if work.pool is not None and uses[work.pool.name].utilisation > NEARLY_FULL:
            pool = uses[work.pool.name]  # what is full keeps it full
            uses[work.pool.name] = replace(pool, queue=None, residence=None)
    return Result(
        work.name,
        rate * 1e6,
        None if point.saturated else float(inside) / 1e6,
        tuple(uses.values()),
        saturated=point.saturated,
        held_by=_holder(balance, uses),
        details=_details(balance, float(outside)),
    )


def _use(name: str, limit: float, busy: float, rate: float, time: float) -> Use:
    return Use(name, limit, min(float(busy), 1.0), float(rate * time), float(time) / 1e6)


def _busy(balance: Balance, name: str) -> float:
    """This work's share of a server."""
    rate, server = balance.point.rate, balance.servers[name]
    if name == balance.work.cpu:
        return float(rate * balance.terms.cpu.sum() / server.station.limit)
    return rate * server.demand / server.station.limit


def _pool(pool: m.Pool, balance: Balance) -> Use:
    point = balance.point
    waiting = point.rate * point.pool_wait
    busy = min(point.regions_busy / pool.size, 1.0)
    return Use(pool.name, float(pool.size), busy, waiting, point.pool_wait / 1e6)


def _holder(balance: Balance, uses: dict[str, Use]) -> str:
    """Who keeps a full pool full: the queue inside with the longest wait, if it counts."""
    pool, point = balance.work.pool, balance.point
    if pool is None or uses[pool.name].utilisation < NEARLY_FULL:
        return ""
    waits = _waits(balance)
    longest = max(waits, key=lambda name: waits[name])
    if waits[longest] <= HELD * point.occupancy:
        return ""
    cpu = balance.work.cpu  # a TCB may be held up by processors that others keep busy
    behind = longest in balance.terms.serial and uses[cpu].utilisation > _own(balance, longest)
    return cpu if behind else longest


def _waits(balance: Balance) -> dict[str, float]:
    """What a region waits for a processor, a queue or a device, by name."""
    waits = {
        name: float(server.at[2] * (balance.point.stretch[k, 1] - 1))
        for k, (name, server) in enumerate(balance.servers.items())
    }
    for name in balance.terms.loads:
        at = balance.terms.delays.get(name)
        if at is not None:
            waits[name] = float(at[2]) * balance.terms.loads[name]
    return waits


def _own(balance: Balance, tcb: str) -> float:
    """Share of the time that a TCB runs, not counted what it waits for a processor."""
    server = balance.servers[tcb]
    return balance.point.rate * server.demand / server.slowed / server.station.limit


def _details(balance: Balance, outside: float) -> dict[str, float | None]:
    work, point, name = balance.work, balance.point, balance.work.name
    used = float(balance.terms.cpu.sum())
    details: dict[str, float | None] = dict(balance.terms.facts)
    details[f"{name}.cpu_us"] = used
    details[f"{name}.growth"] = balance.terms.growth
    details[f"{name}.outside_us"] = outside
    for step in work.steps:
        if isinstance(step, m.Gate) and details[f"{step.name}.delay_us"] is not None:
            details[f"{step.name}.delay_us"] = balance.gate_us  # clients of a full gate wait there
    for tcb in balance.terms.serial:
        details[f"{tcb}.busy"] = min(_busy(balance, tcb), 1.0)
        details[f"{tcb}.alone_per_s"] = 1e6 * point.rate / max(_own(balance, tcb), NONE)
    if work.pool is not None:
        pool = work.pool.name
        details[f"{pool}.busy"] = point.regions_busy
        details[f"{pool}.wait_us"] = None if point.saturated else point.pool_wait
        details[f"{pool}.occupancy_us"] = point.occupancy
        details[f"{pool}.all_busy"] = point.all_busy
        least = point.occupancy - sum(
            wait
            for station, wait in _waits(balance).items()
            if station in balance.servers or balance.terms.loads[station] > NEARLY_FULL
        )
        details[f"{pool}.alone_per_s"] = 1e6 * work.pool.size / max(least, NONE)
    return details


def _processors(balance: Balance) -> dict[str, float | None]:
    """Utilisation of a work's processors, and CPU time of a transaction with the fixed part."""
    work, rate = balance.work, balance.point.rate
    cpus, name = work.cpus, work.cpu
    fixed = cpus.fixed_us_per_s / 1e6 / cpus.cps
    used = rate * float(balance.terms.cpu.sum()) / cpus.cps
    busy = min(used + fixed, 1.0)
    return {
        f"{name}.busy": busy,
        f"{name}.fixed": fixed,
        f"{name}.dearer_when_full": (1 + cpus.growth) / (1 + cpus.growth * busy),
        f"{work.name}.cpu_us_total": (used + fixed * (used > 0)) * cpus.cps / rate,
    }


def _together(
    works: m.Works, classes: tuple[Result, ...], details: dict[str, float | None]
) -> tuple[Use, ...]:
    """Each station once: queues added, shares of servers added, device loads as they are."""
    names = dict.fromkeys(use.name for work_class in classes for use in work_class.stations)
    return tuple(_merged(works, classes, name, details) for name in names)


def _merged(
    works: m.Works, classes: tuple[Result, ...], name: str, details: dict[str, float | None]
) -> Use:
    users = [
        (work_class.rate, work_class.station(name))
        for work_class in classes
        if work_class.has(name)
    ]
    rate = sum(each for each, _ in users)
    queues = [use.queue for _, use in users]
    known = [queue for queue in queues if queue is not None]
    queue = sum(known) if len(known) == len(queues) else None
    shares = [use.utilisation for _, use in users]
    processors = {work.cpu for work in works}
    device = any(f"{name}.load" in work_class.details for work_class in classes)
    busy = max(shares) if device or name.startswith("ziip_") else sum(shares)
    if name in processors:
        busy = details[f"{name}.busy"] or 0.0
    if queue is None:
        busy = max(busy, *shares)
    residence = queue / rate if queue is not None and rate > 0 else None
    return Use(name, users[0][1].limit, min(busy, 1.0), queue, residence)


# --- knees ----------------------------------------------------------------------------------------
#
# States of a balance in which transactions that go on together decide about its times.
#
# The solver takes those who come to the processors for strangers, but for what one log write
# releases (releases.py). Here stands where that is not enough. Each test is a share, worked out
# from the balance itself, and its limit; below all of them rate and response are within 1 and 5 %
# of the event simulation (tests/synthetic/solver/test_knees.py). Beyond one of them the simulation
# is asked (short_runs.py).
#
# * The XCF gate lets what it holds pass together: messages wait for it more than a hundredth of its
#   window, or it passes more than 95 % of what it can.
# * A log write frees regions together for messages that wait: more than 2 % of all regions at once,
#   times the share of messages that find no region free.
# * Clients whom a log write answers together come back before the next one has ended: more than 3 %
#   of all clients, those of a write times the chance of an exponential think time to be so short.
# * All log buffers are full for more than 2 % of the time, and regions stand still with it.
# * Requests to the coupling facility wait for a subchannel: more than 5 % of them find none free.
# * CPs wait for each other's requests to it: its processors are more than half busy.

GATE_FULL = 0.95  # of the quota
GATE_HELD = 0.01  # wait for the gate, in windows
FREED = 0.02  # of the regions, by one write, for messages that wait
RETURNING = 0.03  # of the clients, with those of the same write
NO_BUFFER = 0.02  # of the time
ALL_THE_TIME = 0.999  # where clients wait for the OLDS whatever happens: their rate is its limit
FEW_REGIONS = 0.5  # of that time all are busy: messages wait for a region, not for a buffer
NONE_FREE = 0.05  # of the requests
CF_BUSY = 0.5  # of the processors of a coupling facility


def knees(solved: Results) -> tuple[str, ...]:
    """What a balance stands close to, in words; empty where the solver holds."""
    return tuple(words for work in solved.works for words in _knees(work, solved))


def _knees(work: m.Work, solved: Results) -> Iterator[str]:
    details = solved.details
    for step in work.steps:
        if isinstance(step, m.Gate):
            load, held = _number(solved, f"{step.name}.load"), details.get(f"{step.name}.delay_us")
            if load > GATE_FULL or (held or 0.0) > GATE_HELD * step.xcf.window_us:
                yield f"{step.name}: messages that the XCF gate holds pass together"
        elif isinstance(step, m.LogWrite) and step.place != "none":
            yield from _after_write(work, step, solved)
        elif _few_wait(work, step.name, solved):
            yield f"{step.name}: all log buffers are full"
        elif _number(solved, f"{step.name}.none_free") > NONE_FREE:
            yield f"{step.name}: requests wait for a subchannel"
        elif isinstance(step, m.CfRequests) and _number(solved, f"{step.name}.load") > CF_BUSY:
            yield f"{step.name}: CPs wait for each other's requests"


def _few_wait(work: m.Work, olds: str, solved: Results) -> bool:
    """Whether log buffers run out, and at times nobody waits for one: regions bound who can."""
    full = _number(solved, f"{olds}.no_buffer")
    busy = _number(solved, f"{work.pool.name}.all_busy") if work.pool else 0.0
    return full > NO_BUFFER and (full < ALL_THE_TIME or busy > FEW_REGIONS)


def _after_write(work: m.Work, write: m.LogWrite, solved: Results) -> Iterator[str]:
    released = solved.of(work.name).rate / 1e6 * write.write_us
    pool = work.pool
    if pool is not None and write.place == "region":
        waiting = _number(solved, f"{pool.name}.all_busy")
        if waiting * min(released / pool.size, 1.0) > FREED:
            yield f"{pool.name}: a log write frees several while messages wait for one"
    if work.clients:
        soon = math.exp(-work.think_us / write.write_us) if write.write_us > 0 else 0.0
        if released / work.clients * soon > RETURNING:
            yield f"{write.name}: clients whom a log write answers come back together"


def _number(solved: Results, name: str) -> float:
    return solved.details.get(name) or 0.0
