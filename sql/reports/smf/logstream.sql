/* imsperf report
id       = "smf.logstream"
title    = "System Logger Activity"
answers  = "How much is logged, how often is a log stream offloaded, was its interim storage full?"
key      = ["log_stream"]
time     = "interval_end_utc"
needs    = ["load_file", "load_interval", "smf30_identification", "smf30_subsystem",
            "smf88_1_events", "smf88_1_header", "smf88_1_log_stream", "smf88_1_structure"]
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

[[column]]
name     = "run"
kind     = "text"
doc      = "Measurement"
from     = ["load_file.run"]

[[column]]
name     = "sysplex"
kind     = "text"
doc      = "Sysplex name, where RMF records of the run tell it"
from     = ["load_interval.sysplex"]

[[column]]
name     = "system"
kind     = "text"
doc      = "System name where RMF records of the run tell it, else the SMF id"
from     = ["smf88_1_log_stream.system", "load_interval.name"]

[[column]]
name     = "interval_start"
kind     = "time"
doc      = "Interval start, local time of the system; NULL where it cannot be told"
from     = ["smf88_1_log_stream.smf88ltd", "smf30_identification.smf30iss",
            "smf88_1_header.smf88dte", "smf88_1_header.smf88tme"]

[[column]]
name     = "interval_start_utc"
kind     = "time"
doc      = "Interval start, UTC: the end before, or that of type 30; NULL where neither is known"
from     = ["smf88_1_log_stream.smf88ltd", "smf30_identification.smf30iss"]

[[column]]
name     = "interval_end_utc"
kind     = "time"
doc      = "Interval end, UTC"
from     = ["smf88_1_log_stream.smf88ltd"]

[[column]]
name     = "log_stream"
label    = "LOG STREAM"
kind     = "text"
doc      = "Log stream"
from     = ["smf88_1_log_stream.smf88lsn"]

[[column]]
name     = "structure"
label    = "STRUCTURE"
kind     = "text"
doc      = "Coupling facility structure; *DASDONLY where there is none"
from     = ["smf88_1_structure.smf88stn"]

[[column]]
name     = "writes"
label    = "WRITES"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "IXGWRITE calls"
from     = ["smf88_1_log_stream.smf88lwi"]

[[column]]
name     = "writes_per_s"
label    = "WRITES/S"
unit     = "1/s"
kind     = "ratio"
num      = "write_count"
den      = "interval_s"
format   = "rate"
doc      = "IXGWRITE calls a second"
from     = ["smf88_1_log_stream.smf88lwi", "smf88_1_log_stream.smf88ltd",
            "smf30_identification.smf30iss"]

[[column]]
name     = "bytes_per_write"
label    = "BYTES/WRITE"
unit     = "bytes"
kind     = "ratio"
num      = "written_bytes"
den      = "write_count"
format   = "int"
empty    = ""
doc      = "Mean block"
from     = ["smf88_1_log_stream.smf88lwb", "smf88_1_log_stream.smf88lwi"]

[[column]]
name     = "min_block_bytes"
label    = "MIN BLOCK"
unit     = "bytes"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Shortest block written"
from     = ["smf88_1_log_stream.smf88lib"]

[[column]]
name     = "max_block_bytes"
label    = "MAX BLOCK"
unit     = "bytes"
kind     = "highwater"
format   = "int"
doc      = "Longest block written"
from     = ["smf88_1_log_stream.smf88lab"]

[[column]]
name     = "written_mbps"
label    = "WRITTEN MB/S"
unit     = "MB/s"
kind     = "ratio"
num      = "written_bytes"
den      = "interval_s"
scale    = 1e-06
format   = "rate"
doc      = "Written by users, 10^6 bytes a second"
from     = ["smf88_1_log_stream.smf88lwb", "smf88_1_log_stream.smf88ltd",
            "smf30_identification.smf30iss"]

[[column]]
name     = "interim_bytes"
label    = "INTERIM BYTES"
unit     = "bytes"
kind     = "count"
format   = "scaled"
doc      = "Put into interim storage"
from     = ["smf88_1_structure.smf88swb"]

[[column]]
name     = "dasd_mbps"
label    = "DASD MB/S"
unit     = "MB/s"
kind     = "ratio"
num      = "dasd_bytes"
den      = "interval_s"
scale    = 1e-06
format   = "rate"
doc      = "Written to DASD, 10^6 bytes a second"
from     = ["smf88_1_log_stream.smf88ldb", "smf88_1_log_stream.smf88ltd",
            "smf30_identification.smf30iss"]

[[column]]
name     = "deleted_early_bytes"
label    = "DELETED BEFORE"
unit     = "bytes"
better   = "higher"
kind     = "count"
format   = "scaled"
doc      = "Deleted before they were moved to DASD"
from     = ["smf88_1_structure.smf88sib"]

[[column]]
name     = "deleted_late_bytes"
label    = "DELETED AFTER"
unit     = "bytes"
kind     = "count"
format   = "scaled"
doc      = "Deleted after they were moved to DASD"
from     = ["smf88_1_structure.smf88sab"]

[[column]]
name     = "type1"
label    = "TYPE 1"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Writes that completed as type 1: the structure below its threshold"
from     = ["smf88_1_structure.smf88sc1"]

[[column]]
name     = "offloads"
label    = "OFFLOADS"
kind     = "count"
format   = "scaled"
doc      = "Offloads that moved data"
from     = ["smf88_1_events.smf88eo"]

[[column]]
name     = "entry_full"
label    = "90% ENTRIES"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Offloads forced as 90 % of the structure's entries were in use"
from     = ["smf88_1_events.smf88efs"]

[[column]]
name     = "dasd_switches"
label    = "DASD SWITCHES"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Switches to a new DASD data set"
from     = ["smf88_1_events.smf88eds"]

[[column]]
name     = "structure_full"
label    = "STRUCTURE FULL"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times the structure was full"
from     = ["smf88_1_events.smf88esf"]

[[column]]
name     = "staging_threshold"
label    = "STAGING THRESHOLD"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times a staging data set passed its threshold"
from     = ["smf88_1_events.smf88ett"]

[[column]]
name     = "staging_full"
label    = "STAGING FULL"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times a staging data set was full"
from     = ["smf88_1_events.smf88etf"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["smf_logstream.interval_s"]

[[column]]
name     = "write_count"
unit     = "requests"
kind     = "part"
doc      = "IXGWRITE calls"
from     = ["smf_logstream.write_count"]

[[column]]
name     = "written_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Written by users"
from     = ["smf_logstream.written_bytes"]

[[column]]
name     = "dasd_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Written to DASD"
from     = ["smf_logstream.dasd_bytes"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    interval_end_utc                                             AS interval_end_utc,
    log_stream                                                   AS log_stream,
    structure                                                    AS structure,
    write_count                                                  AS writes,
    write_count / nullif(interval_s, 0)                          AS writes_per_s,
    written_bytes / nullif(write_count, 0)                       AS bytes_per_write,
    min_block_bytes                                              AS min_block_bytes,
    max_block_bytes                                              AS max_block_bytes,
    1e-06 * written_bytes / nullif(interval_s, 0)                AS written_mbps,
    interim_bytes                                                AS interim_bytes,
    1e-06 * dasd_bytes / nullif(interval_s, 0)                   AS dasd_mbps,
    deleted_early_bytes                                          AS deleted_early_bytes,
    deleted_late_bytes                                           AS deleted_late_bytes,
    type1_count                                                  AS type1,
    offload_count                                                AS offloads,
    entry_full_count                                             AS entry_full,
    dasd_switch_count                                            AS dasd_switches,
    structure_full_count                                         AS structure_full,
    staging_threshold_count                                      AS staging_threshold,
    staging_full_count                                           AS staging_full,
    interval_s                                                   AS interval_s,
    write_count                                                  AS write_count,
    written_bytes                                                AS written_bytes,
    dasd_bytes                                                   AS dasd_bytes
FROM smf_logstream
ORDER BY run, system, interval_end_utc, log_stream
