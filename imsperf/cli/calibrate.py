"""imsperf calibrate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imsperf.cli.options import output_options, set_option
from imsperf.cli.screen import note, show

SCHEMA = [
    ("case", "string"),
    ("quantity", "string"),
    ("observed", "float64"),
    ("fitted", "float64"),
    ("error_pct", "float64"),
    ("left_out_pct", "float64"),
]


@click.command()
@click.argument("name")
@click.option(
    "--db", type=click.Path(path_type=Path), help="A database or lake: run.metrics of it."
)
@click.option("--run", "runs", multiple=True, help="Only this run; may be repeated.")
@click.option("--system", help="Only this system.")
@click.option(
    "--csv",
    "table",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Measured metrics: run.metrics as csv, or a line for each case.",
)
@click.option(
    "--write",
    "written",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a scenario file with the fitted values.",
)
@set_option
@output_options
def command(
    name: str,
    db: Path | None,
    runs: tuple[str, ...],
    system: str | None,
    table: Path | None,
    written: Path | None,
    settings: dict[str, str],
    fmt: str | None,
    output: Path | None,
) -> None:
    """Fit client time and the delay inside IMS of a scenario to what was measured.

    Rate and response are met by choosing driver.think_ms and region.unexplained_ms; CPU per
    transaction, where measured, scales the costs first. Prints the residual of each quantity, and
    the error it has when the fit does not know it. Refuses what cannot tell the two apart, and
    what no values of them reach. Two systems of a sysplex (dsff-smq) are fitted together: a row
    for each, with a column system.

    \b
    Examples:
      imsperf calibrate ff-haldb --db runs.duckdb --run monday
      imsperf calibrate jmp --csv measured.csv --set cpu.gcps=8 --write mine.toml
      imsperf model mine.toml
    """
    import pyarrow as pa

    from imsperf.synthetic.calibrating import fit, scenario_text
    from imsperf.synthetic.measurements import cases, read_csv
    from imsperf.synthetic.scenario import load

    if (db is None) == (table is None):
        raise click.UsageError("give one of --db and --csv")
    scenario = load(name, settings)
    rows = read_csv(table) if table else _metrics(db, runs, system)
    where = str(table or db)
    found = fit(cases(scenario, rows, where))
    shown: list[dict[str, Any]] = [
        {"case": "", "quantity": key, "fitted": value} for key, value in found.values.items()
    ]
    shown += [
        {"case": case, "quantity": "cpu.speed", "fitted": value}
        for case, value in found.speeds.items()
    ]
    shown += [
        {
            "case": one.case,
            "quantity": one.metric,
            "observed": one.observed,
            "fitted": one.fitted,
            "error_pct": one.error_pct,
            "left_out_pct": one.left_out_pct,
        }
        for one in found.residuals
    ]
    show(pa.Table.from_pylist(shown, pa.schema(SCHEMA)), fmt, output)
    note(
        f"{len(found.values)} unknowns, {len(found.values) + found.free} quantities"
        + ("" if found.free else ": nothing is left over to judge the fit by")
    )
    if written:
        written.write_text(scenario_text(scenario, found, where), encoding="utf-8")
        note(f"wrote {written}")


def _metrics(db: Path | None, runs: tuple[str, ...], system: str | None) -> list[dict[str, Any]]:
    """Rows of run.metrics, those of the runs that were asked for."""
    from imsperf import api
    from imsperf.errors import ReportError

    found = api.report("run.metrics", str(db)).to_pylist()
    kept = [
        row
        for row in found
        if (not runs or row["run"] in runs) and (not system or row["system"] == system)
    ]
    if not kept:
        known = sorted({str(row["run"]) for row in found})
        raise ReportError(
            f"{db}: found no metrics of run {', '.join(runs) or 'any'}, system {system or 'any'}",
            f"runs are {', '.join(known)}" if known else "load type 70, 72 and 30 records first",
        )
    return kept
