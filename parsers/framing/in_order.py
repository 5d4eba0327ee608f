"""What follows the records of a file one after another, though parts come out of its order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from imsperf.parsers.kernels.loads import I64


class InOrder:
    """Columns of records in the order of the file: parts of whole and of joined ones take turns."""

    def __init__(self) -> None:
        self._held: list[tuple[I64, ...]] = []  # places and other columns, not yet in order

    def add(self, place: I64, *columns: I64) -> Iterator[tuple[I64, ...]]:
        """Take those of the next part; gives places and columns that are now complete."""
        if not len(place):
            return
        if self._held and place[0] > self._held[0][0][-1]:
            yield from self.rest()
        self._held.append((place, *columns))

    def rest(self) -> Iterator[tuple[I64, ...]]:
        """Places and columns that are left."""
        held, self._held = self._held, []
        if held:
            columns = [np.concatenate(values) for values in zip(*held, strict=True)]
            order = np.argsort(columns[0], kind="stable")
            yield tuple(column[order] for column in columns)
