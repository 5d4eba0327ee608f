"""One change in the SQL of a report or of a view behind it: do the cases worked by hand notice?

`python tests sql_mutants` asks it of the reports that are used most, of every view and macro they
read, and of every change that sql_changes.py knows; it prints what lives and how many do.
`python tests sql_mutants rmf.device rmf_device 5` asks it of a report and a view and of one change
in five, `@FILE` of those that such a print says live; with `write` the table goes to
docs/reports.md. sql_survivors.toml says why a change lives.

All cases stand in one database, each as a run of its own, with every record in two files of the
run. A change is noticed when a case of a report that reads the changed SQL has other rows, when a
ratio no longer follows from its parts, or when DuckDB has an error in making them. One that DuckDB
does not bind is no change that could stand in the SQL; it is not counted.
"""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from time import process_time
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from report_database import TYPES, add, empty, together
from report_table import DOCUMENT, with_table
from sql_changes import Change, changes, exp, parsed
from test_report_values import FILES, differences, kept, ratios, tables_of

from imsperf.database.store import view_statements
from imsperf.errors import ReportError
from imsperf.reports.catalog import shipped
from imsperf.reports.run import Result, ask

P1 = (
    "rmf.cpu", "rmf.partition", "rmf.workload", "rmf.device", "rmf.cf_structure",
    "ims.fixed_pools", "ims.latches", "ims.logger", "ims.transit", "ims.fast_path", "run.metrics",
)  # fmt: skip
SURVIVORS = Path(__file__).with_name("sql_survivors.toml")
LONGEST_S = 60.0  # of a change: one that makes DuckDB run on is noticed
OF_LONGER_INTERVALS = ("report_bucket", "report_clock_bucket")  # test_report_interval.py
MOST, COPIES = 1_000, 100_000  # cases, and what the number of a second copy of a file has more
KEYS = {"file_id", "record_no", "section_no", "byte_offset", "log_lsn", "run", "system", "sysplex"}
DOES_NOT_BIND = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)
Case = Mapping[str, Any]


# --- statements -------------------------------------------------------------------------------


@cache
def made() -> Mapping[str, exp.Create]:
    """Views and macros by name, in the order they are made."""
    found = {}
    for text in view_statements():
        for tree in parsed(text):
            if isinstance(tree, exp.Create):
                found[tree.find(exp.Table).name] = tree
    return found


@cache
def behind(name: str) -> tuple[str, ...]:
    """Views and macros that a report, view or macro reads, and those behind them."""
    found: dict[str, None] = {}
    rest = [tree(name)]
    while rest:
        for node in rest.pop().find_all(exp.Table, exp.Anonymous):
            if node.name in made() and node.name not in found and node.name != name:
                found[node.name] = None
                rest.append(made()[node.name].expression)
    return tuple(found)


def tree(name: str) -> exp.Expression:
    return made()[name] if name in made() else parsed(shipped().reports[name].sql)[0]


@cache
def readers(name: str) -> tuple[str, ...]:
    """Reports whose rows a change may change: those used most first, the nearest of them first."""
    if name not in made():
        return (name,)
    reading = [report for report in shipped().reports if name in behind(report)]
    return tuple(sorted(reading, key=lambda r: (r not in P1, len(behind(r)))))


def all_changes(name: str, is_asked: Callable[[str], bool] = bool) -> Iterator[Change]:
    """Changes of a report, view or macro whose names are asked."""
    statement = tree(name)
    beside: dict[str, str] = {}
    for source in {table.name for table in statement.find_all(exp.Table)} - {name}:
        columns = {c: kind for c, kind in columns_of(source).items() if c not in KEYS}
        names = list(columns)
        for place, column in enumerate(names):
            later = (n for n in names[place + 1 :] + names[:place] if columns[n] == columns[column])
            if (other := next(later, None)) is not None:
                beside.setdefault(column, other)
    return changes(statement, beside, is_asked)


def columns_of(source: str) -> Mapping[str, str]:
    if source in TYPES:
        return TYPES[source]
    if source not in made() or made()[source].kind != "VIEW":
        return {}
    return {
        name: str(kind) for name, kind, *_ in cases().con.execute(f"DESCRIBE {source}").fetchall()
    }


