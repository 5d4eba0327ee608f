"""imsperf model."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from imsperf.cli.options import completing, output_options, set_option
from imsperf.cli.screen import note, show

MOST_STEPS = 10_000

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
STATIONS = [
    ("scenario", "string"),
    ("system", "string"),
    ("station", "string"),
    ("servers", "float64"),
    ("demand_us", "float64"),
    ("residence_us", "float64"),
    ("queue", "float64"),
    ("utilisation_pct", "float64"),
    ("limit_per_s", "float64"),
    ("note", "string"),
]


def sweep_values(value: str) -> tuple[str, list[float]]:
    """KEY=FROM:TO:STEPS as the key and its values, both ends included."""
    key, _, span = value.partition("=")
    try:
        first, last, steps = (float(part) for part in span.split(":"))
    except ValueError:
        raise click.BadParameter(f"found {value!r}, expected KEY=FROM:TO:STEPS") from None
    if not 2 <= steps <= MOST_STEPS or steps != int(steps):
        raise click.BadParameter(f"found {steps:g} steps, expected 2 to {MOST_STEPS}, whole")
    if not math.isfinite(first) or not math.isfinite(last):
        raise click.BadParameter(f"found {value!r}, expected numbers that have an end")
    step = (last - first) / (int(steps) - 1)
    return key, [first + step * i for i in range(int(steps))]


def _sweeps(
    ctx: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[float]]:
    sweeps: dict[str, list[float]] = {}
    points = 1
    for value in values:
        key, numbers = sweep_values(value)
        if key in sweeps:
            raise click.BadParameter(f"found {key} twice, expected each knob once")
        sweeps[key] = numbers
        points *= len(numbers)
    if points > MOST_STEPS:
        raise click.BadParameter(f"found {points:,} combinations, expected {MOST_STEPS:,} at most")
    return sweeps


@click.command()
@click.argument("name", shell_complete=completing("scenario"))
@set_option
@click.option("--load", "more_load", metavar="CHANGE", help="As --set, of the load: +20%, x2.")
@click.option("--cpus", metavar="CHANGE", help="Of the general processors: +1, -1, x2.")
@click.option("--disk-latency", metavar="CHANGE", help="Of the database volumes: x2, -30%.")
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    callback=_sweeps,
    metavar="KEY=FROM:TO:STEPS",
    help="Predict at several values; several sweeps make a grid.",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "solver"]),
    default="auto",
    show_default=True,
    help="auto: simulate where the solver does not hold. solver: never.",
)
@click.option("--explain", is_flag=True, help="Show the stations: demand, wait, use, limit.")
@click.option("--all", "every", is_flag=True, help="Print every figure, not the five lines.")
@output_options
def command(
    name: str,
    settings: dict[str, str],
    more_load: str | None,
    cpus: str | None,
    disk_latency: str | None,
    sweeps: dict[str, list[float]],
    method: str,
    explain: bool,
    every: bool,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Predict rate, CPU, response and utilisations of a scenario without writing records.

    Five lines say the most; --all, --format or -o has every figure. There published numbers stand
    beside ours with the error; `kind` says what was given to the model
    (input), what was chosen to meet the number (fitted), what was predicted, and what no equation
    explains. With --set the value before stands beside each. `saturates_next` says which station
    fills first when the rate rises; where one is full now, which is next to it, without a rate.

    `low` and `high` are the range of a prediction: the error of published cells that this scenario
    predicts, the figure without the unexplained delay and with twice as much, and the 95 %
    interval where it is simulated, as independent errors add up. `method` is `solver`, or
    `simulated` where transactions go on together and the solver does not hold: 10 to 60 simulated
    seconds, five seeds. Of a sweep points share ten million transactions.

    \b
    Examples:
      imsperf model ff-haldb
      imsperf model ff-haldb --set ims.release=13 --all
      imsperf model fast-path --set cpu.gcps=8 --set log.zhpf=off
      imsperf model jmp --sweep driver.target_busy=10:80:8 --format csv
      imsperf model otma-tpipe --sweep otma.tpipes=1:10:10 --sweep otma.limitrtp=10:100:4
      imsperf model dsff-smq --explain
      imsperf model ff-haldb --load +20% --cpus -1 --disk-latency x2
    """
    import pyarrow as pa

    from imsperf.synthetic import predict
    from imsperf.synthetic.scenarios.scenario import TARGET, check_driver, load, what_if

    settings = dict(settings)
    if both := sorted(settings.keys() & sweeps.keys()):
        raise click.UsageError(f"found {both[0]} with --set and with --sweep, expected one of them")
    if explain and sweeps:
        raise click.UsageError(
            "found --explain with --sweep, expected one of them: --explain shows the stations of "
            "one point; choose it with --set"
        )
    before = load(name)
    asked = {"--load": more_load, "--cpus": cpus, "--disk-latency": disk_latency}
    for key, value in what_if(before, asked).items():
        if key in settings or key in sweeps:
            raise click.UsageError(f"found {key} twice, by --set or --sweep and by name")
        settings[key] = value
    changed = before.with_settings(settings)
    check_driver(settings.keys() | sweeps.keys(), TARGET in sweeps or changed.get(TARGET, 0) > 0)
    for key, values in sweeps.items():
        _tell_whole(key, values, changed.knob(key).default)
    schema = SCHEMA
    if explain:
        rows, schema = predict.explain(changed), STATIONS
    elif sweeps:
        rows = predict.predict_grid(changed, sweeps, note, method)
    elif settings:
        rows = predict.predict_change(before, changed, method, note)
        schema = [*SCHEMA, *CHANGE]
    else:
        rows = predict.predict(changed, method, note)
    on_screen = fmt in (None, "text") and output is None
    is_point = not explain and not sweeps
    if on_screen and is_point:
        click.echo("\n".join(_answer(changed.full_name, settings, rows)) + ("\n" if every else ""))
        if not every:
            note("--all prints every figure")
            return
    elif is_point:
        for line in _fills_next({row["metric"]: row for row in rows}):
            note(line)
    if on_screen and not explain:
        rows, schema = _on_screen(rows, [name for name, _ in schema])
    for row in rows:
        for key in ("value", "sweep_value", "before"):
            if key in row:
                row[key] = _words(row[key], 6 if on_screen else 17)
    show(pa.Table.from_pylist(rows, pa.schema(schema)), fmt, output)


