"""Two IMS systems in one sysplex: shared queues with CQS, shared databases with IRLM, one CF.

Each is the network of one system on its own processors (tm.py); database volumes and the coupling
facility are shared. What a request to the CF costs its host was measured within the CPU of region
and CQS, so it is taken out there at the measured rate and comes back at the present one (model.md
3.12). Lock and cache requests are made in the region burst, list requests of CQS in the output
burst, where its CPU is. A message is processed where it came in, as a system does while it has a
free region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Coupling, Network, Structure
from imsperf.synthetic.scenarios.scenario import Scenario, Table
from imsperf.synthetic.solver.answer import knees
from imsperf.synthetic.solver.devices import requests
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.workloads.costs import GROUPS, Costs, costs
from imsperf.synthetic.workloads.features import defaults
from imsperf.synthetic.workloads.prediction import Metric, Prediction, storage
from imsperf.synthetic.workloads.tm import balanced, driven, with_costs
from imsperf.synthetic.workloads.tm_metrics import System, bottlenecks, figures, stations

SUFFIXES = {"_1": "ims1", "_2": "ims2"}  # suffix in the model, name in the metrics
OWN = ("driver.think", "region.unexplained", "cpu.measured_rate", "cpu.measured_busy")
ROUNDS = 5
UNITS = ("_ms", "_per_s", "_pct")
CALLERS = {"region": "in_region", "cqs": "in_output"}  # group that waits: burst it waits in
REQUESTS = {"cf.lock_requests": "region", "cf.cache_requests": "region", "cf.list_requests": "cqs"}
NAMES = {  # what names the second system
    "system.name": "system.second_name",
    "system.smf_id": "system.second_name",
    "ims.id": "ims.second_id",
}


@dataclass(frozen=True)
class Member:
    """One system: its suffix, its own view of the scenario, and its network."""

    suffix: str
    scenario: Scenario
    system: System


def predicted(scenario: Scenario) -> Prediction:
    """Both systems together as T16 of the paper defines it, and each by itself."""
    members = members_of(scenario)
    _, results = balanced(scenario, [member.system.network for member in members])
    each = [
        list(figures(member.scenario, member.system, results, member.suffix)) for member in members
    ]
    rows = list(_combined(scenario, each, results))
    for member, own in zip(members, each, strict=True):
        name = SUFFIXES[member.suffix]
        rows += [replace(metric, name=f"{metric.name}_{name}") for metric in own]
    rows += list(_facility_rows(results))
    rows += list(bottlenecks(results))
    rows += storage(scenario)
    return Prediction(tuple(rows), tuple(stations(results)), knees(results))


def systems(scenario: Scenario) -> list[tuple[Scenario, Network]]:
    """Each system's own view of the scenario, and its network."""
    members = members_of(scenario)
    networks = driven(scenario, [member.system.network for member in members])
    return [
        (named(member.scenario, member.suffix), network)
        for member, network in zip(members, networks, strict=True)
    ]


def members_of(scenario: Scenario) -> list[Member]:
    """Both systems; think times as the scenario has them."""
    return [_member(scenario, suffix) for suffix in SUFFIXES]


def _member(scenario: Scenario, suffix: str) -> Member:
    own = of_system(scenario, suffix)
    counts = request_counts(own)
    total = max(sum(counts.values()), 1e-9)
    callers = {group: count / total for group, count in counts.items()}
    bare = _without_requests(own, costs(own))
    return Member(suffix, own, with_costs(own, bare, coupling(own), callers))


def of_system(scenario: Scenario, suffix: str) -> Scenario:
    """The scenario as one system sees it: the second one has values and costs of its own."""
    if suffix == "_1":
        return scenario
    knobs = dict(scenario.knobs)
    for key, knob in scenario.knobs.items():
        if key.startswith(OWN):
            unit = next(u for u in UNITS if key.endswith(u))
            second = f"{key.removesuffix(unit)}_2{unit}"
            if second in scenario:
                other = scenario.knob(second)
                knobs[key] = replace(knob, value=other.value, default=other.default, per=other.per)
    tables = {**scenario.tables, "cpu_by_space": scenario.tables["cpu_by_space_2"]}
    return replace(scenario, knobs=knobs, tables=tables)


# --- coupling facility ---------------------------------------------------------------------------


def coupling(scenario: Scenario) -> Coupling:
    """The coupling facility as one system sees it."""
    return Coupling(
        structures=tuple(_structures(scenario)),
        processors=scenario["cf.processors"],
        subchannels=scenario["cf.subchannels"],
        link_us=scenario["cf.link_us"],
        service_us=scenario["cf.service_us"],
    )


def _structures(scenario: Scenario) -> Iterator[Structure]:
    spaces = {row["group"]: row["space"] for row in scenario.table("cpu_by_space")}
    shares: dict[str, float] = {}
    for row in scenario.table("cf_structures"):
        knob = row["requests"]
        if knob not in REQUESTS:
            raise ScenarioError(
                f"structure {row['structure']}: found requests {knob!r}, expected one of "
                f"{', '.join(REQUESTS)}"
            )
        shares[knob] = shares.get(knob, 0.0) + row["share"]
        group, lock = REQUESTS[knob], row["kind"] == "lock"
        yield Structure(
            name=row["structure"],
            kind=row["kind"],
            space=spaces[group],
            contention=lock * scenario["cf.contention_pct"] / 100,
            false_contention=lock * scenario["cf.false_contention_pct"] / 100,
            **{CALLERS[group]: scenario[knob] * row["share"]},
        )
    wrong = [knob for knob in REQUESTS if abs(shares.get(knob, 0.0) - 1) > 1e-9]
    if wrong:
        raise ScenarioError(f"cf_structures: found shares of {wrong[0]} that do not add up to 1")


