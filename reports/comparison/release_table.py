"""Runs as the papers print releases: a column each, delta and delta per cent, the 1 per cent rule.

A column is a run, or several runs of one thing (seeds, days): then their mean and the half-width of
its 95 % interval by Student's t. A number whose delta is at most `margin_pct` of the base is equal:
so the published tables of IMS read ("differences within 1 % are considered equivalent").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import ReportError, near
from imsperf.reports.in_memory import in_memory
from imsperf.reports.numbers import visible

MARGIN_PCT = 1.0
ALL = "*ALL*"  # the system that stands for all of a run
METRICS = ("system", "metric", "label", "unit", "better", "value", "place")


@dataclass(frozen=True)
class Column:
    """What stands in a column: rows of run.metrics of each of its runs."""

    name: str
    runs: Sequence[pa.Table]


def release_table(
    columns: Sequence[Column], base: str = "", margin_pct: float = MARGIN_PCT
) -> pa.Table:
    """A row for each system, metric and column.

    `value` is the mean of `runs` runs, `half_width` that of its 95 % interval (NULL of one run);
    `delta` and `delta_pct` are against `base`, the first column unless named; `equal` where
    delta_pct is at most `margin_pct`. Systems are told apart where a column has several, as in
    `systems_apart`. Raises ReportError where there is no column of that name.
    """
    columns = systems_apart(columns)
    names = [column.name for column in columns]
    base = base or names[0]
    if base not in names:
        raise ReportError(f"no column {base!r}", near(base, names, f"columns: {', '.join(names)}"))
    many = any(len(set(run["system"].to_pylist())) > 1 for column in columns for run in column.runs)
    system = "system" if many else "''"
    with in_memory() as con:
        con.register("given", _given(columns))
        con.register("quantile", _quantiles(max(len(column.runs) for column in columns)))
        return con.sql(
            f"""
            WITH measured AS (
                SELECT column_no, column_name, {system} AS system, metric,
                    any_value(label) AS label, any_value(unit) AS unit,
                    any_value(better) AS better, min(place) AS place,
                    count(value) AS runs, avg(value) AS value, stddev_samp(value) AS spread
                FROM given GROUP BY ALL),
            with_base AS (
                SELECT measured.*, base.value AS base_value,
                    t975 * measured.spread / sqrt(measured.runs) AS half_width
                FROM measured
                LEFT JOIN measured AS base ON base.column_name = $base
                    AND base.system = measured.system AND base.metric = measured.metric
                LEFT JOIN quantile ON quantile.runs = measured.runs)
            SELECT system, metric, label, unit, better, column_name AS "column", runs, value,
                half_width, base_value AS base,
                CASE WHEN column_name <> $base THEN value - base_value END AS delta,
                100 * delta / nullif(abs(base_value), 0) AS delta_pct,
                abs(delta_pct) <= $margin OR delta = 0 AS equal
            FROM with_base ORDER BY system, place, metric, column_no
            """,
            params={"base": base, "margin": margin_pct},
        ).to_arrow_table()


def systems_apart(columns: Sequence[Column]) -> list[Column]:
    """The same; where a run has systems of one name in several sysplexes, the name of each system
    of all runs begins with its sysplex."""
    runs = (run for column in columns for run in column.runs if "sysplex" in run.column_names)
    named = [run.group_by(["system", "sysplex"]).aggregate([]) for run in runs]
    if all(len(pc.unique(names["system"])) == len(names) for names in named):
        return list(columns)
    return [Column(column.name, list(map(_with_sysplex, column.runs))) for column in columns]


def _with_sysplex(run: pa.Table) -> pa.Table:
    name = run["system"]
    full = pc.coalesce(pc.binary_join_element_wise(run["sysplex"], name, " "), name)
    place = run.schema.get_field_index("system")
    return run.set_column(place, "system", pc.if_else(pc.equal(name, ALL), name, full))


def predicted_column(name: str, metrics: Mapping[str, object], columns: Sequence[Column]) -> Column:
    """What a model says of the metrics that runs have, for a system of any name."""
    first = columns[0].runs[0]
    values = [metrics.get(metric) for metric in first["metric"].to_pylist()]
    numbers = [float(v) if isinstance(v, (int, float)) else None for v in values]
    place = first.schema.get_field_index("value")
    return Column(name, [first.set_column(place, "value", pa.array(numbers, pa.float64()))])


def _given(columns: Sequence[Column]) -> pa.Table:
    """All runs below one another, with their column."""
    parts = []
    for number, column in enumerate(columns):
        for run in column.runs:
            place = pa.array([number] * run.num_rows, pa.int32())
            name = pa.array([column.name] * run.num_rows, pa.string())
            part = run.select(METRICS).append_column("column_no", place)
            parts.append(part.append_column("column_name", name))
    return pa.concat_tables(parts, promote_options="permissive")


def _quantiles(most: int) -> pa.Table:
    """The 97.5 % point of Student's t for 2 to `most` runs."""
    from scipy.stats import t

    counts = range(2, most + 1)
    points = [float(t.ppf(0.975, n - 1)) for n in counts]
    return pa.table({"runs": pa.array(counts, pa.int64()), "t975": pa.array(points, pa.float64())})


def text(table: pa.Table, base: str, margin_pct: float = MARGIN_PCT) -> str:
    """The table for a terminal: a line for each metric that a column has a value of.

    `=` stands before a delta that is equal by the rule, `*` before one that is not.
    """
    rows = table.to_pylist()
    columns = list(dict.fromkeys(row["column"] for row in rows))
    base = base or columns[0]
    others = [name for name in columns if name != base]
    heads = [base, *(part for name in others for part in (name, "delta", "delta %"))]
    cells: dict[tuple[str, str, str], dict[str, Mapping[str, object]]] = {}
    for row in rows:
        key = (row["system"], row["label"] or row["metric"], row["unit"] or "")
        cells.setdefault(key, {})[row["column"]] = row
    lines: list[list[str]] = []
    system = ""
    for (of_system, label, unit), by_column in cells.items():
        if all(row["value"] is None for row in by_column.values()):
            continue
        if of_system != system:
            lines.append([of_system])
            system = of_system
        line = [label, unit, _value(by_column.get(base))]
        for name in others:
            row = by_column.get(name)
            line += [_value(row), *_delta(row)]
        lines.append(line)
    every = [["", "", *heads], *lines]
    widths = [
        max((len(line[i]) for line in every if len(line) > max(1, i)), default=0)
        for i in range(len(heads) + 2)
    ]
    shown = ""
    if others:
        shown = f"Deltas are against {base}; `=` is at most {margin_pct:g} %, `*` more.\n\n"
    for line in every:
        parts = [
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=False))
        ]
        shown += "  ".join(parts).rstrip() + "\n"
    return "".join(word if word == "\n" else visible(word) for word in shown)


def _value(row: Mapping[str, object] | None) -> str:
    if row is None or not isinstance(row["value"], (int, float)):
        return "-"
    half = row["half_width"]
    spread = f" +/- {half:,.3f}" if isinstance(half, float) else ""
    return f"{row['value']:,.3f}{spread}"


def _delta(row: Mapping[str, object] | None) -> tuple[str, str]:
    if row is None or not isinstance(row["delta"], (int, float)):
        return "-", "-"
    share = row["delta_pct"]
    mark = "=" if row["equal"] else "*"
    percent = f"{mark} {share:+.2f}" if isinstance(share, float) else "-"
    return f"{row['delta']:+,.3f}", percent
