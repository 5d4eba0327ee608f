"""Writes of the log, compiled: WADS for what waits, OLDS blocks one after the other."""

from __future__ import annotations

from imsperf.kernels import inner
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.events import schedule
from imsperf.synthetic.simulation.rng import gamma
from imsperf.synthetic.simulation.state import Setup, State


@inner
def start_write(state: State, setup: Setup, time: int) -> None:
    """Write all pending log records to the WADS in one go."""
    scalars, counters, chains = state.scalars, state.counters, state.chains
    for column in range(3):
        chains[c.LOG_WRITING, column] = chains[c.LOG_PENDING, column]
    chains[c.LOG_PENDING, c.COUNT] = 0
    length = int(setup.wads * gamma(state.streams, c.RNG_WADS, setup.wads_shape) + 0.5)
    counters[c.A_WADS_WRITES] += 1
    counters[c.A_WADS_TICKS] += length
    counters[c.A_WADS_CIS] += -(-scalars[c.PENDING_BYTES] // setup.ci_bytes)
    scalars[c.PENDING_BYTES] = 0
    scalars[c.WRITING] = 1
    schedule(state, c.WADS_SLOT, time + length, c.WADS_DONE)


@inner
def fill_block(state: State, setup: Setup, length: int, time: int) -> int:
    """Log records go to OLDS blocks. Answers when there is a buffer for them, `time` or later.

    A full block is written when the write before it has ended: one is outstanding. Its buffer is
    free again after that, and whoever finds all buffers full waits for the first of them. First
    come first served, so all is known on arrival.
    """
    scalars, counters, olds = state.scalars, state.counters, state.olds
    ready = max(time, scalars[c.OLDS_READY])
    scalars[c.OLDS_FILL] += length
    while scalars[c.OLDS_FILL] >= setup.block_bytes:
        scalars[c.OLDS_FILL] -= setup.block_bytes
        counters[c.A_OLDS_BLOCKS] += 1
        wait = int(setup.olds * gamma(state.streams, c.RNG_OLDS, setup.wads_shape) + 0.5)
        counters[c.A_OLDS_TICKS] += wait
        place = scalars[c.OLDS_NEXT]
        before = olds[place - 1 if place > 0 else setup.buffers - 1]
        olds[place] = max(ready, before) + wait
        place = place + 1 if place + 1 < setup.buffers else 0
        scalars[c.OLDS_NEXT] = place
        scalars[c.OLDS_READY] = olds[place]  # the oldest write of all buffers
        if scalars[c.OLDS_FILL] > 0:
            ready = max(ready, olds[place])
    counters[c.A_BUFFER_WAITS] += ready > time
    return ready  # type: ignore[no-any-return]
