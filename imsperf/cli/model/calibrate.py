"""imsperf calibrate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import set_option
from imsperf.cli.output import OutputFile, output_options
from imsperf.cli.screen import note, show
from imsperf.output_files import written_whole

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.scenario import Scenario

COUNTS = ("clients", "cpu.gcps", "cpu.ziips")
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
    type=OutputFile(),
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
    from imsperf.synthetic.scenarios.scenario import load

    if (db is None) == (table is None):
        raise click.UsageError("give one of --db and --csv")
    scenario = load(name, settings)
    rows = read_csv(table) if table else _metrics(str(db), runs, system, scenario)
    where = str(table or db)
    fitted = fit(cases(scenario, rows, where))
    shown: list[dict[str, Any]] = [
        {"case": "", "quantity": key, "fitted": value} for key, value in fitted.values.items()
    ]
    shown += [
        {"case": case, "quantity": "cpu.speed", "fitted": value}
        for case, value in fitted.speeds.items()
    ]
    shown += [
        {
            "case": residual.case,
            "quantity": residual.metric,
            "observed": residual.observed,
            "fitted": residual.fitted,
            "error_pct": residual.error_pct,
            "left_out_pct": residual.left_out_pct,
        }
        for residual in fitted.residuals
    ]
    show(pa.Table.from_pylist(shown, pa.schema(SCHEMA)), fmt, output)
    note(
        f"{len(fitted.values)} unknowns, {len(fitted.values) + fitted.free} quantities"
        + ("" if fitted.free else ": nothing is left over to judge the fit by")
    )
    if written:
        with written_whole(written) as aside:
            aside.write_text(scenario_text(scenario, fitted, where), encoding="utf-8")
        note(f"wrote {written}")


def _metrics(
    db: str, runs: tuple[str, ...], system: str | None, scenario: Scenario
) -> list[dict[str, Any]]:
    """Rows of run.metrics of the runs that were asked for; the response, where the log has none,
    is that of the class in type 72.3."""
    from imsperf import api
    from imsperf.errors import ReportError
    from imsperf.measured import metrics as measured

    with api.connect(db) as store:
        rows = api.report("run.metrics", store).to_pylist()
        metrics = [
            row
            for row in rows
            if (not runs or row["run"] in runs) and (not system or row["system"] == system)
        ]
        if not metrics:
            known = sorted({str(row["run"]) for row in rows})
            raise ReportError(
                f"{db}: found no metrics of run {', '.join(runs) or 'any'}, system "
                f"{system or 'any'}",
                f"runs are {', '.join(known)}" if known else "load type 70, 72 and 30 first",
            )
        responses = measured.class_responses(store)
        online, given = measured.processors(store), measured.configured(store)
    for row in metrics:
        place = row["run"], row["system"]
        if row["metric"] == "ims_response_ms" and row["value"] is None:
            row["value"] = responses.get(place)
    _check_processors(
        {
            own_system: online[own_system]
            for own_system in _systems(metrics)
            if own_system in online
        },
        scenario,
    )
    _tell_settings(given, sorted({run for run, _ in _systems(metrics)}), scenario)
    return metrics


def _systems(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return sorted({(str(row["run"]), str(row["system"])) for row in rows})


def _check_processors(online: Mapping[tuple[str, str], float], scenario: Scenario) -> None:
    """Raise ScenarioError where a system had other CPs than the scenario."""
    from imsperf.errors import ScenarioError

    for (run, system), cps in online.items():
        if round(cps) != scenario["cpu.gcps"]:
            raise ScenarioError(
                f"calibrate: {run} {system}: found {cps:,.4g} CPs online (type 70.1), expected the "
                f"{scenario['cpu.gcps']} of cpu.gcps",
                f"add --set cpu.gcps={round(cps)}, or choose other runs with --run",
            )


def _tell_settings(
    given: Mapping[tuple[str, str], str], runs: list[str], scenario: Scenario
) -> None:
    """Say which counts of clients, processors and regions a generated run had otherwise."""
    keys = [knob for knob in scenario.knobs if knob in COUNTS or knob.startswith("regions.")]
    for run in runs:
        for key in keys:
            value, own = given.get((run, key)), scenario[key]
            if isinstance(own, int) and value is not None and float(value) != own:
                note(f"{run}: {key} was {value}, here {own}: --set {key}={value} if that is wrong")
