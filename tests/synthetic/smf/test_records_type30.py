"""SMF 30: hand-worked examples, and totals that hold whatever was used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from record_checks import HOST, MS, START, US, S, compare, every, read, written

from imsperf.synthetic.accounts.compile_job import compile_groups
from imsperf.synthetic.smf.address_space import DdUsage, Life, Space, Usage
from imsperf.synthetic.smf.type30 import interval_groups, step_end_groups
from imsperf.synthetic.smf.work import Policy

POLICY = Policy()
IMS = Space(
    "IMSACTL", "DFSMVRC0", 101, "STC00101", workload="STC", service_class="STCIMS",
    report_class="RIMS",
)  # fmt: skip
REGION = Space("IFP00001", "DFSRRC00", 201, "STC00201", service_class="IMSREG")


def table(*columns: list[int]) -> np.ndarray:
    """(intervals, spaces) from a list for each space."""
    return np.array(columns, dtype=np.int64).T


def test_intervals(tmp_path: Path) -> None:
    usage = Usage(
        tcb=table([1_234_567 * US, 765_433 * US], [500 * MS, 500 * MS]),
        srb=table([45_600 * US, 45_600 * US], [0, 0]),
        blocks=table([1000, 501], [0, 0]),
        io=table([900, 500], [0, 0]),
        io_conn=table([500 * MS, 250 * MS], [0, 0]),
        active=table([60 * S, 60 * S], [0, 0]),
        resident=table([60 * S, 60 * S], [0, 0]),
        page_time=table([585_937_500] * 2, [0, 0]),  # 10,000 frames for 60 s
    )
    groups = interval_groups([IMS, REGION], usage, HOST, every(60, 2), POLICY)
    compare("type30", groups, tmp_path / "dump", "intervals")


def life(*seconds: float) -> tuple[np.ndarray, np.ndarray]:
    begin, end = ([START + np.timedelta64(round(s * 1e6), "us")] for s in seconds)
    return np.array(begin), np.array(end)


def test_step_end(tmp_path: Path) -> None:
    dds = DdUsage(
        np.array([0, 0]), np.array(["ACCTDB", "IEFRDER"]), np.array([0x8001, 0x9001]),
        np.array([4096, 26624]), table([700], [3]), table([128 * MS], [0]),
    )  # fmt: skip
    usage = Usage(tcb=table([3999 * MS]), ziip=table([1250 * MS]))
    job = Space("BMPJOB", "DFSRRC00", 77, "JOB00077")
    groups = step_end_groups([job], usage, HOST, POLICY, life(30, 100), np.array([0]), dds)
    compare("type30", groups, tmp_path / "dump", "step_end")


def test_jobs_that_end_in_another_order(tmp_path: Path) -> None:
    """Each record has the code of its own job."""
    jobs = [Space(f"JOB{n}", "PROG", n) for n in range(3)]
    begin, _ = (np.repeat(job, 3) for job in life(0, 1))
    end = START + np.array([30, 10, 20]).astype("timedelta64[s]")
    code = np.array([4, 8, 0x8123])
    usage = Usage(tcb=table([S], [2 * S], [3 * S]))
    groups = step_end_groups(jobs, usage, HOST, POLICY, (begin, end), code)[:1]
    rows = read(written(groups), tmp_path / "dump")
    names = [row["smf30jbn"] for row in rows["smf30_identification"]]
    codes = [row["smf30scc"] for row in rows["smf30_completion"]]
    times = [row["smf30cpt"] for row in rows["smf30_processor"]]
    assert list(zip(names, codes, times, strict=True)) == [
        ("JOB1", 8, 200), ("JOB2", 0x8123, 300), ("JOB0", 4, 100),
    ]  # fmt: skip


def test_continued_records(tmp_path: Path) -> None:
    names = np.array([f"DD{n:05d}" for n in range(1100)])
    many = np.zeros((1, 1100), dtype=np.int64)
    dds = DdUsage(many[0], names, many[0] + 0x8000, many[0] + 4096, many + 1, many)
    groups = step_end_groups(
        [REGION], Usage(tcb=table([S])), HOST, POLICY, life(0, 10), np.array([0]), dds
    )
    records = compare("type30", groups[:2], tmp_path / "dump", "continued")
    rows_read = read(records, tmp_path / "dump")["smf30_excp"]
    assert [row["smf30ddn"] for row in rows_read] == names.tolist()
    assert max(map(len, records)) <= 32_756


def test_records_end_with_the_step(tmp_path: Path) -> None:
    """A step from 30 s to 150 s of three minutes: 30 s, 60 s, and 30 s of subtype 3."""
    usage = Usage(tcb=table([5 * MS, 10 * MS, 7 * MS], [S, S, S]))
    none = np.datetime64("NaT", "us")
    begin, end = life(30, 150)
    span = Life(np.array([begin[0], none]), np.array([end[0], none]))
    groups = interval_groups([REGION, IMS], usage, HOST, every(60, 3), POLICY, life=span)
    rows = read(written(groups), tmp_path / "dump")
    job = [row["smf30jbn"] for row in rows["smf30_identification"]]
    kinds = [row["smf30typ"] for row in rows["smf30_subsystem"]]
    assert list(zip(job, kinds, strict=True)) == [
        ("IFP00001", 2), ("IMSACTL", 2), ("IFP00001", 2), ("IMSACTL", 2),
        ("IFP00001", 3), ("IMSACTL", 2),
    ]  # fmt: skip
    spans = [
        (row["smf30iet"] - row["smf30iss"]).total_seconds()
        for row in rows["smf30_identification"]
        if row["smf30jbn"] == "IFP00001"
    ]
    assert spans == [30, 60, 30]
    assert rows["smf30_header"][4]["smf30tme"].isoformat() == "07:02:30.010000"


def test_intervals_of_a_step_add_up_to_its_end(tmp_path: Path) -> None:
    """Whatever was used: each interval is cut from the running total."""
    random = np.random.default_rng(3)
    used = {
        name: random.integers(0, 3 * S, (40, 3))
        for name in ("tcb", "srb", "ziip", "io_conn", "io_disc", "io_pend", "active")
    } | {name: random.integers(0, 5000, (40, 3)) for name in ("blocks", "io")}
    spaces = [Space(f"JOB{n}", "PROG", n) for n in range(3)]
    groups = interval_groups(spaces, Usage(**used), HOST, every(15, 40), POLICY)
    total = Usage(**{name: use.sum(axis=0, keepdims=True) for name, use in used.items()})
    begin, end = (np.repeat(job, 3) for job in life(0, 600))
    code = np.zeros(3, dtype=np.int64)
    groups += step_end_groups(spaces, total, HOST, POLICY, (begin, end), code)[:1]
    rows = read(written(groups), tmp_path / "dump")
    kinds = [row["smf30typ"] for row in rows["smf30_subsystem"]]
    jobs = [row["smf30jbn"] for row in rows["smf30_identification"]]
    for section, fields in {
        "smf30_processor": ("smf30cpt", "smf30cps", "smf30_time_on_ziip"),
        "smf30_io": ("smf30tep", "smf30aic", "smf30aid", "smf30aiw", "smf30ais"),
        "smf30_performance": ("smf30csu_l", "smf30srb_l", "smf30io_l", "smf30srv_l", "smf30tat"),
    }.items():
        for name in fields:
            sums = dict.fromkeys(zip(jobs, kinds, strict=True), 0)
            for job, kind, row in zip(jobs, kinds, rows[section], strict=True):
                sums[job, kind] += row[name]
            assert all(sums[f"JOB{n}", 2] == sums[f"JOB{n}", 4] > 0 for n in range(3)), name


def test_a_compile_job_ends_before_the_run(tmp_path: Path) -> None:
    groups = compile_groups(replace(HOST, compile_s=12.0), POLICY)
    compare("type30_compile", groups, tmp_path / "dump")
    assert compile_groups(HOST, POLICY) == []
