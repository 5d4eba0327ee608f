"""Whole numbers cut into whole numbers that add up to them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]

WHOLE = 1 << 30  # what weights add up to


def as_weights(parts: npt.NDArray[np.float64]) -> I64:
    """Parts as whole numbers that `shared` takes: about 2^30 together."""
    weights: I64 = np.rint(parts * (WHOLE / parts.sum())).astype(np.int64)
    return weights


def shared(total: I64, weight: I64) -> I64:
    """Whole numbers (n, k) that add up to `total` (n,), in proportion to weights (k,) or (n, k).

    Weights add up to less than 2^31: then no product passes 2^62. All 0: the last one has all.
    """
    edges = np.cumsum(np.broadcast_to(weight, (len(total), np.shape(weight)[-1])), axis=1)
    whole = np.maximum(edges[:, -1:], 1)
    times, rest = np.divmod(total[:, None], whole)
    part = times * edges + rest * edges // whole
    part[:, -1] = total
    return np.diff(part, axis=1, prepend=0)
