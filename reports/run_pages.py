"""Pages of a run: its metrics, as the benchmark papers print them, and what run.toml says of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, zip_longest
from textwrap import wrap

from imsperf.reports.numbers import visible
from imsperf.reports.page_parts import Row, cell, lines
from imsperf.reports.run import Result

_ACROSS = 6  # systems beside each other


def metrics_page(result: Result) -> str:
    """Benchmark Metrics: a line for each metric, and below why one is missing."""
    blocks = []
    for run, rows in groupby(result.table.to_pylist(), key=lambda row: row["run"]):
        some = list(rows)
        systems = list(dict.fromkeys(row["system"] for row in some))
        for first in range(0, len(systems), _ACROSS):
            title = f"{result.report.title:<34} Run : {visible(run or '-')}\n{_span(some)}\n"
            shown = systems[first : first + _ACROSS]
            blocks.append(title + _table(result, some, shown) + _missing(some, shown))
    return "\n".join(blocks)


def _span(rows: list[Row]) -> str:
    """From the first start to the last end of the intervals, local time."""
    ends = ("first_start", min), ("last_end", max)
    found = [of([r[name] for r in rows if r[name]], default=None) for name, of in ends]
    first, last = (f"{one:%Y-%m-%d %H:%M:%S}" if one else "-" for one in found)
    return f"{'':<34} Time: {first} to {last}\n"


def _table(result: Result, rows: list[Row], systems: list[str]) -> str:
    metrics = {row["metric"]: row for row in sorted(rows, key=lambda one: one["place"])}
    values = {(row["metric"], row["system"]): cell(result, row, "value") for row in rows}
    wide = max(len(visible(row["label"])) for row in metrics.values())
    heads = ["", "", *(visible(one) for one in systems)]
    body = [
        [visible(row["label"]), row["unit"], *(values.get((name, one), "-") for one in systems)]
        for name, row in metrics.items()
        if any((name, one) in values for one in systems)
    ]
    return lines(f"-{max(46, wide)} -12 " + " ".join(["14"] * len(systems)), [heads, *body])


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


_CONFIG = (34, 44, 10, 36)  # widths of key, value, unit and source


def config_page(result: Result) -> str:
    """Run Configuration: a block for each section; what is long goes on in the next line."""
    blocks = []
    for run, rows in groupby(result.table.to_pylist(), key=lambda row: row["run"]):
        body = f"{result.report.title:<34} Run : {visible(run or '-')}\n"
        for section, some in groupby(rows, key=lambda row: row["section"]):
            body += f"\n[{visible(section)}]\n" if section else "\n"
            body += "".join(_setting(row) for row in some)
        blocks.append(body)
    return "\n".join(blocks)


def _setting(row: Row) -> str:
    texts = [visible(row[name] or "") for name in ("key", "value", "unit", "source")]
    cells = [wrap(one, width) for one, width in zip(texts, _CONFIG, strict=True)]
    widths = " ".join(f"-{width}" for width in _CONFIG)
    return lines(widths, list(zip_longest(*cells, fillvalue="")))


RUN_PAGES = {"run.config": config_page, "run.metrics": metrics_page}
