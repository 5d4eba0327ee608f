"""What RMF prints in its XML, and which column of our reports holds it.

Names of segments, parts, columns and variables are those of listings of z/OS V2R4 and V2R5. Where
RMF writes a word for what a report has as a letter or number, SQL says so.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A column of a table or a variable. `sql` is over the rows of the report; `form` names a print
    rule of numbers.py, without one it is text; `words` (SQL) is printed where it is not NULL."""

    heading: str
    sql: str
    form: str = ""
    words: str = "NULL"


@dataclass(frozen=True)
class Part:
    """A part of a segment: variables, or a table with a row for each row of the report.

    `labels` of its first cells say what a row is about. `total` (SQL) is true of a row of sums.
    """

    segment: str
    name: str
    report: str
    cells: tuple[Cell, ...]
    labels: tuple[str, ...] = ()
    where: str = "true"
    total: str = "false"


CPU, PARTITION = "CPU Activity", "Partition Data Report"
LABELS = {"CPU Number", "CPU Type", "Partition Name", "PROC Type", "Type", "Number of Work Units"}
_BOOST = "CASE {} WHEN 'N' THEN '{}' WHEN 'S' THEN '{}' WHEN 'I' THEN '{}' WHEN 'B' THEN '{}' END"
_QUEUE = "queue || if(kind = 'type', ' Address Spaces', ' Queue')"


def _counts(of: str) -> tuple[Cell, ...]:
    return (
        Cell(f"Number of {of}: MIN", "min_count", "int"),
        Cell(f"Number of {of}: MAX", "max_count", "int"),
        Cell(f"Number of {of}: AVG", "avg_count", "1"),
    )


