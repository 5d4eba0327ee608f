"""Two IMS systems in one sysplex: shared queues with CQS, shared databases with IRLM, one CF.

Each system is a work on its own processors; database volumes and the coupling facility are shared.
What a request to the CF costs its host was measured within the CPU of region and CQS, so it is
taken out there at the measured rate and comes back at the present one (model.md 3.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.coupling import Facility, requests
from imsperf.synthetic.solver.knees import knees
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.solver.target import with_busy
from imsperf.synthetic.workloads.costs import GROUPS, Costs, costs
from imsperf.synthetic.workloads.features import defaults
from imsperf.synthetic.workloads.prediction import Metric, Prediction, storage
from imsperf.synthetic.workloads.schedules import schedule
from imsperf.synthetic.workloads.tm import Parts, pool_size, processors, work_of
from imsperf.synthetic.workloads.tm_metrics import bottlenecks, figures, stations

SYSTEMS = {"_1": "ims1", "_2": "ims2"}  # suffix in the model, name in the metrics
OWN = ("driver.think", "region.unexplained", "cpu.measured_rate", "cpu.measured_busy")
ROUNDS = 5
UNITS = ("_ms", "_per_s", "_pct")


@dataclass(frozen=True)
class System:
    """One system: its suffix, its own view of the scenario, and its part of the model."""

    suffix: str
    scenario: Scenario
    parts: Parts


def predicted(scenario: Scenario) -> Prediction:
    """Both systems together as T16 of the paper defines it, and each by itself."""
    systems = systems_of(scenario)
    model, found = _balance(scenario, model_of(systems))
    each = [list(figures(one.scenario, one.parts, found, one.suffix)) for one in systems]
    rows = list(_combined(scenario, each, found))
    for one, own in zip(systems, each, strict=True):
        name = SYSTEMS[one.suffix]
        rows += [replace(metric, name=f"{metric.name}_{name}") for metric in own]
    rows += list(_facility_rows(found))
    rows += list(bottlenecks(found))
    rows += storage(scenario)
    return Prediction(tuple(rows), tuple(stations(found, model)), knees(model, found))


def driven(scenario: Scenario, model: m.Model) -> m.Model:
    """Think times that reach driver.target_busy on both systems, where that is set."""
    return _balance(scenario, model)[0] if scenario["driver.target_busy"] > 0 else model


def _balance(scenario: Scenario, model: m.Model) -> tuple[m.Model, Results]:
    busy = scenario["driver.target_busy"] / 100
    if busy == 0:
        return model, solve(model)
    if scenario["driver.rate_per_s"] > 0:
        raise ScenarioError("driver.target_busy: found with driver.rate_per_s, expected one")
    return with_busy(model, busy, "driver.target_busy")


def systems_of(scenario: Scenario) -> list[System]:
    """Both systems."""
    return [_system(scenario, suffix) for suffix in SYSTEMS]


def _system(scenario: Scenario, suffix: str) -> System:
    own = of_system(scenario, suffix)
    found = _without_requests(own, costs(own))
    one = schedule(own, found.schedule_us)
    size = pool_size(own)
    work = work_of(own, found, one, size, suffix, (_cf_step(own, found),))
    model = m.Model((work,), (processors(own, found, suffix),))
    counts = request_counts(own)
    total = max(sum(counts.values()), 1e-9)
    callers = {group: count / total for group, count in counts.items()}
    return System(suffix, own, Parts(model, found, one, size, callers))


def model_of(systems: Sequence[System]) -> m.Model:
    """The model of all systems together."""
    works = tuple(one.parts.model.work[0] for one in systems)
    return m.Model(works, tuple(one.parts.model.cpus[0] for one in systems))


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


def facility(scenario: Scenario, work: float = 0.0) -> Facility:
    """The coupling facility as one host sees it, whose CPs do `work` us between their requests."""
    return Facility(
        processors=scenario["cf.processors"],
        subchannels=scenario["cf.subchannels"],
        link=scenario["cf.link_us"],
        service=scenario["cf.service_us"],
        cps=scenario["cpu.gcps"],
        work=work,
    )


def request_counts(scenario: Scenario) -> dict[str, float]:
    """CF requests of one transaction by the address spaces that wait for them."""
    return {
        "region": scenario["cf.lock_requests"] + scenario["cf.cache_requests"],
        "cqs": scenario["cf.list_requests"],
    }


def _cf_step(scenario: Scenario, found: Costs) -> m.CfRequests:
    asked = sum(request_counts(scenario).values())
    return m.CfRequests("cf", asked, facility(scenario, _between(found, found.total_us, asked)))


def _between(found: Costs, us: float, asked: float) -> float:
    """CPU between two requests of a transaction that uses `us` besides; growth as of full CPs."""
    return us * (1 + found.growth) / asked if asked > 0 else 0.0


def _without_requests(scenario: Scenario, found: Costs) -> Costs:
    """Without the host CPU of CF requests at the measured rate: the model adds the present one."""
    there = defaults(scenario)
    counts = request_counts(there)
    asked = sum(counts.values())
    rate = there["cpu.measured_rate_per_s"] / 1e6 * asked
    measured = costs(there)
    cost = there["cf.service_us"]
    for _ in range(ROUNDS):  # what is left is the work between requests
        work = _between(measured, max(measured.total_us - asked * cost, 0.0), asked)
        cost = requests(rate, facility(there, work), others=rate).host_cpu
    bare = cost * there["cpu.speed"] / scenario["cpu.speed"]
    spaces = tuple(
        replace(one, us=max(one.us - counts.get(one.group, 0.0) * bare, 0.0))
        for one in found.spaces
    )
    return replace(found, spaces=spaces)


def _facility_rows(found: Results) -> Iterator[Metric]:
    for key, name, unit, scale in (
        ("cf.requests_per_s", "cf_requests_per_s", "1/s", 1.0),
        ("cf.elapsed_us", "cf_request_us", "us", 1.0),
        ("cf.host_cpu_us", "cf_host_cpu_us", "us", 1.0),
        ("cf.converted", "cf_async_pct", "%", 100.0),
    ):
        value = found.details.get(key)
        yield Metric(name, unit, None if value is None else value * scale)


# --- both together -------------------------------------------------------------------------------


def _combined(
    scenario: Scenario, each: Sequence[Sequence[Metric]], found: Results
) -> Iterator[Metric]:
    """Sums and means of both LPARs; service times as defined, and as the paper prints them."""
    values = [{one.name: one.value for one in own} for own in each]
    rates = [_number(own["etr_per_s"]) for own in values]
    total = sum(rates)
    busy = sum(_number(own["cpu_busy_pct"]) for own in values) / len(values)
    responses = [own["ims_response_ms"] for own in values]
    known = [float(one) for one in responses if isinstance(one, float)]
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
