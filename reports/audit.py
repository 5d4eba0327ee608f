"""Audit: identities that must hold, each one SQL file, tested on a database row by row.

A check file begins with a TOML header in a comment (`title`, `unit`, `source`); the rest is one
SELECT with the columns run, system, key, found, found_low, found_high, low, high: a value, the
range it may truly have (digits, clock ticks), and the range the identity gives it. Where the two
ranges do not meet, the identity is violated.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import pyarrow as pa

from imsperf.errors import ReportError, near
from imsperf.reports.audit_tables import computed, left_out

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
    views: tuple[str, ...] = ()  # that it reads; without their records it is not tested
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
        views = tuple(header.pop("views", ()))
        return Check(check, sql=match["sql"], views=views, **header)
    except (TypeError, tomllib.TOMLDecodeError) as error:
        raise ReportError(f"{check}: {error}", "members: title, unit, source") from error


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