def request_counts(scenario: Scenario) -> dict[str, float]:
    """CF requests of one transaction by the address spaces that wait for them."""
    return {
        "region": scenario["cf.lock_requests"] + scenario["cf.cache_requests"],
        "cqs": scenario["cf.list_requests"],
    }


def _between(costs: Costs, us: float, asked: float) -> float:
    """CPU between two requests of a transaction that uses `us` besides; growth as of full CPs."""
    return us * (1 + costs.growth) / asked if asked > 0 else 0.0


def _without_requests(scenario: Scenario, found: Costs) -> Costs:
    """Without the host CPU of CF requests at the measured rate: the model adds the present one."""
    there = defaults(scenario)
    counts = request_counts(there)
    asked = sum(counts.values())
    rate = there["cpu.measured_rate_per_s"] / 1e6 * asked
    measured = costs(there)
    shared = coupling(there)
    cost = shared.service_us
    for _ in range(ROUNDS):  # what is left is the work between requests
        work = _between(measured, max(measured.total_us - asked * cost, 0.0), asked)
        cost = requests(rate, shared, others=rate, cps=there["cpu.gcps"], work_us=work).host_cpu
    bare = cost * there["cpu.speed"] / scenario["cpu.speed"]
    spaces = tuple(
        replace(space, us=max(space.us - counts.get(space.group, 0.0) * bare, 0.0))
        for space in found.spaces
    )
    return replace(found, spaces=spaces)


def _facility_rows(results: Results) -> Iterator[Metric]:
    for key, name, unit, scale in (
        ("cf.requests_per_s", "cf_requests_per_s", "1/s", 1.0),
        ("cf.elapsed_us", "cf_request_us", "us", 1.0),
        ("cf.host_cpu_us", "cf_host_cpu_us", "us", 1.0),
        ("cf.converted", "cf_async_pct", "%", 100.0),
    ):
        value = results.details.get(key)
        yield Metric(name, unit, None if value is None else value * scale)


# --- both together -------------------------------------------------------------------------------


def _combined(
    scenario: Scenario, each: Sequence[Sequence[Metric]], results: Results
) -> Iterator[Metric]:
    """Sums and means of both LPARs; service times as defined, and as the paper prints them."""
    values = [{one.name: one.value for one in own} for own in each]
    rates = [_number(own["etr_per_s"]) for own in values]
    total = sum(rates)
    busy = sum(_number(own["cpu_busy_pct"]) for own in values) / len(values)
    responses = [own["ims_response_ms"] for own in values]
    known = [float(response) for response in responses if isinstance(response, float)]
    mean = sum(known) / len(known) if len(known) == len(values) else None
    engines = scenario["cpu.gcps"] * len(values)
    yield Metric("etr_per_s", "1/s", total)
    yield Metric("cpu_busy_pct", "%", busy)
    yield Metric("itr_per_s", "1/s", total / busy * 100)
    yield Metric("ims_response_ms", "ms", mean)
    yield Metric("cpu_us_per_tran", "us", engines * busy * 1e4 / total)
    for metric in (*GROUPS.values(), "listed_cpu_us_per_tran"):
        parts = [_number(own[metric]) for own in values if metric in own]
        if parts:
            weighted = sum(part * rate for part, rate in zip(parts, rates, strict=True))
            yield Metric(metric, "us", weighted / total)
            yield Metric(f"{metric}_sum", "us", sum(parts))
    yield Metric("in_flight", "count", sum(_number(own["in_flight"] or 0.0) for own in values))
    yield Metric("offloads", "count", float(_offloads(scenario, total)))


def _offloads(scenario: Scenario, rate: float) -> int:
    """Offloads of the CQS log stream in one interval: each empties what was filled."""
    written = rate * scenario["run.interval_s"] * scenario["cqs.log_bytes"]
    return int(written // (scenario["cqs.offload_mb"] * 2**20))


def _number(value: object) -> float:
    return float(value)  # type: ignore[arg-type]


# --- names ---------------------------------------------------------------------------------------


def named(scenario: Scenario, suffix: str) -> Scenario:
    """The same with this system's names, address spaces and storage."""
    first = suffix == next(iter(SUFFIXES))
    tables = dict(scenario.tables)
    if "storage" in tables:
        tables["storage"] = _own_rows(tables["storage"], f"_{SUFFIXES[suffix]}")
    if first:
        return replace(scenario, tables=tables)
    knobs = dict(scenario.knobs)
    for key, other in NAMES.items():
        knobs[key] = replace(knobs[key], value=scenario[other])
    partition = scenario.table("lpars")[list(SUFFIXES).index(suffix)]["lpar"]
    knobs["machine.partition"] = replace(knobs["machine.partition"], value=partition)
    old, new = scenario["ims.id"], scenario["ims.second_id"]
    tables["address_spaces"] = _renamed(tables["address_spaces"], old, new)
    return replace(scenario, knobs=knobs, tables=tables)


def _own_rows(table: Table, ending: str) -> Table:
    """The rows of one system, by the ending of their first column, which goes."""
    rows = [row for row in table.rows if str(row[0]).endswith(ending)]
    return replace(table, rows=tuple((str(row[0]).removesuffix(ending), *row[1:]) for row in rows))


def _renamed(table: Table, old: str, new: str) -> Table:
    """Address spaces whose job begins with one IMS identifier, with another instead."""

    def job(name: Any) -> str:
        return new + str(name).removeprefix(old) if str(name).startswith(old) else str(name)

    return replace(table, rows=tuple((job(row[0]), *row[1:]) for row in table.rows))
