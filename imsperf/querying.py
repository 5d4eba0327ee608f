"""SQL of a user on a database, in parts, and what helps where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from imsperf.errors import ReportError, near

if TYPE_CHECKING:
    import pyarrow as pa

    from imsperf.database.store import Store

T = TypeVar("T")

_ROWS = 1 << 16  # of a query, handed on at once


def query_parts(
    store: Store, sql: str, parameters: Mapping[str, Any] | None = None
) -> Iterator[pa.Table]:
    """`query` in parts, at least one, which may be empty."""
    import duckdb

    try:
        yield from with_room(store, lambda: _statements(store, sql, dict(parameters or {})))
    except duckdb.Error as error:
        words = str(error).strip()
        said = words if "Table with name" not in words else words.splitlines()[0]  # hints are ours
        raise ReportError(f"{store.path}: {said}", _sql_hint(words)) from error


def _statements(store: Store, sql: str, given: dict[str, Any]) -> Iterator[pa.Table]:
    """The rows of the last statement, after all others."""
    import duckdb
    import pyarrow as pa

    from imsperf.reports.views import with_reports

    statements = duckdb.extract_statements(with_reports(store.con, sql))
    names = {name for statement in statements for name in statement.named_parameters}
    for name in given:
        if name not in names:
            has = ", ".join(f"${known}" for known in sorted(names)) or "none"
            raise ReportError(f"no parameter {name!r}", near(name, names, f"the SQL has {has}"))
    wanted = [
        {name: given[name] for name in statement.named_parameters if name in given} or None
        for statement in statements
    ]
    for statement, values in zip(statements[:-1], wanted, strict=False):
        store.con.execute(statement, values).fetchall()
    result = store.con.sql(statements[-1], params=wanted[-1]) if statements else None
    if result is None:
        raise ReportError("the SQL gives no rows to print", "end with a SELECT")
    reader = result.to_arrow_reader(_ROWS)
    first = next(iter(reader), None)
    yield pa.Table.from_batches([] if first is None else [first], reader.schema)
    for batch in reader:
        yield pa.Table.from_batches([batch])


def with_room(store: Store, parts: Callable[[], Iterator[T]]) -> Iterator[T]:
    """The parts; where bounded memory is too little for the first of them, with all there is."""
    import duckdb

    begun = parts()
    try:
        first = next(begun)
    except duckdb.OutOfMemoryException:
        store.con.execute("RESET memory_limit")
        begun = parts()
        first = next(begun)
    yield first
    yield from begun


def _sql_hint(words: str) -> str:
    """What may help: a table of records that were never loaded is not there."""
    from imsperf import layouts

    known = "`imsperf dict` lists tables, views and columns"
    match = re.search(r"Table with name \"?([\w.]+)\"? does not exist", words)
    if match and "." in match[1]:
        from imsperf.reports.catalog import catalog

        return catalog().near(match[1])
    if match and layouts.has_table(match[1]):
        return f"no record was loaded that {match[1]} holds; see `imsperf dict {match[1]}`"
    if match:
        from imsperf.ledger import LEDGER_TABLES
        from imsperf.reports.syntax import views

        tables = (table.name for table in layouts.all_tables())
        return near(match[1], [*views(), *LEDGER_TABLES, *tables], known)
    if words.startswith("Parser Error"):
        return "a SELECT as DuckDB writes it; `imsperf query --help` has examples"
    if "read-only mode" in words:
        return "SQL only reads: `imsperf load` adds files, `imsperf runs` renames and removes runs"
    if words.startswith("Permission Error"):
        return "SQL reads what is loaded, no other file"
    return known
