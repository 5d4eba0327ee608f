"""Rows made by hand for identities of the audit: one row that holds no more, and by how much.

Each case: views and tables with their rows; the end of the key that must be reported; the excess,
worked out from the rule in the comment of the identity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

Rows = Sequence[Mapping[str, Any]]

AT = datetime(2026, 3, 2, 9, 0)
END = datetime(2026, 3, 2, 9, 1)
MINUTE = timedelta(minutes=1)
R = {"file_id": 1, "record_no": 1}
FILE = [{"file_id": 1}]
SMF30 = {"smf30jbn": "IMSA", "smf30asi": 40, "smf30iss": AT, "smf30iet": END}
OTMA = dict.fromkeys(
    ("messages_out", "bytes_in", "bytes_out", "send_then_commit", "commit_then_send", "send_only",
     "sync_callouts", "sync_responses", "sync_timeouts", "sync_errors", "async_callouts",
     "resume_tpipe", "acks", "naks", "ack_timeouts", "timeouts", "rejected", "flood_warnings",
     "flood_rejects", "acee_creates", "acee_reuses", "acee_refreshes", "credential_messages",
     "credential_bytes", "super_member_messages", "tpipes", "tibs", "max_tibs"), 0,
)  # fmt: skip
PERIOD = {"class": "C", "period": 1}
MINUTE_42 = {**R, "smf42pts": AT, "smf42pte": END}


def products(**other: Any) -> dict[str, Rows]:
    """RMF product sections of a minute with 60 samples; `other` changes one of them."""
    tables: dict[str, Rows] = {"load_file": FILE}
    for table, kind in (
        ("smf70_1", "70"), ("smf72_3", "72"), ("smf73_1", "73"), ("smf74_1", "74"),
        ("smf78_3", "78"),
    ):  # fmt: skip
        row = {f"smf{kind}int": MINUTE, f"smf{kind}sam": 60}
        tables[f"{table}_product"] = [{**R, **row, **{k: v for k, v in other.items() if k in row}}]
    return tables


CASES: dict[str, tuple[dict[str, Rows], str, float]] = {
    # 61 s against 60 x 1.002 + 0.002
    "interval_length": (products(smf73int=timedelta(seconds=61)), "09:00:00", 61 - 60.122),
    # 70 - 1 samples against 60 x 1.0025 + 1
    "sample_counts": (products(smf74sam=70), "09:00:00", 69 - 61.15),
    "section_samples": (  # 62 - 1 against 60 x 1.005
        {**products(),
         "smf73_1_control": [{**R, "smf73smp": 60, "smf73csc": 60}],
         "smf74_1_device": [{**R, "smf74psm": 62, "smf74alc": 10}],
         "smf70_1_control": [{**R, "smf70dsa": 60}],
         "smf70_1_asid": [{**R, "smf70srm": 60}]}, "devices", 61 - 60.3,
    ),
    "storage_samples": (
        {"load_file": FILE, "smf78_2_product": [{**R, "smf78sam": 60}],
         "smf78_2_private": [
            {**R, "r782jobn": j, "r782samp": n} for j, n in (("A", 60), ("B", 63))
         ]}, " B", 2.0,
    ),
    "xcf_samples": (
        {**products(), "smf74_2_product": [{**R, "smf74sam": 66}]}, "09:00:00", 65 - 60.3,
    ),
    "storage_cycles": (
        {**products(), "smf78_2_product": [{**R, "smf78sam": 50}]}, "09:00:00", 59.7 - 51,
    ),
    "service_units": (  # 4,294,967,300 = 2^32 + 4
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_processor": [{**R, "smf30_time_on_ziip": 0}],
         "smf30_performance": [
            {**R, "smf30srv_l": 2**32 + 4, "smf30csu_l": 2**32, "smf30srb_l": 3, "smf30io_l": 1,
             "smf30mso_l": 0, "smf30srv": 4, "smf30csu": 0, "smf30srb": 3, "smf30io": 7}
         ]}, "I/O, 4 bytes", 6.0,
    ),
    "class_service_units": (  # 120 against 60 + 30 + 0 + 10, and 4
        {"rmf_class_period": [
            {**PERIOD, "total_su": 120.0, "cpu_su": 60.0, "ioc_su": 30.0, "mso_su": 0.0,
             "srb_su": 10.0, "iip_us": 0.0}
         ]}, "C 1", 16.0,
    ),
    "excp_blocks": (  # sections 100 + 200; 330 against 300 x 1.005 + 1
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_io": [{**R, "smf30tex": 330, "smf30tep": 330, "smf30ais": 300}],
         "smf30_excp": [{**R, "smf30blk": n} for n in (100, 200)]}, "EXCPs", 330 - 302.5,
    ),
    "excp_connect": (  # DASD 1,010 units of all 1,000: 1,010 x 128 - 128 against 128,000 x 1.005
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_io": [{**R, "smf30tcn": 1000, "smf30aic": 1010}],
         "smf30_excp": [{**R, "smf30dct": n} for n in (400, 600)]}, "DASD",
        1009 * 128 - 128_000 * 1.005,
    ),
    "space_time": (  # 59,000 units of 1,024 us are 60.416 s of a minute
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_subsystem": [{**R, "smf30typ": 2}],
         "smf30_performance": [{**R, "smf30tat": 59_000, "smf30res": 58_000}]}, "active",
        59_000 * 1024 - 1024 - 60e6 * 1.002 - 1024,
    ),
    "space_io": (
        {"smf_address_space": [
            {"kind": "interval", "interval_s": 60.0, "io_count": n} for n in (600.0, 500.0)
         ],
         "rmf_device": [{"interval_s": 60.0, "io_count": 1000.0}]}, "09:00:00Z", 1100 - 1015,
    ),
    "space_io_time": (  # the same I/Os: 120,000 - 128 against 100,000 x 1.007 + 128
        {"smf_address_space": [
            {"kind": "interval", "interval_s": 60.0, "io_count": 1000.0, "io_conn_us": 120_000.0,
             "io_disc_us": 0.0, "io_pend_us": 50_000.0}
         ],
         "rmf_device": [
            {"interval_s": 60.0, "io_count": 1000.0, "conn_us": 100_000.0, "disc_us": 0.0,
             "pend_us": 50_000.0}
         ]}, "connect", 119_872 - 100_828,
    ),
    "class_io": (
        {"rmf_workload": [
            {"kind": "service", "class": "HI", "period": None, "interval_s": 60.0,
             "io_count": 1100.0}
         ],
         "smf_address_space": [
            {"kind": "interval", "service_class": "HI", "interval_s": 60.0, "io_count": 500.0}
         ] * 2}, "HI", 1100 - 1002.0,
    ),
    "class_io_time": (  # pending 60,000 - 128 against 50,000 x 1.005 + 128
        {"rmf_workload": [
            {"kind": "service", "class": "HI", "period": None, "interval_s": 60.0,
             "io_conn_us": 9000.0, "io_disc_us": 0.0, "io_qpend_us": 60_000.0}
         ],
         "smf_address_space": [
            {"kind": "interval", "service_class": "HI", "interval_s": 60.0, "io_count": 10.0,
             "io_conn_us": 9000.0, "io_disc_us": 0.0, "io_pend_us": 50_000.0}
         ]}, "HI pending", 59_872 - 50_378,
    ),
    "class_iosq": (  # 60,000 - 2 x 128 against 50,000 x 1.005 + 128
        {"rmf_workload": [
            {"kind": "service", "class": suffix, "period": None, "io_count": 500.0,
             "io_iosq_us": 30_000.0} for suffix in ("HI", "LO")
         ],
         "load_file": FILE,
         "smf74_1_device": [{**R, "smf74ssc": 500, "smf74ios": n} for n in (50_000.0, 0.0)]},
        "09:00:00", 59_744 - 50_378,
    ),
    "class_time": (  # resident 50,000 units in the space, 40e6 us in the class
        {"load_file": FILE, "smf30_identification": [{**R, **SMF30}],
         "smf30_subsystem": [{**R, "smf30typ": 2}],
         "smf30_performance": [
            {**R, "smf30scn": "HI", "smf30tat": 50_000, "smf30res": 50_000}
         ],
         "rmf_workload": [
            {"kind": "service", "class": "HI", "period": None, "interval_s": 60.0,
             "ended_count": 0.0, "active_us": 51_200_000.0, "resident_us": 40_000_000.0}
         ]}, "HI resident", 51_200_000 * 0.995 - 1024 - 40_001_024,
    ),
    "class_clocks": (  # 1,000 x 1,024 us against 1,100,000 us
        {"rmf_class_period": [{**R, **PERIOD, "section_no": 1}],
         "smf72_3_period": [
            {**R, "section_no": 1, "r723ctet": 1000, "r723ctetx": 1_100_000, "r723cxet": 10,
             "r723cxetx": 10_240, "r723cqdt": 5, "r723cqdtx": 5120, "r723cets": 100.0,
             "r723cetsx": 100.0 * 1024**2}
         ]}, "C 1 response", 1_100_000 * 0.999 - 1_025_024,
    ),
    "response_counts": (
        {"rmf_workload": [
            {"kind": "service", **PERIOD, "ended_count": 100.0, "executed_count": 100.0,
             "buckets": [90, 5]}
         ]}, "distribution", 5.0,
    ),
    "wlm_samples": (  # 60 s in quarters: 240; 250 - 0.5 against 240 x 1.005
        {**products(), "smf72_3_control": [
            {**R, "r723mcnm": "HI", "r723mtv": 250, "r723mtvl": 250}
         ]}, "HI", 249.5 - 241.2,
    ),
    "wlm_states": (  # 10 using of CPU 4 and I/O 4
        {"load_file": FILE, "smf72_3_control": [{**R, "r723mcnm": "HI", "r723mtvl": 250}],
         "smf72_3_period": [
            {**R, "r723cper": 1, "r723ctou": 10, "r723ccus": 4, "r723ciou": 4, "r723supu": None,
             "r723ctsa": 240.0, "r723ctot": 15, "r723cunk": 5, "r723cidl": 210, "r723ctat": 58_594,
             "r723crcp": 0, "r723ccde": 10, "r723ciod": 5, "r723ctdq": 15, "r723csac": 240}
         ]}, "using", 2.0,
    ),
    "wait_and_busy": (  # 900 + 1 against 1,000 x 0.998
        {"rmf_cpu": [
            {"cpu": 1, "thread": None, "mvs_busy_us": 900.0, "lpar_busy_us": 1000.0,
             "parked_us": 0.0}
         ]}, "CPU 1", 97.0,
    ),
    "processor_online": (  # 50 s busy and 15 s waiting of a minute
        {**products(), "rmf_partition_processor": [R],
         "smf70_1_processor": [
            {**R, "partition_no": 1, "section_no": 1, "smf70ont": 60_000_000,
             "smf70pdt": 50_000_000, "smf70wst": 15_000_000}
         ]}, "busy or waiting", 65e6 - 60.06e6,
    ),
    "partition_cpus": (  # 3 CPUs in 60 samples are 180
        {"load_file": FILE, "smf70_1_control": [{**R, "smf70dsa": 60}],
         "smf70_1_partition": [{**R, "smf70lpm": "A", "smf70bdn": 3, "smf70bda": 200}],
         "smf70_1_cpu_id": [{**R, "smf70cin": "CP", "smf70ctn": 4, "smf70can": 240}]},
        "partition A", 200 - 180.9,
    ),
    "space_counts": (  # 6,000 in 60 samples are 100, but 90 at most
        {**products(), "smf70_1_asid": [
            {**R, "smf70itt": 6000, "smf70imn": 80, "smf70imm": 90, "smf70stt": 4800,
             "smf70smn": 80, "smf70smm": 80, "smf70rtt": 60, "smf70rmn": 0, "smf70rmm": 4,
             "smf70srm": 60, "smf70ctt": 90,
             **{f"smf70{kind}mm": 10 for kind in "btaxowlp"}}
         ]}, " in", 10.0,
    ),
    "space_distributions": (
        {**products(), "smf70_1_asid": [
            {**R, "smf70srm": 60,
             **{f"smf70{kind}00_{kind}11": [20, 40] for kind in "iowlpbstax"},
             "smf70r00_r15": [50, 5], "smf70q00_q12": [60], "smf70u00_u15": [60]}
         ]}, "in and ready", 60 * 0.995 - 55,
    ),
    "io_interrupts": (  # starts 1,100 of 1,000
        {"load_file": FILE, "rmf_cpu": [{"cpu": 1}],
         "rmf_partition": [{"own": True, "partition": "A", "dispatch_us": 1.0}],
         "smf70_1_cpu": [{**R, "smf70slh": 900, "smf70tpi": 100, "smf70nio": 1000}],
         "rmf_io_processor": [
            {"iop": n, "start_count": s, "interrupt_count": i, "queue_count": s, "retry_count": 0.0}
            for n, s, i in ((0, 500.0, 500.0), (1, 600.0, 500.0), (None, 1100.0, 1000.0))
         ]}, "started by CPUs", 1100 * 0.995 - 1000,
    ),
    "iop_queue": (  # lengths of 1,100 and 970 over 1,000 enqueues
        {"rmf_io_processor": [
            {"iop": n, "queue_count": 1000.0, "queue_excess_sum": more}
            for n, more in (("00", 100.0), ("01", -30.0), (None, 70.0))
         ]}, "IOP 01", 30.0,
    ),
    "channel_own": (  # 10,000 units of 1,024 us are 10.24 s
        {"rmf_channel": [
            {**R, "section_no": 1, "channel": "50", "part_busy_s": 9.0, "total_busy_s": 20.0,
             "shared": True, "interval_s": 60.0}
         ],
         "smf73_1_channel": [{**R, "section_no": 1, "smf73pby": 10_000, "smf73pti": 58_594}]},
        "50 busy", 10.24 - 0.0011 - 9 * 1.002,
    ),
    "channel_bytes": (
        {"rmf_channel": [
            {"channel": "50", "shared": True, "read_part_bytes": 1e6, "read_total_bytes": 2e6,
             "write_part_bytes": 1e6, "write_total_bytes": 9e5}
         ]}, "50 written", 1e6 - 8192 - 9e5,
    ),
    "channel_operations": (  # 1,000 operations, 900 active in sum
        {"rmf_channel": [
            {"channel": "50", "shared": True, "zhpf_count": 1000.0, "zhpf_active_sum": 900.0,
             "ficon_count": 0.0, "ficon_active_sum": 0.0}
         ],
         "rmf_io_queue": [{"path": "50", "taken_count": 1000.0}]}, "50 zHPF", 1000 - 902.8,
    ),
    "log_channels": (  # 10 blocks of 1,000 and 5 CIs: 30,480 of 20,000 x 1.001 + 8,192
        {"ims_logger": [
            {"ims": "IMSA", "restarted": False, "records_written": 1, "olds_writes": 10,
             "wads_4k": 5, "block_size_bytes": 1000}
         ],
         "rmf_device": [{"lcu": "0090", "volume": "WADS01"}],
         "rmf_io_queue": [{"lcu": "0090", "path": "70"}],
         "rmf_channel": [{"channel": "70", "write_part_bytes": 20_000.0}]}, "log",
        30_480 - 28_212,
    ),
    "device_sum": (  # active 20 units of 5 + 5 + 5, and 1 each
        {"load_file": FILE, "smf74_1_device": [
            {**R, "smf74num": 32768, "smf74atv": 20, "smf74cnn": 5, "smf74dis": 5, "smf74pen": 5,
             "smf74mec": 9, "smf74ssc": 9}
         ]}, "active", (20 - 1 - 18) * 128.0,
    ),
    "unit_io": (
        {"rmf_device": [{"lcu": "0080", "io_count": 1000.0}],
         "rmf_io_queue": [
            {"lcu": "0080", "path": p, "taken_count": t, "alias_io_count": a}
            for p, t, a in (("50", 550.0, None), ("51", 550.0, None), (None, None, 1000.0))
         ]}, "0080 paths", 1100 - 1001.0,
    ),
    "unit_io_time": (  # connect 900 units of 128 us; devices 100,000 us
        {"load_file": FILE, "rmf_device": [
            {"lcu": "0080", "conn_us": 100_000.0, "disc_us": 0.0, "cmr_us": 1280.0}
         ],
         "smf78_3_control": [R],
         "smf78_3_queue": [{**R, "r783id2": 128, "r783dctm": 900, "r783ddtm": 0}],
         "rmf_io_queue": [{"lcu": "0080", "path": "50", "cmr_us": 1280.0}]}, "0080 connect",
        115_200 - 128 - 100_500 - 128,
    ),
    "dataset_zhpf": (
        {"smf_dataset_io": [
            {"dataset": "D", "zhpf_read_count": 12.0, "read_count": 10.0, "io_count": 20.0,
             "zhpf_write_count": 10.0}
         ]}, "D reads", 2.0,
    ),
    "dataset_response": (  # 400 - 0.5 against 200 + 100 + 50 + 0 + 3.5
        {"load_file": FILE, "smf42_6_io": [
            {**R, "section_no": 3, "s42dsr1u": 400, "s42dsc1u": 200, "s42dsp1u": 100,
             "s42dsd1u": 50, "s42dsq1u": 0}
         ]}, " 3", 399.5 - 353.5,
    ),
    "dataset_time": (  # 12,000 - 50 against 10,000 x 1.005 + 128
        {"smf_dataset_io": [
            {"volume": "V", "io_count": 100.0, "conn_us": 12_000.0, "pend_us": 0.0, "disc_us": 0.0}
         ],
         "rmf_device": [
            {"volume": "V", "io_count": 100.0, "conn_us": 10_000.0, "pend_us": 0.0, "disc_us": 0.0}
         ]}, "V connect", 11_950 - 10_178,
    ),
    "device_exposures": (  # 60 samples of a HyperPAV base without I/O; 0002 is none, 0003 has I/O
        {"load_file": FILE, "smf74_1_device": [
            {**R, "smf74num": n, "smf74nux": x, "smf74psm": 60, "smf74cnx": c, "smf74ssc": i,
             "smf74atv": i}
            for n, x, c, i in ((0, 61, 3, 0), (1, 65, 3, 0), (2, 1, 1, 0), (3, 90, 3, 5))
         ]}, "0001", 64 - 60.0,
    ),
    "dataset_command": (  # 100 x 120 us, 100 x 100 us and a unit of 128 us over 100 measured I/Os
        {"load_file": FILE, "smf42_6_dataset": [{**R, "section_no": 2, "s42dsvol": "V"}],
         "smf42_6_product": [MINUTE_42],
         "smf42_6_io": [{**R, "section_no": 5, "dataset_no": 2, "s42dsion": 100, "s42dsm1u": 120}],
         "rmf_device": [
            {"volume": "V", "io_count": 100.0, "measured_count": 100.0, "cmr_us": 10_000.0}
         ]}, "V", 119 - (10_010 + 128) / 100,
    ),
    "storage_class_io": (
        {"load_file": FILE, "smf42_5_product": [MINUTE_42], "smf42_5_storage_class": [
            {**R, "s42scrnn": "SC", "s42scion": 100, "s42scrdt": 60, "s42schrd": 60, "s42schwr": 50}
         ],
         "smf_dataset_io": [
            {"storage_class": "SC", "io_count": 100.0, "read_count": 60.0, "zhpf_read_count": 60.0,
             "zhpf_write_count": 40.0}
         ]}, "SC zHPF writes", 50 - 40.0,
    ),
    "storage_class_time": (  # 100 x 200 us - 100 against 18,000 x 1.002
        {"load_file": FILE, "smf42_5_product": [MINUTE_42], "smf42_5_storage_class": [
            {**R, "s42scrnn": "SC", "s42scion": 100, "s42scr1u": 300, "s42scc1u": 200,
             "s42scp1u": 100}
         ],
         "smf_dataset_io": [
            {"storage_class": "SC", "io_count": 100.0, "resp_us": 30_000.0, "conn_us": 18_000.0,
             "pend_us": 10_000.0}
         ]}, "SC connect", 19_900 - 18_036,
    ),
    "xcf_balance": (
        {"rmf_xcf_member": [
            {"group_name": "G", "member_system": "SYSA", "sent_count": s, "received_count": r}
            for s, r in ((1000.0, 0.0), (0.0, 900.0))
         ]}, " G", 998 - 900.0,
    ),
    "storage_complement": (  # 2,000 used and 1,900 free of 4,000 KB
        {"rmf_common_storage": [
            {"area": "CSA", "location": "below", "subpool": None, "key": "ALL", "measure": m,
             "min_kb": low, "max_kb": high, "size_kb": 4000.0}
            for m, low, high in (("used", 2000.0, 2000.0), ("free", 1900.0, 2000.0))
         ]}, "most used", 96.0,
    ),
    "log_bytes": (  # 2,000 records of 100 bytes: 200,000
        {"ims_logger": [
            {"ims": "IMSA", "file_id": 1, "bytes_written": 220_000, "records_written": 2000,
             "restarted": False}
         ],
         "load_count": [{**R, "kind": "ims", "type": "01", "bytes": 200_000, "records": 2000}],
         "ims_log_file": [{"file_id": 1, "sample_every": 1}]}, "IMSA", 220_000 - 201_000,
    ),
    "check_writes": (
        {"ims_logger": [
            {"ims": "IMSA", "ckpt_no": 2, "check_write": 1300, "awe_submitted": 1000,
             "restarted": False}
         ],
         "ims_statistics_set": [
            {"ims": "IMSA", "ckpt_no": 2, "transactions_count": 1000, "restarted": False}
         ]}, "check writes", 1300 - 1105,
    ),
    "log_io": (  # 110 against 100 + 2
        {"ims_logger": [
            {"ims": "IMSA", "restarted": False, "records_written": 1, "wads_excpvr": 110,
             "olds_writes": 40}
         ],
         "smf_dataset_io": [
            {"job": "IMSA", "dataset": d, "io_count": n, "read_count": 0.0}
            for d, n in (("I.DFSWADS0", 100.0), ("I.DFSOLP01", 40.0))
         ]}, "WADS", 110 - 102.0,
    ),
    "buffer_calls": (  # 100 calls: 60 located, 30 retrieved, 10 inserted; of 60 blocks 50 + 9
        {"load_file": FILE,
         "ims_4504": [{**R, "imsid": "IMSA", "ckpt_no": 1, "sample": AT}],
         "ims_4504_subpool": [{**R, "locate": 60, "hit": 50, "reads": 9, "alter": 5, "purge": 7}],
         "ims_4508": [{**R, "record_no": 2, "imsid": "IMSA", "ckpt_no": 1, "sample": AT}],
         "ims_4508_subpool": [
            {**R, "record_no": 2, "rba_retr": 30, "key_retr": 0, "get_hit": 20, "get_io": 10,
             "esds_ins": 10, "ksds_ins": 0, "alter": 3, "sync": 7}
         ],
         "ims_a108": [{**R, "record_no": 3, "imsid": "IMSA", "ckpt_no": 1, "sample": AT}],
         "ims_a108_source": [
            {**R, "record_no": 3, "db_gu_calls": 50, "db_gn_calls": 32, "db_gnp_calls": 0,
             "db_isrt_calls": 10, "db_dlet_calls": 4, "db_repl_calls": 4, "db_other_calls": 0}
         ]}, "IMSA 1 OSAM blocks", 1.0,
    ),
    "buffer_io": (  # 90 reads of OSAM data sets, 100 of the pool; writes agree
        {"ims_db_buffer": [
            {"ims": "IMSA", "restarted": False, "kind": "OSAM", "reads": 100, "block_writes": 30,
             "chain_writes": 0, "user_writes": None, "nonuser_writes": None}
         ],
         "smf_dataset_io": [
            {"job": "IMSADLI", "dataset": "I.HOTELDBA", "dataset_type": "PS", "io_count": 120.0,
             "read_count": 90.0},
            {"job": "IMSACTL", "dataset": "I.DFSOLP01", "dataset_type": "PS", "io_count": 9.0,
             "read_count": 9.0},
         ]}, "OSAM reads", 100 - 90.0,
    ),
    "log_io_time": (  # 12,000 us against (10,000 + 50) x 1.005
        {"ims_logger": [
            {"ims": "IMSA", "restarted": False, "records_written": 1, "wads_excpvr": 100,
             "olds_writes": 50,
             "wads_us": 5000, "olds_us": 12_000}
         ],
         "smf_dataset_io": [
            {"job": "IMSA", "dataset": d, "io_count": n, "read_count": 0.0, "resp_us": t}
            for d, n, t in (("I.DFSWADS0", 100.0, 5000.0), ("I.DFSOLP01", 50.0, 10_000.0))
         ]}, "OLDS", 12_000 - 10_050 * 1.005,
    ),
    "olds_blocks": (  # 120 against 100 + 2
        {"ims_logger": [
            {"ims": "IMSA", "restarted": False, "olds_writes": 100, "interval_s": 60.0}
         ],
         "ims_olds_use": [
            {"ims": "IMSA", "closed_utc": END, "blocks_count": 120, "in_use_s": 60.0}
         ]}, "IMSA", 120 - 102.0,
    ),
    "pool_bytes": (  # 10 primary, 1 secondary of 5: 15 x 1,000; 30,000 x 1 against that and a page
        {"load_file": FILE, "ims_450e": [
            {**R, "pool": "DYNP", "ckpt_no": 1, "pool_size": 30_000, "pool_max": 15_000,
             "pool_max_restart": 15_000}
         ],
         "ims_450e_buffer": [
            {**R, "buf_size": 1000, "prim": 10, "sec": 5, "blocks": 2, "high_blocks": 2,
             "max_blocks": 2}
         ]}, "DYNP 1 now", 30_000 - 15_075 - 4096,
    ),
    "pool_order": (
        {"load_file": FILE, "ims_450e_buffer": [
            {**R, "buf_size": 1000, "prim": 10, "sec": 5, "max_blocks": 1, "low_blocks": 1,
             "high_blocks": 1, "avg_blocks_c": 100, "low_bufs": 1, "bufs": 5, "high_bufs": 9,
             "max_bufs": 12, "gets": 10, "bytes_req": 9000}
         ]}, "since the start", 2.0,
    ),
    "served_samples": (  # seen serving 50 times in 100 samples, 60 of them idle
        {"load_file": FILE, "smf72_3_control": [{**R, "r723mcnm": "REG"}],
         "smf72_3_served": [{**R, "r723scs": n} for n in (20, 30)],
         "smf72_3_period": [{**R, "r723ctsa": 100.0, "r723cidl": 60}]}, "REG", 9.0,
    ),
    "xcf_length": (
        {**products(), "smf74_2_product": [{**R, "smf74int": timedelta(seconds=61)}]}, "09:00:00",
        61 - 60.122,
    ),
    "storage_length": (
        {**products(), "smf78_2_product": [{**R, "smf78int": timedelta(seconds=59)}]}, "09:00:00",
        59.878 - 59,
    ),
    "storage_extremes": (  # 10 samples of 100 at least and 1,030 in all: 130 at most
        {"rmf_common_storage": [
            {"area": "CSA", "subpool": None, "key": "7", "measure": "used", "location": "below",
             "samples_count": 10.0, "min_kb": 100.0, "max_kb": 140.0, "total_kb": 1030.0}
         ],
         "rmf_private_storage": [
            {"job": "IMSA", "area": "LSQA", "measure": "allocated", "location": "above",
             "samples_count": 10.0, "min_kb": 1.0, "max_kb": 1.0, "total_kb": 10.0}
         ]}, "CSA key 7 used below most", 139.5 - (1030.00103 - 900 + 0.5),
    ),
    "record_latch": (
        {"ims_latch": [
            {"ims": "IMSA", "latch": n, "exclusive_gets": 2000} for n in ("LOGL", "LREC")
         ],
         "ims_statistics_set": [{"ims": "IMSA", "transactions_count": 1000, "restarted": False}]},
        "IMSA", 2000 - 1105,
    ),
    "pool_record": (  # 10 before, 12 in this interval, 15 since the start
        {"load_file": FILE,
         "ims_450e": [
            {"file_id": 1, "record_no": n, "imsid": "IMSA", "pool": "DYNP", "ckpt_no": n}
            for n in (1, 2)
         ],
         "ims_450e_buffer": [
            {"file_id": 1, "record_no": n, "buf_size": 1000, "high_bufs": h, "max_bufs": m}
            for n, h, m in ((1, 10, 10), (2, 12, 15))
         ]}, "DYNP 1000 2", 3.0,
    ),
    "allocations": (  # three data sets in each of 40 samples, one section with all I/O
        {"load_file": FILE, "smf74_1_device": [{**R, "section_no": 1, "smf74alc": 40}],
         "smf30_identification": [{**R, **SMF30}],
         "smf30_excp": [{**R, "smf30cua": 0x8000, "smf30blk": 100}],
         "rmf_device": [
            {**R, "section_no": 1, "device": "08000", "io_count": 100.0, "samples_count": 60,
             "data_sets_count": 120.0}
         ]}, "08000", 3 - 1.002,
    ),
    "otma_members": (  # 10 and 20 messages of two members, 33 in all
        {"load_file": FILE,
         "ims_451a": [{**R, **OTMA, "imsid": "IMSA", "ckpt_no": 1, "messages_in": 33}],
         "ims_451b": [{**R, "ckpt_no": 1}],
         "ims_451b_member": [{**R, **OTMA, "messages_in": n} for n in (10, 20)]},
        "IMSA 1 messages_in", 3.0,
    ),
}  # fmt: skip
