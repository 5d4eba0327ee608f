"""The page of a run's metrics: a column for each system, as the benchmark papers print them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from imsperf.reports.numbers import visible
from imsperf.reports.pages import Row, cell, lines
from imsperf.reports.run import Result

_ACROSS = 6  # systems beside each other


def metrics_page(result: Result) -> str:
    """Benchmark Metrics: a line for each metric, and below why one is missing."""
    blocks = []
    for run, rows in groupby(result.table.to_pylist(), key=lambda row: row["run"]):
        some = list(rows)
        systems = list(dict.fromkeys(row["system"] for row in some))
        for first in range(0, len(systems), _ACROSS):
            title = f"{result.report.title:<34} Run : {visible(run or '-')}\n\n"
            shown = systems[first : first + _ACROSS]
            blocks.append(title + _table(result, some, shown) + _missing(some, shown))
    return "\n".join(blocks)


def _table(result: Result, rows: list[Row], systems: list[str]) -> str:
    metrics = {row["metric"]: row for row in sorted(rows, key=lambda one: one["place"])}
    values = {(row["metric"], row["system"]): cell(result, row, "value") for row in rows}
    heads = ["", "", *(visible(one) for one in systems)]
    body = [
        [visible(row["label"]), row["unit"], *(values.get((name, one), "") for one in systems)]
        for name, row in metrics.items()
    ]
    some = [line for line in body if any(line[2:])]
    return lines("-46 -12 " + " ".join(["14"] * len(systems)), [heads, *some])


def _missing(rows: list[Row], systems: list[str]) -> str:
    """Each reason once, with the metrics it explains."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["value"] is None and row["note"] and row["system"] in systems:
            reasons.setdefault(f"{row['system']}: {row['note']}", []).append(row["metric"])
    return "".join("".join(_wrapped(why, named)) for why, named in reasons.items())


def _wrapped(why: str, named: list[str]) -> Iterator[str]:
    yield f"\n{visible(why)}:"
    line = ""
    for one in named:
        if len(line) + len(one) > 100:
            yield f"\n   {line}"
            line = ""
        line += f" {one}"
    yield f"\n   {line}\n"


RUN_PAGES = {"run.metrics": metrics_page}
