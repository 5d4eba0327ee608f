"""The first start of an installation: another process compiles the decode kernel meanwhile.

Nothing is compiled when a wheel is installed. Half of what the first load compiles is the kernel of
`columns`; Numba compiles one thing at a time in a process. So that kernel is made by a process of
its own, which keeps it on disk, while this one compiles what finds the records.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from imsperf.parsers.kernels import columns

_WORK = """
import numpy as np
from imsperf.kinds import date
from imsperf.layout import Field
from imsperf.parsers.kernels.decode import Decoder
Decoder([Field(0, "day", date, "")]).decode(np.zeros(8, np.uint8), [0], [4])
"""
_LONGEST = 120  # seconds to wait; then this process compiles it as well

_child: subprocess.Popen[bytes] | None = None


def begin() -> None:
    """Start the other process where the kernel is not kept yet."""
    global _child
    if _child is None and not _is_kept() and _runs_python():
        try:
            _child = subprocess.Popen(
                [sys.executable, "-c", _WORK],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            return


def wait() -> None:
    """Wait until the kernel is on disk, or will not be."""
    global _child
    if _child is not None:
        child, _child = _child, None
        try:
            child.wait(_LONGEST)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _is_kept() -> bool:
    """Whether the kernel is compiled, or on disk, or cannot be kept there."""
    try:
        kept = columns.decode_columns._cache._cache_file._load_index()  # type: ignore[attr-defined]
    except (AttributeError, OSError):  # no folder that can be written; another version of Numba
        return True
    return bool(kept)


def _runs_python() -> bool:
    """Whether the program that runs is Python itself, not one that holds it."""
    name = Path(sys.executable or "").name
    return name.startswith("python") and not getattr(sys, "frozen", False)
