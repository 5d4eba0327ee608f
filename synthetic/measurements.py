"""Measured rows -> cases to calibrate with: rate, response, CPU of each run or system.

Two forms: as `imsperf report run.metrics --format csv` prints them (run, system, metric, value,
perhaps unit), or one line for each case with a column for each metric; columns named like knobs are
settings.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.calibrating import COST, QUANTITIES, Case
from imsperf.synthetic.scenarios.scenario import Scenario

KNOWN = (*QUANTITIES, *COST)
TIMES = {"s": 1e3, "ms": 1.0, "us": 1e-3}
UNITS = {  # of a column `unit`, and what makes of one the metric's own
    "etr_per_s": {"1/s": 1.0, "1/min": 1 / 60, "1/h": 1 / 3600},
    "ims_response_ms": TIMES,
    "cpu_us_per_tran": {name: ms * 1e3 for name, ms in TIMES.items()},
    "cpu_busy_pct": {"%": 1.0, "share": 100.0},
}
LONG = {"metric", "value"}
TOTAL = "*ALL*"  # what run.metrics calls all systems of a run together
SYSTEMS = ("ims1", "ims2")  # of a sysplex, by the names of their systems
SAME_NAME = 0.9  # likeness of a metric's name that is a mistake of spelling
NAMES = ("case", "run", "system", "interval_start", "interval_start_utc")

Rows = Sequence[Mapping[str, Any]]


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file with a header. Errors: ScenarioError."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return [dict(row) for row in csv.DictReader(file)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ScenarioError(f"{path}: found {error}, expected a CSV file with a header") from None


@dataclass(frozen=True)
class Line:
    """What was seen of one system in one run or line, and the settings that go with it."""

    run: str
    system: str
    scenario: Scenario
    observed: Mapping[str, float]


def cases(scenario: Scenario, rows: Rows, where: str) -> list[Case]:
    """One case for each run and system, or each line; of a sysplex, for each run with both systems.

    The sum of all systems, where each stands there too, says nothing more and is left out. Errors:
    ScenarioError.
    """
    if not rows:
        raise ScenarioError(f"{where}: found no rows, expected measured metrics")
    measured = (
        _long(scenario, rows, where) if rows[0].keys() >= LONG else _wide(scenario, rows, where)
    )
    usable = [case for case in measured if any(metric in case.observed for metric in QUANTITIES)]
    if not usable:
        raise ScenarioError(
            f"{where}: found none of {', '.join(QUANTITIES)}",
            "the rate comes from type 72 records or the IMS log, the response from the IMS log; "
            "load them first, or give them in a CSV file",
        )
    apart = [case for case in usable if case.system != TOTAL]
    if scenario.family == "sysplex":
        return _both(scenario, apart, where)
    return [
        Case(f"{case.run} {case.system}".strip() or f"line {place}", case.scenario, case.observed)
        for place, case in enumerate(apart or usable, 1)
    ]


def _both(scenario: Scenario, lines: Sequence[Line], where: str) -> list[Case]:
    """The two systems of a run as one case: they share volumes and the coupling facility."""
    runs: dict[str, list[Line]] = {}
    for line in lines:
        runs.setdefault(line.run, []).append(line)
    pairs = []
    for run, systems in (runs or {"": list[Line]()}).items():
        if len(systems) != len(SYSTEMS):
            raise ScenarioError(
                f"{where}: {run}: found {len(systems)} of the systems of {scenario.name}, "
                "expected two",
                "both are fitted together; give each in a row of its own, with a column system",
            )
        ordered = sorted(systems, key=lambda case: case.system)
        observed = {
            f"{metric}_{name}": value
            for name, one in zip(SYSTEMS, ordered, strict=True)
            for metric, value in one.observed.items()
        }
        pairs.append(Case(run or "both", ordered[0].scenario, observed))
    return pairs


def _long(scenario: Scenario, rows: Rows, where: str) -> list[Line]:
    observed: dict[tuple[str, str], dict[str, float]] = {}
    metrics = {str(row["metric"]) for row in rows}
    for metric in sorted(metrics - set(KNOWN)):
        meant = get_close_matches(metric, set(KNOWN) - metrics, n=1, cutoff=SAME_NAME)
        if meant:
            raise ScenarioError(f"{where}: no metric {metric!r}", f"did you mean {meant[0]}?")
    for row in rows:
        value = _number(row["value"], where, str(row["metric"]))
        if row["metric"] in KNOWN and value is not None:
            place, metric = (_run(row), str(row.get("system") or "")), str(row["metric"])
            observed.setdefault(place, {})[metric] = value * _unit(row.get("unit"), where, metric)
    return [Line(*place, scenario, values) for place, values in observed.items()]


def _unit(given: Any, where: str, metric: str) -> float:
    """What makes the metric's own unit of a value in that of its row; none is its own."""
    unit, known = str(given or "").strip(), UNITS[metric]
    if unit and unit not in known:
        raise ScenarioError(
            f"{where}: {metric}: found unit {unit!r}, expected {', '.join(known)}",
            "give the value in one of these",
        )
    return known[unit] if unit else 1.0


def _wide(scenario: Scenario, rows: Rows, where: str) -> list[Line]:
    _columns(scenario, rows[0], where)
    columns = []
    for place, row in enumerate(rows, 1):
        if None in row:
            raise ScenarioError(f"{where}: line {place}: found more cells than the header has")
        given = {key: value for key, value in row.items() if key not in NAMES and value}
        settings = {key: value for key, value in given.items() if key not in KNOWN}
        observed = {}
        for key in KNOWN:
            value = _number(given.get(key), where, key)
            if value is not None:
                observed[key] = value
        own = scenario.with_settings(settings)
        columns.append(Line(_run(row), str(row.get("system") or ""), own, observed))
    return columns


def _columns(scenario: Scenario, row: Mapping[str, Any], where: str) -> None:
    """Raise ScenarioError for a column that is neither name nor metric nor knob."""
    for key in row:
        if key is not None and key not in (*NAMES, *KNOWN) and key not in scenario:
            known = (*KNOWN, *scenario.knobs)
            raise ScenarioError(
                f"{where}: column {key!r}: found no knob {key!r} and no such metric",
                near(key, known, f"metrics are {', '.join(KNOWN)}; other columns are knobs"),
            )


def _run(row: Mapping[str, Any]) -> str:
    """What a row says of itself, but for its system."""
    return " ".join(str(row[key]) for key in NAMES if key != "system" and row.get(key))


def _number(given: Any, where: str, metric: str) -> float | None:
    if given is None or given == "":
        return None
    try:
        return float(given)
    except ValueError:
        raise ScenarioError(f"{where}: {metric}: found {given!r}, expected a number") from None
