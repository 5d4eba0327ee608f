"""The command line: one module per command; each parses, calls, prints. No analysis here."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from imsperf import __version__
from imsperf.cli.defaults import use_defaults
from imsperf.errors import ImsperfError, near

# In the order of the help: what a command is for, the room whose module of that name holds
# `command`, and what it does.
_MODEL, _DUMPS, _DATABASE = (f"imsperf.cli.{room}" for room in ("model", "dumps", "database"))
SECTIONS = {
    "Begin": {
        "demo": (_MODEL, "Show everything once on a small synthetic benchmark."),
    },
    "Dumps": {
        "inspect": (_DUMPS, "Say what is in dump files."),
        "doctor": (_DUMPS, "Say whether files are damaged, and what to do."),
        "load": (_DUMPS, "Load dumps into a database."),
        "unpack": (_DUMPS, "Write what is in packed files and archives."),
        "extract": (_DUMPS, "Write some records of dumps to a smaller dump."),
    },
    "A database, a lake, or dumps": {
        "runs": (_DATABASE, "List, rename or remove the runs of a database."),
        "files": (_DATABASE, "Say which files there are, and what they cover."),
        "report": (_DATABASE, "Print a report."),
        "chart": (_DATABASE, "Draw a report."),
        "findings": (_DATABASE, "Say what stands out, worst first."),
        "query": (_DATABASE, "Run SQL on a database or dumps, read-only."),
        "html": (_DATABASE, "Write one page of a run, to be mailed."),
        "workbook": (_DATABASE, "Write one Excel workbook of a run."),
        "serve": (_DATABASE, "Show a database or dumps in a browser of this machine."),
    },
    "Compare and predict": {
        "compare": (_DATABASE, "Set two runs side by side."),
        "table": (_DATABASE, "Print runs beside one another, as releases are printed."),
        "whatif": (_MODEL, "Predict a run of yours with more load or other hardware."),
    },
    "Where a number comes from": {
        "explain": (_DATABASE, "Say where a number comes from: formula, fields, bytes."),
        "dict": (_DUMPS, "Look up tables, fields, reports and columns."),
        "records": (_DUMPS, "Show records as sections and fields beside their bytes."),
        "coverage": (_DUMPS, "Count the bytes of a file that layouts explain."),
        "audit": (_DATABASE, "Test the identities that must hold."),
        "reconcile": (_DATABASE, "Hold an RMF XML listing against a database or dumps."),
    },
    "Without a mainframe": {
        "scenarios": (_MODEL, "List the built-in scenarios, or print one with its knobs."),
        "model": (_MODEL, "Predict a scenario without writing records."),
        "generate": (_MODEL, "Write the dumps a scenario would produce."),
        "calibrate": (_MODEL, "Fit a scenario to a measurement."),
        "reproduce": (_MODEL, "Set published measurements beside runs of ours."),
    },
    "Your own settings, layouts and reports": {
        "completion": ("imsperf.cli", "Print the completion of commands for a shell."),
        "layout": (_DUMPS, "Bring layouts of your own: import, check, show, compare."),
        "dev": ("imsperf.cli", "Check what you add to imsperf."),
    },
}
_STOPPED = 128 + signal.SIGINT  # as shells say it
COMMANDS = {name: what for section in SECTIONS.values() for name, what in section.items()}


class Group(click.Group):
    """Loads a command's module only when it is called, and suggests near names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        room, _ = COMMANDS[cmd_name]
        command: click.Command = import_module(f"{room}.{cmd_name}").command
        use_defaults(ctx, cmd_name, command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(widest), does) for name, (_, does) in commands.items()]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            hint = near(args[0], COMMANDS, "`imsperf --help` shows all")
            raise click.UsageError(f"no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click would end with 1
            raise _ReaderGone from error


class _ReaderGone(Exception):
    """Who read our output has what they want, as `head` does."""


def _version(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    """What a report of a problem should name; nothing heavy is imported for it."""
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    names = ("duckdb", "pyarrow")
    parts = ", ".join(f"{name} {version(name)}" for name in names)
    click.echo(f"imsperf {__version__} ({parts}, Python {sys.version.split()[0]})")
    ctx.exit()


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Versions of imsperf, DuckDB and Arrow.",
)
def cli() -> None:
    """SMF and IMS log dumps to SQL, the reports you know, comparison, and a performance model.

    \b
    Examples:
      imsperf demo
      imsperf load smf.dump ims.log --db runs.duckdb --run monday
      imsperf report rmf.device --db runs.duckdb
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; errors of ours become one message and an exit code, never a trace."""
    try:
        cli.main(args=arguments, prog_name="imsperf", standalone_mode=False)
        if arguments is None:  # all is done but the way out of the process
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else error.message)
        sys.exit(error.exit_code)
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.ClickException as error:
        _show(error.format_message(), _usage(error))
        sys.exit(error.exit_code)
    except click.Abort:
        _stop()
    except RuntimeError as error:  # DuckDB's answer to Ctrl-C
        if "interrupted" not in str(error).lower():
            raise
        _stop()
    except ImsperfError as error:
        _show(error.message, error.hint)
        sys.exit(error.exit_code)
    except _ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is not flushed yet
        sys.exit(0)
    except OSError as error:
        ours = _from_system(error)
        _show(ours.message, ours.hint)
        sys.exit(1)


def _stop() -> NoReturn:
    click.echo("stopped", err=True)
    sys.exit(_STOPPED)


def _show(message: str, hint: str | None) -> None:
    from imsperf.cli.screen import clean

    words = clean(message, "\n  ")  # the place in an SQL statement takes more lines
    click.echo(f"imsperf: error: {words}", err=True)
    if hint:
        click.echo(f"hint: {clean(hint)}", err=True)


def _usage(error: click.ClickException) -> str | None:
    """How the command is called whose words were wrong."""
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return None
    usage = " ".join(error.ctx.get_usage().removeprefix("Usage: ").split())
    return f"{usage}; `{error.ctx.command_path} --help` says more"


def _from_system(error: OSError) -> ImsperfError:
    """A file that cannot be read or written, in our words."""
    place: Any = error.filename or "output"
    hint = "check that the path exists, can be written and has room"
    if isinstance(error, FileNotFoundError):
        hint = "check the name, and that its folder is there"
    elif isinstance(error, PermissionError):
        hint = "check who may read or write it"
    return ImsperfError(f"{place}: {error.strerror or error}", hint)
