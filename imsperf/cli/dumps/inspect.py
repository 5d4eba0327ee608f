"""imsperf inspect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imsperf.cli.options import layouts_option, output_options, read_options
from imsperf.cli.screen import note, show


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@layouts_option
@read_options("framing")
@output_options
def command(
    paths: tuple[str, ...], options: dict[str, Any], fmt: str | None, output: Path | None
) -> None:
    """Say what is in dump files: records by system and type, time range, framing.

    \b
    Examples:
      imsperf inspect smf.d0301.bin
      imsperf inspect dumps/ --format csv
      imsperf inspect odd.bin --framing bdw_rdw
    """
    import pyarrow as pa

    from imsperf.parsers.framing.names import checked
    from imsperf.parsers.read import INSPECT_SCHEMA, dumps_in, expand_paths, inspect_source

    def passed_over(path: Path, why: str) -> None:
        note(f"passed over: {why}")

    rows = []
    for path in expand_paths(paths, passed_over):
        for source in dumps_in(path, passed_over, checked(options["framing"])):
            form = inspect_source(source)
            rows += form.rows
            note(f"{form.name}: {form.framing}, {form.records:,} records")
            for problem in form.problems:
                note(f"  {problem.severity}: byte {problem.byte_offset:,}: {problem.detail}")
    show(pa.Table.from_pylist(rows, schema=INSPECT_SCHEMA), fmt, output)
