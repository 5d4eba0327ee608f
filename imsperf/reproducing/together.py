"""Rules over several columns: SQL over all runs of a check, and over published figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from imsperf.errors import ScenarioError
from imsperf.reports.comparison.release_table import METRICS, Column, release_table
from imsperf.reports.in_memory import in_memory
from imsperf.reproducing.judging import Cell
from imsperf.reproducing.recipes import TABLE, Check

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.publications import Figure

MACROS = (  # what `together` may call: our number of a printed cell, and a change in per cent
    "ours(s, q) AS (SELECT any_value(ours) FROM cells WHERE source = s AND quantity = q)",
    "pct(a, b, q) AS 100 * ours(b, q) / ours(a, q) - 100",
    "ims15(t, q) AS pct('000 ' || t || ' IMS 14', '000 ' || t || ' IMS 15', q)",
)
NUMBERS = {"value": pa.float64(), "place": pa.int64()}


def together(
    check: Check, given: Mapping[str, Any], printed: Sequence[tuple[Figure, Cell]]
) -> list[tuple[Any, ...]]:
    """Rows of the check's `together`, each behind an empty name of a run.

    `given`: answers by run. Errors: ScenarioError for SQL that cannot run.
    """
    with in_memory() as con:
        con.register("cells", _cells(printed))
        for macro in MACROS:
            con.execute(f"CREATE OR REPLACE TEMP MACRO {macro}")
        if given:
            name, table = _of_runs(check, given)
            con.register(name, table)
        try:
            return [("", *row) for row in con.execute(check.together).fetchall()]
        except Exception as error:  # any query that a recipe may hold
            raise ScenarioError(f"{check.quantity}: {error}", check.together) from None


def _of_runs(check: Check, given: Mapping[str, Any]) -> tuple[str, pa.Table]:
    if check.sql == TABLE:
        runs: dict[str, list[pa.Table]] = {}
        for run, rows in given.items():
            runs.setdefault(run.partition(".")[0], []).append(_metrics(rows))
        return "deltas", release_table([Column(name, some) for name, some in runs.items()])
    rows = [(run, *row) for run, answer in given.items() for row in answer]
    if any(isinstance(value, str) for _, _, value in rows):  # settings: words and numbers
        rows = [(run, name, None if value is None else str(value)) for run, name, value in rows]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    return "answers", pa.table(list(map(list, columns)), ["run", "name", "value"])


def _metrics(rows: Sequence[Sequence[Any]]) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.table(
        {
            name: pa.array(values, NUMBERS.get(name, pa.string()))
            for name, values in zip(METRICS, columns, strict=True)
        }
    )


def _cells(printed: Sequence[tuple[Figure, Cell]]) -> pa.Table:
    number, text = pa.float64(), pa.string()
    return pa.table(
        {
            "system": pa.array([cell.system for _, cell in printed], text),
            "source": pa.array([figure.source for figure, _ in printed], text),
            "quantity": pa.array([figure.metric for figure, _ in printed], text),
            "published": pa.array([figure.value for figure, _ in printed], number),
            "ours": pa.array([cell.ours for _, cell in printed], number),
        }
    )
