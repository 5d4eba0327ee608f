"""imsperf scenarios."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from imsperf.cli.options import completing, set_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import show, show_pieces

WIDTH = 100  # columns of a terminal


@click.command()
@click.argument("name", required=False, shell_complete=completing("scenario"))
@set_option
@click.option(
    "--variants", is_flag=True, help="List each variant, too, and the knobs it sets otherwise."
)
@output_options
def command(
    name: str | None,
    settings: dict[str, str],
    variants: bool,
    fmt: str | None,
    output: Path | None,
) -> None:
    """List the built-in scenarios, or print one as TOML with every knob.

    -o and --format write the table of all scenarios and variants.

    \b
    Examples:
      imsperf scenarios
      imsperf scenarios --variants
      imsperf scenarios tps-100k
      imsperf scenarios tps-100k@rb9-before > mine.toml
    """
    import pyarrow as pa

    from imsperf.synthetic.scenarios import scenario
    from imsperf.synthetic.scenarios.toml_text import to_toml

    if name:
        click.echo(to_toml(scenario.load(name, settings)))
        return
    rows = scenario.overview()
    if output is not None or fmt not in (None, "text"):
        show(pa.Table.from_pylist(rows), fmt, output)
        return
    lines = _variants(rows) if variants else _scenarios(rows)
    show_pieces((f"{line}\n".encode() for line in lines), None, paged=True)


def _scenarios(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """A line or two of each scenario."""
    own = {row["scenario"]: row["title"] for row in rows if "@" not in row["scenario"]}
    width = max(map(len, own))
    yield f"{'scenario':{width}}  variants  title"
    for name, title in own.items():
        count = sum(row["scenario"].startswith(f"{name}@") for row in rows)
        yield from _wrapped(f"{name:{width}}  {count or '-':>8}  ", title)
    yield ""
    yield "--variants lists the variants, `imsperf scenarios NAME` prints every knob of one"


def _variants(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Each scenario, and its variants with what they set."""
    width = max(len(row["scenario"]) for row in rows)
    yield f"{'scenario':{width}}  title, and the knobs it sets otherwise"
    for row in rows:
        yield from _wrapped(f"{row['scenario']:{width}}  ", row["title"])
        if row["settings"]:
            yield from _wrapped(" " * (width + 4), row["settings"])


def _wrapped(before: str, words: str) -> list[str]:
    behind = " " * len(before)
    return textwrap.wrap(
        words, WIDTH, initial_indent=before, subsequent_indent=behind, break_on_hyphens=False
    )
