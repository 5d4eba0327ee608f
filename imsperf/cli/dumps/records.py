"""imsperf records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import layouts_option, read_options
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show
from imsperf.output_files import written_whole

if TYPE_CHECKING:
    from imsperf.parsers.diagnosis.browse import BrowsedRecord, BrowsedSection
    from imsperf.parsers.diagnosis.browsed_fields import BrowsedField

_SHOWN = 16  # bytes of a field that a line shows
_PER_LINE = 16  # bytes of a dump line


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--type", "type_", metavar="TYPE", help="70.1, 70, or for a log 4507, 45.")
@click.option(
    "--number",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which record of that type; without --type, of the file (record_no).",
)
@click.option(
    "--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many records."
)
@click.option("--hex", "dump", is_flag=True, help="Also the whole record in hex and EBCDIC.")
@read_options("profile")
@layouts_option
@output_options
def command(
    file: Path,
    type_: str | None,
    number: int,
    count: int,
    dump: bool,
    options: dict[str, Any],
    fmt: str | None,
    output: Path | None,
) -> None:
    """Show records as sections and fields beside their bytes; unknown bytes are shown as unknown.

    A line of a section has the offset in the section (decimal), the offset in the record (hex), the
    length, the bytes, the field, its value and meaning. Other formats have one row for each field.

    \b
    Examples:
      imsperf records smf.d0301.bin --type 70.1
      imsperf records smf.d0301.bin --type 70.1 --number 3 --hex
      imsperf records smf.d0301.bin --number 18204
      imsperf records ims.log --type 4507 --format json
    """
    from imsperf.parsers.diagnosis.browse import Browser
    from imsperf.parsers.diagnosis.browsed_fields import table

    browser = Browser(file, **options)
    numbers = browser.find(type_) if type_ else list(range(1, len(browser.frames.start) + 1))
    if number > len(numbers):
        browser.find(type_, number) if type_ else browser.read(number)  # says what there is
    chosen = numbers[number - 1 : number - 1 + count]
    records = (browser.read(number) for number in chosen)
    if _form(fmt, output) != "text":
        show(table(records), fmt, output)
    elif output is None:
        for record in records:
            click.echo("\n".join(_page(record, dump)))
            for problem in record.problems:
                note(f"{problem.severity}: {problem}")
    else:
        pages = ("\n".join(_page(record, dump)) + "\n" for record in records)
        with written_whole(output) as aside:
            aside.write_text("".join(pages), encoding="utf-8")
        note(f"wrote {output}")
    words = f"of type {type_}" if type_ else "of the file"
    note(
        f"{file}: {len(chosen):,} of {len(numbers):,} records {words}; --number and --count choose"
    )


def _form(fmt: str | None, output: Path | None) -> str:
    if fmt or output is None:
        return fmt or "text"
    from imsperf.reports.formats import format_of

    return format_of(output)


def _page(record: BrowsedRecord, dump: bool) -> Iterator[str]:
    from imsperf.parsers.diagnosis.browsed_fields import blocks

    kind = "type" if record.kind == "smf" else "log record"
    yield (
        f"record {record.number:,}, {kind} {record.label}, {len(record.data):,} bytes "
        f"at byte {record.place:,} (0x{record.place:X})"
    )
    for section, fields in blocks(record):
        yield ""
        yield _heading(section, fields)
        begin = section.place if section else fields[0].place
        width = max((len(field.field.name) for field in fields if field.field), default=0)
        for field in fields:
            yield from _lines(field, begin, width)
    elsewhere = [piece for piece in record.pieces if piece.record_no != record.number]
    if elsewhere:
        yield ""
        yield from (f"{_name(section)}: in record {section.record_no:,}" for section in elsewhere)
    if dump:
        yield ""
        yield from _dump(record.data)
    yield ""


def _name(section: BrowsedSection) -> str:
    return f"{section.table} {section.section_no}"


def _heading(section: BrowsedSection | None, fields: list[BrowsedField]) -> str:
    if section is None:
        return f"in no section, {len(fields[0].data):,} bytes at +{fields[0].place}"
    where = "" if section.byte_offset is None else f", byte {section.byte_offset:,} of the file"
    sure = "" if section.section.confidence == "2src" else f" ({section.section.confidence})"
    return (
        f"{_name(section)}: {section.section.doc}{sure}, {len(section.data):,} bytes "
        f"at +{section.place}{where}"
    )


def _lines(browsed_field: BrowsedField, begin: int, width: int) -> Iterator[str]:
    """A field in a line; unknown bytes in as many as they need."""
    if browsed_field.field:
        shown = browsed_field.data[:_SHOWN].hex(" ").upper() + (
            " .." if len(browsed_field.data) > _SHOWN else ""
        )
        value = "not valid" if browsed_field.value is None else _dots(browsed_field.value)
        unit = f" {browsed_field.field.unit}" if browsed_field.field.unit else ""
        words = f"{browsed_field.field.name:<{width}}  {value}{unit}  {browsed_field.field.doc}"
        yield f"{_place(browsed_field.place, begin, len(browsed_field.data))}  {shown:<23}  {words}"
        return
    for at in range(0, len(browsed_field.data), _PER_LINE):
        some = browsed_field.data[at : at + _PER_LINE]
        shown = some.hex(" ").upper()
        yield f"{_place(browsed_field.place + at, begin, len(some))}  {shown:<23}  .. unknown"


def _place(place: int, begin: int, length: int) -> str:
    return f"  +{place - begin:04}  {place:04X}  {length:>3}"


def _dots(text: str) -> str:
    """Text from a dump without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else "." for letter in text)


def _dump(data: bytes) -> Iterator[str]:
    """Hex, four bytes to a group, and the bytes as EBCDIC text."""
    from imsperf.kinds import codepage

    letters = [chr(point) for point in codepage().tolist()]
    for at in range(0, len(data), _PER_LINE):
        some = data[at : at + _PER_LINE]
        text = _dots("".join(letters[byte] for byte in some))
        yield f"  {at:04X}  {some.hex(' ', -4).upper():<35}  |{text:<{_PER_LINE}}|"
