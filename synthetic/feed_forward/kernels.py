"""What cannot be done for all transactions at once: regions in turn, log writes one by one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.simulation.compiled import compiled, inner

I64 = npt.NDArray[np.int64]

# columns of a program, as simulate.PROGRAMS has them
REGION, CLASS, NUMBER, KNOWN, START, FIRST, END, MESSAGES, CPU, READS, WRITES, IO_WAIT = range(12)
PROGRAM_COLUMNS = 13  # the last, time on zIIPs, is 0: there are none
# state of the log writer: end of the write under way, end of the one after it (below the first
# one's: there is none), bytes of that one, place of the next length
ENDS, NEXT, BYTES, LENGTH = range(4)


# columns of a message: what it brings, then what `serve` sets
ARRIVAL, HOLD, SCHEDULE, POOL, MESSAGE_CLASS, MESSAGE_NUMBER, USED, TAKEN, TAKEN_BY, SCHEDULED = (
    0, 1, 2, 3, 4, 5, 6, 10, 11, 12,
)  # fmt: skip
MESSAGE_COLUMNS = 13
# of pools: first region, regions, whether it matters which program a region has, schedules owed
PLACE, SIZE, SEVERAL, OWED = range(4)


@compiled
def serve(rows: I64, pools: I64, free: I64, which: I64, programs: I64, ended: I64) -> int:
    """Give regions to messages in the order of their arrival; how many programs ended.

    `rows` (n, 13): arrival, hold, schedule (ticks, 0: none), pool, class, number, cpu, reads,
    writes, io wait; then, set here: taken, region, whether its program was scheduled. `free`,
    `which`: for each of `pools` (n, 4) a heap of the times at which its regions are free, and of
    the regions; where programs matter, the times by region.
    """
    count = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        pool = pools[row[POOL]]
        first = pool[PLACE]
        scheduled = row[SCHEDULE] > 0
        if pool[SEVERAL]:
            region = found(row, pool, free, programs)
            taken = max(row[ARRIVAL], free[region])
            free[region] = taken + row[HOLD]
            program = programs[region]
            if program[KNOWN] == 0 or program[CLASS] != row[MESSAGE_CLASS]:
                pool[OWED] += not scheduled and program[KNOWN] and pool[OWED] < pool[SIZE]
                scheduled = True
            elif scheduled and pool[OWED] > 0:
                pool[OWED] -= 1
                scheduled = False
        else:
            region = which[first]
            taken = max(row[ARRIVAL], free[first])
            sink(free, which, first, pool[SIZE], taken + row[HOLD], region)
        program = programs[region]
        row[TAKEN], row[TAKEN_BY], row[SCHEDULED] = taken, region, scheduled
        if scheduled:
            if program[KNOWN] > 0:
                program[END] = taken
                ended[count] = program
                count += 1
            program[:] = 0
            program[REGION], program[CLASS] = region, row[MESSAGE_CLASS]
            program[NUMBER] = row[MESSAGE_NUMBER]
            program[KNOWN], program[START], program[FIRST] = 1, taken, taken + row[SCHEDULE]
        program[MESSAGES] += 1
        for column in range(4):
            program[CPU + column] += row[USED + column]
    return count


@inner
def found(row: I64, pool: I64, free: I64, programs: I64) -> int:
    """A free region that has the program, one that has none, the longest free, the next free."""
    best, best_rank = pool[PLACE], 4
    for region in range(pool[PLACE], pool[PLACE] + pool[SIZE]):
        if free[region] > row[ARRIVAL]:
            rank = 3
        elif programs[region, KNOWN] == 0:
            rank = 1
        else:
            rank = 0 if programs[region, CLASS] == row[MESSAGE_CLASS] else 2
        if rank < best_rank or (rank == best_rank and free[region] < free[best]):
            best, best_rank = region, rank
    return best  # type: ignore[no-any-return]


@inner
def sink(free: I64, which: I64, first: int, regions: int, ready: int, region: int) -> None:
    """The root of a heap gets the new time and sinks."""
    k = 0
    while True:
        child = 2 * k + 1
        if child >= regions:
            break
        if child + 1 < regions and free[first + child + 1] < free[first + child]:
            child += 1
        if free[first + child] >= ready:
            break
        free[first + k], which[first + k] = free[first + child], which[first + child]
        k = child
    free[first + k], which[first + k] = ready, region


@compiled
def commit(
    sync: I64, size: I64, lengths: I64, ci_bytes: int, log: I64, out: I64, writes: I64
) -> int:
    """Log writes for sync points in order: one write at a time, what is pending joins the next.

    `out` (n, 2) is set to the end of the write and whether one was under way; `writes` (m, 3):
    start, length, control intervals. Answers how many writes started.
    """
    count = 0
    for i in range(len(sync)):
        time = sync[i]
        while log[NEXT] > log[ENDS] and time >= log[ENDS]:
            writes[count, 0] = log[ENDS]
            writes[count, 1] = log[NEXT] - log[ENDS]
            writes[count, 2] = -(-log[BYTES] // ci_bytes)
            count += 1
            log[ENDS], log[BYTES] = log[NEXT], 0
        length = lengths[log[LENGTH] % len(lengths)]
        if time >= log[ENDS]:
            writes[count, 0], writes[count, 1] = time, length
            writes[count, 2] = -(-size[i] // ci_bytes)
            count += 1
            log[LENGTH] += 1
            log[ENDS] = time + length
            out[i, 0], out[i, 1] = log[ENDS], 0
            continue
        if log[NEXT] <= log[ENDS]:
            log[NEXT] = log[ENDS] + length
            log[LENGTH] += 1
        log[BYTES] += size[i]
        out[i, 0], out[i, 1] = log[NEXT], 1
    return count


@compiled
def senders(send: I64, answer: I64, first: I64, until: I64, client: I64) -> None:
    """Clients for transactions in the order of their sends: from `first` on, the next one that has
    its answers; all wait for one: the one who has it next.

    `until`: when each client has had all its answers so far, changed here.
    """
    clients = len(until)
    for i in range(len(send)):
        one = first[i]
        for nth in range(clients):
            other = (first[i] + nth) % clients
            if until[other] <= send[i]:
                one = other
                break
            if until[other] < until[one]:
                one = other
        client[i] = one
        until[one] = max(until[one], answer[i])
