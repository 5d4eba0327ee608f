"""SMF 42.5, 42.6, 88, 110.1 and 123: hand-worked examples; records of many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from record_checks import HOST, MS, START, US, compare, every, read, written

from imsperf.errors import LayoutError
from imsperf.synthetic.smf.io_means import IoUse, means
from imsperf.synthetic.smf.type42 import (
    BufferUse,
    DataSet,
    DataSetUse,
    Job,
    buffer_group,
    data_set_groups,
    storage_class_group,
)
from imsperf.synthetic.smf.type88 import (
    LogStream,
    LogStreamUse,
    LogStructure,
    log_stream_group,
    structure_group,
)
from imsperf.synthetic.smf.type110 import Region, dictionary_group, task_groups
from imsperf.synthetic.smf.type123 import Api, ApiRequests, Server, request_groups


def first(*values: int) -> np.ndarray:
    """What the first of two things did, interval by interval; the second did nothing."""
    return np.array([[value, 0] for value in values], dtype=np.int64)


def test_data_sets(tmp_path: Path) -> None:
    use = IoUse(
        io=first(600, 3, 3),
        conn=first(153_600 * US, MS, MS),
        pend=first(76_800 * US, 0, 0),
        disc=first(76_800 * US, 0, 0),
        reads=first(500, 3, 3),
        zhpf_reads=first(480, 0, 0),
        zhpf_writes=first(90, 0, 0),
    )
    data_sets = [
        DataSet(f"IMS.ACCTA00{n}", f"S60$0{n}", 0x7FFF + n, storage_class="SCIMS") for n in (1, 2)
    ]
    groups = data_set_groups(
        Job("IMSACTL", service_class="STCIMS", workload="STC"),
        data_sets,
        DataSetUse(use=use),
        HOST,
        every(60, 3),
    )
    compare("type42_6", groups, tmp_path / "dump")


def test_means_keep_the_sum() -> None:
    """Means times counts are the running total, less than one unit for each of the last I/Os.

    No mean is more than a unit off, however few the I/Os behind a large remainder.
    """
    random = np.random.default_rng(2)
    count = random.integers(0, 500, (300, 4)) * random.integers(0, 2, (300, 4))
    total = count * random.integers(0, 90, (300, 4)) + random.integers(0, 9, (300, 4)) * (count > 0)
    mean_values = means(total, count, 7)
    over = np.cumsum(total - mean_values * count * 7, axis=0)
    assert (over >= 0).all() and over[-1].max() < 7 * 500 * 3
    exact = total / np.maximum(count * 7, 1)
    assert (np.abs(mean_values - exact)[count > 0] < 1 + 1e-9).all()


def test_a_mean_is_the_same_in_both_fields() -> None:
    """0.9 us a time, for long enough that 128 us are left over: the coarse field stays 0."""
    io = np.full((400, 1), 1000)
    columns = IoUse(io=io, disc=io * 9 * US // 10).columns("s42ds")
    fine, coarse = columns["s42dsd1u"], columns["s42dsiod"]
    assert fine.sum() == 360
    assert not coarse.any()


def test_data_sets_of_many_records(tmp_path: Path) -> None:
    names = [f"IMS.AREA{n:04d}" for n in range(250)]
    data_sets = [DataSet(name, "VOL001", 1) for name in names]
    io = np.arange(500, dtype=np.int64).reshape(2, 250)
    groups = data_set_groups(
        Job("ONE"), data_sets, DataSetUse(use=IoUse(io=io)), HOST, every(60, 2)
    )
    records = written(groups)
    rows = read(records, tmp_path / "dump")
    assert len(records) == 2 * 3 and max(map(len, records)) <= 32_756
    used = zip(rows["smf42_6_dataset"], rows["smf42_6_io"], strict=True)
    by_name = {(r["s42dsn"], r["record_no"] > 3): i["s42dsion"] for r, i in used}
    assert by_name == {
        (name, late): 250 * late + n for n, name in enumerate(names) for late in (0, 1)
    }


def test_storage_classes(tmp_path: Path) -> None:
    def only(value: int) -> np.ndarray:
        return np.array([[value]], dtype=np.int64)

    use = IoUse(
        io=only(600), conn=only(153_600 * US), pend=only(76_800 * US), disc=only(76_800 * US),
        reads=only(500),
    )  # fmt: skip
    group = storage_class_group(["SCIMS"], use, HOST, every(60))
    compare("type42_5", [group], tmp_path / "dump")


def test_buffers_of_pdses(tmp_path: Path) -> None:
    use = BufferUse(
        pages=np.array([[64_000, 9_000], [6_400, 0]]),
        found=np.array([[48_000, 9_000], [6_400, 0]]),
        directory=np.array([[2_000, 0], [200, 0]]),
        directory_found=np.array([[2_000, 0], [200, 0]]),
        buffers=65_536,
        in_use=np.array([1_000, 1_064]),
        lru_s=60,
        lru_cycles=15,
    )
    compare("type42_1", [buffer_group(["SCPGM"], use, HOST, every(120, 2))], tmp_path / "dump")


def test_log_streams(tmp_path: Path) -> None:
    streams = [LogStream("CQS.MSGQ.LOG", "LOGR01"), LogStream("IMSA.DASDLOG")]
    use = LogStreamUse(
        writes=first(60_000),
        shortest=first(100),
        longest=first(4000),
        bytes_written=first(24_000_000),
        bytes_to_disk=first(12_000_000),
        disk_ios=first(300),
        interim_bytes=first(18_000_000),
        deleted_late_bytes=first(10_000_000),
        deleted_late=first(2500),
        type_1=first(59_900),
        offloads=first(2),
    )
    stream = [[24_000_000]], [[60_000]], [[2]]
    structure = structure_group(
        [LogStructure("LOGR01", 65_536, 1, 400, 512)], *map(np.array, stream), HOST, every(60)
    )
    groups = [log_stream_group(streams, use, HOST, every(60)), structure]
    assert len(written(groups)) == 3
    file = tmp_path / "dump"
    compare("type88", groups, file)


FIELDS = (
    "tran", "start", "stop", "trannum", "usrdispt", "usrcput", "susptime", "imsreqct", "imswait",
)  # fmt: skip
REGION = Region("CICSA001", "CICSAJ01", FIELDS)


def at(*seconds: float) -> np.ndarray:
    return START + np.array([round(second * 1e6) for second in seconds]).astype("timedelta64[us]")


def test_cics(tmp_path: Path) -> None:
    tasks = {
        "tran": np.array(["CRDT", "DEBT"]),
        "start": at(10, 11),
        "stop": at(10.0025, 12),
        "trannum": np.array([101, 102]),
        "usrdispt_us": np.array([1500 * US, 0]),
        "usrdispt_count": np.array([4, 0]),
        "usrcput_us": np.array([700 * US, 0]),
        "usrcput_count": np.array([4, 0]),
        "susptime_us": np.array([1000 * US, 0]),
        "susptime_count": np.array([3, 0]),
        "imsreqct": np.array([17, 0]),
        "imswait_us": np.array([600 * US, 0]),
        "imswait_count": np.array([5, 0]),
    }
    groups = [dictionary_group(REGION, HOST, START), *task_groups(REGION, tasks, HOST)]
    compare("type110", groups, tmp_path / "dump")


def test_cics_tasks_of_many_records(tmp_path: Path) -> None:
    """1000 tasks, records as full as they can be; a field without a published number."""
    region = Region("CICSA002", "CICSAJ02", (*FIELDS, "qrcput", "scusrhwm_106"))
    number = np.arange(1000)
    tasks: dict[str, Any] = {
        "tran": np.where(number % 2, "CRDT", "DEBT"),
        "start": at(*number),
        "stop": at(*(number + 0.5)),
        "trannum": number,
        "qrcput_us": number * US,
        "scusrhwm_106": number * 16,
    }
    groups = [dictionary_group(region, HOST, START), *task_groups(region, tasks, HOST)]
    records = written(groups)
    assert len(records) == 1 + 3 and max(map(len, records)) <= 32_756
    rows = read(records, tmp_path / "dump")["smf110_1_performance"]
    assert [r["trannum"] for r in rows] == number.tolist()
    assert [r["qrcput_us"] for r in rows] == number.tolist()
    assert [r["scusrhwm_106"] for r in rows] == (16 * number).tolist()
    assert rows[3]["tran"] == "CRDT" and rows[3]["stop"] == at(3.5)[0].item()


def test_unknown_cics_field() -> None:
    with pytest.raises(LayoutError, match="found no CICS field 'usrcpu'"):
        _ = Region("A", "B", ("usrcpu",)).entries


def requests(number: int) -> ApiRequests:
    entry = at(*range(10, 10 + number))
    none = np.datetime64("NaT", "us")
    ms = np.timedelta64(500, "us")
    ended = np.where(np.arange(number) % 2, entry, entry + 5 * ms)
    return ApiRequests(
        api=np.zeros(number, dtype=np.int64),
        entry=entry,
        exit=ended,
        sent=np.where(np.arange(number) % 2, none, entry + ms),
        received=np.where(np.arange(number) % 2, none, entry + 4 * ms),
        bytes_in=np.full(number, 120),
        bytes_out=np.full(number, 340),
        code=np.where(np.arange(number) % 2, 500, 200),
    )


APIS = [
    Api("accounts", "debit", "/accounts/debit", system="IMSA"),
    Api("cards", "lost", "/cards/lost", system="IMSA"),
]


def test_zos_connect(tmp_path: Path) -> None:
    groups = request_groups(Server("ZCEE01", "STC00301"), APIS, requests(2), HOST)
    compare("type123", groups, tmp_path / "dump")


def test_twenty_requests_in_a_record(tmp_path: Path) -> None:
    some = requests(45)
    some.api[:] = np.arange(45) % 3 == 0
    records = written(request_groups(Server("ZCEE01", "STC00301"), APIS, some, HOST))
    assert len(records) == 3 and max(map(len, records)) <= 32_756
    rows = read(records, tmp_path / "dump")["smf123_2_request"]
    assert [r["smf123s1_req_id"] for r in rows] == list(range(1, 46))
    assert [r["smf123s1_api_name"] for r in rows[:3]] == ["cards", "accounts", "accounts"]
    assert [r["record_no"] for r in rows] == [1] * 20 + [2] * 20 + [3] * 5
