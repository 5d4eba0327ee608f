"""SQL over Arrow tables: connections to one database in memory, which the process keeps.

A database of its own would cost each question 19 ms of CPU, a connection 2 ms.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import duckdb


@cache
def _database() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(report_macros())
    return con


def in_memory() -> duckdb.DuckDBPyConnection:
    """A connection whose registered and temporary tables nobody else sees; the caller closes it.

    It has the macros that totals use. Nothing but TEMP may be created in it.
    """
    return _database().cursor()


def report_macros() -> str:
    """The macros that totals use, for a connection without our views."""
    views = files("imsperf.sql") / "views"
    names = ("05_report_range.sql", "05_deviation.sql", "05_goal.sql")
    return "".join((views / name).read_text(encoding="utf-8") for name in names)
