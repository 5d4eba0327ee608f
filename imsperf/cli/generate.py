"""imsperf generate."""

from __future__ import annotations

from pathlib import Path

import click

from imsperf.cli import options
from imsperf.cli.screen import note, progress


@click.command()
@click.argument("name")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the dumps; made if need be.",
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
    help="RMF interval, statistics set; whole seconds. Default: 2m, or the run if shorter.",
)
def command(
    name: str,
    out: Path,
    settings: dict[str, str],
    seconds: float,
    seed: int,
    sample: int,
    form: str,
    every: float | None,
) -> None:
    """Simulate a scenario and write the SMF dump and IMS log it would produce.

    NAME is a built-in scenario, with a variant after @, or a TOML file of yours.

    \b
    Examples:
      imsperf generate tps-100k --out run1 --sample 1000
      imsperf generate tps-100k@rb9-before --out rb9 --seconds 60 --every 5s --sample 1000
      imsperf generate tps-100k --set xcf.messages_per_schedule=32 --out xcf32 --sample 1000
    """
    from imsperf.synthetic import scenario
    from imsperf.synthetic.generate import generate

    found = scenario.load(name, settings)
    with progress(f"generate {name}", seconds, unit="s") as step:
        made = generate(
            found,
            out,
            seconds=seconds,
            seed=seed,
            sample_k=sample,
            form=form,
            every_s=every,
            progress=step,
        )
    for fact in made.facts:
        note(fact)
    for path in made.paths:
        click.echo(path)
