"""Published results: read for the columns that set them beside ours, never by a model.

A file NAME.published.toml holds tables: source, which variant and settings (`at`) they belong to,
and figures as [metric, value, kind] or [metric, value, kind, identity]. Kinds: input (the model was
given it), fitted (a value of the calibration was chosen to meet it), predicted (nothing was),
unexplained (the model does not try). An identity says from which other cells a figure follows by
arithmetic. Only predicted figures without one tell how good the model is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios import files as scenario_files
from imsperf.synthetic.scenarios.scenario import Scenario, load

KINDS = ("input", "fitted", "predicted", "unexplained")
APART = ("run.", "system.", "machine.")  # knobs that no figure depends on


@dataclass(frozen=True)
class Figure:
    """One printed number. `at`: settings on top of NAME@variant under which it was measured."""

    scenario: str
    variant: str
    metric: str
    value: float
    kind: str
    source: str
    at: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    identity: str = ""

    @property
    def full_name(self) -> str:
        """NAME or NAME@VARIANT."""
        return f"{self.scenario}@{self.variant}" if self.variant else self.scenario


@cache
def figures(name: str) -> tuple[Figure, ...]:
    """All published figures of a built-in scenario; empty where there are none."""
    return tuple(_figures(name))


def _figures(name: str) -> Iterator[Figure]:
    for table in scenario_files.published(name):
        for metric, value, kind, *identity in table["figures"]:
            if kind not in KINDS:
                raise ScenarioError(f"{name}: {metric}: found kind {kind!r}, expected {KINDS}")
            yield Figure(
                name,
                table.get("variant", ""),
                metric,
                float(value),
                kind,
                table["source"],
                table.get("at", {}),
                table.get("note", ""),
                *identity,
            )


def figures_at(scenario: Scenario) -> dict[str, Figure]:
    """Figures measured with exactly these settings, by metric; none for a changed system."""
    if scenario.name not in scenario_files.names():
        return {}
    by_metric: dict[str, Figure] = {}
    same: dict[tuple[str, tuple[tuple[str, Any], ...]], bool] = {}
    for figure in figures(scenario.name):
        key = (figure.full_name, tuple(figure.at.items()))
        if key not in same:
            same[key] = _equal(scenario, load(figure.full_name, dict(figure.at)))
        if same[key]:
            by_metric.setdefault(figure.metric, figure)
    return by_metric


def _equal(scenario: Scenario, other: Scenario) -> bool:
    """The same model: values of all knobs and all tables, names and times aside."""
    if scenario.tables != other.tables or scenario.knobs.keys() != other.knobs.keys():
        return False
    return all(
        knob.value == other.knobs[key].value
        for key, knob in scenario.knobs.items()
        if not key.startswith(APART)
    )
