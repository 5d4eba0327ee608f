"""Totals of both sides beside each other, a row for each system and key: SQL, and its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.definition import Report, ReportColumn


def is_by_second(report: Report, column: ReportColumn) -> bool:
    """Counts of intervals: runs of different length can be compared."""
    return column.kind == "count" and "interval_s" in report.names


def pair_sql(report: Report, keys: Sequence[str]) -> str:
    """Both sides beside each other, a row for each system and key: its parts as `pair_keys` names
    them, and all as name=value pairs."""
    match = " AND ".join(f'b."{key}" IS NOT DISTINCT FROM c."{key}"' for key in keys)
    named = " || ',' || ".join(
        f"'{key}=' || coalesce(CAST(coalesce(b.\"{key}\", c.\"{key}\") AS VARCHAR), '')"
        for key in keys
    )
    parts = ", ".join(
        f'coalesce(b."{key}", c."{key}") AS "{name}"'
        for key, name in zip(keys, pair_keys(keys), strict=True)
    )
    return f"""
        WITH b AS ({_counted_sql("base", keys)}), c AS ({_counted_sql("candidate", keys)})
        SELECT row_number() OVER () - 1 AS pair_no, {named} AS key, {parts}, b, c,
            b.n IS NOT NULL AS in_base, c.n IS NOT NULL AS in_candidate
        FROM b FULL OUTER JOIN c ON {match}
    """


def pair_keys(keys: Sequence[str]) -> list[str]:
    """How the parts of a key are called in a row of `pair_sql`."""
    return [f"key_{key}" for key in keys]


def _counted_sql(side_name: str, keys: Sequence[str]) -> str:
    """The totals of a side with the number of intervals behind each."""
    same = " AND ".join(f't."{key}" IS NOT DISTINCT FROM r."{key}"' for key in keys)
    groups = ", ".join(f'"{key}"' for key in keys)
    return f"""
        SELECT t.*, r.n
        FROM {side_name}_total AS t
        JOIN (SELECT {groups}, count(*) AS n FROM {side_name}_row GROUP BY {groups}) AS r ON {same}
        QUALIFY row_number() OVER (PARTITION BY {", ".join(f't."{key}"' for key in keys)}) = 1
    """


def key_parts(key: str) -> list[tuple[str, str]]:
    """The parts of a key in words; a value may hold commas, not `,name=`."""
    parts = list[tuple[str, str]]()
    for word in key.split(","):
        name, sign, value = word.partition("=")
        if sign and name.isidentifier():
            parts.append((name, value))
        elif parts:
            parts[-1] = parts[-1][0], f"{parts[-1][1]},{word}"
    return parts


PLACES = ("system", "ims")  # parts of keys that say where, not what


def families(keys: Sequence[str]) -> npt.NDArray[np.int64]:
    """The number of each key's family: keys that are the same but for the part that varies most,
    such as data sets of one volume. A key without another part than that and PLACES is alone."""
    parts = [dict(key_parts(key)) for key in keys]
    names = dict.fromkeys(name for each in parts for name in each if name not in PLACES)
    if len(names) < 2:
        return np.arange(len(keys))
    finest = max(names, key=lambda name: len({each.get(name) for each in parts}))
    others = [
        tuple((name, value) for name, value in each.items() if name != finest) for each in parts
    ]
    has_more = [any(value and name not in PLACES for name, value in each) for each in others]
    number = dict[Any, int]()
    return np.array(
        [
            number.setdefault(other if more else key, len(number))
            for key, other, more in zip(keys, others, has_more, strict=True)
        ]
    )


PER_ROW = ("unit", "better", "margin_pct")  # of a long report, which names them row by row


def values_sql(report: Report, columns: Sequence[ReportColumn]) -> str:
    """Every pair in order, with the values of these columns: base_0, candidate_0, base_1 .."""
    names = ["key", "b.n AS n_base", "c.n AS n_candidate", "in_base", "in_candidate"]
    names += [f"coalesce(b.{name}, c.{name}) AS {name}" for name in PER_ROW if name in report.names]
    for place, column in enumerate(columns):
        per = " / nullif({0}.interval_s, 0)" if is_by_second(report, column) else ""
        value = f'CAST({{0}}."{column.name}"{per} AS DOUBLE)'
        names.append(f"{value.format('b')} AS base_{place}")
        names.append(f"{value.format('c')} AS candidate_{place}")
    return f"SELECT {', '.join(names)} FROM pair ORDER BY pair_no"


def column_rows(report: Report, column: ReportColumn, place: int, values: pa.Table) -> pa.Table:
    """One compared column of every pair, of the rows of `values_sql`."""
    count = values.num_rows

    def same(word: str) -> pa.Array:
        return pa.array([word] * count, pa.string())

    def said(name: str, own: str) -> Any:
        is_row = name in report.names and not (name == "unit" and own)
        return pc.fill_null(values[name], "") if is_row else same(own)

    unit, better = said("unit", column.unit), said("better", column.better)
    if is_by_second(report, column):
        unit = pc.binary_join_element_wise(unit, "/s", "")
    margin: Any = pa.array([column.margin_pct] * count, pa.float64())
    if "margin_pct" in report.names:
        margin = values["margin_pct"].cast(pa.float64())
    of_pair = ("n_base", "n_candidate", "in_base", "in_candidate")
    return pa.table(
        {
            "report": same(report.id), "key": values["key"], "column": same(column.name),
            "unit": unit, "better": better,
            "base": values[f"base_{place}"], "candidate": values[f"candidate_{place}"],
            "margin_pct": margin, **{name: values[name] for name in of_pair},
        }
    )  # fmt: skip
