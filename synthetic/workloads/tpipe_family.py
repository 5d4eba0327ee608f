"""Synchronous callouts through OTMA: regions wait for TPIPE slots (model.md 3.8)."""

from __future__ import annotations

from collections.abc import Iterator

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.result import Result
from imsperf.synthetic.solver.tpipe import TpipeCosts, tpipes
from imsperf.synthetic.workloads.logwrites import log_write_ms
from imsperf.synthetic.workloads.prediction import (
    FULL,
    Metric,
    Prediction,
    StationRow,
    limits,
    next_to_fill,
)


def predicted(scenario: Scenario) -> Prediction:
    """Callouts a second, their response, CPU."""
    costs = costs_of(scenario)
    limit = scenario["otma.limitrtp"]
    found = tpipes(
        scenario["icals.in_flight"],
        scenario["otma.tpipes"],
        max(limit, 1),
        scenario["cpu.gcps"],
        costs,
        parallel=limit > 0,
    )
    rows = list(_metrics(scenario, costs, found))
    return Prediction(tuple(rows), tuple(_stations(found)))


def costs_of(scenario: Scenario) -> TpipeCosts:
    """What one callout costs, microseconds, on these processors."""
    speed = scenario["cpu.speed"]
    return TpipeCosts(
        cpu=scenario["tpipe.cpu_us"] / speed,
        cpu_per_slot=scenario["tpipe.cpu_per_slot_us"] / speed,
        latch=scenario["tpipe.latch_us"] / speed,
        latch_per_slot=scenario["tpipe.latch_per_slot_us"] / speed,
        latch_per_tpipe=scenario["tpipe.latch_per_tpipe_us"] / speed,
        delay=scenario["tpipe.service_us"],
        inside=scenario["tpipe.cpu_inside"],
    )


def slots_of(scenario: Scenario) -> int:
    """Callouts that can be under way: LIMITRTP for each TPIPE, one where it is not parallel."""
    return int(scenario["otma.tpipes"] * max(scenario["otma.limitrtp"], 1))


def _metrics(scenario: Scenario, costs: TpipeCosts, found: Result) -> Iterator[Metric]:
    slots, rate = slots_of(scenario), found.rate * 1e6
    cpu_us = costs.cpu + costs.cpu_per_slot * slots
    busy = found.rate * cpu_us / scenario["cpu.gcps"]
    yield Metric("etr_per_s", "1/s", rate)
    yield Metric("cpu_busy_pct", "%", busy * 100)
    yield Metric("lpar_busy_pct", "%", busy * 100)
    yield Metric("itr_per_s", "1/s", rate / busy)
    yield Metric("ical_response_ms", "ms", _ms(found.response))
    yield Metric("cpu_us_per_tran", "us", cpu_us)
    yield Metric("in_flight", "count", found.in_flight)
    yield Metric("tpipe_slots", "count", float(slots))
    pool = found.stations[0]
    yield Metric("slots_busy", "count", pool.utilisation * pool.limit)
    yield Metric("wads_write_ms", "ms", log_write_ms(scenario, "wads"))
    yield Metric("olds_write_ms", "ms", log_write_ms(scenario, "olds"))
    yield Metric("bottleneck", "station", found.bottleneck)
    yield Metric("headroom_pct", "%", found.headroom_pct)
    uses = {use.name: use for use in found.stations}
    now = found.bottleneck
    full = now if found.held_by or uses[now].utilisation > FULL else ""
    alone = {"slots": float(found.details["alone"] or 0.0) * 1e6}
    name, full_at = next_to_fill(rate, limits(rate, uses, {}), full, alone)
    yield Metric("saturates_next", "station", name)
    yield Metric("saturates_at_per_s", "1/s", full_at)
    for use in found.stations:
        if use.limit > 0:
            yield Metric(f"util_{use.name}", "%", use.utilisation * 100)


def _stations(found: Result) -> list[StationRow]:
    rows = []
    uses = {use.name: use for use in found.stations}
    full_at = limits(found.rate * 1e6, uses, {})
    for use in found.stations:
        demand = use.utilisation * use.limit / found.rate if use.limit else use.residence
        busy = use.utilisation * 100 if use.limit else None
        rows.append(
            StationRow(
                "", use.name, use.limit, demand, use.residence, use.queue, busy,
                full_at.get(use.name),
            )
        )  # fmt: skip
    return rows


def _ms(us: float | None) -> float | None:
    return None if us is None else us / 1000
