"""Pages as RMF prints them: reports that stand in one listing, interval by interval, numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from textwrap import fill
from typing import Any

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.definition import PageSpec, Report
from imsperf.reports.numbers import visible
from imsperf.reports.page_parts import WIDTH
from imsperf.reports.pages import PageText, page_texts
from imsperf.reports.run import PAGE_KEYS, Query, Result, parts
from imsperf.reports.text import PAGE_WIDTH, footer
from imsperf.reports.total import summed

_INTERVAL = (*PAGE_KEYS, "interval_start_utc")


def reports_together(report: Report) -> tuple[tuple[str, ...], ...]:
    """The reports of each page of its listing. Raises ReportError where it has no page."""
    if report.page is None:
        raise ReportError(
            f"{report.id}: found no printed page of it", "without --page it prints as a table"
        )
    return report.page.together or ((report.id,),)


def printed(queries: Sequence[Sequence[Query]]) -> Iterator[str]:
    """The pages of a listing, then what is said below them; those of an interval stand together.

    `queries`: for each page what is asked for it. A report without rows is left out, which is said.
    Raises AbsentRecords where all are without.
    """
    shared = set.intersection(
        *({*_spec(query.report).breaks} for of_page in queries for query in of_page)
    )
    said = _Said()
    streams = [
        _pages(query, sheet, place, [name for name in query.report.names if name in shared], said)
        for sheet, of_page in enumerate(queries)
        for place, query in enumerate(of_page)
    ]
    before = ""
    for _, of_interval in groupby(merge(*streams, key=_interval), key=_interval):
        for number, texts in enumerate(_sheets(of_interval), 1):
            yield before + _numbered(texts[0].heading, number)
            yield _joined([text.body for text in texts])
            before = "\n"
    if not before and said.absent:
        raise said.absent[0]
    yield from said.footers
    without = (f"without {report}: {why}" for report, why in said.without.items())
    yield before + "".join(fill(visible(line), PAGE_WIDTH) + "\n" for line in without)


@dataclass
class _Said:
    """What stands below all pages, each line once."""

    footers: dict[str, None] = field(default_factory=dict)
    without: dict[str, str] = field(default_factory=dict)
    absent: list[AbsentRecords] = field(default_factory=list)


@dataclass(frozen=True)
class _Placed:
    """A page of a report: its interval, what its break columns say, its sheet and place there."""

    interval: tuple[tuple[bool, Any], ...]
    breaks: tuple[Any, ...]
    sheet: int
    place: int
    text: PageText


def _interval(placed: _Placed) -> tuple[tuple[bool, Any], ...]:
    return placed.interval


def _pages(
    query: Query, sheet: int, place: int, breaks: Sequence[str], said: _Said
) -> Iterator[_Placed]:
    """Its pages in the order of intervals, as its rows; what stands below them is `said`."""
    spec = _spec(query.report)
    try:
        results: Iterable[Result] = [summed(query)] if query.over else parts(query)
        for result in results:
            if not result.table.num_rows:
                said.without[query.report.id] = result.note
                return
            for text in page_texts(result, spec):
                values = (text.row.get(name) for name in _INTERVAL)
                interval = tuple((value is None, value) for value in values)
                about = tuple(text.row[name] for name in breaks)
                yield _Placed(interval, about, sheet, place, text)
        said.footers[footer(result)] = None
    except AbsentRecords as error:
        said.absent.append(error)
        said.without[query.report.id] = error.message.removeprefix(f"{query.report.id}: ")


def _sheets(of_interval: Iterable[_Placed]) -> Iterator[list[PageText]]:
    """What stands on each page: of one report after the other, until one has another page."""
    pages = list(of_interval)
    order = {about: place for place, about in enumerate(dict.fromkeys(p.breaks for p in pages))}
    pages.sort(key=lambda p: (order[p.breaks], p.sheet))
    for _, of_sheet in groupby(pages, key=lambda p: (p.breaks, p.sheet)):
        texts: list[PageText] = []
        last = -1
        for placed in of_sheet:
            if placed.place <= last:
                yield texts
                texts = []
            texts.append(placed.text)
            last = placed.place
        yield texts


def _joined(bodies: Sequence[str]) -> str:
    """What stands on one page; a first line that all its reports have stands there once."""
    first, *others = bodies
    above = first.split("\n", 1)[0] + "\n\n"
    return "\n".join([first, *(body.removeprefix(above) for body in others)])


def _numbered(heading: str, number: int) -> str:
    """PAGE at the right of the title, as RMF has it."""
    title, _, rest = heading.partition("\n")
    return f"{title:<{WIDTH}}   PAGE{number:5}\n{rest}"


def _spec(report: Report) -> PageSpec:
    if report.page is None:
        raise ReportError(f"{report.id}: found no [page], expected one: it is printed with others")
    return report.page
