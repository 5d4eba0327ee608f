"""Set two runs side by side: every number of every report, joined on system and key.

Run-level values are made again from the summed parts of ratios; counts are taken for each second of
their intervals, so that runs of different length can be compared. Whether a difference means
anything is a matter of statistics, and those columns are empty here: see NO_STATISTICS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from imsperf.errors import AbsentRecords, ReportError, near
from imsperf.reports.catalog import catalog
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.filter import Filter
from imsperf.reports.numbers import difference
from imsperf.reports.run import Result, run, suspect_records
from imsperf.reports.text import cell_texts, is_number, lay_out
from imsperf.reports.total import aggregate

NO_STATISTICS = "statistics not computed"
VALUES = ("base", "candidate", "delta")
PER_SECOND = "rate"  # the form of counts, which are compared by the second
PER_CENT = "1"
COMPARED = ("ratio", "count", "level", "highwater")

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("report", "key", "column", "unit", "better")),
        *((name, pa.float64()) for name in ("base", "candidate", "delta", "delta_pct")),
        *((name, pa.float64()) for name in ("ci_low_pct", "ci_high_pct", "margin_pct")),
        ("samples", pa.string()),
        *((name, pa.int64()) for name in ("n_base", "n_candidate")),
        *((name, pa.float64()) for name in ("n_eff", "p_value", "q_value")),
        ("verdict", pa.string()),
        ("rank", pa.int64()),
        ("note", pa.string()),
    ]
)


@dataclass(frozen=True)
class Side:
    """One run in an open database."""

    con: duckdb.DuckDBPyConnection
    run: str
    label: str = ""


@dataclass(frozen=True)
class Comparison:
    """`table` has the columns of SCHEMA; `differences` topic, item, base, candidate of all else.

    `suspect` is how many loaded records of base and candidate something speaks against.
    """

    table: pa.Table
    differences: pa.Table
    suspect: tuple[int, int] = (0, 0)


def side(con: duckdb.DuckDBPyConnection, run_name: str | None, label: str = "") -> Side:
    """A run of a database; None takes the only one. Raises ReportError where there is none."""
    runs = [
        name
        for (name,) in con.execute("SELECT DISTINCT run FROM load_file ORDER BY run").fetchall()
    ]
    if run_name is None and len(runs) == 1:
        return Side(con, runs[0], label)
    if run_name in runs:
        return Side(con, str(run_name), label)
    if not runs:
        raise ReportError(
            f"{label or 'database'}: nothing is loaded", "load dumps with `imsperf load`"
        )
    listed = f"runs: {', '.join(runs)}; name one as DB::run"
    if run_name is None:
        raise ReportError(f"{label or 'database'}: found {len(runs)} runs, expected one", listed)
    raise ReportError(f"{label or 'database'}: no run {run_name!r}", near(run_name, runs, listed))


def compare(base: Side, candidate: Side, reports: Sequence[str] | None = None) -> Comparison:
    """Compare two runs in the named reports, or in all that either side has records for.

    Raises ReportError for an unknown report, or a named one that neither side has records for.
    """
    every = [
        report
        for report in catalog()
        if not report.is_of_the_ledger
        and any(_is_compared(report, each) for each in report.columns)
    ]
    chosen = [catalog().get(name) for name in reports] if reports else every
    tables = []
    for report in chosen:
        sides = _results(report, base, candidate, must=bool(reports))
        if sides is not None:
            tables.append(_compare_report(report, *sides))
    table = pa.concat_tables(tables) if tables else SCHEMA.empty_table()
    suspect = (
        suspect_records(base.con, base.run),
        suspect_records(candidate.con, candidate.run),
    )
    return Comparison(table, differences(base, candidate), suspect)


def _results(
    report: Report, base: Side, candidate: Side, must: bool
) -> tuple[Result, Result] | None:
    """The report of both sides; no rows where a side lacks the records, None where both do."""
    results: list[Result | None] = []
    missing: list[AbsentRecords] = []
    for store in (base, candidate):
        try:
            results.append(run(store.con, report, keep=Filter(run=store.run), over=True))
        except AbsentRecords as error:
            results.append(None)
            missing.append(error)
    left, right = results
    if left is None and right is None:
        if must:
            raise missing[0]
        return None
    left, right = left or _no_rows(right), right or _no_rows(left)
    return left, right


def _no_rows(like: Result | None) -> Result:
    assert like is not None  # one side has rows
    return Result(like.report, like.table.slice(0, 0), like.parameters)


def _compare_report(report: Report, base: Result, candidate: Result) -> pa.Table:
    with duckdb.connect() as con:
        for name, result in (("base", base), ("candidate", candidate)):
            con.register(f"{name}_total", aggregate(result).table)
            con.register(f"{name}_row", result.table)
        con.execute(f"CREATE TEMP TABLE pair AS {_pair_sql(report)}")
        compared = [column for column in report.columns if _is_compared(report, column)]
        parts = " UNION ALL ".join(_column_sql(report, column) for column in compared)
        return con.sql(_verdict_sql(parts)).to_arrow_table().cast(SCHEMA)


def _is_compared(report: Report, report_column: ReportColumn) -> bool:
    """Numbers; a count only where no column of the report is its rate already."""
    rates = {c.num for c in report.columns if c.den == ("interval_s",)}
    return report_column.kind in COMPARED and not (
        report_column.kind == "count" and (report_column.name,) in rates
    )


def _is_by_second(report: Report, column: ReportColumn) -> bool:
    """Counts of intervals: runs of different length can be compared."""
    return column.kind == "count" and "interval_s" in report.names


def _pair_sql(report: Report) -> str:
    """Both sides beside each other, a row for each system and key; the key as name=value pairs."""
    keys = tuple(group for group in report.groups if group not in ("run", "sysplex"))
    match = " AND ".join(f'b."{key}" IS NOT DISTINCT FROM c."{key}"' for key in keys)
    named = " || ',' || ".join(
        f"'{key}=' || coalesce(CAST(coalesce(b.\"{key}\", c.\"{key}\") AS VARCHAR), '')"
        for key in keys
    )
    return f"""
        WITH b AS ({_counted_sql("base", keys)}), c AS ({_counted_sql("candidate", keys)})
        SELECT {named} AS key, b, c, b.n IS NOT NULL AS in_base, c.n IS NOT NULL AS in_candidate
        FROM b FULL OUTER JOIN c ON {match}
    """


def _counted_sql(side_name: str, keys: Sequence[str]) -> str:
    """The totals of a side with the number of intervals behind each."""
    same = " AND ".join(f't."{key}" IS NOT DISTINCT FROM r."{key}"' for key in keys)
    groups = ", ".join(f'"{key}"' for key in keys)
    return f"""
        SELECT t.*, r.n
        FROM {side_name}_total AS t
        JOIN (SELECT {groups}, count(*) AS n FROM {side_name}_row GROUP BY {groups}) AS r ON {same}
    """


def _column_sql(report: Report, report_column: ReportColumn) -> str:
    """One compared column of every pair. A long report names unit, better and margin row by row."""
    per_row = {name for name in ("unit", "better", "margin_pct") if name in report.names}
    is_count = _is_by_second(report, report_column)
    value = f'{{0}}."{report_column.name}"' + (" / nullif({0}.interval_s, 0)" if is_count else "")
    unit = _sql_text(report_column.unit)
    if "unit" in per_row and not report_column.unit:
        unit = "coalesce(b.unit, c.unit)"
    if is_count:
        unit = f"concat({unit}, '/s')"
    better = (
        "coalesce(b.better, c.better)" if "better" in per_row else _sql_text(report_column.better)
    )
    margin = (
        "coalesce(b.margin_pct, c.margin_pct)"
        if "margin_pct" in per_row
        else repr(report_column.margin_pct)
    )
    return f"""
        SELECT {_sql_text(report.id)} AS report, key, {_sql_text(report_column.name)} AS "column",
            {unit} AS unit, {better} AS better,
            CAST({value.format("b")} AS DOUBLE) AS base,
            CAST({value.format("c")} AS DOUBLE) AS candidate,
            {margin} AS margin_pct, b.n AS n_base, c.n AS n_candidate, in_base, in_candidate
        FROM pair
    """


def _sql_text(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"


def _verdict_sql(parts: str) -> str:
    """Differences, verdicts and rank; the statistics stay empty."""
    return f"""
        WITH value AS ({parts}),
        difference AS (
            SELECT *, candidate - base AS delta,
                100 * (candidate - base) / abs(nullif(base, 0)) AS delta_pct,
                -- large beside the largest of its unit: 1 ms of 2 comes before 1 us of 2
                abs(candidate - base) / nullif(
                    max(greatest(abs(base), abs(candidate))) OVER (PARTITION BY report, unit), 0
                ) AS weight
            FROM value
            WHERE base IS NOT NULL OR candidate IS NOT NULL
        )
        SELECT
            report, key, "column", coalesce(unit, '') AS unit, coalesce(better, '') AS better,
            base, candidate, delta, delta_pct,
            NULL::DOUBLE AS ci_low_pct, NULL::DOUBLE AS ci_high_pct, margin_pct,
            'interval' AS samples, n_base, n_candidate,
            NULL::DOUBLE AS n_eff, NULL::DOUBLE AS p_value, NULL::DOUBLE AS q_value,
            CASE
                WHEN NOT in_base THEN 'new' WHEN NOT in_candidate THEN 'gone' ELSE 'unclear'
            END AS verdict,
            row_number() OVER (
                PARTITION BY report
                ORDER BY weight DESC NULLS LAST, abs(delta_pct) DESC NULLS LAST, key, "column"
            ) AS rank,
            CASE
                WHEN NOT in_base OR NOT in_candidate THEN ''
                WHEN base IS NULL OR candidate IS NULL
                    THEN 'a value on one side only; {NO_STATISTICS}'
                ELSE '{NO_STATISTICS}'
            END AS note
        FROM difference
        ORDER BY report, rank
    """


# --- what else differs ---------------------------------------------------------------------------

_FACTS = """
    SELECT 'configuration' AS topic, concat_ws('.', nullif(section, ''), key) AS item,
        concat_ws(' ', value, unit) AS value
    FROM run_config WHERE run = $run
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'type', record_type, system, 'intervals'),
        CAST(count(*) AS VARCHAR)
    FROM rmf_interval WHERE run = $run GROUP BY record_type, system
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'type', record_type, system, 'interval length [s]'),
        string_agg(DISTINCT format('{:g}', interval_s), ', ' ORDER BY format('{:g}', interval_s))
    FROM rmf_interval WHERE run = $run GROUP BY record_type, system
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'IMS', ims, 'statistics intervals'), CAST(count(*) AS VARCHAR)
    FROM ims_statistics_set WHERE run = $run GROUP BY ims
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'IMS', ims, 'statistics time [s]'),
        format('{:g}', sum(interval_s))
    FROM ims_statistics_set WHERE run = $run GROUP BY ims
    UNION ALL
    SELECT 'load', concat_ws(' ', 'IMS', ims, 'transactions/s'),
        format('{:.6g}', sum(transactions_count) / nullif(sum(interval_s), 0))
    FROM ims_statistics_set WHERE run = $run GROUP BY ims
    UNION ALL
    SELECT 'level', concat_ws(' ', 'z/OS of', system), string_agg(DISTINCT zos_level, ', ')
    FROM rmf_cpu_interval WHERE run = $run GROUP BY system
    UNION ALL
    SELECT 'damage', concat_ws(' ', p.severity, p.reason), CAST(count(*) AS VARCHAR)
    FROM load_problem AS p JOIN load_file AS f ON f.file_id = p.file_id
    WHERE f.run = $run AND p.severity <> 'info' GROUP BY p.severity, p.reason
