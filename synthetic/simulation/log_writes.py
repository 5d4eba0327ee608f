"""Writes of the log, compiled: WADS for what waits, OLDS blocks as they fill."""

from __future__ import annotations

from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.compiled import inner
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
def fill_block(state: State, setup: Setup, length: int) -> None:
    """Log records go to OLDS blocks; a full block is written. Nobody waits for that."""
    state.scalars[c.OLDS_FILL] += length
    while state.scalars[c.OLDS_FILL] >= setup.block_bytes:
        state.scalars[c.OLDS_FILL] -= setup.block_bytes
        state.counters[c.A_OLDS_BLOCKS] += 1
        wait = gamma(state.streams, c.RNG_OLDS, setup.wads_shape)
        state.counters[c.A_OLDS_TICKS] += int(setup.olds * wait + 0.5)
