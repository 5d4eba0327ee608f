"""Views that many reports read, as tables while several reports are asked.

DuckDB plans a view anew in each place of each statement that names it: `ims_statistics_header`
stands in 124 places of 32 reports, and planning is most of the CPU of a page of a day. So these
views are asked once, and kept in memory; each cursor has a temporary view of their name, which
DuckDB finds before the view of the database, also from within other views.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, cast

import duckdb

from imsperf.database.read_only import attach_memory, detach_memory
from imsperf.reports.definition import Report
from imsperf.reports.syntax import readers, relations_read

# In order: the later ones read the earlier. Each has few rows, for an interval at most one for each
# period of a class or processor of a partition, and reads no variable of a query.
SHARED = (
    *("ims_statistics_header", "ims_log_file", "ims_log_interval"),
    *("rmf_cpu_interval", "rmf_logical_partition", "rmf_partition_processor"),
    *("rmf_class_period", "rmf_workload"),
)
_NUMBERS = count(1)


def read_again(statements: Iterable[str]) -> list[str]:
    """Those of these views that more than one of the statements, and of the views that they read,
    names."""
    counted = readers(statements)
    return [name for name in SHARED if counted[name] > 1]


@contextmanager
def shared_views(
    con: duckdb.DuckDBPyConnection, reports: Iterable[Report], runs: Sequence[str]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose cursors have as tables what several of these reports read, with rows of
    these runs only, or of all where there are none."""
    counted = Counter(name for report in reports for name in relations_read(report.sql))
    wanted = [name for name in SHARED if counted[name] > 1]
    if not wanted:
        yield con
        return
    place = f"shared_{next(_NUMBERS)}"
    attach_memory(con, place)
    of_runs = f"WHERE run IN ({', '.join(f'${n + 1}' for n in range(len(runs)))})" if runs else ""
    with con.cursor() as cursor:
        for name in wanted:
            rows = f"CREATE TABLE {place}.{name} AS SELECT * FROM {name} {of_runs}"
            cursor.execute(rows, list(runs) or None)
            cursor.execute(_view(place, name))
    define = "".join(_view(place, name) for name in wanted)
    try:
        yield cast(duckdb.DuckDBPyConnection, _Connection(con, define))
    finally:
        detach_memory(con, place)


def _view(place: str, name: str) -> str:
    return f"CREATE TEMP VIEW {name} AS FROM {place}.{name};"


class _Connection:
    """A connection that defines views before it is first used; so do its cursors."""

    def __init__(self, con: duckdb.DuckDBPyConnection, define: str) -> None:
        self._con, self._define, self._is_new = con, define, False

    def __getattr__(self, name: str) -> Any:
        if self._is_new:
            self._is_new = False
            self._con.execute(self._define)
        return getattr(self._con, name)

    def cursor(self) -> _Connection:
        """Another such connection, with the views."""
        made = _Connection(self._con.cursor(), self._define)
        made._is_new = True
        return made

    def close(self) -> None:
        """Close it."""
        self._con.close()

    def __enter__(self) -> _Connection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