# --- cases ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cases:
    """A database with every case as a run, and what the reports must show of the runs."""

    con: duckdb.DuckDBPyConnection
    of: Mapping[str, Sequence[Case]]

    def differs(self, report: str, sql: str | None = None) -> str:
        """What tells the report from what it must show: a case, a ratio, an error; empty if none.

        Raises one of DOES_NOT_BIND for SQL that is none.
        """
        definition = shipped().reports[report]
        changed = replace(definition, sql=sql or definition.sql)
        try:
            for some in asked_alike(self.of.get(report, ())):
                one = some[0]
                query = ask(self.con, changed, one.get("parameters"), kept(one), one.get("over"))
                with query.rows() as found:
                    table = found.to_arrow_table()
                if differing := next((c["name"] for c in some if not shows(table, c)), ""):
                    return differing
                for name, left, right in ratios(Result(definition, table)):
                    if left != pytest.approx(right, rel=1e-12, nan_ok=True):
                        return f"ratio {name}"
        except ReportError as error:
            if isinstance(error.__cause__, DOES_NOT_BIND):
                raise error.__cause__ from error
            return str(error)
        except DOES_NOT_BIND:
            raise
        except (duckdb.Error, KeyError, AssertionError) as error:
            return repr(error)
        return ""

    @contextmanager
    def around(self, changed: str) -> Iterator[Cases]:
        """A copy in which all that a change of `changed` cannot change is a table, not a view."""
        over = {name for name in made() if changed in behind(name)} | {changed}
        read = [tree(name) for name in {*over, *readers(changed)}]
        names = sorted({table.name for each in read for table in each.find_all(exp.Table)} - over)
        still = [name for name in names if name in made() and made()[name].kind == "VIEW"]
        with _copy(self.con) as con:
            for name in still:
                con.execute(f"CREATE TABLE was_{name} AS FROM {name}")
            for name in still:
                con.execute(f"DROP VIEW {name}; ALTER TABLE was_{name} RENAME TO {name}")
            yield Cases(con, self.of)


