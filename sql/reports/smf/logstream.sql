/* imsperf report
id       = "smf.logstream"
title    = "System Logger Activity"
answers  = "How much is logged, how often is a log stream offloaded, was its interim storage full?"
key      = ["log_stream"]
time     = "interval_end_utc"
optional = ["smf30_identification", "smf30_subsystem", "smf88_1_events", "smf88_1_structure"]

[chart]
mark     = "bar"
x        = "log_stream"
y        = ["written_mbps", "dasd_mbps"]
facet    = "system"
stack    = "no"
top      = 20
by       = "written_bytes"
title    = "Log streams, 10^6 bytes a second"

[page]
layout = "ours"

[[page.table]]
columns  = """
log_stream         -26  LOG STREAM
structure          -16  STRUCTURE
writes_per_s         8  WRITES|/SEC
bytes_per_write      7  BYTES|/WRITE
written_mbps         7  WRITTEN|MB/SEC
dasd_mbps            7  DASD|MB/SEC
offloads             6  OFF-|LOADS
dasd_switches        6  DASD|SWITCH
structure_full       6  STRUCT|FULL
staging_threshold    7  STAGING|THRESH
staging_full         7  STAGING|FULL
"""

[columns]
writes              = { label = "WRITES", kind = "count", format = "scaled" }
writes_per_s        = { label = "WRITES/S", format = "rate" }
bytes_per_write     = { label = "BYTES/WRITE", format = "int", empty = "" }
min_block_bytes     = { label = "MIN BLOCK", kind = "level", total = "min", format = "int" }
max_block_bytes     = { label = "MAX BLOCK", kind = "highwater", format = "int" }
written_mbps        = { label = "WRITTEN MB/S", format = "rate" }
interim_bytes       = { label = "INTERIM BYTES", kind = "count", format = "scaled" }
dasd_mbps           = { label = "DASD MB/S", format = "rate" }
deleted_early_bytes = { label = "DELETED BEFORE", kind = "count", better = "higher", format = "scaled" }
deleted_late_bytes  = { label = "DELETED AFTER", kind = "count", format = "scaled" }
type1               = { label = "TYPE 1", kind = "count", format = "scaled" }
offloads            = { label = "OFFLOADS", kind = "count", format = "scaled" }
entry_full          = { label = "90% ENTRIES", kind = "count", better = "lower", format = "scaled" }
dasd_switches       = { label = "DASD SWITCHES", kind = "count", better = "lower", format = "scaled" }
structure_full      = { label = "STRUCTURE FULL", kind = "count", better = "lower", format = "scaled" }
staging_threshold   = { label = "STAGING THRESHOLD", kind = "count", better = "lower", format = "scaled" }
staging_full        = { kind = "count", better = "lower", format = "scaled" }
*/
SELECT
    run, sysplex, system, interval_start,
    interval_start_utc, -- Interval start, UTC: the end before, or that of type 30; NULL where neither is known
    interval_end_utc, log_stream, structure,
    write_count                                                  AS writes, -- IXGWRITE calls [requests]
    write_count / nullif(interval_s, 0)                          AS writes_per_s, -- IXGWRITE calls a second
    written_bytes / nullif(write_count, 0)                       AS bytes_per_write, -- Mean block [bytes]
    min_block_bytes, max_block_bytes,
    1e-06 * written_bytes / nullif(interval_s, 0)                AS written_mbps, -- Written by users, 10^6 bytes a second
    interim_bytes, -- Put into interim storage
    1e-06 * dasd_bytes / nullif(interval_s, 0)                   AS dasd_mbps, -- Written to DASD, 10^6 bytes a second
    deleted_early_bytes, -- Deleted before they were moved to DASD
    deleted_late_bytes, -- Deleted after they were moved to DASD
    type1_count                                                  AS type1, -- Writes that completed as type 1: the structure below its threshold [requests]
    offload_count                                                AS offloads, -- Offloads that moved data
    entry_full_count                                             AS entry_full, -- Offloads forced as 90 % of the structure's entries were in use
    dasd_switch_count                                            AS dasd_switches, -- Switches to a new DASD data set
    structure_full_count                                         AS structure_full, -- Times the structure was full
    staging_threshold_count                                      AS staging_threshold, -- Times a staging data set passed its threshold
    staging_full_count                                           AS staging_full, -- Times a staging data set was full
    interval_s, write_count, written_bytes, dasd_bytes
FROM smf_logstream
ORDER BY run, system, interval_end_utc, log_stream
