"""Options that several commands share."""

from __future__ import annotations

import glob
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from imsperf.cli.defaults import is_default
from imsperf.cli.output import OutputFile
from imsperf.cli.screen import note, waiting

if TYPE_CHECKING:
    from imsperf.sources import Source
    from imsperf.synthetic.scenarios.scenario import Scenario

F = TypeVar("F", bound=Callable[..., Any])


def db_option(command: F) -> F:
    """--db FILE, or the folder of a lake."""
    return click.option(
        "--db",
        required=True,
        type=click.Path(path_type=Path),
        help="The database (a DuckDB file), or the folder of a lake (`load --parquet`).",
    )(command)


def source_option(words: str = "", *, required: bool = True) -> Callable[[F], F]:
    """PATHS or --db: what the command gets as `db`, a database, a lake, or dumps without either.

    `words` is another argument, which may be left out before or behind PATHS.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def gathered(
            *args: Any, paths: tuple[str, ...], db: Path | None, memory: int | None, **given: Any
        ) -> Any:
            if words and _is_source(given[words], given):
                paths, given[words] = (given[words], *paths), None
            if paths and is_default("db"):
                db = None
            if (db is not None and paths) or (required and db is None and not paths):
                raise no_source()
            named = paths if db is None else db
            check_output(given.get("output"), paths if db is None else (str(db),))
            return command(*args, db=_source(named, memory) if named else None, **given)

        gathered = memory_option(gathered)
        gathered = click.option(
            "--db",
            type=click.Path(path_type=Path),
            help="The database (a DuckDB file), or the folder of a lake (`load --parquet`).",
        )(gathered)
        return cast(F, click.argument("paths", nargs=-1, type=click.Path(path_type=str))(gathered))

    return decorate


def no_source() -> click.UsageError:
    """Neither a database nor dumps are named, or both."""
    return click.UsageError("expected --db FILE or the paths of dumps, one of them")


def memory_option(command: F) -> F:
    """--memory, of commands that ask dumps."""
    return click.option(
        "--memory",
        callback=_bytes,
        metavar="SIZE",
        help="What the rows of dumps may take, about, before disk is used: 512M, 4G.",
    )(command)


def check_output(output: Path | None, named: tuple[str, ...]) -> None:
    """Raises OutputError where what is asked would be written over."""
    from imsperf.errors import OutputError
    from imsperf.sources import is_there

    if output is None or not is_there(output):
        return
    for word in named:
        paths = [Path(word)] if is_there(Path(word)) else map(Path, glob.glob(word))  # noqa: PTH207
        if any(is_there(path) and path.samefile(output) for path in paths):
            raise OutputError(f"{output}: found what is asked, expected another file to write")


def _is_source(word: str | None, given: Mapping[str, Any]) -> bool:
    """Whether a word is a path: one that is there, or where SQL is in a file."""
    from imsperf.sources import is_there

    return bool(word) and (bool(given.get("file")) or is_there(Path(str(word))))


def _source(named: Path | tuple[str, ...], memory: int | None) -> Source:
    """A database, a lake, or dumps; what is lost in those is told."""
    from imsperf.sources import Dumps, is_database, resolved

    if isinstance(named, tuple):
        if len(named) == 1 and is_database(Path(named[0])):
            return Path(named[0])
        return Dumps(named, memory, note)
    source = resolved(named)
    return Dumps(source.paths, memory, note) if isinstance(source, Dumps) else source


def named(source: Source) -> str:
    """A database, a lake or dumps as words of a command line."""
    from imsperf.sources import Dumps

    if isinstance(source, Dumps):
        paths = [source.paths] if isinstance(source.paths, str | Path) else source.paths
        return shlex.join(map(str, paths))
    return f"--db {shlex.quote(str(source))}"


_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LEAST_MEMORY = 256 << 20


def _bytes(ctx: click.Context, option: click.Parameter, value: str | None) -> int | None:
    """512M, 4G and the like in bytes."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d+)([KMG]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    size = int(match[1]) * _SIZES[match[2].upper()] if match else 0
    if size < _LEAST_MEMORY:
        raise click.BadParameter(f"found {value!r}, expected a size of at least 256M, such as 512M")
    return size


