"""run.toml: what the system of a run is made of, and how the run was made.

Values are texts that a person reads, one row for each transaction, database and pool of regions;
`imsperf report run.config` shows them with the source of the scenario's table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.regions import job_names
from imsperf.synthetic.accounts.storage_accounts import KINDS
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.workloads.mix import of_kind, transactions
from imsperf.synthetic.workloads.prediction import storage

Sections = dict[str, dict[str, Any]]

WAYS = {  # knob driver.transport
    "tcpip": "TCP/IP, IMS Connect, OTMA over XCF",
    "https": "HTTPS, z/OS Connect, IMS Connect, OTMA over XCF",
    "sna": "VTAM (SNA) terminals",
}
CALLERS = {"CICS": "CICS, database calls through DBCTL threads", "ODBM": "ODBM threads ({api})"}


def part_sections(scenario: Any, network: Network) -> Sections:
    """Sections access_path, regions, transactions and databases."""
    sections = {
        "access_path": _access(scenario, network),
        "regions": _regions(network),
        "transactions": dict(_transactions(scenario)),
        "databases": dict(_databases(scenario)),
        "segments": dict(_segments(scenario)),
        "not_written": _not_written(scenario),
    }
    return {name: section for name, section in sections.items() if section}


def _not_written(scenario: Any) -> dict[str, Any]:
    """Records that a system has and this run has not, with the reason."""
    if any(record.value is not None for record in storage(scenario)):
        return {}
    why = "no virtual storage of this system is published; none is made up"
    return {"smf_78_2": {"value": "no records", "source": why}}


def region_text(network: Network) -> str:
    """Kinds of regions and how many, for a system of several."""
    return ", ".join(f"{pool.count} {pool.name}" for pool in network.region_pools)


def _access(scenario: Any, network: Network) -> dict[str, Any]:
    """How work comes to IMS, or to CICS where there is none."""
    if network.sequence is not None:
        return {"way": "one batch program, no messages"}
    if network.callouts is not None:
        calls = network.callouts
        return {
            "way": "programs call out (ICAL) through OTMA TPIPEs",
            "tpipes": calls.tpipes,
            "callouts_of_a_tpipe": calls.limit,
        }
    if not network.has_ims:
        return {"way": "CICS without IMS, files and Db2"}
    if network.source:
        way = CALLERS.get(network.source, network.source)
        path = {"way": way.format(api=str(scenario.get("odbm.api", "")).upper())}
        return path | ({"callers": ", ".join(network.callers)} if network.callers else {})
    way = WAYS[scenario.get("driver.transport", "tcpip")]
    gate = network.xcf.is_gate and way != WAYS["sna"]
    return {"way": way} | ({"xcf_members": network.xcf.members} if gate else {})


def _regions(network: Network) -> dict[str, Any]:
    jobs, first, programs = job_names(network), 0, dict[str, Any]()
    for pool in network.region_pools:
        mine = list(dict.fromkeys(jobs[first : first + pool.count]))
        first += pool.count
        source = mine[0] if len(mine) == 1 else f"{mine[0]} to {mine[-1]}" if mine else ""
        programs[pool.name] = {"value": pool.count, "unit": "regions", "source": f"jobs {source}"}
    return programs


def _transactions(scenario: Any) -> Iterator[tuple[str, Any]]:
    """Each code: its share of the mix, where it runs, what it calls."""
    if "transactions" not in scenario.tables:
        return
    rows = transactions(scenario)
    total = sum(float(row["weight"]) for row in rows)
    for row in rows:
        facts = [
            f"{100 * row['weight'] / total:.4g} % of the mix",
            *([f"region {row['region']}"] if "region" in row else []),
            *([f"message class {row['cls']}"] if row.get("cls") else []),
            *(f"{row[name]:g} {what}" for name, what in COUNTS.items() if name in row),
            *([f"SQL {row['sql']}"] if row.get("sql") else []),
            *([f"databases {row['databases']}"] if row.get("databases") else []),
            *(["conversational"] if row.get("conversational") == "yes" else []),
            *([f"then {row['then']}"] if row.get("then") else []),
        ]
        yield str(row["tran"]), {"value": ", ".join(facts), "source": "table transactions"}


COUNTS = {
    "cpu_factor": "times the mean CPU",
    "db_calls": "DB calls",
    "dedb_calls": "DEDB calls",
    "dc_calls": "DC calls",
    "reads": "reads",
    "writes": "writes",
}


def _databases(scenario: Any) -> Iterator[tuple[str, Any]]:
    """Each database: kind, access method, copies, areas, contents."""
    if "databases" not in scenario.tables:
        return
    for row in of_kind(scenario, scenario.table("databases")):
        facts = [
            str(row.get("kind", "")),
            str(row.get("access", "")),
            f"{row['replicates']} copies" if row.get("replicates", 0) > 1 else "",
            f"{row['areas']} areas" if row.get("areas", 0) else "",
            str(row.get("holds", "")),
        ]
        text = ", ".join(dict.fromkeys(fact for fact in facts if fact))
        yield str(row["database"]), {"value": text, "source": "table databases"}


def _segments(scenario: Any) -> Iterator[tuple[str, Any]]:
    """Segment types in the order of the hierarchy: level, and length where it is printed."""
    if "segments" not in scenario.tables:
        return
    for row in of_kind(scenario, scenario.table("segments")):
        size = f", {row['bytes']} bytes" if row.get("bytes") else ""
        key = f"{row['database']}.{row['order']:02d}.{row['segment']}"
        yield key, {"value": f"{row['level']}{size}", "source": "table segments"}


def made_section(engine: str, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """How the numbers came about: `events` or `interval`."""
    what = {
        "events": "every transaction is simulated",
        "interval": "means of the solver and noise; no transaction is in the log",
    }
    return {"engine": {"value": engine, "source": what[engine]}, **(extra or {})}


# --- address spaces: which belong to a group, a report class, a name ------------------------------

MOST_NAMED = 8  # address spaces that are listed one by one
SHORTEST = 3  # characters before the `*` of a pattern
USUAL = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}  # rows of a table without groups
COSTS = "cpu_by_space"


def group_sections(scenario: Any, inventory: Inventory) -> dict[str, dict[str, list[str]]]:
    """Sections address_spaces, report_classes and storage of run.toml: names of each group."""
    groups = _groups(scenario)
    spaces = list(zip(inventory.spaces, inventory.rows, strict=True))
    of_group: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_class: dict[str, set[str]] = defaultdict(set)
    for space, row in spaces:
        group = groups.get(row, "")
        of_class[space.report_class].add(group)
        if group:
            of_group[group][space.program].append(space.job)
    classes: dict[str, list[str]] = defaultdict(list)
    for name, settings in of_class.items():
        if len(settings) == 1 and "" not in settings:
            classes[settings.pop()].append(name)
    return {
        "address_spaces": {
            group: [pattern for jobs in programs.values() for pattern in _patterns(jobs)]
            for group, programs in of_group.items()
        },
        "report_classes": dict(classes),
        "storage": dict(_named(inventory)),
    }


def _groups(scenario: Any) -> Mapping[str, str]:
    """Group of each row of the cost table."""
    if COSTS not in scenario.tables:
        return USUAL
    rows = scenario.table(COSTS)
    return {row["space"]: row.get("group", USUAL.get(row["space"], "")) for row in rows}


def _patterns(jobs: list[str]) -> list[str]:
    """The names, or what many of them begin with."""
    least, most = min(jobs), max(jobs)
    same = (n for n, (a, b) in enumerate(zip(least, most, strict=False)) if a != b)
    first = least[: next(same, len(least))]
    return jobs if len(jobs) <= MOST_NAMED or len(first) < SHORTEST else [f"{first}*"]


def _named(inventory: Inventory) -> Iterator[tuple[str, list[str]]]:
    """The address spaces whose storage type 78.2 holds, as storage_accounts names them."""
    for name in ("control", "dli"):
        job = next((space.job for space in inventory.spaces if KINDS[name](space)), None)
        if job:
            yield name, [job]
