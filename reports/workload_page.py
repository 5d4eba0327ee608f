"""Workload Activity as RMF prints it: a block for each policy, workload, class and period."""

from __future__ import annotations

from collections.abc import Sequence

from imsperf.reports.numbers import visible
from imsperf.reports.page_parts import Row, cell, lines, rmf_heading, split
from imsperf.reports.run import Result

# heading of a group, width of its names, width of its values, then name and column of each line
_GROUPS: tuple[tuple[str, int, int, tuple[tuple[str, str], ...]], ...] = (
    ("-TRANSACTIONS-", 7, 8, (
        ("AVG", "avg"), ("MPL", "mpl"), ("ENDED", "ended"), ("END/S", "end_per_s"),
        ("#SWAPS", "swaps"), ("EXCTD", "exctd"), ("AVG ENC", "avg_enc"), ("REM ENC", "rem_enc"),
    )),
    ("TRANS-TIME (MS)", 9, 10, (
        ("ACTUAL", "resp_ms"), ("EXECUTION", "exec_ms"), ("QUEUED", "queued_ms"),
        ("STD DEV", "resp_std_ms"),
    )),
    ("--DASD I/O--", 6, 7, (
        ("SSCHRT", "ssch_per_s"), ("RESP", "io_resp_ms"), ("CONN", "io_conn_ms"),
        ("DISC", "io_disc_ms"), ("Q+PEND", "io_qpend_ms"), ("IOSQ", "io_iosq_ms"),
    )),
    ("---SERVICE---", 7, 7, (
        ("IOC", "ioc_su"), ("CPU", "cpu_su"), ("MSO", "mso_su"), ("SRB", "srb_su"),
        ("TOT", "total_su"), ("/SEC", "su_per_s"), ("ABSRPTN", "absrptn"),
        ("TRX SRV", "trx_serv"),
    )),
    ("SERVICE TIME", 4, 9, (
        ("CPU", "cpu_s"), ("SRB", "srb_s"), ("RCT", "rct_s"), ("IIT", "iit_s"), ("HST", "hst_s"),
        ("IIP", "iip_s"),
    )),
    ("---APPL %---", 5, 7, (
        ("CP", "appl_cp_pct"), ("IIPCP", "appl_iipcp_pct"), ("IIP", "appl_iip_pct"),
    )),
    ("--PROMOTED--", 3, 7, (
        ("BLK", "promoted_blk_s"), ("ENQ", "promoted_enq_s"), ("CRM", "promoted_crm_s"),
        ("LCK", "promoted_lck_s"), ("SUP", "promoted_sup_s"),
    )),
    ("----STORAGE----", 6, 9, (
        ("AVG", "storage_avg_frames"), ("TOTAL", "storage_total_frames"),
        ("SHARED", "storage_shared_frames"),
    )),
)  # fmt: skip
_WIDTHS = " ".join(f"-{name + 1 + value}" for _, name, value, _ in _GROUPS)
_TITLES = {
    "policy": "POLICY",
    "workload": "WORKLOAD",
    "service": "SERVICE CLASS",
    "report": "REPORT CLASS",
}


def workload_page(result: Result) -> str:
    """Workload Activity."""
    return "\n".join(
        rmf_heading("Workload Activity", page) + "\n".join(_block(result, row) for row in page.rows)
        for page in split(result)
    )


def _block(result: Result, row: Row) -> str:
    return f"REPORT BY: {_name(row)}\n" + lines(_WIDTHS, _cells(result, row)) + _goal(result, row)


def _name(row: Row) -> str:
    """The scope, as the line above a block says it."""
    words = [f"{_TITLES[row['kind']]}={visible(row['class'] or '-')}"]
    if row["workload"]:
        words.insert(0, f"WORKLOAD={visible(row['workload'])}")
    if row["period"] is not None:
        words.append(f"PERIOD={row['period']}")
        words.append(f"IMPORTANCE={row['importance'] or '-'}")
    return "  ".join(words)


def _cells(result: Result, row: Row) -> list[Sequence[str]]:
    heads = [title for title, *_ in _GROUPS]
    height = max(len(entries) for *_, entries in _GROUPS)
    body = [[_entry(result, row, group, place) for group in _GROUPS] for place in range(height)]
    return [heads, *body]


def _entry(
    result: Result,
    row: Row,
    group: tuple[str, int, int, tuple[tuple[str, str], ...]],
    place: int,
) -> str:
    _, name_width, value_width, entries = group
    if place >= len(entries):
        return ""
    name, column = entries[place]
    return f"{name:<{name_width}} {cell(result, row, column):>{value_width}}"


def _goal(result: Result, row: Row) -> str:
    """The goal of a period, what was reached, and the performance index: **** above 4."""
    if row["goal_kind"] is None:
        return ""
    index = row["perf_index"]
    shown = "****" if index is not None and index > 4 else cell(result, row, "perf_index")
    actual = cell(result, row, "actual")
    goal = {
        "percentile": f"RESPONSE TIME {row['goal']} MS FOR {row['goal_percentile']}%"
        f"   ACTUAL {actual}% WITHIN",
        "average": f"RESPONSE TIME {row['goal']} MS AVG   ACTUAL {actual} MS",
        "velocity": f"EXECUTION VELOCITY {row['goal']}%   ACTUAL {actual}%",
    }.get(row["goal_kind"], row["goal_kind"].upper())
    velocity = cell(result, row, "velocity_pct")
    return f"GOAL: {goal}   EX VEL% {velocity}   PERF INDX {shown}\n"
