"""Segments in the middle of a record that a copy has exchanged: two blocks that changed places.

Where each of two neighbouring blocks holds one middle segment of the same record, the record stays
as long as it was and its segment codes hold. But sections of one table lie one behind another, and
have many bytes alike with the one before: over the ends of segments too, unless these were
exchanged. Then the record reads better with the two put back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.evidence.verdict import NOT_ADMITTED, SUSPECT, Verdict
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.framing.join import BEGIN, ROW, SIZE
from imsperf.parsers.kernels.loads import I32, I64, U8
from imsperf.parsers.rows import Runs

_ENDS = 3  # of a pair of segments and the one before
_AS_IS, _PUT_BACK = range(2)  # columns of votes: how well sections go on over an end
_ALIKE, _BOTH_SET, _ONE_SET = 2, 1, -1  # for a byte of a section and that of the one before
_ROWS = 4  # sections that one is compared with
_FEW = 64  # bytes of a section that show most pairs to be in order
_LEAST = 16  # what the order must gain if the two are put back


@inner
def _goes_on(buffer: U8, before: Any, behind: Any, size: Any, step: Any, rows: Any) -> Any:
    """How well bytes of sections fit those of a section before the end of a segment, of `rows` the
    one they fit best: they are alike, or both zero or both not.

    Zeros say nothing of zeros: idle counters have them everywhere.
    """
    best = np.int64(0)
    for row in range(1, rows + 1):
        score = np.int64(0)
        for at in range(size):
            value, against = buffer[before - row * step + at], buffer[behind + at]
            if value != 0 and against != 0:
                score += _ALIKE if value == against else _BOTH_SET
            elif value != 0 or against != 0:
                score += _ONE_SET
        best = score if row == 1 else max(best, score)
    return best


@inner
def _is_row(starts: I64, low: Any, row: Any, k: Any, step: Any, size: Any) -> Any:
    """Whether a section of the record stands as many steps before section k as it should, not
    farther than a segment reaches."""
    distance = (k - row) * step
    return row >= low and distance <= size and starts[row] + distance == starts[k]


@inner
def _section_at(starts: I64, low: Any, high: Any, place: Any) -> Any:
    """The last of sections `low` to `high` that begins at or before a place, or `low`."""
    while high - low > 1:
        middle = (low + high) // 2
        if starts[middle] <= place:
            low = middle
        else:
            high = middle
    return low


@kernel
def compare_orders(
    buffer: U8, pairs: I64, low: I64, high: I64, starts: I64, lengths: I32, sound: Any, votes: I64
) -> None:  # fmt: skip
    """Weigh how well sections of a table go on over the three ends of a pair of segments, as it is
    and with the two put back: `low[i]` to `high[i]` are the sections of the record of pair i, in
    which `pairs` has places in the buffer.

    Sections may stand at equal distances, with others between them. If these fit into a segment
    exactly, they say nothing: they read as well in any order. A pair is `sound` as soon as the
    first bytes behind an end fit the section before it better as they stand.
    """
    for i in range(pairs.shape[0]):
        if sound[i]:
            continue
        size = pairs[i, SIZE]
        for turn in range(_ENDS):
            end = pairs[i, BEGIN] + turn * size  # of the segment before
            k = _section_at(starts, low[i], high[i], end)
            if k <= low[i] or k >= high[i]:
                continue
            step, stop = starts[k] - starts[k - 1], starts[k] + lengths[k]
            if k + 1 < high[i] and starts[k + 1] == starts[k] + step:
                stop = min(end + step, starts[k + 1] + lengths[k + 1])
            if stop <= end or not lengths[k] <= step <= size or size % step == 0:
                continue
            # what stands before and behind this end if the segments are put back
            before, behind = end, end
            if turn == 0:
                behind += size
            elif turn == 1:
                before, behind = end + size, end - size
            else:
                before -= size
            few = min(stop - end, _FEW)
            as_is = _goes_on(buffer, end, end, few, step, 1)
            if as_is > _goes_on(buffer, before, behind, few, step, 1):
                sound[i] = True
                break
            rows = 1  # sections before the end that are compared with: some may be idle
            while rows < _ROWS and _is_row(starts, low[i], k - rows - 1, k, step, size):
                rows += 1
            as_is = _goes_on(buffer, end, end, stop - end, step, rows)
            votes[i, turn, _AS_IS] += as_is
            votes[i, turn, _PUT_BACK] += _goes_on(buffer, before, behind, stop - end, step, rows)


def weigh(part: Part, tables: Callable[[], Iterable[tuple[str, Runs]]]) -> Verdict | None:
    """The grades of joined records by the order of their segments; None where all are sound. It is
    beyond doubt where each of the three ends says by itself that the two changed places.

    `tables`: where the sections of each table stand.
    """
    if not len(part.pairs):
        return None
    order = np.argsort(part.number, kind="stable")
    place = np.searchsorted(part.number, part.pairs[:, ROW], sorter=order)
    row = order[np.minimum(place, len(order) - 1)]
    mine = part.number[row] == part.pairs[:, ROW]  # others are of records of other kinds
    pairs, row = part.pairs[mine], row[mine]
    places = pairs.copy()
    places[:, BEGIN] += part.start[row]
    votes, sound = np.zeros((len(pairs), _ENDS, 2), np.int64), np.zeros(len(pairs), np.bool_)
    for _, runs in tables():
        low = np.searchsorted(runs.record, row)
        high = np.searchsorted(runs.record, row, side="right")
        compare_orders(part.buffer, places, low, high, runs.start, runs.length, sound, votes)
    gain = votes[:, :, _PUT_BACK] - votes[:, :, _AS_IS]
    is_better = ~sound & (gain >= 0).all(axis=1) & (gain.sum(axis=1) >= _LEAST)
    if not is_better.any():
        return None
    grade = np.zeros(len(part.start), np.uint8)
    grade[row[is_better]] = SUSPECT
    grade[row[is_better & (gain >= _LEAST).all(axis=1)]] = NOT_ADMITTED
    first = dict(zip(row[is_better][::-1].tolist(), pairs[is_better][::-1].tolist(), strict=True))

    def detail(row: int) -> str:
        begin, size = first[row][BEGIN], first[row][SIZE]
        return (
            f"found sections that go on over the segments at +{begin:,} and +{begin + size:,} only "
            "if these change places: two blocks in the wrong order"
        )

    return Verdict("segment_order", grade, detail)
