"""ims.transit with fields and groups that a user names: `--fields tran,total:p95 --by tran,hour`.

As in the form-based reports of IMSPA, each row is of the transactions that have the same groups.
The report is written as a report file would be, so that every form of output takes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from imsperf.errors import ReportError, near
from imsperf.reports.definition import Report
from imsperf.reports.report_file import parse

BASE = "ims.transit"
VIEW = "ims_message"


@dataclass(frozen=True)
class Measure:
    """A number of one transaction: its expression over the view, the unit its name ends in."""

    sql: str
    unit: str
    label: str
    doc: str


def _ms(column: str, label: str, doc: str) -> Measure:
    # a double: a percentile of decimals would be cut to their digits
    return Measure(f"1e-3 * {column}_us", "_ms", label, doc)


MEASURES = {
    "input_queue": _ms("input_queue", "Input Q", "time queued until the program got it"),
    "schedule": _ms("schedule", "Schedule", "time of the schedule, part of the input queue"),
    "process": _ms("process", "Process", "time in the program"),
    "output_queue": _ms(
        "output_queue", "Output Q", "time from insert of the output to its sending"
    ),
    "total": _ms("total", "Total", "time of input queue, processing and output queue"),
    "response": _ms("response", "Response", "time from arrival to sending"),
    "cpu": Measure("cpu_us", "_us", "CPU us", "CPU time on general processors"),
    "ziip": Measure("ziip_us", "_us", "zIIP us", "CPU time on zIIPs"),
    "db_io": _ms("db_io", "I/O ms", "time waiting for database I/O"),
    "lock": _ms("lock", "Lock ms", "time waiting for locks"),
    "db_calls": Measure("db_calls_count", "", "DB calls", "calls to full-function databases"),
    "db_ios": Measure("db_io_count", "", "DB I/Os", "database I/Os"),
    "fp_calls": Measure("fp_calls_count", "", "FP calls", "calls to Fast Path databases"),
    "esaf_calls": Measure("esaf_calls_count", "", "ESAF calls", "calls to external subsystems"),
}

COUNTS = {
    "count": ("count(*)", "Count", "Transactions"),
    "abends": (
        "sum(abended::INTEGER)",
        "Abend Count",
        "Transactions that ended in an abend; NULL where no record says it",
    ),
}

FUNCTIONS = {
    "avg": ("avg({})", "Mean"),
    "sum": ("sum({})", "Sum of the"),
    "min": ("min({})", "Shortest or smallest"),
    "max": ("max({})", "Longest or largest"),
    "std": ("stddev_samp({})", "Standard deviation of the"),
    "count": ("count({})", "Transactions with a known"),
}

_LOCAL = "coalesce(arrival_utc + (interval_start - interval_start_utc), arrival_utc)"
GROUPS = {
    "tran": ("tran", "Transaction code"),
    "psb": ("psb", "PSB of the program"),
    "region": ("pst", "Region number"),
    "kind": ("kind", "full_function, switch or fast_path"),
    "ims": ("ims", "IMS id"),
    "system": ("system", "SMF system id, from a 4500 of the IMS, or NULL"),
    "minute": (f"date_trunc('minute', {_LOCAL})", "Minute of arrival, local; UTC without a 4500"),
    "hour": (
        f"date_trunc('hour', {_LOCAL})",
        "Hour of arrival, local, also one that the clock shows twice; UTC without a 4500",
    ),
    "day": (f"date_trunc('day', {_LOCAL})", "Day of arrival, local; UTC without a 4500"),
}

_PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d{1,3})?)")


def form(fields: str, by: str, rows: str) -> Report:
    """The report of these fields and groups; `rows` is a SELECT of the view, already filtered.

    `fields` are groups, `count`, `abends`, or MEASURE[:FUNCTION] with commas between; the mean is
    the default. Without `by` the groups among the fields are it. Raises ReportError for unknown
    names.
    """
    words = [word.strip() for word in fields.split(",") if word.strip()]
    asked = [word.strip() for word in by.split(",") if word.strip()]
    groups = list(dict.fromkeys(asked or [word for word in words if word in GROUPS]))
    for group in groups:
        if group not in GROUPS:
            hint = near(group, GROUPS, f"groups: {', '.join(GROUPS)}")
            raise ReportError(f"{BASE}: --by: no group {group!r}", hint)
    if not words:
        raise ReportError(f"{BASE}: --fields: found no field", "such as tran,total:p95,cpu:avg")
    columns, said = [], []
    for word in dict.fromkeys([*(group for group in groups if group not in words), *words]):
        name, sql, doc, more = _column(word, groups)
        columns.append(f'    {sql} AS "{name}" -- {doc}')
        said.append(f"{name} = {{ {more} }}")
    # the comma stands before the words
    listed = [line.replace(" -- ", ", -- ", 1) for line in columns[:-1]]
    select = "\n".join([*listed, columns[-1]])
    order = ", ".join(["run", *(f'"{group}"' for group in groups)])
    key = ", ".join(f'"{group}"' for group in groups)
    return parse(
        f'''/* imsperf report
id       = "{BASE}"
title    = "Transaction Transit"
answers  = "What do transactions have in the fields asked for, by the groups asked for?"
key      = [{key}]
any_of   = ["ims_01", "ims_5937", "ims_5938"]
no_rows  = "no transaction is left, or its file is of no known log"

[columns]
{chr(10).join(said)}
*/
SELECT
    run, -- Measurement
{select}
FROM ({rows}
) AS transaction
GROUP BY {", ".join(["run", *(GROUPS[group][0] for group in groups)])}
ORDER BY {order}
''',
        f"{BASE} --fields",
    )


def _column(word: str, groups: list[str]) -> tuple[str, str, str, str]:
    """Name, SQL, description and members of the column of one field."""
    if word in groups:
        sql, doc = GROUPS[word]
        return word, sql, doc, f'label = "{word.capitalize()}"'
    if word in GROUPS:
        raise ReportError(
            f"{BASE}: --fields: {word} is a group, and --by does not name it",
            f"--by {','.join([*groups, word])}",
        )
    if word in COUNTS:
        sql, label, doc = COUNTS[word]
        return word, sql, doc, f'label = "{label}", kind = "count", format = "grouped"'
    name, _, function = word.partition(":")
    if name not in MEASURES:
        known = [*MEASURES, *GROUPS, *COUNTS]
        raise ReportError(
            f"{BASE}: --fields: no field {name!r}",
            near(name, known, f"fields: {', '.join(known)}"),
        )
    measure = MEASURES[name]
    template, said = _function(word, function or "avg")
    ending = (function or "avg").replace(".", "_")
    unit = "" if function == "count" else measure.unit
    form = "grouped" if function == "count" else {"_ms": "3", "_us": "1", "": "2"}[measure.unit]
    label = f"{measure.label} {function or 'avg'}"
    return (
        f"{name}_{ending}{unit}",
        template.format(measure.sql),
        f"{said} {measure.doc}",
        f'label = "{label}", format = "{form}"',
    )


def _function(word: str, function: str) -> tuple[str, str]:
    """The aggregate as a template, and what it is called."""
    match = _PERCENTILE.fullmatch(function)
    if match and 0 < float(match[1]) < 100:
        share = float(match[1]) / 100
        return f"quantile_cont({{}}, {share:.6g})", f"{match[1]} % are no longer:"
    if function not in FUNCTIONS:
        known = [*FUNCTIONS, "p50", "p90", "p95", "p99"]
        raise ReportError(
            f"{BASE}: --fields: {word}: no function {function!r}",
            near(function, known, f"functions: {', '.join(known)}, any percentile"),
        )
    return FUNCTIONS[function]
