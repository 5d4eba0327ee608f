"""The state of a simulation at an interval boundary, kept in a file and taken up again.

A file of numpy arrays (npz): all that the engine changes, the counters of the intervals that are
closed, the rows handed over so far, and what was asked for. What goes on from it draws the same
numbers, so the result is that of one run without a break. The file is written aside and renamed.
"""

from __future__ import annotations

import hashlib
import json
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic.arrays import Values
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.run import Run
from imsperf.synthetic.simulation.state import State
from imsperf.synthetic.units import TICKS_PER_S, TICKS_PER_US

FORMAT = 8
FACTS = "facts"
SAVE_EVERY_S = 30.0  # on the clock of the wall; the last whole interval is kept in any case

Arrays = dict[str, Values]


class Keeper:
    """Writes the state to a file at boundaries of whole intervals."""

    def __init__(self, path: Path, asked: Mapping[str, Any], seconds: float) -> None:
        self.path = path
        self.asked = asked
        self.every = round(asked["every_s"] * 1e6) * TICKS_PER_US
        self.last = round(seconds * 1e6) * TICKS_PER_US // self.every * self.every
        self.written = time.monotonic()

    def boundary(self, runs: Sequence[Run], end: int) -> None:
        """An interval is closed; errors: ScenarioError where the file cannot be written."""
        due = end == self.last or time.monotonic() - self.written > SAVE_EVERY_S
        if end <= 0 or end % self.every or not due:
            return
        arrays: Arrays = {}
        for number, run in enumerate(runs):
            run.empty_rows()
            arrays |= {f"{number}/{name}": value for name, value in _of_run(run).items()}
        facts = json.dumps({**self.asked, "reached": end, "networks": _prints(runs)})
        arrays[FACTS] = np.frombuffer(facts.encode(), np.uint8)
        aside = self.path.with_name(self.path.name + ".part")
        try:
            with aside.open("wb") as file:
                np.savez(file, **arrays)  # type: ignore[arg-type]
            aside.replace(self.path)
        except OSError as error:
            aside.unlink(missing_ok=True)
            raise ScenarioError(f"{self.path}: could not be written: {error.strerror}") from error
        self.written = time.monotonic()


def asked_for(*, seed: int, every_s: float, warmup_s: float, sample_k: int) -> dict[str, Any]:
    """What a run that goes on must have in common with the one before."""
    return {
        "format": FORMAT,
        "seed": seed,
        "every_s": every_s,
        "warmup_s": warmup_s,
        "sample_k": sample_k,
    }


def saved_facts(path: Path) -> dict[str, Any]:
    """What was asked for, and `reached` (ticks). Errors: ScenarioError, no such file."""
    facts: dict[str, Any] = json.loads(_read(path, (FACTS,))[FACTS].tobytes())
    return facts


def restore(path: Path, runs: Sequence[Run], asked: Mapping[str, Any], ends: Sequence[int]) -> int:
    """Put the runs where the file says they were; the tick reached.

    `ends`: the boundaries of the run that goes on. Errors: ScenarioError where the file is of
    another run, or is no such file.
    """
    facts = saved_facts(path)
    wanted = {**asked, "networks": _prints(runs)}
    for name, value in wanted.items():
        if facts.get(name) != value:
            what = "another scenario or setting" if name == "networks" else f"{name} {facts[name]}"
            expected = "this one" if name == "networks" else value
            raise ScenarioError(
                f"{path}: found a run of {what}, expected {expected}",
                "a run goes on with the scenario, seed, sample and intervals it began with",
            )
    if facts["reached"] not in ends:
        reached = facts["reached"] / TICKS_PER_S
        raise ScenarioError(
            f"{path}: found a run that has reached {reached:g} s, expected to go on from there",
            "ask for a longer run with --seconds",
        )
    held = _read(path)
    for number, run in enumerate(runs):
        mine = f"{number}/"
        _put(run, {k.removeprefix(mine): v for k, v in held.items() if k.startswith(mine)})
    return int(facts["reached"])


def _read(path: Path, names: tuple[str, ...] = ()) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in names or file.files}
    except OSError as error:
        if error.strerror:
            raise ScenarioError(f"{path}: could not be read: {error.strerror}") from error
        raise _no_state(path) from error
    except (EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise _no_state(path) from error


def _no_state(path: Path) -> ScenarioError:
    return ScenarioError(f"{path}: is no saved state", "--save-state writes one")


def _prints(runs: Sequence[Run]) -> list[str]:
    """A fingerprint of each network."""
    return [_print(run.network) for run in runs]


def _print(network: Network) -> str:
    return hashlib.sha256(repr(network).encode()).hexdigest()


def _of_run(run: Run) -> Arrays:
    """All that a run holds, by name."""
    snapshots = run.snapshots
    held: Arrays = {f"state/{name}": value for name, value in run.state._asdict().items()}
    held |= {
        f"closed/{k}": np.stack([snapshot[k] for snapshot in snapshots.closed]) for k in _keys(run)
    }
    held |= {
        f"opened/{k}": np.array([snapshot[k] for snapshot in snapshots.opened], np.int64)
        for k in snapshots.opened[0]
    }
    held |= {f"level/{k}": np.array(v, np.int64) for k, v in snapshots.levels.items()}
    held["end"] = np.array(snapshots.end, np.int64)
    held |= {f"rows/{name}": np.concatenate(pieces) for name, pieces in run.pieces.items()}
    held["programs"] = np.concatenate(run.programs)
    return held


def _keys(run: Run) -> list[str]:
    return list(run.snapshots.closed[0])


def _put(run: Run, held: Arrays) -> None:
    """The opposite of `_of_run`."""

    def under(kind: str) -> Arrays:
        return {
            k.partition("/")[2]: v
            for k, v in held.items()
            if k.partition("/")[0] == kind and "/" in k
        }

    run.state = State(**under("state"))
    snapshots, closed, opened = run.snapshots, under("closed"), under("opened")
    count = len(next(iter(closed.values())))
    snapshots.closed = [{k: v[n] for k, v in closed.items()} for n in range(count)]
    snapshots.opened = [{k: int(v[n]) for k, v in opened.items()} for n in range(count)]
    snapshots.levels = {k: int(v) for k, v in under("level").items()}
    snapshots.end = int(held["end"])
    run.pieces = {name: [value] for name, value in under("rows").items()}
    run.programs = [held["programs"]]
