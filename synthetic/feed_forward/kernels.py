"""What cannot be done for all transactions at once: regions in turn, log writes one by one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.simulation.compiled import compiled

I64 = npt.NDArray[np.int64]

# columns of a program, as simulate.PROGRAMS has them
REGION, CLASS, NUMBER, KNOWN, START, FIRST, END, MESSAGES, CPU, READS, WRITES, IO_WAIT = range(12)
# state of the log writer: end of the write under way, end of the one after it (below the first
# one's: there is none), bytes of that one, place of the next length
ENDS, NEXT, BYTES, LENGTH = range(4)


@compiled
def serve(
    rows: I64, place: I64, size: I64, free: I64, which: I64, programs: I64, ended: I64
) -> int:
    """Give regions to messages in the order of their arrival; how many programs ended.

    `rows` (n, 12): arrival, hold, schedule (ticks, 0: none), pool, class, number, cpu, reads,
    writes, io wait; then, set here: taken, region. `free`, `which`: a heap for each pool of the
    times at which its regions are free, and of the regions; `place`, `size`: of the pools in them.
    """
    count = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        first, regions = place[row[3]], size[row[3]]
        taken = max(row[0], free[first])
        region = which[first]
        row[10], row[11] = taken, region
        ready = taken + row[1]
        k = 0  # the root gets the new time and sinks
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
        program = programs[region]
        if row[2] > 0:
            if program[KNOWN] > 0:
                program[END] = taken
                ended[count] = program
                count += 1
            program[:] = 0
            program[REGION], program[CLASS], program[NUMBER] = region, row[4], row[5]
            program[KNOWN], program[START], program[FIRST] = 1, taken, taken + row[2]
        program[MESSAGES] += 1
        program[CPU] += row[6]
        program[READS] += row[7]
        program[WRITES] += row[8]
        program[IO_WAIT] += row[9]
    return count


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
