"""Rows made by hand for identities of the log's statistics A103 to A10D; see audit_cases.py."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from audit_cases import AT, FILE, R, Rows

SET = {**R, "imsid": "IMSA", "ckpt_no": 1, "sample": AT, "interval_start": AT - timedelta(hours=1)}
END: datetime = AT + timedelta(minutes=1)
WHOLE_LOG = [{"file_id": 1, "sample_every": 1}]
PATHS = {"from_queue": 0, "from_expansion": 0, "from_storage": 0, "from_own": 0}
QUEUE = {
    "structure": "MSGQ",
    "puts": 9,
    "reads": 8,
    "deletes": 7,
    "put_bytes": 90,
    "read_bytes": 80,
}
THREADS = {"subsystem": "DB2A", "threads": 2, "thread_creates": 5, "thread_terminates": 3,
           "thread_reuses": 6, "commits": 9, "aborts": 1}  # fmt: skip


def _requests(puts: int) -> Rows:
    kinds = (("PUT", puts, 90), ("READ", 8, 80), ("DEL", 7, 0))
    return [
        {**R, "structure": "MSGQ", "request": kind, "objects": n, "bytes": size}
        for kind, n, size in kinds
    ]


def _two_sets(ims: str = "IMSA", first: int = 1) -> Rows:
    """Records at the begin and the end of a minute, behind LSN 100 and 200."""
    return [
        {**SET, "imsid": ims, "record_no": first + n, "ckpt_no": 1 + n, "log_lsn": 100 + 100 * n}
        | {"sample": AT + n * timedelta(minutes=1)}
        for n in (0, 1)
    ]


def _event(number: int, lsn: int = 150) -> dict[str, Any]:
    """A record of a unit of recovery or of a program, known by its token."""
    return {"file_id": 1, "log_lsn": lsn, "pst": 1, "rtoken": b"%d" % number}


CASES: dict[str, tuple[dict[str, Rows], str, float]] = {
    "block_requests": (  # 10 = 6 + 4; 12 against 5 + 2 + 3; one expansion
        {"load_file": FILE, "ims_a10c": [{**SET, "block": "AWE", "expansions": 2}],
         "ims_a10c_caller": [
            {**R, **PATHS, "caller": "OTMA", "requests": 10, "from_queue": 6, "from_storage": 4},
            {**R, **PATHS, "caller": "FREE", "requests": 12, "from_queue": 5, "from_expansion": 2,
             "from_own": 3},
         ]}, "AWE FREE", 2.0,
    ),
    "block_callers": (  # 40 messages, 30 AWEs of the logger for 28
        {"load_file": FILE, "ims_a10c": [{**SET, "block": "AWE"}],
         "ims_a10c_caller": [
            {**R, "caller": "OTMA", "requests": 40}, {**R, "caller": "LOGGER", "requests": 30}
         ],
         "ims_451a": [{**SET, "messages_in": 40}], "ims_4507": [{**SET, "awe_submitted": 28}]},
        "IMSA 1 LOGGER", 2.0,
    ),
    "queue_requests": (  # 9 put by structure, 12 by kind
        {"load_file": FILE, "ims_a103": [{**SET, "cqs": "CQSA"}],
         "ims_a103_structure": [{**R, **QUEUE}], "ims_a104": [{**SET, "cqs": "CQSA"}],
         "ims_a104_request": _requests(12)}, "MSGQ puts", 3.0,
    ),
    "queue_facility": (  # 2000 requests in the minute between the sets, 1500 served
        {"load_file": FILE,
         "ims_a103": [
            {**SET, "file_id": 1, "record_no": n, "ckpt_no": n, "sample": at}
            for n, at in ((1, AT), (2, END))
         ],
         "ims_a103_structure": [
            {**R, "record_no": n, "structure": "MSGQ", "cf_requests": asked, "cf_sync": 0,
             "cf_us": 8 * n}
            for n, asked in ((1, 1000), (2, 3000))
         ],
         "ims_statistics_set": [{"ims": "IMSA"}],
         "rmf_cf_structure": [
            {"structure": "MSGQ", "request_count": 1500.0, "sync_us": 8.0, "async_us": 0.0,
             "sync_count": 0.0, "interval_start_utc": AT, "interval_s": 60.0},
         ],
         "smf74_4_request": [{**R, "r744snam": "MSGQ", "r744strc": 2000.0}]},
        "IMSA MSGQ requests", 2000 - 1500 - 2.0,
    ),
    "thread_counts": (  # 11 uses for 10 units of recovery: one goes on; 3 threads are not 5 - 3
        {"load_file": FILE, "ims_a107": [SET],
         "ims_a107_subsystem": [{**R, **THREADS, "threads": 3}]}, "DB2A threads", 1.0,
    ),
    "source_transactions": (
        {"load_file": FILE, "ims_a108": [SET],
         "ims_a108_source": [{**R, "transactions_processed": n} for n in (10, 25)],
         "ims_4500": [{**SET, "trans_total": 34}]}, "IMSA 1", 1.0,
    ),
    "source_calls": (
        {"load_file": FILE, "ims_a108": [SET],
         "ims_a108_source": [{**R, "esaf_calls": n} for n in (10, 25)], "ims_a107": [SET],
         "ims_a107_subsystem": [{**R, "calls": n} for n in (30, 9)]}, "IMSA 1", 4.0,
    ),
    "source_schedules": (  # 2 in MPPs and 5 in IFPs; where there is a thread, too, nothing is said
        {"load_file": FILE, "ims_a108": [SET, {**SET, "record_no": 2, "ckpt_no": 2}],
         "ims_a108_source": [
            {**R, "record_no": n, "source": s, "schedules": c}
            for n, s, c in ((1, "MPP", 2), (1, "IFP", 5), (2, "MPP", 3), (2, "CICS", 90))
         ],
         "ims_4506": [{**SET, "schedules": 10}, {**SET, "ckpt_no": 2, "schedules": 10}]},
        "IMSA 1", 3.0,
    ),
    "message_buffers": (  # 1,900 of both sizes from set to set; 1,000 x 1.005 + 100
        {"load_file": FILE,
         "ims_450e": [
            {**R, "record_no": n, "imsid": "IMSA", "ckpt_no": c, "pool": p}
            for n, c, p in ((1, 1, "EMHB"), (2, 2, "EMHB"), (3, 1, "DYNP"), (4, 2, "DYNP"))
         ],
         "ims_450e_buffer": [
            {**R, "record_no": n, "gets": g}
            for n, g in ((1, 100), (1, 50), (2, 1300), (2, 750), (3, 0), (4, 9000))
         ],
         "ims_statistics_set": [
            {"ims": "IMSA", "ckpt_no": 2, "transactions_count": 1000, "restarted": False}
         ]}, "IMSA 2", 1900 - 1105.0,
    ),
    "transaction_messages": (
        {"load_file": FILE, "ims_a10d": [SET],
         "ims_a10d_transaction": [{**R, "processed": n} for n in (10, 25)], "ims_a108": [SET],
         "ims_a108_source": [{**R, "dc_gu_calls": 30}]}, "IMSA 1", 5.0,
    ),
    "transaction_regions": (
        {"load_file": FILE, "ims_a10d": [SET],
         "ims_a10d_transaction": [
            {**R, "tran": t, "psb": psb, "region_type": kind, "regions": n}
            for t, psb, kind, n in (("A", "P", "M", 2), ("B", "P", "M", 1), ("C", "F", "I", 1),
                                    ("D", "F", "I", 1))
         ],
         "ims_47": [{**R, "ckpt_no": 1}],
         "ims_47_region": [
            {**R, "tran": t, "psb": psb, "region_type": kind}
            for t, psb, kind in (*[("A", "P", "M")] * 2, *[("B", "P", "M")] * 3, ("C", "F", "I"))
         ]}, "IMSA 1 B", 2.0,
    ),
    # 300 of 1,000 units in two phases, and 5 that only one of two subsystems read
    "thread_commits": (
        {"load_file": FILE, "ims_a107": _two_sets(), "ims_log_file": WHOLE_LOG,
         "ims_a107_subsystem": [
            {**R, "record_no": n, "subsystem": name, "commits": c, "prepares": p}
            for n, name, c, p in ((1, "DB2A", 9, 9), (1, "MQ01", 1, 1), (2, "DB2A", 999, 9),
                                  (2, "MQ01", 11, 351))
         ],
         "ims_560b": [_event(n) for n in range(1000)],
         "ims_5610": [_event(n) for n in range(700, 1005)]},
        "IMSA prepares", 350 - (1.003 * (300 + 2 * 5) + 20),
    ),
    # programs with 50 ms from set to set, 40 and 30 over an end; one has no 07: 50 at most. Of
    # IMSA 1,000 calls of 500 to 1,700, of IMSB 2,000: not tested
    "thread_times": (
        {"load_file": FILE, "ims_log_file": WHOLE_LOG,
         "ims_a107": [*_two_sets(), *_two_sets("IMSB", 3)],
         "ims_a107_subsystem": [
            {**R, "record_no": n, "calls": c, "calls_us": us}
            for n, c, us in ((1, 5, 0), (2, 1005, 171_000), (3, 5, 0), (4, 2005, 900_000))
         ],
         "ims_08": [_event(n, lsn=lsn) for n, lsn in ((1, 110), (2, 50), (3, 140), (4, 150))],
         "ims_07": [
            _event(n, lsn=lsn) | {"esaf_calls": c, "esaf_us": us}
            for n, lsn, c, us in ((1, 120, 500, 50_000), (2, 130, 400, 40_000),
                                  (3, 250, 300, 30_000))
         ]}, "IMSA", 171_000 - 1.003 * 170_000,
    ),
    # 1,200 sync points counted of 1,000 in the log, with 0.5 % and 100; 400 messages of 400
    "fast_path_commits": (
        {"load_file": FILE, "ims_log_file": WHOLE_LOG, "ims_statistics_set": [{"ims": "IMSA"}],
         "ims_4521": [
            one | {"sync_points": s, "emh_messages": m}
            for one, s, m in zip(_two_sets(), (5, 1205), (5, 405), strict=True)
         ],
         "ims_5937": [_event(n) for n in range(1000)],
         "ims_5901": [{"file_id": 1, "log_lsn": 150}] * 400},
        "IMSA sync points", 1200 - 1105,
    ),
    # 103 requests to subpools of 40 and 20 buffers of 4,096 bytes, of which 5 and 4 were in use
    "fast_path_buffers": (
        {"load_file": FILE,
         "ims_4521": [SET | {"buffers": 60, "buffer_gets": 100, "max_buffers_used": 7}],
         "ims_4522": [
            SET | {"pool_size": 245_760, "max_pool_size": 245_760, "pool_limit": 400_000}
         ],
         "ims_4522_subpool": [
            {**R, "buffers": b, "buf_size": 4096, "bufs_used_max": m, "gets": g, "compressions": 0}
            for b, m, g in ((40, 5, 70), (20, 4, 33))
         ]},
        "IMSA 1 requests", 3.0,
    ),
    # 1,100 control intervals for 1,000 reads of two areas, with 0.5 % and 50; 300 for 300 writes
    "fast_path_io": (
        {"load_file": FILE, "ims_log_file": WHOLE_LOG, "ims_statistics_set": [{"ims": "IMSA"}],
         "ims_4508": [{"imsid": "IMSX"}],
         "ims_4521": [
            one | {"ci_reads": r, "ci_writes": w}
            for one, r, w in zip(_two_sets(), (7, 1107), (3, 303), strict=True)
         ],
         "smf_dataset_io": [
            {"dataset": name, "dataset_type": kind, "interval_s": 60.0, "io_count": 650.0,
             "read_count": 500.0}
            for name, kind in (("IMSA.AREA1", "ESDS"), ("IMSA.AREA2", "ESDS"),
                               ("IMSA.DFSOLP01", "ESDS"), ("IMSA.CUSTDA", "PS"))
         ]},
        "IMSA reads", 1100 - 1055,
    ),
    # nothing in use, and a piece that was not given back
    "variable_pools": (
        {"load_file": FILE,
         "ims_4505_pool": [
            {**R, "pool": "HIOP", "pool_size": 100, "bytes_allocated": 0, "largest_free": 100,
             "max_bytes_allocated": 50, "ave_bytes_allocated": 20, "gets": 10, "frees": 9},
            {**R, "pool": "CIOP", "pool_size": 100, "bytes_allocated": 30, "largest_free": 70,
             "max_bytes_allocated": 50, "ave_bytes_allocated": 20, "gets": 10, "frees": 9},
         ]},
        "HIOP frees", 1.0,
    ),
}  # fmt: skip
