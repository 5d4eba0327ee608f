"""A disk of its own that is really full, at many pages of a load: the lake is as it was.

How: filling.py. `unshare` gives a folder to a process as a disk in memory, without being root.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from places import TESTS

ALONE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
MOUNT = 'mount -t tmpfs -o size=32m tmpfs "$0"'


def can_mount(folder: Path) -> bool:
    if not shutil.which("unshare"):
        return False
    return subprocess.run([*ALONE, MOUNT, str(folder)], capture_output=True).returncode == 0


def on_small_disk(disk: Path, helper: str, *words: str) -> dict[str, Any]:
    """What a helper of the tests prints as JSON for which this folder is a disk of 32 MB."""
    if not can_mount(disk):
        pytest.skip("no file system of its own can be mounted here")
    python = [sys.executable, "-P", str(TESTS), helper, *words]
    command = [*ALONE, f'{MOUNT} && shift && exec "$@"', str(disk), "--", *python]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    print(done.stdout)
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.slow
@pytest.mark.parametrize("load", ["one process", "tasks", "two processes"])
def test_loads_on_a_full_disk(load: str, tmp_path: Path) -> None:
    """From no free page to enough of them."""
    counts = on_small_disk(tmp_path, "filling", str(tmp_path), load)
    assert counts["full"] >= 4
