"""SMF 71.1 and 73.1: hand-worked examples; channels over many intervals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from record_checks import HOST, S, compare, every, read, written

from imsperf.synthetic.smf.measured import Level
from imsperf.synthetic.smf.type71 import paging_group
from imsperf.synthetic.smf.type73 import Channel, ChannelUse, channel_group


def level(least: float, most: float, mean: float) -> Level:
    return Level(*(np.array([value]) for value in (least, most, mean)))


def test_paging(tmp_path: Path) -> None:
    available = level(30_000_000, 30_100_000, 30_050_000.5)
    levels = {
        "csa": level(5000, 5100, 5050),
        "sqa_fixed": Level.steady(3000, 1),
        "uic": Level.steady(65_535, 1),
    }
    group = paging_group(262_144 * 256, available, levels, HOST, every(60))
    compare("type71", [group], tmp_path / "dump")


def pair(first: int) -> np.ndarray:
    """What the first of two channels did in one interval."""
    return np.array([[first, 0]], dtype=np.int64)


def test_channels(tmp_path: Path) -> None:
    use = ChannelUse(
        busy=pair(16 * S),
        own_busy=pair(8 * S),
        read=pair(1_280_000_000),
        own_read=pair(640_000_000),
        written=pair(256_000_000),
        own_written=pair(128_000_000),
        operations=pair(6400),
        active=pair(9600),
        zhpf_operations=pair(12_800),
        zhpf_active=pair(25_600),
    )
    group = channel_group([Channel(0x10), Channel(0x11)], use, HOST, every(64, samples=256))
    compare("type73", [group], tmp_path / "dump")


def test_channel_busy_of_any_intervals(tmp_path: Path) -> None:
    """Utilisation from work units is busy time over time, to a unit, in one interval or in all."""
    random = np.random.default_rng(1)
    busy = random.integers(0, 30 * S, (50, 3))
    use = ChannelUse(busy=busy, own_busy=busy // 3)
    channels = [Channel(n, work_units_per_s=1234) for n in range(3)]
    group = channel_group(channels, use, HOST, every(30, 50))
    rows = read(written([group]), tmp_path / "dump")
    found = np.array([row["smf73tuc"] for row in rows["smf73_1_cmg2"]]).reshape(50, 3)
    drift = np.cumsum(busy / S * 1234 - found, axis=0)
    assert (drift > -0.01).all() and (drift < 1.01).all()
    time = sum(row["smf73pti"] for row in rows["smf73_1_channel"]) / 3 * 1024e-6
    assert found.sum() / 3 / 1234 / time == pytest.approx(busy.sum() / 3 / S / 1500, abs=1e-5)
