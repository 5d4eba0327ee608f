"""Options that several commands share."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from imsperf.cli.screen import note

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("text", "md", "csv", "json", "html", "xlsx", "parquet")


def output_options(command: F) -> F:
    """--format and -o."""
    command = click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write here; the suffix chooses the format.",
    )(command)
    return click.option(
        "--format", "fmt", type=click.Choice(FORMATS), help="Default: text, or by the suffix of -o."
    )(command)


def db_option(command: F) -> F:
    """--db FILE, or the folder of a lake."""
    return click.option(
        "--db",
        required=True,
        type=click.Path(path_type=Path),
        help="The database (a DuckDB file), or the folder of a lake (`load --parquet`).",
    )(command)


def types_option(command: F) -> F:
    """--types LIST."""
    return click.option(
        "--types",
        default="",
        metavar="LIST",
        help="Only records of these types: 70,smf:74.1,ims:4507. A bare number is SMF.",
    )(command)


def framing_option(command: F) -> F:
    """--framing NAME."""
    return click.option(
        "--framing",
        default="",
        metavar="NAME",
        help="What `inspect` would print: rdw, bdw_rdw, ims_vb ... Default: what the bytes say.",
    )(command)


def records_options(command: F) -> F:
    """--types, --system, --from, --to: records of dumps."""
    for option in (
        click.option("--to", help="Only before this time, as --from."),
        click.option(
            "--from",
            "since",
            help="Only from this time on: SMF local time (interval start), IMS log UTC.",
        ),
        click.option("--system", help="Only records of this system: SMF system id, or IMS id."),
        types_option,
    ):
        command = option(command)
    return command


def layout_folder() -> Path:
    """Where a user's layouts are looked for, and where `layout import` puts them."""
    return Path(click.get_app_dir("imsperf")) / "layouts"


def layouts_option(command: F) -> F:
    """--layouts PATH: layouts of the user are used from here on; the command takes no argument."""
    return click.option(
        "--layouts",
        multiple=True,
        type=click.Path(path_type=Path),
        expose_value=False,
        callback=_use_layouts,
        help="Layouts of your own: a file or folder; may be repeated. Default: your layouts "
        "folder. See `imsperf layout --help`.",
    )(command)


def _use_layouts(ctx: click.Context, option: click.Parameter, paths: tuple[Path, ...]) -> None:
    """What is wrong is told and left out; the rest is used."""
    chosen = list(paths) or ([layout_folder()] if layout_folder().is_dir() else [])
    if ctx.resilient_parsing or (not chosen and "imsperf.layouts" not in sys.modules):
        return
    from imsperf.user_layouts.registry import use_files

    for problem in use_files(chosen):
        hint = f"; {problem.hint}" if problem.hint else ""
        note(f"layout left out: {problem.message}{hint}")


def selection_options(command: F) -> F:
    """--run, --system, --from, --to."""
    for option in (
        click.option("--to", help="Only intervals that begin before this local time."),
        click.option(
            "--from", "since", help="Only intervals that begin at or after this local time."
        ),
        click.option("--system", help="Only this system."),
        click.option("--run", help="Only this run."),
    ):
        command = option(command)
    return command


def set_option(command: F) -> F:
    """--set KEY=VALUE."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=_pairs,
        help="Change a knob; may be repeated. `imsperf scenarios NAME` shows the knobs.",
    )(command)


def _pairs(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    return pairs(values)


def pairs(values: tuple[str, ...]) -> dict[str, str]:
    """KEY=VALUE words as a mapping."""
    found = {}
    for word in values:
        key, sign, value = word.partition("=")
        if not sign or not key.strip():
            raise click.BadParameter(f"found {word!r}, expected KEY=VALUE")
        if key.strip() in found:
            raise click.BadParameter(f"found {key.strip()} twice, expected each once")
        found[key.strip()] = value.strip()
    return found


_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def seconds(value: str) -> float:
    """A time such as 90, 5s, 2m or 1h in seconds."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", value)
    if not found or found[2] not in _SECONDS:
        raise click.BadParameter(f"found {value!r}, expected a time such as 30s, 2m or 1h")
    return float(found[1]) * _SECONDS[found[2]]
