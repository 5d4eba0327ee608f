"""What pages are made of: the rows of a page, cells, columns, and the headings above them.

A page is one run, system and interval (IMS: one run, IMS and interval). What is missing prints as
the column's `empty` says. The wording of headings is RMF's and IMSPA's; the numbers are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from imsperf.reports.definition import PageColumn
from imsperf.reports.numbers import formatter, interval_imspa, interval_rmf, visible
from imsperf.reports.run import Result

Row = Mapping[str, Any]
WIDTH = 120


@dataclass(frozen=True)
class Page:
    """The rows of one page and what stands above them."""

    rows: list[Row]
    facts: Row


def split(result: Result, *more: str) -> Iterator[Page]:
    """The pages of a result, in the order of its rows; `more` are columns that start a page."""
    keys = ("run", "system", "interval_start_utc", "interval_start")
    facts = {}
    if result.facts is not None:
        facts = {tuple(row[key] for key in keys): row for row in result.facts.to_pylist()}
    pages: dict[tuple[Any, ...], list[Row]] = {}
    for row in result.table.to_pylist():
        pages.setdefault(tuple(row[key] for key in (*keys, *more)), []).append(row)
    for place, rows in pages.items():
        yield Page(rows, facts.get(place[: len(keys)], {}))


def cell(result: Result, row: Row, name: str, empty: str | None = None) -> str:
    """One value in the form of its column."""
    column = result.report.column(name)
    value = row[name]
    if value is None:
        return column.empty if empty is None else empty
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return formatter(column.format)(value) if column.format else visible(str(value))


def lines(template: str, rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns: `template` has one width each, negative = to the left."""
    widths = [int(width) for width in template.split()]
    return "".join(
        " ".join(
            t.rjust(w) if w > 0 else t.ljust(-w) for t, w in zip(row, widths, strict=True)
        ).rstrip()
        + "\n"
        for row in rows
    )


def columns(result: Result, rows: Sequence[Row], shown: Sequence[PageColumn]) -> str:
    """Headings and rows of a table."""
    height = max(column.heading.count("|") for column in shown)
    heads = [(height - one.heading.count("|")) * "|" + one.heading for one in shown]
    above = [list(line) for line in zip(*(head.split("|") for head in heads), strict=True)]
    codes = result.report.page.codes if result.report.page else {}
    body = [[_coded(result, row, column.name, codes) for column in shown] for row in rows]
    return lines(" ".join(str(column.width) for column in shown), [*above, *body])


def _coded(result: Result, row: Row, name: str, codes: Mapping[str, Mapping[str, str]]) -> str:
    """One value, as the code that stands for it where the page has codes for its column."""
    return codes[name].get(row[name], "-") if name in codes else cell(result, row, name)


# --- headings ------------------------------------------------------------------------------------


def spaced(title: str) -> str:
    """RMF's title: letters apart, words two blanks apart, in the middle."""
    return "  ".join(" ".join(word) for word in title.upper().split()).center(WIDTH).rstrip() + "\n"


def zos_version(level: str | None) -> str:
    """V2R4 from zV020400; the stored level where it has another form."""
    digits = (level or "")[2:6]
    if digits.isdigit() and len(digits) == 4:
        return f"V{int(digits[:2])}R{int(digits[2:])}"
    return visible(level or "-")


def longest(page: Page) -> float | None:
    """Seconds of the page: of the row that was there all the time."""
    return max((r["interval_s"] for r in page.rows if r["interval_s"] is not None), default=None)


def rmf_heading(title: str, page: Page) -> str:
    """Title, run, system, date, time and interval."""
    row, facts = page.rows[0], page.facts
    start: datetime | None = row["interval_start"]
    day = f"{start:%m/%d/%Y}" if start else "-"
    clock = f"{start:%H.%M.%S}" if start else "-"
    level = zos_version(facts.get("zos_level"))
    seconds = longest(page)
    length = "-" if seconds is None else interval_rmf(seconds)
    cycle = f"{(facts.get('cycle_ms') or 0) / 1000:.3f}"
    system = visible(row["system"] or "-")
    return (
        spaced(title)
        + f"\n            {'z/OS ' + level:<24} SYSTEM ID {system:<16} "
        + f"DATE {day:<20} INTERVAL {length}\n"
        + f"            {'RUN ' + visible(row['run'] or '-'):<24} RPT VERSION {level + ' RMF':<14} "
        + f"TIME {clock:<20} CYCLE {cycle} SECONDS\n\n"
    )


def sysplex_pages(result: Result, *names: str) -> Iterator[Page]:
    """Pages of all systems together: rows of one run, interval and `names`."""

    def place(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in ("run", "sysplex", "interval_start_utc", *names))

    facts = result.facts.to_pylist()[:1] if result.facts is not None else []
    for _, rows in groupby(result.table.to_pylist(), key=place):
        yield Page(list(rows), facts[0] if facts else {})


def sysplex_heading(title: str, page: Page) -> str:
    """As rmf_heading, with the sysplex for the system and without a cycle."""
    row = page.rows[0]
    level, start, seconds = (
        zos_version(page.facts.get("zos_level")),
        row["interval_start"],
        longest(page),
    )
    length = "-" if seconds is None else interval_rmf(seconds)
    return (
        spaced(title)
        + f"\n            {'z/OS ' + level:<24} SYSPLEX {visible(row['sysplex'] or '-'):<18} "
        + f"DATE {f'{start:%m/%d/%Y}' if start else '-':<20} INTERVAL {length}\n"
        + f"            {'RUN ' + visible(row['run'] or '-'):<24} RPT VERSION {level + ' RMF':<14} "
        + f"TIME {f'{start:%H.%M.%S}' if start else '-'}\n\n"
    )


def ims_heading(title: str, page: Page) -> str:
    """Title, IMS, start and interval; then the run."""
    row = page.rows[0]
    start: datetime | None = row["interval_start"] or row["interval_start_utc"]
    zone = "" if row["interval_start"] else " UTC"
    when = f"{start:%d%b%Y %H.%M.%S}{zone}" if start else "-"
    seconds = longest(page)
    length = "-" if seconds is None else interval_imspa(seconds)
    restart = "   IMS restarted: counts since the restart" if row.get("restarted") else ""
    return (
        f"{title:<34} IMS : {visible(row['ims'] or '-'):<6} From : {when}"
        f"  Interval : {length:>10} (HHHH.MM.SS)\n"
        f"{'':<34} Run : {visible(row['run'] or '-')}{restart}\n\n"
    )


def smf_heading(title: str, page: Page, about: str = "") -> str:
    """Title, system, time and interval; then what the page is about, and the run."""
    row = page.rows[0]
    start: datetime | None = row["interval_start"]
    end: datetime | None = row.get("interval_end_utc")
    when = f"From : {start:%d%b%Y %H.%M.%S}" if start else "From : -"
    if end and not start:
        when = f"To : {end:%d%b%Y %H.%M.%S} UTC"
    length = "-" if row["interval_s"] is None else interval_imspa(row["interval_s"])
    return (
        f"{title:<34} System : {visible(row['system'] or '-'):<8}  {when}"
        f"  Interval : {length:>10} (HHHH.MM.SS)\n"
        f"{about:<34} Run : {visible(row['run'] or '-')}\n\n"
    )


def log_heading(title: str, page: Page) -> str:
    """Title, IMS and run of a whole log."""
    row = page.rows[0]
    return f"{title:<34} IMS : {visible(row['ims'] or '-'):<6} Run : {visible(row['run'])}\n\n"
