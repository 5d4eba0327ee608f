"""The runs of comparisons: the sides that words name, and a document of a run with its base."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from imsperf.asking import Time, check_run, check_system, time_of, time_of_day
from imsperf.errors import ReportError, near
from imsperf.sources import connect, database_and_run, heard, is_there

if TYPE_CHECKING:
    import duckdb

    from imsperf.database.store import Store
    from imsperf.reports.comparison.compare import Comparison
    from imsperf.reports.comparison.sides import Side
    from imsperf.reports.filter import Filter
    from imsperf.reports.taken import Together


class DocumentOptions(TypedDict, total=False):
    """Options of `html_page` and `workbook`.

    Of several runs it is of the one that was loaded last, which `told` hears. `base` is another run
    of the database, DATABASE or DATABASE::RUN, to compare with; `reports` are all.
    """

    run: str | None
    base: str | None
    system: str | None
    start: Time | None
    end: Time | None
    tod: str | None
    reports: Sequence[str]
    told: Callable[[str], None] | None


class Compared(TypedDict, total=False):
    """How a run compares with another, and the rows that were asked for it."""

    comparison: Comparison
    together: Together


def of_a_run(store: Store, options: DocumentOptions) -> tuple[Filter, Compared]:
    """What rows a document of a run shows, and how the run compares with `base`."""
    from imsperf.reports.comparison.sides import run_names, run_to_show, side
    from imsperf.reports.filter import Filter

    store.ready()
    base = options.get("base")
    check_run(store, options.get("run"))
    check_system(store, options.get("system"))
    run = options.get("run") or run_to_show(
        store.con, str(store.path), options.get("told"), base or ""
    )
    system, start, end = (options.get("system"), options.get("start"), options.get("end"))
    keep = Filter(run, system, time_of(start), time_of(end), time_of_day(options.get("tod")))
    check_begun(store, keep)
    if not base:
        return keep, {}
    from imsperf.reports.comparison.compare import compare as compare_sides
    from imsperf.reports.comparison.compare import together_of

    with ExitStack() as opened:
        runs = run_names(store.con)
        path = database_and_run(base)[0]
        if base not in runs and not is_there(Path(path)) and not glob.has_magic(path):
            known = near(base, runs, f"runs: {', '.join(runs)}")
            raise ReportError(f"{base}: found no such run here, and no such file", known)
        before = side(store.con, base) if base in runs else _side(opened, base, options.get("told"))
        chosen = options.get("reports") or None
        after, within = side(store.con, run), replace(keep, run=None)
        together = together_of(within, after, before, keeps=True)
        comparison = compare_sides(before, after, chosen, keep=within, together=together)
    return keep, {"comparison": comparison, "together": together}


def check_begun(store: Store, keep: Filter) -> None:
    """Raises ReportError where nothing begins in the times that are wanted."""
    from imsperf.database.read_only import asked_in_place
    from imsperf.reports.comparison.sides import Side, check_times, run_names

    runs = (keep.run,) if keep.run else tuple(run_names(store.con))
    check_times(Side(store.con, runs, asked_in_place(store.con) or str(store.path)), keep)


def both_sides(
    opened: ExitStack,
    base: str,
    candidate: str,
    told: Callable[[str], None] | None,
    system: str | None = None,
    memory: int | None = None,
) -> tuple[Side, Side]:
    """The runs that two of DATABASE, DATABASE::RUN, DATABASE::PATTERN name, open as long as that
    is; one database is opened once. Raises ReportError where one does not know the system."""
    before = _side(opened, base, told, system=system, memory=memory)
    is_same = database_and_run(base)[0] == database_and_run(candidate)[0]
    con = before.con if is_same else None
    return before, _side(opened, candidate, told, con, system, memory)


def _side(
    opened: ExitStack,
    label: str,
    told: Callable[[str], None] | None,
    con: duckdb.DuckDBPyConnection | None = None,
    system: str | None = None,
    memory: int | None = None,
) -> Side:
    """The runs that DATABASE, DATABASE::RUN or DATABASE::PATTERN names, open as long as that is;
    `con`: where the database is open."""
    from imsperf.reports.comparison.sides import side

    path, run = database_and_run(label)
    if con is None:
        store = opened.enter_context(connect(heard(path, told, memory)))
        store.ready()
        check_system(store, system)
        con = store.con
    return side(con, run or None, label)
