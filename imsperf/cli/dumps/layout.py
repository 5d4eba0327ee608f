"""imsperf layout: layouts that the user brings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layout_folder, layouts_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show
from imsperf.errors import CheckFailed, LayoutError
from imsperf.output_files import written_whole

if TYPE_CHECKING:
    import pyarrow as pa

_FIELDS = ("table", "offset", "length", "field", "kind", "alias", "unit", "meaning", "confidence")
_OVERVIEW = ("file", "what", "tables", "fields", "aliases")
_DIFF = ("table", "field", "change", "from", "to")
_NUMBERS = ("offset", "length", "fields", "aliases")


@click.group()
def command() -> None:
    """Bring layouts of your own: import them from assembler listings, check, show, compare.

    \b
    Examples:
      imsperf layout import smf200.lst --type 200 --subtype 1 --triplet 36
      imsperf layout check
      imsperf layout show smf200.toml
      imsperf layout diff old/smf200.toml new/smf200.toml
    """


def _pairs(what: str) -> Any:
    def read(ctx: click.Context, option: click.Parameter, words: tuple[str, ...]) -> dict[str, str]:
        choices = {}
        for word in words:
            key, sign, value = word.partition("=")
            if not sign or not key or not value:
                raise click.BadParameter(f"found {word!r}, expected {what}")
            choices[key.strip()] = value.strip()
        return choices

    return read


def _triplets(
    ctx: click.Context, option: click.Parameter, words: tuple[str, ...]
) -> dict[str, int]:
    given = _pairs("DSECT=OFFSET")(ctx, option, words)
    wrong = next((value for value in given.values() if not value.isdecimal()), None)
    if wrong is not None:
        raise click.BadParameter(f"found {wrong!r}, expected the offset of a triplet")
    return {name.upper(): int(value) for name, value in given.items()}


def _entries(
    ctx: click.Context, option: click.Parameter, word: str | None
) -> tuple[str, int, int, int] | None:
    if word is None:
        return None
    name, _, places = word.partition("=")
    numbers = places.split(",")
    if not name or len(numbers) != 3 or not all(number.strip().isdecimal() for number in numbers):
        raise click.BadParameter(f"found {word!r}, expected DSECT=START,COUNT_AT,LENGTH_AT")
    start, count, length = (int(number) for number in numbers)
    return name.upper(), start, count, length


@command.command("import")
@click.argument("listing", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--dsect", help="Which DSECT, if the listing has several.")
@click.option("--type", "type_", type=click.IntRange(0, 2047), help="SMF record type.")
@click.option("--subtype", type=click.IntRange(0, 65535), help="SMF record subtype.")
@click.option("--triplet", type=click.IntRange(18), help="Where the header says where it stands.")
@click.option(
    "--section", "sections", multiple=True, metavar="DSECT=OFFSET", callback=_triplets,
    help="Another section of the record, with the offset of its triplet.",
)  # fmt: skip
@click.option("--header", metavar="DSECT", help="The DSECT that is the SMF header itself.")
@click.option("--code", help="IMS log code, two hex digits.")
@click.option("--subcode", help="IMS log subcode, two hex digits.")
@click.option(
    "--entries", metavar="DSECT=START,COUNT_AT,LENGTH_AT", callback=_entries,
    help="Repeated entries of a log record: first at START, count and length of one at offsets.",
)  # fmt: skip
@click.option("--table", help="Name of the table. Default: that of the DSECT.")
@click.option("--title", help="What the record is, in your words.")
@click.option(
    "--kind", "kinds", multiple=True, metavar="FIELD=KIND", callback=_pairs("FIELD=KIND"),
    help="What the listing does not tell: at=tod, id=text(8), n=u4.",
)  # fmt: skip
@click.option("--prefer", multiple=True, metavar="FIELD", help="Of overlapping names, read this.")
@click.option("--unsigned", is_flag=True, help="F and H are counts, never below zero.")
@click.option("--replaces", is_flag=True, help="Use it instead of our layout of that record.")
@click.option("--codepage", default="cp1047", show_default=True, help="Of a listing in EBCDIC.")
@click.option("-o", "--output", help="File or folder; - for stdout. Default: your layouts folder.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def import_(listing: Path, output: str | None, force: bool, **given: Any) -> None:
    """Read a DSECT from an assembler listing, source or ADATA and write a layout file (TOML).

    The listing gives offsets, names and forms. What it does not say is yours to say: which record
    it is, where its section stands, and which eight bytes are a clock. Differences between our
    location counter and that of the listing are told; the listing's is kept.

    \b
    Examples:
      imsperf layout import smf200.lst --type 200 --subtype 1 --triplet 36 --kind w200tod=tod
      imsperf layout import smf200.lst --type 200 --dsect W200A --triplet 36 --section W200B=44
      imsperf layout import ilogrec.lst --dsect LGR --code 45 --subcode 07
      imsperf layout import ilogrec.lst --dsect LAT --code 45 --subcode 0A --entries LATE=40,6,8
      imsperf layout import prog.sysadata --dsect LGR --code 45 --subcode 07 -o -
    """
    from imsperf.user_layouts.fields import Choices
    from imsperf.user_layouts.importing import Wanted, import_layout
    from imsperf.user_layouts.listing import read_listing

    kinds = {name.lower(): kind for name, kind in given.pop("kinds").items()}
    choices = Choices(kinds, given.pop("prefer"), given.pop("unsigned"))
    codepage, kind = given.pop("codepage"), given.pop("type_")
    imported = import_layout(
        read_listing(listing, codepage), Wanted(kind, choices=choices, **given)
    )
    for words in imported.notes:
        note(words)
    if output == "-":
        click.echo(imported.text, nl=False)
        return
    _write(_target(output, imported.name), imported.text, force)


def _target(output: str | None, name: str) -> Path:
    if output is None:
        return layout_folder() / name
    path = Path(output)
    return path / name if path.is_dir() else path


def _write(file: Path, text: str, force: bool) -> None:
    if file.exists() and not force:
        hint = "name another with -o, or write over it with --force"
        raise LayoutError(f"{file}: found a file there", hint)
    file.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(file) as aside:
        aside.write_text(text, encoding="utf-8")
    note(f"wrote {file}")


def _paths(paths: tuple[Path, ...]) -> list[Path]:
    if paths:
        return list(paths)
    if layout_folder().is_dir():
        return [layout_folder()]
    raise LayoutError(
        f"{layout_folder()}: found no such folder", "name a file; `imsperf layout import` makes it"
    )


@command.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@output_options
def check(paths: tuple[Path, ...], fmt: str | None, output: Path | None) -> None:
    """Read layout files and say what is wrong with them, by file and key; exit code 3 if anything.

    PATHS are files and folders; without any, your layouts folder.

    \b
    Examples:
      imsperf layout check
      imsperf layout check smf200.toml mapping.toml
    """
    from imsperf.user_layouts.listed import overview_rows
    from imsperf.user_layouts.registry import check_files

    layouts_read, problems = check_files(_paths(paths))
    show(_rows(overview_rows(layouts_read), _OVERVIEW), fmt, output)
    for problem in problems:
        note(problem.message + (f"; {problem.hint}" if problem.hint else ""))
    if problems:
        raise CheckFailed(f"found {len(problems)} faults in layout files", "the rest is used")


@command.command("show")
@click.argument("name", required=False)
@layouts_option
@output_options
def show_(name: str | None, fmt: str | None, output: Path | None) -> None:
    """Show the fields of a layout: place, kind, meaning, other names; without NAME, what you have.

    NAME is a layout file, a record (smf74_1, ims_4507) or a table, of yours or of ours.

    \b
    Examples:
      imsperf layout show
      imsperf layout show smf200.toml
      imsperf layout show smf74_1 --format csv
    """
    from imsperf.user_layouts.layout_file import read
    from imsperf.user_layouts.listed import field_rows, overview_rows, sections_named

    if name is None:
        folder = layout_folder()
        own_layouts = read([folder] if folder.is_dir() else [])
        show(_rows(overview_rows(own_layouts), _OVERVIEW), fmt, output)
        return
    show(_rows(field_rows(sections_named(name)), _FIELDS), fmt, output)


@command.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@layouts_option
@output_options
def diff(first: str, second: str, fmt: str | None, output: Path | None) -> None:
    """Compare two levels of a record: fields added, removed, moved, resized, retyped.

    A and B are layout files, records or tables, as for `layout show`.

    \b
    Examples:
      imsperf layout diff v13/lgr.toml v15/lgr.toml
      imsperf layout diff smf74_1 my74_1.toml -o changes.csv
    """
    from imsperf.user_layouts.listed import diff_rows, sections_named

    rows = diff_rows(sections_named(first), sections_named(second))
    show(_rows(rows, _DIFF), fmt, output)
    note(f"{len(rows):,} changes" if rows else "no change")


def _rows(rows: list[dict[str, Any]], names: tuple[str, ...]) -> pa.Table:
    import pyarrow as pa

    types = [(name, pa.int32() if name in _NUMBERS else pa.string()) for name in names]
    return pa.Table.from_pylist(rows, schema=pa.schema(types))
