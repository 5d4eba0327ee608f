"""What a command prints: results on stdout or to a file, remarks and progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import pyarrow as pa

    from imsperf.reports.run import Result


def note(words: str) -> None:
    """A line of progress or a remark: stderr, so that stdout holds results only."""
    click.echo(words, err=True)


@contextmanager
def progress(words: str, total: float, unit: str = "B") -> Iterator[Callable[[float], None]]:
    """A bar that the returned function advances; nothing where stderr is no terminal."""
    if not sys.stderr.isatty() or total <= 0:
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    speed = (DownloadColumn(), TransferSpeedColumn()) if unit == "B" else ()
    columns = (TextColumn("{task.description}"), BarColumn(), *speed, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total)
        yield lambda step: bar.advance(task, step)


def show(rows: Result | pa.Table, fmt: str | None, output: Path | None) -> None:
    """Print rows, or write them to a file whose suffix names the form unless `fmt` does."""
    from imsperf.reports import formats

    if output is None:
        click.echo(formats.render(rows, fmt or "text"), nl=False)
        return
    formats.write(rows, output, fmt)
    note(f"wrote {output}")
