"""What interval mode costs: a week of 15-minute intervals of one system with 2,000 volumes.

Goal: below 20 s on a core of its own. A ratio to the plain write of as many bytes says the same on
a machine that is slower or under load.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from bench_clock import told

from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

WEEK, VOLUMES = 672, 2000
PIECE = 1 << 24


def plain_write(path: Path, size: int) -> float:
    """Processor seconds of writing so many bytes from memory."""
    piece = np.random.default_rng(1).integers(0, 256, PIECE, dtype=np.uint8)
    used = time.process_time()
    with path.open("wb") as file:
        for at in range(0, size, PIECE):
            file.write(piece[: size - at].tobytes())
    return time.process_time() - used


@pytest.mark.bench
@pytest.mark.parametrize("name", ["ff-haldb", "tps-100k"])
def test_a_week_of_one_system(name: str, tmp_path: Path) -> None:
    week = scenario.load(name, {"dasd.volumes": VOLUMES})
    generate_intervals(week, tmp_path / "first", intervals=2)  # compiled code is loaded
    began, used = time.perf_counter(), time.process_time()
    written = generate_intervals(week, tmp_path / "week", intervals=WEEK)
    took, cpu = time.perf_counter() - began, time.process_time() - used
    size = written.numbers["smf_bytes"] + written.numbers["ims_bytes"]
    alone = plain_write(tmp_path / "plain", size)
    told(
        f"a week of {name}, {VOLUMES:,} volumes",
        [
            ("records", f"{written.numbers['smf_records'] + written.numbers['ims_records']:,}"),
            ("MB", f"{size / 1e6:,.0f}"),
            ("s on the clock", f"{took:.1f}"),
            ("s of processor time", f"{cpu:.1f}"),
            ("times a plain write of as many bytes", f"{cpu / alone:.1f}"),
        ],
    )