"""


def _facts(side: Side) -> pa.Table:
    with side.con.cursor() as cursor:
        return cursor.sql(_FACTS, params={"run": side.run}).to_arrow_table()


def differences(base: Side, candidate: Side) -> pa.Table:
    """What else is not the same in the two runs; to be read before any number."""
    with duckdb.connect() as con:
        for name, side in (("b", base), ("c", candidate)):
            con.register(name, _facts(side))
        return con.sql(
            """
            SELECT coalesce(b.topic, c.topic) AS topic, coalesce(b.item, c.item) AS item,
                b.value AS base, c.value AS candidate
            FROM b FULL OUTER JOIN c ON b.topic = c.topic AND b.item = c.item
            WHERE b.value IS DISTINCT FROM c.value
            ORDER BY topic, item
            """
        ).to_arrow_table()


# --- as text -------------------------------------------------------------------------------------


def comparison_text(table: pa.Table) -> str:
    """Rows of `compare`, without columns that are empty throughout.

    The table needs `report` and `column`: they say how a number is printed.
    """
    names = [name for name in table.column_names if table[name].null_count < table.num_rows]
    forms = dict.fromkeys(VALUES, _forms(table)) | {"delta_pct": [PER_CENT] * table.num_rows}
    cells = [
        _written(table[name], forms[name]) if name in forms else cell_texts(table[name])
        for name in names
    ]
    return lay_out(names, cells, [is_number(table[name].type) for name in names])


def _forms(table: pa.Table) -> list[str]:
    """The form of the numbers of each row."""
    pairs = list(zip(table["report"].to_pylist(), table["column"].to_pylist(), strict=True))
    known = {pair: _form(*pair) for pair in set(pairs)}
    return [known[pair] for pair in pairs]


def _form(report_id: str, name: str) -> str:
    report = catalog().get(report_id)
    column = report.column(name)
    return PER_SECOND if _is_by_second(report, column) else column.format


def _written(column: pa.ChunkedArray, forms: list[str]) -> list[str]:
    writers = {form: difference(form) for form in set(forms)}
    pairs = zip(column.to_pylist(), forms, strict=True)
    return ["-" if value is None else writers[form](value) for value, form in pairs]
