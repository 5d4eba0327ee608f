"""What pages are made of: the rows of a page, cells, columns, and the headings above them.

A page is one run, system and interval (IMS: one run, IMS and interval). What is missing prints as
the column's `empty` says. The wording of headings is RMF's and IMSPA's; the numbers are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from imsperf.reports.numbers import fitted, formatter, interval_imspa, interval_rmf, visible
from imsperf.reports.run import Result

Row = Mapping[str, Any]
WIDTH = 120


@dataclass(frozen=True)
class Page:
    """The rows of one page and what stands above them."""

    rows: list[Row]
    facts: Row


INTERVAL = ("run", "system", "interval_start_utc", "interval_start")


def pages_of(result: Result, rows: Sequence[Row], keys: Sequence[str]) -> Iterator[Page]:
    """Rows that are alike in `keys` are a page; pages come in the order of their first rows."""
    facts: dict[tuple[Any, ...], Row] = {}
    for fact in result.facts.to_pylist() if result.facts is not None else ():
        facts.setdefault(tuple(fact[key] for key in INTERVAL), fact)
        facts.setdefault((fact["run"], fact["interval_start_utc"]), fact)  # for a whole sysplex
    pages: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        pages.setdefault(tuple(row[key] for key in keys), []).append(row)
    for alike in pages.values():
        row = alike[0]
        place = tuple(row.get(key) for key in INTERVAL)
        of_any = facts.get((row["run"], row.get("interval_start_utc")), {})
        yield Page(alike, facts.get(place, {} if row.get("system") else of_any))


def cell(result: Result, row: Row, name: str) -> str:
    """One value in the form of its column."""
    column = result.report.column(name)
    value = row[name]
    if value is None:
        return column.empty
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return formatter(column.format)(value) if column.format else visible(str(value))


def lines(
    widths: Sequence[int], rows: Sequence[Sequence[str]], heads: Sequence[Sequence[str]] = ()
) -> str:
    """Headings and rows in columns of these widths, negative = to the left."""
    return "".join(
        " ".join(write(text, width) for text, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for some, write in ((heads, _padded), (rows, set_width))
        for row in some
    )


def _padded(text: str, width: int) -> str:
    return text.rjust(width) if width > 0 else text.ljust(-width)


def set_width(text: str, width: int) -> str:
    """To the right, with a negative width to the left, with 0 as wide as it is; never wider."""
    return _padded(fitted(text, abs(width)) if width else text, width)


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


def smf_heading(title: str, page: Page) -> str:
    """Title, system, time and interval; then what follows a | in the title, and the run."""
    row = page.rows[0]
    title, _, about = title.partition("|")
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
