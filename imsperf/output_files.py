"""Files that commands write: can they be written, and written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from imsperf.errors import OutputError
from imsperf.locks import WorkFolder


def utf8_name(path: Path | str) -> str:
    """The path as DuckDB and Arrow take it: in UTF-8, also where Python takes names for another
    code. Raises OutputError where its bytes are no UTF-8."""
    try:
        return os.fsencode(path).decode()
    except UnicodeDecodeError as error:
        raise OutputError(
            f"{path}: found a name that is no UTF-8, expected one: databases and Parquet files "
            "have no other",
            "rename it, or go to its folder and name what is in it",
        ) from error


def check_file(path: Path) -> None:
    """Raises OutputError where no file of that name can be written. A file there stays as it is."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OutputError(f"{path}: found no folder {path.parent}", "make it, or name another")
    if path.is_dir():
        raise OutputError(f"{path}: found a folder, expected a name for a file")
    if path.is_file():
        try:
            path.open("ab").close()
        except OSError as error:
            raise cannot_write(path, error) from error
    elif not path.exists():  # a pipe or a device is not opened twice
        _try(folder, path)


def check_folder(path: Path) -> None:
    """Raises OutputError where nothing can be written into that folder, or it cannot be made."""
    there = path.absolute()
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise OutputError(f"{path}: found a file {there}, expected a folder")
    _try(there, path)


def _try(folder: Path, path: Path) -> None:
    try:
        tempfile.TemporaryFile(dir=folder).close()  # as root, permissions alone say nothing
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> OutputError:
    """What the system said of a file or folder, in our words."""
    return OutputError(
        f"{path}: cannot be written: {error.strerror or error}",
        "check the folder and the room on the disk, or name another",
    )


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Where to write a file: it gets its name when all is written.

    Where that fails or is stopped, what was there before stays, and nothing else: what a killed
    process left is removed by the next that writes to this folder. Devices, pipes and files in a
    folder that takes no other are written in place. Raises OutputError for what the system says of
    the writing.
    """
    target = path.resolve() if path.is_symlink() else path
    in_place = target.exists() and (
        not target.is_file() or not os.access(target.absolute().parent, os.W_OK)
    )
    try:
        work = None if in_place else WorkFolder(target.parent, ".imsperf")
    except OSError as error:
        raise cannot_write(path, error) from error
    aside = work.path / target.name if work else target
    try:
        yield aside
        if work:
            if target.exists():
                shutil.copymode(target, aside)
            aside.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename not in (None, aside, str(aside)):
            raise  # of a file that is read meanwhile
        raise cannot_write(path, error) from error
    finally:
        if work:
            work.close()
