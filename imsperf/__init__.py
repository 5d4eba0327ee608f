"""imsperf: SMF and IMS log dumps to SQL, reports, comparison and a performance model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imsperf.api import (
        compare,
        connect,
        extract,
        load,
        merge,
        plan,
        query,
        read,
        read_task,
        report,
        run_report,
        scan,
    )

__version__ = "0.1.0"
__all__ = [
    "compare", "connect", "extract", "load", "merge", "plan", "query", "read", "read_task",
    "report", "run_report", "scan",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The functions of `imsperf.api`, imported when first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from imsperf import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
