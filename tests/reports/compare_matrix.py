"""Injected faults against `compare`: a run without and a run with each fault of the catalogue.

`python tests compare_matrix` writes the table into docs/compare.md, `python tests compare_matrix 3`
tells what three seeds give; a slow test compares some seeds with the document.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from findings_matrix import CATALOGUE, POOLS

from imsperf import api
from imsperf.reports.comparison.summary import Group, groups_of
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

DOCUMENT = Path(__file__).parents[2] / "docs" / "compare.md"
BEGIN = "<!-- written by `python tests compare_matrix` -->\n"
END = "<!-- end of faults -->\n"
SEEDS = tuple(range(1, 11))
INTERVALS, EVERY_S = 24, 120
FIRST = 3  # groups


def first_groups(fault: str, seed: int) -> tuple[list[Group], dict[str, Any]]:
    """What changed first, and the truth: between a run without the fault and one of another seed
    that has it in all of its intervals."""
    system = scenario.load(POOLS if fault == "pool-too-small" else "dsff-smq")
    with TemporaryDirectory() as place:
        folder = Path(place)
        every = (("base", seed + 100, ()), ("faulty", seed, (f"{fault}@1-{INTERVALS}",)))
        for name, number, inject in every:
            generate_intervals(
                system, folder / name, intervals=INTERVALS, every_s=EVERY_S, seed=number,
                profile="flat", inject=inject,
            )  # fmt: skip
            api.load([folder / name], folder / "x.duckdb", run=name)
        (truth,) = tomllib.loads((folder / "faulty" / "truth.toml").read_text())["fault"]
        compared = api.compare(f"{folder}/x.duckdb::base", f"{folder}/x.duckdb::faulty")
    return groups_of(compared)[:FIRST], truth


def is_root(row: Any, truth: Any) -> bool:
    """Whether a row is the one in which the cause shows most."""
    return (row["report"], row["column"]) == (truth["report"], truth["column"]) and set(
        truth["key"].split(",")
    ) <= set(row["key"].split(","))


def place_of_root(groups: list[Group], truth: Any) -> int:
    """1 for the first group; 0 where the root row is in none of them."""
    for place, group in enumerate(groups, start=1):
        if any(is_root(row, truth) for row in group.rows):
            return place
    return 0


def line(fault: str, seeds: tuple[int, ...]) -> str:
    """A line of the table."""
    runs = [first_groups(fault, seed) for seed in seeds]
    places = [place_of_root(*run) for run in runs]
    heads = [f"`{group.rows[0]['report']}` {group.rows[0]['column']}" for group in runs[0][0]]
    truth = runs[0][1]
    counts = [f"{places.count(place)}" for place in (1, 2, 3)]
    seen = f"{sum(place > 0 for place in places)} of {len(seeds)}"
    cells = (f"`{fault}`", f"`{truth['report']}` {truth['column']}", ", ".join(heads), *counts, seen)
    return f"| {' | '.join(cells)} |\n"


def document(lines: list[str]) -> str:
    """docs/compare.md with these lines in its table."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    head = (
        "| fault | its root row | first groups, seed 1 | root in group 1 | 2 | 3 | in the first three |\n"
        "|---|---|---|---:|---:|---:|---:|\n"
    )
    return before + BEGIN + head + "".join(lines) + END + rest.split(END)[1]


def main() -> None:
    seeds = tuple(range(1, int(sys.argv[1]) + 1)) if sys.argv[1:] else SEEDS
    lines = []
    for fault in CATALOGUE:
        lines.append(line(fault, seeds))
        print(lines[-1], end="", flush=True)
    if seeds == SEEDS:
        DOCUMENT.write_text(document(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
