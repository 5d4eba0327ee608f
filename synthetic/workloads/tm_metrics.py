"""The figures of one IMS system, from the balance of its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.answer import knees
from imsperf.synthetic.solver.result import Result, Results, Use
from imsperf.synthetic.workloads.costs import GROUPS, Costs
from imsperf.synthetic.workloads.prediction import (
    FULL,
    NO_LIMIT,
    Metric,
    Prediction,
    StationRow,
    Value,
    limits,
    ms,
    next_to_fill,
    storage,
)
from imsperf.synthetic.workloads.schedules import Schedule

Details = Mapping[str, float | None]
EXACT = 1 - 1e-6
ALONE = ".alone_per_s"
ZIIP = "ziip_"  # begins the name of the zIIPs of processors


@dataclass(frozen=True)
class System:
    """A system's network and what its figures by address space need besides."""

    network: Network
    costs: Costs
    schedule: Schedule | None
    callers: Mapping[str, float] = field(default_factory=dict)  # groups whose CPU waits add to


def prediction(scenario: Scenario, system: System, results: Results) -> Prediction:
    """All metrics and stations of a scenario with one work."""
    rows = list(figures(scenario, system, results))
    rows += list(bottlenecks(results))
    rows += list(chosen(scenario, system))
    rows += storage(scenario)
    return Prediction(tuple(rows), tuple(stations(results)), knees(results))


def figures(
    scenario: Scenario, system: System, results: Results, suffix: str = ""
) -> Iterator[Metric]:
    """Everything but bottleneck and utilisations, of the system with this suffix."""
    work, details = results.of(f"work{suffix}"), results.details
    yield from summary(scenario, work, details, f"cpu{suffix}")
    yield from by_space(system, work, details, suffix)
    yield from times(scenario, system, work, details, suffix)
    yield from devices(system.network, work, details, suffix)


def summary(
    scenario: Scenario,
    result: Result,
    details: Details,
    cpu: str = "cpu",
    response: str = "ims_response_ms",
) -> Iterator[Metric]:
    """The metrics of run.metrics that need no address space."""
    busy = number(details, f"{cpu}.busy")
    ziip = number(details, f"{cpu}.ziip_busy", 0.0)  # of the time of cores, as RMF has it
    cps, ziips = scenario["cpu.gcps"], scenario.get("cpu.ziips", 0)
    both = (busy * cps + ziip * ziips) / (cps + ziips)
    yield Metric("etr_per_s", "1/s", result.rate)
    yield Metric("cpu_busy_pct", "%", busy * 100)
    if ziips:
        yield Metric("ziip_busy_pct", "%", ziip * 100)
    yield Metric("lpar_busy_pct", "%", both * 100)
    yield Metric("itr_per_s", "1/s", result.rate / busy)
    yield Metric(response, "ms", None if result.response is None else result.response * 1000)
    yield Metric("cpu_us_per_tran", "us", cps * busy * 1e6 / result.rate)
    if ziips:
        yield Metric("ziip_us_per_tran", "us", ziips * ziip * 1e6 / result.rate)
    yield Metric("in_flight", "count", result.in_flight)


def by_space(system: System, result: Result, details: Details, suffix: str) -> Iterator[Metric]:
    """CPU of each group; the fixed part in proportion, waits for latches with IMS.

    What moved to a zIIP is left out, as RMF counts service time of general CPs apart.
    """
    work, cpu = f"work{suffix}", f"cpu{suffix}"
    growth, total = number(details, f"{work}.growth"), number(details, f"{work}.cpu_us_total")
    used = number(details, f"{work}.cpu_us")
    spread = total / used if used > 0 else 1.0
    on_cp = 1.0 if not result.has(f"ziip_{cpu}") else number(details, f"{cpu}.ziip_spilled", 0.0)
    each = space_us(system, growth, on_cp)
    extra = used - sum(each.values())  # contention, CF spin
    callers = system.callers or {"ims" if "ims" in each else next(iter(each)): 1.0}
    for group, metric in GROUPS.items():
        if group in each:
            more = extra * callers.get(group, 0.0)
            yield Metric(metric, "us", (each[group] + more) * spread)
    listed = sum(us for group, us in each.items() if group)
    yield Metric("listed_cpu_us_per_tran", "us", (listed + extra) * spread)


