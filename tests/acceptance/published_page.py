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
    summary,
)
from imsperf.reproducing.points import beside, points

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


def page(cells: list[Cell]) -> str:
    """What stands below the mark."""
    words = f"{len(cells):,} published cells of {len({cell.system for cell in cells})} points.\n"
    told = summary(cells).replace("numbers: ", "Numbers: ") + "."
    text = [MARK, "", words, told, "", *summary_rows(cells), "", BEYOND, "", *beyond(cells)]
    return "\n".join([*text, *tables(cells), ""])


BEYOND = (
    "Independent predictions where the guess from the nearest column is outside the bar. Here the "
    "model says more than a table does:"
)


def read(paths: Iterable[Path]) -> list[Cell]:
    """What the files say of the published numbers, judged by the marks and bars of today.

    A difference of two runs is printed in points. KeyError: a number is in no file.
    """
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for path in paths:
        with path.open(newline="", encoding="utf-8") as file:
            rows |= {(row["system"], row["quantity"]): row for row in csv.DictReader(file)}
    cells = []
    for point in points():
        for figure in point.figures:
            row = rows[point.name, figure.metric]
            ours = float(row["ours"]) if row["ours"] else None
            note = row["note"] if ours is None else ""
            cells.append(beside(figure, point, (ours, row["source"]), row["unit"], note))
    return cells


def main(paths: Iterable[str]) -> None:
    """Write the page anew below its mark."""
    cells = read(map(Path, paths))
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(head + page(cells), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
