"""What the simulation keeps while it runs: arrays, their columns, and how a network fills them.

Time is in ticks of 2**-12 microseconds, int64, 0 = start of the run, negative in the warm-up.
A slot is one client with its transaction (closed), one transaction (open) or one background burst;
at most one event per slot is pending, so the event lists are chained through the slots themselves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic.arrays import F64, I32, I64
from imsperf.synthetic.network.network import Coupling, Network
from imsperf.synthetic.network.traces import logged_bytes, logged_bytes_of_schedule
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.rng import Streams, seeded_streams
from imsperf.synthetic.units import TICKS_PER_S, TICKS_PER_US

LOCAL_LOCK = "local_lock"  # the serial that STORAGE calls hold
NEVER_US = 1e12
_FEW_SLOTS = 1 << 16
UNCOUPLED = Coupling((), 1, 1, 0.0, 0.0, 0.0, 0.0, 0.0)


class Setup(NamedTuple):
    """The network as scalars the kernels read; times in ticks."""

    closed: bool
    clients: int
    think: float
    classes: int
    cps: int
    ziips: int  # threads of all cores
    ziip_threads: int  # of a core
    ziip_slow: float  # speed of a thread beside another one
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
    serial_latch: int  # the first of those in `serials`
    local_lock: int  # that of z/OS, among the latches; -1: it is not there
    awe_by_free: bool  # who frees storage expands the pool
    awe_good: float  # 0: AWEs never run short
    awe_short: float
    awe_storage: float  # share of the messages then
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
    olds_capacity: int
    archive_blocks: int  # of a read; 0: nothing is archived
    archive_read: int
    archive_cpu: float
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


class Shape:
    """Shape of an array of the state; lengths that depend on the network by name: `_lengths`."""

    def __init__(self, *lengths: int | str, fill: int = 0) -> None:
        self.lengths = lengths
        self.fill = fill


START = 1 << 62  # a fill: the time at which the run starts


class State(NamedTuple):
    """Everything that changes. Each array with its shape and what fills it at first."""

    scalars: Annotated[I64, Shape(c.SCALARS)]
    counters: Annotated[I64, Shape("counters")]
    streams: Annotated[Streams, Shape(c.RNG_STREAMS, 4)]
    slots: Annotated[I64, Shape("slots", c.SLOT_COLUMNS)]
    chains: Annotated[I64, Shape("chains", 3, fill=-1)]
    near: Annotated[I64, Shape("slots")]
    heads: Annotated[I64, Shape(c.BUCKETS, fill=-1)]
    classes: Annotated[F64, Shape("classes", c.CLASS_COLUMNS)]
    cps: Annotated[I64, Shape("processors", c.CP_COLUMNS)]  # then threads of zIIPs
    members: Annotated[I64, Shape("members", c.MEMBER_COLUMNS)]
    # of each pool, from its REGION_FIRST on; or of each the next one in `idle`
    free_regions: Annotated[I64, Shape("regions")]
    # of each queue of a program: the first free region with it, number of them
    idle: Annotated[I64, Shape("queues", c.IDLE_COLUMNS)]
    region_pools: Annotated[I64, Shape("region pools", c.REGION_COLUMNS)]
    schedules: Annotated[F64, Shape("region pools", c.SCHEDULE_COLUMNS)]
    devices: Annotated[I64, Shape("volumes", c.D_NEXT + 1)]
    exposures: Annotated[I64, Shape("volumes", "exposures", fill=START)]
    paths: Annotated[I64, Shape("paths", c.PATH_COLUMNS)]
    ports: Annotated[I64, Shape("paths", fill=START)]  # when each path is free; of all systems
    latches: Annotated[I64, Shape("latches", c.L_STARTS + c.LATCH_RING, fill=START)]
    serials: Annotated[F64, Shape("serials", c.SERIAL_COLUMNS)]
    pool_gets: Annotated[F64, Shape("pools")]
    pools: Annotated[I64, Shape("pools", c.POOL_COLUMNS)]
    ring: Annotated[I64, Shape("pools", "held", 2)]
    times: Annotated[I64, Shape("rows", c.TIME_COLUMNS)]
    small: Annotated[I32, Shape("rows", c.SMALL_COLUMNS)]
    # the program in each region, and what the region has used
    programs: Annotated[I64, Shape("regions", c.REGION_OWN_COLUMNS)]
    ended: Annotated[I64, Shape("programs", c.PROGRAM_COLUMNS)]
    gates: Annotated[I64, Shape("gates", c.GATE_COLUMNS)]
    structures: Annotated[I64, Shape("structures", c.STRUCTURE_COLUMNS)]
    structure_shares: Annotated[F64, Shape("structures", c.SHARE_COLUMNS)]
    subchannels: Annotated[I64, Shape("subchannels", fill=START)]  # when each is free
    # when each CF processor is free; of all systems
    processors: Annotated[I64, Shape("CF processors", fill=START)]
    processor_busy: Annotated[I64, Shape("CF processors")]  # by this system
    # when the last writes to the OLDS end, one for each log buffer, in a ring
    olds: Annotated[I64, Shape("log buffers", fill=START)]


def _declared() -> Iterator[tuple[str, np.dtype[Any], Shape]]:
    """Name, type and shape of each array of a State."""
    for name, hint in get_type_hints(State, include_extras=True).items():
        array, shape = get_args(hint)
        (element,) = get_args(get_args(array)[1])
        yield name, np.dtype(element), shape


ARRAYS = tuple(_declared())


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
        ziips=cpu.ziips * cpu.ziip_threads,
        ziip_threads=cpu.ziip_threads,
        ziip_slow=cpu.ziip_smt / 2,
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
        serial_latch=len(net.latch_names) - len(net.serials),
        local_lock=net.latch_names.index(LOCAL_LOCK) if LOCAL_LOCK in net.latch_names else -1,
        awe_by_free=net.awe is not None and net.awe.by_free,
        awe_good=_good_time(net) * us,
        awe_short=net.awe.short_us * us if net.awe else 0.0,
        awe_storage=net.awe.storage_share if net.awe else 0.0,
        schedule_bytes=logger.schedule_bytes + round(logged_bytes_of_schedule(net)),
        end_bytes=logger.end_bytes + logger.thread_end_bytes,
        in_region=logger.check_write == "in_region",
        unwaited=logger.check_write == "unwaited",
        wads=logger.wads_us * us,
        wads_shape=logger.wads_cv**-2.0 if logger.wads_cv > 0 else 0.0,
        ci_bytes=logger.wads_ci_bytes,
        olds=logger.olds_us * us,
        block_bytes=logger.block_bytes,
        buffers=logger.buffers,
        olds_capacity=logger.olds_capacity,
        archive_blocks=0 if net.sequence else logger.archive_blocks,
        archive_read=ticks(logger.archive_read_us),
        archive_cpu=logger.archive_cpu_us * us,
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


def _good_time(net: Network) -> float:
    """Mean time between shortages of AWEs, us; 0 for none within the time that ticks can tell."""
    good = net.awe.good_us if net.awe else math.inf
    return good if good < NEVER_US else 0.0


def _gap(per_s: float) -> float:
    """Mean ticks between events of this rate, 0 for none."""
    return TICKS_PER_S / per_s if per_s > 0 else 0.0


def new_state(net: Network, *, seed: int, start: int) -> State:
    """The empty network at time `start`."""
    coupling = net.coupling or UNCOUPLED
    lengths = _lengths(net, coupling)
    arrays = {}
    for name, element, shape in ARRAYS:
        fill = start if shape.fill == START else shape.fill
        arrays[name] = np.full(
            [n if isinstance(n, int) else lengths[n] for n in shape.lengths], fill, element
        )
    contents = {
        "streams": seeded_streams(seed, c.RNG_STREAMS),
        "classes": _classes(net),
        "free_regions": _free_regions(net),
        "region_pools": _region_pools(net),
        "schedules": _schedules(net),
        "pool_gets": [pool.gets for pool in net.pools],
        "serials": _serials(net),
        "structure_shares": _structure_shares(coupling),
    }
    for name, values in contents.items():
        arrays[name][...] = values
    state = State(**arrays)
    _fill(state, net, start)
    return state


def _lengths(net: Network, coupling: Coupling) -> dict[str, int]:
    """Lengths of the arrays by the names they have in State."""
    queues = sum(_queues(net))
    return {
        "slots": c.FIRST_SLOT + c.SPARE_SLOTS + (0 if net.is_open else net.clients),
        "counters": c.A_CLASSES + len(net.classes),
        "chains": c.REGION_QUEUE + queues + len(net.gates),
        "classes": len(net.classes),
        "processors": net.cpu.cps + net.cpu.ziips * net.cpu.ziip_threads,
        "members": net.xcf.members,
        "regions": net.regions,
        "queues": queues,
        "region pools": len(net.region_pools),
        "volumes": net.dasd.volumes,
        "exposures": net.dasd.exposures,
        "paths": net.dasd.paths,
        "latches": len(net.latch_names),
        "serials": len(net.serials),
        "pools": len(net.pools),
        "held": 64,
        "rows": c.CHUNK_ROWS,
        "programs": c.CHUNK_ROWS + net.regions,
        "gates": len(net.gates),
        "structures": len(coupling.structures),
        "subchannels": coupling.subchannels,
        "CF processors": coupling.processors,
        "log buffers": net.logger.buffers,
    }


def _classes(net: Network) -> F64:
    """One row per class; the last cumulative weight is above every uniform draw."""
    table = np.zeros((len(net.classes), c.CLASS_COLUMNS))
    weights = net.of_classes("weight")
    table[:, c.K_CUMULATIVE] = np.cumsum(weights) / weights.sum()
    table[-1, c.K_CUMULATIVE] = 2.0
    for column, name in (
        (c.K_CPU_FACTOR, "cpu_factor"), (c.K_READS, "reads"), (c.K_WRITES, "writes"),
        (c.K_RECORDS, "log_records"), (c.K_BYTES, "log_bytes"), (c.K_POOL, "pool"),
    ):  # fmt: skip
        table[:, column] = net.of_classes(name)
    table[:, c.K_TRACE] = np.rint(logged_bytes(net))
    first = 0
    for place, queues in enumerate(_queues(net)):
        mine = [n for n, work_class in enumerate(net.classes) if work_class.pool == place]
        table[mine, c.K_QUEUE] = first + np.arange(len(mine)) * (queues > 1)
        first += queues
    return table


def _queues(net: Network) -> list[int]:
    """Queues of each pool: one for each program where some messages find theirs, else one."""
    queues = []
    for place, pool in enumerate(net.region_pools):
        mine = sum(work_class.pool == place for work_class in net.classes)
        queues.append(mine if 0 < pool.schedule_chance < 1 else 1)
    return queues


def _region_pools(net: Network) -> I64:
    """Where regions and queues of each pool begin; all regions are free and never had a program."""
    counts = np.array([pool.count for pool in net.region_pools], np.int64)
    queues = np.array(_queues(net), np.int64)
    begin, first = np.cumsum(counts) - counts, np.cumsum(queues) - queues
    columns = [begin, counts, counts, first, queues, counts, np.zeros_like(counts)]
    return np.stack(columns, axis=1)


def _free_regions(net: Network) -> I64:
    """Of each pool the lowest number last, which is taken first."""
    return np.concatenate(
        [
            np.arange(first + count - 1, first - 1, -1, dtype=np.int64)
            for first, _, count, *_ in _region_pools(net)
        ]
    )


def _schedules(net: Network) -> F64:
    """Chance of a schedule, its CPU and other time in ticks, share of load in both; by pool."""
    us = TICKS_PER_US
    rows = [
        (
            *(pool.schedule_chance, pool.schedule_cpu_us * us, pool.schedule_us * us),
            *(pool.load_share, pool.load_time_share),
        )
        for pool in net.region_pools
    ]
    return np.array(rows, np.float64)


def _serials(net: Network) -> F64:
    """Calls of a transaction, hold and CPU of a contention in ticks."""
    us = TICKS_PER_US
    rows = [
        (latch.calls_exclusive, latch.hold_exclusive_us * us, ticks(latch.contention_cpu_us))
        for latch in net.serials
    ]
    return np.array(rows, np.float64).reshape(-1, c.SERIAL_COLUMNS)


def _structure_shares(coupling: Coupling) -> F64:
    """One row per structure; the last cumulative share is above every uniform draw."""
    table = np.zeros((len(coupling.structures), c.SHARE_COLUMNS))
    for column, place in ((c.FROM_REGION, "in_region"), (c.FROM_OUTPUT, "in_output")):
        each = np.array([getattr(structure, place) for structure in coupling.structures])
        if each.sum() > 0:
            table[:, column] = np.cumsum(each) / each.sum()
            table[np.flatnonzero(each)[-1] :, column] = 2.0
    table[:, c.CONTENTION] = [structure.contention for structure in coupling.structures]
    table[:, c.FALSE] = [structure.false_contention for structure in coupling.structures]
    return table


def check_alike(other_state: State, other: State) -> None:
    """Raise ScenarioError where two systems have other numbers of servers."""
    shapes = [[np.shape(array) for array in state] for state in (other_state, other)]
    if shapes[0] != shapes[1]:
        raise ScenarioError("systems: found unlike numbers of servers, expected like ones")


def _fill(state: State, net: Network, start: int) -> None:
    """Initial values that are not zero."""
    state.scalars[[c.BASE, c.NEXT]] = start >> c.BUCKET_BITS << c.BUCKET_BITS
    state.scalars[c.OLDS_READY] = start
    state.scalars[c.BUSY_WINDOW] = min(ticks(net.cpu.window_us), c.BUSY_MOST // net.cpu.cps)
    state.scalars[c.STEPS_LEFT] = net.sequence.steps if net.sequence else 0
    state.gates[:, c.G_FREE_END] = net.gates
    state.cps[:, c.CP_SLOT] = -1
    window = ticks(net.xcf.window_us)
    members = net.xcf.members
    state.members[:, c.M_PHASE] = np.arange(members) * window // members
    state.members[:, c.M_WINDOW] = start // window - 1
    state.scalars[c.AWES_SINCE] = start
    state.latches[:, : c.LATCH_COUNTERS] = 0
    state.latches[:, c.L_LAST] = 0
    state.chains[:, c.COUNT] = 0
    clients = 0 if net.is_open else net.clients
    free = np.arange(c.FIRST_SLOT + clients, len(state.slots))
    chain_free(state, free)
    state.slots[c.FIRST_SLOT : c.FIRST_SLOT + clients, c.S_CLIENT] = np.arange(clients)
    _fill_pools(state.pools, net, start)


def _fill_pools(pools: I64, net: Network, start: int) -> None:
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
    pools[:, [c.B_NOW, c.B_HIGH, c.B_LOW, c.B_MAX_SINCE_INIT]] = standing[:, None]
    for column in (c.B_BLOCKS_NOW, c.B_BLOCKS_HIGH, c.B_BLOCKS_LOW, c.B_BLOCKS_MAX_SINCE_INIT):
        pools[:, column] = blocks


def chain_free(state: State, slots: I64) -> None:
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
    """The same state with more of what it lacks (engine.lacks): slots, room for held buffers.

    While there are few slots, both are doubled: which slot is free next is part of what a seed
    stands for.
    """
    few = len(state.slots) < _FEW_SLOTS
    lacks_room = state.scalars[c.RING_HIGH] + 1 >= state.ring.shape[1]
    if few or state.chains[c.FREE_SLOTS, c.COUNT] < 2:
        state = _more_slots(state)
    if few or lacks_room:
        state = _more_room(state)
    return state


def _more_slots(state: State) -> State:
    old = len(state.slots)
    slots = np.concatenate([state.slots, np.zeros_like(state.slots)])
    near = np.concatenate([state.near, np.zeros_like(state.near)])
    new = state._replace(slots=slots, near=near)
    chain_free(new, np.arange(old, 2 * old))
    return new


def _more_room(state: State) -> State:
    """For buffers; the first of each pool moves to the front."""
    capacity = state.ring.shape[1]
    order = (state.pools[:, c.B_FIRST][:, None] + np.arange(capacity)) % capacity
    straight = np.take_along_axis(state.ring, order[:, :, None], axis=1)
    state.pools[:, c.B_FIRST] = 0
    state.scalars[c.RING_HIGH] = state.pools[:, c.B_HELD].max(initial=0)
    return state._replace(ring=np.concatenate([straight, np.zeros_like(straight)], axis=1))
