"""Rows of many reports of one database, each asked once: for documents that show them, find in them
and draw them, and for comparisons of runs."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from threading import Lock
from typing import Any, TypeVar

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.database.read_only import attach_memory, detach_memory
from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import Query, Result, Top, ask, narrow
from imsperf.reports.shared_views import shared_views
from imsperf.reports.syntax import unordered
from imsperf.reports.total import summands, summed, total_of_rows

T = TypeVar("T")
_ALONE = Lock()
FEW_ROWS = 50_000  # of a report, which are kept as Arrow
MOST_ROWS = 10_000  # the first of more
MOST_BYTES = 1 << 30  # of all rows of a comparison that are kept
_IN_ONE_PART = 1 << 24  # rows, whose texts stay below the 2 GB of an Arrow array
_NUMBERS = count(1)


@dataclass(frozen=True)
class Answer:
    """The rows of a report; where they are many the first of them, and the table of all."""

    result: Result
    table: str = ""


@dataclass(frozen=True)
class Together:
    """The rows of reports in several runs of a database, all runs in one query: planning a query
    costs more than the rows of an interval do. `keep` names no run.

    `keeps`: the rows stay, whole, for a `Taken` of one of the runs; else they have the columns
    that totals are made of and texts, in any order, each text once.
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
        known = None if report.range or report.compared else self._asked.get(report.id)
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
            if report.compared:
                unsorted = unordered(report.sql)
                sql = f"SELECT * FROM ({unsorted}\n) AS any_row WHERE {report.compared}"
                report = replace(report, sql=sql)
            query = ask(cursor, report, keep=replace(self.keep, runs=self.runs), over=True)
            if not self.keeps:
                query = replace(query, columns=summands(report))
            with query.rows() as rows:
                table = rows.to_arrow_table() if self.keeps else _with_dictionaries(rows)
            spans = query.beside(report.whole)
        self._asked[report.id] = Result(report, table, query.values, spans=spans)
        return self._asked[report.id]


