"""Compiled kernels: how Numba compiles them, and when what it keeps on disk is out of date.

A kernel is a plain loop over numbers and arrays, compiled once, kept on disk (beside its source,
else in the user's cache folder) and run without the interpreter lock. `kernel` is what Python
calls, `inner` what only kernels call, `merged` what one place calls. They allocate nothing, so
nothing counts references; they hold no closures, array expressions or parallel loops, so the passes
for those are left out, and they compile in half the time. What only kernels call gets no machine
code: it becomes part of each kernel that calls it, and is optimised there. `allocating_kernel` is
for all other code.

A kernel may call kernels of any module. Numba would look at the source of the kernel's own file
only; here the stamp of what is kept on disk covers the files of all functions that the kernel is
made of, and the values of the globals that it reads (see `source_stamp`).

Numba describes its passes ("Customizing the Compiler"), but not its libraries of code. So with
versions that this was not tried with kernels compile in the usual way.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, types, version_info
from numba.core import typed_passes, untyped_passes
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager

F = TypeVar("F", bound=Callable[..., Any])

_TRIED = (0, 61), (0, 68)  # the first and the last version
_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)

_KNOWN_TO_NUMBA = ("math", "numpy")  # modules: it compiles what it has in their places
_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, dict, np.generic, types.Type)


# --- the decorators -------------------------------------------------------------------------------


def kernel(function: F) -> F:
    """Compile a loop that Python calls."""
    return _cached(function, _KERNEL)


def inner(function: F) -> F:
    """Compile a loop that only kernels call, as a part of each of them."""
    return cast(F, njit(**_INNER)(function))


def merged(function: F) -> F:
    """The same for a loop that is called in one place: it always becomes a part of its caller."""
    return cast(F, njit(forceinline=True, **_INNER)(function))


def allocating_kernel(function: F) -> F:
    """Compile a function that Python and other allocating kernels call; it may make arrays."""
    return _cached(function, {"nogil": True})


def is_compiled(function: Any) -> bool:
    """Whether a kernel is on disk for some signature, or no folder can keep it."""
    cache = function._cache
    try:
        return not isinstance(cache, _KernelCache) or bool(cache.signatures())
    except OSError:
        return True


def load_kept() -> None:
    """Load all kernels on disk of modules that are imported: copies of this process have them."""
    for dispatcher in _kept:
        with suppress(OSError):
            for signature in dispatcher._cache.signatures(dispatcher.targetctx.codegen()):
                dispatcher.compile(signature)


_kept = list[Any]()  # kernels that a folder keeps


def _cached(function: F, options: dict[str, Any]) -> F:
    dispatcher = njit(**options)(function)
    with suppress(RuntimeError):  # no folder can be written: compiled anew in each process
        dispatcher._cache = _KernelCache(function, "pipeline_class" in options)
        _kept.append(dispatcher)
    return cast(F, dispatcher)


# --- the cache on disk ----------------------------------------------------------------------------


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one kernel, with a stamp of all that the kernel is made of.

    The stamp is worked out once, when a kernel is first called or asked for: then all globals have
    their values.
    """

    _is_stamped = False

    def __init__(self, function: Callable[..., Any], is_plain: bool) -> None:
        """`is_plain`: a kernel that allocates nothing, made by our passes."""
        super().__init__(function)
        self._is_plain = is_plain

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """As FunctionCache does, which first has Numba learn all that it can compile: to import
        that, with scipy.linalg, takes longer than to load all kernels, and machine code that
        allocates nothing needs none of it."""
        if not self._is_plain:
            return super().load_overload(sig, target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        self._stamp()
        return super()._load_overload(sig, target_context)

    def _save_overload(self, sig: Any, data: Any) -> None:
        self._stamp()
        super()._save_overload(sig, data)

    def signatures(self, codegen: Any = None) -> list[Any]:
        """Of what is on disk as its sources stand now; with `codegen`, for this processor.

        Raises OSError where it cannot be read.
        """
        self._stamp()
        keys = list(self._cache_file._load_index())
        return [key[0] for key in keys if not codegen or key == self._index_key(key[0], codegen)]

    def _stamp(self) -> None:
        if not self._is_stamped:
            self._cache_file._source_stamp = source_stamp(self._py_func)
            self._is_stamped = True


def source_stamp(function: Callable[..., Any]) -> str:
    """A hash of the sources that a kernel is compiled from.

    These are the files of the function and of all kernels and intrinsics that it calls, directly or
    through others, and the values of the constants that they read.
    """
    files, constants = set[str](), set[str]()
    waiting, seen = [_source_of(function)], set[int]()
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        files.add(current.__code__.co_filename)
        for name, value in _values_read(current):
            if called := _source_of(value):
                waiting.append(called)
            else:
                constants.add(f"{name} {_text(value)}")
    digests = (_digest(file) for file in sorted(files))
    text = "\n".join([*digests, *sorted(constants)])
    return hashlib.sha256(text.encode()).hexdigest()


def _values_read(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Names and values of what the code of a function reads from outside it.

    Names of attributes that no module has are among the names of its code, which does no harm.
    """
    names, codes = list[str](), [function.__code__]
    while codes:
        code = codes.pop()
        names += code.co_names
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) and value.__name__ not in _KNOWN_TO_NUMBA:
            yield from ((inner, vars(value)[inner]) for inner in names if inner in vars(value))
        elif value is not None:
            yield name, value
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        yield name, cell.cell_contents


def _source_of(value: Any) -> FunctionType | None:
    """The Python function behind a kernel, an intrinsic or a function, else None."""
    source = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    return source if isinstance(source, FunctionType) else None


def _text(value: Any) -> str:
    """A constant in letters that are the same in each process; of other objects their class."""
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape, value.tobytes()))
    return repr(value) if isinstance(value, _CONSTANTS) else type(value).__qualname__


@functools.cache
def _digest(file: str) -> str:
    """The hash of a source file; of the program where it holds its sources itself."""
    path = Path(sys.executable if getattr(sys, "frozen", False) else file)
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- the short compiler ---------------------------------------------------------------------------


class _Inner(JITCodeLibrary):  # type: ignore[misc]
    """What kernels are made of: intermediate code, which has no address."""

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, _name: str, _environment: Any) -> None:
        """Kernels use no Python objects."""

    def get_pointer_to_function(self, _name: str) -> int:
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _KernelCompiler(CompilerBase):  # type: ignore[misc]
    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("kernel")
        for compiler_pass in _PASSES:
            passes.add_pass(compiler_pass, compiler_pass.__name__)
        passes.finalize()
        return [passes]


class _InnerCompiler(_KernelCompiler):
    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        state.library = _Inner(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


_KERNEL: dict[str, Any] = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
_INNER: dict[str, Any] = _KERNEL | {"no_cpython_wrapper": True}
if _TRIED[0] <= version_info.short <= _TRIED[1]:
    _KERNEL["pipeline_class"], _INNER["pipeline_class"] = _KernelCompiler, _InnerCompiler
