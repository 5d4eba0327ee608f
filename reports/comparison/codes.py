"""Numbers for the values of columns, the same in all tables: joins and groups of numbers cost less
than those of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

I8 = npt.NDArray[np.int64]
_MOST = 1 << 40  # numbers that are multiplied


def coded(
    tables: Sequence[pa.Table], names: Iterable[str]
) -> tuple[list[pa.Table], dict[str, pa.Array]]:
    """The tables with numbers in place of these columns; and the values of each, in ascending order
    so that the number of a value is its place. NULL stays NULL."""
    made, values = list(tables), dict[str, pa.Array]()
    for name in names:
        places = [place for place, table in enumerate(tables) if name in table.column_names]
        kind = _plain(made[places[0]][name].type)
        columns = [_encoded(made[place][name], kind) for place in places]
        chunks = [chunk for column in columns for chunk in column.chunks]
        words = pa.chunked_array(chunks, pa.dictionary(pa.int32(), kind)).unify_dictionaries()
        known = words.chunk(0).dictionary if words.num_chunks else pa.array([], kind)
        order = pc.sort_indices(known)
        number = np.empty(len(known), np.int32)
        number[order.to_numpy()] = np.arange(len(known), dtype=np.int32)
        of_value, codes = pa.array(number), iter(words.chunks)
        for place, column in zip(places, columns, strict=True):
            own = [of_value.take(next(codes).indices) for _ in column.chunks]
            at = made[place].column_names.index(name)
            made[place] = made[place].set_column(at, name, pa.chunked_array(own, pa.int32()))
        values[name] = known.take(order)
    return made, values


def numbered(columns: Sequence[I8], rows: int) -> tuple[I8, I8]:
    """The number of each row's values of these columns, which are not below 0, in ascending order
    of them; and where each number comes first."""
    place = np.zeros(rows, np.int64)
    largest = 1
    for column in columns:
        size = int(column.max(initial=-1)) + 1
        if largest * size > _MOST:
            place, largest = _dense(place)
        place = place * size + column
        largest *= size
    place, count = _dense(place)
    return place, first_places(place, count)


def first_places(number: I8, count: int) -> I8:
    """Where each number comes first; -1 where it does not."""
    first = np.full(count, -1, np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    return first


def _dense(place: I8) -> tuple[I8, int]:
    """The place of each value among all different ones; and how many there are."""
    words = pa.array(place).dictionary_encode()
    number = np.empty(len(words.dictionary), np.int64)
    number[pc.sort_indices(words.dictionary).to_numpy()] = np.arange(len(number))
    return number[words.indices.to_numpy()], len(number)


def coded_words(column: pa.ChunkedArray) -> tuple[I8, list[str | None]]:
    """The number of each text, and the texts; the last number, -1, is that of NULL."""
    words = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    whole = words.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # of no chunk
        return np.zeros(0, np.int64), []
    codes = pc.fill_null(whole.indices.cast(pa.int64()), -1)
    return codes.to_numpy(), whole.dictionary.to_pylist()


def worded(codes: npt.NDArray[Any], words: Sequence[str]) -> pa.Array:
    """The texts of these numbers."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(words, pa.string()))


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _encoded(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        return column
    plain = column if column.type == kind else column.cast(kind)
    return plain.dictionary_encode()
