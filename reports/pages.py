"""The page that a [page] in the header of a report declares; the metrics of a run.

Its words and where things stand are in the header. What it prints beyond the cells of columns are
`texts`: SQL over the rows, with `facts` (the facts of the interval) and two windows, `page` and
`block`. A text that names a column stands in its place where it is not NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import Any

import duckdb
import pyarrow as pa

from imsperf.errors import ReportError
from imsperf.reports.definition import PageSpec, PageTable, Slot, slots
from imsperf.reports.in_memory import in_memory
from imsperf.reports.numbers import formatter, visible
from imsperf.reports.page_parts import (
    INTERVAL,
    Page,
    Row,
    cell,
    ims_heading,
    lines,
    log_heading,
    pages_of,
    rmf_heading,
    set_width,
    smf_heading,
    sysplex_heading,
)
from imsperf.reports.run import Result

_LEAD = ("run", "sysplex", "system", "interval_start", "interval_start_utc")
_TEXT, _WHERE = "text:", "where:"  # of computed values in a row


@dataclass(frozen=True)
class PageText:
    """A page as it is printed; `row` is the first of its rows."""

    row: Row
    heading: str
    body: str


def declared_page(result: Result, spec: PageSpec) -> str:
    """Every page: a heading, the lines above, then its blocks; then the note."""
    pages = _pages(result, spec)
    texts = (_page_text(result, spec, page) for page in pages)
    note = _filled(result, pages[0], pages[0].rows, spec.note)
    return "\n".join(page.heading + page.body for page in texts) + (f"\n{note}" if note else "")


def page_texts(result: Result, spec: PageSpec) -> Iterator[PageText]:
    """Every page, one at a time."""
    return (_page_text(result, spec, page) for page in _pages(result, spec))


def _pages(result: Result, spec: PageSpec) -> list[Page]:
    keys, _ = _form(result, spec)
    keys = (*keys, *spec.breaks)
    if INTERVAL[-1] in keys and result.report.time:
        keys = (*keys, result.report.time)
    keys = tuple(dict.fromkeys(name for name in keys if name in result.report.names))
    return list(pages_of(result, _computed_rows(result, spec, keys), keys))


def _form(result: Result, spec: PageSpec) -> tuple[tuple[str, ...], Heading]:
    return _FORMS[spec.heading or _family(result)]


def _family(result: Result) -> str:
    """rmf and ims have headings of their own; all others that of SMF."""
    family = result.report.id.partition(".")[0]
    return family if family in _FORMS else "smf"


def _page_text(result: Result, spec: PageSpec, page: Page) -> PageText:
    _, heading = _form(result, spec)
    title = spec.title or result.report.title
    if "{" in title:
        title = _filled(result, page, page.rows, title).rstrip("\n")
    blocks = groupby(page.rows, key=lambda row: [row[name] for name in spec.blocks])
    body = "\n".join(_block(result, spec, page, list(rows)) for _, rows in blocks)
    above = _filled(result, page, page.rows, spec.above)
    return PageText(page.rows[0], heading(title, page), above + body)


def _block(result: Result, spec: PageSpec, page: Page, rows: Sequence[Row]) -> str:
    text = ""
    for place, table in enumerate(spec.tables):
        chosen = [row for row in rows if row.get(f"{_WHERE}{place}", True)]
        if chosen:
            gap = "\n" if text and not table.joined else ""
            above = _filled(result, page, chosen, table.above)
            text += gap + above + _table(result, table, page, chosen)
    return _filled(result, page, rows, spec.block_above) + text


def _table(result: Result, table: PageTable, page: Page, rows: Sequence[Row]) -> str:
    if table.text:
        return "".join(_filled(result, page, [row], table.text) for row in rows)
    form = _lines if table.lines else _columns
    return form(result, table, page, rows)


def _columns(result: Result, table: PageTable, page: Page, rows: Sequence[Row]) -> str:
    """Headings, then a line for each row, or for the rows that stand beside each other."""
    headings = [column.heading for column in table.columns]
    height = max(heading.count("|") for heading in headings)
    heads = [((height - heading.count("|")) * "|" + heading).split("|") for heading in headings]
    above = list(zip(*heads, strict=True)) if any(headings) else []
    body: list[list[str]] = []
    widths = [column.width for column in table.columns]
    for beside in _beside(table, rows):
        cells = [_text(result, page, beside, c.cell, table.beside) for c in table.columns]
        if table.wrap:
            wrapped = [wrap(text, abs(width)) for text, width in zip(cells, widths, strict=True)]
            body += map(list, zip_longest(*wrapped, fillvalue=""))
        else:
            body.append(cells)
    return lines(widths, body, above)


def _beside(table: PageTable, rows: Sequence[Row]) -> Iterable[list[Row]]:
    """The rows of each line: those that differ in `beside` and its values alone."""
    if not table.beside:
        return ([row] for row in rows)
    alike = [
        slot.name
        for column in table.columns
        for slot in slots(column.cell)
        if slot.name in rows[0] and not slot.beside
    ]
    beside: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        beside.setdefault(tuple(row[name] for name in alike), []).append(row)
    return beside.values()


def _lines(result: Result, table: PageTable, page: Page, rows: Sequence[Row]) -> str:
    """A line for each column: what it is called, and for each row its value, also by `per`."""
    shown = table.lines
    if shown == ("*",):
        shown = tuple(c.name for c in result.report.shown if c.name not in _LEAD)
    heads = [result.report.column(name).heading for name in shown]
    body = [
        [head, *(text for row in rows for text in _values(result, table, page, row, name))]
        for name, head in zip(shown, heads, strict=True)
    ]
    first, *others = table.widths
    widths = [first or -max(map(len, heads)), *others * len(rows)]
    return lines(widths, body, [table.heads] if table.heads else [])


def _values(result: Result, table: PageTable, page: Page, row: Row, name: str) -> list[str]:
    """A value, and it by parts of the same row: from the same sums as the ratios."""
    by_parts = [
        formatter(form)(row[name] / row[part]) if row[name] is not None and row[part] else "-"
        for part, form in table.per.items()
    ]
    return [_value(result, page, row, Slot("", name)), *by_parts]


# --- templates -----------------------------------------------------------------------------------


def _filled(result: Result, page: Page, rows: Sequence[Row], template: str) -> str:
    """Whole lines; none where a template has nothing but slots and all are empty."""
    text = "\n".join(line.rstrip() for line in _text(result, page, rows, template).split("\n"))
    if not text.strip():
        return ""
    return text if text.endswith("\n") else f"{text}\n"


def _text(result: Result, page: Page, rows: Sequence[Row], template: str, beside: str = "") -> str:
    """A template with the values of the first row, or of the one beside it that a slot names."""
    text = ""
    for slot in slots(template):
        text += slot.literal
        if slot.name:
            of_slot = [row for row in rows if not slot.beside or row[beside] == slot.beside]
            text += set_width(_value(result, page, of_slot[0], slot) if of_slot else "", slot.width)
    return text


def _value(result: Result, page: Page, row: Row, slot: Slot) -> str:
    if slot.name.startswith("facts."):
        value = page.facts.get(slot.name.removeprefix("facts."))
        return "-" if value is None else visible(str(value))
    text = row.get(_TEXT + slot.name)
    if text is not None:
        return visible(text)
    return cell(result, row, slot.name) if slot.name in result.report.names else ""


# --- the rows of pages, with what SQL says of them -----------------------------------------------


def _computed_rows(result: Result, spec: PageSpec, keys: Sequence[str]) -> Sequence[Row]:
    """The rows, with each text and whether each table has the row."""
    rows: list[dict[str, Any]] = result.table.to_pylist()
    picks = [f'CAST(({sql}) AS VARCHAR) AS "{_TEXT}{name}"' for name, sql in spec.texts.items()] + [
        f'coalesce(({table.where}), false) AS "{_WHERE}{place}"'
        for place, table in enumerate(spec.tables)
        if table.where
    ]
    if not picks:
        return rows
    computed = _computed(result, picks, keys, (*keys, *spec.blocks)).to_pylist()
    return [row | said for row, said in zip(rows, computed, strict=True)]


def _computed(
    result: Result, picks: Sequence[str], page: Sequence[str], block: Sequence[str]
) -> pa.Table:
    """A column for each expression, a row for each row of the result."""
    place = pa.array(range(result.table.num_rows), pa.int64())
    given = "(SELECT * FROM result_row) AS given"
    with in_memory() as con:
        con.register("result_row", result.table.append_column("row_place", place))
        if result.facts is not None:
            con.register("result_fact", result.facts)
            same = " AND ".join(f"given.{n} IS NOT DISTINCT FROM facts.{n}" for n in INTERVAL)
            first = f"row_number() OVER (PARTITION BY {_quoted(INTERVAL)}) = 1"
            given += f"""
                LEFT JOIN (SELECT result_fact AS facts FROM result_fact QUALIFY {first}) ON {same}
            """
        windows = (
            f"page AS (PARTITION BY {_quoted(page)}), block AS (PARTITION BY {_quoted(block)})"
        )
        sql = f"SELECT {', '.join(picks)} FROM {given} WINDOW {windows} ORDER BY row_place"
        try:
            return con.sql(sql).to_arrow_table()
        except duckdb.Error as error:
            raise ReportError(f"{result.report.source}: page: {error}") from error


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


# --- where a page begins, and what stands above it -----------------------------------------------

Heading = Callable[[str, Page], str]
_FORMS: dict[str, tuple[tuple[str, ...], Heading]] = {
    "rmf": (INTERVAL, rmf_heading),
    "sysplex": (("run", "sysplex", "interval_start_utc"), sysplex_heading),
    "ims": ((*INTERVAL, "ims"), ims_heading),
    "smf": (INTERVAL, smf_heading),
    "log": (("run", "ims"), log_heading),
    "run": (("run",), lambda title, page: ""),
}


# --- the metrics of a run: as many systems beside each other as there is room for --------------

_UNIT, _VALUE, _WIDTH = 12, 14, 132  # columns of a unit and of a system; a line


def metrics_page(result: Result) -> str:
    """Benchmark Metrics: a line for each metric, and below why one is missing."""
    blocks = []
    for run, rows in groupby(result.table.to_pylist(), key=lambda row: row["run"]):
        of_run = list(rows)
        systems = list(dict.fromkeys(row["system"] for row in of_run))
        across = max((_WIDTH - _label_width(of_run) - _UNIT - 1) // (_VALUE + 1), 1)
        for first in range(0, len(systems), across):
            title = f"{result.report.title:<34} Run : {visible(run or '-')}\n{_span(of_run)}\n"
            shown = systems[first : first + across]
            blocks.append(title + _metrics_table(result, of_run, shown) + _missing(of_run, shown))
    return "\n".join(blocks)


def _span(rows: list[Row]) -> str:
    """From the first start to the last end of the intervals, local time."""
    ends = ("first_start", min), ("last_end", max)
    times = [of([r[name] for r in rows if r[name]], default=None) for name, of in ends]
    first, last = (f"{time:%Y-%m-%d %H:%M:%S}" if time else "-" for time in times)
    return f"{'':<34} Time: {first} to {last}\n"


def _label_width(rows: list[Row]) -> int:
    return max(46, *(len(visible(row["label"])) for row in rows))


def _metrics_table(result: Result, rows: list[Row], systems: list[str]) -> str:
    texts = {(row["metric"], row["system"]): cell(result, row, "value") for row in rows}
    metrics = {row["metric"]: row for row in sorted(rows, key=lambda row: row["place"])}
    heads = ["", "", *(visible(system) for system in systems)]
    body = [
        [
            visible(row["label"]),
            row["unit"],
            *(texts.get((name, system), "-") for system in systems),
        ]
        for name, row in metrics.items()
        if any((name, system) in texts for system in systems)
    ]
    return lines([-_label_width(rows), -_UNIT, *[_VALUE] * len(systems)], body, [heads])


def _missing(rows: list[Row], systems: list[str]) -> str:
    """Each reason once, with the metrics it explains."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["value"] is None and row["note"] and row["system"] in systems:
            reasons.setdefault(f"{row['system']}: {row['note']}", []).append(row["metric"])
    return "".join("".join(_wrapped(why, named)) for why, named in reasons.items())


def _wrapped(why: str, named: list[str]) -> Iterator[str]:
    yield f"\n{visible(why)}:"
    line = ""
    for metric in named:
        if len(line) + len(metric) > 100:
            yield f"\n   {line}"
            line = ""
        line += f" {metric}"
    yield f"\n   {line}\n"
