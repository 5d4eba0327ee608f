"""Event lists of the compiled simulation: calendar of buckets, heap for the open bucket, chains.

An event is a time, a kind and a slot. Events of the open bucket (256 us) are packed into one int64
each - time within the bucket, kind, slot - and kept in a binary heap; later ones are chained
from their bucket through the slots, unsorted, until it opens. Ties are served by kind, then slot.
"""

from __future__ import annotations

from imsperf.kernels import inner
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.state import State

TIME_SHIFT, KIND_SHIFT = 40, 34
KIND_MASK = (1 << (TIME_SHIFT - KIND_SHIFT)) - 1
SLOT_MASK = (1 << KIND_SHIFT) - 1


@inner
def push(near: I64, scalars: I64, key: int) -> None:
    """Put a key into the heap."""
    place = scalars[c.NEAR_COUNT]
    scalars[c.NEAR_COUNT] = place + 1
    while place > 0:
        parent = (place - 1) >> 1
        if near[parent] <= key:
            break
        near[place] = near[parent]
        place = parent
    near[place] = key


@inner
def pop(near: I64, scalars: I64) -> int:
    """Take the smallest key out of the heap."""
    smallest = near[0]
    count = scalars[c.NEAR_COUNT] - 1
    scalars[c.NEAR_COUNT] = count
    key = near[count]
    place, child = 0, 1
    while child < count:
        if child + 1 < count and near[child + 1] < near[child]:
            child += 1
        if near[child] >= key:
            break
        near[place] = near[child]
        place = child
        child = 2 * place + 1
    near[place] = key
    return smallest  # type: ignore[no-any-return]


@inner
def schedule(state: State, slot: int, time: int, kind: int) -> None:
    """Let `kind` happen to `slot` at `time`, which must not lie before the open bucket."""
    offset = time - state.scalars[c.BASE]
    if offset < c.WIDTH:
        push(state.near, state.scalars, offset << TIME_SHIFT | kind << KIND_SHIFT | slot)
        return
    bucket = (time >> c.BUCKET_BITS) & (c.BUCKETS - 1)
    state.slots[slot, c.S_TIME] = time
    state.slots[slot, c.S_KIND] = kind
    state.slots[slot, c.S_NEXT] = state.heads[bucket]
    state.heads[bucket] = slot


@inner
def open_bucket(state: State) -> None:
    """Go to the next bucket; events of later laps of the calendar stay in it."""
    base = state.scalars[c.BASE] + c.WIDTH
    state.scalars[c.BASE] = base
    bucket = (base >> c.BUCKET_BITS) & (c.BUCKETS - 1)
    slots = state.slots
    slot = state.heads[bucket]
    state.heads[bucket] = -1
    while slot >= 0:
        following = slots[slot, c.S_NEXT]
        offset = slots[slot, c.S_TIME] - base
        if offset < c.WIDTH:
            key = offset << TIME_SHIFT | slots[slot, c.S_KIND] << KIND_SHIFT | slot
            push(state.near, state.scalars, key)
        else:
            slots[slot, c.S_NEXT] = state.heads[bucket]
            state.heads[bucket] = slot
        slot = following


@inner
def append(chains: I64, slots: I64, chain: int, slot: int) -> None:
    """Put a slot at the end of a chain."""
    slots[slot, c.S_NEXT] = -1
    if chains[chain, c.COUNT] == 0:
        chains[chain, c.HEAD] = slot
    else:
        slots[chains[chain, c.TAIL], c.S_NEXT] = slot
    chains[chain, c.TAIL] = slot
    chains[chain, c.COUNT] += 1


@inner
def first(chains: I64, slots: I64, chain: int) -> int:
    """Take the first slot out of a chain that is not empty."""
    slot = chains[chain, c.HEAD]
    chains[chain, c.HEAD] = slots[slot, c.S_NEXT]
    chains[chain, c.COUNT] -= 1
    return slot  # type: ignore[no-any-return]
