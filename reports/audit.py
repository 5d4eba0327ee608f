"""Audit: identities that must hold, each one SQL file, tested on a database row by row.

A check file begins with a TOML header in a comment: `title`, `unit`, `source`; `views` where it can
do without some of the views and tables that it reads. The rest is one SELECT with the columns run,
system, key, found, found_low, found_high, low, high: a value, the range it may truly have (digits,
clock ticks), and the range the identity gives it. Where the two ranges do not meet, the identity is
violated.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import pyarrow as pa

from imsperf import layouts
from imsperf.errors import ReportError, near
from imsperf.reports.syntax import bodies, parse_select

if TYPE_CHECKING:
    import duckdb

_HEADER = re.compile(r"/\* imsperf check\n(?P<toml>.*?)\*/\n(?P<sql>.*)", re.DOTALL)
_SLACK = 1e-9  # of the value, for binary fractions

SCHEMA = pa.schema(
    [
        ("check", pa.string()),
        ("run", pa.string()),
        ("system", pa.string()),
        ("key", pa.string()),
        ("unit", pa.string()),
        ("found", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("excess", pa.float64()),
        ("holds", pa.bool_()),
    ]
)


@dataclass(frozen=True)
class Check:
    """One identity. `id` is the file's name with its folder before it: published.itr."""

    id: str
    title: str
    unit: str
    source: str
    sql: str
    views: tuple[str, ...] = ()  # and tables that it reads; without their records it is not tested
    covers: str = ""  # what its records must cover; where they do not it is not tested


@dataclass(frozen=True)
class Audit:
    """What was tested: rows (`SCHEMA`) that do not hold, largest first, and the checks in order.

    `table`: the violations, then, where they were asked for, the rows that hold. `counts`: values
    that each check tested, by id. `untested`: checks whose records the database does not have, or
    not of the same time; `why`: of each, by id.
    """

    table: pa.Table
    checks: tuple[Check, ...]
    counts: Mapping[str, int]
    untested: tuple[Check, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)

    @property
    def violations(self) -> pa.Table:
        """The rows that do not hold."""
        import pyarrow.compute as pc

        return self.table.filter(pc.invert(self.table["holds"]))

    @property
    def tested(self) -> int:
        """Values that were tested."""
        return sum(self.counts.values())


@cache
def checks(family: str) -> tuple[Check, ...]:
    """The checks of a family, a folder of sql/audit, by name. Raises ReportError for a bad file."""
    folder = files("imsperf.sql") / "audit" / family
    names = sorted(path.name for path in folder.iterdir() if re.fullmatch(r"\w+\.sql", path.name))
    return tuple(
        _parsed(f"{family}.{name[:-4]}", (folder / name).read_text(encoding="utf-8"))
        for name in names
    )


def _parsed(check: str, text: str) -> Check:
    match = _HEADER.fullmatch(text)
    if not match:
        raise ReportError(f"{check}: found no header, expected /* imsperf check ... */")
    try:
        header = tomllib.loads(match["toml"])
        views = tuple(header.pop("views", ())) or _read(match["sql"])
        return Check(check, sql=match["sql"], views=views, **header)
    except (TypeError, tomllib.TOMLDecodeError) as error:
        raise ReportError(f"{check}: {error}", "members: title, unit, source") from error


def _read(sql: str) -> tuple[str, ...]:
    """The views and tables of records that a SELECT names."""
    known = bodies().keys() | layouts.shipped_tables().keys()
    return tuple(name for name in parse_select(sql).relations if name in known)


def published(only: str | None = None, *, every: bool = False) -> Audit:
    """What published tables say of each other: every identity over all printed cells.

    `every`: the rows that hold, too.

    Raises ReportError for an unknown check.
    """
    import duckdb

    sql = files("imsperf.sql")
    with duckdb.connect() as con:
        for name in ("figure", "table"):
            con.execute(
                f"CREATE TABLE published_{name} AS SELECT * FROM read_csv(?, all_varchar = true)",
                [str(sql / "published" / f"{name}s.csv")],
            )
        folder = sql / "audit" / "published"
        con.execute((folder / "figure.view.sql").read_text(encoding="utf-8"))
        return run_checks(con, _chosen("published", only), every=every)


