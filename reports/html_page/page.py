"""One self-contained HTML page of a run: what is well, key figures, a timeline, every report.

The page asks for nothing: styles, script and data stand in it, and its content security policy
allows its own script alone. Names from dumps are JSON without an angle bracket, and reach the page
as text. Numbers have six digits; a report of more than MOST_ROWS rows is its totals and the TOP
rows of them, and says so.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.catalog import catalog, records_needed
from imsperf.reports.charts.rows import marks
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.findings.findings import findings
from imsperf.reports.findings.rule import shipped
from imsperf.reports.findings.text import sentence as finding_sentence
from imsperf.reports.html_page.timeline import figures
from imsperf.reports.lineage.columns import ratio_text
from imsperf.reports.numbers import visible
from imsperf.reports.run import Result, Top, ask, lacking_of, no_rows, to_show
from imsperf.reports.taken import Taken, Together
from imsperf.reports.text import is_number
from imsperf.reports.total import summed

if TYPE_CHECKING:
    from imsperf.reports.comparison.compare import Comparison

MOST_ROWS = 5_000  # of a table; more are totals
MOST_DRAWN = 200_000  # rows of which a chart is made
TOP = 50  # rows of a total that is shown instead
MOST_FINDINGS = 10
MOST_CHANGED = 200  # lines of what changed
DIGITS = 6
_HEALTHY = "Nothing was lost, no record is suspect, no interval is missing in the reports shown."


def page(
    con: duckdb.DuckDBPyConnection,
    keep: Filter,
    *,
    comparison: Comparison | None = None,
    reports: Sequence[str] = (),
    together: Together | None = None,
) -> str:
    """The page of a run as one HTML text, with these `reports` or all that the records give; rows
    that `together` has are not asked again.

    Raises ReportError where nothing of the run can be shown.
    """
    run = keep.run or ""
    taken = Taken(con, keep, together)
    shown = _shown(taken, reports)
    if not shown:
        raise no_rows(run)
    health = list(_health(con, run, [each.table for each in shown]))
    data = {
        "run": visible(run),
        "healthy": health[-1] == _HEALTHY,
        "made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "health": [visible(line) for line in health],
        "findings": _findings(taken, reports),
        "figures": [
            {
                "label": figure.label,
                "unit": figure.unit,
                "report": figure.report,
                "system": table["system"].to_pylist(),
                "at": table["began"].to_pylist(),
                "value": _rounded(table["value"]),
            }
            for figure, table in figures(taken)
        ],
        "reports": [_report(each) for each in shown],
        "absent": [
            {"id": report, "lacks": " and ".join(lacks)}
            for report, lacks in lacking_of(catalog(), con).items()
            if lacks
        ],
        "leftOut": _left_out(con, keep, reports, shown),
        "comparison": _comparison(comparison),
    }
    return _html(f"{run} - imsperf", data)


# --- data ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """A report of the page: the rows of its table, and those of its chart, if it has one."""

    table: Result
    chart: Result | None


def _shown(taken: Taken, wanted: Sequence[str]) -> list[Shown]:
    """Every report that is wanted and has rows."""
    asked = [report for report, _ in to_show(taken.con, taken.keep, wanted)]
    taken.take(asked)
    every = []
    for report in asked:
        try:
            every.append(_report_of(taken, report))
        except AbsentRecords:
            continue
    return [each for each in every if each.table.table.num_rows]


def _left_out(
    con: duckdb.DuckDBPyConnection, keep: Filter, wanted: Sequence[str], shown: Sequence[Shown]
) -> str:
    """Which reports have their records and are not on the page as no row is of this system or time.

    Empty where nothing but a run was asked for.
    """
    if keep.system is None and not keep.has_time:
        return ""
    there = {each.table.report.id for each in shown}
    could = {report.id for report, _ in to_show(con, Filter(keep.run), wanted)}
    missing = sorted(could - there)
    return f"Without rows of this system and time: {', '.join(missing)}." if missing else ""


def _report_of(taken: Taken, report: Report) -> Shown:
    """The rows of a report; of a long one the largest rows of its total."""
    result, is_whole = taken.first(report)
    rows = result.table.num_rows
    if rows <= MOST_ROWS:
        return Shown(result, result)
    is_drawn = is_whole and rows <= MOST_DRAWN
    ranked = report.ranked_by
    all_rows = f"`imsperf report {report.id}` has all."
    if not report.time or not ranked:
        words = f"The first {MOST_ROWS:,} rows; {all_rows}"
        cut = replace(result, table=result.table.slice(0, MOST_ROWS), note=words)
        return Shown(cut, result if is_drawn else None)
    keep = taken.keep.of(report) or taken.keep
    total = summed(ask(taken.con, report, keep=keep, over=True, top=Top(TOP, ranked)))
    words = (
        f"More than {MOST_ROWS:,} rows: the table has totals of all intervals, of each system the "
        f"{TOP} rows with the largest {report.column(ranked).heading}. {all_rows}"
    )
    return Shown(replace(total, note=words), result if is_drawn else total)


def _health(con: duckdb.DuckDBPyConnection, run: str, results: Sequence[Result]) -> Iterator[str]:
    """What is not well with the data, or that all is."""
    loaded = con.execute(
        "SELECT count(*), coalesce(sum(records), 0), coalesce(sum(bytes), 0) FROM load_file"
        " WHERE run = $run",
        {"run": run},
    ).fetchone()
    count, records, size = loaded or (0, 0, 0)
    said = list(dict.fromkeys(line for result in results for line in result.remarks))
    suspect = max((result.suspect for result in results), default=0)
    if suspect:
        said.append(f"{suspect:,} suspect records are in the tables; `imsperf files` names them")
    yield f"{count:,} files, {records:,} records, {size / 1e6:,.1f} MB."
    if said:
        yield from said
    else:
        yield _HEALTHY


def _findings(taken: Taken, reports: Sequence[str]) -> dict[str, Any]:
    """What stands out, the most severe first, and how many rules of these reports were tested."""
    rules = [rule for rule in shipped() if not reports or rule.report in reports]
    found = findings(taken.con, taken.keep, rules=rules, taken=taken)
    return {
        "tested": len(found.tested),
        "rows": [
            {
                "title": visible(row["title"]),
                "severity": row["severity"],
                "report": row["report"],
                "text": visible(finding_sentence(row)),
                "reason": visible(row["reason"]),
                "overruled": visible(row["overruled"]),
            }
            for row in found.table.slice(0, MOST_FINDINGS).to_pylist()
        ],
    }


def _report(shown: Shown) -> dict[str, Any]:
    """A report as the script of the page reads it."""
    result = shown.table
    report, table = result.report, result.shown
    hidden = {"run"}
    if "interval_start" in table.column_names and not table["interval_start"].null_count:
        hidden.add("interval_start_utc")
    columns = []
    for column, field in zip(report.shown, table.schema, strict=True):
        if column.name in hidden:
            continue
        values = table[column.name]
        number = is_number(field.type)
        columns.append(
            {
                "name": column.name,
                "heading": column.heading,
                "unit": column.unit,
                "doc": column.doc,
                "better": column.better,
                "formula": ratio_text(column) if column.num else "",
                "number": number,
                **_cells(values),
            }
        )
    return {
        "id": report.id,
        "title": report.title,
        "answers": report.answers,
        "note": visible(result.note),
        "columns": columns,
        "needs": records_needed(report),
        "chart": _chart(shown.chart),
    }


def _chart(result: Result | None) -> dict[str, Any] | None:
    """The marks of the report's own chart; None where it has none, or no value to draw."""
    if result is None:
        return None
    try:
        axes, rows = marks(result)
    except ReportError:
        return None
    columns = {
        name: _rounded(rows[name])
        if is_number(rows.schema.field(name).type)
        else _texts(rows[name])
        for name in rows.column_names
    }
    return {
        "mark": axes.mark,
        "title": axes.title,
        "subtitle": axes.subtitle,
        "labels": list(axes.labels),
        "unit": axes.units[0] if len(set(axes.units)) == 1 else "",
        "time": axes.x_kind == "time",
        "xTitle": axes.x_title,
        "colored": axes.color_title != "",
        "stacked": axes.stacked,
        "ownY": axes.own_y,
        **columns,
    }


