"""Reports as they are asked for: which one, of what rows, checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from imsperf.errors import ReportError, near

if TYPE_CHECKING:
    from imsperf.database.store import Store
    from imsperf.parsers.selection import Selection
    from imsperf.reports.filter import Filter
    from imsperf.reports.run import Query

Time = str | datetime


class ReportOptions(TypedDict, total=False):
    """Options of `report`, `run_report` and `report_parts`."""

    run: str | None
    system: str | None
    start: Time | None
    end: Time | None
    tod: str | None
    every: timedelta | None
    total: bool
    top: int | None
    by: str | None
    where: str
    sort: str
    fields: str


def asked(
    store: Store, report_id: str, parameters: Mapping[str, Any] | None, options: ReportOptions
) -> Query:
    """The report as it is asked for."""
    from imsperf.reports.catalog import catalog
    from imsperf.reports.remarks import reads
    from imsperf.reports.run import Top, ask, values_of
    from imsperf.reports.shared_views import read_again
    from imsperf.reports.views import with_values

    for name in options:
        if name not in ReportOptions.__annotations__:
            hint = near(name, ReportOptions.__annotations__)
            raise TypeError(f"found option {name!r}, which is none of a report; {hint}")
    if options.get("fields"):
        return _form(store, report_id, options)
    run, every, top = options.get("run"), options.get("every"), options.get("top")
    report = catalog().get(report_id)
    keep, source = filter_of(options), store
    about = _about(keep.of_records(report))
    beside = (*report.beside, *report.presence, *reads(report))
    often = read_again([report.sql, *report.beside])
    rows = with_values(report, values_of(report, parameters))
    store = store.ready([rows, *beside], about, often)
    check_run(store, run)
    if every and options.get("total"):
        raise ReportError(
            "found both an interval and a total, expected one of them",
            "--interval is rows of longer intervals, --total one row for the whole run",
        )
    by = options.get("by")
    if top is not None and by is None:
        by = options.get("sort", "").split(",")[0].partition(":")[0] or report.ranked_by or None
    if (top is None) != (by is None):
        raise ReportError(
            f"{report.id}: found top without by, or by without top, expected both",
            f"such as --top 10 --by {next((c.name for c in report.shown), 'COLUMN')}",
        )
    first = None if top is None else Top(top, str(by))
    over = every or options.get("total")
    chosen = options.get("where", ""), options.get("sort", "")
    query = ask(store.con, report, parameters, keep, over, first, *chosen)
    return replace(query, of_all=source.con) if about else query


def _about(keep: Filter) -> Selection:
    from imsperf.parsers.selection import Selection

    return Selection((), keep.system, keep.start, keep.end)


def filter_of(options: ReportOptions) -> Filter:
    from imsperf.reports.filter import Filter

    return Filter(
        options.get("run"),
        options.get("system"),
        time_of(options.get("start")),
        time_of(options.get("end")),
        time_of_day(options.get("tod")),
    )


def _form(store: Store, report_id: str, options: ReportOptions) -> Query:
    """ims.transit with fields and groups of the user."""
    from imsperf.reports.filter import Filter
    from imsperf.reports.remarks import reads
    from imsperf.reports.run import ask
    from imsperf.reports.transit_form import BASE, VIEW, form

    if report_id != BASE:
        raise ReportError(f"{report_id}: found fields, which only {BASE} has", "leave them out")
    if options.get("every") or options.get("total") or options.get("top"):
        raise ReportError(
            f"{BASE}: found fields with an interval, a total or top, expected groups alone",
            "--by tran,hour groups by time; --sort orders the rows",
        )
    plain = f"SELECT * FROM {VIEW}"
    store = store.ready([plain])
    keep = filter_of(options)
    check_run(store, keep.run)
    with store.con.cursor() as cursor:
        names = [name for name, *_ in cursor.execute(f"{plain} LIMIT 0").description]
    rows, kept = keep.sql(plain, names)
    report = form(options["fields"], options.get("by") or "", rows)
    store = store.ready([plain, *report.presence, *reads(report)])
    chosen = options.get("where", ""), options.get("sort", "")
    return replace(ask(store.con, report, None, Filter(keep.run), None, None, *chosen), values=kept)


def check_run(store: Store, run: str | None) -> None:
    named = "SELECT DISTINCT run FROM load_file ORDER BY run"
    runs = [name for (name,) in store.con.execute(named).fetchall()]
    if run is not None and run not in runs:
        raise ReportError(
            f"{store.path}: no run {run!r}", near(run, runs, f"runs: {', '.join(runs)}")
        )


def check_system(store: Store, system: str | None) -> None:
    """Raises ReportError for a system that no record names, with the nearest."""
    from imsperf.reports.run import systems

    if system is not None and system not in (known := systems(store.con)):
        listed = f"systems: {', '.join(known)}" if known else "its records name no system"
        raise ReportError(f"{store.path}: no system {system!r}", near(system, known, listed))


def time_of(given: Time | None) -> datetime | None:
    from imsperf.parsers import options

    return options.time_of(given)


def time_of_day(given: str | None) -> tuple[time, time] | None:
    """09:00-17:00 as two times; 24:00 is midnight. Raises ReportError for any other form."""
    if given is None:
        return None
    words = given.replace(" ", "").replace("24:00", "00:00")
    match = re.fullmatch(r"(\d\d?):(\d\d)-(\d\d?):(\d\d)", words)
    try:
        numbers = map(int, match.groups()) if match else iter([0, 0, 0, 0])
        begin, end = time(next(numbers), next(numbers)), time(next(numbers), next(numbers))
    except ValueError:
        begin = end = time()
    if begin == end:
        raise ReportError(
            f"found {given!r}, expected two times of day", "such as 09:00-17:00 or 22:00-06:00"
        )
    return begin, end
