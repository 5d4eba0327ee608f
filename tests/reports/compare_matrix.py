"""Injected faults against `compare`: a run without and a run with each fault of the catalogue.

`python tests compare_matrix` writes the table into docs/compare.md, after each seed anew: seeds 1
to 10. `python tests compare_matrix 6 8` adds what seeds 6 to 8 give to the lines that are there. A
slow test runs one and compares it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from findings_matrix import CATALOGUE, POOLS

from imsperf import api
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.causes import causes_of
from imsperf.reports.comparison.compare import Comparison
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

DOCUMENT = Path(__file__).parents[2] / "docs" / "compare.md"
BEGIN = "<!-- written by `python tests compare_matrix` -->\n"
END = "<!-- end of faults -->\n"
SEEDS = 10
INTERVALS, EVERY_S = 24, 120
FIRST = 3  # groups


@dataclass(frozen=True)
class Outcome:
    """What `compare` tells first of a fault: the root row, the heads of the first groups, and the
    group that has the root row, 1 for the first; 0 where none of them has it."""

    root: str
    heads: tuple[str, ...]
    place: int


def outcomes(seed: int, faults: Iterable[str] = CATALOGUE) -> Iterator[tuple[str, Outcome]]:
    """Of each fault: between a run without it and one of another seed that has it throughout."""
    with TemporaryDirectory() as place:
        for fault in faults:
            name = POOLS if fault == "pool-too-small" else "dsff-smq"
            folder = Path(place) / name
            if not folder.exists():
                load(folder, name, "base", seed + 100, "")
            truth = load(folder, name, fault, seed, fault)
            db = folder / "x.duckdb"
            yield fault, outcome(api.compare(f"{db}::base", f"{db}::{fault}"), truth)


def load(folder: Path, name: str, run: str, seed: int, fault: str) -> Any:
    """Load a run with a fault in all of its intervals; the truth of it."""
    inject = [f"{fault}@1-{INTERVALS}"] if fault else []
    generate_intervals(
        scenario.load(name), folder / run, intervals=INTERVALS, every_s=EVERY_S, seed=seed,
        profile="flat", inject=inject,
    )  # fmt: skip
    api.load([folder / run], folder / "x.duckdb", run=run)
    told = tomllib.loads((folder / run / "truth.toml").read_text())
    return told["fault"][0] if fault else None


def outcome(compared: Comparison, truth: Any) -> Outcome:
    """What is told first, beside the truth."""
    groups = causes_of(compared.table)[:FIRST]
    heads = tuple(f"`{group.rows[0]['report']}` {group.rows[0]['column']}" for group in groups)
    has_root = [any(is_root(row, truth) for row in group.rows) for group in groups]
    place = has_root.index(True) + 1 if any(has_root) else 0
    return Outcome(f"`{truth['report']}` {truth['column']}", heads, place)


def is_root(row: Any, truth: Any) -> bool:
    """Whether a row is the one in which the cause shows most: the column or, as a count is compared
    by its rates, one that is made of it."""
    if row["report"] != truth["report"]:
        return False
    column = catalog().get(row["report"]).column(row["column"])
    is_column = truth["column"] in (column.name, *column.num)
    return is_column and set(truth["key"].split(",")) <= set(row["key"].split(","))


def line(fault: str, told: Sequence[Outcome]) -> str:
    """A line of the table; `told` has what each seed gives."""
    places = [each.place for each in told]
    counts = [f"{places.count(place)}" for place in range(1, FIRST + 1)]
    seen = f"{sum(place > 0 for place in places)} of {len(told)}"
    cells = (f"`{fault}`", told[0].root, ", ".join(told[0].heads), *counts, seen)
    return f"| {' | '.join(cells)} |\n"


def added(known: str, told: Sequence[Outcome]) -> str:
    """A line of the table with more seeds; its heads stay those of its first seed."""
    before, places = known.split(" | ")[:3], [each.place for each in told]
    *of_place, seen = known.rstrip(" |\n").split(" | ")[3:]
    counts = [int(old) + places.count(place) for place, old in enumerate(of_place, 1)]
    every = int(seen.split(" of ")[1]) + len(told)
    cells = (*before, *(f"{count}" for count in counts), f"{sum(counts)} of {every}")
    return f"{' | '.join(cells)} |\n"


def document(lines: Iterable[str]) -> str:
    """docs/compare.md with these lines in its table."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    head = (
        "| fault | its root row | first groups, seed 1 | root in group 1 | 2 | 3 | in all |\n"
        "|---|---|---|---:|---:|---:|---:|\n"
    )
    return before + BEGIN + head + "".join(lines) + END + rest.split(END)[1]


def main() -> None:
    first, last = map(int, sys.argv[1:]) if sys.argv[1:] else (1, SEEDS)
    known = {}
    if first > 1:
        table = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
        known = {each.split("`")[1]: each for each in table.splitlines(keepends=True)[2:]}
    for seed in range(first, last + 1):
        for fault, each in outcomes(seed):
            is_new = fault not in known
            known[fault] = line(fault, [each]) if is_new else added(known[fault], [each])
            print(seed, line(fault, [each]), end="", flush=True)
        DOCUMENT.write_text(document(known.values()), encoding="utf-8")


if __name__ == "__main__":
    main()