def loaded(
    con: duckdb.DuckDBPyConnection,
    run: str | None = None,
    only: str | None = None,
    *,
    every: bool = False,
) -> Audit:
    """The identities of one run of a loaded database, or of all. Raises ReportError for a check.

    `every`: the rows that hold, too.
    """
    wanted = _chosen("run", only)
    macros = (files("imsperf.sql") / "audit" / "covered.sql").read_text(encoding="utf-8")
    con.execute(macros)
    views = {view for check in wanted for view in check.views}
    with computed(con, [*views, macros, *(check.sql for check in wanted)], run):
        has_rows = {view: _has_rows(con, view, run) for view in views}
        ready = tuple(check for check in wanted if all(has_rows[view] for view in check.views))
        with left_out(con, (check.sql for check in ready)):
            done = run_checks(con, ready, run, every=every)
    tested = tuple(check for check in wanted if done.counts.get(check.id))
    untested = tuple(check for check in wanted if not done.counts.get(check.id))
    why = {check.id: _why_not(check, has_rows) for check in untested}
    return Audit(done.table, tested, done.counts, untested, why)


def _why_not(check: Check, has_rows: Mapping[str, bool]) -> str:
    missing = [view for view in check.views if not has_rows[view]]
    if missing:
        return f"found no {', '.join(missing)}"
    return f"needs: {check.covers}" if check.covers else "found no values that it compares"


def _has_rows(con: duckdb.DuckDBPyConnection, name: str, run: str | None) -> bool:
    """Whether a view, or a table of records, has rows of the run."""
    find = "SELECT column_name FROM duckdb_columns() WHERE table_name = ?"
    columns = {column for (column,) in con.execute(find, [name]).fetchall()}
    if not columns:  # no record of it was ever loaded
        return False
    of_run = name if "run" in columns else f"{name} JOIN load_file USING (file_id)"
    # not LIMIT 1: DuckDB then joins row by row, minutes for a log of a minute
    sql = f"SELECT count(*) FROM {of_run} WHERE run = coalesce(?, run)"
    return bool(con.execute(sql, [run]).fetchall()[0][0] > 0)


def _chosen(family: str, only: str | None) -> tuple[Check, ...]:
    known = {check.id: check for check in checks(family)}
    if only is None:
        return tuple(known.values())
    wanted = only if only in known else f"{family}.{only}"
    if wanted not in known:
        raise ReportError(f"found no check {only!r}", near(only, known, ", ".join(known)))
    return (known[wanted],)


def run_checks(
    con: duckdb.DuckDBPyConnection,
    tested: tuple[Check, ...],
    run: str | None = None,
    *,
    every: bool = False,
) -> Audit:
    """Test identities, and take the rows that do not hold; with `every` those that do, too.

    Nothing is asked about their records.
    """
    counts, parts = dict[str, int](), [SCHEMA.empty_table()]
    for check in tested:
        # first counted: without a key, which is most of the work, and few have a violation
        count = f"{_judged(check)} SELECT count(*), count_if(excess > 0) FROM judged"
        ((counts[check.id], violations),) = con.execute(count, [run]).fetchall()
        if violations or every:
            parts.append(_rows(con, check, run, every))
    order = [("holds", "ascending"), ("check", "ascending"), ("excess", "descending")]
    table = pa.concat_tables(parts).sort_by([*order, ("key", "ascending")])
    return Audit(table, tested, counts)


def _judged(check: Check) -> str:
    """Rows of a check, with `excess`: how far each lies outside its range. Parameter: run."""
    return (
        f"WITH tested AS ({check.sql}), measured AS ("
        "SELECT *, greatest(low - found_high, found_low - high, 0) AS beyond FROM tested "
        "WHERE run = coalesce(?, run)), judged AS ("
        f"SELECT *, if(beyond > {_SLACK} * greatest(abs(found), 1), beyond, 0) AS excess "
        "FROM measured)"
    )


def _rows(con: duckdb.DuckDBPyConnection, check: Check, run: str | None, every: bool) -> pa.Table:
    rows = con.sql(
        f"{_judged(check)} SELECT ? AS check, run, system, key, ? AS unit, found, "
        # where the value itself may lie: its own digits or ticks widen the range
        "low - (found_high - found) AS low, high + (found - found_low) AS high, "
        "excess, excess = 0 AS holds FROM judged WHERE excess > 0 OR ?",
        params=[run, check.id, check.unit, every],
    )
    return rows.to_arrow_table().cast(SCHEMA)


# --- tables of the session -----------------------------------------------------------------------
#
# They stand under the names that checks read. A view is computed once, not by each check. Records
# that a run has twice, as of overlapping dumps, are read once: views leave them out on their own;
# checks that read tables of records read temporary tables of the same names, made where a record
# is there twice.

# tables of SMF and statistics records; those of single transactions are many, and go by file
_TABLE = re.compile(r"\b(smf(?!110|123)\d+(?:_\d+)?|ims_(?:4[57]\w\w|47|a1\w\w))(?:_\w+)?\b")
_PLACE = {"file_id", "record_no", "byte_offset"}
_COLUMNS = "SELECT count(*) FROM duckdb_columns() WHERE table_name = ?"


