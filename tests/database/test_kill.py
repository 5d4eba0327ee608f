"""SIGKILL at any time of a load: the old content or all of the new, and the next load works.

How: killing.py. `pytest -s -m slow tests/database/test_kill.py` kills 1,000 loads and prints the
counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from places import TESTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


def kill(folder: Path, points: int, every: int) -> dict[str, Counter[str]]:
    """Counts of each kind of target."""
    place = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-P", str(TESTS), "killing", str(folder), str(points), "7"]
    done = subprocess.run(
        [*command, str(every)], env=place, capture_output=True, text=True, check=False
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    return {round_done.pop("target"): Counter(round_done) for round_done in rounds}


@pytest.mark.slow
def test_loads_killed_at_30_points(tmp_path: Path) -> None:
    """Loads into a database and a lake with a run, and into none; some are repeated."""
    rounds = kill(tmp_path, 30, 6)
    assert {*rounds} == {"database", "lake", "new database", "new lake"}
    together = sum(rounds.values(), Counter[str]())
    assert together["killed"] + together["ended"] == together["old"] + together["new"]
    assert together["killed"] > 5 and together["loaded again"] >= 8


@pytest.mark.slow
def test_loads_killed_at_1000_points(tmp_path: Path) -> None:
    rounds = kill(tmp_path, 1000, 1)
    together = sum(rounds.values(), Counter[str]())
    assert together["killed"] + together["ended"] == together["loaded again"] == 1000
    assert together["old"] > 100 and together["new"] > 100
