"""Another process compiles the decode kernel of a first start; this one does where that fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import second_writer as writer
from evidence_files import record_bytes

_READ = """
import json, sys
import imsperf
from imsperf.parsers.kernels import columns
from imsperf.parsers.kernels import first_start
if sys.argv[2:]:
    first_start._WORK = "raise SystemExit(1)"
seen = []
begin = first_start.begin
def watched():
    begin()
    seen.append(first_start._child is not None)
first_start.begin = watched
rows = sum(batch.num_rows for _, batch in imsperf.read(sys.argv[1]))
stats = columns.decode_columns.stats
print(json.dumps([rows, seen, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


@pytest.mark.slow
def test_another_process_compiles_what_decodes(tmp_path: Path) -> None:
    """The first time; later the kernel is there and no process is started."""
    dump = tmp_path / "dump"
    dump.write_bytes(writer.rdw([record_bytes("smf70_1 record")[4:]] * 3))
    runs = []
    for failing in (["fails"], [], []):
        home = tmp_path / ("failing" if failing else "kept")
        done = subprocess.run(
            [sys.executable, "-P", "-c", _READ, str(dump), *failing],
            env={**os.environ, "NUMBA_CACHE_DIR": str(home)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        runs.append(json.loads(done.stdout))
    rows = runs[0][0]
    assert rows > 10
    assert runs == [[rows, [True], 0, 1], [rows, [True], 1, 0], [rows, [False], 1, 0]]
