"""Reading: dumps as Arrow record batches, without a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from imsperf import layouts
from imsperf.errors import LayoutError
from imsperf.layout import RAW_TABLES
from imsperf.parsers.containers.source import Source
from imsperf.parsers.kernels import first_start
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.problems import Problem
from imsperf.parsers.read import Loaded, dumps_in, read_source
from imsperf.parsers.rows import Batch, Columns
from imsperf.parsers.selection import EVERYTHING, Keep, Selection

if TYPE_CHECKING:
    import polars as pl
    from polars._typing import ClosedInterval


@dataclass(frozen=True)
class ReadFile:
    """One file, or one member of an archive, that has been read. `file_id` is in its rows."""

    file_id: int
    name: str
    kind: str
    framing: str
    records: int
    kept: int
    problems: tuple[Problem, ...]


def _html_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = (("th", heads), *(("td", row) for row in rows))
    return "<table>{}</table>".format(
        "".join(
            "<tr>{}</tr>".format("".join(f"<{tag}>{escape(str(word))}</{tag}>" for word in row))
            for tag, row in lines
        )
    )


@dataclass(repr=False)
class Reading:
    """The sections of dumps as Arrow: iterate for (table, batch) pairs, once, or ask for tables.

    `files` tells what was read so far, each with what could not be. A table has the columns of the
    database: `file_id`, `record_no`, `section_no`, then the fields (`imsperf dict TABLE`).
    """

    paths: Sequence[Path]
    options: ReadOptions
    files: list[ReadFile] = field(default_factory=list)
    columns: Columns | None = None  # by table, those that are decoded; None: all
    about: Selection = EVERYTHING  # SMF records of intervals: see Keep

    def __post_init__(self) -> None:
        first_start.begin()
        self._context = copy_context()
        self._batches = self._in_context(self._read())
        self._tables: dict[str, pa.Table] | None = None

    def __iter__(self) -> Iterator[Batch]:
        return self._batches

    def _repr_html_(self) -> str:
        """What a notebook shows: the paths asked for, the files read so far, and the tables if they
        are in memory; decodes nothing."""
        heads = ("file", "kind", "framing", "records", "of these chosen", "problems")
        rows = [
            (file.name, file.kind, file.framing, file.records, file.kept, len(file.problems))
            for file in self.files
        ]
        asked = ", ".join(str(path) for path in self.paths[:5])
        more = f" and {len(self.paths) - 5:,} more" if len(self.paths) > 5 else ""
        shown = f"<p>Reading of {escape(asked + more)}</p>"
        if not rows:
            return shown + "<p>Nothing is read yet; <code>tables()</code> reads all.</p>"
        shown += _html_table(heads, rows)
        if self._tables is None:
            return shown
        tables = [(name, table.num_rows) for name, table in self._tables.items()]
        return shown + _html_table(("table", "rows"), tables)

    def __repr__(self) -> str:
        """The paths and what was read so far, on one line."""
        paths = ", ".join(str(path) for path in self.paths[:3]) + ", ..." * (len(self.paths) > 3)
        records = sum(file.records for file in self.files)
        return f"<Reading of {paths}: {len(self.files):,} files, {records:,} records read>"

    @property
    def problems(self) -> list[Problem]:
        """What could not be read so far, file by file, in the order of the bytes."""
        return [problem for file in self.files for problem in file.problems]

    def tables(self) -> dict[str, pa.Table]:
        """All rows that were not iterated over yet, by table. They stand in memory then."""
        if self._tables is None:
            batches: dict[str, list[pa.RecordBatch]] = {}
            for name, batch in self._batches:
                batches.setdefault(name, []).append(batch)
            self._tables = {name: pa.Table.from_batches(batches[name]) for name in sorted(batches)}
        return self._tables

    def table(self, name: str) -> pa.Table:
        """One of `tables()`; without rows where no record has it.

        Raises LayoutError for a table that no layout declares.
        """
        batches = self.tables().get(name)
        if batches is None and name in RAW_TABLES:
            return pa.schema(
                [(column.name, column.arrow) for column in RAW_TABLES[name]]
            ).empty_table()
        if batches is not None:
            return batches
        return self._context.run(layouts.table, name).schema().empty_table()

    def scan(self, table: str) -> pl.LazyFrame:
        """A table as a LazyFrame that decodes, when it is collected, the columns that are used.

        Of SMF records of intervals it decodes those of the system and the interval starts to which
        a filter compares `system` and `interval_start`.
        Raises LayoutError for a table that no layout declares.
        """
        import polars as pl
        from polars.io.plugins import register_io_source

        try:
            nothing = pl.DataFrame(pl.from_arrow(Reading([], self.options).table(table)))
        except LayoutError as error:
            views = "imsperf.connect has views and the ledger, imsperf.report reports"
            raise LayoutError(error.message, f"{error.hint} {views}".strip()) from error

        def batches(
            with_columns: list[str] | None,
            predicate: pl.Expr | None,
            n_rows: int | None,
            batch_size: int | None,
        ) -> Iterator[pl.DataFrame]:
            wanted = list(nothing.columns) if with_columns is None else with_columns
            tested = [] if predicate is None else predicate.meta.root_names()
            # file_id stands for a row of which nothing else is wanted
            columns = frozenset([*wanted, *tested, "file_id"])
            left, about = n_rows, EVERYTHING if predicate is None else _about(predicate)
            reading = Reading(self.paths, self.options, columns={table: columns}, about=about)
            for name, batch in reading:
                if name != table:
                    continue
                rows = pl.DataFrame(pl.from_arrow(batch))
                chosen = rows if predicate is None else rows.filter(predicate)
                some = chosen.select(wanted).head(left if left is not None else chosen.height)
                yield from some.iter_slices(batch_size or max(some.height, 1))
                if left is not None:
                    left -= some.height
                    if not left:
                        return

        return register_io_source(batches, schema=nothing.schema)

    def _in_context(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The batches, made with the layouts that were in use when the reading was asked for."""
        while batch := self._context.run(next, batches, None):
            yield batch

    def _read(self) -> Iterator[Batch]:
        for path in self.paths:
            for source in dumps_in(path, self.options.passed_over, self.options.framing):
                yield from self._one(source)

    def _one(self, source: Source) -> Iterator[Batch]:
        file_id = len(self.files) + 1
        keep = Keep(self.options.selection, columns=self.columns, about=self.about)
        loaded = read_source(source, file_id, self.options, keep=keep)
        yield from loaded.batches
        self.files.append(_read_file(file_id, loaded))