ANSWERS = (  # metric, and the words around its value and range
    ("etr_per_s", "{value} transactions a second{ends}"),
    ("ims_response_ms", "response {value} ms{ends}"),
    ("ical_response_ms", "callout {value} ms{ends}"),
    ("bmp_elapsed_s", "elapsed {value} s{ends}"),
    ("cpu_busy_pct", "CPU {value} % busy"),
)


def _answer(name: str, settings: dict[str, str], rows: list[dict[str, Any]]) -> list[str]:
    """Lines: rate, response and CPU with their ranges, before and after; the busiest stations;
    what fills next."""
    predicted = {row["metric"]: row for row in rows}
    changed = " ".join(f"{key}={value}" for key, value in settings.items())
    lines = [f"{name}{' with ' if changed else ''}{changed}: {_figures(predicted, 'value')}"]
    if changed:
        lines.append(f"before: {_figures(predicted, 'before')}")
    busy = sorted(
        (-row["value"], metric.removeprefix("util_"))
        for metric, row in predicted.items()
        if metric.startswith("util_") and isinstance(row["value"], int | float)
    )
    if busy:
        lines.append(
            "busiest: " + ", ".join(f"{what} {-pct:.3g} %" for pct, what in busy[:_BUSIEST])
        )
    return [*lines, *_fills_next(predicted)]


_BUSIEST = 4


def _figures(predicted: dict[str, dict[str, Any]], which: str) -> str:
    parts = []
    for metric, words in ANSWERS:
        row = predicted.get(metric)
        if row is not None and isinstance(row[which], int | float):
            low, high = (_short(row[end]) if which == "value" else "" for end in ("low", "high"))
            ends = f" ({low} to {high})" if low and high else ""
            parts.append(words.format(value=_short(row[which]), ends=ends))
    return ", ".join(parts)


def _short(value: float | None) -> str:
    """Three digits that count, whole numbers in thousands."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


ORDER = ("metric", "sweep_value", "unit", "value", "low", "high", "method", "before", "change_pct")


def _on_screen(
    rows: list[dict[str, Any]], names: list[str]
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """What fits a screen: numbers of six digits, ranges of four, columns that hold something.

    Storage, which the model is given and does not change, is left to the other forms.
    """
    shown = [row for row in rows if not (row["kind"] == "input" and row["unit"] in ("KB", "MB"))]
    order = [*ORDER, *(name for name in names if name not in (*ORDER, "scenario"))]
    columns = [name for name in order if name in names and any(row[name] for row in shown)]
    digits = {"low": 4, "high": 4, "change_pct": 4, "error_pct": 4, "published": 8}
    cells = [
        {key: _rounded(row[key], digits[key]) if key in digits else row[key] for key in columns}
        for row in shown
    ]
    return cells, [(name, "string") for name in columns]


def _rounded(value: float | None, digits: int) -> str | None:
    """So many digits that count, without an exponent where numbers are large."""
    return None if value is None else f"{float(f'{value:.{digits}g}'):.12g}"


def _tell_whole(key: str, values: list[float], default: float | str) -> None:
    """Say it where steps of a count are no whole numbers."""
    if isinstance(default, int) and any(not value.is_integer() for value in values):
        numbers = ", ".join(dict.fromkeys(f"{round(value)}" for value in values[:20]))
        note(f"{key} takes whole numbers, its steps were rounded: {numbers}")


def _fills_next(metrics: dict[str, dict[str, Any]]) -> list[str]:
    """What fills next and at which rate, or that it is full now."""
    if "saturates_next" not in metrics:
        return []
    now, name = metrics["bottleneck"]["value"], metrics["saturates_next"]["value"]
    was, rate = metrics["saturates_next"].get("before"), metrics["saturates_at_per_s"]
    changed = f"; before: {was}" if was and was != name else ""
    if name and rate["value"]:
        low, high = _short(rate["low"]), _short(rate["high"])
        ends = f" ({low} to {high})" if low and high else ""
        return [f"next to saturate: {name} at {float(rate['value']):,.0f} a second{ends}{changed}"]
    if name:
        return [f"full now: {now}; if it had more, next: {name}{changed}"]
    is_full = rate["value"] is None and not metrics["headroom_pct"]["value"]
    return [f"full now: {now}"] if is_full else []


def _words(value: float | str | None, digits: int) -> str | None:
    """A value as text, since some of the metrics are names of stations."""
    return f"{value:.{digits}g}" if isinstance(value, (int, float)) else value
