"""One number of a report, followed through its SQL to the rows of tables that make it.

The SELECT is run once more with a companion beside each column that matters: `x__from`, a JSON
text that says what the operands of x's formula were in that row and, for those that make the
value, their own companions, down to the table rows. Companions say of a sum its first rows only.
The value itself comes out of the unchanged expressions.
"""

from __future__ import annotations

from sqlglot import exp

from imsperf import layouts
from imsperf.layout import RAW_TABLES
from imsperf.ledger import LEDGER_TABLES
from imsperf.reports.lineage.names import Library
from imsperf.reports.lineage.operands import (
    VALUE,
    is_aggregate,
    operands,
    path_guard,
    role,
    sql,
)
from imsperf.reports.lineage.scopes import (
    FUNCTION,
    TABLE,
    VALUES,
    Branch,
    Output,
    Relation,
    ResolvedColumn,
    Scope,
    nodes,
)

SUFFIX = "__from"
_ONE_ROW = (exp.Max, exp.Min, exp.AnyValue, exp.First, exp.Last, exp.ArgMax, exp.ArgMin)
_EXTREME = {exp.Max: "arg_max", exp.Min: "arg_min"}
_SAME_PLACE = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
_NO_ROWS = (
    exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile, exp.Grouping
)  # fmt: skip


class Tracer:
    """Writes the SELECT with companions; `rows` is how many rows of a sum are followed."""

    def __init__(self, text: str, name: str, rows: int) -> None:
        self.library = Library()
        self.tree = self.library.parse(text)
        self.relation = self.library.query(self.tree, name)
        self.rows = rows
        self._texts: list[str] = []  # companions, put in for "@@n" when the SQL is written
        self._needs: dict[int, tuple[Scope, dict[str, tuple[Branch, str]]]] = {}

    def sql(self, column: str) -> str:
        """The SELECT with the companion of one column."""
        self._need(self.relation.columns[column])
        for scope, wanted in self._needs.values():
            _append(scope, wanted)
        changed = [view for view in self.library.views.values() if self._is_changed(view)]
        _put_first(self.tree, changed)
        return self._filled(sql(self.tree))

    def _is_changed(self, view: Relation) -> bool:
        scopes = {id(scope.select) for scope, _ in self._needs.values()}
        return view.tree is not None and any(id(node) in scopes for node in view.tree.walk())

    def _filled(self, text: str) -> str:
        for place in reversed(range(len(self._texts))):
            text = text.replace(f'"@@{place}"', self._texts[place])
        return text

    def _held(self, text: str) -> exp.Column:
        self._texts.append(text)
        return exp.column(f"@@{len(self._texts) - 1}", quoted=True)

    def _need(self, output: Output) -> None:
        """See to it that each SELECT behind a column gives its companion too."""
        for place, branch in enumerate(output.branches):
            _, wanted = self._needs.setdefault(id(branch.scope), (branch.scope, {}))
            if output.name not in wanted:
                wanted[output.name] = branch, "NULL"
                companion = self._companion(branch, place)
                held = self._held(_grouped(branch.scope, companion))
                wanted[output.name] = branch, f"{sql(held)}"

    def _companion(self, branch: Branch, place: int = 0) -> str:
        grouped = is_grouped(branch.scope)
        needs_key = grouped and _is_key_formula(branch)  # the same in every row of the group
        entries = self._entries(branch.expression, branch.scope, grouped and not needs_key)
        companion = f"json_object('b', {place}, 'o', {entries})"
        return f"any_value({companion})" if needs_key else companion

    # --- one formula ------------------------------------------------------------------------------

    def _entries(self, expression: exp.Expr, scope: Scope, grouped: bool) -> str:
        """A JSON array, one object for each operand: its value, type and companion or rows."""
        entries = []
        for operand in operands(expression):
            is_value = role(operand, expression) == VALUE
            if isinstance(operand, exp.Column):
                value, more = self._column(operand, scope, grouped, expression is operand)
                key, count = "d", "1"
            else:
                value, key = sql(operand), "i"
                more, count = self._rows(operand, scope, grouped)
            followed = (
                path_guard(operand, expression, more) if is_value and more != "NULL" else "NULL"
            )
            entries.append(
                f"json_object('v', CAST({value} AS VARCHAR), 't', typeof({value}),"
                f" '{key}', {followed}, 'n', {count})"
            )
        return f"json_array({', '.join(entries)})"

    def _column(
        self, column: exp.Column, scope: Scope, grouped: bool, is_total: bool
    ) -> tuple[str, str]:
        """A column's value and companion; of a group, those of any of its rows."""
        output = scope.find(column)
        value, more = sql(column), self._behind(output, scope)
        if not grouped or output.lateral:
            return value, more
        is_key = (is_total and not _is_group_by_all(scope)) or _is_group_key(column, scope)
        more = more if more == "NULL" else f"any_value({more})"
        return value if is_key else f"any_value({value})", more

    def _behind(self, resolved: ResolvedColumn, scope: Scope) -> str:
        """The companion of what a name stands for."""
        output = resolved.output
        if output is None or output.relation.kind == VALUES or (output.row and not output.branches):
            return "NULL"
        if output.relation.kind == TABLE:
            return self._place(output, resolved.row)
        if output.relation.kind == FUNCTION:
            return self._companion(output.branches[0])
        self._need(output)
        return _member(() if resolved.lateral else resolved.row, output.name + SUFFIX)

    def _place(self, output: Output, row: tuple[str, ...]) -> str:
        """The row of a table, by its key columns."""
        table = output.relation.name
        keys = [f", '{key[0]}', {_member(row, key)}" for key in _key_columns(table)]
        return f"json_object('c', '{table}.{output.name}'{''.join(keys)})"

    # --- calls over many rows ---------------------------------------------------------------------

    def _rows(self, call: exp.Expr, scope: Scope, grouped: bool) -> tuple[str, str]:
        """The first rows a call was made from, a JSON array of what each gave; and how many."""
        if isinstance(call, (exp.Exists, exp.In)):
            return "NULL", "1"
        if isinstance(call, exp.Query):
            return self._of_query(call, scope), "1"
        inner, where, window = _parts(call)
        if isinstance(inner, _NO_ROWS):
            return "NULL", "1"
        values, order = _arguments(inner)
        item = self._item(values, scope, grouped and window is not None)
        test = " AND ".join(f"({sql(value)}) IS NOT NULL" for value in values[:1])
        if isinstance(inner, _SAME_PLACE):
            rest = "".join(f", {sql(other)}" for other in _others(inner))
            call_text = f"{inner.sql_name()}({item}{rest})"
            return f"json_array({_over(call_text, window)})", "1"
        if isinstance(inner, _ONE_ROW):
            return f"json_array({_over(_one(inner, item, test, order, where), window)})", "1"
        tests = " AND ".join(
            condition for condition in (test, f"({sql(where)})" if where else "") if condition
        )
        filter_sql = f" FILTER (WHERE {tests})" if tests else ""
        some, count = (
            _over(f"list({item}{order}){filter_sql}", window),
            _over(f"count(*){filter_sql}", window),
        )
        return f"({some})[1:{self.rows}]", count

    def _item(self, values: list[exp.Expr], scope: Scope, grouped: bool) -> str:
        """What one row gave: the arguments' values, and the entries of their operands."""
        value = values[0] if values else _row_number(scope)
        if value is None:
            return "json_object('o', json_array())"
        entries = self._entries(value, scope, grouped)
        return f"json_object('a', CAST({sql(value)} AS VARCHAR), 'o', {entries})"

    def _of_query(self, query: exp.Query, scope: Scope) -> str:
        """A scalar SELECT: the companion of the one column it gives."""
        query_scope = scope.queries.get(id(query))
        inner = query.this if isinstance(query, exp.Subquery) else query
        if (
            query_scope is None
            or len(query_scope.columns) != 1
            or not isinstance(inner, exp.Select)
        ):
            return "NULL"
        branch = next(iter(query_scope.columns.values())).branches[0]
        shell = inner.copy()
        held = self._held(self._companion(branch))
        shell.set("expressions", [held])
        return f"json_array(({sql(shell)}))"


