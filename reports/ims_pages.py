"""Pages of reports of the messages in an IMS log, after IMSPA's transit and usage reports."""

from __future__ import annotations

from imsperf.reports.numbers import visible
from imsperf.reports.pages import Page, cell, ims_heading, lines, split
from imsperf.reports.run import Result

_KINDS = {"full_function": "FF", "switch": "SW", "fast_path": "FP"}
_LEGEND = "\nFF full function   SW program switch   FP Fast Path\n"

_TRANSIT = (
    *("input_queue_ms", "schedule_ms", "process_ms", "output_queue_ms", "total_ms"),
    *("response_ms", "cpu_us", "std_ms", "p50_ms", "p90_ms", "p99_ms", "max_ms"),
)
_TRANSIT_WIDTHS = "-8 -2 9 " + " ".join(["8"] * len(_TRANSIT))


def transit_page(result: Result) -> str:
    """Transaction Transit: a line for each transaction code, means and percentiles."""
    groups = " Mean ms ".center(53, "-"), "Mean", " Total, ms ".center(44, "-")
    above = lines("-21 53 8 44", [("", *groups)])
    return _pages(result, _TRANSIT, _TRANSIT_WIDTHS, above)


_USAGE = {
    "per_s": "/Second",
    "per_schedule": "/Sched",
    "cpu_us": "CPU us",
    "ziip_us": "zIIP us",
    "db_calls": "DB",
    "fp_calls": "FP",
    "esaf_calls": "ESAF",
    "db_ios": "I/Os",
    "db_io_ms": "I/O ms",
    "lock_ms": "Lock ms",
    "ci_reads": "CIs rd",
    "ci_updates": "CIs chg",
    "in_flight": "In IMS",
}
_USAGE_WIDTHS = "-8 -2 9 9 7 9 8 7 6 6 7 9 8 7 7 8"


def transactions_page(result: Result) -> str:
    """Transaction Resource Usage: what a transaction of each code uses."""
    groups = "", " Calls ".center(21, "-"), " Database ".center(17, "-")
    above = lines("-57 21 17", [groups])
    return _pages(result, tuple(_USAGE), _USAGE_WIDTHS, above, tuple(_USAGE.values()))


def _pages(
    result: Result,
    names: tuple[str, ...],
    widths: str,
    above: str,
    short: tuple[str, ...] = (),
) -> str:
    named = short or tuple(result.report.column(n).heading for n in names)
    heads = ["Trancode", "", "Count", *named]
    out = []
    for page in split(result, "ims"):
        title = ims_heading(result.report.title, page)
        out.append(title + above + lines(widths, [heads, *_body(result, page, names)]))
    return "\n".join(out) + _LEGEND


def _body(result: Result, page: Page, names: tuple[str, ...]) -> list[list[str]]:
    return [
        [
            visible(row["tran"] or "-"),
            _KINDS.get(row["kind"], "-"),
            *(cell(result, row, name) for name in ("count", *names)),
        ]
        for row in page.rows
    ]


IMS_PAGES = {"ims.transactions": transactions_page, "ims.transit": transit_page}
