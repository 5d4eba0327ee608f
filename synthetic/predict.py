"""A scenario's metrics without records: one row per metric, published numbers beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from imsperf.errors import OutOfReach, ScenarioError
from imsperf.synthetic.scenarios.publications import Figure, figures_at
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.prediction import Prediction, Value

Row = dict[str, Any]
Sweep = Mapping[str, Sequence[float | str]]


def predict(scenario: Scenario) -> list[Row]:
    """Rows with scenario, sweep_value, metric, unit, value, published, error_pct and kind.

    `value` is a number, None where there is none, and text for names of stations. Errors:
    ScenarioError, also where more arrives than passes; a sweep shows such a point at the limit,
    without a response.
    """
    return list(_rows(scenario, None, _stable(scenario)))


def _stable(scenario: Scenario) -> Prediction:
    """The balance; ScenarioError where more arrives than passes, so that there is none."""
    found = predicted(scenario)
    values, asked = found.values, scenario.get("driver.rate_per_s", 0.0)
    if asked > 0 and values.get("ims_response_ms", 0.0) is None:
        raise ScenarioError(
            f"driver.rate_per_s: found {asked:,.0f}, expected less than "
            f"{values['etr_per_s']:,.0f}: an unstable open load, {values['bottleneck']} is full",
            "lower the rate, give the system more, or let clients wait (driver.rate_per_s=0)",
        )
    return found


def predict_sweep(scenario: Scenario, key: str, values: Sequence[float | str]) -> list[Row]:
    """The same rows for each value of a knob."""
    return predict_grid(scenario, {key: values})


def predict_grid(
    scenario: Scenario, sweeps: Sweep, told: Callable[[str], object] = str
) -> list[Row]:
    """The same rows for each combination of values of several knobs, of counts each whole one once.

    `sweep_value` is the value of one knob, or `KEY=VALUE KEY=VALUE` of several. A target out of
    reach: no values, and why is `told`; an error only where all are.
    """
    for key in sweeps:
        knob = scenario.knob(key)
        if knob.choices or isinstance(knob.default, str):
            raise ScenarioError(
                f"{key}: found a knob of {knob.range_text() or knob.unit + 's'}, expected a number",
                "a sweep goes over numbers; use --set for each choice",
            )
    each = [dict.fromkeys(_whole(scenario, key, one) for one in sweeps[key]) for key in sweeps]
    points: list[tuple[Scenario, Any, Prediction | OutOfReach]] = []
    for values in product(*each):
        changed = scenario.with_settings(dict(zip(sweeps, values, strict=True)))
        now = [changed[key] for key in sweeps]
        label = now[0] if len(now) == 1 else _words(sweeps, now)
        points.append((changed, label, _reached(changed)))
    good = next((one for _, _, one in points if isinstance(one, Prediction)), None)
    rows: list[Row] = []
    for changed, label, found in points:
        if isinstance(found, OutOfReach):
            if good is None:
                raise found
            told(found.message)
            found = Prediction.of([replace(one, value=None) for one in good.metrics], [])
        rows += _rows(changed, label, found)
    return rows


def _reached(scenario: Scenario) -> Prediction | OutOfReach:
    try:
        return predicted(scenario)
    except OutOfReach as error:
        return error


def predict_change(before: Scenario, after: Scenario) -> list[Row]:
    """The rows of `after`, with the values of `before` and the change in per cent beside them."""
    old = predicted(before).values
    rows = []
    for row in _rows(after, None, _stable(after)):
        was = old.get(row["metric"])
        rows.append(row | {"before": was, "change_pct": _change(was, row["value"])})
    return rows


def explain(scenario: Scenario) -> list[Row]:
    """The stations behind the prediction: servers, demand, residence, queue, use, limit."""
    found = _stable(scenario)
    return [
        {
            "scenario": scenario.full_name,
            "system": one.system,
            "station": one.station,
            "servers": one.servers,
            "demand_us": one.demand_us,
            "residence_us": one.residence_us,
            "queue": one.queue,
            "utilisation_pct": one.utilisation_pct,
            "limit_per_s": one.limit_per_s,
            "note": one.note,
        }
        for one in found.stations
    ]


def _whole(scenario: Scenario, key: str, value: float | str) -> float | str:
    """The nearest whole number, where the knob takes only those."""
    counts = isinstance(scenario.knob(key).default, int) and isinstance(value, float)
    return round(value) if counts else value  # type: ignore[arg-type]


def _words(keys: Sweep, values: Sequence[Any]) -> str:
    return " ".join(f"{key}={value:g}" for key, value in zip(keys, values, strict=True))


def _change(before: Value, after: Value) -> float | None:
    numbers = isinstance(before, int | float) and isinstance(after, int | float)
    if not numbers or not before:
        return None
    return (after / before - 1) * 100  # type: ignore[operator]


def _rows(scenario: Scenario, sweep_value: Any, found: Prediction) -> Iterator[Row]:
    known = figures_at(scenario)
    for one in found.metrics:
        figure = known.get(one.name)
        yield {
            "scenario": scenario.full_name,
            "sweep_value": sweep_value,
            "metric": one.name,
            "unit": one.unit,
            "value": one.value,
            "published": figure.value if figure else None,
            "error_pct": _error(figure, one.value),
            "kind": figure.kind if figure else one.kind,
        }


def _error(figure: Figure | None, value: Value) -> float | None:
    if figure is None or not figure.value or not isinstance(value, int | float):
        return None
    return (value / figure.value - 1) * 100
