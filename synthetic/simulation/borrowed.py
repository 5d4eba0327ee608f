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


@merged
def one_of(states: State, which: int) -> State:
    """The state of one system, of all of them stacked; ports and processors are those of all."""
    return State(
        bare(states.scalars[which]), bare(states.counters[which]), bare(states.streams[which]),
        bare(states.slots[which]), bare(states.chains[which]), bare(states.near[which]),
        bare(states.heads[which]), bare(states.classes[which]), bare(states.cps[which]),
        bare(states.members[which]), bare(states.free_regions[which]),
        bare(states.region_pools[which]), bare(states.schedules[which]),
        bare(states.devices[which]), bare(states.exposures[which]), bare(states.paths[which]),
        bare(states.ports[0]), bare(states.latches[which]), bare(states.pool_gets[which]),
        bare(states.pools[which]), bare(states.ring[which]), bare(states.times[which]),
        bare(states.small[which]), bare(states.programs[which]), bare(states.ended[which]),
        bare(states.gates[which]), bare(states.structures[which]),
        bare(states.structure_shares[which]),
        bare(states.subchannels[which]), bare(states.processors[0]),
        bare(states.processor_busy[which]),
    )  # fmt: skip
