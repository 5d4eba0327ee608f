"""What finding records costs: the walk along descriptor words, and joining what was spanned.

Goals: a walk of 3 GB/s and 5 million records/s a core; joining of BDW and VBS 2 GB/s; unpacking of
terse 50 MB/s of what comes out (IMSPERF_TERSE: a folder of tersed files).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from bench_clock import core, medians, told
from bench_inputs import MEGABYTES, dump

from imsperf.parsers.containers.source import open_source
from imsperf.parsers.framing.frames import PART_BYTES, Dump, open_dump
from imsperf.parsers.framing.walker import Walker

pytestmark = pytest.mark.bench

_MOST = 1000  # megabytes: they must stay in the page cache


def _opened(name: str) -> Dump:
    opened = open_dump(dump(name, min(MEGABYTES, _MOST)))
    opened.source.buffer[::4096].sum()  # every page is mapped
    return opened


def _walk(dump: Dump) -> int:
    """Pieces in the file."""
    walker = Walker(dump.source.buffer, dump.evidence, PART_BYTES[dump.kind])
    return sum(len(pieces.start) for _, pieces in walker.pieces())


def _records(dump: Dump) -> int:
    """Records, put together."""
    return sum(len(part.start) for part in dump.parts())


def _read(dump: Dump) -> int:
    return int(np.bitwise_xor.reduce(dump.source.buffer[: dump.bytes // 8 * 8].view(np.uint64)))


@pytest.mark.parametrize("name", ["rdw300", "bdw300", "dense", "vbs"])
def test_walk(name: str) -> None:
    opened = _opened(name)
    pieces = _walk(opened)
    took = medians(
        {
            "walk": lambda: _walk(opened),
            "records": lambda: _records(opened),
            "read": lambda: _read(opened),
        },
        clock=core,
    )
    size = opened.bytes
    told(
        f"walk of {Path(opened.path).name}, {size / 1e6:,.0f} MB, {pieces:,} pieces",
        [
            (
                "walk",
                f"{size / took['walk'] / 1e9:.2f} GB/s, {pieces / took['walk'] / 1e6:.1f} M/s",
            ),
            ("walk and put together", f"{size / took['records'] / 1e9:.2f} GB/s"),
            ("reading every byte, numpy", f"{size / took['read'] / 1e9:.2f} GB/s"),
        ],
    )  # fmt: skip


@pytest.mark.skipif(not os.environ.get("IMSPERF_TERSE"), reason="no folder of tersed files")
@pytest.mark.parametrize("how", ["PACK", "SPACK"])
def test_unpack_terse(how: str) -> None:
    """All files of a real system that are 100 KB or longer unpacked."""
    files = [(file, open_source(file).buffer.size) for file in sorted(_tersed(how))]
    large = [(file, size) for file, size in files if size >= 100_000]
    took = medians({"unpack": lambda: [open_source(file) for file, _ in large]}, clock=core)
    size = sum(size for _, size in large)
    told(
        f"terse {how}: {len(large)} files",
        [("unpacked", f"{size / took['unpack'] / 1e6:,.0f} MB/s of {size / 1e6:.1f} MB")],
    )


def _tersed(how: str) -> list[Path]:
    files = Path(os.environ["IMSPERF_TERSE"]).glob(f"*.{how}")
    return [file for file in files if file.stat().st_size > 10_000]
