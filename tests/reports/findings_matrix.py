"""Rules against injected faults: runs with each fault of the catalogue, and what is found first.

As a script it writes the table into docs/findings.md; a slow test compares it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from imsperf import api
from imsperf.synthetic.interval_mode.faults import CATALOGUE
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

DOCUMENT = Path(__file__).parents[2] / "docs" / "findings.md"
BEGIN = "<!-- written by `python tests findings_matrix` -->\n"
END = "<!-- end -->\n"
SEEDS = tuple(range(1, 11))
POOLS = "tps-100k"  # the scenario with pools that have secondary blocks


def generate(folder: Path, system: scenario.Scenario, seed: int, fault: str, n: int) -> None:
    """A loaded run of n intervals with a fault in two of them."""
    inject = [f"{fault}@{n // 2}-{n // 2 + 1}"] if fault else []
    generate_intervals(system, folder / "run", intervals=n, seed=seed, inject=inject)
    api.load([folder / "run"], folder / "x.duckdb", run="r")


def truth_of(folder: Path) -> Any:
    return tomllib.loads((folder / "run" / "truth.toml").read_text())["fault"]


def names_cause(row: Any, truth: Any) -> bool:
    """Of the report of the cause; what is affected most is the cause."""
    parts = set(truth["key"].split(","))
    return row["report"] == truth["report"] and set(row["keys"][0].split(",")) <= parts


def first_three(fault: str, seed: int) -> list[tuple[str, bool]]:
    """The findings of a run with a fault, most severe first, and whether each names its cause."""
    name = POOLS if fault == "pool-too-small" else "dsff-smq"
    with TemporaryDirectory() as place:
        folder = Path(place)
        generate(folder, scenario.load(name), seed, fault, 24)
        (truth,) = truth_of(folder)
        rows = api.findings(folder / "x.duckdb").table.slice(0, 3).to_pylist()
    return [(row["finding"], names_cause(row, truth)) for row in rows]


def line(fault: str, runs: list[list[tuple[str, bool]]]) -> str:
    """A line of the table; `runs` has what is found first for each seed."""
    seen = sum(any(named for _, named in rows) for rows in runs)
    words = [f"**{name}**" if named else name for name, named in runs[0]]
    cells = (
        f"`{fault}`",
        CATALOGUE[fault].title,
        ", ".join(words) or "nothing",
        ("yes" if seen == len(runs) else "at times") if seen else "cannot be seen",
        f"{seen} of {len(runs)}",
    )
    return f"| {' | '.join(cells)} |\n"


def document(lines: dict[str, str]) -> str:
    """docs/findings.md with other lines in its table."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    head = "| fault | what is wrong | first three findings | cause named | seeds |\n"
    head += "|---|---|---|---|---|\n"
    return before + BEGIN + head + "".join(lines.values()) + END + after


def main() -> None:
    lines = {}
    for fault in CATALOGUE:
        lines[fault] = line(fault, [first_three(fault, seed) for seed in SEEDS])
        print(lines[fault], end="", flush=True)
    DOCUMENT.write_text(document(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
