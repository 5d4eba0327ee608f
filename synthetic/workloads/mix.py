"""The transactions of a scenario: those of its workload kind, those that come, means of the mix."""

from __future__ import annotations

from typing import Any

from imsperf.synthetic.scenario import Scenario

ALWAYS_WAITING = ("IFP", "THREAD")  # regions whose programs wait for input as long as they run


def used(scenario: Scenario) -> list[dict[str, Any]]:
    """The transactions of the mix that come at all."""
    return [row for row in transactions(scenario) if row["weight"] > 0]


def transactions(scenario: Scenario) -> list[dict[str, Any]]:
    """The transactions of the workload kind; tables of one kind have no column for it."""
    return of_kind(scenario, scenario.table("transactions"))


def of_kind(scenario: Scenario, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the workload kind; all of a table that has no column for it."""
    if "workload" not in rows[0]:
        return rows
    return [row for row in rows if row["workload"] == scenario["workload.kind"]]


def mix_mean(scenario: Scenario, name: str) -> float:
    """Mean of a column of the transaction table over the mix."""
    rows = transactions(scenario)
    total = sum(row["weight"] for row in rows)
    return float(sum(row["weight"] * row[name] for row in rows) / total)


def scheduling_share(scenario: Scenario) -> float:
    """Share of the transactions whose regions schedule programs for them."""
    rows = used(scenario)
    scheduled = sum(row["weight"] for row in rows if row["region"] not in ALWAYS_WAITING)
    return float(scheduled / sum(row["weight"] for row in rows))