def _read_file(file_id: int, loaded: Loaded) -> ReadFile:
    return ReadFile(
        file_id,
        loaded.name,
        loaded.kind,
        loaded.framing,
        loaded.records,
        loaded.kept,
        tuple(loaded.problems),
    )


# --- what a filter of polars says of records ------------------------------------------------------

_US = timedelta(microseconds=1)


def _about(predicate: pl.Expr) -> Selection:
    """The system and the interval starts that a filter leaves, or more of them.

    Polars tells the inputs of an expression, not its operator: so it is compared with what its
    inputs would make of each.
    """
    import polars as pl

    same = predicate.meta.eq
    first, *others = predicate.meta.pop()[::-1] or [predicate]
    values = [pl.select(one).item() for one in others if one.meta.is_literal()]
    is_start = first.meta.eq(pl.col("interval_start"))
    if len(values) < len(others):
        is_and = len(others) == 1 and same(first & others[0])
        return _both(_about(first), _about(others[0])) if is_and else EVERYTHING
    if len(values) == 1 and first.meta.eq(pl.col("system")):
        is_system = isinstance(values[0], str) and same(first == others[0])
        return Selection(system=values[0]) if is_system else EVERYTHING
    if not (is_start and values and all(map(_is_local, values))):
        return EVERYTHING
    if len(values) == 2:
        begin, end = others
        closed: tuple[ClosedInterval, ...] = ("both", "left", "right", "none")
        is_between = any(same(first.is_between(begin, end, closed=ends)) for ends in closed)
        return Selection(start=values[0], end=values[1] + _US) if is_between else EVERYTHING
    (at,), (other,) = values, others
    is_from = same(first >= other) or same(first > other) or same(first == other)
    is_to = same(first <= other) or same(first < other) or same(first == other)
    return Selection(start=at if is_from else None, end=at + _US if is_to else None)


def _is_local(value: object) -> bool:
    return isinstance(value, datetime) and value.tzinfo is None


def _both(one: Selection, other: Selection) -> Selection:
    """What both leave; where both name a system, the first."""
    starts = [start for start in (one.start, other.start) if start]
    ends = [end for end in (one.end, other.end) if end]
    return Selection(
        system=one.system or other.system,
        start=max(starts, default=None),
        end=min(ends, default=None),
    )