PARTS = (
    Part(
        CPU,
        "",
        "rmf.cpu_header",
        (
            Cell("CPU", "machine_type"),
            Cell("Model", "model"),
            Cell("H/W Model", "hw_model"),
            Cell("Sequence Code", "sequence_code"),
            Cell("HiperDispatch", "hiperdispatch"),
            Cell("CPC Capacity", "cpc_capacity_msu", "int"),
            Cell("Change Reason", "change_reason"),
            Cell("Boost Type", _BOOST.format("boost_type", "NONE", "SPEED", "ZIIP", "SPEED/ZIIP")),
            Cell("Boost Class", "coalesce(boost_class, if(boost_type = 'N', 'NONE', NULL))"),
        ),
    ),
    Part(
        CPU,
        "",
        "rmf.cpu",
        (
            Cell("CPU Number", "if(cpu IS NULL, 'TOTAL/AVERAGE', format('{:X}', cpu))"),
            Cell("CPU Type", "type"),
            Cell("Time% Online", "if(cpu IS NOT NULL, online_pct, NULL)", "2"),
            Cell("Time% LPAR Busy", "lpar_busy_pct", "2"),
            Cell("Time% MVS Busy", "mvs_busy_pct", "2", "if(mvs_busy_pct IS NULL, '-----', NULL)"),
            Cell("Time% Parked", "if(cpu IS NOT NULL, parked_pct, NULL)", "2"),
            Cell("LOG PROC Share%", "share_pct", "1"),
            Cell("HiperDispatch Priority", "share_kind"),
            Cell("I/O Interrupts Rate", "io_rate_per_s", "rate"),
            Cell("I/O Interrupts% via TPI", "coalesce(tpi_pct, 0)", "2"),
        ),
        ("CPU Number", "CPU Type"),
        "thread IS NULL OR thread = 1 OR cpu IS NULL",
        "cpu IS NULL",
    ),
    Part(
        CPU,
        "System Address Space Analysis",
        "rmf.address_spaces",
        (Cell("Type", _QUEUE), *_counts("Address Spaces")),
        ("Type",),
    ),
    Part(
        CPU,
        "Distribution of In-ready Work Unit Queue",
        "rmf.in_ready",
        (Cell("Avg Number of Processors Online and Unparked (N)", "processors_avg", "1"),),
        where="bucket_no = 1",
    ),
    Part(
        CPU,
        "Distribution of In-ready Work Unit Queue",
        "rmf.in_ready",
        (Cell("Number of Work Units", "bucket"), Cell("% of Samples", "samples_pct", "1")),
        ("Number of Work Units",),
    ),
    Part(
        CPU,
        "Work Unit Analysis",
        "rmf.work_units",
        (Cell("CPU Type", "type"), *_counts("Work Units")),
        ("CPU Type",),
    ),
    Part(
        CPU,
        "Blocked Workload Analysis",
        "rmf.blocked_workload",
        (
            Cell("OPT Parameter: BLWLTRPCT (%)", "blwltrpct", "1"),
            Cell("OPT Parameter: BLWLINTHD", "blwlinthd", "int"),
            Cell("Promote Rate Defined", "promote_defined_per_s", "int"),
            Cell("Promote Rate Used(%)", "coalesce(promote_used_pct, 0)", "int"),
            Cell("Avg Waiters for Promote", "waiters_avg", "3"),
            Cell("Peak Waiters for Promote", "waiters_peak", "int"),
        ),
    ),
    Part(
        PARTITION,
        "",
        "rmf.partition_header",
        (
            Cell("MVS Partition Name", "partition"),
            Cell("Image Capacity", "image_capacity_msu", "int"),
            Cell("Number of Configured Partitions", "configured_partitions", "int"),
            Cell("Wait Completion", "wait_completion"),
            Cell("Dispatch Interval", "dispatch_interval"),
            Cell("Group Name", "coalesce(group_name, 'N/A')"),
            Cell("Group Limit", "group_msu", "int", "if(group_msu IS NULL, 'N/A', NULL)"),
            Cell("Initial Capping", "initial_cap"),
            Cell("LPAR Hardware Capping", "lpar_hw_cap"),
            Cell("Hardware Group Capping", "hw_group_cap"),
            Cell("Absolute MSU Capping", "abs_msu_cap"),
        ),
    ),
    Part(
        PARTITION,
        "Number of Physical Processors",
        "rmf.processors",
        (
            Cell(
                "Type",
                "CASE type WHEN 'CP' THEN 'General purpose processor (CP)'"
                " WHEN 'AAP' THEN 'Application Assist Processor (zAAP)'"
                " WHEN 'IIP' THEN 'Integrated Information Processor (zIIP)'"
                " WHEN 'ICF' THEN 'Internal Coupling Facility (ICF) processor'"
                " WHEN 'IFL' THEN 'Integrated Facility for Linux (IFL) processor'"
                " WHEN 'TOTAL' THEN 'Total' ELSE type END",
            ),
            Cell("Number", "physical_count", "exposures"),
        ),
        ("Type",),
        total="type = 'TOTAL'",
    ),
    Part(
        PARTITION,
        "Partition Data",
        "rmf.partition",
        (
            Cell("Partition Name", "partition"),
            Cell("Partition Status", "status"),
            Cell("Boost Type", _BOOST.format("boost_type", "None", "Speed", "zIIP", "Both")),
            Cell("Partition Weight", "weight", "int", "if(dedicated, 'DED', NULL)"),
            Cell("MSU Defined", "msu_def", "int"),
            Cell("MSU Actual", "msu_act", "int"),
            Cell("Capping Defined", "cap_def"),
            Cell("Capping WLM%", "wlm_cap_pct", "1"),
            Cell("Num of LOG PROCs", "processors", "exposures"),
            Cell("PROC Type", "type"),
            Cell("Effective Dispatch Time", "effective_s", "time"),
            Cell("Total Dispatch Time", "total_s", "time"),
            Cell("Avg Util%: LOG PROC Effective", "lp_effective_pct", "2"),
            Cell("Avg Util%: LOG PROC Total", "lp_total_pct", "2"),
            Cell("Avg Util%: PHYS PROC LPAR MGMT", "mgmt_pct", "2"),
            Cell("Avg Util%: PHYS PROC Effective", "phys_effective_pct", "2"),
            Cell("Avg Util%: PHYS PROC Total", "phys_total_pct", "2"),
        ),
        ("Partition Name", "PROC Type"),
        total="partition = 'TOTAL'",
    ),
)
SEGMENTS = {"rmf.cpu": (CPU, PARTITION), "rmf.partition": (PARTITION,)}
