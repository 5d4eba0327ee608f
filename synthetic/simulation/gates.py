"""Gates of the compiled simulation: TPIPEs of callouts, TCBs that serve one transaction each.

A gate has places and a queue, first come first served. A transaction asks for its gate when its
program has the message, and its time there counts from then.
"""

from __future__ import annotations

from imsperf.kernels import inner, merged
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.events import append, first
from imsperf.synthetic.simulation.facility import plan_requests
from imsperf.synthetic.simulation.rng import Streams, exponential
from imsperf.synthetic.simulation.state import Setup, State
from imsperf.synthetic.simulation.stations import count_waiters


@inner
def count_busy(scalars: I64, time: int, change: int) -> None:
    """A CP becomes busy or free; the moving mean of busy CPs, which makes CPU time longer."""
    passed = min(time - scalars[c.BUSY_AT], scalars[c.BUSY_WINDOW])
    apart = scalars[c.BUSY_CPS] * c.BUSY_UNIT - scalars[c.BUSY_MEAN]
    scalars[c.BUSY_MEAN] += apart * passed // scalars[c.BUSY_WINDOW]
    scalars[c.BUSY_AT] = time
    scalars[c.BUSY_CPS] += change


@inner
def want_cp(state: State, slot: int, draw: int, add: int) -> None:
    """Queue for a CP: `draw` grows with utilisation, `add` does not."""
    state.slots[slot, c.S_NEED] = draw
    state.slots[slot, c.S_ADD] = add
    append(state.chains, state.slots, c.CPU_QUEUE, slot)


@inner
def want_processor(
    state: State, setup: Setup, slot: int, draw: int, add: int, eligible: float
) -> None:
    """A burst of which a share may run on zIIPs, behind the rest."""
    row = state.slots[slot]
    part = int(draw * eligible) if setup.ziips > 0 else 0
    row[c.S_ZIIP] = part
    if part > 0 and draw == part and add == 0 and row[c.S_REQUESTS] == 0:
        row[c.S_NEED] = row[c.S_ADD] = 0
        want_ziip(state, setup, slot)
    else:
        want_cp(state, slot, draw - part, add)


@inner
def want_ziip(state: State, setup: Setup, slot: int) -> None:
    """Queue for a zIIP; where none is free and that is allowed, all of it goes to the CPs."""
    row, busy = state.slots[slot], state.scalars[c.BUSY_ZIIPS]
    if not setup.honor or busy + state.chains[c.ZIIP_QUEUE, c.COUNT] < setup.ziips:
        append(state.chains, state.slots, c.ZIIP_QUEUE, slot)
        return
    row[c.S_NEED], row[c.S_ZIIP], row[c.S_ON] = row[c.S_ZIIP], 0, c.SPILLED
    append(state.chains, state.slots, c.CPU_QUEUE, slot)


@inner
def settle_core(state: State, setup: Setup, core: int, time: int) -> None:
    """Work done by the threads of a zIIP core since it was last counted.

    Each runs at full speed alone, at `ziip_slow` of it beside another one.
    """
    first_of_core = setup.cps + core * setup.ziip_threads
    threads = state.cps[first_of_core : first_of_core + setup.ziip_threads]
    passed = time - threads[0, c.CP_MARK]
    threads[0, c.CP_MARK] = time
    busy = 0
    for row in threads:
        busy += row[c.CP_SLOT] >= 0
    if busy == 0:
        return
    threads[0, c.CP_CORE] += passed
    able = passed if busy == 1 else int(passed * setup.ziip_slow + 0.5)
    for row in threads:
        if row[c.CP_SLOT] >= 0:
            done = min(able, row[c.CP_LEFT])
            row[c.CP_LEFT] -= done
            row[c.CP_DONE] += done


@inner
def region_burst(state: State, setup: Setup, slot: int) -> None:
    """CPU of the program: of the transaction, or of one step of a sequence."""
    row = state.slots[slot]
    row[c.S_PHASE] = c.REGION
    plan_requests(row, state.streams, setup.requests_region)
    mean = setup.region * state.classes[row[c.S_CLASS], c.K_CPU_FACTOR]
    draw = int(mean * exponential(state.streams, c.RNG_REGION) + 0.5)
    want_processor(state, setup, slot, draw, 0, setup.ziip_region)


@merged
def enter_gate(state: State, setup: Setup, slot: int) -> None:
    """Ask for the gate of the client; `take_gates` gives it, at the same time if it can."""
    row, scalars = state.slots[slot], state.scalars
    number = row[c.S_CLIENT] % len(state.gates)
    gate = state.gates[number]
    gate[c.G_CALLS] += 1
    gate[c.G_OPEN_END] += 1
    gate[c.G_OPEN_HIGH] = max(gate[c.G_OPEN_HIGH], gate[c.G_OPEN_END])
    scalars[c.CALLS_OPEN] += 1
    scalars[c.CALLS_HIGH] = max(scalars[c.CALLS_HIGH], scalars[c.CALLS_OPEN])
    row[c.S_PHASE] = c.ASKING
    append(state.chains, state.slots, setup.gate_queue + number, slot)


@merged
def take_gates(state: State, setup: Setup, time: int) -> None:
    """Who waits gets the free places, and its burst begins."""
    for number in range(len(state.gates)):
        gate, queue = state.gates[number], setup.gate_queue + number
        while gate[c.G_FREE_END] > 0 and state.chains[queue, c.COUNT] > 0:
            slot = first(state.chains, state.slots, queue)
            gate[c.G_FREE_END] -= 1
            gate[c.G_WAITED_TICKS] += time - state.slots[slot, c.S_GU]
            if setup.tpipes > 0:
                region_burst(state, setup, slot)
            else:
                state.slots[slot, c.S_PHASE] = c.ON_TCB
                mean = setup.tcb * state.classes[state.slots[slot, c.S_CLASS], c.K_CPU_FACTOR]
                want_cp(state, slot, int(mean * exponential(state.streams, c.RNG_TCB) + 0.5), 0)
        gate[c.G_WAITING_HIGH] = max(gate[c.G_WAITING_HIGH], state.chains[queue, c.COUNT])


@inner
def leave_gate(state: State, slot: int, time: int) -> None:
    """Give the place back."""
    row = state.slots[slot]
    gate = state.gates[row[c.S_CLIENT] % len(state.gates)]
    took = time - row[c.S_GU]
    gate[c.G_ENDED] += 1
    gate[c.G_TICKS] += took
    gate[c.G_LONGEST] = max(gate[c.G_LONGEST], took)
    gate[c.G_OPEN_END] -= 1
    gate[c.G_FREE_END] += 1
    state.scalars[c.CALLS_OPEN] -= 1


@merged
def pass_latch(latch: I64, streams: Streams, time: int, hold: float) -> int:
    """When a caller has had a latch that it waits for and holds, one after the other."""
    start = max(time, latch[c.L_EXCLUSIVE_FREE])
    end = start + int(hold * exponential(streams, c.RNG_CALLOUT) + 0.5)
    latch[c.L_EXCLUSIVE_FREE] = end
    latch[c.L_GET_EXC] += 1
    if start > time:
        latch[c.L_CONT_EXC] += 1
        latch[c.L_WAIT_TICKS] += start - time
        count_waiters(latch, time, start)
    return end  # type: ignore[no-any-return]
