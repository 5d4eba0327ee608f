"""The simulation once more, in plain Python with heapq: the compiled engine is checked against it.

Written from network.py and the docstring of simulate.py, closed networks only. It takes its draws
from the same streams in the same order of events, so all times must be equal to the tick.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.rng import exponential, gamma, seeded_streams, uniform, whole

BACKGROUND_US = 200


@dataclass(eq=False)
class Transaction:
    """One client's present transaction."""

    client: int
    facts: dict[str, int] = field(default_factory=dict)
    contention: int = 0
    reads_left: int = 0
    phase: str = ""
    need: int = 0
    used: int = 0
    add: int = 0


class Latch:
    """Reader/writer latch: who holds it until when."""

    def __init__(self) -> None:
        self.exclusive_until = self.readers_until = -(1 << 62)
        self.contentions = self.waited = 0

    def take(self, now: int, hold: int, exclusive: bool) -> int:
        start = max(now, self.exclusive_until)
        if exclusive:
            start = max(start, self.readers_until)
            self.exclusive_until = start + hold
        else:
            self.readers_until = max(self.readers_until, start + hold)
        self.contentions += start > now
        self.waited += start - now
        return start


class Plain:
    """A closed network; `run` answers completed transactions in order of their end."""

    def __init__(self, net: Network, seed: int, start: int) -> None:
        self.net, self.start = net, start
        self.streams = seeded_streams(seed, c.RNG_STREAMS)
        self.events: list[tuple[int, int, int, Any]] = []
        self.number = 0
        self.done: list[dict[str, int]] = []
        self.cpu_queue: deque[Transaction] = deque()
        self.cps: list[Transaction | None] = [None] * net.cpu.cps
        self.busy_mean, self.busy_since = 0, start
        self.region_queues: list[deque[Transaction]] = [deque() for _ in net.region_pools]
        self.program: dict[int, int] = {}  # the class whose program a region has
        self.owed = [0] * len(net.region_pools)
        numbers = list(range(net.regions))
        self.free_regions: list[list[int]] = []
        for pool in net.region_pools:
            mine, numbers = numbers[: pool.count], numbers[pool.count :]
            self.free_regions.append(mine[::-1])
        self.pending: list[Transaction] = []
        self.writing: list[Transaction] | None = None
        self.pending_unwaited = False
        self.logl = Latch()
        self.lrec = Latch() if net.latches.mode == "split" else self.logl
        self.path_free = [start] * net.dasd.paths
        exposures = 1 + net.dasd.aliases
        self.exposures = [[start] * exposures for _ in range(net.dasd.volumes)]
        self.windows = [(-(1 << 40), 0)] * net.xcf.members
        self.held: list[deque[int]] = [deque() for _ in net.pools]
        self.blocks = [p.blocks_at_start for p in net.pools]

    def ticks(self, us: float, stream: int | None = None) -> int:
        factor = 1.0 if stream is None else exponential(self.streams, stream)
        return int(us * 4096.0 * factor + 0.5)

    def at(self, time: int, kind: int, slot: int, what: Any = None) -> None:
        heapq.heappush(self.events, (time, kind, slot, what))

    def run(self, until: int) -> list[dict[str, int]]:
        net = self.net
        for client in range(net.clients):
            time = self.start + self.ticks(net.think_us, c.RNG_THINK)
            self.at(time, c.SEND, client, Transaction(client))
        self.source(self.start, c.BACKGROUND, c.RNG_BACKGROUND, net.cpu.fixed_us_per_s / 200)
        self.source(self.start, c.EXCLUSIVE, c.RNG_OTHER, net.latches.other_exclusive_per_s)
        while self.events and self.events[0][0] < until:
            time, kind, _, what = heapq.heappop(self.events)
            self.handle(time, kind, what)
            self.take_regions(time)
            self.take_cps(time)
        return self.done

    def source(self, time: int, kind: int, stream: int, per_s: float) -> None:
        if per_s > 0:
            gap = 4096e6 / per_s * exponential(self.streams, stream)
            self.at(time + int(gap + 0.5), kind, -1)

    def handle(self, time: int, kind: int, tx: Any) -> None:
        net = self.net
        if kind == c.SEND:
            self.send(time, tx)
        elif kind == c.DELIVER:
            self.deliver(time, tx)
        elif kind == c.CPU_DONE:
            self.burst_ended(time, tx)
        elif kind == c.ENQUEUE:
            tx.facts["arrival"] = time
            self.region_queues[self.pool(tx)].append(tx)
        elif kind == c.READ:
            self.read(time, tx)
        elif kind == c.SYNC:
            hold = self.ticks(net.latches.hold_exclusive_us, c.RNG_LATCH)
            got = self.lrec.take(time, hold, True)
            tx.contention += self.ticks(net.latches.contention_cpu_us) * (got > time)
            self.commit(time, tx) if got == time else self.at(got, c.COMMIT, tx.client, tx)
        elif kind == c.COMMIT:
            self.commit(time, tx)
        elif kind == c.GET_UNIQUE:
            self.get_unique(time, tx)
        elif kind == c.LEAVE:
            self.leave(time, tx)
        elif kind == c.BACKGROUND:
            self.source(time, kind, c.RNG_BACKGROUND, net.cpu.fixed_us_per_s / BACKGROUND_US)
            work = Transaction(net.clients + 1, phase="background", add=BACKGROUND_US * 4096)
            self.cpu_queue.append(work)
        elif kind == c.EXCLUSIVE:
            self.source(time, kind, c.RNG_OTHER, net.latches.other_exclusive_per_s)
            self.logl.take(time, self.ticks(net.latches.other_hold_us, c.RNG_LATCH), True)
        else:
            self.write_ended(time)

    def send(self, time: int, tx: Transaction) -> None:
        net, xcf = self.net, self.net.xcf
        weights = [work_class.weight for work_class in net.classes]
        chance, cls = uniform(self.streams, c.RNG_CLASS) * sum(weights), 0
        while cls + 1 < len(weights) and chance >= sum(weights[: cls + 1]):
            cls += 1
        reads = int(whole(self.streams, c.RNG_COUNTS, net.classes[cls].reads))
        writes = int(whole(self.streams, c.RNG_COUNTS, net.classes[cls].writes))
        area = int(uniform(self.streams, c.RNG_AREA) * net.dasd.volumes)
        member = tx.client % xcf.members
        width = int(xcf.window_us * 4096)
        phase = member * width // xcf.members
        window, used = self.windows[member]
        if (time - phase) // width > window:
            window, used = (time - phase) // width, 0
        elif used >= xcf.quota:
            window, used = window + 1, 0
        self.windows[member] = (window, used + 1)
        delivered = max(time, window * width + phase)
        tx.facts = {"number": self.number, "client": tx.client, "cls": cls, "member": member}
        tx.facts |= {"reads": reads, "writes": writes, "area": area}
        tx.facts |= {"send": time, "xcf": delivered, "cpu_output": 0}
        tx.reads_left, tx.contention = reads, 0
        self.number += 1
        if delivered > time:
            self.at(delivered, c.DELIVER, tx.client, tx)
        else:
            self.deliver(time, tx)

    def deliver(self, time: int, tx: Transaction) -> None:
        beyond = 0
        for k, pool in enumerate(self.net.pools):
            gets = int(whole(self.streams, c.RNG_POOL, pool.gets))
            while self.held[k] and self.held[k][0] <= time:
                self.held[k].popleft()
            beyond += gets * (self.blocks[k] - 1)
            self.held[k].extend([time + self.ticks(pool.hold_us)] * gets)
            in_use = pool.standing + len(self.held[k])
            while in_use > pool.primary + (self.blocks[k] - 1) * pool.secondary:
                self.blocks[k] += 1
        per_block = self.net.block_search_us * self.net.search_share * 4096.0
        tx.phase, tx.add = "input", int(beyond * per_block + 0.5)
        self.want_cp(tx, self.net.cpu.input_us, c.RNG_INPUT)

    def want_cp(self, tx: Transaction, mean_us: float, stream: int) -> None:
        factor = self.net.classes[tx.facts["cls"]].cpu_factor
        tx.need = self.ticks(mean_us * factor, stream)
        self.cpu_queue.append(tx)

    def burst_ended(self, time: int, tx: Transaction) -> None:
        self.follow_busy(time)
        self.cps[self.cps.index(tx)] = None
        if tx.need > 0:
            self.cpu_queue.append(tx)
            return
        used, tx.used = tx.used, 0
        if tx.phase == "background":
            return
        if tx.phase == "closing":
            tx.facts["cpu_output"] += used
            self.leave(time, tx)
            return
        if tx.phase == "scheduling":
            tx.facts["cpu_region"] = used
            pool = self.net.region_pools[self.pool(tx)]
            length = self.ticks(pool.schedule_us, c.RNG_SCHEDULE)
            self.at(time + length, c.GET_UNIQUE, tx.client, tx)
            return
        before = tx.facts.get("cpu_region", 0) if tx.phase == "region" else 0
        tx.facts["cpu_" + tx.phase] = before + used
        place = ("input", "region", "output").index(tx.phase)
        following = (c.ENQUEUE, c.READ, c.LEAVE)[place]
        latches = self.net.latches
        alone = latches.mode == "exclusive"
        hold = latches.hold_exclusive_us if alone else latches.hold_shared_us
        now = time
        for _ in range((latches.calls_shared + (2, 0, 1)[place]) // 3):
            got = self.logl.take(now, self.ticks(hold, c.RNG_LATCH), alone)
            tx.contention += self.ticks(latches.contention_cpu_us) * (got > now)
            now = got
        if now > time:
            self.at(now, following, tx.client, tx)
        else:
            self.handle(time, following, tx)

    def take_regions(self, time: int) -> None:
        for number, pool in enumerate(self.net.region_pools):
            queue, free = self.region_queues[number], self.free_regions[number]
            often = pool.messages_per_schedule
            programs = sum(work_class.pool == number for work_class in self.net.classes)
            while queue and free:
                if often > 1 and programs > 1:
                    tx, costs = self.matched(number, 1 / often)
                else:
                    tx = queue.popleft()
                    tx.facts |= {"region": free.pop(), "scheduled": 0}
                    costs = often > 0 and uniform(self.streams, c.RNG_SCHEDULE) < 1 / often
                    tx.facts["scheduled"] = int(costs)
                tx.facts["taken"] = time
                if costs:
                    tx.phase, tx.add = "scheduling", 0
                    tx.need = self.ticks(pool.schedule_cpu_us, c.RNG_SCHEDULE)
                    self.cpu_queue.append(tx)
                else:
                    self.get_unique(time, tx)

    def matched(self, number: int, chance: float) -> tuple[Transaction, bool]:
        """A message and a region: they match, or the first message has its program scheduled."""
        queue, free = self.region_queues[number], self.free_regions[number]
        queue = deque(sorted(queue, key=lambda one: (one.facts["arrival"], one.facts["cls"])))
        has = [self.program.get(region) for region in free]
        waiting = next((tx for tx in queue if tx.facts["cls"] in has), None)
        drawn = uniform(self.streams, c.RNG_SCHEDULE) < chance
        if drawn and waiting and self.owed[number]:
            self.owed[number] -= 1
            drawn = False
        tx = queue[0] if drawn or waiting is None else waiting
        own = tx.facts["cls"]
        costs, scheduled = drawn, int(drawn)
        if own in has:
            giver: int | None = own
        else:
            giver, costs, scheduled = None, True, 1
            if None not in has:
                giver = min(set(has), key=lambda cls: (-has.count(cls), cls or 0))
                most = self.net.region_pools[number].count
                costs = drawn or self.owed[number] < most
                self.owed[number] += costs and not drawn
                scheduled = 1 if costs else 2
        region = max(n for n, program in enumerate(has) if program == giver)
        tx.facts |= {"region": free.pop(region), "scheduled": scheduled}
        self.program[tx.facts["region"]] = own
        self.region_queues[number].remove(tx)
        return tx, costs

    def get_unique(self, time: int, tx: Transaction) -> None:
        tx.facts["gu"] = time
        tx.phase, tx.add = "region", 0
        self.want_cp(tx, self.net.cpu.region_us, c.RNG_REGION)

    def pool(self, tx: Transaction) -> int:
        return self.net.classes[tx.facts["cls"]].pool

    def take_cps(self, time: int) -> None:
        while self.cpu_queue and None in self.cps:
            tx = self.cpu_queue.popleft()
            self.follow_busy(time)
            self.cps[self.cps.index(None)] = tx
            growth = 1.0 + self.net.cpu.growth / len(self.cps) * self.busy_mean / (1 << 28)
            turn = min(tx.need, self.ticks(self.net.cpu.quantum_us) or 1 << 62)
            tx.need -= turn
            length = int(turn * growth + 0.5) + (tx.add if tx.need == 0 else 0)
            tx.used += length
            self.at(time + length, c.CPU_DONE, tx.client, tx)

    def follow_busy(self, time: int) -> None:
        """The moving mean of busy CPs, before their number changes: 2^27 ticks, in 2^-28 CPs."""
        busy = sum(processor is not None for processor in self.cps)
        passed = min(time - self.busy_since, 1 << 27)
        self.busy_mean += ((busy << 28) - self.busy_mean) * passed >> 27
        self.busy_since = time

    def io(self, time: int, area: int, first: bool) -> int:
        dasd = self.net.dasd
        volume = area
        if not first:
            volume = int(uniform(self.streams, c.RNG_VOLUME) * dasd.volumes)
        path = int(uniform(self.streams, c.RNG_PATH) * dasd.paths)
        delay = max(self.path_free[path] - time, 0)
        self.path_free[path] = time + delay + self.ticks(dasd.port_us, c.RNG_PORT)
        service = self.ticks(dasd.pend_us) + delay
        service += self.ticks(dasd.disc_us, c.RNG_DISC)
        service += self.ticks(dasd.conn_us, c.RNG_CONN)
        start = max(time, heapq.heappop(self.exposures[volume]))
        heapq.heappush(self.exposures[volume], start + service)
        return start + service

    def read(self, time: int, tx: Transaction) -> None:
        end = time
        if tx.reads_left:
            first = tx.reads_left == tx.facts["reads"]
            end = self.io(time, tx.facts["area"], first)
            tx.reads_left -= 1
            if tx.reads_left:
                self.at(end, c.READ, tx.client, tx)
                return
        if self.net.unexplained_us > 0:
            end += self.ticks(self.net.unexplained_us, c.RNG_UNEXPLAINED)
        self.at(end, c.SYNC, tx.client, tx)

    def commit(self, time: int, tx: Transaction) -> None:
        tx.facts["sync"] = time
        if self.net.logger.check_write == "notified":
            self.free_regions[self.pool(tx)].append(tx.facts["region"])
        if self.net.logger.check_write == "unwaited":
            self.free_regions[self.pool(tx)].append(tx.facts["region"])
            self.pending_unwaited = True
            self.answer(time, tx)
        else:
            self.pending.append(tx)
        if self.writing is None:
            self.start_write(time)

    def start_write(self, time: int) -> None:
        logger = self.net.logger
        self.writing, self.pending, self.pending_unwaited = self.pending, [], False
        shape = logger.wads_cv**-2 if logger.wads_cv else 0.0
        length = logger.wads_us * 4096 * gamma(self.streams, c.RNG_WADS, shape)
        self.at(time + int(length + 0.5), c.WADS_DONE, -1)

    def write_ended(self, time: int) -> None:
        batch, self.writing = self.writing or [], None
        for tx in batch:
            if self.net.logger.check_write == "in_region":
                self.free_regions[self.pool(tx)].append(tx.facts["region"])
            self.answer(time, tx)
        if self.pending or self.pending_unwaited:
            self.start_write(time)

    def answer(self, time: int, tx: Transaction) -> None:
        tx.facts["written"] = time
        tx.phase, tx.add, tx.contention = "output", tx.contention, 0
        self.want_cp(tx, self.net.cpu.output_us, c.RNG_OUTPUT)

    def leave(self, time: int, tx: Transaction) -> None:
        if tx.contention:
            tx.phase, tx.need, tx.add, tx.contention = "closing", 0, tx.contention, 0
            self.cpu_queue.append(tx)
            return
        for number in range(tx.facts["writes"]):
            self.io(time, tx.facts["area"], number == 0)
        tx.facts["dequeue"] = time
        self.done.append(tx.facts)
        think = self.ticks(self.net.think_us, c.RNG_THINK)
        self.at(time + think, c.SEND, tx.client, Transaction(tx.client))
