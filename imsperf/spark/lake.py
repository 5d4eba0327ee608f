"""A lake in a session of Spark: a temporary view for each table, and our views over them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from imsperf.database.store import shipped_columns
from imsperf.errors import ImsperfError
from imsperf.lake.manifest import DataFile, by_table, check_there, columns_of, read_manifests
from imsperf.spark.rewrites import spark_type
from imsperf.spark.translate import shipped_schema

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST_VERSION = 4, 1
# What our SQL needs of a session.
SETTINGS = {
    "spark.sql.ansi.enabled": "true",  # an overflow is an error, not another number
    "spark.sql.session.timeZone": "UTC",  # clocks of records are as they are, without a zone
    "spark.sql.timeType.enabled": "true",  # else no table with a time of day can be read
    # what is known of each column, for each of its names: in our views the planner does not end
    "spark.sql.constraintPropagation.enabled": "false",
}
# What the range of a report is told by: see in_report_range and report_bucket.
VARIABLES = tuple(
    f"report_{name}" for name in ("from", "to", "tod_from", "tod_to", "every", "total")
)
_MICROSECOND = "INTERVAL '0 00:00:00.000001' DAY TO SECOND"


def attach(spark: SparkSession, lake: str | Path, *, views: bool = True) -> None:
    """Make the tables of a lake, and our views over them, temporary views of this session.

    `views` False leaves our views out, which takes Spark a minute and more; a report makes those it
    reads for itself.

    The files are those that the manifests of the lake name, which all executors must see under the
    same absolute path. Tables that the lake lacks and our views read are there without rows. Four
    settings of the session are made: ANSI mode, the type TIME, UTC as its time zone, and a planner
    without constraint propagation.
    Raises StoreError for a folder that is no lake or lacks a file, ImsperfError for an older Spark.
    """
    _check_version(spark)
    folder = Path(lake).resolve()
    _, parts = read_manifests(folder)
    check_there(folder, parts)
    tables = by_table(parts)
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    for name in VARIABLES:
        spark.sql(f"DECLARE OR REPLACE VARIABLE {name} STRING DEFAULT NULL")
    for table, files in tables.items():
        _define(spark, folder, table, files)
    for table, columns in shipped_columns().items():
        if table not in tables:
            nulls = ", ".join(_nulls(columns))
            create_view(spark, table, f"SELECT {nulls} WHERE false")
    for view in shipped_schema().views if views else ():
        create_view(spark, view.name, view.sql)


def _check_version(spark: SparkSession) -> None:
    words = spark.version.split(".")
    if tuple(map(int, words[:2])) < LEAST_VERSION:
        raise ImsperfError(
            f"found Spark {spark.version}, expected 4.1 or later, which has the type TIME",
            'pip install "imsperf[spark]", here and on the cluster',
        )


def create_view(spark: SparkSession, name: str, sql: str) -> None:
    """A temporary view, computed whenever it is read.

    What its names mean is settled now: CREATE VIEW would settle it, through all views below, each
    time it is read.
    """
    spark.sql(sql).createOrReplaceTempView(name)


def _define(spark: SparkSession, folder: Path, table: str, parts: list[DataFile]) -> None:
    """The files of a table, with the columns that a database has."""
    columns = columns_of(parts)
    stored = {name: "BIGINT" if sql == "INTERVAL" else sql for name, sql in columns.items()}
    schema = schema_ddl(stored)
    paths = [(folder / part.path).as_posix() for part in parts]
    present = [_from_parquet(name, sql) for name, sql in columns.items()]
    ours = shipped_columns().get(table, {})
    absent = _nulls({name: sql for name, sql in ours.items() if name not in columns})
    rows = spark.read.schema(schema).parquet(*paths).selectExpr(*present, *absent)
    rows.createOrReplaceTempView(table)


def _from_parquet(name: str, sql: str) -> str:
    """A column as it is in a database: Parquet has microseconds where that has an interval."""
    column = _quoted(name)
    return f"{_MICROSECOND} * {column} AS {column}" if sql == "INTERVAL" else column


def _nulls(columns: Mapping[str, str]) -> list[str]:
    return [f"CAST(NULL AS {spark_type(sql)}) AS {_quoted(name)}" for name, sql in columns.items()]


def schema_ddl(columns: Mapping[str, str]) -> str:
    """Columns and their types in DuckDB, as a schema that Spark reads."""
    return ", ".join(f"{_quoted(name)} {spark_type(sql)}" for name, sql in columns.items())


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
