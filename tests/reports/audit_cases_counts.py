"""Rows made by hand, as in audit_cases.py: records that count the same, and parts of a whole."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from audit_cases import AT, END, FILE, MINUTE, MINUTE_42, R, Rows

EARLIER = AT - timedelta(hours=1)
SET = {**R, "imsid": "IMSA", "ckpt_no": 1, "sample": AT, "interval_start": EARLIER}
OWNER = [{"ims": "IMSA"}]
WHOLE_LOG = [{"file_id": 1, "sample_every": 1}]
TPIPE: dict[str, Any] = {
    **R, "member": "HWS", "tpipe": "T1", "messages_in": 8, "messages_out": 10, "bytes_in": 80,
    "bytes_out": 100, "sync_callouts": 10, "sync_responses": 8, "sync_timeouts": 0,
    "resume_tpipe": 10, "acks": 10, "naks": 0, "queue": 3, "queue_max": 3,
    "callout_us": 900, "queue_us": 400,
}  # fmt: skip
ICAL: dict[str, Any] = {
    **R, "tran": "A", "member": "HWS", "tpipe": "T1", "icals": 13, "responses": 8, "timeouts": 0,
    "errors": 0, "elapsed_us": 900, "queue_us": 400, "request_bytes": 100, "response_bytes": 80,
    "in_flight_max": 5, "max_elapsed_us": 200,
}  # fmt: skip
REQUEST: dict[str, Any] = {
    **R, "structure": "Q", "client": "IMSA", "request": "PUT", "requests": 9, "objects": 9,
    "failed": 0, "queue_us": 10, "cf_us": 50, "elapsed_us": 70,
}  # fmt: skip
LOCKS: dict[str, Any] = {
    **SET, "lock_structure": "LOCK1", "cf_requests": 1000, "cf_sync": 900, "cf_us": 9000,
    "xes_contentions": 30, "false_contentions": 10, "irlm_contentions": 20, "waits": 30,
    "global_locks": 0, "locks": 0, "unlocks": 0, "change_req": 0,
}  # fmt: skip
DELAYS = {
    f"r723{name}": 0
    for name in (
        "ccca", "cpde", "cpqu", "cswi", "cmpl", "capr", "caco", "caxm", "cvio", "chsp", "cchs",
        "cq", "cspv", "csvi", "cshs", "csmp", "cssw", "apd", "fqd", "rcod", "ifad", "supd",
    )
}  # fmt: skip
STREAM = {"log_stream": "CQS.LOG", "structure": "STR", "interval_end": END, "interval_end_utc": END}


def sets(*rows: dict[str, Any]) -> Rows:
    """A record at the begin of a minute and one at its end, and so on."""
    return [
        {**SET, "record_no": n, "ckpt_no": n, "sample": AT + (n - 1) * MINUTE, "log_lsn": 100 * n}
        | row
        for n, row in enumerate(rows, 1)
    ]


CASES: dict[str, tuple[dict[str, Rows], str, float]] = {
    "ready_distribution": (  # 2 x 1 + 3 x 4 and two of 15 to 17: 44 to 48
        {"load_file": FILE, "smf70_1_asid": [
            {**R, "smf70rtt": 47, "smf70rmm": 17,
             "smf70r00_r15": [5, 2, 0, 0, 3, *[0] * 10, 2]},
            {**R, "smf70rtt": 49, "smf70rmm": 17,
             "smf70r00_r15": [5, 2, 0, 0, 3, *[0] * 10, 2]},
         ]}, "09:00:00", 49 - (14 + 2 * 17.0),
    ),
    "wlm_seen": (  # three address spaces of a minute, 240 samples: 720; 700 and one
        {"load_file": FILE, "smf72_3_product": [{**R, "smf72int": MINUTE}],
         "smf72_3_control": [{**R, "r723mcnm": "STC", "r723mtv": 240}],
         "smf72_3_period": [
            {**R, "r723ctsa": 700.0, "r723cidl": 600, "r723ctat": 180e6 / 1024, "r723crcp": 0}
         ]}, "STC", 720 * 0.999 - 701,
    ),
    "wlm_delays": (  # 20 delayed, 12 for a CPU and 5 for DASD; the other class 9 and 9
        {"load_file": FILE, "smf72_3_control": [{**R, "r723mcnm": "HI"}],
         "smf72_3_period": [
            {**R, **DELAYS, "r723cper": n, "r723ctot": t, "r723ccde": c, "r723ciod": d}
            for n, t, c, d in ((1, 9, 9, 9), (2, 20, 12, 5))
         ]}, "HI 2", 3.0,
    ),
    "executed_messages": (  # 900 of 1,000
        {"load_file": FILE, "ims_a108": [SET], "ims_a108_source": [{**R, "source": "IFP"}],
         "rmf_workload": [
            {"kind": "service", "period": 1, "executed_count": 900.0, "ended_count": 1000.0,
             "goal_kind": "average", "interval_s": 60.0}
         ],
         "ims_statistics_set": [
            {"ims": "IMSA", "transactions_count": 1000, "interval_s": 60.0, "restarted": False}
         ]}, "IMSA", 995 - 20 - 900.0,
    ),
    "open_data_sets": (  # B and C open all the time, D opened in the interval
        {"load_file": FILE,
         "smf42_6_dataset": [
            {**R, "s42dsn": name, "s42dsvol": "V", "s42dscod": code}
            for name, code in (("B", 0), ("C", 0), ("C", 0), ("D", 128))
         ],
         "smf42_6_job": [{**R, "s42jdcod": 1}],
         "smf42_6_product": [{**R, "smf42pts": AT, "smf42pte": END}],
         "rmf_device": [
            {"device": "08000", "volume": "V", "data_sets_count": 90.0, "samples_count": 60,
             "interval_us": 60e6}
         ]}, "08000", 1.996 - 1.5,
    ),
    "cache_write_hits": (  # 120 writes, 100 hits, 5 past the cache; another type says nothing
        {"load_file": FILE,
         "smf74_5_control": [
            {**R, "record_no": n, "r745c_type": kind, "r745c_seq": kind}
            for n, kind in ((1, "002107"), (2, "003990"))
         ],
         "smf74_5_device": [
            {**R, "record_no": n, "r745devn": 0x8000, "r745dwrc": 120.0, "r745dwch": 100.0,
             "r745dwsr": 10.0, "r745dwsh": 10.0, "r745dfwb": 5.0} for n in (1, 2)
         ]}, "002107 32768 normal", 120 * 0.999 - 5 - 101,
    ),
    "tpipe_members": (  # 8 and 7 messages of two TPIPEs, 18 of the member
        {"load_file": FILE, "ims_a101": [SET],
         "ims_a101_tpipe": [TPIPE, {**TPIPE, "tpipe": "T2", "messages_in": 7}],
         "ims_451b": [SET],
         "ims_451b_member": [
            {**R, "member": "HWS", "tpipes": 2, "max_tpipes": 2, "messages_in": 18,
             "messages_out": 20, "bytes_in": 160, "bytes_out": 200, "sync_callouts": 20,
             "sync_responses": 16, "sync_timeouts": 0, "resume_tpipe": 20, "acks": 20, "naks": 0}
         ]}, "HWS messages in", 3.0,
    ),
    "callouts_tpipe": (  # 13 calls are 10 sent and 3 that wait; 9 answers against 8
        {"load_file": FILE, "ims_a101": [SET], "ims_a101_tpipe": [TPIPE], "ims_a102": [SET],
         "ims_a102_ical": [{**ICAL, "responses": 9}]}, "T1 answers", 1.0,
    ),
    "callouts_open": (  # 13 - 8 = 5 open, 3 queued and 2 out; 2,000 us of 8 calls, none above 200
        {"load_file": FILE, "ims_a101": [SET],
         "ims_a101_tpipe": [{**TPIPE, "queue_max": 3, "parallel_limit": 2}], "ims_a102": [SET],
         "ims_a102_ical": [{**ICAL, "elapsed_us": 2000}]}, "A T1 mean time", 50.0,
    ),
    "storage_class_command": (  # 100 x 105 us against 100 x 100
        {"load_file": FILE, "smf42_5_product": [MINUTE_42], "smf42_6_product": [MINUTE_42],
         "smf42_5_storage_class": [{**R, "s42scrnn": "SC", "s42scion": 100, "s42scm1u": 105}],
         "smf42_6_dataset": [{**R, "section_no": 2, "s42dssc": "SC"}],
         "smf42_6_io": [{**R, "dataset_no": 2, "s42dsion": 100, "s42dsm1u": 100}]}, "SC",
        104.5 - 100.7,
    ),
    "class_ziip": (  # 1.0 s and two address spaces' hundredths; 1.03 s of the class
        {"rmf_workload": [
            {"kind": "service", "class": "HI", "period": None, "ended_count": 0.0,
             "interval_s": 60.0, "iip_us": 1_030_000.0, "iip_on_cp_us": 500_000.0}
         ],
         "smf_address_space": [
            {"kind": "interval", "service_class": "HI", "interval_s": 60.0, "ziip_us": z,
             "ziip_on_cp_us": c}
            for z, c in ((400_000.0, 0.0), (600_000.0, 500_000.0), (0.0, 0.0))
         ]}, "HI on zIIPs", 1_030_000 - 1_020_000 * 1.005,
    ),
    "callouts_source": (  # 8 came back, 13 were made
        {"load_file": FILE, "ims_a108": [SET],
         "ims_a108_source": [{**R, "dc_ical_calls": n} for n in (9, 7)], "ims_a102": [SET],
         "ims_a102_ical": [ICAL]}, "IMSA 1", 3.0,
    ),
    "queue_totals": (  # 9 requests to put, one failed, 6 objects
        {"load_file": FILE,
         "ims_a103": [{**SET, "cqs": "CQSA", "cf_requests": 20, "cf_us": 100}],
         "ims_a103_structure": [{**R, "structure": "Q", "cf_requests": 20, "cf_sync": 20,
                                 "cf_us": 100}],
         "ims_a104": [{**SET, "cqs": "CQSA"}],
         "ims_a104_request": [
            {**REQUEST, "objects": 6, "failed": 1}, {**REQUEST, "request": "DEL", "objects": 20}
         ]}, "Q IMSA PUT requests", 2.0,
    ),
    "queue_log": (  # 2,000 writes between the sets, 1,500 of the log stream
        {"load_file": FILE,
         "ims_a103": sets(
            {"log_writes": 100, "log_bytes": 0, "log_us": 0, "log_records": 0},
            {"log_writes": 2100, "log_bytes": 150_000, "log_us": 90_000, "log_records": 2000}),
         "ims_statistics_set": OWNER,
         "smf_logstream": [{**STREAM, "write_count": 1500.0, "written_bytes": 150_000.0}],
         "rmf_cf_structure": [
            {"structure": "STR", "sync_us": 80_000.0, "async_us": 0.0, "interval_s": 60.0}
         ]}, "IMSA writes", 2000 - 1500 - 2.0,
    ),
    "lock_facility": (  # 30 contentions between the sets, 80 in the coupling facility
        {"load_file": FILE,
         "ims_a105": sets(
            LOCKS | {"record_no": 1, "sample": AT},
            LOCKS | {"record_no": 2, "sample": END, "cf_requests": 3000, "cf_sync": 2900,
                     "cf_us": 29_000, "xes_contentions": 60, "false_contentions": 30,
                     "waits": 110}),
         "ims_statistics_set": OWNER, "smf74_4_product": [
            {**R, "smf74gie": END, "smf74int": MINUTE}
         ],
         "smf74_4_request": [
            {**R, "r744snam": "LOCK1", "r744strc": 2000.0, "r744ssrc": 2000.0, "r744sstm": 20_000.0,
             "r744satm": 0.0, "r744scn": 80.0, "r744sfcn": 20.0, "r744stac": 80.0}
         ]}, "LOCK1 contention", 80 - 2 - 30.0,
    ),
    "lock_parts": (  # 20 settled and 15 false of 30 found
        {"load_file": FILE, "ims_a105": [LOCKS | {"false_contentions": 15}],
         "smf74_4_request": [{**R, "r744snam": "LOCK1", "r744scn": 30.0, "r744stac": 30.0}]},
        "IMSA 1 contention", 5.0,
    ),
    # 10,000 locks and 9,900 releases; IMSA holds 100 more, IMSB only 50; 1 and 10 for the moment
    "lock_balance": (
        {"load_file": FILE, "ims_a105": [
            {**row, "imsid": ims, "irlm": "IR01", "purges": 0}
            for ims, more in (("IMSA", 100), ("IMSB", 50))
            for row in sets({"locks": 1000, "unlocks": 900, "locks_held": 40},
                            {"locks": 11_000, "unlocks": 10_800, "locks_held": 40 + more})
         ]}, "IMSB IR01", 100 - 61.0,
    ),
    "thread_regions": (  # two connections of five made and two ended
        {"load_file": FILE, "ims_a107": [SET],
         "ims_a107_subsystem": [
            {**R, "subsystem": "DB2A", "pooled": "Y", "connections": 2, "connects": 5,
             "disconnects": 2, "max_threads": 4, "threads": 3, "thread_creates": 5,
             "thread_reuses": 6, "signons": 11}
         ],
         "ims_47": [{**R, "ckpt_no": 1}], "ims_47_region": [R, R, R]}, "DB2A connections", 1.0,
    ),
    "schedule_messages": (  # 20 and 70 for 100 transactions; in the next set a program waits
        {"load_file": FILE, "ims_4506": sets(*[{"schedules": 20, "quick_resched": 70}] * 2),
         "ims_4500": sets(*[{"trans_total": 600}] * 2),
         "ims_4507": sets(*[{"check_write": 600}] * 2),
         "ims_a108": sets({}, {}),
         "ims_a108_source": [
            {**R, "record_no": n, "source": s, "transactions_processed": t}
            for n in (1, 2) for s, t in (("MPP", 100), ("IFP", 500))
         ],
         "ims_a10d": sets({}, {}),
         "ims_a10d_transaction": [
            {**R, "record_no": n, "region_type": r, "fast_path": f, "wait_for_input": w}
            for n, r, f, w in ((1, "M", "N", "N"), (1, "I", "Y", "Y"), (2, "M", "N", "N"),
                               (2, "M", "N", "Y"))
         ],
         "ims_47": [{**R, "ckpt_no": n} for n in (1, 2)],
         "ims_47_region": [{**R, "region_type": "M"}]}, "IMSA 1", 10.0,
    ),
    "source_regions": (  # three MPPs and a thread of CICS; two are said
        {"load_file": FILE, "ims_a108": [SET],
         "ims_a108_source": [
            {**R, "source": s, "threads": n, "max_threads": 9} for s, n in (("MPP", 2), ("CICS", 1))
         ],
         "ims_47": [{**R, "ckpt_no": 1}],
         "ims_47_region": [{**R, "region_type": kind} for kind in "MMMD"]}, "IMSA 1 M now", 1.0,
    ),
    "source_units": (  # 100 units with 3 deletes each, 200 counted; three units may be under way
        {"load_file": FILE, "ims_log_file": WHOLE_LOG,
         "ims_a108": sets({}, {}),
         "ims_a108_source": [
            {**R, "record_no": n, "transactions_processed": 100 * n, "db_gu_calls": 900 * n,
             "db_gn_calls": 0, "db_gnp_calls": 500 * n, "db_isrt_calls": 200 * n,
             "db_dlet_calls": 200 * n, "db_repl_calls": 100 * n, "dc_isrt_calls": 100 * n,
             "dc_purg_calls": 0} for n in (1, 2)
         ],
         "ims_56fa": [
            {"file_id": 1, "log_lsn": 150, "tpdgu": 10, "tpdghu": 0, "tpdgn": 0, "tpdghn": 0,
             "tpdgnp": 5, "tpdghnp": 0, "dl_repl": 1, "dl_isrt": 2, "dl_dlet": 3, "msg_isrt": 1}
         ] * 100}, "IMSA DLET", 300 * (0.995 - 0.2) - 3 * 3 - 200,
    ),
    "checkpoint_calls": (  # 30 calls between the sets, 20 records between them
        {"load_file": FILE, "ims_log_file": WHOLE_LOG,
         "ims_a108": sets({}, {}),
         "ims_a108_source": [
            {**R, "record_no": n, "source": "BMP", "dli_sync_calls": 30 * n} for n in (1, 2)
         ],
         "ims_41": [{"file_id": 1, "log_lsn": 90 + n} for n in range(30)]}, "IMSA",
        30 - 20 - 2.0,
    ),
    "batch_cpu": (  # 2 s, 1.9 of the job and two hundredths
        {"load_file": FILE, "ims_log_file": WHOLE_LOG, "ims_statistics_set": OWNER,
         "ims_a108": sets({}, {}),
         "ims_a108_source": [
            {**R, "record_no": n, "source": "BMP", "cpu_us": 2_000_000 * n,
             "transactions_processed": n} for n in (1, 2)
         ],
         "ims_47": [{**R, "ckpt_no": 1}],
         "ims_47_region": [{**R, "region_type": "B", "jobname": "BANK"}],
         "ims_56fa": [{"file_id": 1, "tpextime": 1_900_000}],
         "smf_address_space": [
            {"job": "BANK", "kind": "interval", "cpu_us": 1_900_000.0, "interval_s": 60.0}
         ]}, "IMSA", 2_000_000 - 1_900_000 * 1.001 - 20_000,
    ),
}  # fmt: skip
