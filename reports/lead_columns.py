"""The five columns that reports of intervals begin with, by what `lead` in a header names."""

from __future__ import annotations

# name, kind, doc, from: what `lead` in a header stands for
LEAD = {
    "smf": (
        ("run", "text", "Measurement", "load_file.run"),
        ("sysplex", "text", "Sysplex name", "{table}.{smf}xnm"),
        ("system", "text", "System name", "{table}.system"),
        (
            *("interval_start", "time", "Interval start, local time of the system"),
            "{table}.interval_start",
        ),
        (
            *("interval_start_utc", "time", "Interval start, UTC"),
            "{table}.interval_start {table}.{smf}lgo",
        ),
    ),
    "ims": (
        ("run", "text", "Measurement", "load_file.run"),
        ("sysplex", "text", "Sysplex name, from the 4500 of the set", "ims_4500.sysplex"),
        (
            *("system", "text", "SMF system id, from the 4500 of the set; NULL without it"),
            "ims_4500.smfid",
        ),
        (
            *("interval_start", "time", "Start of the counted time, local; NULL without a 4500"),
            "{table}.sample ims_4500.local_offset_q",
        ),
        (
            *("interval_start_utc", "time"),
            "Start of the counted time, UTC: the earlier set, or the restart after it",
            "{table}.sample {table}.interval_start ims_06.event_time",
        ),
    ),
    "ims_log_interval": (
        ("run", "text", "Measurement", "load_file.run"),
        ("sysplex", "text", "Sysplex name, from a 4500 of the IMS", "ims_4500.sysplex"),
        ("system", "text", "SMF system id, from a 4500 of the IMS, or NULL", "ims_4500.smfid"),
        (
            "interval_start",
            "time",
            "The same, local; NULL without a 4500",
            "{table}.interval_start",
        ),
        (
            *("interval_start_utc", "time", "Statistics set, or first arrival in the log, UTC"),
            "{table}.interval_start_utc ims_4500.sample",
        ),
    ),
}
