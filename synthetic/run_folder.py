"""The folder of a run: one run in it, whole. `load` takes all files of a folder as one run.

A new or empty folder is filled; a run of the same scenario that `generate` wrote is replaced, all
its files; a run of anything else is left alone, and the order refused. Other files stay.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from imsperf.errors import ScenarioError
from imsperf.synthetic.writer import cannot_write, folder_aside

NOTE, TRUTH = "run.toml", "truth.toml"
DUMPS = (".smf.vbs", ".smf.rdw", ".imslog.vb", ".imslog.rdw")  # how the names of our dumps end
HINT = "give a new folder with --out, or remove this one first"


@contextmanager
def run_folder(folder: Path, name: str) -> Iterator[Path]:
    """A folder to write a run of scenario `name` to; on success its files are in `folder`.

    Files of an earlier run of that scenario that the new one lacks are removed then. Errors:
    ScenarioError where another run is there, ImsperfError where it cannot be written.
    """
    earlier = _earlier(folder, name)
    with folder_aside(folder) as aside:
        yield aside
        written = {path.name for path in aside.iterdir()}
    try:
        for path in earlier - written:
            (folder / path).unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def _earlier(folder: Path, name: str) -> set[str]:
    """Names of the files of the run that is there."""
    note = folder / NOTE
    if not note.is_file():
        dumps = [path.name for path in folder.glob("*") if path.name.endswith(DUMPS)]
        if dumps:
            raise ScenarioError(f"{folder}: found {min(dumps)} of another run", HINT)
        return set()
    try:
        note_facts = tomllib.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        note_facts = {}
    if note_facts.get("synthetic") is not True:
        raise ScenarioError(f"{note}: found a run that imsperf generate did not write", HINT)
    if note_facts.get("name") != name:
        raise ScenarioError(
            f"{folder}: found a run of {note_facts.get('name')}, expected a new folder or a run of "
            f"{name}",
            HINT,
        )
    return {Path(str(name)).name for name in note_facts.get("files", {})} | {TRUTH}
