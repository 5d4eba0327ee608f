"""Callouts through TPIPEs as the network that is simulated: the numbers of the solver's model.

A client is a region with its program, which sends one callout after the other: `icals.in_flight` of
both. Part of the CPU is used while a slot is held (tpipe.cpu_inside), the rest before. What the two
see differently: here each TPIPE has its own callers and its own queue.
"""

from __future__ import annotations

from dataclasses import replace

from imsperf.synthetic.network.network import (
    NO_GATE,
    Callouts,
    Cpu,
    Dasd,
    Logged,
    Network,
    RegionPool,
    TransactionClass,
    Xcf,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.simulated import (
    NO_LATCH,
    US_PER_MS,
    logger,
)
from imsperf.synthetic.workloads.tm import QUANTUM_US
from imsperf.synthetic.workloads.tpipe_family import costs_of, slots_of

NO_DASD = Dasd(  # no database: a volume that nobody uses
    paths=1,
    volumes=1,
    port_us=0.0,
    pend_us=0.0,
    device_busy_us=0.0,
    interrupt_us=0.0,
    disc_us=0.0,
    conn_us=0.0,
    aliases=0,
)


def build(scenario: Scenario) -> Network:
    """The network of a scenario."""
    costs, slots, callers = costs_of(scenario), slots_of(scenario), scenario["icals.in_flight"]
    tpipes = scenario["otma.tpipes"]
    latch_us = costs.latch + costs.latch_per_slot * slots + costs.latch_per_tpipe * (tpipes - 1)
    cpu_us = costs.cpu + costs.cpu_per_slot * slots
    (row,) = scenario.table("transactions")
    logged = tuple(
        Logged(one["code"], one["bytes"], (one["each"],)) for one in scenario.table("log_records")
    )
    one = TransactionClass(
        name=row["tran"],
        weight=row["weight"],
        cpu_factor=1.0,
        reads=0.0,
        writes=0.0,
        dedb_calls=0,
        log_records=sum(each.counts[0] for each in logged),
        log_bytes=sum(each.counts[0] * each.bytes for each in logged),
        message_class=row["cls"],
    )
    return Network(
        clients=callers,
        think_us=0.0,
        rate_per_s=0.0,
        classes=(one,),
        cpu=_cpu(scenario, cpu_us, costs.inside),
        xcf=Xcf(1, NO_GATE, 0.001),
        region_pools=(RegionPool("MPP", callers),),
        unexplained_us=costs.delay,
        latches=NO_LATCH,
        logger=replace(logger(scenario), check_write="unwaited"),  # a callout changes no database
        dasd=NO_DASD,
        pools=(),
        block_search_us=0.0,
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        logged=logged,
        callouts=Callouts(
            tpipes=tpipes,
            limit=max(scenario["otma.limitrtp"], 1),
            latch_us=latch_us,
            request_bytes=scenario["message.in_bytes"],
            answer_bytes=scenario["message.out_bytes"],
        ),
    )


def _cpu(scenario: Scenario, cpu_us: float, inside: float) -> Cpu:
    """CPU of a callout; the solver knows no other."""
    rows = scenario.table("cpu_shares")
    total = sum(row["share"] for row in rows)
    shares = {row["space"]: cpu_us * row["share"] / total for row in rows}
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=cpu_us * (1 - inside),
        region_us=cpu_us * inside,
        output_us=0.0,
        fixed_us_per_s=0.0,
        growth=0.0,
        share_by_space=tuple(shares.items()),
        of_regions=(shares["MPP"], 0.0),
        quantum_us=QUANTUM_US,
    )
