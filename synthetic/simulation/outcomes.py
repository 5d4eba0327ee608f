"""What is kept of a transaction that has ended, compiled."""

from __future__ import annotations

from imsperf.kernels import merged
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.state import Setup, State


@merged
def count_response(state: State, setup: Setup, response: int) -> None:
    """Into the sum, the sum of squares of microseconds and the distribution around the goal."""
    counters = state.counters
    counters[c.A_RESPONSE] += response
    us = response // c.TICKS_PER_US
    counters[c.A_SQUARES] += us * us
    place = 0
    while place < len(c.GOAL_EDGES_PCT) and response * 100 > setup.goal * c.GOAL_EDGES_PCT[place]:
        place += 1
    counters[c.A_GOAL + place] += 1


@merged
def keep_row(state: State, slot: int) -> None:
    """Copy a completed transaction to the table of transactions."""
    place = state.scalars[c.ROWS]
    for column in range(c.TIME_COLUMNS):
        state.times[place, column] = state.slots[slot, c.S_SEND + column]
    for column in range(c.SMALL_COLUMNS):
        state.small[place, column] = state.slots[slot, c.S_CLASS + column]
    state.scalars[c.ROWS] = place + 1
