"""Displays and members beside the dumps: rows of run_text, knobs that they set in run_config."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import storable
from imsperf.parsers.displays import Text, display_text, read_text
from imsperf.parsers.problems import Problem

if TYPE_CHECKING:
    from imsperf.database.store import Store

SECTION = "displays"  # of run_config


def texts_in(folder: Path) -> list[Path]:
    """The displays and members of a folder."""
    files = sorted(entry for entry in folder.iterdir() if entry.is_file())
    return [file for file in files if file.name[0] != "." and display_text(file) is not None]


def enter_text(store: Store, run: str, path: Path, *, strict: bool) -> tuple[int, list[Problem]]:
    """Rows that were entered, and what is wrong. `strict`: DumpError for what cannot be read.

    A text that the run has is not entered again.
    """
    place = storable(path.absolute())
    if store.scalar("SELECT count(*) FROM run_text WHERE run = ? AND path = ?", [run, place]):
        return 0, []
    try:
        text = read_text(display_text(path) or "", path.name)
    except DumpError as error:
        if strict:
            raise
        return 0, [_problem(error.message)]
    told = [f"line {w.line}, column {w.column}: {w.text}" for w in text.warnings]
    store.append_rows("run_text", list(_rows(run, place, text, told)))
    store.append_rows("run_config", list(_settings(run, path, text)))
    return max((entry.row for entry in text.entries), default=0), list(map(_problem, told))


def _rows(run: str, place: str, text: Text, told: Iterable[str]) -> Iterator[dict[str, Any]]:
    common = {"run": run, "path": place, "kind": text.kind}
    for entry in text.entries:
        values = {"row_no": entry.row, "name": entry.name, "value": entry.value}
        yield common | {"line": entry.line} | values
    for warning, words in zip(text.warnings, told, strict=True):
        yield common | {"line": warning.line, "row_no": 0, "name": "warning", "value": words}


def _settings(run: str, path: Path, text: Text) -> Iterator[dict[str, Any]]:
    for key, value in text.knobs:
        source = f"{path.name} ({text.kind})"
        yield {"run": run, "section": SECTION, "key": key, "value": value, "source": source}


def _problem(detail: str) -> Problem:
    return Problem(None, 0, 0, None, None, "suspect", "display", detail)
