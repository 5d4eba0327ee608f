"""Set two runs side by side: every number of every report, joined on system and key.

Values of a whole run are made again from the summed parts of ratios; counts are taken for each
second of their intervals, so that runs of different length can be compared. Whether a difference is
beyond what intervals differ by themselves is tested: see `significance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison import significance
from imsperf.reports.comparison.causes import by_cause
from imsperf.reports.comparison.column_tests import ReportTests
from imsperf.reports.comparison.pairs import COMPARED, Pairs, column_rows, joined, paired
from imsperf.reports.comparison.samples import read_samples
from imsperf.reports.comparison.sides import (
    Side,
    check_clock,
    check_times,
    differences,
    follow_the_day,
    load_differs,
    loads_of,
    same_records,
)
from imsperf.reports.comparison.verdicts import (
    EXCURSION,
    bounded,
    concluded,
    ranked,
    with_a_value,
    worst_first,
)
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.run import PAGE_KEYS, Result, lacking_of, suspect_records
from imsperf.reports.taken import Together, each_alone
from imsperf.reports.total import PER_ROW, SECONDS

PER_SECOND = "rate"  # the form of counts, which are compared by the second
_TOLD = 5  # reports or systems that an error names

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("report", "key", "column", "unit", "better")),
        *((name, pa.float64()) for name in ("base", "candidate", "delta", "delta_pct")),
        *((name, pa.float64()) for name in ("ci_low_pct", "ci_high_pct", "margin_pct")),
        ("samples", pa.string()),
        *((name, pa.int64()) for name in ("n_base", "n_candidate")),
        *((name, pa.float64()) for name in ("n_eff", "p_value", "q_value")),
        ("verdict", pa.string()),
        ("rank", pa.int64()),
        ("note", pa.string()),
    ]
)
_SAME_HOURS = "--tod 09:00-12:00 takes the same hours of both, whatever their days"


@dataclass(frozen=True, repr=False)
class Comparison:
    """`table` has the columns of SCHEMA, in order of causes (`by_cause`); `differences` has topic,
    item, base, candidate of all else.

    `names` has what a key is known by, where that is no part of it: the volume of a device.
    `suspect` is how many loaded records of base and candidate something speaks against. `same_run`:
    both sides are the same records. `runs`: how many each side has.
    `times`: from when to when a row (report, key, column) of the candidate is another one.
    `excursions` has the columns of EXCURSION: what is far worse in some intervals of the candidate.
    `by_day`: `clock` was not asked for, and the load of both sides follows the hours of the day.
    """

    table: pa.Table
    differences: pa.Table
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    suspect: tuple[int, int] = (0, 0)
    same_run: bool = False
    runs: tuple[int, int] = (1, 1)
    times: Mapping[tuple[str, str, str], tuple[Any, Any]] = field(default_factory=dict)
    excursions: pa.Table = field(default_factory=EXCURSION.empty_table)
    by_day: bool = False

    def __repr__(self) -> str:
        """How many rows have which verdict: a notebook shows no tables of 30,000 rows."""
        counts = pc.value_counts(self.table["verdict"]).to_pylist()
        words = ", ".join(f"{each['counts']:,} {each['values']}" for each in counts)
        rows = f"{self.table.num_rows:,} rows: {words}" if counts else "no row"
        return f"<Comparison: {rows}; .table, .differences and .excursions have them>"

    @cached_property
    def places(self) -> frozenset[str]:
        """Which of system and IMS a row must be told with: there are several in the keys, besides
        `*ALL` of a sysplex."""
        keys = pc.unique(self.table["key"])
        values = {
            name: pc.extract_regex(keys, rf"(?:^|,){name}=(?P<value>[^,*]+)").drop_null()
            for name in ("system", "ims")
        }
        return frozenset(
            name for name, found in values.items() if len(pc.unique(found.field(0))) > 1
        )

    @property
    def caution(self) -> str:
        """What the numbers cannot tell."""
        if min(self.runs) >= significance.FEWEST_RUNS:
            return ""
        most = max(self.runs)
        sides = "one run a side" if most == 1 else f"{self.runs[0]} and {self.runs[1]} runs a side"
        return f"With {sides}, noise between runs is not seen: only that between intervals is."


def compare(
    base: Side,
    candidate: Side,
    reports: Sequence[str] | None = None,
    *,
    keep: Filter = EVERYTHING,
    clock: bool = False,
    together: Together | None = None,
) -> Comparison:
    """Compare two sides in the named reports, or in all that either has records for.

    `keep`: only this system and these times. `clock`: intervals of the same time of the week belong
    together. `together`: what asks the candidate's rows, and the base's if they are of the same
    database. Raises ReportError for an unknown report, or a named one that neither side has records
    for.
    """
    every = [
        report
        for report in catalog()
        if not report.is_of_the_ledger
        and not any(parameter.name == "conditions" for parameter in report.parameters)  # repeats
    ]
    chosen = [catalog().get(name) for name in reports] if reports else every
    for side in (base, candidate):
        check_times(side, keep, _SAME_HOURS)
    if clock:
        check_clock(base, candidate)
    of_sides = (len(base.runs), len(candidate.runs))
    loads = loads_of(base, candidate, keep, clock)
    facts, is_same = differences(base, candidate, loads), same_records(base, candidate)
    if is_same and not reports:
        return Comparison(SCHEMA.empty_table(), facts, same_run=True, runs=of_sides)
    neither = set() if reports else _lacking(chosen, base) & _lacking(chosen, candidate)
    wanted = [
        report if together and together.keeps else _narrowed(report)
        for report in chosen
        if report.id not in neither
        and any(_is_compared(report, column) for column in report.columns)
        and (reports or _can_keep(report, keep))
    ]

    together = together or together_of(keep, candidate, base)
    with ExitStack() as stack:
        own = before = stack.enter_context(together.prepared(wanted))
        if base.con is not candidate.con:
            before = stack.enter_context(together_of(keep, base).prepared(wanted))

        def judged(report: Report) -> Judged | None:
            sides = _results(report, ((base, before), (candidate, own)), must=bool(reports))
            for side in (before, own):
                side.forget(report)
            return _compare_report(report, sides, clock) if sides else None

        judgements = [each for each in each_alone(judged, wanted, base.con, candidate.con) if each]
    names = {key: name for each in judgements for key, name in each.names.items()}
    times = {row: time for each in judgements for row, time in each.times.items()}
    far = [excursions for each in judgements for excursions in each.excursions]
    rows = pa.concat_tables([each.rows for each in judgements]) if judgements else pa.table({})
    judgements.clear()
    table = SCHEMA.empty_table()
    if not reports:
        check_common(rows, base, candidate)
    if rows.num_rows:
        rows = concluded(with_a_value(rows))
        order = ranked(rows, load_differs(facts))
        told = bounded(rows)
        table = by_cause(told.select([n for n in SCHEMA.names if n != "rank"]), names, order)
    suspect = (_suspect(base), _suspect(candidate))
    return Comparison(
        table.select(SCHEMA.names).cast(SCHEMA), facts, names, suspect, is_same, of_sides, times,
        worst_first(far), by_day=not clock and follow_the_day(loads),
    )  # fmt: skip


def check_common(rows: pa.Table, base: Side, candidate: Side) -> None:
    """Raise ReportError where no row is of both sides: `rows` have report, key, and whether they
    are in_base and in_candidate."""
    sides = {"in_base": base, "in_candidate": candidate}
    names = [side.label or side.run for side in sides.values()]
    if not rows.num_rows:
        raise ReportError(
            f"{' and '.join(names)}: no report has rows",
            "choose other times or another system, or load other records",
        )
    has_side = [pc.cast(rows[name], pa.bool_()) for name in sides]
    if pc.any(pc.and_(*has_side)).as_py():
        return
    of_side = [rows.filter(has) for has in has_side]
    told = [sorted(set(side["report"].to_pylist())) for side in of_side]
    if set(told[0]) & set(told[1]):
        systems = [pc.extract_regex(side["key"], "system=(?P<v>[^,]+)") for side in of_side]
        told = [sorted({each["v"] for each in side.to_pylist() if each}) for side in systems]
    has = "; ".join(
        f"{name}: {', '.join(each[:_TOLD]) or 'nothing'}{', ..' * (len(each) > _TOLD)}"
        for name, each in zip(names, told, strict=True)
    )
    raise ReportError(f"{' and '.join(names)} have nothing in common to compare", has)


def _narrowed(report: Report) -> Report:
    """With those columns alone that a comparison is made of; a total by SQL may need any."""
    compared = [column for column in report.columns if _is_compared(report, column)]
    if any(column.total_sql for column in compared):
        return report
    wanted = {*report.groups, *PAGE_KEYS, SECONDS, *PER_ROW, report.named_by}
    wanted |= {name for c in compared for name in (c.name, *c.num, *c.den)}
    columns = tuple(c for c in report.columns if c.name in wanted or c.kind == "time")
    return replace(report, columns=columns)


def _lacking(reports: Sequence[Report], side: Side) -> set[str]:
    """The reports whose records no run of the side has."""
    of_runs = [lacking_of(reports, side.con, name) for name in side.runs]
    return {report.id for report in reports if all(lacks.get(report.id) for lacks in of_runs)}


def _can_keep(report: Report, keep: Filter) -> bool:
    """Whether its rows tell the system and the times that are wanted."""
    if keep.has_time and not (report.time or report.range):
        return False
    return keep.system is None or "system" in report.names


def _suspect(side: Side) -> int:
    return sum(suspect_records(side.con, name) for name in side.runs)


def together_of(keep: Filter, own: Side, *others: Side, keeps: bool = False) -> Together:
    """What asks the rows of all runs of a side, and of others of the same database."""
    sides = [own, *(side for side in others if side.con is own.con)]
    runs = dict.fromkeys(name for side in sides for name in side.runs)
    return Together(own.con, keep, tuple(runs), keeps)


def _results(
    report: Report, asked: Sequence[tuple[Side, Together]], must: bool
) -> list[Result] | None:
    """The report of both sides, of the runs that have the records; no rows where no run of a side
    has them, None where neither side has."""
    results: list[Result | None] = []
    missing: list[AbsentRecords] = []
    for side, together in asked:
        of_runs: list[Result] = []
        for name in side.runs:
            try:
                of_runs.append(together.result(report, name))
            except AbsentRecords as error:
                missing.append(error)
        results.append(joined(of_runs) if of_runs else None)
    left, right = results
    if left is None and right is None:
        if must:
            raise missing[0]
        return None
    return [left or _no_rows(right), right or _no_rows(left)]


def _no_rows(like: Result | None) -> Result:
    assert like is not None  # one side has rows
    return Result(like.report, like.table.slice(0, 0), like.parameters)


# --- one report ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """What is known of a report when its rows are let go: `rows` for `concluded`; `names`, `times`
    and `excursions` as in Comparison."""

    report: Report
    rows: pa.Table
    names: Mapping[tuple[str, str], str]
    times: Mapping[tuple[str, str, str], tuple[Any, Any]]
    excursions: Sequence[pa.Table]


def _compare_report(report: Report, sides: list[Result], clock: bool) -> Judged:
    """The rows of both sides are let go: `sides` are empty afterwards."""
    pairs = paired(report, sides)
    sides.clear()
    count = len(pairs.key)
    base, candidate = (read_samples(pairs.rows.pop(0), report, of, count) for of in pairs.of_rows)
    tests = ReportTests(report, base, candidate, count, clock)
    for column in report.columns:
        if _is_compared(report, column):
            tests.judge(column, column_rows(report, column, pairs))
    rows = pa.concat_tables(tests.tables)
    excursions = tests.material_excursions()
    return Judged(report, rows, _names(report, pairs), tests.times, excursions)


def _names(report: Report, pairs: Pairs) -> dict[tuple[str, str], str]:
    """What people know a key by."""
    if not report.named_by:
        return {}
    base, candidate = (total[report.named_by] for total in pairs.totals)
    named = zip(pairs.key.to_pylist(), pc.coalesce(candidate, base).to_pylist(), strict=True)
    return {(report.id, key): name for key, name in named if name}


def _is_compared(report: Report, report_column: ReportColumn) -> bool:
    """Numbers; a count only where no column of the report is its rate already, also by another name
    of what it counts: `io_count AS ios`, and `io_count / nullif(interval_s, 0)`."""
    if report_column.kind != "count":
        return report_column.kind in COMPARED
    named = {c.name: c.source or c.name for c in report.columns}
    rates = {named[c.num[0]] for c in report.columns if c.den == ("interval_s",)}
    return named[report_column.name] not in rates
