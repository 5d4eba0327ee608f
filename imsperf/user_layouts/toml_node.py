"""Tables of a TOML file, read with their place: a wrong key or value names file and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imsperf.errors import LayoutError, near

_WORDS = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True)
class Node:
    """A table of a TOML file; `place` is its key, such as record[2].section[1]."""

    file: Path
    place: str
    table: dict[str, Any]

    def error(self, key: str, words: str, hint: str | None = None) -> LayoutError:
        """An error at one of its keys, or at the table itself."""
        place = ".".join(part for part in (self.place, key) if part)
        return LayoutError(f"{self.file}: {place}: {words}", hint, path=self.file, key=place)

    def only(self, *known: str) -> None:
        """Refuse keys that are not known."""
        for key in self.table:
            if key not in known:
                hint = near(key, known, f"keys here: {', '.join(known)}")
                raise self.error(key, "found a key that is not known", hint)

    def _typed(self, key: str, sort: type) -> Any:
        value = self.table.get(key)
        if not isinstance(value, sort) or (sort is int and isinstance(value, bool)):
            what = "no such key" if value is None else f"{value!r}"[:60]
            raise self.error(key, f"found {what}, expected {_WORDS[sort]}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text; required without a default."""
        if default is not None and key not in self.table:
            return default
        return str(self._typed(key, str))

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number within bounds; required without a default."""
        if default is not None and key not in self.table:
            return default
        value = int(self._typed(key, int))
        if not least <= value <= most:
            raise self.error(key, f"found {value}, expected {least} to {most}")
        return value

    def flag(self, key: str) -> bool:
        """true or false; false where it is missing."""
        return bool(self._typed(key, bool)) if key in self.table else False

    def hexadecimal(self, key: str) -> int:
        """A byte in hex digits, written as text: "45"."""
        value = self.text(key)
        if not re.fullmatch(r"[0-9A-Fa-f]{2}", value):
            raise self.error(key, f"found {value!r}, expected two hex digits", 'for example "45"')
        return int(value, 16)

    def child(self, key: str) -> Node | None:
        """A table inside; None where it is missing."""
        if key not in self.table:
            return None
        return Node(self.file, f"{self.place}.{key}".lstrip("."), self._typed(key, dict))

    def children(self, key: str) -> Iterator[Node]:
        """Tables of a list, numbered from 1."""
        for number, child in enumerate(self._typed(key, list) if key in self.table else [], 1):
            place = f"{self.place}.{key}[{number}]".lstrip(".")
            if not isinstance(child, dict):
                raise LayoutError(f"{self.file}: {place}: found {child!r}, expected a table")
            yield Node(self.file, place, child)


def read_toml(file: Path) -> Node:
    """A file as one table. Raises LayoutError where it is no TOML or cannot be read."""
    try:
        return Node(file, "", tomllib.loads(file.read_text(encoding="utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "a layout file is TOML; `imsperf layout import` writes one"
        raise LayoutError(f"{file}: {error}", hint, path=file) from error
    except OSError as error:
        words = error.strerror or str(error)
        raise LayoutError(f"{file}: {words}", "check the name", path=file) from error


def toml_files(paths: Iterable[Path]) -> list[Path]:
    """The files that paths stand for: of a folder, its *.toml, in the order of their names."""
    files: dict[Path, None] = {}
    for path in paths:
        some = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        files.update(dict.fromkeys(some))
    return list(files)
