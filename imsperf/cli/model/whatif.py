"""imsperf whatif."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.model.predictions import (
    CHANGE,
    SCHEMA,
    busiest,
    changes,
    figures,
    fills_next,
    moved,
    show_point,
)
from imsperf.cli.options import (
    Changes,
    change_options,
    completing,
    selection_options,
    source_option,
)
from imsperf.cli.output import output_options

if TYPE_CHECKING:
    from imsperf.measured.system import MeasuredSystem
    from imsperf.sources import Source
    from imsperf.synthetic.whatif import Today

APART = ("published", "error_pct", "kind", "sweep_value")  # columns of model that say nothing here
MEASURED = [("measured", "float64"), *CHANGE, ("today", "string")]


@click.command()
@source_option()
@selection_options
@click.option(
    "--like",
    metavar="SCENARIO",
    shell_complete=completing("scenario"),
    help="Whose transactions yours are like, or a scenario file. Default: what the regions say.",
)
@click.option(
    "--clients",
    type=click.IntRange(min=1),
    help="So many users, who think between transactions. Default: arrivals that do not wait.",
)
@change_options
@output_options
def command(
    db: Source,
    run: str | None,
    system: str | None,
    since: str | None,
    to: str | None,
    like: str | None,
    clients: int | None,
    changed_by: Changes,
    method: str,
    every: bool,
    fmt: str | None,
    output: Path | None,
) -> None:
    """Say what a run of yours would be with more load, other processors or slower disks.

    The model is set to what the records of the run show: rate, CPU, regions, log writes and
    database I/O. A delay that no equation explains is fitted to the response. What the records do
    not show is as in a scenario of such work (--like), and is named.

    The answer is a few lines: measured today, the model of today, and the what-if with ranges.
    --all, --format or -o has every figure; `today` says whether the model was given it (input,
    fitted) or predicts it. The range adds up the error of the scenario on published measurements,
    the error of the fit, and the unexplained delay, which may move as much as the load does either
    way, and as the explained part of the time in a region does the same way.

    \b
    Examples:
      imsperf whatif --db runs.duckdb --run monday --load +20%
      imsperf whatif --db runs.duckdb --run monday --cpus -1 --disk-latency x2
      imsperf whatif smf.d0301.bin imslog.d0301 --load +20% --all
      imsperf whatif --db runs.duckdb --clients 4000 --load +20%
    """
    from imsperf.measured.system import read_system
    from imsperf.sources import connect
    from imsperf.synthetic import whatif
    from imsperf.synthetic.scenarios.scenario import check_driver, load

    if not changed_by.is_any:
        raise click.UsageError("found no change, expected --load, --cpus, --disk-latency or --set")
    with connect(db) as store:
        seen = read_system(store, run, system, since, to)
    label = f"{seen.run} {seen.system}"
    name = like or whatif.like(seen.values)
    today = whatif.todays(label, load(name), seen.values, clients)
    settings = changed_by.settings(today.scenario)
    after = today.scenario.with_settings(settings)
    check_driver(settings.keys(), False)
    remarks: list[str] = []
    rows = whatif.answer(today, after, method, remarks.append)
    schema = [column for column in SCHEMA if column[0] not in APART]
    lines = [*_answer(seen, today, changed_by, settings, rows), *remarks]
    show_point(lines, rows, [*schema, *MEASURED], every, fmt, output)


def _answer(
    seen: MeasuredSystem,
    today: Today,
    changed_by: Changes,
    settings: dict[str, str],
    rows: list[dict[str, Any]],
) -> list[str]:
    """Lines: the run, today measured and modelled, the what-if, what is busy, what fills next,
    what was not seen."""
    predicted = {row["metric"]: row for row in rows}
    words = {key: value for key, value in changed_by.words.items() if value is not None}
    asked = " ".join(f"{key} {value}" for key, value in words.items())
    asked = " ".join(part for part in (asked, changes(changed_by.knobs)) if part)
    lines = [
        f"{seen.run} {seen.system}{span(seen.first_start, seen.last_end)}, "
        f"modelled like {today.like}",
        f"measured: {figures(predicted, 'measured')}",
        f"model:    {figures(predicted, 'before', 'today')}",
        f"{asked}: {figures(predicted, 'value')}{_over(today, settings, predicted)}",
        *(moved(predicted, "db_io_ms", "database I/O") if "--disk-latency" in words else ()),
        *busiest(predicted),
        *fills_next(predicted),
    ]
    unseen = [*today.unseen, "locks, paging and other work of the system"]
    return [*lines, f"not seen, as in {today.like}: {', '.join(unseen)}"]


def span(begin: datetime | None, end: datetime | None) -> str:
    """From when to when; the day of the end where it is another."""
    if begin is None or end is None:
        return ""
    return f", {begin} to {end:%H:%M:%S}" if begin.date() == end.date() else f", {begin} to {end}"


def _over(today: Today, settings: dict[str, str], predicted: dict[str, dict[str, Any]]) -> str:
    """What to say of a load that cannot pass."""
    asked = float(settings.get("driver.rate_per_s", today.scenario["driver.rate_per_s"]))
    if not asked or predicted["ims_response_ms"]["value"] is not None:
        return ""
    full = predicted["bottleneck"]["value"]
    return f": no more pass of the {asked:,.0f} that arrive, {full} is full and the queue grows"
