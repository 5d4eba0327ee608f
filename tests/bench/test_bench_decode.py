"""What decoding costs: sections of one layout to Arrow, against a memory copy of what comes out.

Goals: 2 GB/s of section bytes a core, and at most 6 times a copy of its output.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from bench_clock import core, medians, told
from bench_inputs import Chunk, sections

from imsperf.layouts import section
from imsperf.parsers.kernels.decode import Decoder

MEGABYTES = 64
TABLES = {
    "smf74_1_device": "counters, text, hex floats",
    "smf72_3_period": "counters of 4 and 8 bytes",
    "smf74_4_request": "hex floats and counters of 8 bytes",
    "smf42_6_dataset": "text",
    "smf70_1_product": "dates, times, TOD clocks",
    "smf123_1_data": "text and TOD clocks",
    "ims_4507": "counters of 8 bytes",
}


def _buffers(batch: pa.RecordBatch) -> list[np.ndarray]:
    """What a batch is made of, each once."""
    every = {
        buffer.address: buffer for column in batch.columns for buffer in column.buffers() if buffer
    }
    return [np.frombuffer(buffer, np.uint8) for buffer in every.values()]


def _copy(some: list[np.ndarray], into: list[np.ndarray]) -> None:
    for source, target in zip(some, into, strict=True):
        np.copyto(target, source)


@pytest.mark.bench
@pytest.mark.parametrize("table", TABLES)
def test_decode(table: str) -> None:
    layout = section(table)
    few = sections(layout, 20_000, Chunk(0, np.random.default_rng(1)))
    rows = MEGABYTES * 1_000_000 // layout.length
    data = np.resize(few, (rows, layout.length)).reshape(-1)
    starts = np.arange(rows, dtype=np.int64) * layout.length
    lengths = np.full(rows, layout.length, np.int32)
    decoder, target = Decoder(layout.fields), np.empty_like(data)
    arrays = _buffers(decoder.decode(data, starts, lengths).batch)
    into = [np.empty_like(array) for array in arrays]
    took = medians(
        {
            "decode": lambda: decoder.decode(data, starts, lengths),
            "input": lambda: np.copyto(target, data),
            "output": lambda: _copy(arrays, into),
            "fresh": lambda: [array.copy() for array in arrays],
        },
        clock=core,
    )
    size, seconds, output = data.nbytes, took["decode"], sum(array.nbytes for array in arrays)
    told(
        f"decode {table}: {TABLES[table]}, {len(layout.fields)} fields, {layout.length} bytes",
        [
            ("section bytes", f"{size / seconds / 1e6:,.0f} MB/s"),
            ("fields", f"{rows * len(layout.fields) / seconds / 1e6:,.0f} M/s"),
            ("times a copy of its input", f"{seconds / took['input']:.1f}"),
            (
                f"times a copy of its output, {output / size:.2f} of it",
                f"{seconds / took['output']:.1f}",
            ),
            ("  into fresh memory", f"{seconds / took['fresh']:.1f}"),
        ],
    )  # fmt: skip
