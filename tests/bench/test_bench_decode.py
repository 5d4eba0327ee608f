"""What decoding costs: sections of one layout to Arrow, against a memory copy of the same bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np
import pytest
from random_values import random_columns

from imsperf.layouts import section
from imsperf.parsers.decode import Decoder

MEGABYTES = 64
TABLES = {
    "smf74_1_device": "counters, text, hex floats",
    "smf72_3_period": "counters of 4 and 8 bytes",
    "smf74_4_request": "hex floats and counters of 8 bytes",
    "smf42_6_dataset": "text",
    "smf70_1_product": "dates, times, TOD clocks",
    "ims_4507": "counters of 8 bytes",
}


def seconds(work: Callable[[], object]) -> float:
    """Median of five rounds, after one that is not counted."""
    work()
    found = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return median(found)


@pytest.mark.bench
@pytest.mark.parametrize("table", TABLES)
def test_decode_against_a_copy(table: str) -> None:
    layout = section(table)
    few = layout.encode(random_columns(layout, 1000, np.random.default_rng(1)), count=1000)
    rows = MEGABYTES * 1_000_000 // layout.length
    data = np.resize(few, (rows, layout.length)).reshape(-1)
    starts = np.arange(rows, dtype=np.int64) * layout.length
    lengths = np.full(rows, layout.length, np.int32)
    decoder, target = Decoder(layout.fields), np.empty_like(data)
    copy = seconds(lambda: np.copyto(target, data))
    decode = seconds(lambda: decoder.decode(data, starts, lengths))
    size = data.nbytes
    print(
        f"\n{table} ({TABLES[table]}): {size / decode / 1e6:,.0f} MB/s, "
        f"{rows * len(layout.fields) / decode / 1e6:,.0f} M fields/s, "
        f"{decode / copy:.1f} x a copy of its bytes"
    )
