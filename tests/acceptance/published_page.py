"""docs/published.md from what `imsperf reproduce` writes.

imsperf reproduce -o all.csv && python tests published_page all.csv
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from places import CHECKOUT

PAGE = CHECKOUT / "docs" / "published.md"
MARK = "<!-- below: written by tests/acceptance/published_page.py -->"
STORAGE = re.compile(r"_(kb|mb)(_ims\d)?$")
Row = dict[str, str]


def scenario_of(row: Row) -> str:
    """Name without variant and settings."""
    return re.split("[@ ]", row["system"])[0]


def number(text: str, digits: int = 5) -> str:
    """Significant digits, or nothing."""
    return f"{float(text):.{digits}g}" if text else ""


def summary(rows: list[Row]) -> Iterator[str]:
    """A line for each workload: free parameters, cells by mark, errors of predicted cells."""
    from imsperf.synthetic.scenarios.scenario import load

    yield f"| scenario | free | {' | '.join(KINDS)} | mean | worst | missed |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, some in groupby(sorted(rows, key=scenario_of), scenario_of):
        mine = list(some)
        kinds = [sum(row["kind"] == k for row in mine) for k in KINDS]
        errors = [abs(float(r["error_pct"])) for r in mine if scored(r)]
        mean = f"{sum(errors) / len(errors):.1f} | {max(errors):.1f}" if errors else "- | -"
        missed = sum(row["verdict"] == "missed" for row in mine)
        cells = " | ".join(map(str, kinds))
        yield f"| `{name}` | {free_parameters(load(name))} | {cells} | {mean} | {missed} |"


KINDS = ("input", "fitted", "predicted", "unexplained")
SHARED = ("log.", "trace.", "security.", "encryption.")  # fitted once for all workloads


def scored(row: Row) -> bool:
    """Whether the cell judges the model."""
    return row["kind"] == "predicted" and row["error_pct"] != ""


def free_parameters(scenario: object) -> int:
    """Values marked fitted, one for each release where they differ; shared ones left out."""
    knobs = scenario.knobs.values()  # type: ignore[attr-defined]
    mine = [k for k in knobs if k.method == "fitted" and not k.key.startswith(SHARED)]
    return sum(max(len(k.per), 1) for k in mine)


def tables(rows: list[Row]) -> Iterator[str]:
    """A section for each scenario: every cell, storage in one line for each point."""
    for name, some in groupby(rows, scenario_of):
        yield f"\n### {name}\n"
        yield "| point | quantity | published | ours | error % | mark | |"
        yield "|---|---|---|---|---|---|---|"
        for system, point in groupby(some, lambda row: row["system"]):
            yield from cells(system.removeprefix(name).strip() or "-", list(point))


def cells(place: str, rows: list[Row]) -> Iterator[str]:
    """The cells of a point."""
    stored = [row for row in rows if STORAGE.search(row["quantity"])]
    for row in rows:
        if row in stored and row["verdict"] == "met":
            continue
        error = f"{float(row['error_pct']):+.2f}" if row["error_pct"] else ""
        verdict = {"met": "", "missed": "**missed**"}.get(row["verdict"], "")
        if not row["ours"]:
            verdict = row["note"].partition(";")[0]
        cell = f"{row['published']} | {number(row['ours'])} | {error} | {row['kind']} | {verdict}"
        yield f"| {place} | {row['quantity']} | {cell} |"
    met = [row for row in stored if row["verdict"] == "met"]
    if met:
        worst = max(abs(float(row["error_pct"] or 0)) for row in met)
        yield f"| {place} | {len(met)} storage cells | | | {worst:.2f} at most | input | |"


def page(rows: list[Row]) -> str:
    """What stands below the mark."""
    total = [sum(row["verdict"] == v for row in rows) for v in ("met", "missed")]
    judged = [row for row in rows if scored(row)]
    within = sum(row["verdict"] == "met" for row in judged)
    words = (
        f"{len(rows):,} published cells of {len({row['system'] for row in rows})} points: "
        f"{total[0]:,} met, {total[1]:,} missed. Of {len(judged)} predicted cells {within} are "
        "within their bars."
    )
    return "\n".join([MARK, "", words, "", *summary(rows), *tables(rows), ""])


def read(path: Path) -> list[Row]:
    """Rows of a csv that `imsperf reproduce` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main(paths: Iterable[str]) -> None:
    """Write the page anew below its mark."""
    rows = [row for path in paths for row in read(Path(path))]
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(head + page(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
