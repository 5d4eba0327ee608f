"""How a row of the list of published systems is shown, in words and commands."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from imsperf.errors import ScenarioError, near
from imsperf.measured.metrics import reports_of
from imsperf.reproducing.judging import free_parameters
from imsperf.reproducing.points import Model, points, questions
from imsperf.reproducing.recipes import Order, Recipe, recipes, systems

METHODS = "docs/model.md has the equations; published.md has all cells"


def explain(id: str) -> Iterator[str]:
    """Lines: where it is printed, runs, knobs, fitted values and their points, commands by hand.

    Errors: ScenarioError for a row that is not in the list.
    """
    if id not in systems():
        raise ScenarioError(f"found no row {id!r}", near(id, systems(), "rows are A01 to R24"))
    row, recipe = systems()[id], recipes().get(id)
    yield f"{id}  {row.system} (document {row.document})"
    if recipe is None:
        yield "open: no recipe shows it yet"
        return
    if recipe.reason:
        yield f"not reproducible: {recipe.reason}"
    runs = Runs()
    yield from _cells(recipe, runs)
    for check in recipe.checks:
        yield ""
        yield f"{check.quantity.rstrip(':,')}: {check.rule}, {check.kind}, from {check.source}"
        if check.published:
            told = ", ".join(f"{name} {value:g}" for name, value in check.published.items())
            yield f"  published: {told}; tolerance {check.tolerance_pct:g} %"
        if check.names:
            yield f"  names: {', '.join(check.names)}"
        yield f"  {f'rows of {check.report}: ' if check.report else 'query: '}{check.sql}"
        for run in recipe.runs_of(check):
            yield from runs.by_hand(recipe.runs[run], check.report, check.sql)


def _cells(recipe: Recipe, runs: Runs) -> Iterator[str]:
    """Published figures: points, fitted values, how each number follows."""
    chosen = {
        point.name: (point, [figure for figure in point.figures if recipe.selects(figure)])
        for point in points()
    }
    chosen = {name: pair for name, pair in chosen.items() if pair[1]}
    told = set[str]()
    for name in sorted({point.scenario.partition("@")[0] for point, _ in chosen.values()}):
        own, shared = free_parameters(name)
        mine = [f for p, some in chosen.values() for f in some if f.scenario == name]
        kinds = [figure.kind for figure in mine]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
        yield f"{name}: {len(mine)} cells ({counts}); {own} fitted numbers, {shared} shared ones"
        lines = list(_fitted(name))
        yield from (line for line in lines if line not in told)
        if again := len(told.intersection(lines)):
            yield f"  and {again} of those above"
        told |= set(lines)
        for identity in sorted({figure.identity for figure in mine if figure.identity}):
            yield f"  identity: {identity}"
        yield f"  all knobs: imsperf scenarios {name}"
    if chosen:
        yield METHODS
    for point, figures in chosen.values():
        order = next(iter(questions(point, Model.of(point))))
        printed = ", ".join(f"{f.metric} {f.value:g} ({f.kind})" for f in figures)
        yield f"  {point.name}: {printed}"
        for report in reports_of([figure.metric for figure in figures]):
            yield from runs.by_hand(order, report, "")


def _fitted(name: str) -> Iterator[str]:
    """Values that were chosen to meet a published number, and which."""
    from imsperf.synthetic.scenarios.scenario import load

    for knob in load(name).knobs.values():
        if knob.method == "fitted":
            yield f"  {knob.key} = {knob.value} {knob.unit}, fitted to {knob.points}"
    for variant in load(name).variants.values():
        for key, where in variant.fitted.items():
            yield f"  @{variant.name} {key} = {variant.settings[key]}, fitted to {where}"


class Runs:
    """Commands for runs, each made once."""

    def __init__(self) -> None:
        self.names: dict[Order, str] = {}

    def by_hand(self, order: Order, report: str, sql: str) -> Iterator[str]:
        """Make the run where it is new, and ask it."""
        if order not in self.names:
            self.names[order] = f"run{len(self.names) + 1}"
            yield from self._made(order, self.names[order])
        db = f"--db {self.names[order]}.duckdb"
        total = " --total" if report.startswith(("rmf.", "ims.")) else ""
        if report.endswith(".*"):
            yield f"    imsperf report {db}"
        elif report:
            yield f"    imsperf report {report} {db}{total}"
        else:
            yield f"    imsperf query {db} {quote(sql)}"

    def _made(self, order: Order, name: str) -> Iterator[str]:
        settings = "".join(f" --set {quote(f'{key}={value}')}" for key, value in order.at)
        types = f" --types {order.types}" if order.types else ""
        yield (
            f"    imsperf generate {order.scenario}{settings} --seconds {order.seconds:g} "
            f"--sample {order.sample} --seed {order.seed} --out {name}"
        )
        loaded = name
        if order.extract:
            chosen, *times = order.extract.split()
            between = "".join(f" {o} {t}" for o, t in zip(("--from", "--to"), times, strict=False))
            loaded = f"{name}.rdw"
            yield f"    imsperf extract {name}/*.smf.* -o {loaded} --types {chosen}{between}"
        yield f"    imsperf load {loaded} --db {name}.duckdb{types}"
