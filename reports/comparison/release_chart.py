"""Runs beside one another as a chart: rate, response, CPU per transaction and ITR of each, against
the rate or run by run, with the curve that a model predicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from imsperf.errors import ReportError
from imsperf.reports.comparison.release_table import ALL, Column, systems_apart

RATE = "etr_per_s"
DRAWN = ("ims_response_ms", "cpu_us_per_tran", "itr_per_s", "cpu_busy_pct")
SCHEMA = pa.schema(
    [
        ("panel", pa.string()),  # the metric with its unit
        ("series", pa.string()),  # the column of the table, or the model
        ("run_no", pa.int64()),  # within its series
        ("rate", pa.float64()),  # transactions a second
        ("value", pa.float64()),
        ("is_model", pa.bool_()),
    ]
)


def load_rows(
    columns: Sequence[Column], curve: Sequence[Mapping[str, object]] = (), model: str = ""
) -> pa.Table:
    """A row (SCHEMA) for each metric of DRAWN and run that has it, and for each point of a curve.

    Of a run of several systems the rows of all together. `curve` has metrics of `model`, by rising
    load. Raises ReportError where no run has a rate and one of the metrics.
    """
    panels = {name: name for name in (RATE, *DRAWN)}
    rows: list[dict[str, object]] = []
    for column in systems_apart(columns):
        for number, run in enumerate(column.runs, 1):
            measured = run.select(["system", "metric", "label", "unit", "value"]).to_pylist()
            systems = {row["system"] for row in measured}
            of_all = [row for row in measured if ALL not in systems or row["system"] == ALL]
            if len(names := sorted({str(row["system"]) for row in of_all})) > 1:
                raise ReportError(
                    f"{column.name}: found several systems: {', '.join(names)}, and no sum of "
                    "them, expected one",
                    "--system chooses it; of one name in several sysplexes, load each as a run",
                )
            values = {str(row["metric"]): row["value"] for row in of_all}
            for row in of_all:
                unit = (
                    f" [{row['unit']}]" if row["unit"] and row["unit"] not in row["label"] else ""
                )
                panels[row["metric"]] = f"{row['label'] or row['metric']}{unit}"
            rows += _points(values, column.name, number, False)
    if not rows:
        raise ReportError(
            "no run has a rate and a response, CPU time or ITR: nothing to draw",
            "`imsperf report run.metrics` says what is missing",
        )
    for number, point in enumerate(curve, 1):
        rows += _points(point, model, number, True)
    order = {name: place for place, name in enumerate((RATE, *DRAWN))}
    rows.sort(key=lambda row: (order[str(row["panel"])], row["is_model"]))
    named = [{**row, "panel": panels[str(row["panel"])]} for row in rows]
    return pa.Table.from_pylist(named, SCHEMA)


def _points(
    values: Mapping[str, object], series: str, number: int, is_model: bool
) -> list[dict[str, object]]:
    rate = values.get(RATE)
    known = {name: values.get(name) for name in (RATE, *DRAWN)}
    return [
        {
            "panel": name, "series": series, "run_no": number, "rate": rate, "value": value,
            "is_model": is_model,
        }
        for name, value in known.items()
        if isinstance(rate, int | float) and isinstance(value, int | float)
    ]  # fmt: skip
