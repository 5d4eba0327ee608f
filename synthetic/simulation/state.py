"""What the simulation keeps while it runs: arrays, their columns, and how a network fills them.

Time is in ticks of 2**-12 microseconds, int64, 0 = start of the run, negative in the warm-up.
A slot is one client with its transaction (closed), one transaction (open) or one background burst;
at most one event per slot is pending, so the event lists are chained through the slots themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Coupling, Network
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.rng import Streams, seeded_streams
from imsperf.synthetic.units import TICKS_PER_S, TICKS_PER_US

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNCOUPLED = Coupling((), 1, 1, 0.0, 0.0, 0.0, 0.0, 0.0)


class Setup(NamedTuple):
    """The network as scalars the kernels read; times in ticks."""

    closed: bool
    clients: int
    think: float
    classes: int
    cps: int
    ziips: int
    honor: bool  # eligible work that finds no zIIP free goes to a CP
    ziip_input: float  # eligible shares of the bursts
    ziip_region: float
    ziip_output: float
    input: float
    region: float
    output: float
    growth: float  # of a turn, for each CP busy on average
    quantum: int
    background_gap: float  # 0 = none
    background: int
    members: int
    quota: int
    window: int
    regions: int
    unexplained: float
    calls: tuple[int, int, int]  # log calls at the end of input, region and output CPU
    calls_exclusive: bool
    sync_latch: int
    hold_shared: float
    hold_exclusive: float
    other_gap: float
    other_hold: float
    contention: int
    schedule_bytes: int
    end_bytes: int
    in_region: bool
    unwaited: bool
    wads: float
    wads_shape: float
    ci_bytes: int
    olds: float
    block_bytes: int
    buffers: int
    volumes: int
    paths: int
    port: float
    pend: int
    device_busy: int
    interrupt: int
    disc: float
    conn: float
    search: float  # of a get, for each block beyond the first
    cycle: int
    goal: int  # response time whose parts in per cent the distribution counts
    sample_k: int
    tpipes: int  # gates of callouts; without them gates are TCBs
    gate_queue: int  # chain of the first gate
    otma: float
    tcb: float
    steps: int  # of the one program; 0: transactions
    per_commit: int
    requests_region: float  # to the coupling facility, of a transaction; 0 where there is none
    requests_output: float
    link: int
    service: float
    async_cpu: int
    async_delay: int
    threshold: float


class State(NamedTuple):
    """Everything that changes. Shapes: see `new_state`, and SHAPES in borrowed.py."""

    scalars: Ints
    counters: Ints
    streams: Streams
    slots: Ints
    chains: Ints
    near: Ints
    heads: Ints
    classes: Floats
    cps: Ints  # then zIIPs
    members: Ints
    free_regions: Ints  # of each pool, from its REGION_FIRST on; or of each the next one in `idle`
    idle: Ints  # of each queue of a program: the first free region with it, number of them
    region_pools: Ints
    schedules: Floats
    devices: Ints
    exposures: Ints
    paths: Ints
    ports: Ints  # when each path is free; of all systems
    latches: Ints
    pool_gets: Floats
    pools: Ints
    ring: Ints
    times: Ints
    small: NDArray[np.int32]
    programs: Ints  # the program in each region, and what the region has used
    ended: Ints
    gates: Ints
    structures: Ints
    structure_shares: Floats
    subchannels: Ints  # when each is free
    processors: Ints  # when each CF processor is free; of all systems
    processor_busy: Ints  # by this system
    olds: Ints  # when the last writes to the OLDS end, one for each log buffer, in a ring


def ticks(microseconds: float) -> int:
    """Microseconds as whole ticks."""
    return round(microseconds * TICKS_PER_US)


def setup(net: Network, sample_k: int) -> Setup:
    """A network's numbers in the units of the kernels."""
    cpu, latches, logger, dasd = net.cpu, net.latches, net.logger, net.dasd
    us = float(TICKS_PER_US)
    calls, rest = divmod(latches.calls_shared, 3)
    coupling = net.coupling or UNCOUPLED
    return Setup(
        closed=not net.is_open,
        clients=net.clients,
        think=1e6 / net.rate_per_s * us if net.is_open else net.think_us * us,
        classes=len(net.classes),
        cps=cpu.cps,
        ziips=cpu.ziips,
        honor=cpu.ziip_honor,
        ziip_input=cpu.eligible[0],
        ziip_region=cpu.eligible[1],
        ziip_output=cpu.eligible[2],
        input=cpu.input_us * us,
        region=cpu.region_us * us,
        output=cpu.output_us * us,
        growth=cpu.growth / cpu.cps,
        quantum=ticks(cpu.quantum_us) or 1 << 62,
        background_gap=_gap(cpu.fixed_us_per_s / c.BACKGROUND_US),
        background=ticks(c.BACKGROUND_US),
        members=net.xcf.members,
        quota=net.xcf.quota,
        window=ticks(net.xcf.window_us),
        regions=net.regions,
        unexplained=net.unexplained_us * us,
        calls=(calls + (rest > 0), calls, calls + (rest > 1)),
        calls_exclusive=latches.mode == "exclusive",
        sync_latch=c.LREC if latches.mode == "split" else c.LOGL,
        hold_shared=latches.hold_shared_us * us,
        hold_exclusive=latches.hold_exclusive_us * us,
        other_gap=_gap(latches.other_exclusive_per_s),
        other_hold=latches.other_hold_us * us,
        contention=ticks(latches.contention_cpu_us),
        schedule_bytes=logger.schedule_bytes,
        end_bytes=logger.end_bytes + logger.thread_end_bytes,
        in_region=logger.check_write == "in_region",
        unwaited=logger.check_write == "unwaited",
        wads=logger.wads_us * us,
        wads_shape=logger.wads_cv**-2.0 if logger.wads_cv > 0 else 0.0,
        ci_bytes=logger.wads_ci_bytes,
        olds=logger.olds_us * us,
        block_bytes=logger.block_bytes,
        buffers=logger.buffers,
        volumes=dasd.volumes,
        paths=dasd.paths,
        port=dasd.port_us * us,
        pend=ticks(dasd.pend_us),
        device_busy=ticks(dasd.device_busy_us),
        interrupt=ticks(dasd.interrupt_us),
        disc=dasd.disc_us * us,
        conn=dasd.conn_us * us,
        search=net.block_search_us * net.search_share * us,
        cycle=ticks(net.cycle_us),
        goal=ticks(net.response_goal_us),
        sample_k=sample_k,
        tpipes=net.callouts.tpipes if net.callouts else 0,
        gate_queue=c.REGION_QUEUE + sum(_queues(net)),
        otma=net.callouts.latch_us * us if net.callouts else 0.0,
        tcb=net.tcbs.us * us if net.tcbs else 0.0,
        steps=net.sequence.steps if net.sequence else 0,
        per_commit=net.sequence.per_commit if net.sequence else 1,
        requests_region=coupling.requests("in_region"),
        requests_output=coupling.requests("in_output"),
        link=ticks(coupling.link_us),
        service=coupling.service_us * us,
        async_cpu=ticks(coupling.async_cpu_us),
        async_delay=ticks(coupling.async_delay_us),
        threshold=coupling.threshold_us * us,
    )


