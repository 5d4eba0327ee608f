"""Defaults of options that the user keeps in a file: `imsperf.toml`, a table for each command.

[report]
db = "/data/runs.duckdb"
format = "csv"
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import click

from imsperf.errors import ConfigError, near

_VARIABLE = "IMSPERF_CONFIG"
_FILE = "imsperf.toml"


def config_file() -> Path:
    """The file that IMSPERF_CONFIG names, or imsperf.toml in the user's folder of settings.

    A file beside the data is not read: it could set where something is written.
    """
    named = os.environ.get(_VARIABLE)
    return Path(named) if named else Path(click.get_app_dir("imsperf")) / _FILE


def use_defaults(ctx: click.Context, name: str, command: click.Command) -> None:
    """Let a command have what the file says of it; words of the command line come first.

    Raises ConfigError for a file that is no TOML, for a table that is of no command and an option
    that the command has not, and where IMSPERF_CONFIG names no file.
    """
    file = config_file()
    if ctx.resilient_parsing:
        return
    if not file.is_file():
        if os.environ.get(_VARIABLE):
            raise ConfigError(f"{file}: no such file, though {_VARIABLE} names it")
        return
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}", "expected TOML") from error
    assert isinstance(ctx.command, click.Group)
    commands = ctx.command.list_commands(ctx)
    for table in tables:
        if table not in commands:
            hint = near(table, commands, "a table has the name of a command")
            raise ConfigError(f"{file}: found {table!r}, which is no command", hint)
    said = tables.get(name, {})
    if not isinstance(said, dict):
        raise ConfigError(f"{file}: found {name} = {said!r}, expected a table [{name}]")
    options = {
        word.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option)
        for word in option.opts
        if word.startswith("--")
    }
    defaults: dict[str, Any] = {}
    for word, value in said.items():
        if word not in options:
            hint = near(word, options, f"`imsperf {name} --help` shows the options")
            raise ConfigError(f"{file}: [{name}] has no option {word!r}", hint)
        defaults[str(options[word].name)] = value
    ctx.default_map = {**(ctx.default_map or {}), name: defaults}


def is_default(parameter: str) -> bool:
    """Whether a parameter of the command that runs has its value from the file."""
    ctx = click.get_current_context(silent=True)
    source = click.core.ParameterSource.DEFAULT_MAP
    return ctx is not None and ctx.get_parameter_source(parameter) is source
