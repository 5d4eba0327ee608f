"""What a command prints: results on stdout or to a file, remarks and progress on stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import click

from imsperf.output_files import written_whole

if TYPE_CHECKING:
    from imsperf.reports.formats import Rows


def clean(words: str, line_end: str = "?") -> str:
    """The same without characters that steer a terminal or cannot be written.

    Names of files, of members of archives and what stands in dumps are somebody else's: a line end
    in one of them must not begin a line that looks like ours.
    """
    plain = (line_end if word == "\n" else word if word.isprintable() else "?" for word in words)
    return "".join(plain)


def note(words: str) -> None:
    """A line of progress or a remark: stderr, so that stdout holds results only."""
    click.echo(clean(words), err=True)


def passed_over(path: Path, why: str) -> None:
    """Why a file among others is not read; `why` names it."""
    note(f"passed over: {why}")


def text_width(most: int) -> int:
    """Columns of running text: those of a terminal where it is narrower, but no fewer than 60."""
    return min(most, max(shutil.get_terminal_size().columns, 60)) if sys.stdout.isatty() else most


def tell(words: str) -> None:
    """A line of results in words, on stdout."""
    click.echo(clean(words))


def tell_lines(text: str) -> None:
    """Text of several lines, on stdout; nothing in it steers a terminal."""
    click.echo(clean(text, "\n"), nl=False)


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


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """Say what goes on and for how long, once it takes over a second; only on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    teller = Thread(target=_tell_time, args=(words, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _tell_time(words: str, ended: Event) -> None:
    if ended.wait(1.0):
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, refresh_per_second=4) as bar:
        bar.add_task(words, total=None)
        ended.wait()


def show(rows: Rows, fmt: str | None, output: Path | None, *, paged: bool = True) -> None:
    """Print rows, or write them to a file whose suffix names the form unless `fmt` does.

    Text is `paged` on a terminal: see `show_pieces`.
    """
    from imsperf.reports import formats

    if output is None:
        show_pieces(
            formats.pieces(rows, fmt or "text"), None, paged=paged and fmt in (None, "text")
        )
        return
    with waiting(f"write {output}"):
        formats.write(rows, output, fmt)
    note(f"wrote {output}")


def show_pieces(pieces: Iterator[bytes], output: Path | None, *, paged: bool = False) -> None:
    """Print text that comes in pieces, or write it to a file.

    On a terminal `paged` text goes through the pager that PAGER names, or less: it ends at once
    where all fits on the screen, and longer lines go on to the right.
    """
    if output is not None:
        with written_whole(output) as aside, aside.open("wb") as file:
            file.writelines(pieces)
        note(f"wrote {output}")
        return
    texts = (piece.decode() for piece in pieces)
    if not sys.stdout.isatty():
        for text in texts:
            click.echo(text, nl=False)
        return
    shown = (clean(text.replace("\r\n", "\n"), "\n") for text in texts)
    if paged and sys.stdin.isatty() and os.environ.get("PAGER") != "":
        os.environ.setdefault("LESS", "-FSX")
        with waiting("ask"):
            first = next(shown, "")  # an error comes before the pager, on a plain screen
        click.echo_via_pager(chain([first], shown))
        return
    for text in shown:
        click.echo(text, nl=False)
