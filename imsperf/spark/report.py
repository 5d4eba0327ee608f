"""A report of a lake that is attached to a session of Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from imsperf.errors import ReportError
from imsperf.spark.lake import VARIABLES, create_view
from imsperf.spark.translate import Part, parts, shipped_schema

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from imsperf.asking import ReportOptions
    from imsperf.database.store import Store
    from imsperf.reports.run import Query


def report(
    spark: SparkSession,
    report_id: str,
    parameters: Mapping[str, Any] | None = None,
    **options: Unpack[ReportOptions],
) -> pa.Table:
    """The rows of a report of the attached lake, with the columns and types of `imsperf.report`.

    Options are those of `imsperf.run_report`. Spark computes the rows; totals of them are made by
    DuckDB here, so the rows must fit in memory.
    Raises ReportError as that does, AbsentRecords where the records of a report are not there.
    """
    from imsperf.asking import asked
    from imsperf.database.store import Store, open_empty
    from imsperf.reports.filter import EVERYTHING
    from imsperf.reports.total import summed

    if not spark.catalog.tableExists("load_file"):
        raise ReportError(
            "found no lake in this session of Spark, expected one",
            "imsperf.spark.attach(spark, DIR) comes first",
        )
    with open_empty({}) as con:
        store = Store(Path("lake"), con)
        _append(spark, store, "load_file")  # what tells the runs
        query = asked(store, report_id, parameters, options)
        rows = _rows(spark, query).cast(_schema(con, query.report.sql, query.values))
        if not rows.num_rows:
            _check_there(spark, store, query)
        con.execute("CREATE TABLE rows_of_spark AS FROM rows")
        whole = query.report.whole
        if query.over and whole:
            spans = _rows_of_view(spark, query, whole).cast(_schema(con, f"FROM {whole}"))  # noqa: F841
            con.execute(f"DROP VIEW {whole}")
            con.execute(f"CREATE TABLE {whole} AS FROM spans")
        given = replace(query.report, sql="SELECT * FROM rows_of_spark")
        printed = replace(query, report=given, values={}, keep=EVERYTHING)
        if printed.over:
            return summed(printed).table
        with printed.rows() as chosen:
            return chosen.to_arrow_table()


def _append(spark: SparkSession, store: Store, table: str, columns: str = "*") -> None:
    """Copy the rows of a table of the lake."""
    store.append(table, spark.sql(f"SELECT {columns} FROM {table}").toArrow())


def _check_there(spark: SparkSession, store: Store, query: Query) -> None:
    """Raise where there can be no rows, as DuckDB does: neither of that run nor of that system."""
    from imsperf.asking import check_system
    from imsperf.reports.run import check_records

    for table in ("load_count", "load_interval"):
        _append(spark, store, table)
    for table in (*query.report.required, *query.report.either):
        _append(spark, store, table, "DISTINCT file_id")
    check_records(query.report, store.con, query.keep.run)
    check_system(store, query.keep.system)


def _schema(
    con: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any] | None = None
) -> pa.Schema:
    """Names and types that DuckDB gives the columns."""
    from imsperf.reports.run import narrow

    empty = con.sql(f"SELECT * FROM ({sql}\n) LIMIT 0", params=values or None)
    return narrow(empty).to_arrow_table().schema


def _rows(spark: SparkSession, query: Query) -> pa.Table:
    """The rows of the report that the query keeps, those of its range."""
    name = "report_" + query.report.id.replace(".", "_")
    queries = parts(query.report.sql, name, query.report.source, query.values)
    with with_views(spark, queries, query.variables):
        create_view(spark, name, queries[-1].sql)
        try:
            return _kept(spark, query, name)
        finally:
            spark.catalog.dropTempView(name)


def _rows_of_view(spark: SparkSession, query: Query, view: str) -> pa.Table:
    """The rows of a view that the query keeps, those of its range."""
    with with_views(spark, [Part("", "", (), frozenset({view}))], query.variables):
        return _kept(spark, query, view)


def _kept(spark: SparkSession, query: Query, view: str) -> pa.Table:
    rows, values = query.keep.sql(f"SELECT * FROM {view}", spark.table(view).columns)
    return spark.sql(parts(rows, "kept", values=values)[-1].sql).toArrow()


@contextmanager
def with_views(
    spark: SparkSession, queries: Sequence[Part], variables: Mapping[str, str]
) -> Iterator[None]:
    """Inside, there are the views that queries read, with what is computed once computed.

    Views that are there and read nothing of that, nor the range of the report, are used as they
    are. What was there before is there again after it.
    """
    wanted = [*_needed(queries), *(part for part in queries if part.is_once)]
    before = {part.name for part in wanted if spark.catalog.tableExists(part.name)}
    made: dict[str, Part] = {}
    computed: list[DataFrame] = []
    try:
        _set_variables(spark, variables)
        for part in wanted:
            if part.is_once:
                computed.append(spark.sql(part.sql).localCheckpoint())
                computed[-1].createOrReplaceTempView(part.name)
            elif part.name in before and not (part.reads & made.keys() or _asks(part, variables)):
                continue
            else:
                create_view(spark, part.name, part.sql)
            made[part.name] = part
        yield
    finally:
        _set_variables(spark, {})
        for frame in computed:
            frame.unpersist()
        for part in made.values():
            if part.name in before:
                create_view(spark, part.name, part.sql)
            else:
                spark.catalog.dropTempView(part.name)


def _set_variables(spark: SparkSession, variables: Mapping[str, str]) -> None:
    """The range of a report, as views ask for it that are made from now on."""
    for name in VARIABLES:
        value = f"'{variables[name]}'" if name in variables else "NULL"
        spark.sql(f"SET VAR {name} = {value}")


def _asks(part: Part, variables: Mapping[str, str]) -> bool:
    """Whether a view must be made anew, as what it knows of the range is that of its making."""
    return bool(variables) and "session.report_" in part.sql


def _needed(queries: Iterable[Part]) -> list[Part]:
    """The views that these queries read, also through others, each after those that it reads."""
    views = shipped_schema().views
    wanted = {name for part in queries for name in part.reads}
    for view in reversed(views):
        if view.name in wanted:
            wanted |= view.reads
    return [view for view in views if view.name in wanted]
