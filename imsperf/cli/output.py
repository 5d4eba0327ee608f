"""Options that name what a command writes: looked at before the command does anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from imsperf.output_files import check_file, check_folder

if TYPE_CHECKING:
    ParamType = click.ParamType[Path | None]
else:
    ParamType = click.ParamType  # generic in new releases of click alone

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("text", "md", "csv", "json", "html", "xlsx", "parquet")
_FILES_ONLY = ("xlsx", "parquet")
STDOUT = Path("-")
CHARTS = (".html", ".svg", ".png", ".json")


class OutputFile(ParamType):
    """A file to be written, with one of `suffixes` where they are given.

    `-` is the standard output of a command that has it, None as without the option. Raises
    OutputError where the file cannot be written.
    """

    name = "file"

    def __init__(self, suffixes: tuple[str, ...] = (), *, stdout: bool = False) -> None:
        self._suffixes = suffixes
        self._stdout = stdout

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | None:
        """The path."""
        path = Path(value)
        if path == STDOUT:
            if self._stdout:
                return None
            raise click.UsageError("found -, expected a name: this command writes a file", ctx)
        if self._suffixes and path.suffix.lower() not in self._suffixes:
            names = ", ".join(self._suffixes)
            raise click.UsageError(f"found {path}, expected a name ending in {names}", ctx)
        check_file(path)
        return path


class OutputFolder(ParamType):
    """A folder to write to, made if need be. Raises OutputError where that cannot be."""

    name = "directory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path."""
        check_folder(Path(value))
        return Path(value)


def output_options(command: F, more: Mapping[str, str] | None = None) -> F:
    """--format and -o; `more` are formats that this command has besides, and their suffixes."""
    others = more or {}

    @wraps(command)
    def checked(*args: Any, fmt: str | None, output: Path | None, **given: Any) -> Any:
        if output is None and fmt in _FILES_ONLY:
            raise click.UsageError(f"found --format {fmt} alone, expected -o FILE with it")
        if output is not None and fmt is None and output.suffix.lower() not in others.values():
            from imsperf.reports.formats import format_of

            format_of(output)
        return command(*args, fmt=fmt, output=output, **given)

    options = click.option(
        "-o",
        "--output",
        type=OutputFile(stdout=True),
        help="Write here; the suffix chooses the format.",
    )(checked)
    return cast(
        F,
        click.option(
            "--format",
            "fmt",
            type=click.Choice((*FORMATS, *others)),
            help="Default: text, or by the suffix of -o.",
        )(options),
    )
