"""Published numbers against ours: each point generated, written, loaded, reported, compared.

A point is a scenario with the settings under which a paper printed numbers. Its marks (input,
fitted, predicted, unexplained) are those of NAME.published.toml; ours is read from reports only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imsperf.measured.metrics import MeasuredValue, Values
from imsperf.reproducing.answers import Answers, Question, code, read_answers, write_answers
from imsperf.reproducing.judging import Cell, baseline
from imsperf.reproducing.recipes import Order, row_of

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.publications import Figure

TRANSACTIONS = 250_000  # simulated at each point
SHORTEST_S, LONGEST_S = 10, 120  # of a run; the papers measured 120 s
OPEN = 100_000  # transactions of open arrivals, whose number spreads by its root
BATCH_S = 340  # the batch program ends in the last interval
LOGGED = 5_000  # transactions of a run in its log
LOGGED_OF_TWO = 40_000  # of two systems, each with a response of its own
# Types that are loaded. 30 is left out: it cuts CPU to 10 ms, so its classes in 72.3 are exacter.
TYPES = (
    "smf:70,smf:72,smf:74.1,smf:78.2,smf:88,ims:01,ims:03,ims:06,ims:07,ims:08,ims:31,ims:33,"
    "ims:35,ims:36,ims:37,ims:45,ims:56,ims:59,ims:a0,ims:a10c"
)
BATCH = "smf:30"  # what programs without transactions are read from

TIMES = re.compile(r"((response|write|io|cmr|pend)_ms(_ims\d)?|elapsed_s)$")
RATES = re.compile(r"^(etr_per_s|cpu_busy_pct|\w+_appl_pct)(_ims\d)?$")
STORAGE = re.compile(r"_(kb|mb)(_ims\d)?$")
LOG_WRITE = re.compile(r"^(wads|olds)_write_ms$")
LOGGER, TPIPE = 10.0, 12.0  # per cent: log writes of logger-mm, all cells of otma-tpipe
LISTED, LISTED_TIME = 2.0, 5.0  # per cent, of the list of published systems
PREDICTED, PREDICTED_TIME = 5.0, 10.0  # per cent; the bars of the model
GIVEN, GIVEN_TIME = 2.0, 5.0  # per cent, of inputs and fitted cells


@dataclass(frozen=True)
class Point:
    """One run: a scenario, settings on top of it, and what a paper printed for them."""

    scenario: str
    at: tuple[tuple[str, Any], ...]
    figures: tuple[Figure, ...]

    @property
    def name(self) -> str:
        """NAME@VARIANT KEY=VALUE ..."""
        return " ".join([self.scenario, *(f"{key}={value}" for key, value in self.at)])


def points() -> list[Point]:
    """All points that the papers have numbers for."""
    from imsperf.synthetic.scenarios.publications import figures
    from imsperf.synthetic.scenarios.scenario import names

    figures_of: dict[tuple[str, tuple[tuple[str, Any], ...]], list[Figure]] = {}
    for name in names():
        for figure in figures(name):
            figures_of.setdefault((figure.full_name, tuple(figure.at.items())), []).append(figure)
    return [Point(name, at, tuple(some)) for (name, at), some in figures_of.items()]


def tolerance(figure: Figure) -> float:
    """Largest error that is met, per cent: the bars of the list of published systems.

    Times 5 %, CPU, ITR and storage 2 %; it has none for rates and busy, which keep the model's.
    """
    if TIMES.search(figure.metric):
        return LISTED_TIME
    if RATES.search(figure.metric):
        return PREDICTED if figure.kind == "predicted" else GIVEN
    return LISTED


def model_bar(figure: Figure) -> float:
    """Largest error of a model that is as good as it claims, per cent."""
    timed = bool(TIMES.search(figure.metric))
    if figure.scenario == "otma-tpipe":
        return TPIPE
    if figure.scenario == "logger-mm" and LOG_WRITE.match(figure.metric):
        return LOGGER
    if figure.kind == "predicted":
        return PREDICTED_TIME if timed else PREDICTED
    return GIVEN_TIME if timed else GIVEN


@dataclass(frozen=True)
class Model:
    """What the solver says of a point: values and units by metric, and the rate."""

    values: Mapping[str, float]
    units: Mapping[str, str]

    @classmethod
    def of(cls, point: Point) -> Model:
        """Errors: ScenarioError."""
        from imsperf.synthetic.predict import predict
        from imsperf.synthetic.scenarios.scenario import load

        rows = {row["metric"]: row for row in predict(load(point.scenario, dict(point.at)))}
        known = {
            metric: row for metric, row in rows.items() if isinstance(row["value"], int | float)
        }
        return cls(
            {metric: row["value"] for metric, row in known.items()},
            {metric: str(row["unit"]) for metric, row in rows.items()},
        )


def models(wanted: Sequence[Point], kept: Path | None) -> dict[str, Model]:
    """What the solver says of points, by name; `kept`: folder of what it said with this code."""
    path = None if kept is None else kept / f"models-{code()[:32]}.json"
    before = {} if path is None else read_answers(path)
    known = {name: Model(*said) for name, said in before.items()}
    fresh = {point.name: Model.of(point) for point in wanted if point.name not in known}
    if path is not None and fresh:
        every = known | fresh
        write_answers(path, {name: [said.values, said.units] for name, said in every.items()})
    return known | fresh


# A metric that is a difference: against which run, of which metric, and which of the two is 100 %.
COMPARED: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "tps-100k@rb8-before": {
        "pool_search_pct": ("tps-100k@rb8-after", "cpu_us_per_tran", "saved"),
    },
    "managed-acb@best": {"acb_itr_change_pct": ("managed-acb@off", "itr_per_s", "gained")},
    "managed-acb@worst": {"acb_itr_change_pct": ("managed-acb@off", "itr_per_s", "gained")},
}


def questions(point: Point, model: Model) -> dict[Order, Question]:
    """The run of a point and the metrics asked of it; the runs it is compared with."""
    compared = COMPARED.get(point.scenario, {})
    wanted = {figure.metric for figure in point.figures} | {of for _, of, _ in compared.values()}
    rate = model.values.get("etr_per_s")
    asked = {_order(point.scenario, point.at, rate, wanted): _metrics(wanted)}
    for other, of, _ in compared.values():
        asked[_order(other, (), rate, {of})] = _metrics({of})
    return asked


def _metrics(wanted: set[str]) -> Question:
    return Question("", "", tuple(sorted(wanted)))


def _order(
    scenario: str, at: tuple[tuple[str, Any], ...], rate: float | None, wanted: set[str]
) -> Order:
    """`rate`, transactions a second, chooses the length of the run; None: it has none."""
    if not rate:
        return Order(scenario, at, BATCH_S, 1, f"{TYPES},{BATCH}")
    least = LONGEST_S if "offloads" in wanted else SHORTEST_S
    seconds = min(max(round(TRANSACTIONS / rate), least), LONGEST_S)
    if "driver.rate_per_s" in dict(at):
        seconds = max(seconds, round(OPEN / rate))
    logged = LOGGED_OF_TWO if any(metric.endswith("_ims2") for metric in wanted) else LOGGED
    return Order(scenario, at, seconds, max(round(rate * seconds / logged), 1), TYPES)


def cells_of(point: Point, model: Model, got: Mapping[Order, Answers]) -> Iterator[Cell]:
    """The published numbers of a point beside the answers of its runs."""
    (order, question), *others = questions(point, model).items()
    answer = got[order][question.key]
    why = f"no records: {answer['error']}" if "error" in answer else ""
    values = Values({} if why else {metric: (v, source) for metric, (v, source) in answer.items()})
    for metric, (_, of, sign) in () if why else COMPARED.get(point.scenario, {}).items():
        other, asked = others[0]
        theirs = got[other][asked.key]
        values = values.against(metric, Values({of: tuple(theirs[of])}), of, sign)
    for figure in point.figures:
        note = ""
        if values.get(figure.metric)[0] is None:
            said = model.values[figure.metric]
            note = f"{why or 'no record holds it'}; the model alone says {said:.6g}"
        unit = model.units[figure.metric]
        yield beside(figure, point, values.get(figure.metric), unit, note)


def beside(figure: Figure, point: Point, measured: MeasuredValue, unit: str, note: str) -> Cell:
    """A published number beside what a report says of the run, and what a guess would have said."""
    ours, source = measured
    error = None if ours is None else _error(figure, point, ours)
    bar, own_bar = tolerance(figure), model_bar(figure)
    verdict, notes = "not_reproducible", [note or figure.note]
    if ours is not None and figure.kind != "unexplained":
        verdict = "met" if error is not None and abs(error) <= bar else "missed"
        if error is not None and bar < abs(error) <= own_bar:
            notes.append(f"within the {own_bar:g} % of the model")
    guess = baseline(figure) if figure.kind == "predicted" else None
    return Cell(
        row_of(figure), point.name, figure.metric, unit, figure.value, ours, error, bar,
        figure.kind, verdict, source, "; ".join(filter(None, notes)), figure.identity,
        None if guess is None else _error(figure, point, guess.value),
    )  # fmt: skip


def _error(figure: Figure, point: Point, ours: float) -> float | None:
    """Per cent of what is printed; of a difference, which is per cent already, the points."""
    if figure.metric in COMPARED.get(point.scenario, {}):
        return ours - figure.value
    if not figure.value:
        return None if ours else 0.0
    return (ours / figure.value - 1) * 100
