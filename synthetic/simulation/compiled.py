"""The decorators of the compiled kernels of the simulation, and what keeps their cache honest.

Compiling takes ten seconds, so the kernels that Python calls are cached on disk, with all
that they call inside. numba only looks at the file of the function called, not at those of the
kernels inside: hence `source_version`, a part of the cached kernels' key (end of engine.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])

KERNELS = (
    "state_pointers",
    "columns",
    "compiled",
    "engine",
    "events",
    "gates",
    "facility",
    "log_writes",
    "outcomes",
    "programs",
    "rng",
    "state",
    "stations",
    "steps",
)


def compiled(function: F) -> F:
    """Compile, cache on disk and release the interpreter lock while running."""
    try:
        return cast(F, njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder to keep it in can be written: compiled anew in each process
        return cast(F, njit(nogil=True)(function))


def inner(function: F) -> F:
    """Compile for other kernels only: Python cannot call it, which halves the time to compile."""
    return cast(F, njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def merged(function: F) -> F:
    """Like `inner`, but always placed inside its caller: for what is called at one place."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
    return cast(F, njit(nogil=True, **options)(function))


def source_version() -> int:
    """A number that changes with the text of any kernel module, never 0."""
    texts = (Path(__file__).with_name(f"{name}.py").read_bytes() for name in KERNELS)
    digest = hashlib.sha256(b"\0".join(texts)).digest()
    return int.from_bytes(digest[:7], "big") + 1
