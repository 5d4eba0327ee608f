"""Totals of both sides beside each other, a row for each system and key."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.comparison.codes import I8, coded, first_places, numbered, worded
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import PAGE_KEYS, Result
from imsperf.reports.total import PER_ROW, SECONDS, aggregate

COMPARED = ("ratio", "count", "level", "highwater")


def is_by_second(report: Report, column: ReportColumn) -> bool:
    """Counts of intervals: runs of different length can be compared."""
    return column.kind == "count" and "interval_s" in report.names


@dataclass(frozen=True)
class Pairs:
    """The keys (system and key) that a side has a row of, by number.

    `key` says each as name=value pairs, with the sysplex where a run has one in several. Of base
    and candidate: `rows` with numbers in place of the texts of keys, `of_rows` the number of the
    key of each row, `behind` how many rows each key has, `totals` a row for each key, NULL where
    the side has none.
    """

    key: pa.ChunkedArray
    rows: list[pa.Table]
    of_rows: list[I8]
    behind: list[I8]
    totals: list[pa.Table]


def paired(report: Report, sides: Sequence[Result]) -> Pairs:
    """The rows of base and candidate, and their totals, held against each other."""
    keys = tuple(group for group in report.groups if group not in ("run", "sysplex"))
    page_keys = [name for name in PAGE_KEYS if name in report.names]
    texts = [
        field.name
        for field in sides[0].table.schema
        if pa.types.is_dictionary(field.type) or pa.types.is_string(field.type)
    ]
    if any(column.total_sql for column in report.columns):  # it may read texts
        texts = []
    names = dict.fromkeys((*report.groups, *page_keys, *texts))
    all_spans = [side.spans for side in sides if side.spans is not None]
    tables, values = coded([*(side.table for side in sides), *all_spans], names)
    spans = iter(tables[len(sides) :])
    sides = [
        replace(side, table=rows, spans=None if side.spans is None else next(spans))
        for side, rows in zip(sides, tables, strict=False)
    ]
    wanted = {*names, SECONDS, *PER_ROW, *(c.name for c in report.columns if c.kind in COMPARED)}
    totals = _totals(sides, len(values.get("run", ())), wanted)
    tables = [*(side.table for side in sides), *totals]
    lengths = np.cumsum([0, *(table.num_rows for table in tables)])

    def codes_of(key: str) -> I8:
        """NULL is the last number."""
        columns = [pc.fill_null(table[key], len(values[key])).to_numpy() for table in tables]
        return np.concatenate(columns)

    def by(codes: Mapping[str, I8]) -> tuple[list[I8], I8]:
        number, first = numbered(tuple(codes.values()), int(lengths[-1]))
        return [number[begin:end] for begin, end in pairwise(lengths)], first

    codes = {key: codes_of(key) for key in keys}
    of_rows, first = by(codes)
    if "sysplex" in report.groups and any(map(_is_repeated, totals, of_rows[len(sides) :])):
        codes = {"sysplex": codes_of("sysplex"), **codes}
        of_rows, first = by(codes)
    count = len(first)
    parts = {
        key: values[key].take(pa.array(code[first], mask=code[first] == len(values[key])))
        for key, code in codes.items()
    }
    return Pairs(
        _in_words(parts),
        [side.table for side in sides],
        of_rows[: len(sides)],
        [np.bincount(of, minlength=count) for of in of_rows[: len(sides)]],
        [
            _with_texts(_at(total, of, count), values)
            for total, of in zip(totals, of_rows[len(sides) :], strict=True)
        ],
    )


def _is_repeated(total: pa.Table, of: I8) -> bool:
    """Whether a run of a side has several totals of a key: systems of one name, or `*ALL`, of
    several sysplexes. `of` is the number of the key of each total."""
    run = pc.fill_null(total["run"], 0).to_numpy().astype(np.int64)
    return bool(np.bincount(of * (run.max(initial=0) + 1) + run).max(initial=0) > 1)


def _with_texts(total: pa.Table, values: Mapping[str, pa.Array]) -> pa.Table:
    """The same rows with values in place of their numbers, but for runs."""
    for name in set(values).intersection(total.column_names) - {"run"}:
        texts = pc.take(values[name], total[name].combine_chunks())
        total = total.set_column(total.column_names.index(name), name, texts)
    return total


def _totals(sides: Sequence[Result], runs: int, columns: Collection[str]) -> list[pa.Table]:
    """The totals of each side; of both at once, as a statement costs more than the rows of most
    reports. `runs` is how many there are: those of the second side get numbers of their own."""
    first, *others = sides
    if "run" not in first.table.column_names or any(
        side.table.schema != first.table.schema for side in others
    ):
        return [aggregate(side, columns=columns).table for side in sides]
    apart = [
        replace(
            side,
            table=_numbers_from(side.table, runs * place),
            spans=None if side.spans is None else _numbers_from(side.spans, runs * place),
        )
        for place, side in enumerate(sides)
    ]
    total = aggregate(joined(apart), columns=columns).table
    place = pc.divide(total["run"], max(runs, 1))
    return [total.filter(pc.equal(place, side)) for side in range(len(sides))]


def _numbers_from(rows: pa.Table, least: int) -> pa.Table:
    """The same rows, with `least` added to the numbers of runs."""
    numbers = pc.add(rows["run"], pa.scalar(least, pa.int32()))
    return rows.set_column(rows.column_names.index("run"), "run", numbers)


def joined(results: Sequence[Result]) -> Result:
    """The rows of all these."""
    all_spans = [result.spans for result in results if result.spans is not None]
    return replace(
        results[0],
        table=pa.concat_tables([result.table for result in results]),
        spans=pa.concat_tables(all_spans) if all_spans else None,
    )


def _at(total: pa.Table, of: I8, count: int) -> pa.Table:
    """The first total of each key, of which there are several in several runs."""
    first = first_places(of, count)
    return total.take(pa.array(first, mask=first < 0))


def _in_words(parts: Mapping[str, pa.Array]) -> pa.ChunkedArray:
    """Each key as name=value pairs."""
    said = " || ',' || ".join(
        f"'{name}=' || coalesce(CAST(\"{name}\" AS VARCHAR), '')" for name in parts
    )
    with in_memory() as con:
        con.register("parts", pa.table(parts))
        return con.sql(f"SELECT {said} AS key FROM parts").to_arrow_table()["key"]


def key_parts(key: str) -> list[tuple[str, str]]:
    """The parts of a key in words; a value may hold commas, not `,name=`."""
    parts = list[tuple[str, str]]()
    for word in key.split(","):
        name, sign, value = word.partition("=")
        if sign and name.isidentifier():
            parts.append((name, value))
        elif parts:
            parts[-1] = parts[-1][0], f"{parts[-1][1]},{word}"
    return parts


PLACES = ("system", "ims")  # parts of keys that say where, not what


def families(keys: Sequence[str]) -> npt.NDArray[np.int64]:
    """The number of each key's family: keys that are the same but for the part that varies most,
    such as data sets of one volume. A key without another part than that and PLACES is alone."""
    parts = [dict(key_parts(key)) for key in keys]
    names = dict.fromkeys(name for each in parts for name in each if name not in PLACES)
    if len(names) < 2:
        return np.arange(len(keys))
    finest = max(names, key=lambda name: len({each.get(name) for each in parts}))
    others = [
        tuple((name, value) for name, value in each.items() if name != finest) for each in parts
    ]
    has_more = [any(value and name not in PLACES for name, value in each) for each in others]
    number = dict[Any, int]()
    return np.array(
        [
            number.setdefault(other if more else key, len(number))
            for key, other, more in zip(keys, others, has_more, strict=True)
        ]
    )


def column_rows(report: Report, column: ReportColumn, pairs: Pairs) -> pa.Table:
    """One compared column of every pair."""
    count = len(pairs.key)

    def same(word: str) -> pa.Array:
        return worded(np.zeros(count, np.int32), [word])

    def of_rows(name: str) -> Any:
        return pc.coalesce(pairs.totals[0][name], pairs.totals[1][name])

    def said(name: str, own: str, more: str = "") -> Any:
        is_row = name in report.names and not (name == "unit" and own)
        if not is_row:
            return same(own + more)
        words = pc.binary_join_element_wise(pc.fill_null(of_rows(name), ""), more, "")
        return words.dictionary_encode()

    def value(total: pa.Table) -> Any:
        number = total[column.name].cast(pa.float64())
        if not is_by_second(report, column):
            return number
        length = total[SECONDS].cast(pa.float64())
        return pc.divide(number, pc.if_else(pc.equal(length, 0), None, length))

    unit = said("unit", column.unit, "/s" if is_by_second(report, column) else "")
    better = said("better", column.better)
    margin: Any = pa.repeat(pa.scalar(column.margin_pct, pa.float64()), count)
    if "margin_pct" in report.names:
        margin = of_rows("margin_pct").cast(pa.float64())
    rows = {
        "report": same(report.id), "key": pairs.key, "column": same(column.name),
        "unit": unit, "better": better,
        "base": value(pairs.totals[0]), "candidate": value(pairs.totals[1]), "margin_pct": margin,
    }  # fmt: skip
    for side, behind in zip(("base", "candidate"), pairs.behind, strict=True):
        rows[f"n_{side}"] = pa.array(behind, mask=behind == 0)
        rows[f"in_{side}"] = pa.array(behind > 0)
    return pa.table(rows)
