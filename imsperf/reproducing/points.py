"""Published numbers against ours: each point generated, written, loaded, reported, compared.

A point is a scenario with the settings under which a paper printed numbers. Its marks (input,
fitted, predicted, unexplained) are those of NAME.published.toml; ours is read from reports only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from imsperf.errors import ScenarioError, near
from imsperf.measured import MeasuredValue, Values, read_values
from imsperf.reproducing.judging import Cell, baseline

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.publications import Figure
    from imsperf.synthetic.scenarios.scenario import Scenario

TRANSACTIONS = 250_000  # simulated at each point
SHORTEST_S, LONGEST_S = 10, 120  # of a run; the papers measured 120 s
BATCH_S = 340  # the batch program ends in the last interval
LOGGED = 5_000  # transactions of a run in its log
LOGGED_OF_TWO = 40_000  # of two systems, each with a response of its own
SEED = 1
# Types that are loaded. 30 is left out: it cuts CPU to 10 ms, so its classes in 72.3 are exacter.
TYPES = (
    "smf:70,smf:72,smf:74.1,smf:78.2,smf:88,ims:01,ims:03,ims:06,ims:07,ims:08,ims:31,ims:33,"
    "ims:35,ims:36,ims:37,ims:45,ims:56,ims:59,ims:a0"
)
BATCH = "smf:30"  # what programs without transactions are read from

TIMES = re.compile(r"(response|write|io|cmr|pend)_ms(_ims\d)?$")
STORAGE = re.compile(r"_(kb|mb)(_ims\d)?$")
CPU_SPLIT = re.compile(r"^(?!cpu_us)\w+_us_per_tran")
LOG_WRITE = re.compile(r"^(wads|olds)_write_ms$")
LOGGER, TPIPE = 10.0, 12.0  # per cent: log writes of logger-mm, all cells of otma-tpipe
PREDICTED, PREDICTED_TIME = 5.0, 10.0  # per cent; the bars of the model
GIVEN, GIVEN_TIME = 2.0, 5.0  # per cent, of inputs and fitted cells

# Rows of the list of published systems, by table: rate and response, CPU by group, storage.
ROWS: Mapping[str, tuple[str, str, str]] = {
    "T18": ("C01", "C02", "C03"), "T19": ("C05", "C06", "C07"), "T20": ("C08", "C09", "C11"),
    "T21": ("C10", "C10", "C11"), "T23": ("C13", "C13", "C13"), "T24": ("C14", "C14", "C14"),
    "T25": ("C15", "C15", "C15"), "T26": ("C17", "C17", "C17"), "T27": ("C18", "C18", "C18"),
    "T28": ("C19", "C19", "C19"), "T29": ("C20", "C20", "C20"), "T30": ("D03", "D03", "D03"),
    "T31": ("D04", "D04", "D04"), "T32": ("D09", "D09", "D09"), "T33": ("D11", "D12", "D11"),
    "T35": ("D15", "D16", "D15"), "T36": ("D20", "D20", "D20"), "T37": ("D21", "D23", "D24"),
    "T38": ("D21", "D23", "D24"), "T39": ("D21", "D23", "D24"), "T3": ("E02", "E02", "E02"),
    "T4": ("E03", "E03", "E03"), "T5": ("E04", "E04", "E04"), "T6": ("E05", "E05", "E05"),
    "7.2": ("D01", "D01", "D01"), "summary:": ("F01", "F01", "F01"), "DYNP": ("F16", "F16", "F16"),
    "XCF;": ("F08", "F08", "F08"), "syncpoint:": ("F13", "F13", "F13"),
    "pool": ("F15", "F15", "F15"), "DASD:": ("F18", "F18", "F18"), "AWE:": ("F14", "F14", "F14"),
    "introduction:": ("F01", "F01", "F01"),
}  # fmt: skip


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


def points(wanted: Iterable[str] = ()) -> list[Point]:
    """All points, or those of scenarios, variants or rows of the list of systems.

    Raises ScenarioError for a name that is none of them.
    """
    from imsperf.synthetic.scenarios.publications import figures
    from imsperf.synthetic.scenarios.scenario import names

    figures_of: dict[tuple[str, tuple[tuple[str, Any], ...]], list[Figure]] = {}
    for name in names():
        for figure in figures(name):
            figures_of.setdefault((figure.full_name, tuple(figure.at.items())), []).append(figure)
    every = [Point(name, at, tuple(some)) for (name, at), some in figures_of.items()]
    asked = list(wanted)
    known = {label for point in every for label in _labels(point)}
    for label in asked:
        if label not in known:
            raise ScenarioError(f"found no published system {label!r}", near(label, known))
    return [point for point in every if not asked or _labels(point) & set(asked)]


TPIPES = "otma-tpipe"


def _labels(point: Point) -> set[str]:
    """Names that a point answers to. D17, response times rate, is of all points of T35; D18, the
    queue at a limit, of those that have one."""
    rows = {row_of(figure) for figure in point.figures}
    if point.scenario == TPIPES:
        rows |= {"D17"} | ({"D18"} if dict(point.at).get("otma.limitrtp") else set())
    return {point.scenario, point.scenario.partition("@")[0], point.name, *rows}


def row_of(figure: Figure) -> str:
    """The row of the list of published systems (A01 to R24) that a printed number belongs to."""
    words = figure.source.replace(",", " ").split()[1:]
    places = next((ROWS[word] for word in words if word in ROWS), ("", "", ""))
    if STORAGE.search(figure.metric):
        return places[2]
    if figure.metric == "ical_response_ms":
        return "D14"
    if figure.scenario == TPIPES and figure.metric == "itr_per_s":
        return "D16"
    if figure.metric == "ims_response_ms" and places[0] == "D21":
        return "D22"
    return places[1] if CPU_SPLIT.match(figure.metric) else places[0]


def tolerance(figure: Figure) -> float:
    """Largest error that is met, per cent."""
    timed = bool(TIMES.search(figure.metric))
    if figure.scenario == "otma-tpipe":
        return TPIPE
    if figure.scenario == "logger-mm" and LOG_WRITE.match(figure.metric):
        return LOGGER
    if figure.kind == "predicted":
        return PREDICTED_TIME if timed else PREDICTED
    return GIVEN_TIME if timed else GIVEN


def reproduce(
    wanted: Iterable[str] = (),
    out: Path | None = None,
    told: Callable[[str], None] = lambda name: None,
) -> Iterator[Cell]:
    """Run each point and set its published numbers beside ours. `out` keeps dumps and databases.

    `told` gets the name of each point when its turn comes.
    """
    with TemporaryDirectory(prefix="imsperf-") as temporary:
        runs = Runs(out or Path(temporary))
        for point in points(wanted):
            told(point.name)
            yield from _cells(point, runs)


def _cells(point: Point, runs: Runs) -> Iterator[Cell]:
    from imsperf.synthetic.predict import predict
    from imsperf.synthetic.scenarios.scenario import load

    scenario = load(point.scenario, dict(point.at))
    model = {row["metric"]: row for row in predict(scenario)}
    rate = model["etr_per_s"]["value"] if "etr_per_s" in model else None
    try:
        values, why = _measured(point, scenario, rate, runs), ""
    except ScenarioError as error:
        values, why = Values({}), f"no records: {error}"
    for figure in point.figures:
        unit, value = str(model[figure.metric]["unit"]), model[figure.metric]["value"]
        missing = values.get(figure.metric)[0] is None
        note = f"{why or 'no record holds it'}; the model alone says {value:.6g}" if missing else ""
        yield beside(figure, point, values.get(figure.metric), unit, note)


def beside(figure: Figure, point: Point, measured: MeasuredValue, unit: str, note: str) -> Cell:
    """A published number beside what a report says of the run, and what a guess would have said."""
    ours, source = measured
    error = None if ours is None else _error(figure, point, ours)
    bar = tolerance(figure)
    verdict = "not_reproducible"
    if ours is not None and figure.kind != "unexplained":
        verdict = "met" if error is not None and abs(error) <= bar else "missed"
    guess = baseline(figure) if figure.kind == "predicted" else None
    return Cell(
        row_of(figure), point.name, figure.metric, unit, figure.value, ours, error, bar,
        figure.kind, verdict, source, note or figure.note, figure.identity,
        None if guess is None else _error(figure, point, guess.value),
    )  # fmt: skip


def _error(figure: Figure, point: Point, ours: float) -> float | None:
    """Per cent of what is printed; of a difference, which is per cent already, the points."""
    if figure.metric in COMPARED.get(point.scenario, {}):
        return ours - figure.value
    if not figure.value:
        return None if ours else 0.0
    return (ours / figure.value - 1) * 100


def _measured(point: Point, scenario: Scenario, rate: float | None, runs: Runs) -> Values:
    """What the reports of a run say, and what they say beside the run it is compared with."""
    from imsperf.synthetic.scenarios.scenario import load

    compared = COMPARED.get(point.scenario, {})
    wanted = {figure.metric for figure in point.figures} | {of for _, of, _ in compared.values()}
    values = runs.of(point.name, scenario, rate, wanted)
    for metric, (other, of, sign) in compared.items():
        values = values.against(metric, runs.of(other, load(other), rate, {of}), of, sign)
    return values


class Runs:
    """Runs made so far, by name: each once."""

    def __init__(self, folder: Path) -> None:
        """`folder`: where dumps and databases go."""
        self.folder = folder
        self.made: dict[str, Values] = {}

    def of(self, name: str, scenario: Scenario, rate: float | None, wanted: set[str]) -> Values:
        """The values of a run. Errors: ScenarioError."""
        if name not in self.made:
            folder = self.folder / re.sub(r"[^\w.-]+", "_", name)
            self.made[name] = run_point(scenario, folder, rate, wanted)
        return self.made[name]


# A metric that is a difference: against which run, of which metric, and which of the two is 100 %.
COMPARED: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "tps-100k@rb8-before": {
        "pool_search_pct": ("tps-100k@rb8-after", "cpu_us_per_tran", "saved"),
    },
    "managed-acb@best": {"acb_itr_change_pct": ("managed-acb@off", "itr_per_s", "gained")},
    "managed-acb@worst": {"acb_itr_change_pct": ("managed-acb@off", "itr_per_s", "gained")},
}


def run_point(scenario: Scenario, folder: Path, rate: float | None, wanted: set[str]) -> Values:
    """Generate, load and read one point. Errors: ScenarioError where it writes no records.

    `rate`, transactions a second, chooses the length of the run; None: it has no transactions.
    """
    from imsperf import api
    from imsperf.synthetic.generate import generate

    options: dict[str, Any] = {"seconds": BATCH_S, "sample_k": 1}
    if rate:
        least = LONGEST_S if "offloads" in wanted else SHORTEST_S
        seconds = min(max(round(TRANSACTIONS / rate), least), LONGEST_S)
        logged = LOGGED_OF_TWO if any(metric.endswith("_ims2") for metric in wanted) else LOGGED
        sample = max(round(rate * seconds / logged), 1)
        options = {"seconds": seconds, "sample_k": sample}
    generate(scenario, folder / "run", seed=SEED, **options)
    db = folder / "run.duckdb"
    db.unlink(missing_ok=True)
    api.load([folder / "run"], db, strict=True, types=TYPES if rate else f"{TYPES},{BATCH}")
    with api.connect(db) as store:
        return read_values(store, wanted)
