"""A listing of RMF against a database, cell by cell, and against itself.

A cell agrees where the number of the database rounds (times: is cut) to what is printed. The
identities are SQL checks of sql/audit/listing, over `listing_cell`: what is printed in one
cell must follow from the others within their last digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from imsperf.errors import ReportError
from imsperf.reports.audit import Check, checks, run_checks
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.rmf_xml.listing import Listing, Row, Table, Value, read
from imsperf.reports.rmf_xml.tables import CPU, LABELS, PARTITION, PARTS
from imsperf.reports.rmf_xml.writing import listings

if TYPE_CHECKING:
    import duckdb

_SLACK = 1e-9  # of a number, for binary fractions
_APART_S = 30.0  # a listing gives whole seconds, some of it whole minutes
SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        ("system", pa.string()),
        ("interval_start", pa.timestamp("us")),
        ("place", pa.string()),
        ("listing", pa.string()),
        ("expected", pa.string()),
    ]
)
_CELLS = pa.schema(
    [
        ("run", pa.string()),
        ("system", pa.string()),
        ("start", pa.timestamp("us")),
        ("seconds", pa.float64()),
        ("part", pa.string()),
        ("table_no", pa.int32()),
        ("row_no", pa.int32()),
        ("total", pa.bool_()),
        ("heading", pa.string()),
        ("text", pa.string()),
        ("low", pa.float64()),
        ("high", pa.float64()),
    ]
)


@dataclass(frozen=True)
class Reconciled:
    """What differs (`SCHEMA`): a cell, a row or an interval that one side alone has, an identity.

    `intervals` and `cells` were compared with the database, `identities` values tested; `others`
    are parts of the listing that we do not print.
    """

    table: pa.Table
    intervals: int
    cells: int
    identities: int
    others: tuple[str, ...]


def reconcile(
    path: Path, con: duckdb.DuckDBPyConnection | None, keep: Filter = EVERYTHING
) -> Reconciled:
    """Hold a file of listings against a database; without one against itself alone.

    Raises ReportError for a file that is no listing, and where runs of the database overlap.
    """
    theirs = [listing for listing in read(path) if keep.system in (None, listing.system)]
    if not theirs:
        raise ReportError(f"{path}: found no interval of system {keep.system!r}")
    known = {(part.segment, part.name) for part in PARTS}
    named = (
        (table.segment, table.part) for listing in theirs for table in listing.tables if table.rows
    )
    others = sorted({" / ".join(filter(None, name)) for name in named if name not in known})
    differing = list[tuple[object, ...]]()
    counted = [0, 0]
    if con is not None:
        own = _by_system(listings(con, (CPU, PARTITION), keep))
        for listing in theirs:
            ours = _of_same_time(listing, own.get(listing.system, ()))
            if ours is None:
                differing.append(_row("interval", listing, "", "printed", "not in the database"))
                continue
            counted[0] += 1
            counted[1] += sum(len(row.values) for table in listing.tables for row in table.rows)
            differing += _compared(listing, ours)
    tested, broken = _identities(theirs)
    rows = [dict(zip(SCHEMA.names, row, strict=True)) for row in [*differing, *broken]]
    table = pa.Table.from_pylist(rows, SCHEMA)
    return Reconciled(table, counted[0], counted[1], tested, tuple(others))


def _row(
    kind: str, listing: Listing, place: str, printed: str, expected: str
) -> tuple[object, ...]:
    return kind, listing.system, listing.start, place, printed, expected


def _by_system(own: Iterable[Listing]) -> dict[str, list[Listing]]:
    systems = dict[str, list[Listing]]()
    for listing in own:
        systems.setdefault(listing.system, []).append(listing)
    for name, of_system in systems.items():
        of_system.sort(key=lambda listing: str(listing.start))
        for first, second in pairwise(of_system):
            if first.start == second.start and first.run != second.run:
                raise ReportError(
                    f"found {name} at {first.start} in runs {first.run!r} and {second.run!r}",
                    "say which one to compare: --run",
                )
    return systems


def _of_same_time(listing: Listing, own: Sequence[Listing]) -> Listing | None:
    """Ours that begins nearest, where that is near enough."""
    start = listing.start
    if start is None:
        return None
    apart = {
        abs((ours.start - start).total_seconds()): ours for ours in own if ours.start is not None
    }
    nearest = min(apart, default=None)
    limit = min(_APART_S, (listing.seconds or _APART_S) / 2)
    return apart[nearest] if nearest is not None and nearest < limit else None


# --- cell by cell --------------------------------------------------------------------------------


def _compared(theirs: Listing, ours: Listing) -> Iterator[tuple[object, ...]]:
    """Cells that differ and rows that are missing, of tables that both have."""
    tables = {(table.segment, table.part, table.is_list): table for table in ours.tables}
    for table in theirs.tables:
        name = " / ".join(filter(None, (table.segment, table.part)))
        own = tables.get((table.segment, table.part, table.is_list))
        if own is None:
            continue
        there, own_rows = _labelled(table), _labelled(own)
        for label, row in there.items():
            place = f"{name}: {label}".removesuffix(": ")
            if label not in own_rows:
                yield _row("row", theirs, place, "printed", "not in the database")
                continue
            for heading, value in row.values.items():
                of_us = own_rows[label].values.get(heading)
                if of_us is not None and not agree(value, of_us):
                    at = f"{place}, {heading}"
                    yield _row("cell", theirs, at, value.text, _exact(of_us))
        for label in own_rows:
            if label not in there:
                yield _row("row", theirs, f"{name}: {label}", "not printed", "in the database")


def _labelled(table: Table) -> dict[str, Row]:
    """Rows by what they are about; RMF prints some empty ones."""
    return {
        " ".join(value.text for head, value in row.values.items() if head in LABELS): row
        for row in table.rows
        if any(value.text for value in row.values.values())
    }


def agree(printed: Value, own: Value) -> bool:
    """Whether our number is one that would be printed so."""
    if printed.text == own.text:
        return True
    span = printed.range
    if own.number is None or span is None:
        return False
    slack = _SLACK * max(abs(own.number), 1.0)
    return span[0] - slack <= own.number <= span[1] + slack


def _exact(value: Value) -> str:
    return value.text if value.number is None else f"{value.text} ({value.number:.9g})"


# --- what is printed follows from the rest -------------------------------------------------------


def _identities(theirs: Sequence[Listing]) -> tuple[int, list[tuple[object, ...]]]:
    """How many values were tested, and those that break an identity."""
    import duckdb

    cells = list(zip(*_cells(theirs), strict=True)) or [()] * len(_CELLS)
    columns = [pa.array(column, kind) for column, kind in zip(cells, _CELLS.types, strict=True)]
    folder = files("imsperf.sql") / "audit" / "listing"
    known: tuple[Check, ...] = checks("listing")
    with duckdb.connect() as con:
        con.register("listing_cell", pa.Table.from_arrays(columns, schema=_CELLS))
        con.execute((folder / "row.view.sql").read_text(encoding="utf-8"))
        done = run_checks(con, known)
    titles = {check.id: check.title for check in known}
    broken: list[tuple[object, ...]] = [
        (
            "identity",
            row["system"],
            datetime.fromisoformat(row["key"].split("|")[0]),
            f"{row['key'].split('|')[1]}: {titles[row['check']]}",
            f"{row['found']:.9g}",
            f"{row['low']:.9g} to {row['high']:.9g}",
        )
        for row in done.violations.to_pylist()
    ]
    return done.tested, broken


def _cells(theirs: Sequence[Listing]) -> Iterator[tuple[object, ...]]:
    for listing in theirs:
        of_listing = "", listing.system, listing.start, listing.seconds
        for table_no, table in enumerate(listing.tables):
            for row_no, row in enumerate(table.rows):
                of_row = table.part or table.segment, table_no, row_no, row.total
                for heading, value in row.values.items():
                    span = value.range or (None, None)
                    yield (*of_listing, *of_row, heading, value.text, *span)
