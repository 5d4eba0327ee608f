"""Commands in the documents: run in a shell, and what they print held against the document.

A block ```console has lines `$ COMMAND`, each with the lines it prints below it, standard output
and error as they come; `...` stands for any lines, within a line for any text.
A block ```sql FILE is a file that is there before the first command.
`python tests console docs/tutorial.md` runs the document and writes what was printed into it, where
a block has nothing yet.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^```sql ([\w./-]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command of a document with the lines that stand below it."""

    words: str
    shown: tuple[str, ...]


def commands(text: str) -> Iterator[Command]:
    """Every command of a document, in its order."""
    for block in _BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            words, *shown = part.splitlines()
            yield Command(words, tuple(line.rstrip() for line in shown))


def write_files(text: str, folder: Path) -> None:
    """The files that a document shows, in that folder."""
    for name, content in _FILE.findall(text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def printed(words: str, folder: Path) -> list[str]:
    """What a command prints in that folder, `imsperf` being the one of this Python."""
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    done = subprocess.run(
        [shutil.which("bash") or "bash", "-c", words], cwd=folder, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=os.environ | {"PATH": beside, "COLUMNS": "140", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    return [line.rstrip() for line in done.stdout.splitlines()]


def is_shown(shown: tuple[str, ...], lines: list[str]) -> bool:
    """Whether these are the lines that a document shows, in their order."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else ".*?".join(map(re.escape, line.split("..."))) + r"\n"
        for line in shown
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def _fill(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        write_files(text, Path(folder))
        for command in commands(text):
            lines = printed(command.words, Path(folder))
            if not command.shown:
                call = f"$ {command.words}\n"
                text = text.replace(call, call + "".join(f"{line}\n" for line in lines), 1)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _fill(Path(name))
