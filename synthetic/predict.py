"""A scenario's metrics without records: one row per metric, published numbers beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from imsperf.errors import OutOfReach, ScenarioError
from imsperf.synthetic.scenarios.publications import Figure, figures_at
from imsperf.synthetic.scenarios.scenario import Scenario, what_if
from imsperf.synthetic.short_runs import LEAST, TRANSACTIONS, answered
from imsperf.synthetic.uncertainty import Doubt, Spread, hangs_on, spread
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.prediction import SIMULATED, SOLVER, Prediction, Value

Row = dict[str, Any]
Sweep = Mapping[str, Sequence[float | str]]
Told = Callable[[str], object]

SWEEP_TRANSACTIONS = 10_000_000  # simulated in a sweep, all points together
RESPONSES = ("ims_response_ms", "cics_response_ms")  # None where there is no balance
SWEEP_SPREADS = 50  # points of a sweep at which the spread is worked out


def silent(words: str) -> None:
    """Nobody listens."""


def predict(scenario: Scenario, method: str = "", told: Told = silent) -> list[Row]:
    """A row for each metric, with its range and method (`_rows` has the columns).

    `value` is a number, None where there is none, and text for names of stations. `low` and `high`:
    its range (uncertainty.py), None where there is none. `method`: `solver` or `simulated`, chosen
    by what the solver finds (solver/answer.py); "solver" asked for simulates nothing. What the
    prediction hangs on is `told`. Errors: ScenarioError, also where more arrives than passes; a
    sweep shows such a point at the limit, without a response.
    """
    point = _point(scenario, None, method)
    _tell(point, told)
    return list(_rows(point))


def load_curve(scenario: Scenario, most: float, points: int = 16) -> list[dict[str, Value]]:
    """Metrics of the solver at rising load, to a rate of `most` or where no more passes.

    Errors: ScenarioError where the load of the scenario cannot be changed (`what_if`).
    """
    rate = dict(_metrics(scenario))["etr_per_s"]
    assert isinstance(rate, float)  # every scenario has one
    curve = []
    for step in range(1, points + 1):
        changed = what_if(scenario, {"--load": f"x{step / points * most / rate:.6f}"})
        try:
            curve.append(dict(_metrics(scenario.with_settings(changed))))
        except ScenarioError:  # more arrives than passes
            break
    return curve


def _metrics(scenario: Scenario) -> Iterator[tuple[str, Value]]:
    return ((row["metric"], row["value"]) for row in predict(scenario, SOLVER))


@dataclass(frozen=True)
class Point:
    """A prediction with the label of its place in a sweep, and how far it may be off."""

    scenario: Scenario
    label: Any
    found: Prediction
    spread: Spread


def _point(scenario: Scenario, label: Any, method: str, doubt: Doubt | None = None) -> Point:
    """With a doubt of its own, also at the limit, without a response.

    Errors: ScenarioError where more arrives than passes, so that there is no balance.
    """
    plain = predicted(scenario)
    values, asked = plain.values, scenario.get("driver.rate_per_s", 0.0)
    is_over = asked > 0 and any(values.get(name, 0.0) is None for name in RESPONSES)
    if is_over and doubt is None:
        raise ScenarioError(
            f"driver.rate_per_s: found {asked:,.0f}, expected less than "
            f"{values['etr_per_s']:,.0f}: an unstable open load, {values['bottleneck']} is full",
            "lower the rate, give the system more, or let clients wait (driver.rate_per_s=0)",
        )
    answer = plain if method == SOLVER else answered(scenario, plain)
    return Point(scenario, label, answer, spread(scenario, plain, doubt))


def predict_grid(
    scenario: Scenario, sweeps: Sweep, told: Told = silent, method: str = ""
) -> list[Row]:
    """The same rows for each combination of values of several knobs, of counts each whole one once.

    `sweep_value` is the value of one knob, or `KEY=VALUE KEY=VALUE` of several. A target out of
    reach: no values, and why is `told`; an error only where all are. Points at a knee are simulated
    while each can have LEAST of the SWEEP_TRANSACTIONS. Where points are more than SWEEP_SPREADS,
    the range of each is as wide as that of the nearest of so many, evenly spread.
    """
    for key in sweeps:
        knob = scenario.knob(key)
        if knob.choices or isinstance(knob.default, str):
            raise ScenarioError(
                f"{key}: found a knob of {knob.range_text() or knob.unit + 's'}, expected a number",
                "a sweep goes over numbers; use --set for each choice",
            )
    each = [dict.fromkeys(_whole(scenario, key, sweep) for sweep in sweeps[key]) for key in sweeps]
    points: list[tuple[Scenario, Any, Prediction | OutOfReach]] = []
    for values in product(*each):
        changed = scenario.with_settings(dict(zip(sweeps, values, strict=True)))
        now = [changed[key] for key in sweeps]
        label = now[0] if len(now) == 1 else _words(sweeps, now)
        points.append((changed, label, _reached(changed)))
    good = [point for _, _, point in points if isinstance(point, Prediction)]
    knees = 0 if method == SOLVER else sum(bool(point.knees) for point in good)
    share = min(SWEEP_TRANSACTIONS / max(knees, 1), TRANSACTIONS)
    if knees and share < LEAST:
        told(f"{knees} points are near a knee, too many to simulate: all are the solver's")
    stride = -(-len(points) // SWEEP_SPREADS)
    rows: list[Row] = []
    about: Spread | None = None
    for place, (changed, label, result) in enumerate(points):
        if isinstance(result, OutOfReach):
            if not good:
                raise result
            told(result.message)
            empty = tuple(replace(metric, value=None) for metric in good[0].metrics)
            rows += _rows(Point(changed, label, Prediction(empty, ()), Spread({})))
            continue
        if about is None or place % stride == stride // 2:
            about = spread(changed, result)
        if method != SOLVER and share >= LEAST:
            result = answered(changed, result, share)
        rows += _rows(Point(changed, label, result, about))
    return rows


def _reached(scenario: Scenario) -> Prediction | OutOfReach:
    try:
        return predicted(scenario)
    except OutOfReach as error:
        return error


def predict_change(
    before: Scenario,
    after: Scenario,
    method: str = "",
    told: Told = silent,
    doubt: Doubt | None = None,
) -> list[Row]:
    """The rows of `after`, with the values of `before` and the change in per cent beside them.

    `doubt`: of a model that was fitted to a measurement; it may be asked for more than passes.
    """
    plain = predicted(before)
    old = (plain if method == SOLVER else answered(before, plain)).values
    point = _point(after, None, method, doubt)
    _tell(point, told)
    rows = []
    for row in _rows(point):
        was = old.get(row["metric"])
        rows.append(row | {"before": was, "change_pct": _change(was, row["value"])})
    return rows


def _tell(point: Point, told: Told) -> None:
    """Why it was simulated, and what the prediction hangs on."""
    by = {metric.method for metric in point.found.metrics}
    for words in point.found.knees:
        told(f"simulated, as {words}" if SIMULATED in by else f"not simulated, though {words}")
    if words := hangs_on(point.scenario, point.found, point.spread):
        told(words)


def explain(scenario: Scenario) -> list[Row]:
    """The stations behind the solver's balance: servers, demand, residence, queue, use, limit."""
    solution = _point(scenario, None, SOLVER).found
    return [
        {
            "scenario": scenario.full_name,
            "system": station.system,
            "station": station.station,
            "servers": station.servers,
            "demand_us": station.demand_us,
            "residence_us": station.residence_us,
            "queue": station.queue,
            "utilisation_pct": station.utilisation_pct,
            "limit_per_s": station.limit_per_s,
            "note": station.note,
        }
        for station in solution.stations
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


def _rows(point: Point) -> Iterator[Row]:
    known = figures_at(point.scenario)
    for metric in point.found.metrics:
        figure = known.get(metric.name)
        kind = figure.kind if figure else metric.kind
        low, high = point.spread.ends(metric, kind)
        yield {
            "scenario": point.scenario.full_name,
            "sweep_value": point.label,
            "metric": metric.name,
            "unit": metric.unit,
            "value": metric.value,
            "published": figure.value if figure else None,
            "error_pct": _error(figure, metric.value),
            "kind": kind,
            "low": low,
            "high": high,
            "method": metric.method if metric.value is not None else None,
        }


def _error(figure: Figure | None, value: Value) -> float | None:
    if figure is None or not figure.value or not isinstance(value, int | float):
        return None
    return (value / figure.value - 1) * 100