def space_us(system: System, growth: float, on_cp: float) -> dict[str, float]:
    """CPU of one transaction on general CPs by group, schedules with the spaces they run in."""
    plan, factor = system.schedule, system.network.mean("cpu_factor")
    by_group: dict[str, float] = {}
    for space in system.costs.spaces:
        us = space.us * factor * (1 - space.ziip * (1 - on_cp))
        if plan is not None and system.costs.schedule_us > 0:
            share = space.schedule_us / system.costs.schedule_us
            us += plan.cpu_us * plan.each * share
        by_group[space.group] = by_group.get(space.group, 0.0) + us * growth
    if plan is not None and system.costs.schedule_us == 0 and "region" in by_group:
        by_group["region"] += plan.cpu_us * plan.each * growth
    return by_group


def times(
    scenario: Scenario, system: System, result: Result, details: Details, suffix: str
) -> Iterator[Metric]:
    """Where the response goes, and what happens before it."""
    regions = f"regions{suffix}"
    if f"xcf{suffix}.delay_us" in details:
        yield Metric("xcf_delay_ms", "ms", ms(details[f"xcf{suffix}.delay_us"]))
    yield Metric("region_queue_ms", "ms", ms(details.get(f"{regions}.wait_us")))
    yield Metric("region_occupancy_ms", "ms", ms(details.get(f"{regions}.occupancy_us")))
    yield Metric("regions_busy", "count", details.get(f"{regions}.busy"))
    yield Metric("check_write_ms", "ms", ms(details.get(f"wads{suffix}.wait_us")))
    yield Metric("outside_ms", "ms", ms(number(details, f"work{suffix}.outside_us")))
    if system.schedule is not None:
        yield Metric("messages_per_schedule", "count", system.schedule.messages)
        yield Metric("schedules_per_s", "1/s", result.rate * system.schedule.each)
    unexplained = ms(system.network.unexplained_us)
    yield Metric("region.unexplained_ms", "ms", unexplained, "unexplained")


def devices(network: Network, result: Result, details: Details, suffix: str) -> Iterator[Metric]:
    """Log, database volumes, latches."""
    yield Metric("wads_write_ms", "ms", ms(network.logger.wads_us))
    yield Metric("olds_write_ms", "ms", ms(network.logger.olds_us))
    yield Metric("wads_writes_per_s", "1/s", details.get(f"wads{suffix}.writes_per_s"))
    yield Metric("transactions_per_wads_write", "count", details.get(f"wads{suffix}.batch"))
    yield Metric("log_mb_per_s", "MB/s", result.rate * network.mean("log_bytes") / 2**20)
    ios = network.mean("reads") + network.mean("writes")
    yield Metric("db_io_per_tran", "count", ios)
    yield Metric("db_io_ms", "ms", ms(details.get("dasd.response_us")))
    yield Metric("db_cmr_ms", "ms", ms(details.get("dasd.cmr_us")))
    yield Metric("db_pend_ms", "ms", ms(details.get("dasd.pend_us")))
    yield Metric("db_iosq_ms", "ms", ms(details.get("dasd.iosq_us")))
    for latch in ("logl", "lrec"):
        rate = details.get(f"{latch}{suffix}.contentions_per_s", 0.0)
        yield Metric(f"{latch}_contentions_per_s", "1/s", rate)


def bottlenecks(results: Results) -> Iterator[Metric]:
    """What limits now, what fills next, and how full everything is; rates are those of all work."""
    uses, _ = uses_of(results)
    full_at = full_rates(results, results.rate, uses)
    bottleneck = results.bottleneck
    if bottleneck.startswith(ZIIP) and bottleneck not in full_at:  # what it cannot take, CPs do
        bottleneck = min(full_at, key=lambda one: full_at[one])
    yield Metric("bottleneck", "station", bottleneck)
    full = bottleneck if results.held_by or uses[bottleneck].utilisation > FULL else ""
    least = min(full_at.values(), default=results.rate)
    yield Metric("headroom_pct", "%", 0.0 if full else max(least / results.rate - 1, 0.0) * 100)
    name, rate = next_to_fill(results.rate, full_at, full, _alone(results))
    yield Metric("saturates_next", "station", name)
    yield Metric("saturates_at_per_s", "1/s", rate)
    for use in uses.values():
        if use.limit > 0 and not use.name.startswith(NO_LIMIT):
            yield Metric(f"util_{use.name}", "%", use.utilisation * 100)
    for key, busy in results.details.items():
        if key.startswith("wads") and key.endswith(".busy") and busy is not None:
            yield Metric(f"util_{key.removesuffix('.busy')}", "%", busy * 100)


def _alone(results: Results) -> dict[str, float]:
    """Rates of all work if regions or TCBs waited for nothing (model.md 3.1: regions / least O)."""
    return {
        key.removesuffix(ALONE): value * results.rate / work_class.rate
        for work_class in results.classes
        for key, value in work_class.details.items()
        if key.endswith(ALONE) and value is not None
    }


