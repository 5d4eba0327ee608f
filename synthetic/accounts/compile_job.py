"""The job that compiled the programs of a run, before the run: its step and job end in type 30."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.address_space import Space, Usage
from imsperf.synthetic.smf.record_groups import Group
from imsperf.synthetic.smf.type30 import step_end_groups
from imsperf.synthetic.smf.work import Policy
from imsperf.synthetic.units import TICKS_PER_US

JOB, COMPILER = "COMCOB5", "IGYCRCTL"  # 004
ASID = 0x30
BEFORE_S = 60  # it ended so long before the run; assumed
ELAPSED = 2  # times its CPU; assumed


def compile_groups(host: Host, policy: Policy) -> list[Group]:
    """30.4 and 30.5; nothing where nothing was compiled."""
    if not host.compile_s:
        return []
    us = round(host.compile_s * 1e6)
    ticks = np.array([[us * TICKS_PER_US]])
    ended = host.start_utc - np.timedelta64(BEFORE_S, "s")
    begin, end = np.array([ended - np.timedelta64(us * ELAPSED, "us")]), np.array([ended])
    usage = Usage(tcb=ticks, active=ticks * ELAPSED, resident=ticks * ELAPSED)
    spaces, code = [Space(JOB, COMPILER, ASID, "JOB00001")], np.zeros(1, np.int64)
    groups = step_end_groups(spaces, usage, host, policy, (begin, end), code)
    return [replace(group, at=np.zeros(len(group), np.int64)) for group in groups]