_READ_OPTIONS: dict[str, Callable[[Any], Any]] = {  # by their names in parsers.options.ReadOptions
    "types": click.option(
        "--types",
        default="",
        metavar="LIST",
        help="Only records of these types: 70,smf:74.1,ims:4507. A bare number is SMF.",
    ),
    "system": click.option(
        "--system", help="Only records of this system: SMF system id, or IMS id."
    ),
    "start": click.option(
        "--from",
        "start",
        help="Only from this time on: SMF local time (interval start), IMS log UTC.",
    ),
    "end": click.option("--to", "end", help="Only before this time, as --from."),
    "raw": click.option(
        "--raw", is_flag=True, help="Keep the bodies of records without a layout too."
    ),
    "drop_suspect": click.option(
        "--drop-suspect", is_flag=True, help="Decode no record that something speaks against."
    ),
    "profile": click.option(
        "--profile", help="Layouts of IMS log bodies. Default: what the log's signature says."
    ),
    "framing": click.option(
        "--framing",
        default="",
        metavar="NAME",
        help="What `inspect` would print: rdw, bdw_rdw, ims_vb ... Default: what the bytes say.",
    ),
    "memory": click.option(
        "--memory", callback=_bytes, metavar="SIZE", help="What it may take, about: 512M, 4G."
    ),
    "codepage": click.option(
        "--codepage", default="cp1047", show_default=True, help="Code page of IMS log text."
    ),
}


def read_options(*names: str) -> Callable[[F], F]:
    """Options of these names; the command gets them together as `options`, for api.read or load."""

    def decorate(command: F) -> F:
        @wraps(command)
        def gathered(*args: Any, **given: Any) -> Any:
            options = {name: given.pop(name) for name in names}
            return command(*args, **given, options=options)

        for name in reversed(names):
            gathered = _READ_OPTIONS[name](gathered)
        return cast(F, gathered)

    return decorate


def layout_folder() -> Path:
    """Where a user's layouts are looked for, and where `layout import` puts them."""
    return Path(click.get_app_dir("imsperf")) / "layouts"


def layouts_option(command: F) -> F:
    """--layouts PATH: the command runs with layouts of the user and takes no argument.

    What is wrong with them is told and left out.
    """

    @wraps(command)
    def within(*args: Any, layouts: tuple[Path, ...], **given: Any) -> Any:
        chosen = list(layouts) or ([layout_folder()] if layout_folder().is_dir() else [])
        if not chosen:
            return command(*args, **given)
        from imsperf.user_layouts.registry import using_files

        with using_files(chosen) as problems:
            for problem in problems:
                hint = f"; {problem.hint}" if problem.hint else ""
                note(f"layout left out: {problem.message}{hint}")
            return command(*args, **given)

    option = click.option(
        "--layouts",
        multiple=True,
        type=click.Path(path_type=Path),
        help="Layouts of your own: a file or folder; may be repeated. Default: your layouts "
        "folder. See `imsperf layout --help`.",
    )
    return cast(F, option(within))


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


def document_options(suffix: str) -> Callable[[F], F]:
    """PATHS or --db, -o, --base, --report, --tod and those of selection: a document of a whole run.

    The command gets them together as `options`, for api.html_page or api.workbook.
    """
    given = (
        click.option(
            "-o",
            "--output",
            type=OutputFile((suffix,)),
            help=f"Write here. Default: RUN{suffix}.",
        ),
        click.option(
            "--base",
            metavar="SIDE",
            help="Set it beside another run: RUN of the same database, DATABASE or DATABASE::RUN.",
        ),
        report_ids_option,
        tod_option,
        selection_options,
    )

    def decorate(command: F) -> F:
        @wraps(command)
        def gathered(db: Source, output: Path | None, **given: Any) -> Any:
            start, end = given.pop("since"), given.pop("to")
            with waiting(f"write {output or suffix}"):
                return command(db, output, {**given, "start": start, "end": end, "told": note})

        options = gathered
        for option in reversed(given):
            options = option(options)
        return cast(F, source_option()(options))

    return decorate


LEFT_OUT = "imsperf.reports.left_out"  # in the meta of a context: files of --reports


def report_ids_option(command: F) -> F:
    """--report, of which there may be several."""
    return click.option(
        "--report",
        "reports",
        multiple=True,
        metavar="ID",
        help="Only this report; may repeat.",
        shell_complete=completing("report"),
    )(command)


def reports_option(command: F) -> F:
    """--reports DIR: reports of the user beside ours; the command takes no argument."""
    return click.option(
        "--reports",
        "own_reports",
        metavar="DIR",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        expose_value=False,
        callback=_use_reports,
        help="A folder with reports of your own, .sql files as those of imsperf.",
    )(command)


def _use_reports(ctx: click.Context, option: click.Parameter, folder: Path | None) -> None:
    """What is wrong is told and left out; the rest is used while the command runs."""
    if folder is None or ctx.resilient_parsing:
        return
    from imsperf.reports.catalog import using, with_own

    reports, problems = with_own(folder)
    for problem in problems:
        note(f"report left out: {problem.message}; {problem.hint}")
    ctx.meta[LEFT_OUT] = len(problems)
    ctx.with_resource(using(reports))


