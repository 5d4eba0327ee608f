"""Types of arrays by their elements; shapes stand in the docstrings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Texts = NDArray[np.str_]
Times = NDArray[np.datetime64]
Values = NDArray[Any]  # of any one kind