# --- parts of a call -----------------------------------------------------------------------------


def _parts(
    call: exp.Expr,
) -> tuple[exp.Expr, exp.Expr | None, exp.Window | None]:
    """The bare call, its FILTER condition and its window."""
    where, window = None, None
    while not is_aggregate(call) and isinstance(call.this, exp.Expression):
        if isinstance(call, exp.Filter):
            where = call.expression.this
        elif isinstance(call, exp.Window):
            window = call
        call = call.this
    return call, where, window


def _one(call: exp.AggFunc, item: str, test: str, order: str, where: exp.Expr | None) -> str:
    """The row that max(), any_value() and their like take."""
    filter_sql = f" FILTER (WHERE {sql(where)})" if where else ""
    by = _EXTREME.get(type(call))
    if by:
        return f"{by}({item}, {sql(call.this)}){filter_sql}"
    name = str(call.sql_name()).lower()
    if isinstance(call, (exp.ArgMax, exp.ArgMin)):
        return f"{name}({item}, {sql(call.expression)}){filter_sql}"
    if isinstance(call, exp.AnyValue):
        item = f"CASE WHEN {test} THEN {item} END"
    return f"{name}({item}{order}){filter_sql}"


def _over(call: str, window: exp.Window | None) -> str:
    if window is None:
        return call
    place = exp.column("@@@", quoted=True)
    shell = window.copy()
    shell.set("this", place)
    return sql(shell).replace('"@@@"', call)


