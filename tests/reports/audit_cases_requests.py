"""Rows made by hand, as in audit_cases.py: requests of CICS, z/OS Connect; paging; region CPU."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from audit_cases import AT, FILE, MINUTE, R, Rows

SETS: Rows = [
    {"file_id": 1, "record_no": n, "imsid": "IMSA", "ckpt_no": n, "log_lsn": 100 * n,
     "interval_start": AT - timedelta(hours=1), "sample": AT + (n - 1) * MINUTE} for n in (1, 2)
]  # fmt: skip
MS = timedelta(milliseconds=1)
REGIONS: Rows = [
    {**R, "smfmnprn": "GOOD", "smfmnjbn": "CICSA1"},
    {**R, "record_no": 2, "smfmnprn": "BAD", "smfmnjbn": "CICSA2"},
]


def task(region: int, **clocks: float) -> dict[str, Any]:
    """A task of 10 ms."""
    times = {"start": AT, "stop": AT + 10 * MS, "usrcput_us": 1000.0, "imswait_us": 2000.0}
    return {"file_id": 1, "record_no": region, **times, **clocks}


CASES: dict[str, tuple[dict[str, Rows], str, float]] = {
    "paging_samples": (  # 405 where devices have 400: 401 and one at the ends may be
        {"load_file": FILE,
         "smf71_1_product": [{**R, "smf71sam": 401}, {**R, "system": "SYSB", "smf71sam": 405}],
         "smf74_1_product": [
            {**R, "system": system, "smf74sam": 400} for system in ("SYSA", "SYSB")
         ]}, "09:00:00", 405 - 1 - 401.0,
    ),
    "cics_task_time": (  # two of 10 ms: 20 us of them are nobody's, at most 42 may be; 1,000
        {"load_file": FILE, "smf110_1_product": REGIONS,
         "smf110_1_performance": [
            task(1, usrdispt_us=4000.0, susptime_us=6000.0),
            task(1, usrdispt_us=4000.0, susptime_us=5980.0),
            task(2, usrdispt_us=4000.0, susptime_us=6000.0),
            task(2, usrdispt_us=4000.0, susptime_us=5000.0),
         ]}, "BAD", 20_000 * 0.998 - 2 - 19_000,
    ),
    "cics_task_parts": (
        {"load_file": FILE, "smf110_1_product": REGIONS,
         "smf110_1_performance": [
            task(1, usrdispt_us=1000.0, susptime_us=9000.0),
            task(2, usrdispt_us=9000.0, susptime_us=1000.0),
         ]}, "BAD DBCTL", 2000 - 1000 * 1.002 - 1,
    ),
    "cics_space_cpu": (  # 60 tasks of 1 ms and 60 of 4: 300 ms; 200 ms and room for two intervals
        {"load_file": FILE, "smf110_1_product": REGIONS,
         "smf110_1_performance": [task(1), task(2, usrcput_us=4000.0)] * 60,
         "smf_address_space": [
            {"kind": "interval", "job": job, "cpu_us": 90_000.0, "ziip_us": 10_000.0,
             "interval_s": 60.0} for job in ("CICSA1", "CICSA2")
         ]}, "CICS", 300_000 - 200_000 * 1.02 - 40_000.0,
    ),
    # 101 s of 100 s, one region with 1 ms: 1 % more than the class, where 0.3 % and 1.01 ms may be
    "region_cpu": (
        {"load_file": FILE, "ims_a108": SETS, "ims_statistics_set": [{"ims": "IMSA"}],
         "ims_a108_source": [
            {**R, "record_no": n, "source": "MPP", "cpu_us": 101_000_000 * n,
             "transactions_processed": 100_000 * n, "threads": 1} for n in (1, 2)
         ],
         "smf_address_space": [
            {"program": "DFSRRC00", "report_class": "RREG"},
            {"program": "DFSMVRC0", "report_class": "RIMS"},
         ],
         "rmf_workload": [
            {"kind": "report", "class": name, "period": None, "interval_s": 60.0, "cp_us": us}
            for name, us in (("RREG", 1e8), ("RIMS", 9e8))
         ]}, "IMSA", 101e6 - 100.3e6 - 1010.0,
    ),
    # 4,000 units of 1,010 us where A108 has 1,000 us each: 1 % more, 0.3 % and 20 units may be;
    # their 4,000 I/Os and 4 s of waiting are those of the data sets
    "recovery_cpu": (
        {"load_file": FILE, "ims_a108": SETS, "ims_log_file": [{"file_id": 1, "sample_every": 1}],
         "ims_statistics_set": [{"ims": "IMSA"}],
         "ims_a108_source": [
            {**R, "record_no": n, "source": "MPP", "cpu_us": 4_000_000 * n,
             "transactions_processed": 4000 * n} for n in (1, 2)
         ],
         "ims_56fa": [
            {"file_id": 1, "log_lsn": 110, "tpcpstn": 1, "tpextime": 1010, "db_ios": 1,
             "tptdbio": 1000}
         ] * 4000,
         "ims_08": [
            {"file_id": 1, "log_lsn": 109 + pst, "pst": pst, "rtoken": b"%d" % pst,
             "sched_start": AT, "sched": AT + us * MS / 1000}
            for pst, us in ((1, 200_000), (2, 20_000))
         ],
         "ims_07": [{"file_id": 1, "log_lsn": 120, "pst": 1, "rtoken": b"1", "cpu_us": 4_090_000}],
         "smf_dataset_io": [
            {"dataset": "IMSA.DB", "job": "IMSADLI", "interval_s": 60.0, "io_count": 4000.0,
             "resp_us": 4e6}
         ]}, "IMSA CPU", 4_040_000 - 4_000_000 * 1.008,
    ),
    # 100 changes of HOTELDBA, 140 writes of its data sets: 100 + 3 x 10 + 1 may be; those of CUSTDA
    # are not in this log
    "database_writes": (
        {"load_file": FILE, "ims_log_file": [{"file_id": 1, "sample_every": 1}],
         "ims_statistics_set": [{"ims": "IMSA"}],
         "ims_4500": [{**one, "trans_total": 50 * n} for n, one in enumerate(SETS)],
         "ims_5050": [{"file_id": 1, "log_lsn": 110, "database": "HOTELDBA"}] * 100,
         "smf_dataset_io": [
            {"dataset": f"IMSA.{name}.A0000{n}", "job": "IMSADLI", "interval_s": 60.0,
             "io_count": 100.0, "read_count": 30.0}
            for name in ("HOTELDBA", "CUSTDA") for n in (1, 2)
         ]}, "HOTELDBA", 140 - 131.0,
    ),
    # 3 buffers of two subpools, 4 said; 4 of the sync point
    "unit_buffers": (
        {"load_file": FILE,
         "ims_5945": [{**R, "pst": 1, "rtoken": b"1", "uow": b"9", "bufs_used": 4}],
         "ims_5945_subpool": [{**R, "bufs_used": n} for n in (1, 2)],
         "ims_5937": [{**R, "pst": 1, "rtoken": b"1", "uow": b"9", "nba": 3, "oba": 1}]},
        "subpools", 1.0,
    ),
    # 10 blocks of 1,000 bytes and two at the ends have room for 12,000
    "olds_bytes": (
        {"ims_logger": [
            {"ims": "IMSA", "restarted": False, "bytes_written": 12_100, "olds_writes": 10,
             "block_size_bytes": 1000}
         ]}, "IMSA", 100.0,
    ),
    # the second program has 20 times the I/Os of its two units; what came before it is another's.
    # The first has 40 us of a schedule of 50 us. That of region 2 began before the log: not tested
    "program_units": (
        {"load_file": FILE, "ims_log_file": [{"file_id": 1, "sample_every": 1}],
         "ims_07": [
            {"file_id": 1, "log_lsn": lsn, "pst": 1, "program": "P", "psb": "P", "msgs": msgs,
             "cpu_us": cpu, "db_io_us": 0, "db_ios": ios, "rtoken": b"%d" % lsn, "sched": AT,
             "first_gu": AT + us * MS / 1000}
            for lsn, msgs, cpu, ios, us in ((12, 1, 142, 3, 50), (15, 2, 201, 120, 0))
         ] + [
            {"file_id": 1, "log_lsn": 16, "pst": 2, "program": "P", "psb": "P", "msgs": 1,
             "cpu_us": 999, "db_io_us": 0, "db_ios": 3, "rtoken": b"1"},
         ],
         "ims_08": [
            {"file_id": 1, "log_lsn": lsn, "pst": 1, "rtoken": b"%d" % end}
            for lsn, end in ((10, 12), (12, 15))
         ],
         "ims_56fa": [
            {"file_id": 1, "log_lsn": lsn, "tpcpstn": pst, "tpcppsb": "P", "tpextime": 100,
             "tptdbio": 0, "db_ios": 3, "msg_gu": 1}
            for lsn, pst in ((11, 1), (12, 2), (13, 1), (14, 1))
         ]}, "LSN 15 I/Os", 120 - 6.0,
    ),
    "api_times": (
        {"load_file": FILE, "smf123_2_server": [{**R, "smf123_server_jobname": "ZCEE1"}],
         "smf123_2_request": [
            {**R, "smf123s1_time_zc_entry": AT, "smf123s1_time_sor_sent": AT + sent * MS,
             "smf123s1_time_sor_recv": received, "smf123s1_time_zc_exit": AT + 9 * MS}
            for sent, received in ((1, AT + 8 * MS), (2, AT + MS), (3, None), (4, AT + 4 * MS))
         ]}, "ZCEE1 received", 1.0,
    ),
}  # fmt: skip
