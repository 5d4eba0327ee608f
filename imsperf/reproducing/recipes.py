"""Recipes: how each row of the list of published systems (A01 to R24) is shown from records.

A recipe is a file recipes/ID.toml. It selects published figures (`figures`: words of their source,
`quantities`: patterns of their metrics), or it asks runs (`runs`) for rows (`checks`), or both.
`again` marks a selection of figures that belong to another row. A row without a file is open.

A check asks every run of the recipe, or those it names, with SQL over a report (`rows`) or over the
database: name and value in each row. It is of kind `shape` where it says no other. Rules:
  numbers   each value is the published one of that name, within `tolerance_pct`
  counts    the same, exactly
  order     the values of `names` fall from the first to the last
  present   there are rows of all `names`, and no value of theirs is NULL or 0
  spread    each value of `names` differs from run to run, by at most `tolerance_pct` of its mean
  same      each value of `names` is the same in all runs, within `tolerance_pct` of its mean
  equal     in each row (name, left, right) both sides agree within `tolerance_pct`

`together` is SQL over all runs of a check at once: over `answers` (run, name, value); without
`sql`, over `deltas`, the rows that `imsperf table` prints of the runs, the first of them the base
(runs a.1, a.2 are one column a); and over `cells` (system, source, quantity, published, ours) of
the figures that the recipe `considers`, with the macros ours, pct and ims15 (together.py);
`sql = ""` asks no run. A report `rmf.*` stands for all of its family: a row (report, rows) each.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from imsperf.errors import ScenarioError, near

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.publications import Figure

RULES = ("numbers", "counts", "order", "present", "spread", "same", "equal")
KINDS = ("predicted", "fitted", "input", "computed", "shape", "stated", "lost")
GROUPS = {
    "A": "Workloads", "B": "Methodology and metrics", "C": "Base release comparisons",
    "D": "Enhancements", "E": "Trace tables", "F": "100K TPS benchmark", "G": "CICS TS 3.1",
    "H": "COBOL with IMS", "R": "Reports and tools",
}  # fmt: skip
SECONDS = 10.0


@dataclass(frozen=True)
class System:
    """A row of the list: what the documents describe, and where."""

    id: str
    document: str
    system: str


@dataclass(frozen=True)
class Order:
    """A run to be made: `at` on top of the scenario, one in `sample` transactions logged.

    `seed`: of its random draws. `extract`: TYPES, or TYPES FROM TO: only what `imsperf extract`
    writes of its SMF dumps is loaded, with the run note.
    """

    scenario: str
    at: tuple[tuple[str, Any], ...] = ()
    seconds: float = SECONDS
    sample: int = 1
    types: str = ""
    seed: int = 1
    extract: str = ""

    @property
    def name(self) -> str:
        """NAME@VARIANT KEY=VALUE ..., and the seed where it is not 1."""
        seed = [f"seed {self.seed}"] if self.seed != 1 else []
        cut = [f"extract {self.extract}"] if self.extract else []
        return " ".join([self.scenario, *(f"{key}={value}" for key, value in self.at), *seed, *cut])


@dataclass(frozen=True)
class Check:
    """What the rows of a query must be."""

    rule: str
    sql: str
    quantity: str
    source: str
    kind: str = "shape"
    report: str = ""
    unit: str = ""
    runs: tuple[str, ...] = ()
    published: Mapping[str, float] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    tolerance_pct: float = 0.0
    note: str = ""
    together: str = ""

    @property
    def width(self) -> int:
        """Columns of a row: the run, a name, and a value or two."""
        return 4 if self.rule == "equal" else 3


@dataclass(frozen=True)
class Recipe:
    """How a row is shown; `reason` says why one cannot be (verdict not_reproducible)."""

    id: str
    figures: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ("*",)
    again: bool = False
    considers: tuple[str, ...] = ()
    runs: Mapping[str, Order] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    reason: str = ""

    def selects(self, figure: Figure) -> bool:
        """Whether a published figure is one of the row."""
        return not words_of(figure).isdisjoint(self.figures) and any(
            fnmatchcase(figure.metric, pattern) for pattern in self.quantities
        )

    def runs_of(self, check: Check) -> tuple[str, ...]:
        """Runs that a check asks: its own, else all; none where it looks at `cells` alone."""
        return check.runs or (tuple(self.runs) if check.sql else ())

    def asks(self, figure: Figure) -> bool:
        """Whether a published figure is one of the row, or one that a check of it looks at."""
        return self.selects(figure) or not words_of(figure).isdisjoint(self.considers)


def words_of(figure: Figure) -> set[str]:
    """Words of the source of a figure, its table among them."""
    return _words(figure.source)


@cache
def _words(source: str) -> set[str]:
    return set(source.replace(",", " ").split()[1:])


@cache
def systems() -> Mapping[str, System]:
    """All rows of the list, by id."""
    text = (files("imsperf.reproducing") / "systems.csv").read_text(encoding="utf-8")
    rows = (System(**row) for row in csv.DictReader(text.splitlines()))
    return {row.id: row for row in rows}


@cache
def recipes() -> Mapping[str, Recipe]:
    """Those rows that have a recipe, by id. Errors: ScenarioError for a file that is wrong."""
    folder = files("imsperf.reproducing") / "recipes"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name[:-5]: _read(name, (folder / name).read_text(encoding="utf-8")) for name in names}


def row_of(figure: Figure) -> str:
    """The row that a published figure belongs to; empty where no recipe selects it."""
    mine = (r.id for r in recipes().values() if not r.again and r.selects(figure))
    return next(mine, "")


def known(asked: Iterable[str], more: Iterable[str]) -> None:
    """Raise ScenarioError for a label that is no row and none of `more`; the nearest is named."""
    labels = {*systems(), *more}
    for label in asked:
        if label not in labels:
            raise ScenarioError(
                f"found no published system {label!r}",
                near(label, labels) or "rows are A01 to R24; imsperf scenarios lists the others",
            )


RECIPE = {"figures", "quantities", "again", "considers", "runs", "checks", "reason"}
RUN = {"scenario", "set", "seconds", "sample", "types", "seed", "extract"}
CHECK = set(Check.__dataclass_fields__)
TUPLES = {"names", "runs"}
TABLE = "SELECT system, metric, label, unit, better, value, place FROM rows"  # of a release table


def _read(name: str, text: str) -> Recipe:
    """A recipe from its file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{name}: {error}") from None
    if name[:-5] not in systems():
        raise ScenarioError(f"{name}: no such row in the list", near(name[:-5], systems()))
    _only(data, RECIPE, name)
    runs = {key: _order(run, f"{name}: run {key}") for key, run in data.get("runs", {}).items()}
    checks = tuple(_check(check, runs, name) for check in data.get("checks", ()))
    if not data.get("figures") and not checks and not data.get("reason"):
        raise ScenarioError(f"{name}: found neither figures nor checks nor a reason")
    return Recipe(
        name[:-5],
        tuple(data.get("figures", ())),
        tuple(data.get("quantities", ("*",))),
        data.get("again", False),
        tuple(data.get("considers", ())),
        runs,
        checks,
        data.get("reason", ""),
    )


