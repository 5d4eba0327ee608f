"""Arrays without owners, for speed: kernels then count no references, which costs half their time.

Whoever calls a kernel keeps the arrays alive while it runs.
"""

from __future__ import annotations

from typing import Any

from numba.extending import intrinsic

from imsperf.synthetic.simulation.compiled import merged
from imsperf.synthetic.simulation.state import State


@intrinsic  # type: ignore[untyped-decorator]
def bare(typing_context: Any, array: Any) -> Any:
    """The same memory as an array that owns nothing."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        result = context.make_array(array)(context, builder, args[0])
        result.meminfo = result.meminfo.type(None)
        result.parent = result.parent.type(None)
        return result._getvalue()

    return array(array), generate


@merged
def borrowed(state: State) -> State:
    """The same state in bare arrays."""
    return State(
        bare(state.scalars), bare(state.counters), bare(state.streams), bare(state.slots),
        bare(state.chains), bare(state.near), bare(state.heads), bare(state.classes),
        bare(state.cps), bare(state.members), bare(state.free_regions), bare(state.region_pools),
        bare(state.schedules), bare(state.devices),
        bare(state.exposures), bare(state.paths), bare(state.ports), bare(state.latches),
        bare(state.pool_gets),
        bare(state.pools), bare(state.ring), bare(state.times), bare(state.small),
        bare(state.programs), bare(state.ended), bare(state.gates), bare(state.structures),
        bare(state.structure_shares), bare(state.subchannels), bare(state.processors),
        bare(state.processor_busy),
    )  # fmt: skip
