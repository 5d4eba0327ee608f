"""One IMS system that runs messages, or calls of CICS or ODBM: its network, and its prediction.

Clients outside; XCF unless the way in is SNA; CPU outside the response (IMS Connect, TCP/IP), then
CPU and waits inside it, most of them while a region or thread is held (model.md 2). Solver, event
simulation and interval mode read the network alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.network.network import (
    ChainProgram,
    Coupling,
    Cpu,
    Network,
    RegionPool,
    Tcbs,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.declared import works_of
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.solve import solve, with_busy
from imsperf.synthetic.units import US_PER_MS
from imsperf.synthetic.workloads.costs import Costs, costs
from imsperf.synthetic.workloads.devices import dasd, latches, logger, xcf
from imsperf.synthetic.workloads.features import external
from imsperf.synthetic.workloads.logged import logged, records_of_programs
from imsperf.synthetic.workloads.mix import (
    ALWAYS_WAITING,
    REGIONS,
    of_kind,
    programs,
    transactions,
    used,
)
from imsperf.synthetic.workloads.prediction import Prediction
from imsperf.synthetic.workloads.program_fetch import libraries
from imsperf.synthetic.workloads.schedules import Schedule, schedule
from imsperf.synthetic.workloads.tm_metrics import System, prediction

SHORT_US = 3.0  # turn beside short bursts: most CPU outside the response, or some of it at TCBs


def predicted(scenario: Scenario) -> Prediction:
    """Rate, response, CPU and stations of a scenario; think time sought where a target is set."""
    system = declared(scenario)
    (network,), results = balanced(scenario, [system.network])
    return prediction(scenario, replace(system, network=network), results)


def build(scenario: Scenario) -> Network:
    """The network of a scenario, with the think time that reaches its target."""
    return driven(scenario, [declared(scenario).network])[0]


def driven(scenario: Scenario, networks: Sequence[Network]) -> list[Network]:
    """The networks with the think times that reach driver.target_busy, where that is set."""
    if scenario["driver.target_busy"] == 0:
        return list(networks)
    return balanced(scenario, networks)[0]


def balanced(scenario: Scenario, networks: Sequence[Network]) -> tuple[list[Network], Results]:
    """The same, and their balance together. Errors: ScenarioError, OutOfReach."""
    busy, works = scenario["driver.target_busy"] / 100, works_of(networks)
    if busy == 0:
        return list(networks), solve(works)
    if scenario["driver.rate_per_s"] > 0:
        raise ScenarioError(
            "driver.target_busy: found together with driver.rate_per_s, expected one of the two",
            "open arrivals come at their rate whatever the CPUs do",
        )
    results = with_busy(works, busy, "driver.target_busy")
    pairs = zip(networks, results.works, strict=True)
    return [replace(network, think_us=work.think_us) for network, work in pairs], results


def declared(scenario: Scenario) -> System:
    """The network of one system; think time as the scenario has it."""
    return with_costs(scenario, costs(scenario))


def with_costs(
    scenario: Scenario,
    cost: Costs,
    coupling: Coupling | None = None,
    callers: Mapping[str, float] = {},
) -> System:
    """The same with CPU of transactions that `cost` says, and requests to a coupling facility."""
    plan = schedule(scenario, cost.schedule_us)
    rate = scenario["driver.rate_per_s"]
    network = Network(
        clients=0 if rate > 0 else scenario["clients"],
        think_us=scenario["driver.think_ms"] * US_PER_MS,
        rate_per_s=rate,
        classes=_classes(scenario),
        cpu=_cpu(scenario, cost, plan),
        xcf=xcf(scenario),
        region_pools=_region_pools(scenario, plan),
        unexplained_us=scenario["region.unexplained_ms"] * US_PER_MS,
        latches=latches(scenario),
        logger=logger(scenario, _thread_end_bytes(scenario)),
        dasd=dasd(scenario),
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        logged=logged(scenario),
        coupling=coupling,
        tcbs=_tcbs(scenario, cost),
        traces=external(scenario),
        trace_target=scenario.get("trace.target", "dasd"),
        source=_source(scenario),
        remote=_source(scenario) == "ODBM" and scenario.get("odbm.api", "") != "csldmi",
        callers=_callers(scenario),
        credential_bytes=scenario.get("security.credential_bytes", 0),
        libraries=libraries(scenario) if plan is not None else None,
    )
    return System(network, cost, plan, callers)


# --- regions --------------------------------------------------------------------------------------


def _kinds(scenario: Scenario) -> tuple[str, ...]:
    """Kinds of regions that the mix uses, in the order of the table."""
    return tuple(dict.fromkeys(row["region"] for row in used(scenario)))


def _region_pools(scenario: Scenario, plan: Schedule | None) -> tuple[RegionPool, ...]:
    """Regions of the kinds that the scenario's transactions use."""
    kinds = _kinds(scenario)
    _check_regions(scenario, set(kinds))
    return tuple(_pool(scenario, kind, plan) for kind in kinds)


