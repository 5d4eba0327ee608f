"""SQL of DuckDB as SQL of Spark; no Spark is needed to say it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from imsperf.errors import ImsperfError
from imsperf.reports.catalog import shipped
from imsperf.spark import attach, translate
from imsperf.spark.lake import VARIABLES
from imsperf.spark.translate import Part, parts, shipped_schema
from imsperf.spark.unsupported import Unsupported

EPOCH = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"
US = "INTERVAL '0 00:00:00.000001' DAY TO SECOND"

# DuckDB, and what Spark needs for the same rows.
SAME = {
    "division is of doubles": (
        "SELECT io_us / nullif(io_count, 0) AS a FROM t",
        "SELECT CAST(io_us AS DOUBLE) / CAST(NULLIF(io_count, 0) AS DOUBLE) AS a FROM t",
    ),
    "a number with a point is a double": (
        "SELECT 0.001 * x AS a, 1e6 * x AS b, 2 * x AS c FROM t",
        "SELECT 0.001D * x AS a, 1e6 * x AS b, 2 * x AS c FROM t",
    ),
    "a cast to an integer rounds": (
        "SELECT (1e6 * s)::BIGINT AS a, n::BIGINT AS b FROM t",
        "SELECT CAST(BROUND(1e6 * s) AS BIGINT) AS a, CAST(n AS BIGINT) AS b FROM t",
    ),
    "QUALIFY with a column that is not selected": (
        "SELECT system FROM t AS u QUALIFY counts_once((u.run, u.name), u.file_id) ORDER BY system",
        "SELECT * EXCEPT (qualified) FROM (SELECT system, ROW_NUMBER() OVER (PARTITION BY "
        "(u.run, u.name) ORDER BY u.file_id NULLS LAST) = 1 AS qualified FROM t AS u) AS counted "
        "WHERE qualified ORDER BY system NULLS LAST",
    ),
    "* RENAME": (
        "WITH t AS (SELECT 1 AS a, 2 AS b) SELECT * RENAME (a AS c) FROM t",
        "WITH t AS (SELECT 1 AS a, 2 AS b) SELECT `a` AS c, `b` FROM t",
    ),
    "WHERE by the name of a result": (
        "SELECT a.x + 1 AS n FROM t AS a WHERE n > 0",
        "SELECT a.x + 1 AS n FROM t AS a WHERE (a.x + 1) > 0",
    ),
    "grouping() in HAVING": (
        "SELECT a, sum(b) AS b FROM t GROUP BY GROUPING SETS ((a), ()) HAVING grouping(a) = 1",
        "SELECT * EXCEPT (qualified) FROM (SELECT a, SUM(b) AS b, GROUPING(a) = 1 AS qualified "
        "FROM t GROUP BY GROUPING SETS ((a), ())) AS counted WHERE qualified",
    ),
    "numbers of a range": (
        "SELECT unnest(range(a, b)) AS n FROM t",
        "SELECT EXPLODE(FILTER(SEQUENCE(a, GREATEST(a, b - 1)), each_number -> each_number < b)) "
        "AS n FROM t",
    ),
    "the last row before": (
        "SELECT a.x, b.kind FROM a ASOF LEFT JOIN b ON b.k = a.k AND a.at >= b.at",
        "SELECT a.x, b.kind FROM a LEFT JOIN (SELECT *, LEAD(`at`) OVER (PARTITION BY `k` ORDER BY "
        "`at` NULLS LAST) AS asof_0 FROM b WHERE NOT `at` IS NULL) AS b ON b.k = a.k AND "
        "a.at >= b.at AND (a.at < b.`asof_0` OR b.`asof_0` IS NULL)",
    ),
    "the first row after": (
        "SELECT a.x, b.kind FROM a ASOF JOIN b ON b.k = a.k AND a.at < b.at",
        "SELECT a.x, b.kind FROM a JOIN (SELECT *, LAG(`at`) OVER (PARTITION BY `k` ORDER BY "
        "`at` NULLS LAST) AS asof_0 FROM b WHERE NOT `at` IS NULL) AS b ON b.k = a.k AND "
        "a.at < b.at AND (a.at >= b.`asof_0` OR b.`asof_0` IS NULL)",
    ),
    "UNION BY NAME": (
        "SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 3 AS b",
        "SELECT 1 AS a, 2 AS b UNION ALL SELECT NULL AS `a`, `b` FROM (SELECT 3 AS b) AS side",
    ),
    "a row as a value": (
        "WITH now AS (SELECT 1 AS x) SELECT now FROM now",
        "WITH now AS (SELECT 1 AS x) SELECT STRUCT(now.*) AS now FROM now",
    ),
    "a column called as its table is no row": (
        "WITH word AS (SELECT 1 AS word) SELECT word FROM word",
        "WITH word AS (SELECT 1 AS word) SELECT word FROM word",
    ),
    "seconds of an interval": (
        "SELECT epoch(b - a) AS s, epoch_us(a) AS us FROM t",
        f"SELECT (TIMESTAMPDIFF(MICROSECOND, {EPOCH}, {EPOCH} + (b - a)) / 1e6) AS s, "
        f"TIMESTAMPDIFF(MICROSECOND, {EPOCH}, a) AS us FROM t",
    ),
    "a length from a number": (
        "SELECT at + to_minutes(15 * q) AS a, at + INTERVAL 500 MILLISECONDS AS b FROM t",
        f"SELECT at + ({US} * CAST(BROUND(6e7 * (15 * q)) AS BIGINT)) AS a, "
        f"at + ({US} * 500000) AS b FROM t",
    ),
    "printf of NULL is NULL": (
        "SELECT printf('%04X', unit) AS a FROM t",
        "SELECT CASE WHEN NOT unit IS NULL THEN FORMAT_STRING('%04X', CAST(unit AS BIGINT)) END "
        "AS a FROM t",
    ),
    "format": (
        "SELECT format('{:02X}', n) AS a FROM t",
        "SELECT CASE WHEN NOT n IS NULL THEN FORMAT_STRING('%02X', CAST(n AS BIGINT)) END AS a "
        "FROM t",
    ),
    "GLOB": (
        "SELECT job FROM t WHERE job GLOB p",
        "SELECT job FROM t WHERE job RLIKE CONCAT('^', REPLACE(REPLACE(REGEXP_REPLACE(p, "
        r"'([^A-Za-z0-9*?])', '\\\\$1'), '*', '.*'), '?', '.'), '$')",
    ),
    "lists": (
        "SELECT list_sum(buckets[1:6]) AS a, buckets[2] AS b, list_extract(buckets, n) AS c, "
        "buckets[n] AS d FROM t",
        "SELECT AGGREGATE(SLICE(buckets, 1, 6), CAST(NULL AS DECIMAL(38, 0)), (a, b) -> "
        "CAST(COALESCE(a + b, a, b) AS DECIMAL(38, 0))) AS a, GET(buckets, 1) AS b, "
        "GET(buckets, CAST(n - 1 AS INT)) AS c, GET(buckets, CAST(n - 1 AS INT)) AS d FROM t",
    ),
    "where a list has a value": (
        "SELECT list_position(['a', 'b'], kind) AS n FROM t",
        "SELECT NULLIF(ARRAY_POSITION(ARRAY('a', 'b'), kind), 0) AS n FROM t",
    ),
    "a part of a text": (
        "SELECT rtoken[1:12] AS a FROM t",
        "SELECT SUBSTRING(rtoken, 1, 12) AS a FROM t",
    ),
    "infinity": (
        "SELECT CAST('infinity' AS TIMESTAMP) AS a, CAST('-infinity' AS TIMESTAMP) AS b",
        "SELECT TIMESTAMP_NTZ '9999-12-31 23:59:59.999999' AS a, "
        "TIMESTAMP_NTZ '0001-01-01 00:00:00' AS b",
    ),
    "bits": (
        "SELECT (flags & 8) <> 0 AS a, type >> 8 AS b FROM t",
        "SELECT (CAST(flags AS BIGINT) & CAST(8 AS BIGINT)) <> 0 AS a, "
        "SHIFTRIGHT(CAST(type AS BIGINT), 8) AS b FROM t",
    ),
    "types": (
        "SELECT a::HUGEINT AS a, b::UINTEGER AS b, c::TIMESTAMP AS c, d::TIME AS d FROM t",
        "SELECT CAST(a AS DECIMAL(38, 0)) AS a, CAST(b AS BIGINT) AS b, "
        "CAST(c AS TIMESTAMP_NTZ) AS c, CAST(d AS TIME) AS d FROM t",
    ),
    "values without NULLs": (
        "SELECT any_value(kind) AS a, arg_max(name, at) AS b FROM t",
        "SELECT ANY_VALUE(kind, TRUE) AS a, "
        "MAX_BY(name, CASE WHEN NOT name IS NULL THEN at END) AS b FROM t",
    ),
    "a day and a time of day": (
        "SELECT smf42dte + smf42tme AS a FROM t",
        "SELECT MAKE_TIMESTAMP_NTZ(smf42dte, smf42tme) AS a FROM t",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_says_the_same_to_spark(case: str) -> None:
    """Expected texts are written by hand from what both manuals say."""
    duckdb, spark = SAME[case]
    assert translate(duckdb) == spark


@pytest.mark.parametrize(
    ("sql", "construct"),
    [
        ("SELECT histogram(x) FROM t", "HISTOGRAM"),
        ("SELECT a FROM t POSITIONAL JOIN u", "POSITIONAL JOIN"),
        ("SELECT * FROM a ASOF JOIN b ON a.k = b.k AND a.t >= b.t", r"SELECT \* of an ASOF"),
        ("SELECT len(x) FROM t", "LENGTH"),
        ("SELECT printf('%e', x) FROM t", "PRINTF"),
        ("SELECT list_reduce(l, lambda a, b: a + b) FROM t", "REDUCE"),
        ("PIVOT t ON a USING sum(b)", "Pivot"),
        (
            "SELECT max(a) OVER (w ROWS 1 PRECEDING) FROM t WINDOW w AS (ORDER BY b)",
            r"MAX\(a\) OVER \(w ROWS",
        ),
        ("SELECT * FROM nothing UNION ALL BY NAME SELECT 1 AS a", "columns are not known"),
        ("SELECT a, FROM WHERE", "Expected"),
    ],
)
def test_names_what_it_cannot_say(sql: str, construct: str) -> None:
    with pytest.raises(Unsupported, match=f"(?is)^own.sql: cannot be translated .*{construct}"):
        translate(sql, "own.sql")


def test_says_all_views_and_reports() -> None:
    """SQL that Spark cannot be told fails here, with its file and the construct."""
    views = shipped_schema().views
    names = [view.name for view in views]
    assert len(names) == len(set(names)) > 100
    variables = set(re.findall(r"session\.(\w+)", " ".join(view.sql for view in views)))
    for report in shipped():
        *_, query = parts(report.sql, report.id, report.source)
        assert query.columns == report.names, report.id
        variables |= set(re.findall(r"session\.(\w+)", query.sql))
    assert variables == set(VARIABLES)


def test_what_is_materialized_is_a_part_of_its_own() -> None:
    """With what of WITH it reads; a name that a query within gives anew stays."""
    sql = """
        WITH n AS (SELECT 1 AS x),
        big AS MATERIALIZED (SELECT x FROM n)
        SELECT big.x FROM big JOIN (WITH big AS (SELECT 2 AS x) SELECT x FROM big) AS other ON true
    """
    once, query = parts(sql, "view")
    name = "view__big"
    expected = "WITH n AS (SELECT 1 AS x) SELECT x FROM n"
    assert once == Part(name, expected, (), frozenset({"n"}), is_once=True)
    assert query.sql == (
        f"WITH n AS (SELECT 1 AS x) SELECT big.x FROM {name} AS big JOIN "
        "(WITH big AS (SELECT 2 AS x) SELECT x FROM big) AS other ON TRUE"
    )


def test_an_older_spark(tmp_path: Path) -> None:
    older: Any = SimpleNamespace(version="4.0.1")
    with pytest.raises(ImsperfError, match=r"found Spark 4\.0\.1, expected 4\.1 or later"):
        attach(older, tmp_path)


NONE_OF_THESE = """
import sys
tried = []
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("pandas", "pyspark", "py4j"):
            tried.append(name)
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import imsperf, imsperf.api, imsperf.spark
print([name for name in tried if name != "pandas"])  # pyarrow tries to import that
"""


def test_imports_no_spark() -> None:
    """Nor needs it pandas, which mapInArrow does."""
    command = [sys.executable, "-P", "-c", NONE_OF_THESE]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
