"""Log records of threads to Db2, profile imsperf-1."""

from __future__ import annotations

import numpy as np

from imsperf.layouts import ims_56
from imsperf.synthetic.log.flow_rows import Fill, Kind, Mine
from imsperf.synthetic.log.log_plan import Plan
from imsperf.synthetic.log.thread_tokens import token_of

_RECORDS = {f"56{one.subcode:02X}": one for one in ims_56.RECORDS}
_USED_AGAIN, _POOLED = 0x4000, 0x2000  # of the flags


def _thread(clock: str) -> Fill:
    """5603 and 560B: the thread to the external subsystem (thread_tokens.py).

    5603 of the first message of a schedule is a new thread. Making it has its share of what the
    schedule took; the end of the schedule and the first call are one time here.
    """

    def fill(mine: Mine) -> Plan:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        threads = mine.log.host.ims.threads
        rows = mine.rows(_RECORDS[mine.code], subsystem="DB2A", subsystem_type="DB2")
        rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        rows.put("psb", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
        rows.put("userid", names.userid[mine["client"]]).put("plan", mine.of_code(names.psb))
        rows.put("jobname", names.job[mine["region"]])
        rows.put("thread_token", mine["thread"]).put("end_time", mine.tod(clock))
        if threads.pooled or mine.code != "5603":
            rows.put("flags", _POOLED * threads.pooled + _USED_AGAIN)
            return rows.put("start_time", mine.tod(clock))
        new = np.asarray(mine["scheduled"]) > 0
        took = (np.asarray(mine["gu"]) - np.asarray(mine["taken"])) * threads.making * new
        took = took.astype(np.int64)
        rows.put("flags", np.where(new, 0, _USED_AGAIN)).put("elapsed_us", took >> 12)
        return rows.put("start_time", np.asarray(mine.tod(clock)) - took)

    return fill


def _thread_end(mine: Mine) -> Plan:
    """5604: the program ended, and with it its thread; the user is that of no message."""
    names, log = mine.log.names, mine.log
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORDS["5604"], subsystem="DB2A", subsystem_type="DB2", userid="")
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("psb", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
    rows.put("plan", mine.of_code(names.psb)).put("jobname", names.job[mine["region"]])
    known, number = np.asarray(mine["first_gu"]) >= 0, np.asarray(mine["number"])
    region = np.asarray(mine["region"])
    rows.put("thread_token", np.where(known, token_of(region, number), region + 1))
    rows.put("calls", mine.of_class(log.esaf_calls) * mine["messages"])
    rows.put("elapsed_us", np.asarray(mine["end"]) - np.asarray(mine["first_gu"]) >> 12)
    return rows.put("start_time", mine.tod("end")).put("end_time", mine.tod("end"))


THREAD = Kind("5603", "gu", _thread("gu"), step=True)
COMMIT = Kind("560B", "sync", _thread("sync"), step=True)
THREAD_END = Kind("5604", "end", _thread_end)