def tod_option(command: F) -> F:
    """--tod."""
    return click.option(
        "--tod",
        metavar="FROM-TO",
        help="Only intervals that begin at that local time of day: 09:00-17:00, 22:00-06:00.",
    )(command)


def top_options(command: F) -> F:
    """--top and --by."""
    command = click.option(
        "--by",
        metavar="COLUMN",
        help="What --top goes by. Default: what the report's chart ranks by.",
    )(command)
    return click.option(
        "--top",
        type=click.IntRange(min=1),
        metavar="N",
        help="Only the N with the largest --by, of each interval or of the total.",
    )(command)


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


@dataclass(frozen=True)
class Changes:
    """What a what-if changes: knobs, and changes in words by option."""

    knobs: Mapping[str, str]
    words: Mapping[str, str | None]

    @property
    def is_any(self) -> bool:
        """Whether anything changes."""
        return bool(self.knobs) or any(self.words.values())

    def settings(self, scenario: Scenario) -> dict[str, str]:
        """Knobs of the scenario and their values. Errors: ScenarioError, UsageError."""
        from imsperf.synthetic.scenarios.scenario import what_if

        named = what_if(scenario, self.words)
        if both := sorted(named.keys() & self.knobs.keys()):
            raise click.UsageError(f"found {both[0]} twice, by --set and by name")
        return {**self.knobs, **named}


def change_options(command: F) -> F:
    """What a prediction is of, by what method, and how much is printed: --set, --load, --cpus,
    --disk-latency; --method; --all. The command gets the first four as `changed_by`."""

    @wraps(command)
    def gathered(
        *args: Any,
        settings: dict[str, str],
        more_load: str | None,
        cpus: str | None,
        disk_latency: str | None,
        **given: Any,
    ) -> Any:
        words = {"--load": more_load, "--cpus": cpus, "--disk-latency": disk_latency}
        return command(*args, changed_by=Changes(settings, words), **given)

    options = cast(F, gathered)
    for option in reversed(
        (
            set_option,
            click.option(
                "--load", "more_load", metavar="CHANGE", help="As --set, of the load: +20%, x2."
            ),
            click.option("--cpus", metavar="CHANGE", help="Of the general processors: +1, -1, x2."),
            click.option(
                "--disk-latency", metavar="CHANGE", help="Of the database volumes: x2, -30%."
            ),
            click.option(
                "--method",
                type=click.Choice(["auto", "solver"]),
                default="auto",
                show_default=True,
                help="auto: simulate where the solver does not hold. solver: never.",
            ),
            click.option(
                "--all", "every", is_flag=True, help="Print every figure, not a few lines."
            ),
        )
    ):
        options = option(options)
    return options


def _pairs(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    return pairs(values)


def pairs(values: tuple[str, ...]) -> dict[str, str]:
    """KEY=VALUE words as a mapping."""
    settings = {}
    for word in values:
        key, sign, value = word.partition("=")
        if not sign or not key.strip():
            raise click.BadParameter(f"found {word!r}, expected KEY=VALUE")
        if key.strip() in settings:
            raise click.BadParameter(f"found {key.strip()} twice, expected each once")
        settings[key.strip()] = value.strip()
    return settings


_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(value: str) -> float:
    """A time such as 90, 5s, 2m, 1h or 1d in seconds."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", value)
    if not match or match[2] not in _SECONDS:
        raise click.BadParameter(f"found {value!r}, expected a time such as 30s, 2m, 1h or 1d")
    length = float(match[1]) * _SECONDS[match[2]]
    if not length:
        raise click.BadParameter(f"found {value!r}, expected more than 0, such as 15m or 1h")
    return length


def completing(kind: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What a shell offers for an argument: ids of a `report`, each `column` of reports, names of
    a `scenario` or a `table`."""

    def names(ctx: click.Context, option: click.Parameter, begun: str) -> list[str]:
        return sorted(name for name in _names(kind) if name.startswith(begun))

    return names


def _names(kind: str) -> Iterable[str]:
    if kind == "scenario":
        from imsperf.synthetic.scenarios.scenario import overview

        return [row["scenario"] for row in overview()]
    from imsperf.reports.catalog import catalog

    ids = list(catalog().reports)
    if kind == "report":
        return ids
    if kind == "column":
        return [f"{report.id}.{column.name}" for report in catalog() for column in report.shown]
    from imsperf.layouts import all_tables

    return [*ids, *(table.name for table in all_tables())]