def full_rates(results: Results, rate: float, uses: Mapping[str, Use]) -> dict[str, float]:
    """The rate at which each station is full, with the growth of CPU till then.

    zIIPs whose work goes to CPs where they have no time are no limit: `rate` times what both can
    do over what both are used, if that is less than what CPs can do alone.
    """
    end = ".dearer_when_full"
    dearer = {k.removesuffix(end): v for k, v in results.details.items() if k.endswith(end) and v}
    fixed = uses_of(results)[1]
    rates = limits(rate, uses, fixed, dearer)
    for cpu in dearer:
        spilled, speed = (results.details.get(f"{cpu}.ziip_{k}") for k in ("spilled", "speed"))
        if cpu not in uses or f"{ZIIP}{cpu}" not in uses or spilled is None or speed is None:
            continue
        able = uses[f"{ZIIP}{cpu}"].utilisation * speed / (1 - spilled)
        cps, left = uses[cpu].limit, uses[cpu].limit * (1 - fixed[cpu])
        own = uses[cpu].utilisation * cps - cps * fixed[cpu] - spilled * able
        rates.pop(f"{ZIIP}{cpu}", None)
        both = (left + speed) / (own + able)
        rates[cpu] = rate * min(both, left / max(own, 1e-12)) / dearer[cpu]
    return rates


def uses_of(results: Results) -> tuple[dict[str, Use], dict[str, float]]:
    """Stations by name, and the share of the processors that is used at any rate."""
    uses = {use.name: use for use in results.stations}
    fixed = {
        key.removesuffix(".fixed"): value
        for key, value in results.details.items()
        if key.endswith(".fixed") and value is not None
    }
    return uses, fixed


def chosen(scenario: Scenario, system: System) -> Iterator[Metric]:
    """What the driver was set to, where a target chose it."""
    think: Value = system.network.think_us / 1000
    yield Metric("think_ms", "ms", think, "input" if scenario["driver.target_busy"] == 0 else "")
    if "acb.managed_cpu_pct" in scenario:
        more = scenario["acb.managed_cpu_pct"] if scenario["ims.managed_acb"] == "on" else 0.0
        yield Metric("acb_itr_change_pct", "%", (1 / (1 + more / 100) - 1) * 100)


def stations(results: Results) -> list[StationRow]:
    """Stations for `--explain`: the demand is what one transaction needs there, waits left out.

    Residence = wait + demand and queue = rate x residence, each with those in service. A window of
    XCF serves nobody: no demand, the residence is the wait.
    """
    rows = []
    uses, fixed = uses_of(results)
    for work in results.works:
        result = results.of(work.name)
        full_at = full_rates(results, result.rate, {u.name: uses[u.name] for u in result.stations})
        system = "" if len(results.works) == 1 else work.name
        for use in result.stations:
            row = station(system, use, result.rate, uses[use.name], full_at.get(use.name))
            row = _whole(row, use.name, work, result.rate)
            always = fixed.get(use.name, 0.0) * 100
            rows.append(replace(row, note=f"{always:.2f} % at any rate") if always else row)
    return rows


def _whole(row: StationRow, name: str, work: m.Work, rate: float) -> StationRow:
    """With the service, where the solver's residence is the wait alone: regions, log blocks."""
    kind = next((step for step in work.steps if step.name == name), None)
    if isinstance(kind, m.Gate):
        return replace(row, demand_us=None)
    wait, demand = row.residence_us, row.demand_us
    if wait is None or demand is None:
        return row
    pools = () if work.pool is None else (work.pool.name, *(kind.name for kind in work.pool.kinds))
    alone = isinstance(kind, m.LogBlocks) or name in pools
    if not alone and wait >= demand * EXACT:
        return row
    return replace(row, residence_us=wait + demand, queue=rate * (wait + demand) / 1e6)


def station(system: str, use: Use, rate: float, together: Use, full_at: float | None) -> StationRow:
    """One line. Demand of a station with servers from the utilisation law."""
    residence = None if use.residence is None else use.residence * 1e6
    demand = use.utilisation * use.limit / rate * 1e6 if use.limit > 0 else residence
    busy = together.utilisation * 100 if use.limit > 0 else None
    return StationRow(system, use.name, use.limit, demand, residence, use.queue, busy, full_at)


def number(details: Details, key: str, otherwise: float | None = None) -> float:
    """A detail that is there."""
    value = details.get(key, otherwise)
    if value is None:
        raise KeyError(key)
    return float(value)
