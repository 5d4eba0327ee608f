"""Compiles what the tests need and keeps it on disk: `python tests compile_kernels`.

Else each process of a parallel run compiles the same kernels at the same time. Nothing depends on
it: a kernel that is left out here is compiled where a test calls it first.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from places import TESTS

SEEDS = 45  # of damaged files, that every form and container comes by


def reading() -> None:
    """Containers, framing, search after damage, decoding, loading."""
    from fuzzing import Run

    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder))
        for seed in range(SEEDS):
            run.seed(seed, 2)


def writing() -> None:
    """Solver, simulation, log and dump writer, in both modes."""
    from imsperf.synthetic.generate import generate
    from imsperf.synthetic.scenarios.scenario import load
    from imsperf.synthetic.workloads.families import predicted

    with tempfile.TemporaryDirectory() as folder:
        generate(load("cics-ff"), Path(folder) / "run", seconds=0.2, sample_k=1)
    for name in ("cics-ff", "tps-100k", "dsff-smq"):
        predicted(load(name))


PARTS = {"reading": reading, "writing": writing}


def main(parts: list[str]) -> None:
    for part in parts:
        PARTS[part]()
    if not parts:
        began = time.monotonic()
        children = [
            subprocess.Popen([sys.executable, str(TESTS), "compile_kernels", part])
            for part in PARTS
        ]
        codes = [child.wait() for child in children]
        if any(codes):
            raise SystemExit("kernels could not be compiled")
        print(f"kernels compiled in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
