"""What a week of interval records costs: 15-minute intervals, 2,000 volumes, to a file.

Goal: less than 20 s. Processor time of the whole process is printed too: it does not grow when
others use the machine.
"""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from record_checks import HOST, every

from imsperf.synthetic.smf.address_space import Space, Usage
from imsperf.synthetic.smf.dump import dump_of
from imsperf.synthetic.smf.io_means import IoUse
from imsperf.synthetic.smf.measured import summed
from imsperf.synthetic.smf.record_groups import Group, Interval
from imsperf.synthetic.smf.type30 import interval_groups
from imsperf.synthetic.smf.type42 import DataSet, DataSetUse, Job, data_set_groups
from imsperf.synthetic.smf.type72 import class_groups
from imsperf.synthetic.smf.type73 import Channel, ChannelUse, channel_group
from imsperf.synthetic.smf.type74_1 import device_groups
from imsperf.synthetic.smf.type74_5 import CacheUse, Subsystem, cache_groups
from imsperf.synthetic.smf.type78_3 import ControlUnit, QueueUse, queue_groups
from imsperf.synthetic.smf.work import Goal, PeriodUse, Policy, WorkClass
from imsperf.synthetic.writer import write_dump

WEEK, VOLUMES, SPACES, CLASSES = 672, 2000, 400, 40
RANDOM = np.random.default_rng(1)


def drawn(most: int, *shape: int) -> np.ndarray:
    return RANDOM.integers(0, most, shape)


def devices(interval: Interval, count: np.ndarray) -> list[Group]:
    """74.1, 74.5, 78.3 and 42.6 of one data set on each volume."""
    each = {"pend": 200, "cmr": 10, "db": 1, "int": 1, "disc": 20, "conn": 300, "iosq": 3}
    times: dict[str, Any] = {name: count * (4096 * us) for name, us in each.items()}
    logs = {"wads_writes": 9999, "wads_ticks": 10**12, "olds_blocks": 999, "olds_ticks": 10**11}
    result: Any = SimpleNamespace(
        io_count=count,
        **{f"io_{name}": time for name, time in times.items()},
        **{name: drawn(most, WEEK) for name, most in logs.items()},
    )
    network: Any = SimpleNamespace(dasd=SimpleNamespace(volumes=VOLUMES, aliases=4))
    names = [f"V{n:05d}" for n in range(VOLUMES)]
    cache = CacheUse(
        volume=np.array(names),
        device=0x8000 + np.arange(VOLUMES),
        reads=count,
        read_hits=count // 2,
        writes=count // 3,
        write_hits=count // 3,
        staged=count // 2,
        destaged=count // 4,
    )
    groups = device_groups(result, HOST, interval, network)
    places = np.arange(VOLUMES).reshape(-1, 50).tolist()
    groups += cache_groups(
        [Subsystem(0x80 + n, tuple(place)) for n, place in enumerate(places)], cache, HOST, interval
    )
    groups += queue_groups(
        [ControlUnit(n, 0x8000 + 64 * n, tuple(range(8))) for n in range(32)],
        QueueUse(
            path_requests=drawn(10**6, WEEK, 256),
            path_cmr=drawn(10**13, WEEK, 256),
            conn=drawn(10**15, WEEK, 32),
            iop_busy=drawn(1000, WEEK, 4),
        ),
        HOST,
        interval,
    )
    data_sets = [DataSet(f"IMS.{name}", name, 0x8000 + n) for n, name in enumerate(names)]
    use = IoUse(io=count, conn=times["conn"], pend=times["pend"], reads=count // 2)
    return groups + data_set_groups(Job("IMSACTL"), data_sets, DataSetUse(use=use), HOST, interval)


def work(interval: Interval) -> list[Group]:
    """30, 72.3 and 73."""
    usage = Usage(
        tcb=drawn(10**12, WEEK, SPACES),
        srb=drawn(10**11, WEEK, SPACES),
        io=drawn(10**6, WEEK, SPACES),
        blocks=drawn(10**6, WEEK, SPACES),
        io_conn=drawn(10**12, WEEK, SPACES),
    )
    spaces = [Space(f"JOB{n:05d}", "PROG", n) for n in range(SPACES)]
    classes = [WorkClass(f"C{n}", (Goal("percentile", 20, 90, 1),)) for n in range(CLASSES)]
    policy = Policy()
    use = PeriodUse(
        service=Usage(
            **{
                name: np.asarray(summed(values, np.arange(SPACES) % CLASSES, CLASSES))
                for name, values in vars(usage).items()
                if name in ("tcb", "srb", "blocks")
            }
        ).service(policy),
        ended=drawn(10**6, WEEK, CLASSES),
        elapsed=drawn(10**15, WEEK, CLASSES),
        buckets=drawn(10**5, WEEK, CLASSES, 14),
    )
    busy = drawn(10**15, WEEK, 32)
    channels = [Channel(n) for n in range(32)]
    groups = interval_groups(spaces, usage, HOST, interval, policy)
    groups += class_groups(classes, use, HOST, interval, policy)
    use_of = ChannelUse(busy=busy, own_busy=busy)
    return [*groups, channel_group(channels, use_of, HOST, interval)]


@pytest.mark.bench
def test_a_week_of_interval_records(tmp_path: Path) -> None:
    count = drawn(200_000, WEEK, VOLUMES)
    began, used = time.perf_counter(), time.process_time()
    interval = every(900, WEEK, samples=3600)
    groups = [*devices(interval, count), *work(interval)]
    written = write_dump(tmp_path / "week", dump_of(groups, HOST, interval), "vbs", HOST.smf_block)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    print(
        f"\n{written.records:,} records, {written.bytes / 1e6:,.0f} MB: {took:.1f} s, "
        f"{cpu:.1f} s of CPU"
    )
