"""The decorators of the compiled kernels of the simulation.

Kernels are cached on disk. numba's cache looks only at the file of the function that Python calls:
after a change in another kernel module, touch `engine.py` (a fresh install does so by itself).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])

_CACHED = {"cache": True, "nogil": True}
_INSIDE = {**_CACHED, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compile, cache on disk and release the interpreter lock while running."""
    return cast(F, njit(**_CACHED)(function))


def inner(function: F) -> F:
    """Compile for other kernels only: Python cannot call it, which halves the time to compile."""
    return cast(F, njit(**_INSIDE)(function))


def merged(function: F) -> F:
    """Like `inner`, but always placed inside its caller: for what is called at one place."""
    return cast(F, njit(**_INSIDE, forceinline=True)(function))
