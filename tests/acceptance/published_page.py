"""docs/published.md from what `imsperf reproduce` writes.

imsperf reproduce -o all.csv && python tests published_page all.csv

Only `ours` is taken from the file; marks, errors and verdicts are judged anew.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from statistics import mean

from places import CHECKOUT

from imsperf.reproducing.judging import (
    Cell,
    better_than_baseline,
    beyond_a_guess,
    free_parameters,
    independent,
    row_verdicts,
    summary,
)
from imsperf.reproducing.points import Point, beside, points
from imsperf.reproducing.recipes import GROUPS, recipes, systems
from imsperf.reproducing.rows import in_each_row, opened

PAGE = CHECKOUT / "docs" / "published.md"
MARK = "<!-- below: written by tests/acceptance/published_page.py -->"
STORAGE = re.compile(r"_(kb|mb)(_ims\d)?$")
KINDS = ("input", "fitted", "predicted", "unexplained")


def scenario_of(cell: Cell) -> str:
    """Name without variant and settings."""
    return re.split("[@ ]", cell.system)[0]


def number(value: float | None, digits: int = 5) -> str:
    """Significant digits, or nothing."""
    return "" if value is None else f"{value:.{digits}g}"


def mark(cell: Cell) -> str:
    """The kind; of a predicted cell that follows from others that it does."""
    return "identity" if cell.identity else cell.kind


def summary_rows(cells: list[Cell]) -> Iterator[str]:
    """A line for each workload: free parameters, cells by mark, our errors and those of a guess."""
    heads = ["scenario", "free", "shared", *KINDS, "identity", "mean", "worst", "guess", "as good"]
    yield f"| {' | '.join([*heads, 'missed'])} |"
    yield "|---" * (len(heads) + 1) + "|"
    for name, some in groupby(sorted(cells, key=scenario_of), scenario_of):
        mine = list(some)
        counts = [sum(cell.kind == k for cell in mine) for k in KINDS]
        columns = [*free_parameters(name), *counts, sum(bool(cell.identity) for cell in mine)]
        missed = sum(cell.verdict == "missed" for cell in mine)
        yield f"| `{name}` | {' | '.join(map(str, columns))} | {errors(mine)} | {missed} |"


def errors(cells: list[Cell]) -> str:
    """Of independent predictions: mean and worst, mean of a guess, how often it is as good."""
    judged = independent(cells)
    if not judged:
        return "- | - | - | -"
    ours = [abs(cell.error_pct or 0) for cell in judged]
    guessed = [cell for cell in judged if cell.baseline_pct is not None]
    as_good = sum(not better_than_baseline(cell) for cell in guessed)
    guess = f"{mean(abs(cell.baseline_pct or 0) for cell in guessed):.1f}" if guessed else "-"
    return f"{mean(ours):.1f} | {max(ours):.1f} | {guess} | {as_good} of {len(judged)}"


def beyond(cells: list[Cell]) -> Iterator[str]:
    """Independent predictions where a guess would have been outside the bar."""
    yield "| point | quantity | published | ours, error % | guess, error % |"
    yield "|---|---|---|---|---|"
    for cell in independent(cells):
        if beyond_a_guess(cell):
            guess = "none" if cell.baseline_pct is None else f"{cell.baseline_pct:+.1f}"
            ours = f"{cell.error_pct:+.1f}" + (" **missed**" if cell.verdict == "missed" else "")
            yield f"| `{cell.system}` | {cell.quantity} | {cell.published} | {ours} | {guess} |"


def tables(cells: list[Cell]) -> Iterator[str]:
    """A section for each scenario: every cell, storage in one line for each point."""
    for name, some in groupby(cells, scenario_of):
        yield f"\n### {name}\n"
        yield "| point | quantity | published | ours | error % | mark | |"
        yield "|---|---|---|---|---|---|---|"
        for system, point in groupby(some, lambda cell: cell.system):
            yield from lines(system.removeprefix(name).strip() or "-", list(point))


def lines(place: str, cells: list[Cell]) -> Iterator[str]:
    """The cells of a point."""
    stored = [cell for cell in cells if STORAGE.search(cell.quantity)]
    for cell in cells:
        if cell in stored and cell.verdict == "met":
            continue
        error = "" if cell.error_pct is None else f"{cell.error_pct:+.2f}"
        verdict = {"met": "", "missed": "**missed**"}.get(cell.verdict, "")
        if cell.ours is None:
            verdict = cell.note.partition(";")[0]
        columns = f"{cell.published} | {number(cell.ours)} | {error} | {mark(cell)} | {verdict}"
        yield f"| {place} | {cell.quantity} | {columns} |"
    met = [cell for cell in stored if cell.verdict == "met"]
    if met:
        worst = max(abs(cell.error_pct or 0) for cell in met)
        yield f"| {place} | {len(met)} storage cells | | | {worst:.2f} at most | input | |"


def rows_table(cells: list[Cell]) -> Iterator[str]:
    """Rows of the list of published systems by group and verdict; the missed and the open ones."""
    verdicts = row_verdicts(cells)
    words = ("met", "missed", "stated", "not_reproducible", "open")
    yield f"| group | rows | {' | '.join(words)} |"
    yield "|---" * (len(words) + 2) + "|"
    for letter, title in GROUPS.items():
        mine = [verdict for id, verdict in verdicts.items() if id.startswith(letter)]
        counts = " | ".join(str(mine.count(word)) for word in words)
        yield f"| {letter} {title} | {len(mine)} | {counts} |"
    every = list(verdicts.values())
    yield f"| all | {len(every)} | {' | '.join(str(every.count(word)) for word in words)} |"
    for word in ("missed", "open"):
        ids = sorted(id for id, verdict in verdicts.items() if verdict == word)
        yield f"\n{word.capitalize()}: {' '.join(ids) or 'none'}."


def checks_table(cells: list[Cell]) -> Iterator[str]:
    """Rows that are shown by counts, orders and presence."""
    yield "| row | system | what | published | ours | error % | kind | |"
    yield "|---|---|---|---|---|---|---|---|"
    for cell in cells:
        error = "" if cell.error_pct is None else f"{cell.error_pct:+.2f}"
        verdict = "" if cell.verdict == "met" else f"**{cell.verdict}**"
        told = f"{number(cell.published)} | {number(cell.ours)} | {error} | {cell.kind} | {verdict}"
        yield f"| {cell.id} | {cell.system} | {cell.quantity} | {told} |"


def page(cells: list[Cell], checks: list[Cell]) -> str:
    """What stands below the mark."""
    every = [mine for point in points() for cell in of_point(cells, point)
             for mine in in_each_row(cell, point)]  # fmt: skip
    every += [*checks, *(opened(id) for id in systems() if id not in recipes())]
    words = f"{len(cells):,} published cells of {len({cell.system for cell in cells})} points.\n"
    told = summary(cells).replace("numbers: ", "Numbers: ") + "."
    text = [MARK, "", *rows_table(every), "", words, told, "", *summary_rows(cells), ""]
    text += [BEYOND, "", *beyond(cells), "", CHECKS, "", *checks_table(checks)]
    return "\n".join([*text, *tables(cells), ""])


def of_point(cells: list[Cell], point: Point) -> Iterator[Cell]:
    """Cells of a point."""
    return (cell for cell in cells if cell.system == point.name)


CHECKS = (
    "Rows that are no table of results: counted, ordered or present in loaded records "
    "(1 = it holds):"
)
BEYOND = (
    "Independent predictions where the guess from the nearest column is outside the bar. Here the "
    "model says more than a table does:"
)


def read(paths: Iterable[Path]) -> tuple[list[Cell], list[Cell]]:
    """What the files say of the published numbers, judged by the marks and bars of today; and the
    checks of recipes as they stand there.

    A difference of two runs is printed in points. KeyError: a number is in no file.
    """
    told: list[dict[str, str]] = []
    for path in paths:
        with path.open(newline="", encoding="utf-8") as file:
            told += csv.DictReader(file)
    rows = {(row["system"], row["quantity"]): row for row in told}
    checks = {id for id, recipe in recipes().items() if recipe.checks or recipe.reason}
    figures = {(point.name, figure.metric) for point in points() for figure in point.figures}
    checked = [
        _cell(row)
        for row in told
        if row["id"] in checks and (row["system"], row["quantity"]) not in figures
    ]
    cells = []
    for point in points():
        for figure in point.figures:
            row = rows[point.name, figure.metric]
            ours = float(row["ours"]) if row["ours"] else None
            note = row["note"] if ours is None else ""
            cells.append(beside(figure, point, (ours, row["source"]), row["unit"], note))
    return cells, checked


def _cell(row: dict[str, str]) -> Cell:
    numbers = {name: float(row[name]) if row[name] else None for name in NUMBERS}
    return Cell(**{**row, **numbers})  # type: ignore[arg-type]


NUMBERS = ("published", "ours", "error_pct", "tolerance_pct")


def main(paths: Iterable[str]) -> None:
    """Write the page anew below its mark."""
    cells, checks = read(map(Path, paths))
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(head + page(cells, checks), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
