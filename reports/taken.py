"""Rows of many reports of one database, each asked once: for documents that show them, find in them
and draw them, and for comparisons of runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, TypeVar

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import AbsentRecords
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import Result, ask
from imsperf.reports.shared_views import shared_views
from imsperf.reports.total import summands

T = TypeVar("T")
_ALONE = Lock()
MOST_ROWS = 300_000  # of a report that is not known to be needed whole
MOST_BYTES = 1 << 30  # of all rows that are kept


@dataclass(frozen=True)
class Together:
    """The rows of reports in several runs of a database, all runs in one query: planning a query
    costs more than the rows of an interval do. `keep` names no run.

    `keeps`: the rows stay, whole, for a `Taken` of one of the runs; else they have the columns
    that totals are made of, in any order.
    """

    con: duckdb.DuckDBPyConnection
    keep: Filter
    runs: tuple[str, ...]
    keeps: bool = False
    _asked: dict[str, Result] = field(default_factory=dict)

    def result(self, report: Report, run: str) -> Result:
        """The rows of a run, as they are summed. Raises AbsentRecords where there can be none."""
        result = self._asked.get(report.id) or self._ask(report)
        if len(self.runs) > 1:
            result = of_run(result, run)
        if not result.table.num_rows:
            with self.con.cursor() as cursor:
                ask(cursor, report, keep=replace(self.keep, run=run)).result(result.table)
        return result

    def table(self, report: Report, run: str) -> pa.Table | None:
        """The rows of a run as they are printed, where they are here."""
        known = None if report.range else self._asked.get(report.id)
        return None if known is None else of_run(known, run).table

    @contextmanager
    def prepared(self, reports: Sequence[Report]) -> Iterator[Together]:
        """The same, where these reports will be asked."""
        with shared_views(self.con, reports, self.runs) as con:
            yield replace(self, con=con)

    def forget(self, report: Report) -> None:
        """The rows of a report are not needed again, or there are too many to keep them."""
        if not self.keeps or _size(self._asked.values()) > MOST_BYTES:
            self._asked.pop(report.id, None)

    def _ask(self, report: Report) -> Result:
        with self.con.cursor() as cursor:
            query = ask(cursor, report, keep=replace(self.keep, runs=self.runs), over=True)
            if not self.keeps:
                query = replace(query, columns=summands(report))
            with query.rows() as rows:
                table = rows.to_arrow_table()
            spans = query.beside(report.whole)
        self._asked[report.id] = Result(report, table, query.values, spans=spans)
        return self._asked[report.id]


def of_run(result: Result, run: str) -> Result:
    """The rows and spans of one of its runs."""
    table, spans = (
        rows if rows is None else rows.filter(pc.equal(rows["run"], run))
        for rows in (result.table, result.spans)
    )
    return replace(result, table=table, spans=spans)


def _size(results: Iterable[Result]) -> int:
    return sum(result.table.nbytes for result in tuple(results))


@dataclass(frozen=True)
class Taken:
    """The rows of reports that `keep` wants, asked when they are first needed; those that
    `together` has are not asked again.

    Where there are more than are kept, who needs them again asks the database again.
    """

    con: duckdb.DuckDBPyConnection
    keep: Filter
    together: Together | None = None
    _kept: dict[str, tuple[Result, bool]] = field(default_factory=dict)
    _known: dict[Any, Any] = field(default_factory=dict)  # what many queries ask beside their rows

    def first(self, report: Report) -> tuple[Result, bool]:
        """The rows of a report, MOST_ROWS or some more where there are more; and whether these are
        all. Raises AbsentRecords where there can be none."""
        return self._kept.get(report.id) or self._asked(report, MOST_ROWS)

    def rows(self, report: Report) -> pa.Table:
        """All rows of a report. Raises AbsentRecords where there can be none."""
        result, is_whole = self.first(report)
        return (result if is_whole else self._asked(report, None)[0]).table

    def take(self, reports: Sequence[Report]) -> None:
        """Ask these reports, several at a time."""
        run = self.keep.run
        missing = [report for report in reports if report.id not in self._kept]
        with shared_views(self.con, missing, () if run is None else (run,)) as con:
            own = replace(self, con=con)

            def taken(report: Report) -> None:
                with suppress(AbsentRecords):
                    own.first(report)

            each_alone(taken, missing, self.con)

    def _asked(self, report: Report, most: int | None) -> tuple[Result, bool]:
        own = self.keep.of(report)
        if own is None:
            raise AbsentRecords(
                f"{report.id}: its rows do not tell what --system, --from or --to ask"
            )
        with self.con.cursor() as cursor:
            query = replace(ask(cursor, report, keep=own), known=self._known)
            known = self._known_rows(report, own)
            if known is not None:
                table, is_whole = known, True
            else:
                with query.rows() as rows:
                    table, is_whole = _read(rows, most)
            # why there is no row is asked where a system may have no such records
            has_more = table.num_rows or own.system is not None
            result = query.result(table) if has_more else Result(report, table, query.values)
            asked = result, is_whole
        size = _size(result for result, _ in tuple(self._kept.values()))
        if size + table.nbytes <= MOST_BYTES:
            self._kept[report.id] = asked
        return asked

    def _known_rows(self, report: Report, own: Filter) -> pa.Table | None:
        if self.together is None or own.run is None or own != self.keep:
            return None
        return self.together.table(report, own.run)


def each_alone(
    do: Callable[[Report], T], reports: Sequence[Report], *databases: duckdb.DuckDBPyConnection
) -> list[T]:
    """What `do` gives of each report, several at a time. Statements of these databases run in a
    thread each meanwhile: many short ones take less CPU so.

    One call at a time, as the setting is of a whole database; `do` may not call it again.
    """
    with _ALONE, ExitStack() as stack:
        for con in (*databases, stack.enter_context(in_memory())):
            ((threads,),) = con.execute("SELECT current_setting('threads')").fetchall()
            con.execute("SET threads = 1")
            stack.callback(con.execute, f"SET threads = {threads}")
        pool = stack.enter_context(ThreadPoolExecutor(min(4, os.cpu_count() or 1)))
        # layouts and reports of a user are of the context
        context = [copy_context() for _ in reports]
        return list(pool.map(lambda c, report: c.run(do, report), context, reports))


def _read(rows: duckdb.DuckDBPyRelation, most: int | None) -> tuple[pa.Table, bool]:
    reader = rows.to_arrow_reader()
    batches: list[pa.RecordBatch] = []
    count = 0
    for batch in reader:
        batches.append(batch)
        count += batch.num_rows
        if most is not None and count > most:
            break
    table = pa.Table.from_batches(batches, reader.schema)
    return table, most is None or count <= most
