"""Our reports in the form of the RMF Postprocessor's XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count, groupby
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import pyarrow as pa

from imsperf.errors import ReportError
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.numbers import formatter, plain, visible
from imsperf.reports.page_parts import zos_version
from imsperf.reports.rmf_xml.listing import Listing, Row, Table, Value
from imsperf.reports.rmf_xml.tables import PARTS, SEGMENTS, Cell, Part
from imsperf.reports.run import ask, lacking

if TYPE_CHECKING:
    import duckdb

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<ddsml>
<server><name>imsperf</name><platform>SMF records</platform></server>
"""
_OF = "run, system, interval_start_utc, interval_start, interval_s"


def listings(
    con: duckdb.DuckDBPyConnection, segments: Sequence[str], keep: Filter = EVERYTHING
) -> list[Listing]:
    """What the database gives of these segments, a listing for each run, system and interval.

    Raises ReportError as a report does.
    """
    every = dict[tuple[Any, ...], Listing]()
    parts = [part for part in PARTS if part.segment in segments]
    for place, part in enumerate(parts):
        query = ask(con, part.report, keep=keep)
        if place and lacking(query.report, con, keep.run):
            continue  # a machine without PR/SM has no partitions
        if not place:
            levels = query.beside("rmf_cpu_interval")
        asked = ", ".join(
            f"{cell.sql} AS value_{n}, {cell.words} AS words_{n}"
            for n, cell in enumerate(part.cells)
        )
        with query.rows() as rows:
            wanted = rows.filter(part.where)
            fetched = wanted.project(f"{_OF}, coalesce({part.total}, false), {asked}").fetchall()
        if not place and not fetched:
            query.result(pa.table({}))  # raises where there are no such records
        for run, system, utc, start, seconds, total, *values in fetched:
            listing = every.setdefault((run, system, utc), Listing(system, start, seconds, run=run))
            _add(listing, part, Row(_values(part.cells, values), total))
    if levels is not None:
        for level in levels.to_pylist():
            key = level["run"], level["system"], level["interval_start_utc"]
            if key in every:
                every[key].level = zos_version(level["zos_level"])
                every[key].cycle_ms = level["cycle_ms"]
    return [every[key] for key in sorted(every, key=str)]


def _add(listing: Listing, part: Part, row: Row) -> None:
    tables = listing.tables
    is_list = not part.labels
    last = tables[-1] if tables else None
    names = (part.segment, part.name, is_list)
    if not last or (last.segment, last.part, last.is_list) != names:
        numbers = frozenset(cell.heading for cell in part.cells if cell.form)
        tables.append(Table(part.segment, part.name, [], is_list, numbers))
    tables[-1].rows.append(row)


def _values(cells: Sequence[Cell], values: Sequence[Any]) -> dict[str, Value]:
    of_cells = zip(cells, values[::2], values[1::2], strict=True)
    return {cell.heading: _value(cell, value, words) for cell, value, words in of_cells}


def _value(cell: Cell, value: Any, words: str | None) -> Value:
    if words is not None:
        return Value(words)
    if value is None:
        return Value("")
    if not cell.form:
        return Value(visible(plain(value)))
    return Value(formatter(cell.form)(value), float(value))


def xml(every: Iterable[Listing]) -> Iterator[bytes]:
    """The listings as XML, in pieces."""
    yield _HEAD.encode()
    for listing in every:
        yield _postprocessor(listing).encode()
    yield b"</ddsml>\n"


def _postprocessor(listing: Listing) -> str:
    ids = count(1)
    start, seconds = listing.start, listing.seconds or 0.0
    end = start + timedelta(seconds=round(seconds)) if start else None
    minutes, ms = divmod(round(seconds * 1000), 60_000)
    version = f"z/OS {listing.level}".strip()
    return (
        '<postprocessor>\n<metric id="CPU"><description>CPU Activity Report</description>'
        "<type>Interval</type></metric>\n"
        f"<version>{_element('smf-data', version)}{_element('rmf-report', version)}</version>\n"
        f"<resource>{_element('resname', listing.system)}<restype>SYSTEM</restype></resource>\n"
        f'<time-data><display-start locale="en-us">{_clock(start)}</display-start>'
        f'<display-end locale="en-us">{_clock(end)}</display-end>'
        f'<report-interval unit="minutes">{minutes:02d}:{ms // 1000:02d}:{ms % 1000:03d}'
        f'</report-interval><cycle unit="milliseconds">{listing.cycle_ms or ""}</cycle>'
        "</time-data>\n"
        + "".join(_segment(name, tables, ids) for name, tables in _by_segment(listing))
        + "</postprocessor>\n"
    )


def _by_segment(listing: Listing) -> Iterator[tuple[str, list[Table]]]:
    for name, tables in groupby(listing.tables, lambda table: table.segment):
        yield name, list(tables)


def _segment(name: str, tables: Sequence[Table], ids: Iterator[int]) -> str:
    head = f'<segment id="{next(ids)}">{_element("name", name)}\n'
    parts = [
        f'<part id="{next(ids)}">{_element("name", part) if part else ""}\n'
        + "".join(_table(table, ids) for table in of_part)
        + "</part>\n"
        for part, of_part in groupby(tables, lambda table: table.part)
    ]
    return f"{head}{''.join(parts)}</segment>\n"


def _table(table: Table, ids: Iterator[int]) -> str:
    values = [row.values for row in table.rows]
    if table.is_list:
        variables = "".join(
            f"<var>{_element('name', name)}{_element('value', value.text)}</var>\n"
            for name, value in values[0].items()
        )
        return f'<var-list id="{next(ids)}">\n{variables}</var-list>\n'
    heads = "".join(
        f'<col type="{"N" if name in table.numbers else "T"}">{escape(name)}</col>'
        for name in values[0]
    )
    rows = "".join(
        f'<row refno="{n}"{" type=" + quoteattr("SUM") if row.total else ""}>'
        + "".join(_element("col", value.text) for value in row.values.values())
        + "</row>\n"
        for n, row in enumerate(table.rows, 1)
    )
    return f'<table id="{next(ids)}">\n<column-headers>{heads}</column-headers>\n{rows}</table>\n'


def _element(name: str, text: str | None) -> str:
    return f"<{name}>{escape(visible(text))}</{name}>" if text else f"<{name}/>"


def _clock(time: datetime | None) -> str:
    return f"{time:%m/%d/%Y-%H.%M.%S}" if time else ""


def segments_of(report: str) -> tuple[str, ...]:
    """The segments that a report is printed in. Raises ReportError where RMF XML has none."""
    if report not in SEGMENTS:
        raise ReportError(
            f"{report}: found no RMF XML of this report", f"rmfxml: {', '.join(SEGMENTS)}"
        )
    return SEGMENTS[report]
