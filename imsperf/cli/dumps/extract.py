"""imsperf extract."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layouts_option, read_options
from imsperf.cli.output import OutputFile
from imsperf.cli.screen import note, passed_over, progress, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from imsperf.extracting import ExtractedFile
    from imsperf.parsers.dump_writer import DumpForm


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option(
    "-o", "--output", "out", required=True, metavar="FILE",
    type=OutputFile(),
    help="Dump to write; .gz, .zst or .xz packs it.",
)  # fmt: skip
@read_options("types", "system", "start", "end", "drop_suspect", "profile", "framing", "codepage")
@click.option(
    "--form",
    type=click.Choice(("rdw", "vbs")),
    default="rdw",
    show_default=True,
    help="Records back to back, or in blocks of up to 32,760 bytes (a log: VB).",
)
@click.option("--force", is_flag=True, help="Write over FILE.")
@click.option("--strict", is_flag=True, help="Stop at the first damage; write nothing.")
@click.option(
    "--format",
    "fmt",
    type=click.Choice(("text", "md", "csv", "json", "html")),
    help="Also print on stdout what was found amiss: a row for each problem, as load_problem has.",
)
@layouts_option
def command(
    paths: tuple[str, ...],
    out: Path,
    form: DumpForm,
    force: bool,
    strict: bool,
    fmt: str | None,
    options: dict[str, Any],
) -> None:
    """Write some records of dumps to a smaller dump, untouched.

    Records are chosen as `imsperf load` does: interval records by when their interval begins.
    Dictionaries of CICS regions and the signature of a synthetic log are kept with them, since
    other records cannot be read without.

    Each record is weighed as `imsperf load` does, since a record that is joined and written anew no
    longer shows where it was damaged. One that load would not decode because something speaks
    against it is not written. A suspect one is written, unless --drop-suspect leaves it out. Both
    are counted and named on stderr, and --strict refuses both, as it does any damage.

    \b
    Examples:
      imsperf extract smf.d0301.bin -o rmf.bin --types 70,71,72,73,74
      imsperf extract monday/ -o nine.gz --from 2026-03-02T09:00 --to 2026-03-02T10:00
      imsperf extract SLDS.1 SLDS.2 -o stats.log --types ims:45 --form vbs
    """
    from imsperf.api import extract
    from imsperf.parsers.containers.source import stored_bytes
    from imsperf.parsers.read import expand_paths

    dumps = expand_paths(paths, passed_over)
    total = sum(stored_bytes(path) for path in dumps)
    with progress("extract", total) as step:
        done = extract(
            dumps,
            out,
            form=form,
            force=force,
            strict=strict,
            progress=step,
            passed_over=passed_over,
            **options,
        )
    _say(done, out)
    if fmt is not None:
        show(_problems(done), fmt, None)


def _problems(done: Sequence[ExtractedFile]) -> pa.Table:
    """A row for each problem of each file."""
    import pyarrow as pa

    kinds = {"record_no": pa.int64(), "byte_offset": pa.int64(), "bytes": pa.int64()}
    words = ("type", "subtype", "severity", "reason", "detail")
    schema = pa.schema({"file": pa.string(), **kinds, **dict.fromkeys(words, pa.string())})
    rows = [
        {"file": file.name, **dataclasses.asdict(problem)}
        for file in done
        for problem in file.problems
    ]
    return pa.Table.from_pylist(rows, schema)


def _say(done: Sequence[ExtractedFile], out: Path) -> None:
    for file in done:
        note(
            f"{file.name}: {file.framing}: kept {file.kept:,} of {file.records:,} records, "
            f"{file.kept_bytes:,} of {file.bytes:,} bytes"
        )
        if file.context:
            note(f"  {file.context:,} more records say how others are read, and were kept too")
        if file.refused:
            note(f"  {file.refused:,} records were left out: something speaks against them")
        if file.suspect:
            were = "record was" if file.suspect == 1 else "records were"
            note(f"  {file.suspect:,} suspect {were} written")
        for problem in file.problems:
            note(f"  {problem.severity}: {problem}")
    note(f"wrote {out}: {out.stat().st_size:,} bytes")
