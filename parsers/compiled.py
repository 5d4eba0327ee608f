"""How kernels are compiled, and the loads that they share.

A kernel is a plain loop over bytes, compiled once, kept on disk (beside its source, else in the
user's cache folder) and run without the interpreter lock. Loads are unaligned and turn big-endian
bytes round in one instruction; the caller has made sure that the bytes are there. Numba's disk
cache watches only the file a kernel stands in, so a kernel may call loads of this module and
kernels of its own module, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit, types
from numba.extending import intrinsic

U8 = npt.NDArray[np.uint8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a loop: kept on disk, other threads may run meanwhile."""
    try:
        return cast(F, njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder to keep it in can be written: compiled anew in each process
        return cast(F, njit(nogil=True)(function))


def inner(function: F) -> F:
    """Compile a loop that only kernels call: Python cannot, which saves time to compile."""
    return cast(F, njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def read_only(array: U8) -> U8:
    """The same bytes, not to be written to: kernels are compiled for this type only."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _loader(stored: Any, big_endian: bool, result: Any) -> Callable[[U8, Any], Any]:
    """An intrinsic `load(buffer, at)` of one unsigned integer at any byte."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        kind, wide = (context.get_value_type(one) for one in (stored, result))
        value = builder.load(builder.bitcast(place, kind.as_pointer()), align=1)
        value = builder.bswap(value) if big_endian else value
        return value if kind == wide else builder.zext(value, wide)

    def typed(_context: Any, buffer: Any, _at: Any) -> Any:
        return result(buffer, types.int64), generate

    return cast(Callable[[U8, Any], Any], intrinsic(typed))


word16 = _loader(types.uint16, True, types.int64)  # 2 bytes, big-endian, unsigned
word32 = _loader(types.uint32, True, types.int64)
word64 = _loader(types.uint64, True, types.uint64)
little64 = _loader(types.uint64, False, types.uint64)
