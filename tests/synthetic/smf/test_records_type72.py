"""SMF 72.3: a hand-worked example; sums over classes are sums over address spaces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from record_checks import HOST, MS, US, S, compare, every, read, written

from imsperf.synthetic.smf.address_space import Space, Usage
from imsperf.synthetic.smf.measured import summed
from imsperf.synthetic.smf.type30 import interval_groups
from imsperf.synthetic.smf.type72 import class_groups
from imsperf.synthetic.smf.work import Goal, PeriodUse, Policy, Samples, Service, WorkClass

POLICY = Policy()


def row(*values: int) -> np.ndarray:
    """One interval, a value for each period."""
    return np.array([values], dtype=np.int64)


def test_classes(tmp_path: Path) -> None:
    classes = [
        WorkClass(
            "STCIMS", (Goal("velocity", 50, importance=1),), "STC", served=("IMSTRAN",)
        ),
        WorkClass(
            "IMSTRAN",
            (Goal("percentile", 20, 90, 2), Goal("average", 1000, importance=3)),
            "ONLINE",
        ),
        WorkClass("RIMS", (Goal(""),), report=True, last="STCIMS"),
    ]  # fmt: skip
    buckets = np.zeros((1, 4, 14), dtype=np.int64)
    buckets[0, 1, [0, 1, 2, 7]] = 40, 30, 5, 5
    buckets[0, 2, 0] = 20
    use = PeriodUse(
        service=Service(
            cpu=row(34_293, 0, 0, 34_293), srb=row(1266, 0, 0, 1266), io=row(500, 0, 0, 500)
        ),
        samples=Samples(
            using_cpu=row(30, 0, 0, 30),
            using_io=row(20, 0, 0, 20),
            delay_cpu=row(25, 0, 0, 25),
            delay_io=row(25, 0, 0, 25),
            unknown=row(100, 0, 0, 100),
            idle=row(40, 0, 0, 40),
        ),
        ended=row(0, 80, 20, 0),
        elapsed=row(0, 800 * MS, 1200 * MS, 0),
        queued=row(0, 100 * MS, 0, 0),
        squares_us2=np.array([[0, 8.5e9, 0, 0]]),
        active=row(60 * S, 0, 0, 60 * S),
        resident=row(60 * S, 0, 0, 60 * S),
        page_time=row(585_937_500, 0, 0, 585_937_500),  # 10,000 frames for 60 s
        io=row(1200, 0, 0, 1200),
        io_conn=row(384 * MS, 0, 0, 0),
        io_disc=row(38_400 * US, 0, 0, 0),
        io_pend=row(76_800 * US, 0, 0, 0),
        io_iosq=row(19_200 * US, 0, 0, 0),
        buckets=buckets,
        served=row(220),
    )
    groups = class_groups(classes, use, HOST, every(60), POLICY)
    compare("type72", groups, tmp_path / "dump")


def test_service_of_a_class_is_that_of_its_address_spaces(tmp_path: Path) -> None:
    """From their time, cut once: ahead of their sum by less than a unit of each, at any time."""
    random = np.random.default_rng(7)
    names, of = ("STCIMS", "IMSREG", "STCNET"), np.array([0, 0, 1, 1, 1, 2])
    spaces = [
        Space(f"JOB{n}", "PROG", n, service_class=names[c]) for n, c in enumerate(of.tolist())
    ]
    used = {name: random.integers(0, 2 * S, (30, 6)) for name in ("tcb", "srb", "ziip")}
    used["blocks"] = random.integers(0, 999, (30, 6))
    usage = Usage(**used)
    classes = [WorkClass(name, (Goal("velocity", 40),), "ALL") for name in names]
    of_classes = {name: np.asarray(summed(values, of, 3)) for name, values in used.items()}
    use = PeriodUse(service=Usage(**of_classes).service(POLICY))
    interval = every(15, 30)
    groups = interval_groups(spaces, usage, HOST, interval, POLICY)
    groups += class_groups(classes, use, HOST, interval, POLICY)
    rows = read(written(groups), tmp_path / "dump")
    for ours, theirs in (("csu_l", "ccpu"), ("srb_l", "csrb"), ("io_l", "cioc"), ("srv_l", "csrv")):
        space = np.array([row[f"smf30{ours}"] for row in rows["smf30_performance"]]).reshape(30, 6)
        mine = np.array([row[f"r723{theirs}"] for row in rows["smf72_3_period"]]).reshape(30, 3)
        for n in range(3):
            ahead = np.cumsum(mine[:, n] - space[:, of == n].sum(axis=1))
            most = (of == n).sum() * (3 if theirs == "csrv" else 1)
            assert (ahead >= 0).all() and (ahead < most).all(), theirs
    total = used["tcb"].sum() + (used["ziip"] * POLICY.ziip_speed // 256).sum()
    cpu = sum(row["r723ccpu"] for row in rows["smf72_3_period"]) * POLICY.adjustment / 16 * US
    assert 0 <= total - cpu < 6 * POLICY.adjustment / 16 * US
