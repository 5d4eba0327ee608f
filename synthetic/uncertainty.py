"""A range beside each predicted figure, and what a prediction hangs on.

Three things are unknown; they are taken for independent, so their squares add up:

* the model's own error: the largest relative error of the published cells of this scenario that the
  model predicts, of cells of the same figure, else of the same unit, else of the same sort (times
  and counts; rates, shares and costs), else of all; nothing for a scenario without such cells;
* the delay that no equation explains (`region.unexplained_ms` and the like): the figure with none
  of it and with twice as much. Not at a point whose response is published and was given to the
  model or fitted: there the delay is what meets it;
* where the figure is simulated, the half-width of its 95 % interval.

Figures that were given to the model or fitted have no range, nor have those that follow from knobs
alone, unless a published cell of that figure is predicted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.publications import figures, figures_at
from imsperf.synthetic.scenarios.scenario import Scenario, load
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.prediction import Metric, Prediction

UNEXPLAINED = ".unexplained"  # in the names of the knobs
GIVEN = ("input", "fitted")  # kinds of figures without a range
RESPONSES = ("ims_response_ms", "ical_response_ms", "bmp_elapsed_s")  # what a prediction is about
TIMES = ("ms", "s", "count")  # units of one sort
FROM_KNOBS = ("wads_write_ms", "olds_write_ms", "db_io_per_tran", "messages_per_schedule")
SHARES = ("cpu_busy_pct", "lpar_busy_pct", "ziip_busy_pct", "util_")  # begin a name: at most 100
Ends = tuple[float | None, float | None]  # low and high; None: not known


@dataclass(frozen=True)
class Spread:
    """How far the figures of a prediction may be off.

    `errors`: relative, by metric, unit, sort and "" (published_errors). `moved`: by metric the
    solver's figure, and what it is more without the unexplained delay and with twice as much.
    `unknown`: there is no balance at one of these two. `pinned`: the response was measured here.
    """

    errors: Mapping[str, float]
    moved: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    unknown: bool = False
    pinned: bool = False

    def ends(self, metric: Metric, kind: str) -> Ends:
        """The range of a figure of this prediction, or of the same figure at a point nearby.

        Only the high end is None where more than it has no balance.
        """
        if kind in GIVEN or not isinstance(metric.value, int | float) or self.unknown:
            return None, None
        untested = metric.name in FROM_KNOBS and metric.name not in self.errors
        if (untested or UNEXPLAINED in metric.name) and not any(
            self.moved.get(metric.name, ())[1:]
        ):
            return None, None
        low, high = (max(metric.value + sign * self.away(metric, sign), 0.0) for sign in (-1, 1))
        if metric.name.startswith(SHARES):
            high = min(high, 100.0)
        return low, max(high, low) if math.isfinite(high) else None

    def away(self, metric: Metric, sign: int) -> float:
        """How far a figure may be above (1) or below (-1) its value."""
        return math.hypot(*self.parts(metric, sign).values())

    def parts(self, metric: Metric, sign: int) -> dict[str, float]:
        """The same by cause: model, unexplained, simulation."""
        value = float(str(metric.value))
        base, *changes = self.moved.get(metric.name, (0.0, 0.0, 0.0))
        scale = value / base if base else 1.0
        model = model_error(self.errors, metric)
        return {
            "model": value * (model if UNEXPLAINED not in metric.name else 0.0),
            "unexplained": max(0.0, *(sign * change * scale for change in changes)),
            "simulation": metric.half_width,
        }


@dataclass(frozen=True)
class Doubt:
    """What is doubted of a model: relative errors by metric, unit, sort and "" (published_errors),
    and the factors between which its unexplained delay may be."""

    errors: Mapping[str, float]
    least: float = 0.0
    most: float = 2.0


def spread(scenario: Scenario, plain: Prediction, doubt: Doubt | None = None) -> Spread:
    """The spread of a prediction; `plain`: that of the solver. No doubt: that of its scenario."""
    is_published = doubt is None
    doubt = doubt or Doubt(published_errors(scenario.name))
    errors = doubt.errors
    pinned = {
        figure.metric.removesuffix("_ims1")
        for figure in figures_at(scenario).values()
        if figure.kind in GIVEN
    }
    keys = [key for key in scenario.knobs if UNEXPLAINED in key and float(scenario[key]) > 0]
    if pinned & set(RESPONSES):
        return Spread(errors, pinned=True)
    if not keys:
        return Spread(errors)
    try:
        factors = (doubt.least, doubt.most)
        ends = [predicted(_moved(scenario, keys, by)).values for by in factors]
    except ScenarioError:  # a target out of reach
        return Spread(errors, unknown=True)
    endless = {name for end in ends for name in RESPONSES if end.get(name, 0.0) is None}
    if endless and (is_published or any(plain.values.get(name) is None for name in endless)):
        return Spread(errors, unknown=True)  # more arrives than passes
    moved: dict[str, tuple[float, float, float]] = {}
    for name, base in plain.values.items():
        low, high = (
            math.inf if name in endless and end[name] is None else end.get(name) for end in ends
        )
        numbers = [value for value in (base, low, high) if isinstance(value, int | float)]
        if len(numbers) == 3:
            moved[name] = (numbers[0], numbers[1] - numbers[0], numbers[2] - numbers[0])
    return Spread(errors, moved)


def _moved(scenario: Scenario, keys: list[str], by: float) -> Scenario:
    most = {key: scenario.knob(key).maximum or math.inf for key in keys}
    return scenario.with_settings({key: min(scenario[key] * by, most[key]) for key in keys})


@cache
def published_errors(name: str) -> Mapping[str, float]:
    """Largest relative error of the published cells that a built-in scenario predicts.

    By metric, unit, sort (times, rates) and, as "", of all; empty where there is none.
    """
    largest: dict[str, float] = {}
    known: dict[str, Mapping[str, Metric]] = {}
    for cell in figures(name) if name in _built_in() else ():
        if cell.kind != "predicted" or not cell.value:
            continue
        at = f"{cell.full_name} {sorted(cell.at.items())}"
        if at not in known:
            metrics = predicted(load(cell.full_name, dict(cell.at))).metrics
            known[at] = {metric.name: metric for metric in metrics}
        one = known[at].get(cell.metric)
        if one is not None and isinstance(one.value, int | float):
            error = abs(one.value / cell.value - 1)
            for key in (one.name, one.unit, _sort(one.unit), ""):
                largest[key] = max(largest.get(key, 0.0), error)
    return largest


def model_error(errors: Mapping[str, float], metric: Metric) -> float:
    """The relative error of a figure: its own, else of its unit, its sort, or of all."""
    keys = (metric.name, metric.unit, _sort(metric.unit), "")
    return next((errors[key] for key in keys if key in errors), 0.0)


def _sort(unit: str) -> str:
    return "times" if unit in TIMES else "rates"


def hangs_on(scenario: Scenario, prediction: Prediction, spread: Spread) -> str:
    """In one line, what makes the range of the response as wide as it is; empty: no response."""
    response = next(
        (m for m in prediction.metrics if m.name in RESPONSES and m.value is not None), None
    )
    if response is None:
        return ""
    words = _unexplained_words(scenario, prediction, response)
    if spread.pinned:
        return f"measured here; a changed system hangs on {words}" if words else ""
    if spread.unknown:
        return f"hangs on {words}; without it, or with twice as much, there is no balance"
    both = [spread.parts(response, sign) for sign in (-1, 1)]
    parts = {cause: max(part[cause] for part in both) for cause in both[0]}
    most = max(parts, key=lambda cause: parts[cause])
    if parts[most] == 0:
        return "no range: no published cell tests a prediction of this scenario"
    if most == "simulation":
        return "hangs on the length of the simulation"
    if most == "model":
        error = parts["model"] / float(str(response.value))
        return f"hangs on the model: published cells it predicts here are up to {error:.1%} off"
    return f"hangs on {words}"


def _unexplained_words(scenario: Scenario, prediction: Prediction, response: Metric) -> str:
    """The unexplained delay and its share of the response; empty where there is none."""
    key = next((key for key in scenario.knobs if UNEXPLAINED in key and scenario[key] > 0), "")
    if not key:
        return ""
    if response.name == "bmp_elapsed_s":
        share = float(str(prediction.values["bmp_fitted_s"])) / float(str(response.value))
        return f"{key}: {share:.0%} of the elapsed time is explained by no equation"
    waited = prediction.values.get("region_queue_ms")
    queue = waited if isinstance(waited, float) else 0.0
    inside = max(float(str(response.value)) - queue, 1e-9)
    part = min(float(scenario[key]) / inside, 1.0)
    where = "response" if queue < 0.01 * inside else "response after the wait for a region"
    return f"{key}: {part:.0%} of the {where} is explained by no equation"


def _built_in() -> list[str]:
    from imsperf.synthetic.scenarios import files

    return list(files.names())
