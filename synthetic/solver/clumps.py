"""Arrivals that come in clumps: what they add to the waits of Poisson arrivals.

A log write ends for many transactions at once, and XCF releases a member's messages at once. Both
send a clump to the CPUs, and the database writes of a clump meet at the channel paths. The queue is
followed over some cycles of the clump's source (a birth-death chain in time, clumps at the starts).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from imsperf.kernels import allocating_kernel
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.devices import Gate
from imsperf.synthetic.solver.queueing import erlang_c, poisson
from imsperf.synthetic.solver.servers import Released
from imsperf.synthetic.solver.steps import Terms

LARGEST = 300.0  # members of a clump that are followed one by one; more wait in proportion
FULL = 0.97  # the chain is followed at no higher load; beyond it the population bounds the waits
CYCLES = 7
PARTS = 64  # of a cycle, in which the starts of bursts are counted


@dataclass(frozen=True)
class Starts:
    """How many bursts begin to be served in each part of the cycles, by how they came."""

    widths: F64  # of the parts
    single: F64
    clump: F64
    behind: F64


@dataclass(frozen=True)
class Clumped:
    """Waits at m servers."""

    single_wait: float  # Poisson arrivals
    clump_wait: float  # the members of a clump
    behind_wait: float  # those who come with the clump but queue behind it
    poisson_wait: float  # of anybody, if all arrivals were Poisson
    starts: Starts


def gamma_cycles(mean: float, cv: float) -> F64:
    """Cycle lengths that stand for a gamma distribution, long and short ones in turn."""
    if cv <= 0:
        return np.full(CYCLES, mean)
    places = (np.arange(CYCLES) * 3 % CYCLES + 0.5) / CYCLES
    lengths = gammaincinv(cv**-2.0, places)
    return np.asarray(mean * lengths / lengths.mean())


def clumped(
    servers: int,
    service: float,
    single_rate: float,
    clump_rate: float,
    cycles: F64,
    behind: float = 0.0,
) -> Clumped:
    """Single arrivals, and clumps of what gathered at `clump_rate` during the cycle before.

    `behind` further arrivals for each member of a clump queue behind all of it.
    """
    rate = single_rate + clump_rate * (1 + behind)
    scale = max(float(cycles.max()) * clump_rate * (1 + behind) / LARGEST, 1.0)
    cycles = cycles / scale
    service = min(service, FULL * servers / rate)
    largest = float(cycles.max()) * clump_rate * (1 + behind)
    states = np.arange(int(servers + 1.5 * largest + 8 * largest**0.5 + 120), dtype=np.float64)
    widths = np.repeat(cycles / PARTS, PARTS)
    ends = np.cumsum(widths)
    before, during, begun = _follow(
        states, servers, service, single_rate, clump_rate, cycles, behind, ends
    )
    during /= during.sum()
    queue = np.maximum(states - servers + 1, 0)
    waits, together = _by_place(before, servers, service, clump_rate, cycles, behind, ends)
    load = rate * service
    alone = erlang_c(servers, load) * service / (servers - load)
    found = (float((during * queue).sum()) * service / servers, waits[0], waits[1])
    single, clump, last = (alone + (wait - alone) * scale for wait in found)
    return Clumped(
        single_wait=single,
        clump_wait=clump,
        behind_wait=last,
        poisson_wait=alone,
        starts=Starts(widths * scale, begun * scale, together[0] * scale, together[1] * scale),
    )


def _follow(
    states: F64,
    servers: int,
    service: float,
    single_rate: float,
    clump_rate: float,
    cycles: F64,
    behind: float,
    ends: F64,
) -> tuple[F64, F64, F64]:
    """Chances of the number present before each clump, time with each number, starts by part."""
    leave = np.minimum(states, servers) / service
    step = 0.9 / (single_rate + servers / service)
    now = poisson(len(states), min(single_rate * service, servers))
    gathered = clump_rate * np.roll(cycles, 1) * (1 + behind)
    sizes = np.array([poisson(len(states), float(one)) for one in gathered])
    waits = np.maximum(states - servers + 1, 0) * service / servers
    return follow(now, sizes, leave, waits, single_rate, step, cycles, ends)


def _by_place(
    before: F64,
    servers: int,
    service: float,
    clump_rate: float,
    cycles: F64,
    behind: float,
    ends: F64,
) -> tuple[F64, F64]:
    """Mean wait and starts by part, of the members of a clump and those behind it."""
    begins = np.cumsum(cycles) - cycles
    gathered = clump_rate * np.roll(cycles, 1)
    sums, starts = members(before, gathered, begins, behind, servers, service, ends)
    weights = np.where(sums[:, 1] > 0, sums[:, 1], 1.0)
    return sums[:, 0] / weights, starts


# --- channel paths --------------------------------------------------------------------------------
#
# Channel paths when I/Os come in bunches, because the CPU bursts before them end in bunches.

STATES = 240  # I/Os at a path that are followed
TURNS = 3  # rounds of all cycles after which bursts end as often as they begin


def ends_of(starts: F64, widths: F64, service: float) -> F64:
    """Exponential services that end in each part, for those that begin in each part."""
    return ended(starts, -np.expm1(-widths / service), TURNS)


def path_factor(
    starts: Starts, service: float, ios: tuple[float, float, float], paths: int, port: float
) -> float:
    """Wait for a path against that of as many I/Os in a Poisson stream.

    `ios` are the I/Os that follow the end of one burst that came single, in a clump, behind one.
    A path is a server with exponential service whose arrivals have a rate that follows the ends.
    """
    kinds = (starts.single, starts.clump, starts.behind)
    each = sum(io * begun for io, begun in zip(ios, kinds, strict=True))
    arrivals = ends_of(np.asarray(each), starts.widths, service) / paths
    load = float(arrivals.sum() / starts.widths.sum()) * port
    if load <= 0:
        return 1.0
    port = min(port, port * FULL / load)
    waiting = _periodic_number(arrivals / starts.widths, starts.widths, port)
    load = min(load, FULL)
    mean = float(arrivals @ waiting) / float(arrivals.sum())
    return mean * (1 - load) / load


def _periodic_number(rates: F64, widths: F64, service: float) -> F64:
    """Mean number at one server in each part, when the parts come round for ever."""
    load = float((rates * widths).sum() / widths.sum()) * service
    size = min(math.ceil(12 - 10 / math.log(load)), STATES)
    return periodic_number(rates * widths, widths / service, size)


# --- what a log write and the XCF gate release ----------------------------------------------------

SEEN = 0.01  # share of the messages that XCF holds below which they make no clump


def released(work: m.Work, rate: float, terms: Terms, all_busy: float) -> Released:
    """Bursts after the log write start together, and so do those in regions that it sets free.

    `all_busy`: share of the transactions that wait for a region. What the XCF gate has held starts
    together too.
    """
    log = next(step for step in work.steps if isinstance(step, m.LogWrite))
    ios = next(step for step in work.steps if isinstance(step, m.Ios))
    cpus, service = work.cpus.cps, float(terms.cpu.sum()) / 3
    behind = all_busy if log.place == "region" else 0.0
    cycles = gamma_cycles(log.write_us, log.cv)
    write = clumped(cpus, service, rate * (2 - behind), rate, cycles, behind)
    alone = write.single_wait - write.poisson_wait
    after_write = write.behind_wait - write.poisson_wait
    visits = ((1 - behind) * ios.reads / (2 - behind), ios.writes, ios.reads)
    paths = path_factor(write.starts, service, visits, ios.dasd.paths, ios.dasd.port_us)
    held, window = _held(work, terms)
    gate_us = behind_gate_us = beside_us = 0.0
    if held > 0:
        gate = clumped(cpus, service, rate * (1 + 2 * (1 - held)), rate * held, window, 1.0)
        gate_us = gate.clump_wait - gate.poisson_wait
        visits = ((ios.writes + (1 - held) * ios.reads) / (3 - 2 * held), 0.0, ios.reads)
        paths += path_factor(gate.starts, service, visits, ios.dasd.paths, ios.dasd.port_us) - 1
        behind_gate_us = max(gate.behind_wait - gate.clump_wait - service, 0.0)
        beside_us = gate.single_wait - gate.poisson_wait
    beside = alone + (1 - held) * beside_us
    waits = (
        beside + held * gate_us,
        write.clump_wait - write.poisson_wait + beside_us,
        (1 - behind) * (beside + held * behind_gate_us) + behind * after_write,
    )
    return Released(np.array(waits), paths)


def _held(work: m.Work, terms: Terms) -> tuple[float, F64]:
    """Share of the messages that XCF passes at the start of a window; from one to the next."""
    gate = next((step for step in work.steps if isinstance(step, m.Gate)), None)
    seen = terms.device(Gate)
    if gate is None or seen is None:
        return 0.0, np.zeros(1)
    xcf = gate.xcf
    share = (seen.delay or 0.0) / xcf.window_us
    return min(share, 1.0) if share > SEEN else 0.0, np.array([xcf.window_us / xcf.members])


# --- kernels --------------------------------------------------------------------------------------
#
# The loops, compiled: chains followed in small steps of time.

LITTLE = 1e-15  # chance below which a state is passed over
LEAST = 1e-18  # the same while time goes on
ROUGHLY = 1e-12  # the same for pairs of a state and a member
SETTLED = 1e-9  # change over a round of all cycles at which the rounds end
ROUNDS = 400


@allocating_kernel
def follow(
    now: F64,
    sizes: F64,
    leave: F64,
    waits: F64,
    rate: float,
    step: float,
    cycles: F64,
    ends: F64,
) -> tuple[F64, F64, F64]:
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
    now: F64, leave: F64, rate: float, short: float, steps: int, flow: F64, here: F64
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
def _joined(now: F64, sizes: F64, new: F64) -> None:
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
def _start_later(numbers: F64, waits: F64, rate: float, part: int, ends: F64, starts: F64) -> None:
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
    before: F64,
    gathered: F64,
    begins: F64,
    behind: float,
    servers: int,
    service: float,
    ends: F64,
) -> tuple[F64, F64]:
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
def _members_there(size: float) -> F64:
    """Chances that a clump of this mean size has a first member, a second, and so on."""
    there = np.empty(int(size + 8 * size**0.5 + 10))
    chance, left = np.exp(-size), 1.0
    for n in range(len(there)):
        left -= chance
        there[n] = max(left, 0.0)
        chance *= size / (n + 1)
    return there


@allocating_kernel
def _sum_of(present: F64, there: F64) -> F64:
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
    ends: F64,
    starts: F64,
    sums: F64,
) -> None:
    """Count one who finds so many ahead."""
    wait = max(ahead - servers, 0.0) * service / servers
    sums[0] += weight * wait
    place = np.searchsorted(ends, (begin + wait) % ends[-1], side="right")
    if place < len(ends):
        starts[place] += weight


@allocating_kernel
def ended(starts: F64, leave: F64, rounds: int) -> F64:
    """Services that end in each part; `leave` is the chance that one there ends in it."""
    ends, inside = np.zeros(len(starts)), 0.0
    for _ in range(rounds):
        for part in range(len(starts)):
            inside += starts[part]
            ends[part] = inside * leave[part]
            inside -= ends[part]
    return ends


@allocating_kernel
def periodic_number(ups: F64, downs: F64, size: int) -> F64:
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
def _change(chances: F64, up: float, down: float, into: F64) -> None:
    carried = 0.0
    for i in range(len(chances) - 1):
        flow = chances[i] * up - chances[i + 1] * down
        into[i] = carried - flow
        carried = flow
    into[len(chances) - 1] = carried
