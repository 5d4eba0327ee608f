"""imsperf generate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from imsperf.cli import options
from imsperf.cli.options import completing
from imsperf.cli.output import OutputFile, OutputFolder
from imsperf.cli.screen import note, progress

if TYPE_CHECKING:
    from imsperf.synthetic.generate import Generated
    from imsperf.synthetic.scenarios.scenario import Scenario


@click.command()
@click.argument("name", shell_complete=completing("scenario"))
@click.option(
    "--out",
    required=True,
    type=OutputFolder(),
    help="Folder for the dumps; made if need be. A run of the same scenario in it is replaced, any "
    "other is refused.",
)
@options.set_option
@click.option(
    "--seconds",
    type=options.seconds,
    metavar="TIME",
    default="60s",
    show_default=True,
    help="Length of the run.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same bytes."
)
@click.option(
    "--sample",
    type=click.IntRange(1, 2**32 - 1),
    default=1,
    show_default=True,
    help="Log one whole transaction in K; interval records count all.",
)
@click.option(
    "--form",
    type=click.Choice(["vbs", "rdw"]),
    default="vbs",
    show_default=True,
    help="vbs: with block headers, records may span; rdw: record headers only.",
)
@click.option(
    "--every",
    type=options.seconds,
    metavar="TIME",
    help="RMF interval, statistics set; whole seconds, at most 1h. Default: 2m, or the run if "
    "shorter; 15m with --intervals.",
)
@click.option(
    "--intervals",
    type=click.IntRange(1),
    metavar="N",
    help="Interval mode: N intervals of records from the solver, for days and weeks; nothing is "
    "simulated, no transactions in the log.",
)
@click.option(
    "--start", metavar="TIME", help="When the run begins, UTC: 2026-03-02T00:00. As run.start."
)
@click.option(
    "--load-profile",
    "profile",
    metavar="NAME|FILE.toml",
    help="With --intervals: load by weekday and hour. flat, office, or a file. Default: office.",
)
@click.option(
    "--inject",
    multiple=True,
    metavar="FAULT[@INTERVALS]",
    help="With --intervals: a fault, in intervals 5 or 5-8,12; without @ in the middle one. May be "
    "repeated. The truth is in truth.toml. Faults: see below.",
)
@click.option(
    "--first", type=click.IntRange(1), metavar="K", help="With --intervals: only from interval K."
)
@click.option(
    "--count", type=click.IntRange(1), metavar="N", help="With --intervals: only N of them."
)
@click.option(
    "--save-state",
    "save",
    type=OutputFile(),
    help="Keep the state of the simulation at its latest interval boundary in this file.",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Go on from such a file: the same bytes as without a break.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str,
    out: Path,
    settings: dict[str, str],
    start: str | None,
    **given: Any,
) -> None:
    """Simulate a scenario and write the SMF dump and IMS log it would produce.

    NAME is a built-in scenario, with a variant after @, or a TOML file of yours.

    \b
    Examples:
      imsperf generate tps-100k --out run1 --sample 1000
      imsperf generate tps-100k@rb9-before --out rb9 --seconds 60 --every 5s --sample 1000
      imsperf generate tps-100k --set xcf.messages_per_schedule=32 --out xcf32 --sample 1000
      imsperf generate ff-haldb --intervals 672 --start 2026-03-02T00:00 --out week
      imsperf generate ff-haldb --intervals 96 --inject slow-volume@40-43 --out day

    \b
    Faults:
      cf-lock-storm     contention for the lock structure
      olds-wait         no log buffer is free: OLDS writes are slow
      slow-volume       one database volume answers late
      path-lost         one channel path to the databases is gone
      pool-too-small    a storage pool needs more blocks
      looping-region    a program in a region is in a loop
      capped-lpar       WLM caps the partition
      goal-missed       transactions miss their goal
    """
    from imsperf.synthetic.scenarios import scenario

    _only_one_mode(ctx, given)
    loaded = scenario.load(name, settings | ({} if start is None else {"run.start": start}))
    run = _intervals(loaded, out, given) if given["intervals"] else _simulated(loaded, out, given)
    if not given["intervals"] and (given["every"] or 0) > given["seconds"]:
        note(f"--every {given['every']:g} s is longer than the run: one interval of its length")
    for fact in run.facts:
        note(fact)
    for path in run.paths:
        click.echo(path)


INTERVAL_MODE = {"profile": "--load-profile", "inject": "--inject", "first": "--first"}
INTERVAL_MODE |= {"count": "--count"}
EVENT_MODE = {"seconds": "--seconds", "sample": "--sample", "save": "--save-state"}
EVENT_MODE |= {"resume": "--resume"}


def _only_one_mode(ctx: click.Context, given: dict[str, Any]) -> None:
    """Options of the other mode are a mistake."""
    wrong = EVENT_MODE if given["intervals"] else INTERVAL_MODE
    for name, option in wrong.items():
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"found {option} {'with' if given['intervals'] else 'without'} --intervals"
            )


def _intervals(scenario: Scenario, out: Path, given: dict[str, Any]) -> Generated:
    from imsperf.synthetic.interval_mode.run import EVERY_S, generate_intervals

    every = EVERY_S if given["every"] is None else given["every"]
    with progress(f"generate {scenario.name}", given["intervals"] * every, unit="s") as step:
        return generate_intervals(
            scenario,
            out,
            intervals=given["intervals"],
            every_s=every,
            seed=given["seed"],
            form=given["form"],
            profile=given["profile"] or "office",
            inject=given["inject"],
            first=given["first"] or 1,
            count=given["count"],
            progress=step,
        )


def _simulated(scenario: Scenario, out: Path, given: dict[str, Any]) -> Generated:
    from imsperf.synthetic.generate import generate

    with progress(f"generate {scenario.name}", given["seconds"], unit="s") as step:
        return generate(
            scenario,
            out,
            seconds=given["seconds"],
            seed=given["seed"],
            sample_k=given["sample"],
            form=given["form"],
            every_s=given["every"],
            progress=step,
            save=given["save"],
            resume=given["resume"],
        )
