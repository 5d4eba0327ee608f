"""Reports as tables in SQL of a user: `SELECT volume, resp_ms FROM rmf.device`.

The families of reports (rmf, ims, cics ..) are databases in memory beside the one that is open, and
hold a view of each report that the SQL names. So a database on disk has nothing of them, and those
that older programs open stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from imsperf.database.read_only import attach_memory
from imsperf.reports.catalog import catalog

if TYPE_CHECKING:
    import duckdb

    from imsperf.reports.definition import Report

_NAME = re.compile(
    r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/"  # strings and comments name no report
    r'|(?<![\w."])(?P<q>"?)(?P<family>[a-z]\w*)(?P=q)\s*\.\s*(?P<r>"?)(?P<name>[a-z]\w*)(?P=r)'
    r"(?!\w)",
    re.IGNORECASE | re.DOTALL,
)
_PARAMETER = re.compile(r"\$([a-z]\w*)")


def with_reports(con: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The SQL, after the reports that it names were made views of this connection.

    A database file that is called as a family is (rmf.duckdb) has that name in SQL already; there
    the SQL that is given back names the family another way. Raises duckdb.Error where the tables
    of a report are not there.
    """
    named = {f"{m['family']}.{m['name']}".lower() for m in _NAME.finditer(sql) if m["family"]}
    wanted = [catalog().get(name) for name in catalog().reports if name in named]
    if not wanted:
        return sql
    ((database,),) = con.execute("SELECT current_database()").fetchall()
    places = dict[str, str]()
    for report in wanted:
        family, _, name = report.id.partition(".")
        place = f"{family}_reports" if family == database.lower() else family
        attach_memory(con, place)
        con.execute(f'CREATE OR REPLACE VIEW "{place}".main."{name}" AS {with_defaults(report)}')
        places[report.id] = f'"{place}"."{name}"'
    return _NAME.sub(lambda match: _renamed(match, places), sql)


def with_defaults(report: Report) -> str:
    """The SQL of a report with the default of each parameter in the place of its $name."""
    return with_values(report, {each.name: each.default for each in report.parameters})


def with_values(report: Report, values: Mapping[str, Any]) -> str:
    """The SQL of a report with the value of each parameter in the place of its $name."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            return match[0]
        given = values[match[1]]
        return "'" + given.replace("'", "''") + "'" if isinstance(given, str) else str(given)

    return _PARAMETER.sub(value, report.sql)


def temporary_views(reports: Iterable[Report]) -> str:
    """SQL that makes a temporary view "rmf.device" of each report in any DuckDB client, also where
    the database is only read."""
    return "".join(
        f'CREATE OR REPLACE TEMP VIEW "{report.id}" AS\n{with_defaults(report).strip()};\n\n'
        for report in reports
    )


def _renamed(match: re.Match[str], places: Mapping[str, str]) -> str:
    if not match["family"]:
        return match[0]
    return places.get(f"{match['family']}.{match['name']}".lower(), match[0])
