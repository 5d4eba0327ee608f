"""Which rows of a report are wanted: run, system, local time; as SQL around that of the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any

from imsperf.errors import ReportError, check_order
from imsperf.reports.definition import Report

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Filter:
    """What rows to keep: equal run and system, local interval start in [start, end).

    `tod` is a time of day, first inside and second outside; from 22:00 to 06:00 is over midnight.
    `runs`: any of these, where `run` is None.
    """

    run: str | None = None
    system: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    tod: tuple[time, time] | None = None
    runs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ReportError for times that end before they begin."""
        check_order(self.start, self.end)

    @property
    def has_time(self) -> bool:
        """Whether it asks for a time."""
        return bool(self.start or self.end or self.tod)

    def sql(self, rows: str, names: Iterable[str]) -> tuple[str, dict[str, Any]]:
        """SELECT of the rows that pass, and the values it binds; `names` are the columns there."""
        tests: list[tuple[str, str, dict[str, Any]]] = [
            ("run", "run = $keep_run", {"keep_run": self.run}),
            ("system", "system = $keep_system", {"keep_system": self.system}),
            ("interval_start", "interval_start >= $keep_start", {"keep_start": self.start}),
            ("interval_start", "interval_start < $keep_end", {"keep_end": self.end}),
        ]
        if self.runs:
            bound_runs = {f"keep_run_{place}": name for place, name in enumerate(self.runs)}
            one_of = ", ".join(f"${name}" for name in bound_runs)
            tests.append(("run", f"run IN ({one_of})", bound_runs))
        if self.tod:
            begin, end = self.tod
            both = "AND" if begin < end else "OR"
            words = f"(clock >= $keep_begin {both} clock < $keep_until)"
            clock = words.replace("clock", "CAST(interval_start AS TIME)")
            tests.append(("interval_start", clock, {"keep_begin": begin, "keep_until": end}))
        there = set(names)
        wanted = [
            (test, values)
            for name, test, values in tests
            if name in there and None not in values.values()
        ]
        if not wanted:
            return rows, {}
        where = " AND ".join(test for test, _ in wanted)
        bound = {name: value for _, values in wanted for name, value in values.items()}
        return f"SELECT * FROM ({rows}\n) AS report_row WHERE {where}", bound

    def check(self, report: Report) -> None:
        """Raise ReportError where something is wanted that the rows of the report cannot tell."""
        if self.has_time and not (report.time or report.range):
            raise ReportError(
                f"{report.id}: its rows have no time: --from, --to and --tod say nothing"
            )
        if self.has_time and report.is_of_the_ledger:
            raise ReportError(
                f"{report.id}: found --from, --to or --tod, but it counts whole files",
                "`imsperf load --from --to` loads a part of a file",
            )
        if self.system is not None and "system" not in report.names:
            raise ReportError(
                f"{report.id}: its rows are of no single system: --system says nothing"
            )

    def of(self, report: Report) -> Filter | None:
        """The filter for this report among many: without a time that its rows do not have.

        None where the report cannot tell what is asked: see `check`.
        """
        keep = (
            self if report.time or report.range else replace(self, start=None, end=None, tod=None)
        )
        try:
            keep.check(report)
        except ReportError:
            return None
        return keep

    def of_records(self, report: Report) -> Filter:
        """What it says of the records that rows of a report come from."""
        timed = "interval_start" in report.records_by
        return Filter(
            system=self.system if "system" in report.records_by else None,
            start=self.start if timed else None,
            end=self.end if timed else None,
        )

    @property
    def told(self) -> dict[str, str]:
        """Variables of SQL that keeps a range itself: see in_report_range."""
        begin, end = self.tod or (None, None)
        told = {
            **{"report_from": self.start, "report_to": self.end},
            **{"report_tod_from": begin, "report_tod_to": end},
        }
        return {name: str(value) for name, value in told.items() if value is not None}


EVERYTHING = Filter()


# --- longer intervals ----------------------------------------------------------------------------


def bucket_told(every: timedelta | None) -> dict[str, str]:
    """Variables of report_bucket. Raises ReportError for a length that cannot be cut from days."""
    if every is None:
        return {}
    if every <= timedelta(0) or (every > DAY and every % DAY):
        raise ReportError(
            f"--interval: found {interval_words(every)}, expected a part of a day, or whole days",
            "such as 15m, 1h, 1d or 7d",
        )
    return {"report_every": f"{every.total_seconds()}"}


def interval_words(length: timedelta) -> str:
    """A length as it is given on the command line: 90s, 15m, 2h, 1d."""
    seconds = length.total_seconds()
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size:.0f}{unit}"
    return f"{seconds:g}s"
