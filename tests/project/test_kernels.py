"""Kernels on disk: what loads them, and that they are compiled anew when they have to be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

OUTER = """
import constants
from constants import ADDED
from imsperf.kernels import kernel
from middle import twice
@kernel
def outer(x):
    return twice(x) + ADDED + constants.OFFSET
print(outer(1), sum(outer.stats.cache_hits.values()))
"""
MIDDLE = """
from imsperf.kernels import inner
from innermost import once
@inner
def twice(x):
    return once(x) + once(x)
"""
INNERMOST = """
from imsperf.kernels import inner
@inner
def once(x):
    return x
"""
SOURCES = {
    "outer.py": OUTER,
    "middle.py": MIDDLE,
    "innermost.py": INNERMOST,
    "constants.py": "ADDED = 0\nOFFSET = 100\n",
}
CHANGES = {  # one after the other: file, what stands there, what then does; what `outer(1)` is then
    "an inner kernel of an inner kernel": ("innermost.py", "return x", "return x + 5", 112),
    "an inner kernel": ("middle.py", " + once(x)", "", 106),
    "the kernel itself": ("outer.py", "+ ADDED", "+ 2 * ADDED", 106),
    "a constant by its name": ("constants.py", "ADDED = 0", "ADDED = 7", 120),
    "a constant of a module": ("constants.py", "OFFSET = 100", "OFFSET = 0", 20),
}


def printed(folder: Path) -> list[str]:
    """The words that outer.py prints in a new process."""
    done = subprocess.run(
        [sys.executable, "outer.py"],
        cwd=folder, env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def run(folder: Path) -> list[int]:
    """The result of the kernel in a new process, and how often it came from disk."""
    return [int(word) for word in printed(folder)]


@pytest.mark.slow
def test_a_change_anywhere_inside_compiles_the_outer_kernel(tmp_path: Path) -> None:
    """After each change the kernel is compiled, and then comes from disk."""
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(tmp_path) == [102, 0]
    assert run(tmp_path) == [102, 1]
    for what, (name, before, after, result) in CHANGES.items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert before in text
        (tmp_path / name).write_text(text.replace(before, after), encoding="utf-8")
        assert run(tmp_path) == [result, 0], what
    with (tmp_path / "constants.py").open("a", encoding="utf-8") as file:
        file.write("OF_OTHERS = 1\n")
    assert run(tmp_path) == [20, 1]


LOADED = """
import sys
from imsperf.kernels import {decorator}
@{decorator}
def added(x):
    return x + 1
print(added(1), sum(added.stats.cache_hits.values()), "numba.np.arraymath" in sys.modules)
"""


@pytest.mark.parametrize(
    ("decorator", "needs_all"), [("kernel", "False"), ("allocating_kernel", "True")]
)
def test_a_kernel_on_disk_needs_nothing_that_compiling_needs(
    decorator: str, needs_all: str, tmp_path: Path
) -> None:
    """Numba imports all that it can compile, scipy.linalg too, only where it compiles; what may
    allocate is loaded as Numba does it."""
    (tmp_path / "outer.py").write_text(LOADED.format(decorator=decorator), encoding="utf-8")
    assert printed(tmp_path) == ["2", "0", "True"]
    assert printed(tmp_path) == ["2", "1", needs_all]
