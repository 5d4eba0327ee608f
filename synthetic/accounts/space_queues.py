"""Address spaces by queue and by type, as the ASID section of type 70.1 counts them.

They are those that have a type 30 record and a service class: as many as the policy of type 72.3
has resident on average. All are in; a program that runs as a job is a batch address space, all
others are started tasks. Threads of CICS and ODBM are work units, no address spaces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.record_groups import Interval
from imsperf.synthetic.units import TICKS_PER_US

QUEUES = "IOWLA"  # in, out ready, out waiting, logically out ready, logically out waiting
TYPES = "BSTPX"  # batch, started tasks, TSO, APPC, z/OS UNIX
PLACES = 12  # of a distribution


def space_queues(
    result: SimResult, resident: I64, batch: I64, interval: Interval
) -> dict[str, Any]:
    """Columns of the ASID section. `resident`: ticks of each address space in storage, (n, m).

    `batch`: places of those that are jobs. Ready address spaces are ready work units, at
    most all that are in.
    """
    of_type = dict.fromkeys(QUEUES + TYPES, np.zeros_like(resident[:, :0]))
    jobs = np.zeros(resident.shape[1], dtype=bool)
    jobs[batch] = True
    of_type |= {"I": resident, "B": resident[:, jobs], "S": resident[:, ~jobs]}
    columns: dict[str, Any] = {}
    for letter, mine in of_type.items():
        columns |= _counted(letter.lower(), mine, interval)
    return columns | _ready(result, columns["smf70imm"], columns["smf70itt"], interval.samples)


def _counted(letter: str, resident: I64, interval: Interval) -> dict[str, Any]:
    """How many the samples find: the mean number, each sample the one below it or above it."""
    samples, length = interval.samples, interval.length_us * TICKS_PER_US
    always = (resident >= length[:, None]).sum(axis=1)
    part = np.where(resident < length[:, None], resident, 0).sum(axis=1)
    total = always * samples + np.rint(part / length * samples).astype(np.int64)
    least = np.where(samples > 0, total // np.maximum(samples, 1), always)
    more = total - least * samples  # samples that find one more
    table = np.zeros((len(samples), PLACES), dtype=np.int64)
    for number, count in ((least, samples - more), (least + 1, more)):
        # places: 0, 1-2, 3-4 and so on (assumed)
        table[np.arange(len(samples)), np.minimum((number + 1) // 2, PLACES - 1)] += count
    return {
        f"smf70{letter}mn": least,
        f"smf70{letter}mm": least + (more > 0),
        f"smf70{letter}tt": total,
        f"smf70{letter}00_{letter}11": table,
    }


def _ready(result: SimResult, spaces: I64, in_all: I64, samples: I64) -> dict[str, Any]:
    """In and ready, and work units: the samples of the simulated CPU queue."""
    over = result.ready_bucket
    least, most = (np.minimum(ready, spaces) for ready in (result.ready_min, result.ready_max))
    one_least = least + np.maximum(samples - 1, 0) * most  # the sample of the least is among them
    total = np.minimum(np.minimum(result.ready_sum, in_all), one_least)
    return {
        "smf70rmn": least,
        "smf70rmm": most,
        "smf70rtt": total,
        "smf70r00_r15": _by_number(total, least, most, samples),
        "smf70q00_q12": np.hstack([over[:, :12], over[:, 12:].sum(axis=1, keepdims=True)]),
        "smf70srm": samples,
        "smf70cmn": result.ready_min,
        "smf70cmm": result.ready_max,
        "smf70ctt": result.ready_sum,
        "smf70u00_u15": over,
    }


def _by_number(total: I64, least: I64, most: I64, samples: I64) -> I64:
    """0, 1, .. 14, 15 and more ready: one sample the least, one the most, the others the mean."""
    others = np.maximum(samples - 2, 0)
    rest = np.where(others > 0, total - least - most, 0)
    even = rest // np.maximum(others, 1)
    more = rest - even * others
    table = np.zeros((len(samples), 16), dtype=np.int64)
    ends = (least, np.minimum(samples, 1)), (most, np.minimum(samples, 2) // 2)
    for number, count in (*ends, (even, others - more), (even + 1, more)):
        table[np.arange(len(samples)), np.clip(number, 0, 15)] += count
    return table
