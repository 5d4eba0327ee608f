"""Rows made by hand, as in audit_cases.py: paging, coupling facility, cache, log streams."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from audit_cases import END, FILE, MINUTE, SMF30, R, Rows

PROCESSOR = {**R, "r744pnum": 0, "r744ptyp": 128}
FACILITY = [{**R, "r744fnam": "CF01", "r744ftor": 1000.0}]
STREAM = {"log_stream": "CQS.LOG", "structure": "STR", "interval_end": END, "interval_end_utc": END}
FRAMES: dict[str, Any] = {
    **R, "smf71mnf": 1000, "smf71avf": 1000, "smf71mxf": 1000, "smf71lvf": 1000.0,
    "smf71mnt": 3000, "smf71avt": 3000, "smf71mxt": 3000, "smf71lvt": 3000.0,
    "smf71cam": 1000.0, "smf71caa": 1000.0, "smf71cax": 1000.0,
    "smf71ulc": 65535, "smf71uac": 65535, "smf71uhc": 65535,
}  # fmt: skip
DEVICE = {
    **R, "r745dvol": "V", "r745drcr": 100.0, "r745dcrh": 90.0, "r745dwrc": 50.0, "r745dwch": 50.0,
    "r745drsr": 0.0, "r745drsh": 0.0, "r745dwsr": 10.0, "r745dwsh": 10.0,
}  # fmt: skip
SPACES = {
    **R, **{f"smf70{kind}{what}": 0 for kind in "isrb" for what in ("mn", "tt", "mm")},
}  # fmt: skip

PAGES: dict[str, Any] = {
    "directory_count": 0.0, "directory_hit_count": 0.0, "buffer_bytes": None,
    "buffer_max_bytes": None,
}  # fmt: skip


def product(number: str, seconds: int) -> dict[str, Rows]:
    """A product section of so many seconds beside one of 74.1 of a minute."""
    kind = f"smf{number.partition('_')[0]}int"
    return {
        "load_file": FILE,
        "smf74_1_product": [{**R, "smf74int": MINUTE}],
        f"smf{number}_product": [{**R, kind: timedelta(seconds=seconds)}],
    }


CASES: dict[str, tuple[dict[str, Rows], str, float]] = {
    # 61 s against 60 x 1.002 + 0.002; 59 s against 60 x 0.998 - 0.002
    "paging_length": (product("71_1", 61), "09:00:00", 61 - 60.122),
    "facility_length": (product("74_4", 59), "09:00:00", 59.878 - 59),
    "cache_length": (product("74_5", 61), "09:00:00", 61 - 60.122),
    "paging_range": (  # ten samples of 1,000 and none less: no more than 10 x 1,001 - 9 x 1,000
        {"load_file": FILE, "smf71_1_product": [{**R, "smf71sam": 10}],
         "smf71_1_paging": [{**FRAMES, "smf71mxf": 1020}]}, "not in use most", 10.0,
    ),
    "frames_in_use": (  # 3,050 frames of areas where 3,000 are in use, cut from less than 3,001
        {"load_file": FILE, "smf71_1_paging": [
            {**R, "smf71tfc": 4000, "smf71fin": 0, "smf71mnf": 900, "smf71avf": 1000,
             "smf71mxf": 1100, "smf71mnt": 2900, "smf71avt": 3000, "smf71mxt": 3100,
             "smf71asr": 1000, "smf71alp": 500, "smf71avp": 300, "smf71alr": 200,
             "smf71avs": 1000, "smf71avr": 50}
        ]}, "areas", 49.0,
    ),
    "paging_negative": (
        {"load_file": FILE, "smf71_1_paging": [
            {**R, "smf71tfc": 4000, "smf71caa": 3.0, "smf71cam": -1.0, "smf71opt": "00"}
        ]}, "09:00:00", 1.0,
    ),
    "class_negative": (
        {"load_file": FILE, "smf72_3_period": [
            {**R, "section_no": n, "r723csrv": 7.0, "r723cprs": p, "r723plsc": ""}
            for n, p in ((1, 4.0), (2, -5.0))
         ]}, "record 1 period 2", 5.0,
    ),
    "structure_negative": (
        {"load_file": FILE, "smf74_4_request": [
            {**R, "r744snam": n, "r744ssta": t, "r744ssrc": 1.0}
            for n, t in (("A", 0.0), ("B", -2.0))
         ]}, " B", 2.0,
    ),
    "class_frames": (  # 500 + 400 frames for a minute; 1,000 less 0.5 % and half of ten samples
        {"load_file": FILE, "smf71_1_product": [{**R, "smf71sam": 10}],
         "rmf_paging": [
            {**R, "private_min_frames": 1000.0, "total_frames": 5000.0,
             "available_min_frames": 3000.0}
         ],
         "rmf_workload": [
            {"kind": "service", "class": c, "period": None, "frames_us": n * 60e6}
            for c, n in (("HI", 500.0), ("LO", 400.0))
         ]}, "all classes", 945 - 900.0,
    ),
    "class_page_time": (  # 50,000 units in the space, 40e6 us of a frame in the class
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_subsystem": [{**R, "smf30typ": 2}],
         "smf30_performance": [{**R, "smf30scn": "HI"}],
         "smf30_storage": [{**R, "smf30psc": 50_000}],
         "rmf_workload": [
            {"kind": "service", "class": "HI", "period": None, "frames_us": 40_000_000.0}
         ]}, "HI", 51_200_000 * 0.995 - 1024 - 40_001_024,
    ),
    "facility_processors": (  # 59 s of 60, dedicated: 59.88 at least; shared: less is possible
        {"load_file": FILE, "smf74_4_facility": FACILITY,
         "smf74_4_product": [{**R, "smf74int": MINUTE}],
         "smf74_4_processor": [
            {**PROCESSOR, "r744pbsy": 9_000_000, "r744pwai": 50_000_000},
            {**PROCESSOR, "r744pnum": 1, "r744pbsy": 9_000_000, "r744pwai": 51_000_000},
            {**PROCESSOR, "r744pnum": 2, "r744ptyp": 0, "r744pbsy": 1, "r744pwai": 1},
         ]}, "CF01 0", 880_000.0,
    ),
    "facility_requests": (  # 900 + 200 against 1,000 x 1.001 + 10
        {"load_file": FILE, "smf74_4_facility": FACILITY,
         "smf74_4_request": [
            {**R, "r744snam": f"S{n}", "r744ssrc": n, "r744sarc": a, "r744strc": 900.0}
            for n, a in ((900.0, 0.0), (100.0, 100.0))
         ]}, "CF01", 1100 - 1011.0,
    ),
    "facility_storage": (  # 600 + 500 of 1,000 blocks
        {"load_file": FILE, "smf74_4_facility": FACILITY,
         "smf74_4_request": [{**R, "r744ssiz": 200}, {**R, "r744ssiz": 400}],
         "smf74_4_storage": [{**R, "r744gtsd": 1000, "r744gtsf": 500}]}, "CF01", 1100 - 1001.0,
    ),
    "logstream_blocks": (  # 100 writes, none below 700 bytes: 99 x 700 and one of 1,200 at most
        {"smf_logstream": [
            {**STREAM, "write_count": 100.0, "type1_count": n, "written_bytes": 70_500.0,
             "min_block_bytes": 700, "max_block_bytes": 1205} for n in (99.0, 100.0)
         ]}, "CQS.LOG longest", 5.0,
    ),
    "logstream_structure": (  # 90 of 100 writes, no offload now or next; then one offload
        {"smf_logstream": [
            {**STREAM, "interval_end": END + n * MINUTE, "write_count": 100.0, "type1_count": w,
             "written_bytes": 80_000.0, "interim_bytes": 80_000.0, "offload_count": o,
             "dasd_switch_count": 0.0, "entry_full_count": 0.0, "structure_full_count": 0.0}
            for n, w, o in ((0, 90.0, 0.0), (1, 80.0, 0.0), (2, 70.0, 1.0))
         ]}, "CQS.LOG type 1", 99.5 - 1 - 90,
    ),
    "logstream_requests": (  # 130 writes, 100 requests: 100 + 2
        {"smf_logstream": [{**STREAM, "write_count": 130.0}],
         "rmf_cf_structure": [{"structure": "STR", "request_count": 100.0, "interval_s": 60.0}]},
        "STR", 130 - 102.0,
    ),
    "cache_hits": (
        {"load_file": FILE, "smf74_5_device": [{**DEVICE, "r745dwch": 53.0}]}, "V writes", 3.0,
    ),
    "cache_staging": (  # 200 misses, 160 tracks: 160 x 1.005 + 2
        {"rmf_cache": [
            {"ssid": s, "device": d, "read_count": 1000.0, "read_hit_count": 900.0,
             "stage_count": 80.0} for s in ("2100", "2101") for d in (None, "8000")
         ]}, "all", 200 - 162.8,
    ),
    "cpu_service": (  # 100,000 units of 339 / 16 us are 2,118,750 us; 2.0 s and a hundredth
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_performance": [
            {**R, "smf30csu_l": 100_000, "smf30srb_l": 10_000, "smf30sus": 339, "smf30cpc": 10,
             "smf30src": 10}
         ],
         "smf30_processor": [
            {**R, "smf30cpt": 200, "smf30cps": 21, "smf30enc": 0, "smf30_time_on_ziip": 0,
             "smf30_enclave_time_on_ziip": None}
         ]}, "IMSA tasks", 2_118_750 * 0.995 - 2_010_000,
    ),
    "undelayed_online": (  # 500 and 400 us of 1,000; the other partition does not work
        {"rmf_partition_processor": [
            {**R, "section_no": n, "own": True, "active": True, "dedicated": False, "type": "CP",
             "address": n, "dispatch_us": 500.0, "online_us": 1000.0, "wait_completion": False,
             "initial_cap": False, "hw_cap": False, "hw_group_cap": False,
             "wlm_capped_samples_count": 0} for n in (1, 2)
         ],
         "rmf_partition": [
            {"partition": p, "own": p == "A", "dispatch_us": d} for p, d in (("A", 1.0), ("B", 0.0))
         ],
         "smf70_1_processor": [
            {**R, "section_no": n, "smf70wst": w} for n, w in ((1, 500), (2, 400))
         ]}, "CP 2", 998 - 900.0,
    ),
    "cache_data_sets": (  # 1,100 reads, 1,000 of the volume; SYSC has another of the same name
        {"rmf_cache": [
            {"system": s, "ssid": "2100", "device": "8000", "volume": "V", "read_count": r,
             "write_count": 700.0, "inhibit_count": 0.0, "bypass_cache_count": 0.0}
            for s, r in (("SYSA", 1000.0), ("SYSB", 1000.0), ("SYSC", 50.0))
         ],
         "smf_dataset_io": [
            {"system": s, "volume": "V", "read_count": r, "io_count": r + w}
            for s, r, w in (("SYSA", 500.0, 100.0), ("SYSB", 600.0, 500.0), ("SYSC", 40.0, 400.0))
         ]}, "V reads", 1100 - 1015.0,
    ),
    "quick_messages": (  # 1,300 of 1,000 transactions: 1,000 x 1.005 + 100
        {"load_file": FILE,
         "ims_4506": [
            {"file_id": 1, "imsid": "IMSA", "ckpt_no": n, "schedules": s, "quick_resched": q}
            for n, s, q in ((1, 10, 100), (2, 20, 1390))
         ],
         "ims_statistics_set": [
            {"ims": "IMSA", "ckpt_no": 2, "transactions_count": 1000, "restarted": False}
         ]}, "IMSA 2", 1300 - 1105.0,
    ),
    "log_waits": (
        {"ims_logger": [
            {"ims": "IMSA", "restarted": False, "wait_writes": 100, "check_write": 100,
             "wads_excpvr": 90, "wads_4k": 80}
         ]}, "IMSA WADS", 10.0,
    ),
    "space_extremes": (  # ten samples, 400 in all, 50 at most: 40 at least once at least
        {"load_file": FILE, "smf70_1_product": [{**R, "smf70sam": 10}],
         "smf70_1_asid": [{**SPACES, "smf70imn": 39, "smf70itt": 400, "smf70imm": 40}]},
        "in least", 1.0,
    ),
    "facility_execution": (  # 700 + 400 us of 1,000
        {"load_file": FILE, "smf74_4_facility": FACILITY,
         "smf74_4_processor": [{**R, "r744pbsy": 600}, {**R, "r744pbsy": 400}],
         "smf74_4_request": [{**R, "r744setm": 700.0}, {**R, "r744setm": 400.0}]},
        "CF01", 1100 - 1011.0,
    ),
    "structure_entries": (  # 220 elements of 200
        {"load_file": FILE, "smf74_4_request": [
            {**R, "r744snam": "MSGQ", "r744slem": 100, "r744slel": 100, "r744scue": 220,
             "r744smae": 200, "r744sltm": 0, "r744sltl": 0}
         ]}, "MSGQ elements", 20.0,
    ),
    "pdse_buffers": (  # classes have 700 and 350 of 1,000 pages
        {"smf_pdse": [
            {**PAGES, "storage_class": None, "member_count": 1000.0, "member_hit_count": 1000.0,
             "buffer_bytes": 40 * 4096.0, "buffer_max_bytes": 40 * 4096.0},
            {**PAGES, "storage_class": "SCA", "member_count": 700.0, "member_hit_count": 0.0},
            {**PAGES, "storage_class": "SCB", "member_count": 350.0, "member_hit_count": 350.0},
        ]}, "*ALL members of classes", 50.0,
    ),
    "resident_spaces": (  # 188 in each of ten samples, 138 x 60 s of a minute in classes
        {"load_file": FILE, "smf70_1_product": [{**R, "smf70sam": 10}],
         "smf70_1_asid": [{**SPACES, "smf70itt": 1880}],
         "rmf_workload": [{"kind": "policy", "period": None, "resident_us": 138 * 60e6}]},
        "09:00:00", 188 - (138 * 1.005 + 1),
    ),
    "wait_state": (  # 400 us of wait state, 300 x 1.002 + 1 waiting
        {"rmf_cpu": [
            {**R, "cpu": 1, "thread": None, "type": "CP", "parked_us": 0.0,
             "mvs_unparked_us": 1000.0, "mvs_busy_us": 700.0}
         ],
         "rmf_partition_processor": [
            {**R, "section_no": 2, "own": own, "type": "CP", "address": 1, "wait_completion": False}
            for own in (True, False)
         ],
         "smf70_1_processor": [{**R, "section_no": 2, "smf70wst": 400}]}, "CPU 1", 400 - 301.6,
    ),
    "dataset_mean": (  # 120 us of each, 100 x 100 us and a unit over 100 measured I/Os
        {"smf_dataset_io": [
            {"volume": "V", "io_count": 100.0, "conn_us": 12_000.0, "pend_us": 0.0, "disc_us": 0.0}
         ],
         "rmf_device": [
            {"volume": "V", "io_count": 100.0, "measured_count": 100.0, "conn_us": 10_000.0,
             "pend_us": 0.0, "disc_us": 0.0}
         ]}, "V connect", 119 - (10_050 + 128) / 100,
    ),
}  # fmt: skip
