"""Synchronous callouts through OTMA: regions wait for TPIPE slots (model.md 3.8).

A client is a region with its program, which sends one callout after the other: `icals.in_flight` of
both. Part of the CPU is used while a slot is held (tpipe.cpu_inside), the rest before. Requests
that wait idle lengthen the chain that each call searches, so CPU and latch grow with the slots. The
solver has the slots of all TPIPEs as one pool; in the simulation each TPIPE has its own callers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from imsperf.synthetic.network.network import (
    Callouts,
    Cpu,
    Dasd,
    Logged,
    Network,
    RegionPool,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.declared import works_of
from imsperf.synthetic.solver.result import Result
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.units import US_PER_MS
from imsperf.synthetic.workloads.devices import logger
from imsperf.synthetic.workloads.prediction import Metric, Prediction
from imsperf.synthetic.workloads.tm_metrics import bottlenecks, stations, summary


def predicted(scenario: Scenario) -> Prediction:
    """Callouts a second, their response, CPU."""
    network = build(scenario)
    results = solve(works_of([network]))
    work = results.of("work")
    rows = (
        *summary(scenario, work, results.details, response="ical_response_ms"),
        *_metrics(network, work),
        *bottlenecks(results),
    )
    return Prediction(rows, tuple(stations(results)))


def build(scenario: Scenario) -> Network:
    """The network of a scenario."""
    callers, calls = scenario["icals.in_flight"], _callouts(scenario)
    (row,) = scenario.table("transactions")
    logged = tuple(
        Logged(row_of_log["code"], row_of_log["bytes"], (row_of_log["each"],))
        for row_of_log in scenario.table("log_records")
    )
    transaction_class = TransactionClass(
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
        classes=(transaction_class,),
        cpu=_cpu(scenario, calls.slots),
        region_pools=(RegionPool("MPP", callers),),
        unexplained_us=scenario["tpipe.service_us"],
        logger=replace(logger(scenario), check_write="unwaited"),  # a callout changes no database
        dasd=Dasd(paths=1, volumes=1),  # no database: nobody uses it
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        logged=logged,
        callouts=calls,
    )


def _callouts(scenario: Scenario) -> Callouts:
    """LIMITRTP slots of each TPIPE, one where it is not parallel."""
    speed, tpipes = scenario["cpu.speed"], scenario["otma.tpipes"]
    limit = max(scenario["otma.limitrtp"], 1)
    latch_us = scenario["tpipe.latch_us"] + scenario["tpipe.latch_per_slot_us"] * tpipes * limit
    latch_us += scenario["tpipe.latch_per_tpipe_us"] * (tpipes - 1)
    return Callouts(
        tpipes=tpipes,
        limit=limit,
        latch_us=latch_us / speed,
        request_bytes=scenario["message.in_bytes"],
        answer_bytes=scenario["message.out_bytes"],
    )


def _cpu(scenario: Scenario, slots: int) -> Cpu:
    """CPU of a callout; the solver knows no other."""
    cpu_us = scenario["tpipe.cpu_us"] + scenario["tpipe.cpu_per_slot_us"] * slots
    cpu_us, inside = cpu_us / scenario["cpu.speed"], scenario["tpipe.cpu_inside"]
    rows = scenario.table("cpu_shares")
    total = sum(row["share"] for row in rows)
    shares = {row["space"]: cpu_us * row["share"] / total for row in rows}
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=cpu_us * (1 - inside),
        region_us=cpu_us * inside,
        share_by_space=tuple(shares.items()),
        of_regions=(shares["MPP"], 0.0),
    )


def _metrics(network: Network, result: Result) -> Iterator[Metric]:
    pool = result.station("slots")
    yield Metric("tpipe_slots", "count", pool.limit)
    yield Metric("slots_busy", "count", pool.utilisation * pool.limit)
    yield Metric("wads_write_ms", "ms", network.logger.wads_us / 1000)
    yield Metric("olds_write_ms", "ms", network.logger.olds_us / 1000)
