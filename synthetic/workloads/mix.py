"""The transactions of a scenario: those of its workload kind, those that come, means of the mix."""

from __future__ import annotations

from typing import Any

from imsperf.synthetic.scenarios.scenario import Scenario

ALWAYS_WAITING = ("IFP", "THREAD")  # regions whose programs wait for input as long as they run
REGIONS = {  # what a transaction's row calls its region, and the knob that counts them
    "IFP": "regions.ifp",
    "MPP": "regions.mpp",
    "JMP": "regions.jmp",
    "THREAD": "regions.threads",
}
ADDED_UP = (
    "cpu_factor",
    "db_calls",
    "dc_calls",
    "reads",
    "writes",
)  # of a chain: those of its programs


def used(scenario: Scenario) -> list[dict[str, Any]]:
    """The transactions of the mix that come at all; a chain of programs is one of them."""
    rows = transactions(scenario)
    return [_whole(row, rows) for row in rows if row["weight"] > 0]


def programs(row: dict[str, Any], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a transaction's programs: its own, then those it switches to in turn."""
    further = row.get("then", "").split()
    by_code = {row["tran"]: row for row in rows} if further else {}
    return [by_code[code] for code in (row["tran"], *further)] if further else [row]


def _whole(row: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The row of a transaction with what all of its programs do."""
    own = programs(row, rows)
    if len(own) == 1:
        return row
    return row | {name: sum(one[name] for one in own) for name in ADDED_UP if name in row}


def transactions(scenario: Scenario) -> list[dict[str, Any]]:
    """The transactions of the workload kind; tables of one kind have no column for it."""
    return of_kind(scenario, scenario.table("transactions"))


def of_kind(scenario: Scenario, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the workload kind; all of a table that has no column for it."""
    if "workload" not in rows[0]:
        return rows
    chooser = "cics.workload" if "cics.workload" in scenario else "workload.kind"
    return [row for row in rows if row["workload"] == scenario[chooser]]


def scheduling_share(scenario: Scenario) -> float:
    """Share of the transactions whose regions schedule programs."""
    rows = used(scenario)
    scheduled = sum(row["weight"] for row in rows if row["region"] not in ALWAYS_WAITING)
    return float(scheduled / sum(row["weight"] for row in rows))
