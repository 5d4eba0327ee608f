"""When and how the address spaces of a run were started: what type 30 says of them.

IMS and its regions start a warm-up before the run, at the time of the cold start in the log (06);
all else is up since the IPL. A batch program is a job, all others are started tasks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.inventory import CONTROL, REGION, Inventory
from imsperf.synthetic.accounts.program_run import NOT_YET, ProgramRun
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.address_space import Life

TICKS_IN_US = 4096
WITH_IMS = (CONTROL, REGION)  # programs whose address spaces start when IMS does


def ims_start(result: SimResult, host: Host) -> np.datetime64:
    """When IMS was started, UTC, to the microsecond; log code 06 has the same time."""
    up = int(result.warm["ticks"]) // TICKS_IN_US
    found: np.datetime64 = host.start_utc - np.timedelta64(up, "us")
    return found


def lives(
    result: SimResult, host: Host, inventory: Inventory, program: ProgramRun | None = None
) -> Life:
    """Start and end of every address space; that of a batch program, too."""
    spaces = inventory.spaces
    with_ims = np.array([one.program in WITH_IMS for one in spaces])
    begin = np.where(with_ims, ims_start(result, host), NOT_YET)
    if program is None:
        return Life(begin, np.full(len(spaces), NOT_YET))
    own = program.life(len(spaces))
    return replace(own, begin=np.where(np.isnat(own.begin), begin, own.begin))
