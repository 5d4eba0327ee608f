"""What a person sees while waiting: progress on stderr, and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


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
