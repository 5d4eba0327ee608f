"""Which thread to Db2 a transaction used: one for each schedule, or those of a pool.

Not pooled: a thread is made with the first message of a schedule and ends with the program. A
region whose program was scheduled before the log, or stays, has one thread. Pooled: a region keeps
one for each plan and authorization id, up to its limit; a client has one of the ids.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.synthetic.log.log_plan import Rows
from imsperf.synthetic.log.log_source import Log

TIME_BITS = 52  # of a tick: a week has 2 ** 51
REGION_BITS = 16  # of a token; what is above is the number of the schedule or plan, from 1


def token_of(region: Any, number: Any) -> Any:
    """Token of a thread, from the region and the number of its schedule or plan, from 0."""
    return (number + 1 << REGION_BITS) + region + 1


def with_threads(rows: Rows, programs: Rows, log: Log) -> Rows:
    """The transactions with a column `thread`, the token of theirs; as they are without Db2.

    Where the log has a sample, the threads of schedules that are not in it are one for each region.
    """
    if "5603" not in log.lengths:
        return rows
    region, time = rows["region"], rows["gu"]
    threads = log.host.ims.threads
    if threads.pooled:
        which = rows["cls"] * threads.ids + rows["client"] % threads.ids
        token = token_of(region, which % threads.limit)
    else:
        begun = programs.data[programs["first_gu"] >= 0]
        here = Rows(
            begun[
                np.lexsort(
                    (begun[:, programs.names["first_gu"]], begun[:, programs.names["region"]])
                )
            ],
            programs.names,
        )
        keys = (here["region"] << TIME_BITS) + here["first_gu"] + 1
        mine = (region << TIME_BITS) + np.maximum(time, -1) + 1
        place = np.searchsorted(keys, mine, side="right") - 1
        known = place >= 0
        if len(keys):
            known &= (here["region"][place] == region) & (here["end"][place] >= time)
        number = here["number"][place] if len(keys) else np.zeros_like(region)
        token = np.where(known, token_of(region, number), region + 1)
    names = {**rows.names, "thread": len(rows.names)}
    return Rows(np.column_stack([rows.data, token]), names)
