"""Fit what nobody prints: client time and the delay inside IMS, from measured rate and response.

Each case is a measurement: a scenario with its settings, and what was seen. CPU per transaction is
no unknown: where it was measured, the costs of the scenario are scaled to it, at the load that was
measured. The two unknowns are chosen by least squares over the relative errors of rates and
responses (model.md 4), in turn with the scale. Nothing else is fitted.
Two systems of a sysplex are one case: four unknowns, and the metrics of each by its suffix.
At a knee (solver/answer.py) the fit is repeated with the solver's figures in the proportion in
which short simulations at the values found so far have them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import brentq, least_squares

from imsperf.errors import ScenarioError
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.scenarios.toml_text import to_toml
from imsperf.synthetic.short_runs import answered
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.prediction import SIMULATED

CLIENT_TIME, DELAY = "driver.think_ms", "region.unexplained_ms"
UNKNOWNS = (CLIENT_TIME, DELAY)
UNKNOWNS_2 = ("driver.think_2_ms", "region.unexplained_2_ms")  # of the second system
ENDS = ("", "_ims1", "_ims2")  # of metrics: one system, or one of two
QUANTITIES = ("etr_per_s", "ims_response_ms")  # what a balance gives, to be met
COST = ("cpu_us_per_tran", "cpu_busy_pct")  # what the costs follow from
SPEED = "cpu.speed"
CLIENT_TIMES = (CLIENT_TIME, UNKNOWNS_2[0])
WEAK = 0.005  # relative change of all quantities by which an unknown must show when it doubles
SIMULATIONS = 3  # rounds of a fit at a knee
TURNS = 6  # of unknowns and the scale of costs
SETTLED = 1e-5  # change of the scale
WORST = 10.0  # relative error that stands for a model without an answer

LEAST_MS = 1e-3  # where a search begins
FAR = 0.25  # relative error of a best fit that says: not this system

Point = tuple[int, str]  # number of the case, metric


@dataclass(frozen=True)
class Case:
    """One measurement: what is known of the system, and what was seen of it.

    `simulated`: by metric what a simulation has over what the solver has, at a knee.
    """

    name: str
    scenario: Scenario
    observed: Mapping[str, float]
    simulated: Mapping[str, float] = field(default_factory=dict)


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
        """Quantities more than unknowns: 0 means that any two numbers would be met.

        CPU counts for nothing: each scale has its own.
        """
        known = [
            residual
            for residual in self.residuals
            if not residual.metric.startswith("cpu_us_per_tran")
        ]
        return len(known) - len(self.values)


def fit(cases: Sequence[Case], unknowns: Sequence[str] = ()) -> Fit:
    """Choose the unknowns; without any, those of the scenario.

    Errors: ScenarioError where no values meet what was measured, or many do.
    """
    unknowns = unknowns or unknowns_of(cases[0].scenario)
    for case in cases:
        _check(case, unknowns)
    wanted = [q + end for end in ENDS for q in QUANTITIES]
    points = [(k, q) for k, case in enumerate(cases) for q in wanted if q in case.observed]
    if len(points) < len(unknowns):
        raise ScenarioError(
            f"calibrate: found {len(points)} quantities for {len(unknowns)} unknowns "
            f"({', '.join(unknowns)}), expected at least as many",
            f"each case can give {' and '.join(QUANTITIES)}; missing: {_missing(cases)}",
        )
    scaled, fitted = _in_turn(cases, points, unknowns)
    for _ in range(SIMULATIONS):
        settings = dict(zip(unknowns, fitted.tolist(), strict=True))
        corrected = [_simulated(case, settings) for case in scaled]
        if not any(case.simulated for case in corrected):
            break
        scaled, fitted = _in_turn(corrected, points, unknowns)
    errors = _errors(scaled, points, unknowns, fitted)
    _check_met(scaled, points, errors)
    rows = []
    for place, (k, metric) in enumerate(points):
        case = scaled[k]
        observed = case.observed[metric]
        apart = _left_out(scaled, points, unknowns, place)
        value = observed * (1 + errors[place])
        rows.append(Residual(case.name, metric, observed, value, errors[place] * 100, apart))
    settings = dict(zip(unknowns, fitted.tolist(), strict=True))
    rows += [row for case in scaled for row in _cost_rows(case, settings)]
    speeds = {case.name: float(case.scenario[SPEED]) for case in scaled}
    return Fit(settings, speeds, tuple(rows))


def _simulated(case: Case, settings: Mapping[str, float]) -> Case:
    """The case with what a simulation has over the solver, where these values are at a knee."""
    scenario = case.scenario.with_settings(settings)
    plain = predicted(scenario)
    factors = {
        metric.name: float(str(metric.value)) / float(str(plain.values[metric.name]))
        for metric in answered(scenario, plain).metrics
        if metric.method == SIMULATED and metric.name.startswith(QUANTITIES)
    }
    return replace(case, simulated=factors)


def _missing(cases: Sequence[Case]) -> str:
    """What cases do not say, by their names."""
    missing = []
    for case in cases:
        ends = ENDS[1:] if case.scenario.family == "sysplex" else ENDS[:1]
        wanted = [q + end for end in ends for q in QUANTITIES]
        missing += [
            f"{case.name} {quantity}".strip()
            for quantity in wanted
            if quantity not in case.observed
        ]
    return ", ".join(missing) or "a further case at another load"


def _in_turn(
    cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str]
) -> tuple[list[Case], F64]:
    """Unknowns, then the scale of costs at the load they give, until it stays."""
    scaled = [with_cost(case) for case in cases]
    for case in scaled:
        check_reach(case.name, case.scenario, case.observed)
    values = _solve(scaled, points, unknowns)
    for _ in range(TURNS):
        settings = dict(zip(unknowns, values.tolist(), strict=True))
        before, scaled = scaled, [with_cost(case, settings) for case in scaled]
        pairs = zip(before, scaled, strict=True)
        if all(abs(b.scenario[SPEED] / a.scenario[SPEED] - 1) < SETTLED for a, b in pairs):
            break
        values = _solve(scaled, points, unknowns)
    return scaled, values


def _cost_rows(case: Case, settings: Mapping[str, float]) -> list[Residual]:
    """CPU per transaction as measured and as the fit has it."""
    costs = {end: us for end in ENDS if (us := _cost(case, end)) is not None}
    if not costs:
        return []
    values = predicted(case.scenario.with_settings(settings)).values
    rows = []
    for end, us in costs.items():
        metric = f"cpu_us_per_tran{end}"
        ours = float(values[metric])  # type: ignore[arg-type]
        rows.append(Residual(case.name, metric, us, ours, (ours / us - 1) * 100, None))
    return rows


def unknowns_of(scenario: Scenario) -> tuple[str, ...]:
    """Client time and delay of each system. Errors: ScenarioError where there are none."""
    if any(key not in scenario for key in UNKNOWNS):
        raise ScenarioError(
            f"calibrate: found scenario {scenario.name}, expected one of transactions whose "
            "clients think",
            "a batch program or a callout has neither client time nor that delay: set its own "
            f"knobs; `imsperf scenarios {scenario.name}` shows them",
        )
    return UNKNOWNS + UNKNOWNS_2 if scenario.family == "sysplex" else UNKNOWNS


def _check_met(cases: Sequence[Case], points: Sequence[Point], errors: F64) -> None:
    """Raise ScenarioError where the best fit is far from what was measured."""
    place = int(np.argmax(np.abs(errors)))
    k, metric = points[place]
    if abs(errors[place]) > FAR:
        seen = cases[k].observed[metric]
        raise ScenarioError(
            f"calibrate: {cases[k].name}: {metric}: found {seen:,.5g}, the best fit to all reaches "
            f"{seen * (1 + errors[place]):,.5g}",
            "the measurements are not those of one system with these settings: is it another "
            "workload, another number of clients, processors or regions?",
        )


def _check(case: Case, unknowns: Sequence[str]) -> None:
    for key in unknowns:
        case.scenario.knob(key)
    for metric, value in case.observed.items():
        if not value > 0 or not np.isfinite(value):
            raise ScenarioError(
                f"calibrate: {case.name}: {metric}: found {value}, expected a number above 0"
            )
    is_open = case.scenario["driver.rate_per_s"] > 0 and set(unknowns) & set(CLIENT_TIMES)
    if is_open or case.scenario.get("driver.target_busy", 0) > 0:
        raise ScenarioError(
            f"calibrate: {case.name}: found an open or steered driver, expected clients who think",
            "client time can only be fitted where it is what sets the rate",
        )


def with_cost(case: Case, settings: Mapping[str, float] = {}) -> Case:
    """Processors of the speed that makes the measured CPU per transaction, with these unknowns."""
    costs = {end: us for end in ENDS if (us := _cost(case, end)) is not None}
    if not costs:
        return case
    scenario = case.scenario
    for _ in range(3):  # the growth of costs with utilisation makes it not quite proportional
        values = predicted(scenario.with_settings(settings)).values
        now = [float(values[f"cpu_us_per_tran{end}"]) for end in costs]  # type: ignore[arg-type]
        faster = scenario[SPEED] * sum(now) / sum(costs.values())
        low, high = scenario.knob(SPEED).minimum or 0.0, scenario.knob(SPEED).maximum or np.inf
        if not low <= faster <= high:
            raise ScenarioError(
                f"calibrate: {case.name}: found {sum(costs.values()) / len(costs):,.5g} us of CPU "
                f"for each transaction, the scenario has {sum(now) / len(now):,.5g}",
                "that is another workload",
            )
        scenario = scenario.with_settings({SPEED: faster})
    return replace(case, scenario=scenario)


def _cost(case: Case, end: str) -> float | None:
    """Measured CPU per transaction of one system, us; None where it was not measured."""
    cost = case.observed.get(f"cpu_us_per_tran{end}")
    rate, busy = (case.observed.get(f"{metric}{end}") for metric in ("etr_per_s", "cpu_busy_pct"))
    if cost is None and busy is not None and rate is not None:
        return float(case.scenario["cpu.gcps"] * busy / 100 * 1e6 / rate)
    return cost


def _solve(cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str]) -> F64:
    starts = [_own(cases[0], unknowns), _by_law(cases[0], unknowns)]
    start = min(starts, key=lambda x: float(np.abs(_errors(cases, points, unknowns, x)).max()))
    high = [cases[0].scenario.knob(key).maximum or np.inf for key in unknowns]
    fitted = least_squares(
        lambda x: _errors(cases, points, unknowns, x),
        start,
        bounds=(np.zeros(len(start)), np.array(high)),
        x_scale=start,
        diff_step=1e-4,
        xtol=1e-8,
        ftol=1e-10,
        gtol=1e-10,
    )
    strengths = np.linalg.svd(fitted.jac * np.maximum(fitted.x, start), compute_uv=False)
    if strengths[-1] <= WEAK:
        _check_delays(cases, points, unknowns, fitted.x)
        raise ScenarioError(
            f"calibrate: the quantities do not tell {' and '.join(unknowns)} apart",
            "a further case at another load would; so would the response, where it is missing",
        )
    return np.asarray(fitted.x)


def _own(case: Case, unknowns: Sequence[str]) -> F64:
    """What the scenario has."""
    return np.array([max(float(case.scenario[key]), LEAST_MS) for key in unknowns])


def _by_law(case: Case, unknowns: Sequence[str]) -> F64:
    """Of a system whose response is half delay: clients think N / X - R (model.md, laws)."""
    laws = _own(case, unknowns)
    for place, key in enumerate(unknowns):
        end = ENDS[2] if key in UNKNOWNS_2 else ENDS[case.scenario.family == "sysplex"]
        rate, response = (case.observed.get(f"{quantity}{end}") for quantity in QUANTITIES)
        if rate is None or response is None:
            continue
        think = case.scenario["clients"] / rate * 1000 - response
        most = case.scenario.knob(key).maximum or np.inf
        value = response / 2 if key in (DELAY, UNKNOWNS_2[1]) else think
        laws[place] = min(max(value, LEAST_MS), most)
    return laws


def _check_delays(
    cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str], values: F64
) -> None:
    """Raise ScenarioError for a response no longer than that without any delay: none shows."""
    settings = dict(zip(unknowns, values.tolist(), strict=True))
    errors = _errors(cases, points, unknowns, values)
    for (k, metric), error in zip(points, errors, strict=True):
        seen = cases[k].observed[metric]
        delay = UNKNOWNS_2[1] if metric.endswith(ENDS[2]) else DELAY
        if metric.startswith(QUANTITIES[1]) and settings.get(delay, seen) < WEAK * seen:
            raise ScenarioError(
                f"calibrate: {cases[k].name}: {metric}: found {seen:,.5g}, expected more than "
                f"{seen * (1 + error):,.5g}: CPU, log and I/O take that without any {delay}",
                "no delay is left to fit: less CPU for each transaction, faster devices or fewer "
                "reads (dasd.io_per_access) would leave one; or the response was measured "
                "between other moments",
            )


def _errors(
    cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str], values: F64
) -> F64:
    """Relative error of each point."""
    settings = {key: float(value) for key, value in zip(unknowns, values, strict=True)}
    asked = sorted({k for k, _ in points})
    values_of = {k: predicted(cases[k].scenario.with_settings(settings)).values for k in asked}
    errors = []
    for k, metric in points:
        value = values_of[k][metric]
        factor = cases[k].simulated.get(metric, 1.0) / cases[k].observed[metric]
        errors.append(float(value) * factor - 1 if value is not None else WORST)
    return np.array(errors)


def _left_out(
    cases: Sequence[Case], points: Sequence[Point], unknowns: Sequence[str], place: int
) -> float | None:
    """Error of one point in a fit to all others, in per cent; None where they are too few."""
    others = [point for k, point in enumerate(points) if k != place]
    if len(others) < len(unknowns):
        return None
    try:
        values = _solve(cases, others, unknowns)
    except ScenarioError:
        return None
    return float(_errors(cases, [points[place]], unknowns, values)[0]) * 100


def scenario_text(scenario: Scenario, fit: Fit, source: str) -> str:
    """A scenario file that extends a built-in one with what was fitted, in its own words."""
    points = ", ".join(
        sorted({f"{residual.case} {residual.metric}".strip() for residual in fit.residuals})
    )
    values = dict(fit.values)
    speeds = set(fit.speeds.values())
    if len(speeds) == 1:
        values[SPEED] = speeds.pop()
    fitted = scenario.with_settings(values)
    knobs = {
        key: replace(knob, method="fitted", points=points, source=source, confidence="fitted")
        if key in values
        else knob
        for key, knob in fitted.knobs.items()
    }
    return to_toml(replace(fitted, knobs=knobs, variants={}))


# --- within reach ---------------------------------------------------------------------------------
#
# What a scenario can reach at all, whatever its client time and its delay in IMS are.
#
# A measured rate above what is left without both, or a response below that of CPU, log and I/O at
# the measured rate, is met by no fit: the number of processors or the workload is another one.

THINK = {"": "driver.think_ms", "_ims1": "driver.think_ms", "_ims2": "driver.think_2_ms"}
DELAYS = ("region.unexplained_ms", "region.unexplained_2_ms")
SLACK = 0.02  # a measurement may lie beyond the end by so much: noise
LONGEST_MS = 1e6

Observed = Mapping[str, float]


def check_reach(name: str, scenario: Scenario, observed: Observed) -> None:
    """Raise ScenarioError for a rate or response that no client time and delay give."""
    bare = scenario.with_settings({key: 0 for key in DELAYS if key in scenario})
    for end, think in THINK.items():
        rate, response = observed.get(f"etr_per_s{end}"), observed.get(f"ims_response_ms{end}")
        if rate is not None:
            _rate(name, bare, think, end, rate)
        if response is not None:
            _response(name, bare, think, end, rate, response)
        if rate is not None and response is not None and scenario["driver.rate_per_s"] == 0:
            _clients(name, scenario, rate, response)


def _at(bare: Scenario, think: str, think_ms: float) -> Mapping[str, object]:
    return predicted(bare.with_settings({think: think_ms})).values


def _rate(name: str, bare: Scenario, think: str, end: str, rate: float) -> None:
    rate_alone = _at(bare, think, 0.0)
    most = float(str(rate_alone[f"etr_per_s{end}"]))
    if rate > most * (1 + SLACK):
        raise ScenarioError(
            f"calibrate: {name}: etr_per_s{end}: found {rate:,.5g}, expected at most {most:,.5g}: "
            f"without client time and delay {rate_alone['bottleneck']} is full",
            "more clients, processors or regions, or less CPU for each transaction, reach it; "
            "or it is another workload",
        )


def _response(
    name: str, bare: Scenario, think: str, end: str, rate: float | None, response: float
) -> None:
    """Least at the rate, where that was measured, else of an idle system."""
    metric = f"ims_response_ms{end}"

    def excess(think_ms: float) -> float:
        return float(str(_at(bare, think, think_ms)[f"etr_per_s{end}"])) - (rate or 0.0)

    think_ms = longest = bare.knob(think).maximum or LONGEST_MS
    if rate is not None and excess(longest) < 0:
        think_ms = 0.0 if excess(0.0) <= 0 else float(brentq(excess, 0.0, longest, rtol=1e-4))
    least = float(str(_at(bare, think, think_ms)[metric]))
    if response < least * (1 - SLACK):
        raise ScenarioError(
            f"calibrate: {name}: {metric}: found {response:,.4g}, expected at least {least:,.4g}: "
            "CPU, log and I/O take that without any delay",
            "less CPU for each transaction, faster devices or fewer reads (dasd.io_per_access) "
            "shorten it; or it is another workload",
        )


def _clients(name: str, scenario: Scenario, rate: float, response: float) -> None:
    """Little: no more are inside than there are clients."""
    inside, clients = rate * response / 1000, scenario["clients"]
    if inside > clients * (1 + SLACK):
        raise ScenarioError(
            f"calibrate: {name}: found {rate:,.5g} a second for {response:,.4g} ms, {inside:,.0f} "
            f"at a time, expected at most the {clients:,} clients",
            "set clients, or give the time of a transaction in ms",
        )
