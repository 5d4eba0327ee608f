"""How the benches measure: turn by turn, medians, and what the machine did meanwhile."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

ROUNDS = 5

Work = Callable[[], object]


def wall(work: Work) -> float:
    """Seconds on the clock of the wall."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def core(work: Work) -> float:
    """Seconds that this thread had a core: work of others on the machine counts less."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def medians(
    works: Mapping[str, Work], rounds: int = ROUNDS, clock: Callable[[Work], float] = wall
) -> dict[str, float]:
    """Median seconds of each work: one round that is not counted, then all in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            took = clock(work)
            if number:
                seconds[name].append(took)
    return {name: statistics.median(times) for name, times in seconds.items()}


def machine() -> str:
    """What a result must stand beside: processor, cores, versions, load."""
    model = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    libraries = ("duckdb", "numba", "numpy", "pyarrow")
    versions = ", ".join(f"{library} {version(library)}" for library in libraries)
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}, {load}"
    )


def told(title: str, rows: list[tuple[str, str]]) -> None:
    """Print a result."""
    print(f"\n{title}  [{machine()}]")
    for name, value in rows:
        print(f"  {name:44} {value}")
