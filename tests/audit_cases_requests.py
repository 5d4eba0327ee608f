"""Rows made by hand, as in audit_cases.py: single requests of CICS and z/OS Connect; paging."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from audit_cases import AT, FILE, R, Rows

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
            {**R, "system": one, "smf74sam": 400} for one in ("SYSA", "SYSB")
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
    "api_times": (
        {"load_file": FILE, "smf123_2_server": [{**R, "smf123_server_jobname": "ZCEE1"}],
         "smf123_2_request": [
            {**R, "smf123s1_time_zc_entry": AT, "smf123s1_time_sor_sent": AT + sent * MS,
             "smf123s1_time_sor_recv": received, "smf123s1_time_zc_exit": AT + 9 * MS}
            for sent, received in ((1, AT + 8 * MS), (2, AT + MS), (3, None), (4, AT + 4 * MS))
         ]}, "ZCEE1 received", 1.0,
    ),
}  # fmt: skip
