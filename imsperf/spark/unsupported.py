"""SQL that cannot be said to Spark."""

from __future__ import annotations

from imsperf.errors import ReportError


class Unsupported(ReportError):
    """A construct of DuckDB without a counterpart that is known."""

    def __init__(self, construct: str, source: str = "") -> None:
        where = f"{source}: " if source else ""
        super().__init__(
            f"{where}cannot be translated to Spark: {construct}",
            "imsperf/spark/rewrites.py lists what can be",
        )
        self.construct = construct