def _arguments(call: exp.Expr) -> tuple[list[exp.Expr], str]:
    """What is taken from each row, and the ORDER BY inside the call."""
    first = call.expressions[0] if isinstance(call, exp.Anonymous) else call.this
    order = ""
    while isinstance(first, (exp.Distinct, exp.IgnoreNulls, exp.RespectNulls, exp.Order)):
        if isinstance(first, exp.Order):
            order = f" ORDER BY {', '.join(sql(key) for key in first.expressions)}"
        first = first.expressions[0] if isinstance(first, exp.Distinct) else first.this
    return ([] if first is None or isinstance(first, exp.Star) else [first]), order


def taken(call: exp.Expr, scope: Scope) -> exp.Expr | None:
    """What a call takes from each row; of count(*), a column that names the row."""
    values, _ = _arguments(_parts(call)[0])
    return values[0] if values else _row_number(scope)


def _others(call: exp.Expr) -> list[exp.Expr]:
    """The plain arguments after the first: the distance of lag()."""
    return [node for key, each in call.args.items() if key != "this" for node in nodes(each)][:1]


def _row_number(scope: Scope) -> exp.Column | None:
    """A column that names the rows a SELECT counts."""
    for alias, source in scope.sources.items():
        if "record_no" in source.columns:
            return exp.column("record_no", table=alias, quoted=True)
    for alias, source in scope.sources.items():
        for name in source.columns:
            return exp.column(name, table=alias, quoted=True)
    return None


# --- a SELECT with companions ---------------------------------------------------------------------


def is_grouped(scope: Scope) -> bool:
    """Whether a SELECT makes one row of many."""
    if scope.select.args.get("group"):
        return True
    return any(
        is_aggregate(node)
        for expression in scope.select.expressions
        for call in operands(expression)
        if not isinstance(call, (exp.Query, exp.Column))
        for node in [_parts(call)[0]]
        if _parts(call)[2] is None
    )


def _is_group_key(column: exp.Column, scope: Scope) -> bool:
    """A column that GROUP BY names; inside a function it does not count."""
    group = scope.select.args.get("group")
    keys = group.dfs(prune=lambda node: isinstance(node, exp.Func)) if group else ()
    return any(isinstance(key, exp.Column) and key.name == column.name for key in keys)


def _is_group_by_all(scope: Scope) -> bool:
    """Whether DuckDB names the keys: it takes no column beside an aggregate in one formula."""
    group = scope.select.args.get("group")
    return group is not None and bool(group.args.get("all"))


def _is_key_formula(branch: Branch) -> bool:
    """A formula of columns alone that stands in a SELECT with GROUP BY."""
    columns = [
        operand for operand in operands(branch.expression) if isinstance(operand, exp.Column)
    ]
    if len(columns) < len(operands(branch.expression)) or columns == [branch.expression]:
        return False
    return bool(columns) and not any(branch.scope.find(column).lateral for column in columns)


def _grouped(scope: Scope, companion: str) -> str:
    """SELECT DISTINCT becomes GROUP BY ALL: of equal rows, the companion of any."""
    distinct = scope.select.args.get("distinct")
    plain = distinct is not None and not distinct.args.get("on") and not is_grouped(scope)
    return f"any_value({companion})" if plain else companion


def _append(scope: Scope, wanted: dict[str, tuple[Branch, str]]) -> None:
    """Companions at the end of the SELECT list, in the order of the columns they belong to."""
    tree = scope.select
    places = {id(expression.unalias()): place for place, expression in enumerate(tree.expressions)}
    ordered = sorted(
        wanted.items(), key=lambda item: places.get(id(item[1][0].expression), len(places))
    )
    for name, (_, text) in ordered:
        held = exp.column(text.strip('"'), quoted=True) if text != "NULL" else exp.null()
        tree.append("expressions", exp.alias_(held, name + SUFFIX, quoted=True))
    distinct = tree.args.get("distinct")
    if distinct is not None and not distinct.args.get("on"):
        tree.set("distinct", None)
        if not tree.args.get("group"):
            tree.set("group", exp.Group(all=True))


def _put_first(tree: exp.Query, views: list[Relation]) -> None:
    """Views as CTEs: their definitions in the database know no companions."""
    clauses = nodes(tree.args.get("with_"))
    own = list(clauses[0].expressions) if clauses else []
    if clauses:
        clauses[0].set("expressions", [])
    for view in views:
        if view.tree is not None:
            tree.with_(view.name, as_=view.tree, copy=False, materialized=False)
    for cte in own:
        nodes(tree.args.get("with_"))[0].append("expressions", cte)


def _member(row: tuple[str, ...], name: str) -> str:
    return ".".join(f'"{name_part}"' for name_part in (*row, name))


def _key_columns(table: str) -> list[str]:
    """What names a row of a table."""
    plain = RAW_TABLES.get(table) or LEDGER_TABLES.get(table, ("", ()))[1]
    has = {key.name for key in (plain or layouts.table(table).keys)}
    return [key for key in ("file_id", "record_no", "section_no") if key in has]