def _gap(per_s: float) -> float:
    """Mean ticks between events of this rate, 0 for none."""
    return TICKS_PER_S / per_s if per_s > 0 else 0.0


def new_state(net: Network, *, seed: int, start: int) -> State:
    """The empty network at time `start`."""
    slots = c.FIRST_SLOT + c.SPARE_SLOTS + (0 if net.is_open else net.clients)
    dasd, sizes = net.dasd, len(net.pools)
    coupling, queues = net.coupling or UNCOUPLED, sum(_queues(net))
    state = State(
        scalars=np.zeros(c.SCALARS, np.int64),
        counters=np.zeros(c.A_CLASSES + len(net.classes), np.int64),
        streams=seeded_streams(seed, c.RNG_STREAMS),
        slots=np.zeros((slots, c.SLOT_COLUMNS), np.int64),
        chains=np.full((c.REGION_QUEUE + queues + len(net.gates), 3), -1, np.int64),
        near=np.zeros(slots, np.int64),
        heads=np.full(c.BUCKETS, -1, np.int64),
        classes=_classes(net),
        cps=np.zeros((net.cpu.cps + net.cpu.ziips, c.CP_COLUMNS), np.int64),
        members=np.zeros((net.xcf.members, c.MEMBER_COLUMNS), np.int64),
        free_regions=_free_regions(net),
        idle=np.zeros((queues, c.IDLE_COLUMNS), np.int64),
        region_pools=_region_pools(net),
        schedules=_schedules(net),
        devices=np.zeros((dasd.volumes, c.D_NEXT + 1), np.int64),
        exposures=np.full((dasd.volumes, min(1 + dasd.aliases, c.MAX_EXPOSURES)), start, np.int64),
        paths=np.zeros((dasd.paths, c.PATH_COLUMNS), np.int64),
        ports=np.full(dasd.paths, start, np.int64),
        latches=np.full((len(net.latch_names), c.L_STARTS + c.LATCH_RING), start, np.int64),
        pool_gets=np.array([p.gets for p in net.pools], np.float64),
        pools=np.zeros((sizes, c.POOL_COLUMNS), np.int64),
        ring=np.zeros((sizes, 64, 2), np.int64),
        times=np.zeros((c.CHUNK_ROWS, c.TIME_COLUMNS), np.int64),
        small=np.zeros((c.CHUNK_ROWS, c.SMALL_COLUMNS), np.int32),
        programs=np.zeros((net.regions, c.REGION_OWN_COLUMNS), np.int64),
        ended=np.zeros((c.CHUNK_ROWS + net.regions, c.PROGRAM_COLUMNS), np.int64),
        gates=np.zeros((len(net.gates), c.GATE_COLUMNS), np.int64),
        structures=np.zeros((len(coupling.structures), c.STRUCTURE_COLUMNS), np.int64),
        structure_shares=_structure_shares(coupling),
        subchannels=np.full(coupling.subchannels, start, np.int64),
        processors=np.full(coupling.processors, start, np.int64),
        processor_busy=np.zeros(coupling.processors, np.int64),
        olds=np.full(net.logger.buffers, start, np.int64),
    )
    _fill(state, net, start)
    return state


