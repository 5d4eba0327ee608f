"""imsperf model."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from imsperf.cli.model.predictions import (
    CHANGE,
    SCHEMA,
    busiest,
    changes,
    figures,
    fills_next,
    show_point,
    show_rows,
)
from imsperf.cli.options import Changes, change_options, completing
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show

MOST_STEPS = 10_000

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
@change_options
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    callback=_sweeps,
    metavar="KEY=FROM:TO:STEPS",
    help="Predict at several values; several sweeps make a grid.",
)
@click.option("--explain", is_flag=True, help="Show the stations: demand, wait, use, limit.")
@output_options
def command(
    name: str,
    changed_by: Changes,
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
    from imsperf.synthetic.scenarios.scenario import TARGET, check_driver, load

    if explain and sweeps:
        raise click.UsageError(
            "found --explain with --sweep, expected one of them: --explain shows the stations of "
            "one point; choose it with --set"
        )
    before = load(name)
    settings = changed_by.settings(before)
    if both := sorted(settings.keys() & sweeps.keys()):
        raise click.UsageError(f"found {both[0]} with --set and with --sweep, expected one of them")
    changed = before.with_settings(settings)
    check_driver(settings.keys() | sweeps.keys(), TARGET in sweeps or changed.get(TARGET, 0) > 0)
    for key, values in sweeps.items():
        _tell_whole(key, values, changed.knob(key).default)
    if explain:
        stations = pa.Table.from_pylist(predict.explain(changed), pa.schema(STATIONS))
        show(stations, fmt, output)
    elif sweeps:
        show_rows(predict.predict_grid(changed, sweeps, note, method), SCHEMA, fmt, output)
    else:
        remarks: list[str] = []
        if settings:
            rows = predict.predict_change(before, changed, method, remarks.append)
        else:
            rows = predict.predict(changed, method, remarks.append)
        lines = _answer(changed.full_name, settings, rows)
        schema = [*SCHEMA, *CHANGE] if settings else SCHEMA
        show_point(lines, rows, schema, every, fmt, output)
        for words in remarks:  # the answer comes first
            note(words)


def _answer(name: str, settings: dict[str, str], rows: list[dict[str, Any]]) -> list[str]:
    """Lines: rate, response and CPU with their ranges, before and after; the busiest stations;
    what fills next."""
    predicted = {row["metric"]: row for row in rows}
    what = f"{name} with {changes(settings)}" if settings else name
    lines = [f"{what}: {figures(predicted, 'value')}"]
    if settings:
        lines.append(f"before: {figures(predicted, 'before')}")
    return [*lines, *busiest(predicted), *fills_next(predicted)]


def _tell_whole(key: str, values: list[float], default: float | str) -> None:
    """Say it where steps of a count are no whole numbers."""
    if isinstance(default, int) and any(not value.is_integer() for value in values):
        numbers = ", ".join(dict.fromkeys(f"{round(value)}" for value in values[:20]))
        note(f"{key} takes whole numbers, its steps were rounded: {numbers}")
