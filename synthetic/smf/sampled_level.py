"""Something sampled through an interval: least, most and mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import Values


@dataclass(frozen=True)
class Level:
    """Least, most and mean of the samples in each interval, arrays (n,) or (n, m)."""

    least: Values
    most: Values
    mean: Values

    @classmethod
    def steady(cls, value: Any, shape: int | tuple[int, ...]) -> Level:
        """The same at every sample."""
        same = np.broadcast_to(np.asarray(value), shape)
        return cls(same, same, same)

    def rest_of(self, total: int) -> Level:
        """What is left of a total."""
        return Level(total - self.most, total - self.least, total - self.mean)

    def columns(self, least: str, most: str, mean: str, *, is_whole: bool = True) -> dict[str, Any]:
        """As three fields, whole numbers or floating point; a mean is cut, as RMF divides."""
        kind = np.int64 if is_whole else np.float64
        values = (self.least, self.most, self.mean)
        return {
            name: value.astype(kind)
            for name, value in zip((least, most, mean), values, strict=True)
        }