def _pool(scenario: Scenario, kind: str, plan: Schedule | None) -> RegionPool:
    count = scenario[REGIONS[kind]]
    if plan is None or kind in ALWAYS_WAITING:
        return RegionPool(kind, count)
    shares = plan.load_us / plan.cpu_us, plan.fetch_io_us / max(plan.elapsed_us, 1e-9)
    return RegionPool(kind, count, plan.messages, plan.cpu_us, plan.elapsed_us, *shares)


def _check_regions(scenario: Scenario, kinds: set[str]) -> None:
    for kind in sorted(kinds - REGIONS.keys()):
        raise ScenarioError(
            f"scenario {scenario.name}: table transactions: found region {kind!r}, expected one of "
            f"{', '.join(REGIONS)}",
            near(str(kind), REGIONS) or None,
        )
    for kind, key in REGIONS.items():
        if kind not in kinds and key in scenario and scenario[key] > scenario.knob(key).default:
            raise ScenarioError(
                f"{key}: found {scenario[key]}, expected {scenario.knob(key).default}: no "
                f"transaction of {scenario.name} runs in such a region",
                f"its regions are {', '.join(REGIONS[kind] for kind in sorted(kinds))}",
            )
        if kind in kinds and scenario[key] < 1:
            raise ScenarioError(f"{key}: found {scenario[key]}, expected at least one region")


# --- transactions ---------------------------------------------------------------------------------


def _classes(scenario: Scenario) -> tuple[TransactionClass, ...]:
    per_access, kinds = scenario["dasd.io_per_access"], _kinds(scenario)
    records = logged(scenario)
    codes = {record.code for record in records}
    calls = "esaf_calls" if "5603" in codes else "dedb_calls" if "5937" in codes else "db_calls"
    everything = transactions(scenario)
    numbers = {row["tran"]: row["cls"] for row in everything}
    return tuple(
        TransactionClass(
            name=row["tran"],
            weight=row["weight"],
            cpu_factor=row["cpu_factor"],
            reads=row["reads"] * per_access,
            writes=row["writes"] * per_access,
            **{"dedb_calls": 0} | {calls: row["db_calls"]},
            log_records=sum(record.counts[place] for record in records),
            log_bytes=sum(record.counts[place] * record.bytes for record in records),
            dc_calls=row.get("dc_calls", 0),
            pool=kinds.index(row["region"]),
            message_class=row["cls"],
            chain=tuple((code, numbers[code]) for code in row.get("then", "").split()),
            conversational=row.get("conversational") == "yes",
            programs=_programs(scenario, programs(row, everything)),
        )
        for place, row in enumerate(used(scenario))
    )


def _programs(scenario: Scenario, chain: list[dict[str, Any]]) -> tuple[ChainProgram, ...]:
    """What each program of a chain does; nothing where a transaction is one program."""
    if len(chain) == 1:
        return ()
    logs = of_kind(scenario, scenario.table("log_records"))
    changed = [records_of_programs(log, chain) for log in logs if log["code"] == "5050"]
    per_access = scenario["dasd.io_per_access"]
    return tuple(
        ChainProgram(
            cpu_factor=program["cpu_factor"],
            reads=program["reads"] * per_access,
            writes=program["writes"] * per_access,
            calls=program["db_calls"],
            changes=sum(each[n] for each in changed),
        )
        for n, program in enumerate(chain)
    )


def _thread_end_bytes(scenario: Scenario) -> int:
    """Bytes of 5604, the end of the thread to Db2 of a program; 0 where threads are pooled."""
    if scenario.get("esaf.pooling", "off") == "on" or "log_records" not in scenario.tables:
        return 0
    rows = of_kind(scenario, scenario.table("log_records"))
    return sum(int(row["bytes"]) for row in rows if row["code"] == "5603")


