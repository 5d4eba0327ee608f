"""imsperf unpack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from imsperf.cli.output import OutputFolder
from imsperf.cli.screen import note, progress, tell
from imsperf.errors import DumpError
from imsperf.loading.file_names import safe_name, unique

if TYPE_CHECKING:
    from imsperf.parsers.containers.source import Source

_PIECE = 8 << 20  # bytes written at a time
_SUFFIXES = {
    "gz": (".gz", ".gzip"),
    "zst": (".zst", ".zstd"),
    "xz": (".xz",),
    "bz2": (".bz2", ".bzip2"),
    "terse": (".trs", ".terse", ".trs.bin"),
}


@click.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR",
    type=OutputFolder(), help="Folder to write to; made if need be.",
)  # fmt: skip
def command(paths: tuple[str, ...], folder: Path) -> None:
    """Unpack what dumps come packed in: gzip, zip, zstd, xz, bzip2, tar, terse, XMIT.

    Members are written by their base names, however deep they lie; variable records keep their
    RDWs. No file is overwritten. Where a checksum fails, all that could be unpacked is written and
    the damage told. The other commands read packed files as they are, what is proved of them:
    unpack only to have the files. FILE may be - for standard input.

    \b
    Examples:
      imsperf unpack smf.d0301.zip -o dumps
      imsperf unpack IMS.SLDS.XMIT week10.tar.gz -o dumps
      ssh host cat smf.trs | imsperf unpack - -o dumps
    """
    from imsperf.parsers.containers.source import open_sources, stored_bytes

    taken: set[str] = set()
    total = sum(
        stored_bytes(Path(packed)) for packed in paths if packed == "-" or Path(packed).is_file()
    )
    with progress("unpack", total) as step:
        for path in paths:
            for source in open_sources(Path(path), progress=step, unproved=True):
                _unpack(source, folder, taken)
    if not taken:
        raise DumpError(
            f"{paths[0]}: found nothing to unpack, expected a packed file or an archive",
            "a plain dump needs no unpacking: `imsperf load` reads it as it is",
        )


def _unpack(source: Source, folder: Path, taken: set[str]) -> None:
    """Write one member, and say so on stdout; what is amiss with it on stderr."""
    if not source.container:
        note(f"passed over: {source.name}: not packed")
        return
    for problem in source.problems:
        note(f"{source.name}: {problem.severity}: {problem}")
    if not source.buffer.size:
        return
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / unique(safe_name(_own_name(source)), taken)
    try:
        with target.open("xb") as file:  # follows no link, overwrites nothing
            _write(file, source, target.unlink)
    except FileExistsError:
        _must_be_same(target, source)
    tell(f"{target}  {source.buffer.size:,} bytes  {source.container}")


def _write(file: BinaryIO, source: Source, undo: Callable[[], None]) -> None:
    try:
        for at in range(0, source.buffer.size, _PIECE):
            file.write(source.buffer[at : at + _PIECE].data)
    except BaseException:  # also when stopped: half a file would look like a whole one
        file.close()
        undo()
        raise


def _must_be_same(target: Path, source: Source) -> None:
    size = source.buffer.size
    same = not target.is_symlink() and target.is_file() and target.stat().st_size == size
    if same:
        with target.open("rb") as file:
            same = all(
                file.read(_PIECE) == source.buffer[at : at + _PIECE].tobytes()
                for at in range(0, size, _PIECE)
            )
    if not same:
        raise DumpError(
            f"{target}: found another file of that name, expected none",
            "name an empty folder with -o",
            path=target,
        )


def _own_name(source: Source) -> str:
    """The name of the member, or of the file; without the suffixes of what was taken off."""
    name = source.member or ("stdin" if str(source.path) == "-" else source.path.name)
    for kind in reversed(source.container.split("+")):
        if kind not in _SUFFIXES:
            break
        suffix = next((suffix for suffix in _SUFFIXES[kind] if name.lower().endswith(suffix)), "")
        name = name[: len(name) - len(suffix)]
    return name