@contextmanager
def computed(
    con: duckdb.DuckDBPyConnection, statements: Iterable[str], run: str | None = None
) -> Iterator[None]:
    """Compute, for this connection, each view that statements name, of one run or of all.

    The table that stands for it has the columns whose names occur in the statements.
    """
    words = {word for sql in statements for word in re.findall(r"\w+", sql)} | {"run"}
    views = {view: columns for view, columns in _views(con).items() if view in words}
    try:
        for view, columns in views.items():
            some = ", ".join(_quoted(column) for column in columns if column in words)
            of_run = "run = coalesce($run, run)" if "run" in columns else "$run IS NULL OR true"
            con.execute(
                f"CREATE TEMP TABLE audit_{view} AS SELECT {some or 1} FROM {view} WHERE {of_run}",
                {"run": run},
            )
        for view in views:  # only now: views read tables of this connection, too
            con.execute(f"ALTER TABLE temp.main.audit_{view} RENAME TO {view}")
        yield
    finally:
        for view in views:
            con.execute(f"DROP TABLE IF EXISTS temp.main.audit_{view}")
            con.execute(f"DROP TABLE IF EXISTS temp.main.{view}")


def _views(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    sql = (
        "SELECT view_name, list(column_name ORDER BY column_index) "
        "FROM duckdb_views() AS v JOIN duckdb_columns() AS c "
        "ON c.table_oid = v.view_oid AND c.database_name = v.database_name "
        "WHERE v.schema_name = 'main' AND NOT v.internal "
        "AND v.database_name = current_database() GROUP BY view_name"
    )
    return dict(con.execute(sql).fetchall())


@contextmanager
def left_out(con: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> Iterator[None]:
    """Hide, for this connection, repeated records from the tables that statements read.

    Two records of a run are the same where all their sections have the same values, and all their
    bytes where the load kept hashes: logs of two systems may differ in a clock's last bits alone.
    """
    kinds = {match[1] for sql in statements for match in _TABLE.finditer(sql)}
    tables = _tables(con)
    hidden: list[str] = []
    try:
        for kind in sorted(kinds):
            parts = {name: own for name, own in tables.items() if _kind(name) == kind}
            if not parts or not _find_repeats(con, parts):
                continue
            for name in parts:
                con.execute(
                    f"CREATE TEMP TABLE {name} AS FROM {_database(con)}.main.{name} "
                    "ANTI JOIN audit_repeated USING (file_id, record_no)"
                )
                hidden.append(name)
        yield
    finally:
        for name in hidden:
            con.execute(f"DROP TABLE temp.main.{name}")


def _database(con: duckdb.DuckDBPyConnection) -> str:
    ((name,),) = con.execute("SELECT current_database()").fetchall()
    return _quoted(name)


def _quoted(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _kind(table: str) -> str | None:
    match = _TABLE.fullmatch(table)
    return match[1] if match else None


def _tables(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    sql = (
        "SELECT table_name, list(column_name) FROM duckdb_columns() "
        "WHERE schema_name = 'main' AND NOT internal AND database_name = current_database() "
        "GROUP BY table_name"
    )
    return {
        name: sorted(set(columns) - _PLACE)
        for name, columns in con.execute(sql).fetchall()
        if _PLACE - {"byte_offset"} <= set(columns)
    }


def _find_repeats(con: duckdb.DuckDBPyConnection, parts: dict[str, list[str]]) -> bool:
    sections = " UNION ALL ".join(
        f"SELECT file_id, record_no, hash('{name}', {', '.join(map(_quoted, columns))})::HUGEINT "
        f"AS content FROM {_database(con)}.main.{name}"
        for name, columns in parts.items()
    )
    known = con.execute(_COLUMNS, ["load_record"]).fetchall() != [(0,)]
    join_records = "JOIN load_record AS r USING (file_id, record_no)" if known else ""
    bytes_ = ", r.hash_high, r.hash_low" if known else ""
    con.execute(
        "CREATE OR REPLACE TEMP TABLE audit_repeated AS SELECT file_id, record_no FROM ("
        f"SELECT file_id, record_no, sum(content) AS content FROM ({sections}) GROUP BY ALL"
        f") JOIN load_file AS f USING (file_id) {join_records} QUALIFY row_number() OVER ("
        f"PARTITION BY f.run, content{bytes_} ORDER BY file_id, record_no) > 1"
    )
    return con.execute("SELECT count(*) FROM audit_repeated").fetchall() != [(0,)]
