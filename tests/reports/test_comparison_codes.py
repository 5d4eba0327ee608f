"""Numbers for the keys of both sides of a comparison, against what they are by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from imsperf.reports.comparison import codes
from imsperf.reports.comparison.codes import coded, numbered


def test_a_value_has_one_number_in_all_tables() -> None:
    """In several parts with values of their own, as text or encoded already; NULL stays NULL."""
    parts = pa.chunked_array([["b", None], ["c", "b"]]).dictionary_encode()
    tables = [
        pa.table({"device": parts, "io": [1.0, 2.0, 3.0, 4.0]}),
        pa.table({"device": ["a", "c"], "io": [5.0, 6.0]}),
        pa.table({"io": pa.array([], pa.float64())}),
    ]
    made, values = coded(tables, ["device"])
    assert values["device"].to_pylist() == ["a", "b", "c"]
    assert [table.to_pydict() for table in made] == [
        {"device": [1, None, 2, 1], "io": [1.0, 2.0, 3.0, 4.0]},
        {"device": [0, 2], "io": [5.0, 6.0]},
        {"io": []},
    ]


def test_a_column_without_rows() -> None:
    empty = pa.table({"device": pa.array([], pa.string())})
    made, values = coded([empty, empty], ["device"])
    assert [table.num_rows for table in made] == [0, 0] and len(values["device"]) == 0


@pytest.mark.parametrize("most", [1 << 40, 2])
def test_keys_in_ascending_order(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """(1, 0), (0, 2), (1, 0), (0, 1), (1, 2): 2, 1, 2, 0, 3; also where products are too large."""
    monkeypatch.setattr(codes, "_MOST", most)
    number, first = numbered([np.array([1, 0, 1, 0, 1]), np.array([0, 2, 0, 1, 2])], 5)
    assert number.tolist() == [2, 1, 2, 0, 3] and first.tolist() == [3, 1, 0, 4]
