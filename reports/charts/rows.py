"""The rows of a chart: what a report's header says, or what is asked for, as a table to draw.

A row is a mark: `x`, `color` (its series), `panel`, `component` (the column it shows), `place` of
that column, `value`; of bars also `largest` and `largest_at`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.types as kinds

from imsperf.errors import ReportError
from imsperf.reports.definition import ChartSpec, Report
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import Result, Top, check_condition
from imsperf.reports.syntax import condition_columns
from imsperf.reports.text import is_number
from imsperf.reports.total import SECONDS, aggregate

FORMS = ("line", "bar", "percentiles", "heatmap", "ecdf", "scatter")
OVERLAYS = ("run", "day", "week")
TIMES = ("interval_start", "interval_start_utc")
WHERE = ("sysplex", "system", "ims")  # rows of two of them stand in panels of their own
UNIT = "unit"  # the column of a long report that says it row by row
LINES = 8  # of a panel that somebody can tell apart
OUTSTANDING = 3  # bars that are drawn beside the largest because of one interval
_NAMES = ("attribute", "time")  # kinds of columns that say what a row is about
_CLOCKS = {
    "run": ("hours since the run began", "epoch({t} - min({t}) OVER (PARTITION BY run)) / 3600"),
    "day": ("hour of the day", "epoch({t} - date_trunc('day', {t})) / 3600"),
    "week": ("hour of the week, from Monday", "epoch({t} - date_trunc('week', {t})) / 3600"),
}
_GROUPS = {
    "run": "run",
    "day": "strftime({t}, '%a %d %b %Y')",
    "week": "strftime({t}, 'week %G-%V')",
}


@dataclass(frozen=True)
class Choice:
    """What is asked of a chart instead of what the report's header says.

    `top`: the series or bars with the largest total of a column; `columns`: what is drawn; `form`:
    one of FORMS; `overlay`: runs, days or weeks over one another.
    """

    top: Top | None = None
    columns: tuple[str, ...] = ()
    form: str = ""
    overlay: str = ""


def check_names(report: Report, words: str) -> None:
    """Raise ReportError for a condition on a value: a bar or a line is of all of its intervals."""
    check_condition(report, words)
    values = [c for c in condition_columns(words) if report.column(c).kind not in _NAMES]
    if values:
        raise ReportError(
            f"{report.id}: --where: {values[0]} is a value, a chart chooses by names",
            "--top N --by COLUMN draws those with the largest value; `imsperf report` has --where "
            "for rows",
        )


@dataclass(frozen=True)
class Axes:
    """What stands at the axes of a drawing: `x_kind` is time, hours, number or name; `printed`:
    the number of a bar stands at its end."""

    mark: str
    title: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    x_kind: str
    x_title: str
    color_title: str | None = ""
    stacked: bool = False
    own_y: bool = False
    subtitle: str = ""
    printed: bool = False


def marks(result: Result, choice: Choice | None = None) -> tuple[Axes, pa.Table]:
    """What a chart is drawn of: its axes, and a row for each mark.

    Raises ReportError without a chart, without rows, and where no row has a value.
    """
    choice = choice or Choice()
    result, chart = drawable(result, choice)
    if choice.form == "percentiles":
        axes, rows = percentiles(result, chart)
    elif chart.x in TIMES:
        axes, rows = lines(result, chart, choice.overlay)
    else:
        axes, rows = bars(result, chart)
    if not rows.num_rows:
        raise refused(result, chart)
    return axes, rows


def drawable(result: Result, choice: Choice) -> tuple[Result, ChartSpec]:
    """`chosen_chart`, and the result with a unit for each column that it draws.

    Raises ReportError where no row has a value.
    """
    chart = chosen_chart(result, choice)
    if not any(result.table[name].null_count < result.table.num_rows for name in chart.y):
        raise refused(result, chart)
    return with_unit(result, chart), chart


def with_unit(result: Result, chart: ChartSpec) -> Result:
    """Of a long report, whose rows say their unit, with that of the rows that are drawn; without
    one where they have several."""
    report = result.report
    if UNIT not in report.names:
        return result
    with in_memory() as con:
        con.register("rows", result.table)
        units = con.sql(
            f"SELECT DISTINCT {UNIT} FROM rows WHERE {UNIT} <> '' AND ({chart.where or 'true'})"
        ).fetchall()
    if len(units) != 1:
        return result
    columns = tuple(
        replace(column, unit=column.unit or units[0][0]) if column.name in chart.y else column
        for column in report.columns
    )
    return replace(result, report=replace(report, columns=columns))


def chosen_chart(result: Result, choice: Choice) -> ChartSpec:
    """The chart of the header, as far as nothing else is asked for.

    Raises ReportError where the report cannot be drawn so.
    """
    report, chart = result.report, result.report.chart
    _check(report, choice)
    if chart and chart.x in TIMES:
        chart = replace(chart, x=clock(result))
    if chart is None:
        if not choice.columns:
            names = _drawable_names(report)
            hint = f"--column draws one: {names}" if names else None
            raise ReportError(f"{report.id} has no chart", hint)
        keys = [name for name in report.key if name not in TIMES] or ["run"]
        mark, x = ("line", clock(result)) if report.time else ("bar", keys[0])
        chart = ChartSpec(mark, x, choice.columns, report.title, color=keys[0], stack="no")
        if not report.time:
            chart = replace(chart, color="")
    if choice.columns:
        headings = ", ".join(label(result, name) for name in choice.columns)
        stack = chart.stack if set(choice.columns) <= set(chart.y) else "no"
        chart = replace(
            chart, y=choice.columns, title=f"{report.title}: {headings}", stack=stack, by=""
        )
        chart = replace(chart, mark="line" if chart.mark == "area" else chart.mark)
    over_time = choice.form in ("line", "percentiles") or choice.overlay
    if over_time and chart.x not in TIMES and report.time:
        headings = ", ".join(label(result, name) for name in chart.y)
        chart = replace(
            chart, mark="line", x=clock(result), color=chart.x, stack="no", top=0,
            title=f"{report.title}: {headings}",
        )  # fmt: skip
    if choice.form == "bar" and chart.x in TIMES:
        keys = [name for name in report.key if name not in (*TIMES, chart.facet)]
        x = chart.color or (keys or ["run"])[0]
        chart = replace(chart, mark="bar", x=x, color="", stack="no")
    by = chart.by or chart.y[0]
    if choice.top:
        heading = report.column(choice.top.by).heading
        title = f"{report.title}: {choice.top.n} with the largest {heading}"
        chart = replace(chart, top=choice.top.n, by=choice.top.by, title=title)
    elif not chart.top and chart.mark == "line" and chart.x in TIMES and chart.color:
        chart = replace(chart, top=max(1, LINES // len(chart.y)), by=by)
    return replace(chart, by=chart.by or by)


def _check(report: Report, choice: Choice) -> None:
    for name, known in ((choice.form, FORMS), (choice.overlay, OVERLAYS)):
        if name and name not in known:
            expected = ", ".join(known)
            raise ReportError(f"{report.id}: found {name!r}, expected one of {expected}")
    for name in choice.columns:
        report.column(name)
    if choice.form == "scatter" and len(choice.columns) != 2:
        raise ReportError(
            f"{report.id}: a scatter chart is of two columns", "--column X --column Y"
        )
    timed = ("percentiles", "heatmap")
    if (choice.form in timed or choice.overlay) and not report.time:
        asked = choice.form or f"--overlay {choice.overlay}"
        raise ReportError(f"{report.id}: found {asked}, but its rows are not of intervals")


def refused(result: Result, chart: ChartSpec) -> ReportError:
    """Why there is nothing to draw: no picture of a title alone."""
    table = result.table
    if not table.num_rows:
        return ReportError(f"{result.report.id}: no rows to draw", result.note or None)
    drawable = [
        column.name
        for column in result.report.shown
        if column.kind != "attribute"
        and is_number(table.schema.field(column.name).type)
        and table[column.name].null_count < table.num_rows
    ]
    hint = f"--column draws one that has values: {', '.join(drawable[:12])}" if drawable else None
    names = ", ".join(chart.y)
    if chart.where and set(chart.y) & set(drawable):
        left = f"its chart is of rows with {chart.where}, and none of these is there"
        return ReportError(f"{result.report.id}: {left}", hint)
    return ReportError(f"{result.report.id}: {names} is `-` in all rows: nothing to draw", hint)


def lines(
    result: Result, chart: ChartSpec, overlay: str = "", subtitle: str = ""
) -> tuple[Axes, pa.Table]:
    """Lines over time, those of the series with the largest sum of `chart.by`."""
    apart = _apart(result, chart)
    with_run = not overlay or (overlay != "run" and not _runs_apart(result, chart))
    panel = _panel(result, chart, [name for name in apart if name in WHERE], with_run)
    names = [*([chart.color] if chart.color else ()), *(n for n in apart if n not in WHERE)]
    series = (
        f"concat_ws(' ', {', '.join(shown(result, name) for name in names)})" if names else "''"
    )
    x, color = name_sql(chart.x), series
    x_kind, x_title = "time", "UTC" if chart.x.endswith("utc") else "local time"
    if overlay:
        x_title, hours = _CLOCKS[overlay]
        x, x_kind = hours.format(t=name_sql(chart.x)), "hours"
        group = _GROUPS[overlay].format(t=name_sql(chart.x))
        color = f"concat_ws(' ', {group}, nullif({series}, ''))"
    y = _drawable(result.table, chart)
    several = len(y) > 1 and bool(names or overlay)
    order = f"PARTITION BY {panel} ORDER BY series_size DESC NULLS LAST, {series}"
    top = f"QUALIFY dense_rank() OVER ({order}) <= {chart.top}" if chart.top else ""
    by = name_sql(chart.by or chart.y[0])
    size = f"sum(CAST({by} AS DOUBLE)) OVER (PARTITION BY {panel}, {series})"
    chosen = f"""
        SELECT {x} AS x, {color} AS color, {panel} AS panel, {_values(y)},
            min(place) OVER (PARTITION BY {panel}) AS panel_place, place AS row_place
        FROM (SELECT *, {size} AS series_size FROM rows WHERE {chart.where or "true"}) {top}
    """
    parts = " UNION ALL ".join(
        f"SELECT x, {_series(result, name, several)} AS color, panel,"
        f" {quoted(label(result, name))} AS component, {i} AS place, y{i} AS value,"
        f" panel_place, row_place FROM chosen"
        for i, name in enumerate(y)
    )
    with in_memory() as con:
        con.register("rows", _numbered(result.table))
        rows = con.sql(
            f"WITH chosen AS ({chosen}) SELECT * EXCLUDE (panel_place, row_place) FROM ({parts})"
            " WHERE value IS NOT NULL ORDER BY panel_place, row_place, place"
        ).to_arrow_table()
    axes = Axes(
        mark=chart.mark,
        title=chart.title,
        labels=("",) if several else tuple(label(result, name) for name in y),
        units=tuple(result.report.column(name).unit for name in y),
        x_kind=x_kind,
        x_title=x_title,
        color_title=None if several or overlay else " ".join(names),
        stacked=chart.mark == "area" and chart.stack == "yes",
        own_y=chart.own_y,
        subtitle=subtitle,
    )
    return axes, rows


def bars(result: Result, chart: ChartSpec) -> tuple[Axes, pa.Table]:
    """A bar of all intervals for each key, those with the largest `chart.by`.

    `largest` is the value of the interval in which it is largest, where bars are of many intervals
    and their columns are no counts; keys of which it is twice that of all bars are drawn too: a
    mean alone hides two bad hours of a week.
    """
    total = aggregate(_drawn(result, chart))
    panel = _panel(result, chart, [name for name in _apart(total, chart) if name in WHERE])
    color = shown(result, chart.color) if chart.color else "''"
    y = _drawable(total.table, chart)
    apart = ", ".join(name for name in ("run", "system") if name in result.report.names)
    bar = _bar_key(result)
    order = f"PARTITION BY {apart} ORDER BY {name_sql(chart.by)} DESC NULLS LAST, place"
    top = f"size_place <= {chart.top} OR outstanding" if chart.top else "true"
    place = "size_place" if chart.top else "place"
    parts = " UNION ALL ".join(
        f"SELECT x, color, panel, {quoted(label(result, name))} AS component, {i} AS place,"
        f" y{i} AS value, of_bar, panel_place, row_place FROM chosen"
        for i, name in enumerate(y)
    )
    with in_memory() as con:
        con.register("rows", _numbered(total.table))
        con.register("intervals", result.table)
        peaks = _peaks(result, chart, y, bar)
        con.execute(f"CREATE TEMP TABLE peaks AS {peaks}")
        rows = con.sql(f"""
            WITH sized AS (
                SELECT *, {bar} AS of_bar, row_number() OVER ({order}) AS size_place
                FROM rows WHERE {chart.where or "true"}),
            peak AS (SELECT of_bar, max(largest) AS peak FROM peaks GROUP BY ALL),
            limits AS (
                SELECT {apart}, max(peak) AS highest, min({name_sql(chart.by)}) AS least
                FROM sized JOIN peak USING (of_bar) WHERE size_place <= {chart.top} GROUP BY ALL),
            beyond AS (
                SELECT of_bar FROM sized JOIN peak USING (of_bar) JOIN limits USING ({apart})
                WHERE size_place > {chart.top} AND peak > 2 * highest
                    AND {name_sql(chart.by)} >= least / 20
                QUALIFY row_number() OVER (PARTITION BY {apart} ORDER BY peak DESC)
                    <= {OUTSTANDING}),
            marked AS (SELECT *, of_bar IN (FROM beyond) AS outstanding FROM sized),
            chosen AS (
                SELECT {_x_value(result, chart, panel, color)} AS x, {color} AS color,
                    {panel} AS panel, of_bar, min(place) OVER (PARTITION BY {panel}) AS panel_place,
                    {place} AS row_place, {_values(y)}
                FROM marked WHERE {top})
            SELECT * EXCLUDE (of_bar, panel_place, row_place)
            FROM ({parts}) LEFT JOIN peaks USING (of_bar, place)
            WHERE value IS NOT NULL {"AND value <> 0" if chart.color else ""}
            ORDER BY panel_place, row_place, place
        """).to_arrow_table()
    peaked = rows["largest"].null_count < rows.num_rows
    bars_of = rows.group_by("panel").aggregate([("x", "count_distinct")])["x_count_distinct"]
    more = chart.top and max(bars_of.to_pylist(), default=0) > chart.top
    beyond = f"; last, beside the {chart.top}: an interval over twice theirs" if more else ""
    axes = Axes(
        mark=chart.mark,
        title=chart.title,
        labels=tuple(label(result, name) for name in y),
        units=tuple(result.report.column(name).unit for name in y),
        x_kind="name",
        x_title=label(result, chart.x),
        color_title=chart.color,
        stacked=chart.stack == "yes",
        own_y=chart.own_y,
        printed=chart.printed,
        subtitle=f"bar: all of the time; mark: its largest interval{beyond}" if peaked else "",
    )
    return axes, rows if peaked else rows.drop_columns(["largest", "largest_at"])


def _peaks(result: Result, chart: ChartSpec, y: Sequence[str], bar: str) -> str:
    """SQL: of each bar the value and start of the interval in which it is largest; none where a
    bar is of one interval, or adds up what is counted."""
    report = result.report
    measured = not chart.color and all(
        report.column(name).kind in ("ratio", "level", "highwater") for name in y
    )
    began = name_sql(clock(result)) if report.time else "NULL::TIMESTAMP"
    if chart.stack == "yes":  # the bar ends where its last part does
        every = " + ".join(f"coalesce(CAST({name_sql(name)} AS DOUBLE), 0)" for name in y)
        parts = [(len(y) - 1, every)]
    else:
        parts = [(i, f"CAST({name_sql(name)} AS DOUBLE)") for i, name in enumerate(y)]
    values = " UNION ALL ".join(
        f"SELECT {bar} AS of_bar, {i} AS place, {began} AS began, {value} AS value FROM intervals"
        for i, value in parts
    )
    return (
        "SELECT of_bar, place, max(value) AS largest, arg_max(began, value) AS largest_at"
        f" FROM ({values}) WHERE {measured} GROUP BY ALL HAVING count(DISTINCT began) > 1"
    )


def any_rows(table: pa.Table, title: str) -> tuple[Axes, pa.Table]:
    """Of any table: the first column is x, columns of numbers are y, text beside them is a line or
    bar each. A time or a number as the first column makes lines.

    Raises ReportError where that leaves nothing to draw.
    """
    expected = "SELECT what is x first, then numbers"
    if table.num_columns < 2 or not table.num_rows:
        raise ReportError("found no rows, or one column: nothing to draw", expected)
    first, *others = table.column_names
    number = [name for name in others if is_number(table.schema.field(name).type)]
    text = [name for name in others if name not in number]
    if not number:
        raise ReportError("found no column of numbers to draw", expected)
    kind = table.schema.field(first).type
    x_kind = "time" if kinds.is_temporal(kind) else "number" if is_number(kind) else "name"
    x = (
        name_sql(first)
        if x_kind != "name"
        else f"coalesce(CAST({name_sql(first)} AS VARCHAR), '-')"
    )
    series = ["concat_ws(' ', " + ", ".join(map(name_sql, text)) + ")"] if text else []
    several = bool(text) and len(number) > 1
    parts = " UNION ALL ".join(
        f"SELECT {x} AS x, {_of_series(series, name, several)} AS color, '' AS panel,"
        f" {quoted(name)} AS component, {i} AS place,"
        f" CAST({name_sql(name)} AS DOUBLE) AS value FROM given"
        for i, name in enumerate(number)
    )
    with in_memory() as con:
        con.register("given", table)
        rows = con.sql(f"SELECT * FROM ({parts}) WHERE value IS NOT NULL").to_arrow_table()
    if not rows.num_rows:
        raise ReportError("found no value that is not NULL: nothing to draw", expected)
    axes = Axes(
        mark="bar" if x_kind == "name" else "line",
        title=title,
        labels=("",) if several else tuple(number),
        units=("",) if several else ("",) * len(number),
        x_kind=x_kind,
        x_title=first,
        color_title=None if several else ", ".join(text),
    )
    return axes, rows


def _of_series(series: Sequence[str], name: str, several: bool) -> str:
    parts = [*series, quoted(name)] if several else series
    return f"concat_ws(' ', {', '.join(parts)})" if parts else "''"


def _drawn(result: Result, chart: ChartSpec) -> Result:
    """The same with the columns that its bars are made of, and no others."""
    report = result.report
    names = {*report.groups, *chart.y, chart.x, chart.color, chart.facet, chart.by, SECONDS, "ims"}
    names |= _words(chart.where)
    for column in report.columns:
        if column.name in names:
            names |= {*column.num, *column.den, *_words(column.total_sql)}
    columns = tuple(c for c in report.columns if c.name in names or c.kind == "time")
    table = result.table.select([column.name for column in columns])
    return replace(result, report=replace(report, columns=columns), table=table)


def _words(sql: str) -> set[str]:
    return set(re.findall(r"\w+", sql))


def _drawable(table: pa.Table, chart: ChartSpec) -> list[str]:
    """The y columns that have a value at all."""
    return [name for name in chart.y if table[name].null_count < table.num_rows]


def _numbered(table: pa.Table) -> pa.Table:
    return table.append_column("place", pa.array(range(table.num_rows), pa.int64()))


def _values(y: Sequence[str]) -> str:
    return ", ".join(f"CAST({name_sql(name)} AS DOUBLE) AS y{i}" for i, name in enumerate(y))


def _panel(
    result: Result, chart: ChartSpec, apart: Sequence[str] = (), with_run: bool = True
) -> str:
    """The name of a panel as SQL: run, system or IMS where it takes them, facet, unit."""
    parts = ["run"] if with_run else []
    parts += [shown(result, name) for name in (*apart, chart.facet) if name]
    if UNIT in result.report.names and not any(result.report.column(y).unit for y in chart.y):
        parts.append(f"'[' || nullif({UNIT}, '') || ']'")
    return f"concat_ws(' ', {', '.join(parts)})" if parts else "''"


def _runs_apart(result: Result, chart: ChartSpec) -> bool:
    """Whether no two runs have rows of the same time: days that are a run each make a week."""
    with in_memory() as con:
        con.register("rows", result.table)
        runs = con.sql(f"SELECT count(DISTINCT run) FROM rows GROUP BY {name_sql(chart.x)}")
        return all(count == 1 for (count,) in runs.fetchall())


def _apart(result: Result, chart: ChartSpec) -> list[str]:
    """Columns of the key that tell rows apart which would be drawn at one place: without `ims` a
    line would go back and forth between the values of two systems."""
    place = [name for name in ("run", chart.x, chart.color, chart.facet) if name]
    names = [n for n in result.report.groups if n not in (*place, *TIMES)]
    if not names:
        return []
    texts = [f"coalesce(CAST({name_sql(name)} AS VARCHAR), '')" for name in names]
    differs = ", ".join(f"bool_or(most_{i} <> least_{i})" for i in range(len(names)))
    bounds = ", ".join(f"max({t}) AS most_{i}, min({t}) AS least_{i}" for i, t in enumerate(texts))
    has_value = " OR ".join(f"{name_sql(name)} IS NOT NULL" for name in chart.y)
    with in_memory() as con:
        con.register("rows", result.table)
        (found,) = con.sql(
            f"SELECT {differs} FROM (SELECT {bounds} FROM rows"
            f" WHERE ({chart.where or 'true'}) AND ({has_value})"
            f" GROUP BY {', '.join(map(name_sql, place))} HAVING count(*) > 1)"
        ).fetchall()
    return [name for name, is_apart in zip(names, found, strict=True) if is_apart]


def _bar_key(result: Result) -> str:
    """What tells a row of the total from others, as one text."""
    names = [name for name in result.report.groups if name not in TIMES]
    texts = [f"coalesce(CAST({name_sql(name)} AS VARCHAR), '-')" for name in names]
    return f"concat_ws(chr(31), {', '.join(texts)})"


def percentiles(result: Result, chart: ChartSpec) -> tuple[Axes, pa.Table]:
    """Median, 90th percentile and largest of the rows of each interval."""
    name, x = chart.y[0], chart.x
    panel = _panel(result, chart)
    value = f"CAST({name_sql(name)} AS DOUBLE)"
    labels = ("median", "90th percentile", "largest")
    measures = (f"median({value})", f"quantile_cont({value}, 0.9)", f"max({value})")
    parts = " UNION ALL ".join(
        f"SELECT {name_sql(x)} AS x, '' AS color, {panel} AS panel, '{label}' AS component,"
        f" {i} AS place, {measure} AS value FROM rows WHERE {chart.where or 'true'} GROUP BY ALL"
        for i, (label, measure) in enumerate(zip(labels, measures, strict=True))
    )
    with in_memory() as con:
        con.register("rows", result.table)
        rows = con.sql(
            f"SELECT * FROM ({parts}) WHERE value IS NOT NULL ORDER BY panel, x, place"
        ).to_arrow_table()
    title = f"{result.report.title}: {label(result, name)} of the {chart.color or 'row'}s"
    zone = "UTC" if x.endswith("utc") else "local time"
    unit = result.report.column(name).unit
    return Axes("line", title, labels, (unit,) * 3, "time", zone, own_y=chart.own_y), rows


def _x_value(result: Result, chart: ChartSpec, panel: str, color: str) -> str:
    """What stands on the x axis; a name that several keys share is told apart by its key."""
    text = shown(result, chart.x)
    key = [k for k in result.report.key if k not in (chart.x, chart.color, chart.facet)]
    if not key:
        return text
    keys = ", ".join(shown(result, part) for part in key)
    same = f"count(*) OVER (PARTITION BY {panel}, {color}, {text})"
    return f"CASE WHEN {same} > 1 THEN concat_ws(' ', {text}, {keys}) ELSE {text} END"


def clock(result: Result) -> str:
    """The start of an interval in local time, as RMF prints it, where every row has it: records of
    an IMS log may not tell theirs, and are drawn in UTC then."""
    local, utc = TIMES
    if local not in result.report.names:
        return result.report.time
    table = result.table
    if utc in table.column_names and table[local].null_count > table[utc].null_count:
        return utc
    return local


def shown(result: Result, name: str) -> str:
    """A column as SQL; a NULL as the page prints it."""
    if name in TIMES or name == "run":
        return name_sql(name)
    return (
        f"coalesce(CAST({name_sql(name)} AS VARCHAR), {quoted(result.report.column(name).empty)})"
    )


def _series(result: Result, name: str, several: bool) -> str:
    """What a line is called: its key, and its column where a key has several."""
    if not several:
        return "color"
    return f"concat_ws(' ', nullif(color, ''), {quoted(label(result, name))})"


def label(result: Result, name: str) -> str:
    """The heading of a column, and its unit where the heading does not say it."""
    column = result.report.column(name)
    said = column.heading.lower()
    unit = column.unit.lower()
    per_second = unit == "1/s" and "/s" in said
    if not unit or per_second or re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", said):
        return column.heading
    return f"{column.heading} [{column.unit}]"


def _drawable_names(report: Report) -> str:
    names = [column.name for column in report.shown if column.kind in ("ratio", "level", "count")]
    return ", ".join(names[:12])


def name_sql(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quoted(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"
