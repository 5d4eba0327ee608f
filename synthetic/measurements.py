"""Measured rows -> cases to calibrate with: rate, response, CPU of each run or system.

Two forms: as `imsperf report run.metrics --format csv` prints them (run, system, metric, value), or
one line for each case with a column for each metric; columns named like knobs are settings.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.calibrating import COST, QUANTITIES, Case
from imsperf.synthetic.scenario import Scenario

KNOWN = (*QUANTITIES, *COST)
LONG = {"metric", "value"}
NAMES = ("case", "run", "system", "interval_start", "interval_start_utc")

Rows = Sequence[Mapping[str, Any]]


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file with a header. Errors: ScenarioError."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return [dict(row) for row in csv.DictReader(file)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ScenarioError(f"{path}: found {error}, expected a CSV file with a header") from None


def cases(scenario: Scenario, rows: Rows, where: str) -> list[Case]:
    """One case for each run and system, or each line. Errors: ScenarioError."""
    if not rows:
        raise ScenarioError(f"{where}: found no rows, expected measured metrics")
    found = _long(scenario, rows, where) if rows[0].keys() >= LONG else _wide(scenario, rows, where)
    usable = [one for one in found if any(metric in one.observed for metric in QUANTITIES)]
    if not usable:
        raise ScenarioError(
            f"{where}: found none of {', '.join(QUANTITIES)}",
            "the rate comes from type 72 records or the IMS log, the response from the IMS log; "
            "load them first, or give them in a CSV file",
        )
    return usable


def _long(scenario: Scenario, rows: Rows, where: str) -> list[Case]:
    observed: dict[str, dict[str, float]] = {}
    for row in rows:
        name = " ".join(str(row[key]) for key in NAMES if row.get(key))
        value = _number(row["value"], where, str(row["metric"]))
        if row["metric"] in KNOWN and value is not None:
            observed.setdefault(name, {})[str(row["metric"])] = value
    return [Case(name, scenario, values) for name, values in observed.items()]


def _wide(scenario: Scenario, rows: Rows, where: str) -> list[Case]:
    made = []
    for place, row in enumerate(rows, 1):
        name = " ".join(str(row[key]) for key in NAMES if row.get(key)) or f"line {place}"
        given = {key: value for key, value in row.items() if key not in NAMES and value}
        settings = {key: value for key, value in given.items() if key not in KNOWN}
        observed = {}
        for key in KNOWN:
            value = _number(given.get(key), where, key)
            if value is not None:
                observed[key] = value
        made.append(Case(name, scenario.with_settings(settings), observed))
    return made


def _number(given: Any, where: str, metric: str) -> float | None:
    if given is None or given == "":
        return None
    try:
        return float(given)
    except ValueError:
        raise ScenarioError(f"{where}: {metric}: found {given!r}, expected a number") from None
