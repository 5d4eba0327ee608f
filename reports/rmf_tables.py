"""RMF pages that are one table, or a list of values, below the usual heading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from imsperf.reports.pages import Page, Row, cell, lines, rmf_heading, split
from imsperf.reports.rmf_pages import Spec, columns, sysplex_heading, sysplex_pages
from imsperf.reports.run import Result


@dataclass(frozen=True)
class Table:
    """The rows of a page in columns; `only` chooses rows, `name` stands above them."""

    spec: Spec
    name: str = ""
    only: Callable[[Row], bool] = lambda row: True


def table_page(title: str, tables: Sequence[Table], result: Result) -> str:
    """Each page: the heading, then every table that has rows."""
    return "\n".join(
        rmf_heading(title, page) + _tables(result, page, tables) for page in split(result)
    )


def _tables(result: Result, page: Page, tables: Sequence[Table]) -> str:
    found = [(one, [row for row in page.rows if one.only(row)]) for one in tables]
    return "\n".join(
        (f"{one.name}\n" if one.name else "") + columns(result, rows, one.spec)
        for one, rows in found
        if rows
    )


def list_page(title: str, result: Result) -> str:
    """Each page: the heading, then the columns of its one row, a line each."""
    shown = [one for one in result.report.shown if one.name not in _HEADING]
    width = max(len(one.heading) for one in shown)
    pages = []
    for page in split(result):
        body = [[one.heading, cell(result, page.rows[0], one.name)] for one in shown]
        pages.append(rmf_heading(title, page) + lines(f"-{width} 16", body))
    return "\n".join(pages)


_HEADING = ("run", "sysplex", "system", "interval_start", "interval_start_utc")


def cf_usage_page(result: Result) -> str:
    """Usage Summary: the structures, then the facility."""
    pages = []
    for page in sysplex_pages(result, "cf"):
        structures = [row for row in page.rows if row["structure"] is not None]
        whole = next(row for row in page.rows if row["structure"] is None)
        body = [
            [result.report.column(name).heading, cell(result, whole, name)] for name in _FACILITY
        ]
        title = sysplex_heading("Coupling Facility Activity", page)
        name = f"COUPLING FACILITY NAME = {cell(result, whole, 'cf')}\nUSAGE SUMMARY\n\n"
        table = columns(result, structures, _STRUCTURES)
        pages.append(title + name + table + "\n" + lines("-28 12", body))
    return "\n".join(pages)


_FACILITY = (
    "busy_pct", "processors_effective", "processors_dedicated", "processors_shared", "storage_mb",
    "storage_free_mb", "requests", "requests_per_s",
)  # fmt: skip
_STRUCTURES: Spec = (
    ("||TYPE", -5, "type"), ("STRUCTURE||NAME", -16, "structure"),
    ("ALLOC|SIZE|MB", 9, "allocated_mb"),
    ("% OF|CF|STOR", 5, "storage_pct"), ("||# REQ", 9, "requests"),
    ("% OF|ALL|REQ", 5, "requests_pct"), ("% OF|CF|UTIL", 5, "cf_util_pct"),
    ("AVG|REQ/|SEC", 9, "requests_per_s"), ("LST/DIR|ENTRIES|TOT", 8, "entries_total"),
    ("||CUR", 8, "entries_used"), ("DATA|ELEMENTS|TOT", 8, "elements_total"),
    ("||CUR", 8, "elements_used"), ("LOCK|ENTRIES|TOT", 8, "locks_total"),
    ("||CUR", 8, "locks_used"),
)  # fmt: skip
_QUEUES: Spec = (("QUEUE TYPES", -18, "queue"), ("MIN", 8, "min_count"), ("MAX", 8, "max_count"),
                 ("AVG", 9, "avg_count"))  # fmt: skip
_TYPES: Spec = (("ADDRESS SPACE TYPES", -18, "queue"), *_QUEUES[1:])
_UNITS: Spec = (("CPU TYPES", -9, "type"), ("MIN", 8, "min_count"), ("MAX", 8, "max_count"),
                ("AVG", 9, "avg_count"))  # fmt: skip
_BUCKETS: Spec = (("NUMBER OF|WORK UNITS", -10, "bucket"), ("|(%)", 7, "samples_pct"),
                  ("|N", 7, "processors_avg"))  # fmt: skip
_RESOURCES: Spec = (
    ("NAME|MAJOR", -8, "major"), ("|MINOR", -26, "minor"), ("|SCOPE", -7, "scope"),
    ("CONTENTION TIME|MIN", 15, "min_s"), ("|MAX", 8, "max_s"), ("|TOT", 9, "total_s"),
    ("|AVG", 8, "avg_s"), ("|  OWNER", -10, "owner"), ("|WAITER", -8, "waiter"),
    ("%QLEN|1", 6, "qlen1_pct"), ("|2", 5, "qlen2_pct"), ("|3", 5, "qlen3_pct"),
    ("|4+", 5, "qlen4_pct"),
)  # fmt: skip
_QUEUEING: Spec = (
    ("||LCU", -4, "lcu"), ("|CHAN|PATHS", 5, "path"), ("|CHPID|TAKEN", 9, "taken_per_s"),
    ("|% DP|BUSY", 7, "dp_busy_pct"), ("|% CU|BUSY", 7, "cu_busy_pct"),
    ("AVG|CUB|DLY", 6, "cub_delay_ms"),
    ("AVG|CMR|DLY", 6, "cmr_delay_ms"), ("|CONTENTION|RATE", 10, "contention_per_s"),
    ("DELAY|Q|LNGTH", 7, "delay_queue"), ("AVG|CSS|DLY", 6, "css_delay_ms"),
    ("|HPAV|WAIT", 7, "hpav_wait"), ("|HPAV|MAX", 6, "hpav_max"),
)  # fmt: skip
_IOPS: Spec = (
    ("|IOP", 4, "iop"), ("ACTIVITY|RATE", 9, "activity_per_s"), ("AVG Q|LNGTH", 7, "avg_queue"),
    ("% IOP|BUSY", 7, "busy_pct"), ("% CMPR|BUSY", 7, "compression_pct"),
    ("I/O START|RATE", 10, "start_per_s"), ("INTERRUPT|RATE", 10, "interrupt_per_s"),
    ("% RETRIED|ALL", 10, "retried_pct"), ("|CP", 6, "retried_cp_pct"),
    ("|DP", 6, "retried_dp_pct"),
    ("|CU", 6, "retried_cu_pct"), ("|DV", 6, "retried_dv_pct"),
    ("RETRIES|/SSCH", 8, "retries_per_start"),
)  # fmt: skip
_SIGNALS: Spec = (
    ("TO|SYSTEM", -8, "remote_system"), ("|TRANSPORT CLASS", -15, "transport_class"),
    ("BUFFER|LENGTH", 7, "buffer_length"), ("REQ|OUT", 10, "requests"), ("%|SML", 6, "small_pct"),
    ("%|FIT", 6, "fit_pct"), ("%|BIG", 6, "big_pct"), ("%|OVR", 6, "overhead_pct"),
    ("ALL PATHS|UNAVAIL", 10, "no_path"), ("REQ|REJECT", 8, "rejected"),
)  # fmt: skip
_INBOUND: Spec = (("FROM|SYSTEM", -8, "remote_system"), ("REQ|IN", 10, "requests"),
                  ("REQ|REJECT", 8, "rejected"))  # fmt: skip
_PATHS: Spec = (
    ("|SYSTEM", -8, "remote_system"), ("|TYP", -9, "type"), ("DEVICE OR|STRUCTURE", -16, "device"),
    ("OTHER|DEVICE", -6, "remote_device"), ("TRANSPORT|CLASS", -9, "transport_class"),
    ("|REQ", 9, "signals"), ("AVG Q|LNGTH", 7, "avg_queue"), ("|AVAIL", 8, "idle"),
    ("|BUSY", 8, "busy"), ("|RETRY", 6, "restarts"), ("TRANSFER|TIME", 8, "transfer_us"),
    ("BUFFERS|UNAVAIL", 8, "rejected"),
)  # fmt: skip
_MEMBERS: Spec = (
    ("GROUP", -8, "group_name"), ("MEMBER", -16, "member"), ("SYSTEM", -8, "member_system"),
    ("JOB", -8, "job"), ("STATE", -8, "state"), ("REQ OUT", 10, "sent"), ("REQ IN", 10, "received"),
)  # fmt: skip
_CACHE: Spec = (
    ("|SSID", -4, "ssid"), ("DEV|NUM", -4, "device"), ("VOLUME|SERIAL", -6, "volume"),
    ("I/O|RATE", 9, "io_per_s"), ("TOTAL|H/R", 6, "total_hit_pct"), ("READ|H/R", 6, "read_hit_pct"),
    ("WRITE|H/R", 6, "write_hit_pct"), ("%|READ", 6, "read_pct"),
    ("CACHE HIT|RATE READ", 10, "read_hits_per_s"),
    ("CACHE HIT|RATE WRITE", 10, "write_hits_per_s"),
    ("DASD I/O|STAGE", 9, "stage_per_s"), ("ASYNC|RATE", 8, "destage_per_s"),
    ("DFW|BYPASS", 7, "bypass_per_s"),
)  # fmt: skip
_LINKS: Spec = (
    ("SERIAL|NUMBER", -10, "controller"), ("|SAID", -4, "port"), ("LINK|TYPE", -13, "type"),
    ("|OPERATION", -12, "operation"), ("BYTES|/SEC", 11, "bytes_per_s"),
    ("BYTES|/OPERATION", 10, "bytes_per_operation"), ("OPERATIONS|/SEC", 10, "operations_per_s"),
    ("RESP TIME|/OPERATION", 10, "resp_ms"), ("I/O|INTENSITY", 9, "intensity"),
)  # fmt: skip
_RANKS: Spec = (
    ("SERIAL|NUMBER", -10, "controller"), ("|RRID", -4, "rank"), ("POOL|ID", -4, "pool"),
    ("READ|OPS/SEC", 8, "read_per_s"), ("BYTES|/OP", 8, "read_bytes_per_operation"),
    ("RTIME|/OP", 6, "read_ms"), ("WRITE|OPS/SEC", 8, "write_per_s"),
    ("BYTES|/OP", 8, "write_bytes_per_operation"), ("RTIME|/OP", 6, "write_ms"),
    ("|RAID", -16, "raid"),
    ("|WIDTH", 5, "width"), ("|RPM", 6, "rpm"), ("|CAP GB", 7, "capacity_gb"),
)  # fmt: skip


def is_(column: str, value: str) -> Callable[[Row], bool]:
    """Whether a row has this value."""
    return lambda row: bool(row[column] == value)


_TABLE_PAGES: dict[str, tuple[str, tuple[Table, ...]]] = {
    "rmf.processors": (
        "CPU Activity", (Table((("TYPE", -6, "type"), ("NUMBER", 8, "physical_count"))),)
    ),
    "rmf.address_spaces": (
        "CPU Activity",
        (Table(_QUEUES, "", is_("kind", "queue")), Table(_TYPES, "", is_("kind", "type"))),
    ),
    "rmf.work_units": ("CPU Activity", (Table(_UNITS, "NUMBER OF WORK UNITS"),)),
    "rmf.in_ready": ("CPU Activity", (Table(_BUCKETS, "IN-READY WORK UNIT DISTRIBUTION"),)),
    "rmf.enqueue": ("Enqueue Activity", (Table(_RESOURCES),)),
    "rmf.ioq": ("I/O Queuing Activity", (Table(_QUEUEING),)),
    "rmf.iop": ("I/O Queuing Activity", (Table(_IOPS),)),
    "rmf.xcf": (
        "XCF Activity",
        (
            Table(_SIGNALS, "OUTBOUND", is_("direction", "OUT")),
            Table(_SIGNALS, "LOCAL", is_("direction", "LOCAL")),
            Table(_INBOUND, "INBOUND", is_("direction", "IN")),
        ),
    ),
    "rmf.xcf_path": (
        "XCF Activity",
        (
            Table(_PATHS, "OUTBOUND", is_("direction", "OUT")),
            Table(_PATHS, "INBOUND", is_("direction", "IN")),
        ),
    ),
    "rmf.xcf_member": ("XCF Activity", (Table(_MEMBERS, "USAGE BY MEMBER"),)),
    "rmf.cache": ("Cache Subsystem Activity", (Table(_CACHE),)),
    "rmf.ess": ("ESS Disk Systems Activity", (Table(_LINKS, "LINK STATISTICS"),)),
    "rmf.ess_rank": ("ESS Disk Systems Activity", (Table(_RANKS, "RANK STATISTICS"),)),
}  # fmt: skip
_LIST_PAGES = {
    "rmf.cpu_header": "CPU Activity",
    "rmf.blocked_workload": "CPU Activity",
    "rmf.partition_header": "Partition Data Report",
    "rmf.paging": "Paging Activity",
}
RMF_TABLES: dict[str, Callable[[Result], str]] = {
    **{key: partial(table_page, *value) for key, value in _TABLE_PAGES.items()},
    **{key: partial(list_page, title) for key, title in _LIST_PAGES.items()},
    "rmf.cf_usage": cf_usage_page,
}
