"""Locks that end with their process, and the folders for files of a while that they keep."""

from __future__ import annotations

import glob
import os
import shutil
import stat
import sys
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, Self
from uuid import uuid4

_LOCK = ".lock"


def lock_file(held: IO[str]) -> None:
    """Lock an open file until it is closed, or the process ends in whatever way.

    Raises OSError where it is locked already.
    """
    if sys.platform == "win32":
        import msvcrt

        held.seek(1 << 20)  # a byte that nobody reads
        msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WorkFolder:
    """A new folder for temporary files, which is removed when it is closed.

    Beside it stands a file that its process holds locked. Folders of the same `place` and `name`
    whose file nobody holds are removed first: their processes were killed. By itself it is in the
    folder for temporary files, for this user alone; elsewhere for whom the user's other files are,
    and it may be renamed. Raises OSError where it cannot be made.
    """

    def __init__(self, place: Path | None = None, name: str = "imsperf") -> None:
        mode = 0o777 if place else 0o700
        place = place or Path(tempfile.gettempdir())
        _remove_left(place, name)
        self.path, held = _new(place, name, mode)
        self._finalizer = weakref.finalize(self, _remove, self.path, held, os.getpid())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove it with all that is in it, as far as that can be done."""
        self._finalizer()


def _new(place: Path, name: str, mode: int) -> tuple[Path, IO[str]]:
    """A folder, and its file, locked where the file system has locks: elsewhere nobody can lock
    it, so nobody removes the folder."""
    while True:
        folder = place / f"{name}-{uuid4().hex[:12]}"
        file = _lock_of(folder)
        held = file.open("x", encoding="utf-8")
        try:
            lock_file(held)
            if os.path.samestat(os.fstat(held.fileno()), file.stat()):
                break
        except (BlockingIOError, FileNotFoundError, PermissionError):
            pass  # another process takes it for the file of a killed one
        except OSError:
            break
        held.close()
    folder.mkdir(mode=mode)
    return folder, held


def _remove_left(place: Path, name: str) -> None:
    """Remove the folders of this user that killed processes left."""
    for file in place.glob(f"{glob.escape(name)}-*{_LOCK}"):
        with suppress(OSError):  # its process lives, or another one was faster
            if _is_own(file):
                with file.open("r+", encoding="utf-8") as held:
                    lock_file(held)
                    shutil.rmtree(file.with_suffix(""), ignore_errors=True)
                    _remove_file(file, held)


def _is_own(file: Path) -> bool:
    found = file.lstat()
    return stat.S_ISREG(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.getuid())


def _remove(folder: Path, held: IO[str], process: int) -> None:
    if os.getpid() == process:  # a fork of it leaves it alone
        shutil.rmtree(folder, ignore_errors=True)
        _remove_file(_lock_of(folder), held)


def _remove_file(file: Path, held: IO[str]) -> None:
    if sys.platform == "win32":  # there an open file cannot be deleted
        held.close()
    with suppress(OSError):
        file.unlink()
    held.close()


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + _LOCK)
