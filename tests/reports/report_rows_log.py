"""Rows by hand for the reports of an IMS log: a few transactions in each of two intervals.

Full function: 50 ms in the input queue, 80 in the program, 30 in the output queue, one schedule
for two messages. Fast Path: 0.1, 0.6 and 0.4 ms. A program switch, and a message in its queue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import duckdb

Insert = Callable[[duckdb.DuckDBPyConnection, str, Sequence[Mapping[str, Any]]], None]

FIRST = datetime(2026, 3, 2, 9, 0)  # the first statistics set


class _Log:
    """Puts records with the next record number and LSN into a database."""

    def __init__(self, con: duckdb.DuckDBPyConnection, insert: Insert) -> None:
        self.con, self.insert, self.number = con, insert, 5000

    def write(self, table: str, at: datetime, **values: Any) -> None:
        self.number += 1
        place = {"file_id": 1, "record_no": self.number, "section_no": 1}
        clock = {"log_stck": at.isoformat(), "log_lsn": self.number}
        row = {k: v.isoformat() if isinstance(v, datetime) else v for k, v in values.items()}
        self.insert(self.con, table, [place | clock | row])


def add_log_rows(con: duckdb.DuckDBPyConnection, insert: Insert, busy: float) -> None:
    """All of them."""
    log = _Log(con, insert)
    for interval in (0, 1):
        start = FIRST + timedelta(seconds=120 * interval)
        for number in range(2):
            _full_function(log, start + timedelta(seconds=10 + number), f"{interval}{number}", busy)
        _schedule(log, start + timedelta(seconds=10), busy)
        for number in range(3):
            _fast_path(log, start + timedelta(seconds=20 + number), f"{interval}{number}", busy)
        _switch(log, start + timedelta(seconds=30), str(interval))
    for number in range(3):
        _scheduling(log, number, busy)
        _locks(log, number, busy)
        _olds(log, number, busy)
    _config(con, insert)


def _ms(milliseconds: float) -> timedelta:
    return timedelta(milliseconds=milliseconds)


def _full_function(log: _Log, t: datetime, name: str, busy: float) -> None:
    message, reply, region = f"M{name}", f"O{name}", {"pst": 1, "rtoken": f"R{name}"}
    to_program, to_terminal = {"dest": "PART", "dest_type": "S"}, {"dest": "TP1", "dest_type": "L"}
    log.write("ims_01", t, uow=message, arrival=t, lterm="TP1", **to_program)
    log.write("ims_35", t, uow=message, pst=0, **to_program)
    taken = t + _ms(50 * busy)
    log.write("ims_31", taken, uow=message, **region, **to_program)
    insert_at = taken + _ms(60)
    log.write("ims_03", insert_at, uow=reply, parent_uow=message, arrival=t, pst=1, **to_terminal)
    log.write("ims_35", insert_at, uow=reply, pst=1, **to_terminal)
    log.write("ims_5612", taken + _ms(80), tran="PART", psb="PPART", **region)
    log.write("ims_31", insert_at + _ms(30), uow=reply, pst=0, **to_terminal)
    log.write("ims_36", insert_at + _ms(40), uow=reply, pst=0, **to_terminal)


def _schedule(log: _Log, t: datetime, busy: float) -> None:
    region = {"pst": 1, "rtoken": f"R{int(t.minute / 2)}0", "tran": "PART", "psb": "PPART"}
    scheduled = t + _ms(45 * busy)
    begun = scheduled - _ms(20)
    log.write("ims_08", scheduled, region_type="M", sched_start=begun, sched=scheduled, **region)
    ended = t + timedelta(seconds=5)
    calls = {"gu": 10, "gn": 4, "gnp": 0, "ghu": 6, "ghn": 0, "ghnp": 0, "isrt": 2, "dlet": 0,
             "repl": 6, "esaf_calls": 4, "fp_calls": 0, "fp_reads": 0, "fp_writes": 0}  # fmt: skip
    used = {"cpu_us": int(3000 * busy), "ziip_us": 400, "msgs": 2, "db_ios": 8,
            "db_io_us": 50_000, "lock_us": 200}  # fmt: skip
    log.write("ims_07", ended, region_type="M", sched=scheduled, end=ended,
              **region, **calls, **used)  # fmt: skip


def _fast_path(log: _Log, t: datetime, name: str, busy: float) -> None:
    both = {"uow": f"F{name}", "tran": "DEBIT", "psb": "PDEBIT", "pst": 3}
    got = t + _ms(0.1 * busy)
    sync, router = got + _ms(0.6), got + _ms(1)
    log.write("ims_5901", got, arrival=t, gu=got, lterm="LT1", len=76, **both)
    counts = {"dedb_calls": 4, "msdb_calls": 0, "ci_reads": 2, "ci_updates": 1}
    log.write("ims_5937", sync, sync=sync, router=router, routing="DEBIT", **both, **counts)
    log.write("ims_5936", router, uow=f"F{name}", dequeue=router)
    zero = dict.fromkeys(("tpdgu", "tpdgn", "tpdgnp", "tpdghu", "tpdghn", "tpdghnp", "dl_isrt",
                          "dl_dlet", "dl_repl", "esaf_calls", "tptdbpl"), 0)  # fmt: skip
    used = {"tpextime": int(40 * busy), "tpezaap": 0, "tptdbio": 300, "db_ios": 2, "fp_calls": 4}
    log.write("ims_56fa", router, uow=f"F{name}", tptran="DEBIT", tpcpstn=3, **zero, **used)


def _switch(log: _Log, t: datetime, name: str) -> None:
    """Sent on by a program, and not taken from the queue before the log ends."""
    to_program = {"dest": "SECOND", "dest_type": "S", "pst": 1}
    log.write("ims_03", t, uow=f"S{name}", parent_uow=f"M{name}0", arrival=t, **to_program)
    log.write("ims_35", t, uow=f"S{name}", **to_program)


def _scheduling(log: _Log, number: int, busy: float) -> None:
    """Counters of a statistics set since IMS start."""
    sample = FIRST + timedelta(seconds=120 * number)
    n = int(1000 * number * busy)
    counts = {"schedules": 50 + n, "intent_fail": n // 100, "psb_pool_fail": n // 200,
              "dmb_pool_fail": 0, "work_pool_fail": 0, "prty_cutoff": 1, "deadlocks": number,
              "pseudo_abend": 0, "quick_resched": 2 * n, "psb_loads": n // 50}  # fmt: skip
    log.write("ims_4506", sample, ckpt_no=10 + number, interval_start="2026-03-02T06:00:00",
              sample=sample, imsid="IMS1", **counts)  # fmt: skip


def _locks(log: _Log, number: int, busy: float) -> None:
    """IRLM since its start: 12,000 locks a set, 1 % of them wait 2 ms."""
    sample = FIRST + timedelta(seconds=120 * number)
    n = int(12_000 * number * busy)
    counts = {"locks": n, "unlocks": n - 60 * number, "change_req": n // 50, "verify_req": 0,
              "query_req": 0, "purges": number, "global_locks": n // 60, "waits": n // 100,
              "wait_us": 2000 * (n // 100), "deadlocks": number, "timeouts": 0,
              "false_contentions": n // 400, "xes_contentions": n // 80,
              "irlm_contentions": n // 100, "cf_requests": 2 * n, "cf_sync": 2 * n,
              "cf_us": 11 * n, "locks_held": 60 * number, "max_locks_held": 90 * number,
              "lock_entries": 1 << 20}  # fmt: skip
    log.write("ims_a105", sample, ckpt_no=10 + number, interval_start="2026-03-02T06:00:00",
              sample=sample, imsid="IMS1", irlm="IRM1", irlm_group="IRLMGRP",
              lock_structure="IRLMLOCK", **counts)  # fmt: skip


def _olds(log: _Log, number: int, busy: float) -> None:
    """The log begins on one data set and is switched to the next with each statistics set."""
    at = FIRST + timedelta(seconds=120 * number)
    before = {"close_prev": at, "prev_ddname": f"DFSOLP0{number - 1}", "reason": " CF"[number],
              "blocks_prev": int(4800 * busy)}  # fmt: skip
    log.write("ims_42" if number else "ims_43", at, imsid="IMS1", olds_ddname=f"DFSOLP0{number}",
              open=at, first_lsn=1 + int(240_000 * number * busy),
              **(before if number else {}))  # fmt: skip


def _config(con: duckdb.DuckDBPyConnection, insert: Insert) -> None:
    rows = (("", "name", "base", None, None), ("", "role", "measurement", None, None),
            ("settings", "driver.think_ms", "80.4", "ms", "fitted"),
            ("metrics", "transaction_classes", "['RIMS']", None, None),
            ("address_spaces", "irlm", "['IRLM%']", None, None))  # fmt: skip
    names = ("section", "key", "value", "unit", "source")
    # the SMF id that the log knows the system by
    insert(con, "smf70_1_header", [{"file_id": 1, "record_no": 1, "section_no": 1,
                                    "system": "PRODSYSA", "smf70sid": "PRDA"}])  # fmt: skip
    insert(con, "run_config", [{"run": "t"} | dict(zip(names, row, strict=True)) for row in rows])
