"""One self-contained HTML page of a run: what is well, key figures, a timeline, every report.

The page asks for nothing: styles, script and data stand in it, and its content security policy
allows its own script alone. Names from dumps are JSON without an angle bracket, and reach the page
as text. Numbers have six digits. The page has at most MOST_BYTES bytes: what does not fit is shown
in a smaller form (`shown.py`), and says so.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from imsperf.database.read_only import asked_in_place
from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.charts.finding import marks as finding_marks
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.findings.findings import Findings, Plan
from imsperf.reports.findings.rule import Rule, shipped
from imsperf.reports.findings.text import sentence as finding_sentence
from imsperf.reports.findings.text import tested
from imsperf.reports.html_page.cells import short
from imsperf.reports.html_page.shown import Shown, as_json, chart_data, fit, hourly, shown_of
from imsperf.reports.html_page.timeline import FIGURES, Figure, drawn, figures_of
from imsperf.reports.numbers import visible
from imsperf.reports.run import Result, lacking_of, no_rows, to_show
from imsperf.reports.taken import Taken, Together

if TYPE_CHECKING:
    from imsperf.reports.comparison.compare import Comparison

MOST_BYTES = 4_900_000  # of the page
MOST_REMARKS = 20  # on what is not well
MOST_FINDINGS = 10
MOST_POINTS = 2_000  # of the chart of a finding; more are the largest of each hour
MOST_CHANGED = 200  # lines of what changed
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
    rules = [rule for rule in shipped() if not reports or rule.report in reports]
    plan = Plan.of(rules, con, run)
    with Taken(con, keep, together) as taken:
        asked = [report for report, _ in to_show(con, keep, reports)]
        drawn_of = [catalog().get(figure.report) for figure in FIGURES]
        every = {report.id: report for report in (*asked, *drawn_of, *plan.reports)}
        wanted = {report.id for report in asked}
        made = taken.take(
            list(every.values()), lambda own, report: _made(own, report, plan, report.id in wanted)
        )
    shown = [one.shown for one in made if one.shown]
    if not shown:
        raise no_rows(con, run)
    health = list(_health(con, run, [each.table.result for each in shown]))
    of_figure = {figure: data for one in made for figure, data in one.figures}
    data = {
        "run": visible(run),
        "healthy": health[-1] == _HEALTHY,
        "made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "health": [visible(line) for line in health],
        "findings": _findings(
            plan.findings(found for one in made for found in one.found),
            {rule: chart for one in made for rule, chart in one.charts},
        ),
        "figures": [of_figure[figure] for figure in FIGURES if figure in of_figure],
        "absent": [
            {"id": report, "lacks": " and ".join(lacks)}
            for report, lacks in lacking_of(catalog(), con).items()
            if lacks
        ],
        "leftOut": _left_out(con, keep, reports, shown),
        "comparison": _comparison(comparison),
    }
    head = f"{run} - imsperf"
    fit(shown, MOST_BYTES - len(_html(head, as_json(data)).encode()))
    reports_text = ",".join(each.text for each in shown)
    return _html(head, f'{as_json(data)[:-1]},"reports":[{reports_text}]}}')


# --- data ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Made:
    """What the page has of one report, so that its rows are needed no longer."""

    shown: Shown | None
    figures: list[tuple[Figure, dict[str, Any]]]
    found: list[tuple[Rule, pa.Table | None]]
    charts: list[tuple[str, dict[str, Any]]]


def _made(taken: Taken, report: Report, plan: Plan, is_wanted: bool) -> _Made:
    """All that the page makes of the rows of a report."""
    shown = shown_of(taken, report) if is_wanted else None
    figures = [(figure, drawn(figure, rows)) for figure, rows in figures_of(taken, report)]
    found = plan.found(taken, report)
    charts = list(_charts(taken, found))
    if report.id not in plan.beside:
        taken.drop(report)
    return _Made(shown, figures, found, charts)


def _charts(
    taken: Taken, found: Sequence[tuple[Rule, pa.Table | None]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The chart of each rule that finds something; a point for each hour where there are many."""
    for rule, table in found:
        if table is not None and table.num_rows:
            try:
                axes, rows, limits = finding_marks(taken, rule, table.slice(0, 1).to_pylist()[0])
            except ReportError:
                continue
            if rows.num_rows > MOST_POINTS:
                rows = hourly(rows, ("color", "panel", "component"), "x", "value")
            yield rule.id, chart_data(replace(axes, title="", subtitle=""), rows, limits)


def _left_out(
    con: duckdb.DuckDBPyConnection, keep: Filter, wanted: Sequence[str], shown: Sequence[Shown]
) -> str:
    """Which reports have their records and are not on the page as no row is of this system or time.

    Empty where nothing but a run was asked for.
    """
    if keep.system is None and not keep.has_time:
        return ""
    there = {each.report.id for each in shown}
    could = {report.id for report, _ in to_show(con, Filter(keep.run), wanted)}
    missing = sorted(could - there)
    return f"Without rows of this system and time: {', '.join(missing)}." if missing else ""


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
    lists = "`imsperf doctor`" if asked_in_place(con) else "`imsperf files`"
    if suspect:
        some = "1 suspect record is" if suspect == 1 else f"{suspect:,} suspect records are"
        said.append(f"{some} in the tables; {lists} names {'it' if suspect == 1 else 'them'}")
    if len(said) > MOST_REMARKS:
        more = len(said) - MOST_REMARKS
        said = [*said[:MOST_REMARKS], f"And {more:,} more; {lists} has all."]
    much = f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size:,} bytes"
    yield f"{count:,} file{'s' * (count != 1)}, {records:,} records, {much}."
    if said:
        yield from said
    else:
        yield _HEALTHY


def _findings(found: Findings, charts: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """What stands out, the most severe first, and how many rules of these reports were tested."""
    return {
        "tested": tested(found) if found.tested else "",
        "rows": [
            {
                "title": visible(row["title"]),
                "severity": row["severity"],
                "report": row["report"],
                "text": visible(finding_sentence(row)),
                "reason": visible(row["reason"]),
                "overruled": visible(row["overruled"]),
                "chart": charts.get(row["finding"]),
            }
            for row in found.table.slice(0, MOST_FINDINGS).to_pylist()
        ],
    }


def _comparison(comparison: Comparison | None) -> dict[str, Any] | None:
    """The sentence, and what changed, the rows of one cause together."""
    if comparison is None:
        return None
    from imsperf.reports.comparison.causes import causes_of
    from imsperf.reports.comparison.summary import (
        excursion_lines,
        lines_of,
        sentence,
        what,
    )

    groups = causes_of(comparison.table)
    rows = [
        {
            "follows": follows,
            "verdict": row["verdict"],
            "report": row["report"],
            "what": what(comparison, row, more),
            "key": visible(str(row["key"])),
            "column": row["column"],
            "unit": row["unit"] or "",
            **{name: short(row[name]) for name in ("base", "candidate", "delta_pct")},
            "low": short(row["ci_low_pct"]),
            "high": short(row["ci_high_pct"]),
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


# --- HTML ----------------------------------------------------------------------------------------


def _html(title: str, data: str) -> str:
    own = files("imsperf.reports.html_page")
    script = own.joinpath("page.js").read_text(encoding="utf-8")
    style = own.joinpath("page.css").read_text(encoding="utf-8")
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
        f'</noscript></div>\n<script type="application/json" id="data">{data}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