@contextmanager
def _copy(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    con.execute("CHECKPOINT")
    ((file,),) = con.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    with TemporaryDirectory() as folder:
        to = Path(folder) / "cases.duckdb"
        shutil.copy(file, to)
        limits = {"threads": 1, "memory_limit": "1GB", "max_temp_directory_size": "0B"}
        with duckdb.connect(str(to), config=limits) as copy:
            yield copy


@cache
def cases() -> Cases:
    """Every case of a report on records; those on the files of a load have a test of their own."""
    con = empty()
    of = defaultdict(list)
    with together(con):
        for number, file in enumerate(FILES, 1):
            case = json.loads(file.read_text(encoding="utf-8"))
            if not shipped().reports[case["report"]].is_of_the_ledger:
                _fill(con, number, case)
                of[case["report"]].append(case)
        for table in ("load_file", *(name for name in TYPES if not name.startswith("load"))):
            if "file_id" in TYPES[table]:
                again = f"SELECT * REPLACE (file_id + {COPIES} AS file_id) FROM {table}"
                con.execute(f"INSERT INTO {table} {again}")
    return Cases(con, of)


def _fill(con: duckdb.DuckDBPyConnection, number: int, case: Case) -> None:
    """The rows of a case, in files and a run of its own."""
    tables = tables_of(case)
    files = [{"file_id": 1}, *tables.pop("load_file", [])]
    for table, rows in {"load_file": files, **tables}.items():
        for row in rows:
            own: dict[str, Any] = {}
            if "file_id" in TYPES[table]:
                own["file_id"] = MOST * row.get("file_id", 1) + number
            if "run" in TYPES[table]:  # the run of a case is t, some have others beside it
                of = row.get("run", "t")
                own["run"] = case["name"] if of == "t" else f"{case['name']}/{of}"
            add(con, table, [row | own])


def asked_alike(some: Sequence[Case]) -> Iterable[list[Case]]:
    """Cases whose report is asked in the same way."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in some:
        found[repr([case.get(name) for name in ("parameters", "keep", "over")])].append(case)
    return found.values()


def shows(table: pa.Table, case: Case) -> bool:
    """The rows of the runs of a case, as its test compares them; there the first is called `t`."""
    first = pc.equal(table["run"], case["name"])
    others = pc.starts_with(table["run"], case["name"] + "/")
    rows = table.filter(pc.or_(first, others)).to_pylist()
    own = [row | {"run": row["run"].partition("/")[2] or "t"} for row in rows]
    return not any(differences(own, case))


# --- mutants ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A change of `of`, and the case that noticed it, if any did; None where it does not bind."""

    of: str
    name: str
    noticed: str | None


def mutants_of(of: str, is_asked: Callable[[str], bool]) -> Iterator[Mutant]:
    """Changes of a report, view or macro whose names are asked."""
    with cases().around(of) as there:
        for change in all_changes(of, is_asked):
            yield Mutant(of, change.name, noticed(of, change, there))


def one_in(every: int, of: str) -> Callable[[str], bool]:
    """A sample of changes that others in the same SQL do not move."""
    return lambda name: zlib.crc32(f"{of} {name}".encode()) % every == 0


def noticed(of: str, change: Change, there: Cases) -> str | None:
    """The case that notices a change, or an error; empty where none does, None for no SQL."""
    late = Timer(LONGEST_S, there.con.interrupt)
    late.start()
    try:
        if of not in made():
            return there.differs(of, change.sql)
        with changed(there.con, of, change.sql):
            return next(filter(None, map(there.differs, readers(of))), "")
    except DOES_NOT_BIND:
        return None
    finally:
        late.cancel()


@contextmanager
def changed(con: duckdb.DuckDBPyConnection, of: str, sql: str) -> Iterator[None]:
    """The database with another view or macro of that name; raises one of DOES_NOT_BIND."""
    try:
        con.execute(sql)
        yield
    finally:
        con.execute(tree(of).sql(dialect="duckdb", comments=False))


@cache
def survivors() -> Mapping[tuple[str, str], str]:
    """Changes of which it is known that they live, and why."""
    said = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    known = ((line.partition(" "), each["why"]) for each in said["live"] for line in each["sql"])
    return {(of, name): why for (of, _, name), why in known}


def main(words: Sequence[str]) -> None:
    asked: dict[str, set[str]] = defaultdict(set)
    for file in (word[1:] for word in words if word.startswith("@")):
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                of, _, name = line.strip().partition(" ")
                asked[of].add(name)
    every = next((int(word) for word in words if word.isdigit()), 1)
    named = [word for word in words if word in made() or word in shipped().reports]
    found = []
    for of in named or list(asked) or all_of(P1):
        start = process_time()
        is_asked = asked[of].__contains__ if asked else one_in(every, of)
        mutants = [mutant for mutant in mutants_of(of, is_asked) if mutant.noticed is not None]
        for mutant in mutants:
            if not mutant.noticed:
                print(f"    {of} {mutant.name}", flush=True)
        live = sum(not mutant.noticed for mutant in mutants)
        print(f"{of}: {len(mutants)}, {live} live, {process_time() - start:.1f} s", flush=True)
        found += mutants
    live = sum(not mutant.noticed for mutant in found)
    print(f"{len(found)}, {live} live: {100 * live / max(len(found), 1):.1f} %")
    if "write" in words:
        text = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(with_table(text, "mutants", table(found, every)), encoding="utf-8")


def table(mutants: Sequence[Mutant], every: int) -> str:
    """What was asked and what lives, for docs/reports.md."""
    rows: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        rows[mutant.of].append(mutant)
    lived = [mutant for mutant in mutants if not mutant.noticed]
    lines = ["| SQL | changes | live |", "|---|---:|---:|"]
    for of, some in rows.items():
        lines.append(f"| `{of}` | {len(some)} | {sum(not m.noticed for m in some) or ''} |")
    share = 100 * len(lived) / max(len(mutants), 1)
    lines.append(f"| all | {len(mutants)} | {len(lived)} ({share:.1f} %) |")
    why = Counter(survivors().get((m.of, m.name), "not looked into") for m in lived)
    reasons = ["| of the changes that live | why |", "|---:|---|"]
    reasons += [f"| {count} | {words} |" for words, count in why.most_common()]
    first = f"One change in {every} was asked.\n" if every > 1 else "Every change was asked.\n"
    return "\n".join([first, *lines, "", *reasons]) + "\n"


def all_of(reports: Sequence[str]) -> tuple[str, ...]:
    """The reports, and what they read."""
    views = dict.fromkeys(name for report in reports for name in behind(report))
    return (*reports, *(name for name in views if name not in OF_LONGER_INTERVALS))


if __name__ == "__main__":
    main(sys.argv[1:])