def _with_dictionaries(rows: duckdb.DuckDBPyRelation) -> pa.Table:
    """All rows; of texts each value once."""
    table = rows.to_arrow_table(_IN_ONE_PART)
    for place, name in enumerate(table.column_names):
        column = table.column(place)
        if pa.types.is_string(column.type):
            table = table.set_column(place, name, column.dictionary_encode())
    return table.unify_dictionaries()


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
    """The rows of reports that `keep` wants, asked when they are first needed, and once; those that
    `together` has are not asked again.

    A report of more than FEW_ROWS rows is a table in memory of DuckDB until it is dropped.
    """

    con: duckdb.DuckDBPyConnection
    keep: Filter
    together: Together | None = None
    _kept: dict[str, Answer] = field(default_factory=dict)
    _known: dict[Any, Any] = field(default_factory=dict)  # what many queries ask beside their rows
    _locks: dict[str, Lock] = field(default_factory=dict)  # two threads may need one report
    _place: str = field(default_factory=lambda: f"taken_{next(_NUMBERS)}")

    def __enter__(self) -> Taken:
        attach_memory(self.con, self._place)
        return self

    def __exit__(self, *error: object) -> None:
        self._kept.clear()
        detach_memory(self.con, self._place)

    def first(self, report: Report, most: int | None = None) -> tuple[Result, bool]:
        """The rows of a report, the first MOST_ROWS where there are more than are kept here; and
        whether these are all. `most`: nobody will ask for more rows than these.

        Raises AbsentRecords where there can be none.
        """
        with self._locks.setdefault(report.id, Lock()):
            answer = self._kept.get(report.id) or self._asked(report, most)
        return answer.result, not answer.table

    def rows(self, report: Report) -> pa.Table:
        """All rows of a report. Raises AbsentRecords where there can be none."""
        result, is_whole = self.first(report)
        if is_whole:
            return result.table
        with self.cursor(rows=report) as cursor:
            return narrow(cursor.sql("FROM rows")).to_arrow_table()

    def head(self, report: Report, rows: int) -> pa.Table:
        """The first rows of a report. Raises AbsentRecords where there can be none."""
        with self.cursor(rows=report) as cursor:
            return narrow(cursor.sql(f"FROM rows LIMIT {rows}")).to_arrow_table()

    @contextmanager
    def cursor(self, **named: Report) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor in which these names are all rows of these reports, in their order.

        Raises AbsentRecords where one of them can have none.
        """
        answers = {}
        for name, report in named.items():
            self.first(report)
            answers[name] = self._kept[report.id]
        stored = any(answer.table for answer in answers.values())
        with self.con.cursor() if stored else in_memory() as cursor:
            for name, answer in answers.items():
                if answer.table:
                    cursor.execute(f"CREATE TEMP VIEW {name} AS FROM {answer.table}")
                else:
                    cursor.register(name, answer.result.table)
            yield cursor

    def drop(self, report: Report) -> None:
        """Nobody needs the rows of this report again."""
        answer = self._kept.pop(report.id, None)
        if answer and answer.table:
            with self.con.cursor() as cursor:
                cursor.execute(f"DROP TABLE {answer.table}")

    def total(self, report: Report, every: timedelta | None, top: Top | None = None) -> Result:
        """The total of all rows of a report, or of longer intervals, made of the rows that were
        asked; asked anew where its SQL makes a total of something else than its rows."""
        own = self.keep.of(report) or self.keep
        query = ask(self.con, report, keep=own, over=every or True, top=top)
        if report.range:
            return summed(query)
        result, _ = self.first(report)
        table = self._kept[report.id].table
        with self.cursor(given=report) as cursor:
            numbered = f"*, rowid AS row_place FROM {table}"
            if not table:
                numbered = "*, row_number() OVER () AS row_place FROM given"
            cursor.execute(f"CREATE TEMP VIEW rows AS SELECT {numbered}")
            spans = query.beside(report.whole)
            if spans is not None:
                cursor.register("spans", spans)
            return replace(result, table=total_of_rows(cursor, query), spans=spans)

    def take(self, reports: Sequence[Report], do: Callable[[Taken, Report], T]) -> list[T]:
        """What `do` makes of each of these reports, several at a time."""
        run = self.keep.run
        with shared_views(self.con, reports, () if run is None else (run,)) as con:
            own = replace(self, con=con)
            return each_alone(lambda report: do(own, report), reports, self.con)

    def _asked(self, report: Report, most: int | None) -> Answer:
        own = self.keep.of(report)
        if own is None:
            raise AbsentRecords(
                f"{report.id}: its rows do not tell what --system, --from or --to ask"
            )
        with self.con.cursor() as cursor:
            query = replace(ask(cursor, report, keep=own), known=self._known)
            known = self._known_rows(report, own)
            if known is not None:
                table, stored = known, ""
            else:
                table, stored = self._stored(query, most)
            # why there is no row is asked where a system may have no such records
            has_more = table.num_rows or own.system is not None
            result = query.result(table) if has_more else Result(report, table, query.values)
        self._kept[report.id] = Answer(result, stored)
        return self._kept[report.id]

    def _stored(self, query: Query, most: int | None) -> tuple[pa.Table, str]:
        """The rows; where there are too many, the first of them and the table of all."""
        name = f'{self._place}."{query.report.id}"'
        with query.as_table(name, most) as cursor:
            ((count,),) = cursor.execute(f"SELECT count(*) FROM {name}").fetchall()
            is_whole = count <= FEW_ROWS or most is not None
            limit = "" if is_whole else f"LIMIT {MOST_ROWS}"
            table = narrow(cursor.sql(f"FROM {name} {limit}")).to_arrow_table()
            if is_whole:
                cursor.execute(f"DROP TABLE {name}")
        return table, "" if is_whole else name

    def _known_rows(self, report: Report, own: Filter) -> pa.Table | None:
        if self.together is None or own.run is None or own != self.keep:
            return None
        return self.together.table(report, own.run)


def _sizes(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """About how many rows each table has; a lake has views, of which nobody knows."""
    sizes = "SELECT table_name, estimated_size FROM duckdb_tables() WHERE NOT internal"
    return dict(con.execute(sizes).fetchall())


def each_alone(
    do: Callable[[Report], T], reports: Sequence[Report], *databases: duckdb.DuckDBPyConnection
) -> list[T]:
    """What `do` gives of each report, several at a time: half of the threads begin with those that
    have most to read, so that none of them is left alone at the end, the others with those that
    have least, so that few hold many rows at once. Statements of these databases run in a thread
    each meanwhile: many short ones take less CPU so.

    What finds no memory beside others is done again when it is alone; ReportError where it finds
    none then. One call at a time, as the setting is of a whole database; `do` may not call it
    again.
    """
    rows: Counter[str] = Counter()
    for con in databases:
        rows.update(_sizes(con))
    left = deque(sorted(reports, key=lambda report: -sum(rows[table] for table in report.needs)))
    made: dict[str, T] = {}
    too_large = list[Report]()

    def work(take: Callable[[], Report]) -> None:
        while left:
            try:
                report = take()
            except IndexError:  # another thread has the last one
                return
            try:
                made[report.id] = do(report)
            except duckdb.OutOfMemoryException:
                too_large.append(report)

    with _ALONE, ExitStack() as stack:
        for con in (*databases, stack.enter_context(in_memory())):
            ((threads,),) = con.execute("SELECT current_setting('threads')").fetchall()
            con.execute("SET threads = 1")
            stack.callback(con.execute, f"SET threads = {threads}")
        workers = min(4, os.cpu_count() or 1)
        pool = stack.enter_context(ThreadPoolExecutor(workers))
        # layouts and reports of a user are of the context
        ways = [left.pop if number % 2 else left.popleft for number in range(workers)]
        running = [pool.submit(copy_context().run, work, way) for way in ways]
        try:
            wait(running, return_when=FIRST_EXCEPTION)
        finally:
            left.clear()
        for each in running:
            each.result()
        for report in too_large:
            try:
                made[report.id] = do(report)
            except duckdb.OutOfMemoryException as error:
                raise ReportError(
                    f"{report.id}: found too little memory: {str(error).splitlines()[0]}",
                    "--memory gives rows of dumps more",
                ) from error
    return [made[report.id] for report in reports]