# --- processors -----------------------------------------------------------------------------------


def _cpu(scenario: Scenario, cost: Costs, plan: Schedule | None) -> Cpu:
    """CPU by place. What TCBs do is CPU of regions, and where that is less, of the other places."""
    tcbs = _tcbs(scenario, cost)
    outside, ims = cost.place_us("outside"), cost.place_us("ims")
    on_tcb = tcbs.us if tcbs else 0.0
    region = cost.place_us("region") - on_tcb
    left = 1 + region / (outside + ims) if region < 0 else 1.0
    outside, ims, region = outside * left, ims * left, max(region, 0.0)
    short = tcbs is not None or outside > region + ims
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=outside,
        region_us=region,
        output_us=ims,
        fixed_us_per_s=cost.fixed_us_per_s,
        growth=cost.growth,
        share_by_space=tuple(_by_space(cost, plan)),
        quantum_us=SHORT_US if short else Cpu.quantum_us,
        ziips=scenario["cpu.ziips"],
        ziip_threads=scenario["cpu.smt"],
        ziip_smt=scenario["cpu.smt_factor"],
        ziip_honor=scenario["cpu.ziip_honor"] == "on",
        eligible=(cost.eligible("outside"), cost.eligible("region"), cost.eligible("ims")),
        eligible_by_space=tuple((space.name, space.us * space.ziip) for space in cost.spaces),
        of_regions=_of_regions(scenario, cost, plan, tcbs),
    )


def _of_regions(
    scenario: Scenario, cost: Costs, plan: Schedule | None, tcbs: Tcbs | None
) -> tuple[float, float]:
    """CPU of dependent regions; of CICS and ODBM, what they use at threads: not at the QR TCB."""
    group = {"": "region", "CICS": "cics"}.get(_source(scenario), "odbm")
    us = dict(_by_space(cost, plan))
    mine = [space for space in cost.spaces if space.group == group]
    qr = tcbs.us if tcbs and group == "cics" else 0.0
    at_threads = sum(us[one.name] - one.us * (1 - one.region) for one in mine) - qr
    return max(at_threads, 0.0), sum(one.region_us * one.ziip for one in mine)


def _by_space(cost: Costs, plan: Schedule | None) -> Iterator[tuple[str, float]]:
    """CPU of one transaction by address space, us, its part of a schedule included.

    Where the cost table does not say whose the CPU of schedules is, regions have it.
    """
    total, scheduling = cost.schedule_us, plan.cpu_us * plan.each if plan is not None else 0.0
    first = next((space for space in cost.spaces if space.group == "region"), None)
    for space in cost.spaces:
        part = space.schedule_us / total if total > 0 else float(space is first)
        yield space.name, space.us + scheduling * part


def _tcbs(scenario: Scenario, cost: Costs) -> Tcbs | None:
    """The QR TCBs of CICS regions; a transaction runs in one of the regions."""
    if "cics.regions" not in scenario:
        return None
    us = sum(space.us for space in cost.spaces if space.group == "cics") * scenario["cics.qr_share"]
    return Tcbs("qr_tcb", scenario["cics.regions"], us)


# --- callers --------------------------------------------------------------------------------------


def _source(scenario: Scenario) -> str:
    """Who calls, where no messages come: the kind of source that A108 and A109 name."""
    if "THREAD" not in _kinds(scenario):
        return ""
    if "cics.regions" in scenario:
        return "CICS"
    return "ODBA" if scenario.get("odbm.api", "") == "odba" else "ODBM"


def _callers(scenario: Scenario) -> tuple[str, ...]:
    """Jobs of the CICS regions, named as the records name them, or of ODBM."""
    space = _source(scenario).replace("ODBA", "ODBM")  # ODBA of others goes through ODBM
    rows = [r for r in scenario.table("address_spaces") if r["space"] == space]
    number = scenario.get("cics.regions", 1)
    if not rows or number == 1:
        return tuple(row["job"] for row in rows)
    digits = len(str(number))
    job = rows[0]["job"][: 8 - digits]
    return tuple(f"{job}{nth:0{digits}d}" for nth in range(1, number + 1))
