"""imsperf model."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli.options import output_options, set_option
from imsperf.cli.screen import show

SCHEMA = [
    ("scenario", "string"),
    ("sweep_value", "string"),
    ("metric", "string"),
    ("unit", "string"),
    ("value", "string"),
    ("published", "float64"),
    ("error_pct", "float64"),
    ("kind", "string"),
]


def sweep_values(value: str) -> tuple[str, list[float]]:
    """KEY=FROM:TO:STEPS as the key and its values, both ends included."""
    key, _, span = value.partition("=")
    try:
        first, last, steps = (float(part) for part in span.split(":"))
    except ValueError:
        raise click.BadParameter(f"found {value!r}, expected KEY=FROM:TO:STEPS") from None
    if steps < 2:
        raise click.BadParameter(f"found {steps:g} steps, expected 2 or more")
    step = (last - first) / (int(steps) - 1)
    return key, [first + step * i for i in range(int(steps))]


@click.command()
@click.argument("name")
@set_option
@click.option(
    "--sweep", type=sweep_values, metavar="KEY=FROM:TO:STEPS", help="Predict at several values."
)
@output_options
def command(
    name: str,
    settings: dict[str, str],
    sweep: tuple[str, list[float]] | None,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Predict rate, CPU, response and utilisations of a scenario without writing records.

    Published numbers stand beside ours with the error; `kind` says what was predicted and what was
    fitted, and names what no equation explains.

    \b
    Examples:
      imsperf model tps-100k
      imsperf model tps-100k@rb1-before
      imsperf model tps-100k --sweep dasd.channel_paths=8:24:5 --format csv
    """
    import pyarrow as pa

    from imsperf.synthetic.predict import predict, predict_sweep
    from imsperf.synthetic.scenario import load

    found = load(name, settings)
    rows = predict_sweep(found, *sweep) if sweep else predict(found)
    digits = 6 if fmt is None and output is None else 17
    for row in rows:
        row["value"] = _words(row["value"], digits)
        row["sweep_value"] = _words(row["sweep_value"], digits)
    show(pa.Table.from_pylist(rows, pa.schema(SCHEMA)), fmt, output)


def _words(value: float | str | None, digits: int) -> str | None:
    """A value as text, since one of the metrics, the bottleneck, is a name."""
    return f"{value:.{digits}g}" if isinstance(value, (int, float)) else value
