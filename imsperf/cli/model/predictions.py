"""What `model` and `whatif` print: a few lines that say the most, and every figure as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from imsperf.cli.screen import clean, note, show

Rows = list[dict[str, Any]]
Schema = Sequence[tuple[str, str]]

SCHEMA = [
    ("scenario", "string"),
    ("sweep_value", "string"),
    ("metric", "string"),
    ("unit", "string"),
    ("value", "string"),
    ("published", "float64"),
    ("error_pct", "float64"),
    ("kind", "string"),
    ("low", "float64"),
    ("high", "float64"),
    ("method", "string"),
]
CHANGE = [("before", "string"), ("change_pct", "float64")]

ANSWERS = (  # metric, and the words around its value and range
    ("etr_per_s", "{value} transactions a second{ends}"),
    ("ims_response_ms", "response {value} ms{ends}"),
    ("ical_response_ms", "callout {value} ms{ends}"),
    ("bmp_elapsed_s", "elapsed {value} s{ends}"),
    ("cpu_busy_pct", "CPU {value} % busy{ends}"),
)
_BUSIEST = 4


def show_point(
    lines: list[str], rows: Rows, schema: Schema, every: bool, fmt: str | None, output: Path | None
) -> None:
    """The lines, and with `every` the table; in another format or a file the table alone."""
    on_screen = fmt in (None, "text") and output is None
    if not on_screen:
        for line in fills_next({row["metric"]: row for row in rows}):
            note(line)
        show_rows(rows, schema, fmt, output)
        return
    click.echo(clean("\n".join(lines) + ("\n" if every else ""), "\n"))
    if not every:
        note("--all prints every figure")
        return
    show_rows(rows, schema, fmt, output)


def show_rows(rows: Rows, schema: Schema, fmt: str | None, output: Path | None) -> None:
    """Every figure."""
    import pyarrow as pa

    on_screen = fmt in (None, "text") and output is None
    if on_screen:
        rows, schema = _on_screen(rows, [name for name, _ in schema])
    for row in rows:
        for key in ("value", "sweep_value", "before"):
            if key in row:
                row[key] = _words(row[key], 6 if on_screen else 17)
    show(pa.Table.from_pylist(rows, pa.schema(list(schema))), fmt, output)


def changes(settings: Mapping[str, str]) -> str:
    """The settings of a what-if in words."""
    return " ".join(f"{key}={value}" for key, value in settings.items())


def figures(predicted: Mapping[str, dict[str, Any]], which: str, words: str = "") -> str:
    """Rate, response and CPU of a column; ranges beside `value`. `words`: a column of remarks."""
    parts = []
    for metric, text in ANSWERS:
        row = predicted.get(metric)
        if row is not None and isinstance(row[which], int | float):
            ends = _range(row) if which == "value" else ""
            remark = f" ({row[words]})" if words else ""
            parts.append(text.format(value=short(row[which]), ends=ends) + remark)
    return ", ".join(parts)


def moved(predicted: Mapping[str, dict[str, Any]], metric: str, words: str) -> list[str]:
    """A line of what a figure is today and becomes; none where the model has it not."""
    row = predicted.get(metric)
    if row is None or not isinstance(row["value"], int | float):
        return []
    before = f"{short(row['before'])} -> " if isinstance(row["before"], int | float) else ""
    return [f"{words}: {before}{short(row['value'])} {row['unit']}{_range(row)}"]


def _range(row: Mapping[str, Any]) -> str:
    low, high = short(row["low"]), short(row["high"])
    if not low or low == high:
        return ""
    return f" ({low} to {high})" if high else f" ({low} or more)"


def busiest(predicted: Mapping[str, dict[str, Any]]) -> list[str]:
    """A line of the stations that are used most."""
    busy = [
        (-row["value"], metric.removeprefix("util_"), _range(row))
        for metric, row in predicted.items()
        if metric.startswith("util_") and isinstance(row["value"], int | float)
    ]
    stations = [f"{what} {-pct:.3g} %{ends}" for pct, what, ends in sorted(busy)[:_BUSIEST]]
    return ["busiest: " + ", ".join(stations)] if stations else []


def short(value: float | None) -> str:
    """Three digits that count, whole numbers in thousands."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


ORDER = ("metric", "sweep_value", "unit", "value", "low", "high", "method", "measured", "before",
         "today", "change_pct")  # fmt: skip


def _on_screen(rows: Rows, names: list[str]) -> tuple[Rows, list[tuple[str, str]]]:
    """What fits a screen: numbers of six digits, ranges of four, columns that hold something.

    Storage, which the model is given and does not change, is left to the other forms.
    """
    shown = [row for row in rows if not (row["kind"] == "input" and row["unit"] in ("KB", "MB"))]
    order = [*ORDER, *(name for name in names if name not in (*ORDER, "scenario"))]
    columns = [name for name in order if name in names and any(row[name] for row in shown)]
    digits = {"low": 4, "high": 4, "change_pct": 4, "error_pct": 4, "published": 8, "measured": 6}
    cells = [
        {key: _rounded(row[key], digits[key]) if key in digits else row[key] for key in columns}
        for row in shown
    ]
    return cells, [(name, "string") for name in columns]


def _rounded(value: float | None, digits: int) -> str | None:
    """So many digits that count, without an exponent where numbers are large."""
    return None if value is None else f"{float(f'{value:.{digits}g}'):.12g}"


def fills_next(metrics: Mapping[str, dict[str, Any]]) -> list[str]:
    """What fills next and at which rate, or that it is full now."""
    if "saturates_next" not in metrics:
        return []
    now, name = metrics["bottleneck"]["value"], metrics["saturates_next"]["value"]
    was, rate = metrics["saturates_next"].get("before"), metrics["saturates_at_per_s"]
    changed = f"; before: {was}" if was and was != name else ""
    if name and rate["value"]:
        ends = _range(rate)
        return [f"next to saturate: {name} at {float(rate['value']):,.0f} a second{ends}{changed}"]
    if name:
        return [f"full now: {now}; if it had more, next: {name}{changed}"]
    is_full = rate["value"] is None and not metrics["headroom_pct"]["value"]
    return [f"full now: {now}"] if is_full else []


def _words(value: float | str | None, digits: int) -> str | None:
    """A value as text, since some of the metrics are names of stations."""
    return f"{value:.{digits}g}" if isinstance(value, (int, float)) else value
