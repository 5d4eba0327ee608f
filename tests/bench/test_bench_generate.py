"""What a generated run costs: 120 s of the 100,000 TPS scenario with all its log records.

Goals: at most 60 s on two cores and below 2 GB of memory; encoding and writing at most twice the
time of writing as many bytes; the event simulation alone at least 5 times as fast as its clock.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bench_clock import told
from test_bench_interval_mode import plain_write

pytestmark = pytest.mark.bench

NAME, SECONDS = "tps-100k@rb9-after", 120
# A child that generates, and tells the seconds, its processor's seconds and its largest memory.
_CHILD = """
import json, resource, sys, time
from pathlib import Path
from imsperf.synthetic import scenario
from imsperf.synthetic.generate import generate
found, seconds = scenario.load(sys.argv[1]), float(sys.argv[2])
generate(found, Path(sys.argv[3]) / "first", seconds=2, every_s=2, sample_k=1)
began, used = time.perf_counter(), time.process_time()
generate(found, Path(sys.argv[3]) / "run", seconds=seconds, sample_k=1)
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([time.perf_counter() - began, time.process_time() - used, most]))
"""


def test_two_minutes_of_all_log_records(tmp_path: Path) -> None:
    words = [sys.executable, "-c", _CHILD, NAME, str(SECONDS), str(tmp_path)]
    out = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    took, used, most = json.loads(out.splitlines()[-1])
    size = sum(one.stat().st_size for one in (tmp_path / "run").iterdir())
    began = time.perf_counter()
    plain_write(tmp_path / "plain", size)
    plain = time.perf_counter() - began
    told(
        f"generate {NAME}, {SECONDS} s, {size / 1e9:.2f} GB",
        [
            ("seconds", f"{took:.1f}, {used:.1f} of processors"),
            ("memory", f"{most:,.0f} MB"),
            ("writing as many bytes", f"{plain:.1f} s"),
        ],
    )


def test_the_simulation_alone() -> None:
    from imsperf.synthetic import scenario
    from imsperf.synthetic.build import build
    from imsperf.synthetic.simulation.simulate import simulate

    network = build(scenario.load(NAME))
    simulate(network, seconds=1, seed=1, every_s=1, sample_k=1000)
    began = time.thread_time()
    found = simulate(network, seconds=20, seed=1, every_s=20, sample_k=1000)
    took = time.thread_time() - began
    told(
        "event simulation of 20 s",
        [
            ("times its clock", f"{20 / took:.1f}"),
            ("transactions sampled", f"{len(found.transactions['number']):,}"),
        ],
    )