def _comparison(comparison: Comparison | None) -> dict[str, Any] | None:
    """The sentence, and what changed, the rows of one cause together."""
    if comparison is None:
        return None
    from imsperf.reports.comparison.summary import (
        excursion_lines,
        groups_of,
        lines_of,
        sentence,
        what,
    )

    groups = groups_of(comparison)
    rows = [
        {
            "follows": follows,
            "verdict": row["verdict"],
            "report": row["report"],
            "what": what(comparison, row, more),
            "key": visible(str(row["key"])),
            "column": row["column"],
            "unit": row["unit"] or "",
            **{name: _short(row[name]) for name in ("base", "candidate", "delta_pct")},
            "low": _short(row["ci_low_pct"]),
            "high": _short(row["ci_high_pct"]),
        }
        for row, more, follows in lines_of(groups)[:MOST_CHANGED]
    ]
    differs = comparison.differences.to_pylist()
    return {
        "sentence": visible(" ".join([sentence(comparison, groups), *excursion_lines(comparison)])),
        "caution": comparison.caution,
        "rows": rows,
        "differences": [
            {name: visible(str(value)) if value is not None else "-" for name, value in row.items()}
            for row in differs[:200]
        ],
    }


def _short(value: Any) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.{DIGITS}g}")


def _rounded(column: pa.ChunkedArray) -> list[float | int | None]:
    """Numbers to DIGITS digits; what is no number (NULL, infinite) is None."""
    if kinds.is_integer(column.type):
        return list(column.to_pylist())
    numbers = pc.cast(column, pa.float64()).to_pylist()
    return [
        None if v is None or not math.isfinite(v) else float(f"{v:.{DIGITS}g}") for v in numbers
    ]


def _cells(column: pa.ChunkedArray) -> dict[str, list[Any]]:
    """The values of a column; text that stands in many rows once, with its place in each row."""
    if is_number(column.type):
        return {"values": _rounded(column)}
    texts = pa.array(_texts(column), pa.string()).dictionary_encode()
    if len(texts.dictionary) > len(texts) / 2:
        return {"values": texts.to_pylist()}
    return {"words": texts.dictionary.to_pylist(), "codes": texts.indices.to_pylist()}


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    if kinds.is_timestamp(column.type):
        column = pc.strftime(column, "%Y-%m-%dT%H:%M:%S")
        return [value and value[:19] for value in column.to_pylist()]
    return [None if value is None else visible(str(value)) for value in column.to_pylist()]


# --- HTML ----------------------------------------------------------------------------------------


def _html(title: str, data: dict[str, Any]) -> str:
    own = files("imsperf.reports.html_page")
    script = own.joinpath("page.js").read_text(encoding="utf-8")
    style = own.joinpath("page.css").read_text(encoding="utf-8")
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for sign, escape in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, escape)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}';"
        " base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(visible(title))}</title>\n<style>{style}</style>\n</head>\n"
        '<body>\n<div id="page"><noscript>This page needs JavaScript; it stands in the page.'
        f'</noscript></div>\n<script type="application/json" id="data">{text}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
