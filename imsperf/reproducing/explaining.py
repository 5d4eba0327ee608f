"""How a row of the list of published systems is shown, in words and commands."""

from __future__ import annotations

from collections.abc import Iterator

from imsperf.errors import ScenarioError, near
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
    yield from _cells(recipe)
    for check in recipe.checks:
        yield ""
        yield f"{check.quantity}: {check.rule}, {check.kind}, from {check.source}"
        if check.published:
            told = ", ".join(f"{name} {value:g}" for name, value in check.published.items())
            yield f"  published: {told}; tolerance {check.tolerance_pct:g} %"
        if check.names:
            yield f"  names: {', '.join(check.names)}"
        yield f"  {f'rows of {check.report}: ' if check.report else 'query: '}{check.sql}"
        for run in recipe.runs_of(check):
            yield from _by_hand(recipe.runs[run], check.report or None, check.sql)


def _cells(recipe: Recipe) -> Iterator[str]:
    """Published figures: points, fitted values, how each number follows."""
    from imsperf.synthetic.scenarios.scenario import load

    chosen = {
        point.name: (point, [figure for figure in point.figures if recipe.selects(figure)])
        for point in points()
    }
    chosen = {name: pair for name, pair in chosen.items() if pair[1]}
    for name in sorted({point.scenario.partition("@")[0] for point, _ in chosen.values()}):
        own, shared = free_parameters(name)
        mine = [f for p, some in chosen.values() for f in some if f.scenario == name]
        kinds = [figure.kind for figure in mine]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
        yield f"{name}: {len(mine)} cells ({counts}); {own} fitted numbers, {shared} shared ones"
        for knob in load(name).knobs.values():
            if knob.method == "fitted":
                yield f"  {knob.key} = {knob.value} {knob.unit}, fitted to {knob.points}"
        for variant in load(name).variants.values():
            for key, where in variant.fitted.items():
                value = variant.settings[key]
                yield f"  @{variant.name} {key} = {value}, fitted to {where}"
        for identity in sorted({figure.identity for figure in mine if figure.identity}):
            yield f"  identity: {identity}"
    if chosen:
        yield METHODS
    for point, _ in chosen.values():
        order = next(iter(questions(point, Model.of(point))))
        yield from _by_hand(order, "run.metrics", "")


def _by_hand(order: Order, report: str | None, sql: str) -> Iterator[str]:
    settings = "".join(f" --set {key}={value}" for key, value in order.at)
    types = f" --types {order.types}" if order.types else ""
    yield (
        f"    imsperf generate {order.scenario}{settings} --seconds {order.seconds:g} "
        f"--sample {order.sample} --seed {order.seed} --out run"
    )
    yield f"    imsperf load run --db run.duckdb{types}"
    asked = f"report {report} --db run.duckdb" if report else f'query --db run.duckdb "{sql}"'
    yield f"    imsperf {asked}"
