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
    found = open_dump(dump(name, min(MEGABYTES, _MOST)))
    found.source.buffer[::4096].sum()  # every page is mapped
    return found


def _walk(found: Dump) -> int:
    """Pieces in the file."""
    walker = Walker(found.source.buffer, found.evidence, PART_BYTES[found.kind])
    return sum(len(pieces.start) for _, pieces in walker.pieces())


def _records(found: Dump) -> int:
    """Records, put together."""
    return sum(len(part.start) for part in found.parts())


def _read(found: Dump) -> int:
    return int(np.bitwise_xor.reduce(found.source.buffer[: found.bytes // 8 * 8].view(np.uint64)))


@pytest.mark.parametrize("name", ["rdw300", "bdw300", "dense", "vbs"])
def test_walk(name: str) -> None:
    found = _opened(name)
    pieces = _walk(found)
    took = medians(
        {
            "walk": lambda: _walk(found),
            "records": lambda: _records(found),
            "read": lambda: _read(found),
        },
        clock=core,
    )
    size = found.bytes
    told(
        f"walk of {Path(found.path).name}, {size / 1e6:,.0f} MB, {pieces:,} pieces",
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
    files = [(one, open_source(one).buffer.size) for one in sorted(_tersed(how))]
    large = [(one, size) for one, size in files if size >= 100_000]
    took = medians({"unpack": lambda: [open_source(one) for one, _ in large]}, clock=core)
    size = sum(size for _, size in large)
    told(
        f"terse {how}: {len(large)} files",
        [("unpacked", f"{size / took['unpack'] / 1e6:,.0f} MB/s of {size / 1e6:.1f} MB")],
    )


def _tersed(how: str) -> list[Path]:
    found = Path(os.environ["IMSPERF_TERSE"]).glob(f"*.{how}")
    return [one for one in found if one.stat().st_size > 10_000]
