"""Kernels with the compiler's own index checks on: no byte outside an array is read or written.

NUMBA_BOUNDSCHECK counts when a kernel is compiled, and the cache on disk does not know of it: each
test runs a process of its own with a cache of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import TESTS


def run(folder: Path, words: list[str], checked: bool = True) -> subprocess.CompletedProcess[str]:
    """A Python process whose kernels are compiled with checks, or without."""
    place = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_BOUNDSCHECK": "1" if checked else "0"}
    return subprocess.run(
        [sys.executable, "-P", *words],
        env=os.environ | place,
        capture_output=True,
        text=True,
        check=False,
    )


OUTSIDE = """
import json
import numpy as np
from numba.core import config
from imsperf.parsers.kernels import loads
from imsperf.parsers.kernels import hashing
from imsperf.parsers.kernels import locate
from imsperf.kernels import kernel
from imsperf.parsers.kernels.loads import little64, put32, word8, word16, word32, word64

@kernel
def element(buffer, at):
    return buffer[at]

@kernel
def store(buffer, at):
    buffer[at] = 7

@kernel
def put(buffer, at):
    put32(buffer, at, 7)

@kernel
def load8(buffer, at):
    return word8(buffer, at)

@kernel
def load16(buffer, at):
    return word16(buffer, at)

@kernel
def load32(buffer, at):
    return word32(buffer, at)

@kernel
def load64(buffer, at):
    return word64(buffer, at)

@kernel
def load_little(buffer, at):
    return little64(buffer, at)

# A view of a larger array: what is behind its end may be touched, and is known.
whole = np.arange(64, dtype=np.uint8)
view = whole[16:32]
caught = []

def touch(name, function, *args):
    try:
        function(*args)
    except IndexError:
        caught.append(name)

for name, function, width in (
    ("element", element, 1), ("store", store, 1), ("put32", put, 4),
    ("word8", load8, 1), ("word16", load16, 2), ("word32", load32, 4),
    ("word64", load64, 8), ("little64", load_little, 8),
):
    touch(name + " inside", function, view, 16 - width)
    touch(name + " behind", function, view, 17 - width)
touch("word16 before", load16, view, -1)
fixed = loads.read_only(view)
one, zero = np.ones(1, np.int64), np.zeros(1, np.int64)
touch("hash", hashing.hash_records, view, zero, np.array([21], np.int32))
touch("number", locate.read_numbers, fixed, one, np.array([99], np.int32), 14, 4, zero)
wide, narrow = np.zeros(8, np.int64)[:1], np.zeros(8, np.int32)[:1]
touch("row", locate.spread, one, one, one, 3 * one, wide, wide, narrow, narrow)
print(json.dumps([bool(config.BOUNDSCHECK), caught]))
"""


@pytest.mark.parametrize("checked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_an_index_outside_is_caught(tmp_path: Path, checked: bool) -> None:
    """Elements, stores and unaligned loads, in kernels made here and in those of the product."""
    expected = [f"{name} behind" for name in ("element", "store", "put32", "word8", "word16")]
    expected += [f"{name} behind" for name in ("word32", "word64", "little64")]
    expected += ["word16 before", "hash", "number", "row"]
    done = run(tmp_path, ["-c", OUTSIDE], checked)
    assert done.returncode == 0, done.stderr[-2000:]
    is_on, caught = json.loads(done.stdout)
    assert is_on is checked
    assert sorted(caught) == (sorted(expected) if checked else [])


@pytest.mark.slow
def test_damaged_files_touch_nothing_outside(tmp_path: Path) -> None:
    """Every form and container, a few damaged copies of each."""
    done = run(tmp_path, [str(TESTS), "fuzzing", "0", "60", "6"])
    assert done.returncode == 0, done.stdout[:3000] + done.stderr[-2000:]
    counts = json.loads(done.stdout.splitlines()[0])
    assert counts["files"] == 360
    assert min(counts[outcome] for outcome in ("whole", "problems", "refused")) > 30


@pytest.mark.slow
def test_40_000_damaged_files_touch_nothing_outside(tmp_path: Path) -> None:
    done = run(tmp_path, [str(TESTS), "fuzzing", "3000000", "2000"])
    print(done.stdout)
    assert done.returncode == 0, done.stdout[:5000] + done.stderr[-2000:]
