"""Numba's compiler without what kernels do not need: they compile in half the time.

Kernels are loops over numbers and arrays that they are given. They allocate nothing, so nothing
counts references; they hold no closures, array expressions or parallel loops, so the passes for
those are left out. What only kernels call gets no machine code: it becomes part of each kernel that
calls it, and is optimised there.

Numba describes its passes ("Customizing the Compiler"), but not its libraries of code. So with
versions that this was not tried with kernels compile in the usual way.
"""

from __future__ import annotations

from typing import Any

from numba import version_info
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager

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
        for one in _PASSES:
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]


class _InnerCompiler(_KernelCompiler):
    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        state.library = _Inner(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


KERNEL: dict[str, Any] = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
INNER: dict[str, Any] = KERNEL | {"no_cpython_wrapper": True}
if _TRIED[0] <= version_info.short <= _TRIED[1]:
    KERNEL["pipeline_class"], INNER["pipeline_class"] = _KernelCompiler, _InnerCompiler
