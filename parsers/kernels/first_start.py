"""The first start of an installation: another process compiles the decode kernel meanwhile.

Nothing is compiled when a wheel is installed. Half of what the first load compiles is the kernel of
`columns`; Numba compiles one thing at a time in a process. So that kernel is made by a process of
its own, which keeps it on disk, while this one compiles what finds the records.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from imsperf.kernels import is_compiled
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
    if _child is None and not is_compiled(columns.decode_columns) and _runs_python():
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


def _runs_python() -> bool:
    """Whether the program that runs is Python itself, not one that holds it."""
    name = Path(sys.executable or "").name
    return name.startswith("python") and not getattr(sys, "frozen", False)
