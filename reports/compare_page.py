"""A comparison as text: each number in the form that its column has in the report."""

from __future__ import annotations

import pyarrow as pa

from imsperf.reports.catalog import catalog
from imsperf.reports.numbers import difference
from imsperf.reports.text import cell_texts, is_number, lay_out

VALUES = ("base", "candidate", "delta")
PER_SECOND = "rate"  # counts of a report are compared by the second
PER_CENT = "1"


def comparison_text(table: pa.Table) -> str:
    """Rows of `compare`, without columns that are empty throughout.

    The table needs `report` and `column`: they say how a number is printed.
    """
    names = [one for one in table.column_names if table[one].null_count < table.num_rows]
    forms = _forms(table)
    cells = [
        _written(table[one], forms)
        if one in VALUES
        else _written(table[one], [PER_CENT] * table.num_rows)
        if one == "delta_pct"
        else cell_texts(table[one])
        for one in names
    ]
    return lay_out(names, cells, [is_number(table[one].type) for one in names])


def _forms(table: pa.Table) -> list[str]:
    """The form of the numbers of each row."""
    pairs = list(zip(table["report"].to_pylist(), table["column"].to_pylist(), strict=True))
    known = {one: _form(*one) for one in set(pairs)}
    return [known[one] for one in pairs]


def _form(report: str, column: str) -> str:
    found = catalog().get(report)
    one = found.column(column)
    return PER_SECOND if one.kind == "count" and "interval_s" in found.names else one.format


def _written(column: pa.ChunkedArray, forms: list[str]) -> list[str]:
    writers = {one: difference(one) for one in set(forms)}
    pairs = zip(column.to_pylist(), forms, strict=True)
    return ["-" if value is None else writers[form](value) for value, form in pairs]
