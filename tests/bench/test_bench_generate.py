"""What a generated run costs: 120 s of the 100,000 TPS scenario with all its log records.

Goals: at most 60 s on two cores and below 2 GB of memory; encoding and writing at most twice the
time of writing as many bytes; the event simulation alone at least 5 times as fast as its clock.
Kernels from source: at most 15 s of processors.
"""

from __future__ import annotations

import json
import os
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
from imsperf.synthetic.scenarios import scenario
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
    size = sum(path.stat().st_size for path in (tmp_path / "run").iterdir())
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


# A child that simulates, keeps what is handed over, and then writes the log of it several times.
_WRITING = """
import json, shutil, statistics, sys, time
from pathlib import Path
from imsperf.synthetic import generate as g
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.simulate import simulate_all
sys.path.insert(0, sys.argv[4])
from test_bench_interval_mode import plain_write
found, seconds, folder = scenario.load(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])
systems = g.systems_in(found)
order = g.Order(seconds, 1, 1, seconds, "vbs")
handed = []
results = simulate_all(
    [one.network for one in systems], seed=1, seconds=seconds, every_s=seconds, sample_k=1,
    sink=lambda new, so_far: handed.append((new, so_far)),
)
def clocks():
    return time.perf_counter(), time.process_time()
def spent(since):
    return [now - then for now, then in zip(clocks(), since)]
rounds = []
for number in range(4):
    (folder / str(number)).mkdir()
    since = clocks()
    with g._logs(folder / str(number), systems, order) as logs:
        for new, so_far in handed:
            logs.add(new, so_far)
        logs.finish(results, lambda share: None)
    ours, size = spent(since), logs.written[0].bytes
    shutil.rmtree(folder / str(number))
    since = clocks()
    plain_write(folder / "plain", size)
    rounds.append([*ours, *spent(since), size])
    (folder / "plain").unlink()
print(json.dumps([statistics.median(one) for one in zip(*rounds[1:])]))
"""


def test_encoding_and_writing_alone(tmp_path: Path) -> None:
    """Of 20 s that are simulated before; the median of three rounds after a first one."""
    words = [sys.executable, "-c", _WRITING, NAME, "20", str(tmp_path), str(Path(__file__).parent)]
    out = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    took, used, plain, plain_used, size = json.loads(out.splitlines()[-1])
    told(
        f"log of {size / 1e9:.2f} GB, encoding and writing against writing as many bytes",
        [
            ("seconds", f"{took:.2f} / {plain:.2f} = {took / plain:.2f}"),
            ("of processors", f"{used:.2f} / {plain_used:.2f} = {used / plain_used:.2f}"),
        ],
    )


# A child that has compiled nothing before; its cache is its own.
_COMPILING = """
import json, sys, time
from pathlib import Path
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.workloads.network_family import declared as build
from imsperf.synthetic.generate import generate
from imsperf.synthetic.simulation.simulate import simulate
network = build(scenario.load(sys.argv[1]))
began = time.process_time()
simulate(network, seconds=0.01, seed=1, every_s=0.01, warmup_s=0.01)
engine = time.process_time() - began
generate(scenario.load(sys.argv[1]), Path(sys.argv[2]) / "run", seconds=0.01)
print(json.dumps([engine, time.process_time() - began - engine]))
"""


def test_kernels_from_source(tmp_path: Path) -> None:
    words = [sys.executable, "-c", _COMPILING, NAME, str(tmp_path)]
    own = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    out = subprocess.run(words, check=True, capture_output=True, text=True, env=own).stdout
    engine, rest = json.loads(out.splitlines()[-1])
    told(
        "compiling, seconds of processors",
        [("event simulation", f"{engine:.1f}"), ("log and files", f"{rest:.1f}")],
    )


def test_the_simulation_alone() -> None:
    from imsperf.synthetic.scenarios import scenario
    from imsperf.synthetic.simulation.simulate import simulate
    from imsperf.synthetic.workloads.network_family import declared as build

    network = build(scenario.load(NAME))
    simulate(network, seconds=1, seed=1, every_s=1, sample_k=1000)
    began = time.thread_time()
    traffic = simulate(network, seconds=20, seed=1, every_s=20, sample_k=1000)
    took = time.thread_time() - began
    told(
        "event simulation of 20 s",
        [
            ("times its clock", f"{20 / took:.1f}"),
            ("transactions sampled", f"{len(traffic.transactions['number']):,}"),
        ],
    )
