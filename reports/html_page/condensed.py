"""A report of too many rows for a document: totals of hours, the largest rows of its total, or the
first of its rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from imsperf.reports.definition import Report
from imsperf.reports.run import Result, Top
from imsperf.reports.taken import Taken
from imsperf.reports.total import aggregate

HOUR = timedelta(hours=1)
_FORMS = ((HOUR, "totals of hours"), (None, "totals of all intervals"))
_WORTH = 0.7  # a total has less than this part of the rows


@dataclass(frozen=True)
class Condensed:
    """`rows`: how many the report has, 0 where nobody counted them; `form`: what `result` has
    instead, empty where it has the rows themselves; `is_cut`: it has the first of them."""

    result: Result
    rows: int
    form: str = ""
    is_cut: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether it has all rows of the report."""
        return not (self.form or self.is_cut)

    @property
    def note(self) -> str:
        """What is left out; empty where nothing is."""
        if self.is_whole:
            return ""
        count, of = self.result.table.num_rows, f"{self.rows:,}" if self.rows else "all"
        first = [f"the first {count:,}"] if self.is_cut else []
        has = "; of these ".join([*([self.form] if self.form else []), *first])
        words = f"the table has {has}" if count else "the table has none, as there is no room"
        return f"Instead of {of} rows {words}. `imsperf report {self.result.report.id}` has all."

    def cut(self, rows: int) -> Condensed:
        """The first of the rows."""
        result = replace(self.result, table=self.result.table.slice(0, rows))
        return replace(self, result=result, is_cut=True)

    def smaller(self) -> Condensed:
        """Totals of hours or of all intervals where these have fewer rows, else the first half."""
        report, rows = self.result.report, self.result.table.num_rows
        if self.is_whole and report.time and not report.range:
            for every, form in _FORMS:
                total = aggregate(self.result, every)
                if total.table.num_rows < _WORTH * rows:
                    return Condensed(total, self.rows, form)
        return self.cut(rows // 2)


def condensed(taken: Taken, report: Report, most: int, top: int | None = None) -> Condensed:
    """A report in at most so many rows: its own; totals of hours; totals of all intervals, of each
    system the `top` rows with the largest value of one column; the first of these.

    Raises AbsentRecords where it can have no rows.
    """
    is_list = report.chart is None and not (report.time and report.ranked_by)
    result, is_whole = taken.first(report, most + 1 if is_list else None)
    rows = result.table.num_rows
    if is_whole and rows <= most:
        return Condensed(result, rows)
    if is_list:
        return Condensed(result, 0).cut(most)
    if not is_whole:
        with taken.cursor(given=report) as cursor:
            ((rows,),) = cursor.execute("SELECT count(*) FROM given").fetchall()
        if rows <= most:
            return Condensed(replace(result, table=taken.rows(report)), rows)
    if report.time and not report.range and _hours(taken, report, rows) <= most:
        total = taken.total(report, HOUR)
        if total.table.num_rows <= most:  # more are rows of keys that do not come again
            return Condensed(total, rows, _FORMS[0][1])
    by = report.ranked_by
    if not (report.time and by):
        return Condensed(replace(result, table=taken.head(report, most)), rows, is_cut=True)
    form = _FORMS[1][1]
    if top:
        form += f", of each system the {top} rows with the largest {report.column(by).heading}"
    total = taken.total(report, None, Top(top, by) if top else None)
    made = Condensed(total, rows, form)
    return made if total.table.num_rows <= most else made.cut(most)


def _hours(taken: Taken, report: Report, rows: int) -> float:
    """About how many rows the totals of hours have."""
    time = f'"{report.time}"'
    with taken.cursor(given=report) as cursor:
        counted = cursor.execute(
            f"SELECT count(DISTINCT {time}), count(DISTINCT time_bucket(INTERVAL 1 HOUR, {time}))"
            " FROM given"
        ).fetchall()
    ((intervals, hours),) = counted
    return float(rows * hours / intervals) if intervals else rows
