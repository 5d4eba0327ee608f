"""imsperf coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imsperf.cli.options import layouts_option, read_options
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@read_options("profile")
@layouts_option
@output_options
def command(file: Path, options: dict[str, Any], fmt: str | None, output: Path | None) -> None:
    """Count the bytes of a file that layouts explain, by record type and section.

    A byte is decoded (inside a field), reserved (set aside by the source) or unknown: between
    fields, past the known ones, or in records without a layout. The bytes of all rows together are
    those of all records; those explained are decoded or reserved.

    \b
    Examples:
      imsperf coverage smf.d0301.bin
      imsperf coverage ims.log -o coverage.csv
    """
    import pyarrow.compute as pc

    from imsperf.parsers.diagnosis.coverage import coverage

    covered = coverage(file, **options)
    show(covered.rows, fmt, output)
    total = {
        name: pc.sum(covered.rows[name]).as_py() or 0 for name in ("decoded", "reserved", "unknown")
    }
    parts = ", ".join(f"{value:,} {name}" for name, value in total.items())
    share = 1 - total["unknown"] / covered.record_bytes if covered.record_bytes else 1
    note(
        f"{covered.path}: {covered.framing}, {covered.records:,} records, "
        f"{covered.record_bytes:,} bytes: "
        f"{parts}, {share:.1%} explained; "
        f"{covered.bytes - covered.record_bytes:,} bytes of the file are in no record"
    )
