"""Two IMS systems of one sysplex as the networks that are simulated together.

Each is the network of one system (simulated.py) with the CF requests of its transactions: lock and
cache requests in the region burst, list requests of CQS in the output burst, where its CPU is. A
message is processed where it came in, as a system does while it has a free region.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Coupling, Network, Structure
from imsperf.synthetic.scenarios.scenario import Scenario, Table
from imsperf.synthetic.workloads import sysplex
from imsperf.synthetic.workloads.simulated import network_of
from imsperf.synthetic.workloads.tm import with_think

CALLERS = {"region": "in_region", "cqs": "in_output"}  # group that waits: burst it waits in
REQUESTS = {"cf.lock_requests": "region", "cf.cache_requests": "region", "cf.list_requests": "cqs"}
NAMES = {  # what names the second system
    "system.name": "system.second_name",
    "system.smf_id": "system.second_name",
    "ims.id": "ims.second_id",
}


def systems(scenario: Scenario) -> list[tuple[Scenario, Network]]:
    """Each system's own view of the scenario, and its network."""
    found = sysplex.systems_of(scenario)
    model = sysplex.driven(scenario, sysplex.model_of(found))
    made = []
    for one, work in zip(found, model.work, strict=True):
        parts = with_think(one.parts, work.think_us)
        network = replace(network_of(one.scenario, parts), coupling=coupling(one.scenario))
        made.append((named(one.scenario, one.suffix), network))
    return made


# --- coupling facility ---------------------------------------------------------------------------


def coupling(scenario: Scenario) -> Coupling:
    """The coupling facility as one system sees it."""
    facility = sysplex.facility(scenario)
    return Coupling(
        structures=tuple(_structures(scenario)),
        processors=facility.processors,
        subchannels=facility.subchannels,
        link_us=facility.link,
        service_us=facility.service,
        async_cpu_us=facility.async_cpu,
        async_delay_us=facility.async_delay,
        threshold_us=facility.threshold,
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


# --- names ---------------------------------------------------------------------------------------


def named(scenario: Scenario, suffix: str) -> Scenario:
    """The same with this system's names, address spaces and storage."""
    first = suffix == next(iter(sysplex.SYSTEMS))
    tables = dict(scenario.tables)
    if "storage" in tables:
        tables["storage"] = _own_rows(tables["storage"], f"_{sysplex.SYSTEMS[suffix]}")
    if first:
        return replace(scenario, tables=tables)
    knobs = dict(scenario.knobs)
    for key, other in NAMES.items():
        knobs[key] = replace(knobs[key], value=scenario[other])
    partition = scenario.table("lpars")[list(sysplex.SYSTEMS).index(suffix)]["lpar"]
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
