"""Fit what nobody prints: client time and the delay inside IMS, from measured rate and response.

Each case is a measurement: a scenario with its settings, and what was seen. CPU per transaction is
no unknown: where it was measured, the costs of the scenario are scaled to it first. Then the two
unknowns are chosen by least squares over the relative errors of rates and responses (model.md 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenario import Scenario
from imsperf.synthetic.workloads.families import predicted

CLIENT_TIME, DELAY = "driver.think_ms", "region.unexplained_ms"
UNKNOWNS = (CLIENT_TIME, DELAY)
QUANTITIES = ("etr_per_s", "ims_response_ms")  # what a balance gives, to be met
COST = ("cpu_us_per_tran", "cpu_busy_pct")  # what the costs follow from
SPEED = "cpu.speed"
RANK = 1e-6  # singular values below this share of the largest mean that an unknown changes nothing
WORST = 10.0  # relative error that stands for a model without an answer

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One measurement: what is known of the system, and what was seen of it."""

    name: str
    scenario: Scenario
    observed: Mapping[str, float]


@dataclass(frozen=True)
class Residual:
    """One observed quantity. `left_out_pct`: error when the fit does not know it; None: no fit."""

    case: str
    metric: str
    observed: float
    fitted: float
    error_pct: float
    left_out_pct: float | None


@dataclass(frozen=True)
class Fit:
    """The unknowns, the factor on CPU speed of each case, and how well all that fits."""

    values: Mapping[str, float]
    speeds: Mapping[str, float]
    residuals: tuple[Residual, ...]

    @property
    def free(self) -> int:
        """Quantities more than unknowns: 0 means that any two numbers would be met."""
        return len(self.residuals) - len(self.values)


def fit(cases: Sequence[Case], unknowns: Sequence[str] = UNKNOWNS) -> Fit:
    """Choose the unknowns. Errors: ScenarioError where the cases cannot tell them apart."""
    for case in cases:
        _check(case, unknowns)
    scaled = [_with_cost(case) for case in cases]
    points = [(k, q) for k, case in enumerate(scaled) for q in QUANTITIES if q in case.observed]
    if len(points) < len(unknowns):
        raise ScenarioError(
            f"calibrate: found {len(points)} quantities for {len(unknowns)} unknowns "
            f"({', '.join(unknowns)}), expected at least as many",
            f"each case can give {' and '.join(QUANTITIES)}",
        )
    found = _solve(scaled, points, unknowns)
    errors = _errors(scaled, points, unknowns, found)
    rows = []
    for place, (k, metric) in enumerate(points):
        case = scaled[k]
        observed = case.observed[metric]
        apart = _left_out(scaled, points, unknowns, place)
        value = observed * (1 + errors[place])
        rows.append(Residual(case.name, metric, observed, value, errors[place] * 100, apart))
    speeds = {case.name: float(case.scenario[SPEED]) for case in scaled}
    return Fit(dict(zip(unknowns, found.tolist(), strict=True)), speeds, tuple(rows))


def _check(case: Case, unknowns: Sequence[str]) -> None:
    for key in unknowns:
        case.scenario.knob(key)
    for metric, value in case.observed.items():
        if not value > 0 or not np.isfinite(value):
            raise ScenarioError(
                f"calibrate: {case.name}: {metric}: found {value}, expected a number above 0"
            )
    if case.scenario["driver.rate_per_s"] > 0 or case.scenario.get("driver.target_busy", 0) > 0:
        raise ScenarioError(
            f"calibrate: {case.name}: found an open or steered driver, expected clients who think",
            "client time can only be fitted where it is what sets the rate",
        )


def _with_cost(case: Case) -> Case:
    """Processors of the speed that makes the measured CPU per transaction."""
    observed = dict(case.observed)
    cost = observed.get("cpu_us_per_tran")
    if cost is None and {"cpu_busy_pct", "etr_per_s"} <= observed.keys():
        busy = observed["cpu_busy_pct"] / 100
        cost = case.scenario["cpu.gcps"] * busy * 1e6 / observed["etr_per_s"]
    if cost is None:
        return case
    scenario = case.scenario
    for _ in range(3):  # the growth of costs with utilisation makes it not quite proportional
        now = predicted(scenario).values["cpu_us_per_tran"]
        faster = scenario[SPEED] * float(now) / cost  # type: ignore[arg-type]
        scenario = scenario.with_settings({SPEED: faster})
    return replace(case, scenario=scenario)


Point = tuple[int, str]


def _solve(cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str]) -> Floats:
    start = np.array([max(float(cases[0].scenario[key]), 1e-3) for key in unknowns])
    high = [cases[0].scenario.knob(key).maximum or np.inf for key in unknowns]
    found = least_squares(
        lambda x: _errors(cases, points, unknowns, x),
        start,
        bounds=(np.zeros(len(start)), np.array(high)),
        x_scale=start,
        diff_step=1e-4,
        xtol=1e-8,
        ftol=1e-10,
        gtol=1e-10,
    )
    strengths = np.linalg.svd(found.jac * start, compute_uv=False)
    if strengths[-1] <= RANK * strengths[0]:
        raise ScenarioError(
            f"calibrate: the quantities do not tell {' and '.join(unknowns)} apart",
            "a further case at another load, or the response beside the rate, would",
        )
    return np.asarray(found.x)


def _errors(
    cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str], values: Floats
) -> Floats:
    """Relative error of each point."""
    settings = {key: float(value) for key, value in zip(unknowns, values, strict=True)}
    asked = sorted({k for k, _ in points})
    found = {k: predicted(cases[k].scenario.with_settings(settings)).values for k in asked}
    errors = []
    for k, metric in points:
        value = found[k][metric]
        error = float(value) / cases[k].observed[metric] - 1 if value is not None else WORST
        errors.append(error)
    return np.array(errors)


def _left_out(
    cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str], place: int
) -> float | None:
    """Error of one point in a fit to all others, in per cent; None where they are too few."""
    others = [point for k, point in enumerate(points) if k != place]
    if len(others) < len(unknowns):
        return None
    try:
        found = _solve(cases, others, unknowns)
    except ScenarioError:
        return None
    return float(_errors(cases, [points[place]], unknowns, found)[0]) * 100


def scenario_text(scenario: Scenario, found: Fit, source: str) -> str:
    """A scenario file that extends a built-in one with what was fitted, in its own words."""
    points = ", ".join(sorted({f"{one.case} {one.metric}".strip() for one in found.residuals}))
    values = dict(found.values)
    speeds = set(found.speeds.values())
    if len(speeds) == 1:
        values[SPEED] = speeds.pop()
    fitted = scenario.with_settings(values)
    knobs = {
        key: replace(knob, method="fitted", points=points, source=source, confidence="fitted")
        if key in values
        else knob
        for key, knob in fitted.knobs.items()
    }
    return replace(fitted, knobs=knobs, variants={}).to_toml()