def _classes(net: Network) -> Floats:
    """One row per class; the last cumulative weight is above every uniform draw."""
    table = np.zeros((len(net.classes), c.CLASS_COLUMNS))
    weights = np.array([c.weight for c in net.classes])
    table[:, c.K_CUMULATIVE] = np.cumsum(weights) / weights.sum()
    table[-1, c.K_CUMULATIVE] = 2.0
    for column, name in (
        (c.K_CPU_FACTOR, "cpu_factor"), (c.K_READS, "reads"), (c.K_WRITES, "writes"),
        (c.K_RECORDS, "log_records"), (c.K_BYTES, "log_bytes"), (c.K_POOL, "pool"),
    ):  # fmt: skip
        table[:, column] = [getattr(c, name) for c in net.classes]
    first = 0
    for place, queues in enumerate(_queues(net)):
        mine = [n for n, one in enumerate(net.classes) if one.pool == place]
        table[mine, c.K_QUEUE] = first + np.arange(len(mine)) * (queues > 1)
        first += queues
    return table


def _queues(net: Network) -> list[int]:
    """Queues of each pool: one for each program where some messages find theirs, else one."""
    found = []
    for place, pool in enumerate(net.region_pools):
        mine = sum(one.pool == place for one in net.classes)
        found.append(mine if 0 < pool.schedule_chance < 1 else 1)
    return found


def _region_pools(net: Network) -> Ints:
    """Where regions and queues of each pool begin; all regions are free and never had a program."""
    counts = np.array([one.count for one in net.region_pools], np.int64)
    queues = np.array(_queues(net), np.int64)
    begin, first = np.cumsum(counts) - counts, np.cumsum(queues) - queues
    columns = [begin, counts, counts, first, queues, counts, np.zeros_like(counts)]
    return np.stack(columns, axis=1)


def _free_regions(net: Network) -> Ints:
    """Of each pool the lowest number last, which is taken first."""
    return np.concatenate(
        [
            np.arange(first + count - 1, first - 1, -1, dtype=np.int64)
            for first, _, count, *_ in _region_pools(net)
        ]
    )


def _schedules(net: Network) -> Floats:
    """Chance of a schedule, its CPU and other time in ticks, of each pool."""
    us = TICKS_PER_US
    rows = [
        (one.schedule_chance, one.schedule_cpu_us * us, one.schedule_us * us)
        for one in net.region_pools
    ]
    return np.array(rows, np.float64)


def _structure_shares(coupling: Coupling) -> Floats:
    """One row per structure; the last cumulative share is above every uniform draw."""
    table = np.zeros((len(coupling.structures), c.SHARE_COLUMNS))
    for column, place in ((c.FROM_REGION, "in_region"), (c.FROM_OUTPUT, "in_output")):
        each = np.array([getattr(one, place) for one in coupling.structures])
        if each.sum() > 0:
            table[:, column] = np.cumsum(each) / each.sum()
            table[np.flatnonzero(each)[-1] :, column] = 2.0
    table[:, c.CONTENTION] = [one.contention for one in coupling.structures]
    table[:, c.FALSE] = [one.false_contention for one in coupling.structures]
    return table


