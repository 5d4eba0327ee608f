"""Rows of many reports of one database, each asked once: for documents that show them, find in them
and draw them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from imsperf.errors import AbsentRecords
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import Result, ask

T = TypeVar("T")
_ALONE = Lock()
MOST_ROWS = 300_000  # of a report that is not known to be needed whole
MOST_BYTES = 1 << 30  # of all rows that are kept


@dataclass(frozen=True)
class Taken:
    """The rows of reports that `keep` wants, asked when they are first needed.

    Where there are more than are kept, who needs them again asks the database again.
    """

    con: duckdb.DuckDBPyConnection
    keep: Filter
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

        def taken(report: Report) -> None:
            with suppress(AbsentRecords):
                self.first(report)

        each_alone(taken, reports, self.con)

    def _asked(self, report: Report, most: int | None) -> tuple[Result, bool]:
        own = self.keep.of(report)
        if own is None:
            raise AbsentRecords(
                f"{report.id}: its rows do not tell what --system, --from or --to ask"
            )
        with self.con.cursor() as cursor:
            query = replace(ask(cursor, report, keep=own), known=self._known)
            with query.rows() as rows:
                table, is_whole = _read(rows, most)
            # why there is no row is asked where a system may have no such records
            has_more = table.num_rows or own.system is not None
            result = query.result(table) if has_more else Result(report, table, query.values)
            asked = result, is_whole
        size = sum(result.table.nbytes for result, _ in tuple(self._kept.values()))
        if size + table.nbytes <= MOST_BYTES:
            self._kept[report.id] = asked
        return asked


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