def _order(run: Mapping[str, Any], where: str) -> Order:
    from imsperf.synthetic.scenarios.scenario import load

    _only(run, RUN, where)
    if "scenario" not in run:
        raise ScenarioError(f"{where}: found no scenario")
    at = tuple(run.get("set", {}).items())
    try:
        load(run["scenario"], dict(at))
    except ScenarioError as error:
        raise ScenarioError(f"{where}: {error.message}", error.hint) from None
    given = {key: run[key] for key in RUN - {"scenario", "set"} if key in run}
    return Order(run["scenario"], at, **given)


def _check(check: dict[str, Any], runs: Mapping[str, Order], name: str) -> Check:
    where = f"{name}: check {check.get('quantity', '')!r}"
    _only(check, CHECK, where)
    if "together" in check and "sql" not in check:
        check = check | {"report": "run.metrics", "sql": TABLE}
    check = {"kind": "shape"} | check
    for part in ("rule", "sql", "quantity", "source"):
        if part not in check:
            raise ScenarioError(f"{where}: found no {part}")
    for part, words in (("rule", RULES), ("kind", KINDS)):
        if check[part] not in words:
            raise ScenarioError(f"{where}: found {part} {check[part]!r}", near(check[part], words))
    for run in check.get("runs", ()):
        if run not in runs:
            raise ScenarioError(f"{where}: found no run {run!r}", near(run, runs))
    given: dict[str, Any] = {k: tuple(v) if k in TUPLES else v for k, v in check.items()}
    return Check(**given)


def _only(data: Mapping[str, Any], keys: set[str], where: str) -> None:
    for key in data:
        if key not in keys:
            raise ScenarioError(f"{where}: found an unknown key {key!r}", near(key, keys))
