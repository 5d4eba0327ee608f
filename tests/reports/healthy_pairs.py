"""What `compare` tells of two runs of one healthy system, of two seeds: nothing, or a false alarm.

`python tests healthy_pairs` writes the table into docs/compare.md; a slow test runs some pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from imsperf import api
from imsperf.reports.comparison.causes import causes_of
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

DOCUMENT = Path(__file__).parents[2] / "docs" / "compare.md"
BEGIN = "<!-- written by `python tests healthy_pairs` -->\n"
END = "<!-- end of pairs -->\n"


@dataclass(frozen=True)
class Kind:
    """Pairs of runs of a scenario."""

    name: str
    intervals: int
    every_s: int
    profile: str
    pairs: int


KINDS = (
    Kind("ff-haldb", 96, 900, "office", 18),
    Kind("dsff-smq", 24, 120, "flat", 4),
)


@dataclass(frozen=True)
class Told:
    """Causes, rows of excursions, and rows in all, of one pair."""

    causes: int
    excursions: int
    rows: int


def told(database: Path) -> Told:
    """Of runs a and b of a database."""
    done = api.compare(f"{database}::a", f"{database}::b")
    return Told(len(causes_of(done.table)), done.excursions.num_rows, done.table.num_rows)


def pair(kind: Kind, number: int) -> Told:
    """Of the pair of that number: seeds 2 n - 1 and 2 n."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for run, seed in (("a", 2 * number - 1), ("b", 2 * number)):
            generate_intervals(
                scenario.load(kind.name), folder / run, intervals=kind.intervals,
                every_s=kind.every_s, seed=seed, profile=kind.profile,
            )  # fmt: skip
            api.load([folder / run], folder / "x.duckdb", run=run)
        return told(folder / "x.duckdb")


def line(kind: Kind, pairs: Iterable[Told]) -> str:
    """A line of the table."""
    every = list(pairs)
    cells = [
        f"`{kind.name}`",
        f"{kind.intervals} of {kind.every_s // 60} minutes, {kind.profile}",
        f"{len(every)}",
        f"{sum(each.rows for each in every):,}",
        f"{sum(each.causes > 0 for each in every)}",
        f"{sum(each.excursions > 0 for each in every)}",
        f"{sum(each.causes for each in every)}",
        f"{sum(each.excursions for each in every)}",
    ]
    return f"| {' | '.join(cells)} |\n"


def document(lines: Iterable[str]) -> str:
    """docs/compare.md with these lines in its table."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    head = (
        "| system | intervals, load | pairs | rows | pairs with a change | with one in single "
        "intervals | changed things | rows of single intervals |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|\n"
    )
    return before + BEGIN + head + "".join(lines) + END + rest.split(END)[1]


def main() -> None:
    """Write the document."""
    lines = [
        line(kind, [pair(kind, number) for number in range(1, kind.pairs + 1)]) for kind in KINDS
    ]
    DOCUMENT.write_text(document(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
