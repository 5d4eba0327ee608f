"""imsperf inspect."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layouts_option, read_options
from imsperf.cli.output import output_options
from imsperf.cli.screen import clean, note, passed_over, show, show_pieces

if TYPE_CHECKING:
    from imsperf.parsers.read import Loaded


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@layouts_option
@read_options("framing")
@output_options
def command(
    paths: tuple[str, ...], options: dict[str, Any], fmt: str | None, output: Path | None
) -> None:
    """Say what is in dump files: records by system and type, time range, framing.

    Text has a table for each file; the other formats have one table, and tell of framing and
    damage on stderr.

    \b
    Examples:
      imsperf inspect smf.d0301.bin
      imsperf inspect dumps/ --format csv
      imsperf inspect odd.bin --framing bdw_rdw
    """
    import pyarrow as pa

    from imsperf.parsers.framing.names import checked
    from imsperf.parsers.read import INSPECT_SCHEMA, dumps_in, expand_paths, inspect_source

    dumps = (
        inspect_source(source)
        for path in expand_paths(paths, passed_over)
        for source in dumps_in(path, passed_over, checked(options["framing"]))
    )
    if output is None and fmt in (None, "text"):
        texts = ("\n" * (number > 0) + _text(dump) for number, dump in enumerate(dumps))
        show_pieces((text.encode() for text in texts), None, paged=True)
        return
    rows = []
    for dump in dumps:
        rows += dump.rows
        for line in _said(dump):
            note(line)
    show(pa.Table.from_pylist(rows, schema=INSPECT_SCHEMA), fmt, output)


def _said(dump: Loaded) -> Iterator[str]:
    """A line for the file, and one for each problem."""
    yield f"{dump.name}: {dump.framing}, {dump.records:,} records"
    for problem in dump.problems:
        yield f"  {problem.severity}: byte {problem.byte_offset:,}: {problem.detail}"


def _text(dump: Loaded) -> str:
    """A file for people: what it is and how its times are meant, then its records by type."""
    import pyarrow as pa

    from imsperf.parsers.read import INSPECT_SCHEMA
    from imsperf.reports.text import table

    first, *problems = _said(dump)
    kinds = {row["kind"] for row in dump.rows}
    clock = "; times are UTC" if kinds == {"ims"} else "; times are local to the system"
    lines = [first + (clock if kinds else ""), *problems]
    rows = pa.Table.from_pylist(dump.rows, schema=INSPECT_SCHEMA).drop_columns(["file", "kind"])
    return "".join(f"{clean(line)}\n" for line in lines) + table(rows)
