"""imsperf demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.output import OutputFolder
from imsperf.cli.screen import note, progress, show

if TYPE_CHECKING:
    from imsperf.database.store import Store
    from imsperf.reports.comparison.compare import Comparison
    from imsperf.reports.run import Result

PATHS = (8, 16)  # FICON channel paths of the two runs: roadblock 9 of the 100K TPS benchmark
RATE = 100_000.0  # transactions per second in both
EVERY_S = 5.0  # 12 intervals a minute, the fewest that allow a verdict
SAMPLE = 1000
REPORTS = (
    "rmf.cpu",
    "rmf.partition",
    "rmf.device",
    "ims.fixed_pools",
    "ims.latches",
    "ims.logger",
)
VOLUMES = 10  # shown of the device report
POOL = "DYNP"  # shown of the pool report: the one document 002 prints
VALUES = ("base", "candidate", "delta_pct")
DEVICE = "08000"  # S60$01, the first volume document 002 prints


@click.command()
@click.option(
    "--out",
    type=OutputFolder(),
    default=Path("imsperf-demo"),
    show_default=True,
    help="Folder for the dumps, the database and the charts.",
)
@click.option(
    "--seconds", type=click.IntRange(10), default=60, show_default=True, help="Length of each run."
)
def command(out: Path, seconds: int) -> None:
    """Show everything once: generate two runs, load, print six reports, compare, draw.

    The runs are the benchmark `tps-100k` at 100,000 transactions a second, with 8 and 16 channel
    paths, one transaction in 1,000 logged, RMF intervals of 5 s (RMF's own minimum is a minute).

    \b
    Examples:
      imsperf demo
      imsperf demo --out /tmp/demo --seconds 20
    """
    from imsperf import api

    _generate(out, seconds)
    db = out / "demo.duckdb"
    db.unlink(missing_ok=True)
    for paths in PATHS:
        api.load([out / _run(paths)], db, run=_run(paths))
    with api.connect(db) as store:
        for report_id in REPORTS:
            click.echo()
            show(_report(store, report_id), "text", None, paged=False)
        _charts(store, out)
    click.echo(f"\n{_run(PATHS[0])} against {_run(PATHS[1])}, rmf.device, volume S60$01:\n")
    show(_comparison(db), "text", None, paged=False)
    _where(out, db)


def _run(paths: int) -> str:
    return f"paths-{paths}"


def _generate(out: Path, seconds: int) -> None:
    """Both runs at once, a thread each: the kernels run without the interpreter lock."""
    from concurrent.futures import ThreadPoolExecutor

    from imsperf.synthetic.generate import generate
    from imsperf.synthetic.scenarios import scenario

    with progress("generate 2 runs", seconds * len(PATHS), unit="s") as step:

        def one(paths: int) -> Any:
            settings = {"dasd.channel_paths": str(paths), "driver.rate_per_s": str(RATE)}
            return generate(
                scenario.load("tps-100k", settings),
                out / _run(paths),
                seconds=seconds,
                sample_k=SAMPLE,
                every_s=EVERY_S,
                progress=step,
            )

        with ThreadPoolExecutor(len(PATHS)) as pool:
            for generated in pool.map(one, PATHS):
                for fact in generated.facts:
                    note(fact)


def _report(store: Store, report_id: str) -> Result:
    """One report of the run with 8 paths, over the whole run; of long ones a part."""
    from dataclasses import replace

    import pyarrow.compute as pc

    from imsperf import api

    result = api.run_report(store, report_id, run=_run(PATHS[0]), total=True)
    table = result.table
    if report_id == "rmf.device":
        table = table.sort_by([("io_count", "descending")]).slice(0, VOLUMES)
    if report_id == "ims.fixed_pools":
        table = table.filter(pc.equal(table["pool"], POOL))
    return replace(result, table=table)


def _comparison(db: Path) -> Comparison:
    """What the device report says of one volume, without some columns of statistics."""
    from dataclasses import replace

    import pyarrow.compute as pc

    from imsperf import api

    base, candidate = (f"{db}::{_run(paths)}" for paths in PATHS)
    comparison = api.compare(base, candidate, ["rmf.device"])
    table = comparison.table.filter(pc.match_substring(comparison.table["key"], f"device={DEVICE}"))
    columns = ("report", "key", "column", "unit", *VALUES, "ci_low_pct", "ci_high_pct", "verdict")
    return replace(comparison, table=table.select(columns))


def _charts(store: Store, out: Path) -> None:
    from imsperf import api
    from imsperf.reports.charts import chart

    chart.write(api.run_report(store, "rmf.device"), out / "device.html")
    chart.write(api.run_report(store, "rmf.cpu"), out / "cpu.html")


def _where(out: Path, db: Path) -> None:
    click.echo(
        f"\nThe dumps are in {out / _run(PATHS[0])} and {out / _run(PATHS[1])}, the charts "
        f"{out / 'device.html'} and {out / 'cpu.html'}.\nGo on with:\n"
        f"  imsperf report rmf.device --db {db}\n"
        f'  imsperf query --db {db} "FROM load_count"\n'
        f"  imsperf compare {db}::{_run(PATHS[0])} {db}::{_run(PATHS[1])}"
    )
