"""imsperf extract."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layouts_option, read_options
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
@read_options("types", "system", "start", "end", "framing", "codepage")
@click.option(
    "--form",
    type=click.Choice(("rdw", "vbs")),
    default="rdw",
    show_default=True,
    help="Records back to back, or in blocks of up to 32,760 bytes (a log: VB).",
)
@click.option("--force", is_flag=True, help="Write over FILE.")
@layouts_option
def command(
    paths: tuple[str, ...],
    out: Path,
    form: DumpForm,
    force: bool,
    options: dict[str, Any],
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

    total = sum(stored_bytes(path) for path in expand_paths(paths))
    with progress("extract", total) as step:
        done = extract(
            paths,
            out,
            form=form,
            force=force,
            progress=step,
            passed_over=lambda _, why: note(f"passed over: {why}"),
            **options,
        )
    _say(done, out)


def _say(done: Sequence[ExtractedFile], out: Path) -> None:
    for file in done:
        note(
            f"{file.name}: {file.framing}: kept {file.kept:,} of {file.records:,} records, "
            f"{file.kept_bytes:,} of {file.bytes:,} bytes"
        )
        if file.context:
            note(f"  {file.context:,} more records say how others are read, and were kept too")
        for problem in file.problems:
            note(f"  {problem.severity}: {problem}")
    note(f"wrote {out}: {out.stat().st_size:,} bytes")
