"""Rows of the list of published systems: their recipes run, their cells judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imsperf.errors import ScenarioError
from imsperf.reproducing.answers import Answer, Answers, Question, answers
from imsperf.reproducing.judging import Cell
from imsperf.reproducing.points import Point, cells_of, models, points, questions
from imsperf.reproducing.recipes import Check, Order, Recipe, known, recipes, systems
from imsperf.reproducing.together import together

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.publications import Figure

Got = Mapping[Order, Answers]
Result = tuple[str, Any]  # run and name of a row, its value


def reproduce(
    wanted: Iterable[str] = (),
    kept: Path | None = None,
    out: Path | None = None,
    processes: int = 1,
    told: Callable[[str], None] = lambda name: None,
) -> list[Cell]:
    """Cells of the rows asked for, all of them without a name, by id; a row without recipe is open.

    A name is a row (C01), a scenario, one with a variant, or a point. Errors: ImsperfError.
    """
    return Plan(wanted, kept).run(kept, out, processes, told)


class Plan:
    """Which points and recipes are wanted, and what their runs are asked."""

    def __init__(self, wanted: Iterable[str], kept: Path | None = None) -> None:
        """`kept`: folder of earlier answers. Errors: ScenarioError for a name that is none."""
        names, every = set(wanted), points()
        known(names, {label for point in every for label in _labels(point)})
        rows = {id for id in systems() if not names or id in names}
        self.open = sorted(rows - recipes().keys())
        self.recipes = [recipes()[id] for id in sorted(rows & recipes().keys())]
        chosen = {id: _selected(recipes()[id], every) for id in rows & recipes().keys()}
        self.points = [
            point
            for point in every
            if _labels(point) & names or any(point in some for some in chosen.values())
        ]
        self.models = models(self.points, kept)
        self.whole = {point.name for point in every if not names or _labels(point) & names}

    def run(
        self,
        kept: Path | None,
        out: Path | None,
        processes: int,
        told: Callable[[str], None],
    ) -> list[Cell]:
        """All cells, by row of the list. Errors: ImsperfError."""
        got = answers(self.asked(), kept, out, processes, told)
        return sorted(self.cells(got), key=lambda cell: cell.id)

    def asked(self) -> dict[Order, list[Question]]:
        """Questions of each run; the same question once."""
        asked: dict[Order, list[Question]] = {}
        pairs = [pair for p in self.points for pair in questions(p, self.models[p.name]).items()]
        for recipe in self.recipes:
            pairs += [
                (recipe.runs[run], Question(check.report, check.sql))
                for check in recipe.checks
                for run in recipe.runs_of(check)
            ]
        for order, question in pairs:
            if question not in asked.setdefault(order, []):
                asked[order].append(question)
        return asked

    def cells(self, got: Got) -> Iterator[Cell]:
        """All cells, in no order."""
        rows = {recipe.id for recipe in self.recipes}
        printed: list[tuple[Figure, Cell]] = []
        for point in self.points:
            cells = list(cells_of(point, self.models[point.name], got))
            printed += zip(point.figures, cells, strict=True)
            for mine in (one for cell in cells for one in in_each_row(cell, point)):
                if mine.id in rows or (mine in cells and point.name in self.whole):
                    yield mine
        for recipe in self.recipes:
            asked = [(figure, cell) for figure, cell in printed if recipe.asks(figure)]
            for check in recipe.checks:
                yield from checked(recipe, check, got, asked)
            if recipe.reason:
                yield _empty(recipe.id, "lost", "not_reproducible", recipe.reason)
        yield from map(opened, self.open)


def in_each_row(cell: Cell, point: Point) -> Iterator[Cell]:
    """A cell in the row it belongs to, and in those that look at it again."""
    yield cell
    for recipe in recipes().values():
        same = (figure for figure in point.figures if figure.metric == cell.quantity)
        if recipe.again and any(map(recipe.selects, same)):
            yield replace(cell, id=recipe.id)


def opened(id: str) -> Cell:
    """The cell of a row that nothing shows yet."""
    return _empty(id, "", "open", systems()[id].system)


def _labels(point: Point) -> set[str]:
    return {point.scenario, point.scenario.partition("@")[0], point.name}


def _selected(recipe: Recipe, every: Sequence[Point]) -> list[Point]:
    return [point for point in every if any(recipe.asks(f) for f in point.figures)]


def _empty(id: str, kind: str, verdict: str, note: str) -> Cell:
    return Cell(id, "", "", "", None, None, None, None, kind, verdict, "", note)


def checked(
    recipe: Recipe, check: Check, got: Got, printed: Sequence[tuple[Figure, Cell]] = ()
) -> Iterator[Cell]:
    """A cell for each published number of a check, or one for all of its rows.

    `printed`: published figures that the recipe asks for, with their cells.

    Errors: ScenarioError where the rows are not such as the rule needs.
    """
    given: dict[str, Answer] = {
        run: got[recipe.runs[run]][Question(check.report, check.sql).key]
        for run in recipe.runs_of(check)
    }
    systems = ", ".join(recipe.runs[run].name for run in given) or " ".join(recipe.considers)
    first = Cell(
        recipe.id, systems, check.quantity, check.unit, None, None, None, check.tolerance_pct,
        check.kind, "missed", check.report or "query", f"{check.source}; {check.note}".rstrip("; "),
    )  # fmt: skip
    failed = [answer["error"] for answer in given.values() if isinstance(answer, dict)]
    if failed:
        yield replace(first, note=failed[0])
        return
    if check.together:
        rows = together(check, given, printed)
    else:
        rows = [(run, *row) for run, answer in given.items() for row in answer]
    if any(len(row) != check.width for row in rows):
        raise ScenarioError(f"{recipe.id}: {check.quantity}: found rows of another width")
    for cell in RULES[check.rule](first, check, rows):
        stands = check.kind == "stated" and cell.verdict == "met"  # in run.toml, in no record
        yield replace(cell, verdict="stated") if stands else cell


def _numbers(first: Cell, check: Check, rows: list[Any]) -> Iterator[Cell]:
    values = {name: value for _, name, value in rows}
    for name, published in check.published.items():
        ours = values.get(name)
        cell = replace(first, quantity=f"{check.quantity} {name}", published=published, ours=ours)
        if ours is None:
            yield replace(cell, note=f"no row has {name!r}; {first.note}")
            continue
        error = (ours / published - 1) * 100 if published else (0.0 if not ours else None)
        met = error is not None and abs(error) <= check.tolerance_pct
        yield replace(cell, error_pct=error, verdict="met" if met else "missed")


def _order(first: Cell, check: Check, rows: list[Any]) -> Iterator[Cell]:
    values = {name: value for _, name, value in rows} | {run: value for run, _, value in rows}
    told = [values.get(name) for name in check.names]
    here = [value for value in told if value is not None]
    falling = all(a > b for a, b in pairwise(here))
    words = ", ".join(f"{name} {_short(v)}" for name, v in zip(check.names, told, strict=True))
    met = falling and len(here) == len(told)
    yield _held(first, met, words)


def _present(first: Cell, check: Check, rows: list[Any]) -> Iterator[Cell]:
    values = {name: value for _, name, value in rows}
    absent = [name for name in check.names if not values.get(name)]
    words = f"absent: {', '.join(absent)}" if absent else f"{len(check.names)} there"
    yield _held(first, bool(values) and not absent, words)


def _spread(first: Cell, check: Check, rows: list[Any]) -> Iterator[Cell]:
    for name in check.names:
        values = [value for _, other, value in rows if other == name]
        known = len(values) > 1 and all(values)
        mean = sum(values) / len(values) if known else 0.0
        widest = (max(values) - min(values)) / mean * 100 if known else None
        met = widest is not None and widest <= check.tolerance_pct
        met = met and (widest != 0 or check.rule == "same")
        words = ", ".join(map(_short, values))
        cell = _held(first, met, words)
        yield replace(cell, quantity=f"{first.quantity} {name}", error_pct=widest)


def _equal(first: Cell, check: Check, rows: list[Any]) -> Iterator[Cell]:
    worst = 0.0 if rows else None
    for _, _, left, right in rows:
        if left is None or right is None or (not right and left):
            worst = None
            break
        if right:
            worst = max(worst or 0.0, abs(left / right - 1) * 100)
    met = worst is not None and worst <= check.tolerance_pct
    yield replace(_held(first, met, f"{len(rows)} pairs"), error_pct=worst)


def _held(first: Cell, met: bool, words: str) -> Cell:
    """A shape has no number: 1 is wanted, 1 or 0 is there."""
    note = f"{words}; {first.note}"
    return replace(
        first, published=1.0, ours=float(met), verdict="met" if met else "missed", note=note
    )


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)


RULES: Mapping[str, Callable[[Cell, Check, list[Any]], Iterator[Cell]]] = {
    "numbers": _numbers, "counts": _numbers, "order": _order, "present": _present,
    "spread": _spread, "same": _spread, "equal": _equal,
}  # fmt: skip
