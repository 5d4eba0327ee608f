"""imsperf extract."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imsperf.cli.options import framing_option, layouts_option, records_options
from imsperf.cli.screen import note, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imsperf.extracting import ExtractedFile
    from imsperf.parsers.dump_writer import DumpForm


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option(
    "-o", "--output", "out", required=True, metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Dump to write; .gz, .zst or .xz packs it.",
)  # fmt: skip
@records_options
@click.option(
    "--form",
    type=click.Choice(("rdw", "vbs")),
    default="rdw",
    show_default=True,
    help="Records back to back, or in blocks of up to 32,760 bytes (a log: VB).",
)
@click.option("--force", is_flag=True, help="Write over FILE.")
@layouts_option
@framing_option
@click.option("--codepage", default="cp1047", show_default=True, help="Code page of IMS log text.")
def command(
    paths: tuple[str, ...],
    out: Path,
    types: str,
    system: str | None,
    since: str | None,
    to: str | None,
    form: DumpForm,
    force: bool,
    framing: str,
    codepage: str,
) -> None:
    """Write some records of dumps to a smaller dump, untouched.

    Records are chosen as `imsperf load` does: interval records by when their interval begins.
    Dictionaries of CICS regions and the signature of a synthetic log are kept with them, since
    other records cannot be read without.

    \b
    Examples:
      imsperf extract smf.d0301.bin -o rmf.bin --types 70,71,72,73,74
      imsperf extract monday/ -o nine.gz --from 2026-03-02T09:00 --to 2026-03-02T10:00
      imsperf extract SLDS.1 SLDS.2 -o stats.log --types ims:45 --form vbs
    """
    from imsperf.api import extract
    from imsperf.parsers.containers.source import stored_bytes
    from imsperf.parsers.read import expand_paths

    total = sum(stored_bytes(one) for one in expand_paths(paths))
    with progress("extract", total) as step:
        done = extract(
            paths,
            out,
            types=types,
            system=system,
            start=since,
            end=to,
            form=form,
            force=force,
            codepage=codepage,
            framing=framing,
            progress=step,
            passed_over=lambda _, why: note(f"passed over: {why}"),
        )
    _say(done, out)


def _say(done: Sequence[ExtractedFile], out: Path) -> None:
    for one in done:
        note(
            f"{one.name}: {one.framing}: kept {one.kept:,} of {one.records:,} records, "
            f"{one.kept_bytes:,} of {one.bytes:,} bytes"
        )
        if one.context:
            note(f"  {one.context:,} more records say how others are read, and were kept too")
        for problem in one.problems:
            note(f"  {problem.severity}: {problem}")
    note(f"wrote {out}: {out.stat().st_size:,} bytes")