def check_alike(one: State, other: State) -> None:
    """Raise ScenarioError where two systems have other numbers of servers."""
    shapes = [[np.shape(array) for array in state] for state in (one, other)]
    if shapes[0] != shapes[1]:
        raise ScenarioError("systems: found unlike numbers of servers, expected like ones")


def _fill(state: State, net: Network, start: int) -> None:
    """Initial values that are not zero."""
    state.scalars[[c.BASE, c.NEXT]] = start >> c.BUCKET_BITS << c.BUCKET_BITS
    state.scalars[c.OLDS_READY] = start
    state.scalars[c.STEPS_LEFT] = net.sequence.steps if net.sequence else 0
    state.gates[:, c.G_FREE] = net.gates
    state.cps[:, c.CP_SLOT] = -1
    window = ticks(net.xcf.window_us)
    members = net.xcf.members
    state.members[:, c.M_PHASE] = np.arange(members) * window // members
    state.members[:, c.M_WINDOW] = start // window - 1
    state.latches[:, : c.LATCH_COUNTERS] = 0
    state.latches[:, c.L_LAST] = 0
    state.chains[:, c.COUNT] = 0
    clients = 0 if net.is_open else net.clients
    free = np.arange(c.FIRST_SLOT + clients, len(state.slots))
    chain_free(state, free)
    state.slots[c.FIRST_SLOT : c.FIRST_SLOT + clients, c.S_CLIENT] = np.arange(clients)
    _fill_pools(state.pools, net, start)


def _fill_pools(pools: Ints, net: Network, start: int) -> None:
    """Standing buffers, and blocks enough for them."""
    standing = np.array([p.standing for p in net.pools], np.int64)
    primary = np.array([p.primary for p in net.pools], np.int64)
    secondary = np.array([p.secondary for p in net.pools], np.int64)
    more = np.maximum(standing - primary, 0)
    needed = (standing > 0) + np.where(secondary > 0, -(-more // np.maximum(secondary, 1)), 0)
    blocks = np.maximum(needed, np.array([p.blocks_at_start for p in net.pools], np.int64))
    pools[:, c.B_PRIMARY], pools[:, c.B_SECONDARY] = primary, secondary
    pools[:, c.B_HOLD] = [ticks(p.hold_us) for p in net.pools]
    pools[:, c.B_LAST] = start
    pools[:, [c.B_IN_USE, c.B_HIGH, c.B_LOW, c.B_MAX]] = standing[:, None]
    pools[:, [c.B_BLOCKS, c.B_BLOCK_HIGH, c.B_BLOCK_LOW, c.B_BLOCK_MAX]] = blocks[:, None]


def chain_free(state: State, slots: NDArray[np.int64]) -> None:
    """Append slots to the chain of free ones."""
    state.slots[slots[:-1], c.S_NEXT] = slots[1:]
    state.slots[slots[-1], c.S_NEXT] = -1
    if state.chains[c.FREE_SLOTS, c.COUNT]:
        state.slots[state.chains[c.FREE_SLOTS, c.TAIL], c.S_NEXT] = slots[0]
    else:
        state.chains[c.FREE_SLOTS, c.HEAD] = slots[0]
    state.chains[c.FREE_SLOTS, c.TAIL] = slots[-1]
    state.chains[c.FREE_SLOTS, c.COUNT] += len(slots)


def grown(state: State) -> State:
    """The same state with twice the slots and twice the room for held buffers."""
    old = len(state.slots)
    slots = np.concatenate([state.slots, np.zeros_like(state.slots)])
    near = np.concatenate([state.near, np.zeros_like(state.near)])
    capacity = state.ring.shape[1]
    order = (state.pools[:, c.B_FIRST][:, None] + np.arange(capacity)) % capacity
    straight = np.take_along_axis(state.ring, order[:, :, None], axis=1)
    ring = np.concatenate([straight, np.zeros_like(straight)], axis=1)
    state.pools[:, c.B_FIRST] = 0
    state.scalars[c.RING_HIGH] = state.pools[:, c.B_HELD].max(initial=0)
    new = state._replace(slots=slots, near=near, ring=ring)
    chain_free(new, np.arange(old, 2 * old))
    return new
