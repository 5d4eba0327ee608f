/* imsperf report
id       = "ims.traces"
title    = "Trace Tables"
answers  = "Which trace tables are in the log, and what is traced most?"
key      = ["ims", "table_id", "trace_id", "subject"]
optional = ["ims_67fa_latc", "ims_67fa_dli_aa", "ims_06", "ims_4500", "ims_a0"]
no_rows  = "its trace tables are of no known log"

[chart]
mark     = "bar"
x        = "table_id"
y        = ["entries"]
facet    = "ims"
title    = "Trace entries by table"

[page]
layout   = "ours"
heading  = "log"
note     = """
Subject: the latch of a latch trace (LA), the function of a DL/I call (DL, code AA)"""

[[page.table]]
columns  = """
table_id             -7  Table
trace_id             -6  Code
subject              -8  Subject
entries              12  Entries
entries_per_s        12  /Second
blocks               10  Blocks
interval_start_utc   -24  First block UTC
last_block_utc       -24  Last block UTC
"""

[columns]
log_no         = { label = "Log" }
entries        = { kind = "count", format = "grouped" }
entries_per_s  = { label = "Entries /Second", format = "per_second" }
blocks         = { kind = "count", format = "grouped" }
last_block_utc = { kind = "time", total = "max" }
*/
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
block AS (
    SELECT
        f.run, f.sysplex, f.system, f.ims, f.log_no, f.clock, r.file_id, r.record_no,
        r.table_id, r.log_stck
    FROM ims_67fa AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY counts_once((f.log_no, r.log_stck, r.log_lsn), (r.file_id, r.record_no))
),
table_span AS (
    SELECT
        log_no, table_id, min(log_stck) AS first_block, max(log_stck) AS last_block,
        epoch(max(log_stck) - min(log_stck)) AS span_s, count(*) AS blocks
    FROM block
    GROUP BY log_no, table_id
),
entry AS (
    SELECT
        b.run, b.sysplex, b.system, b.ims, b.log_no, b.clock, b.table_id,
        format('{:02X}', e.trace_id::BIGINT)                     AS trace_id,
        coalesce(l.latch, d.func)                                AS subject,
        count(*)                                                 AS entries
    FROM block AS b
    JOIN ims_67fa_entry AS e ON e.file_id = b.file_id AND e.record_no = b.record_no
    LEFT JOIN ims_67fa_latc AS l
        ON l.file_id = e.file_id AND l.record_no = e.record_no AND l.section_no = e.section_no
    LEFT JOIN ims_67fa_dli_aa AS d
        ON d.file_id = e.file_id AND d.record_no = e.record_no AND d.section_no = e.section_no
    GROUP BY ALL
)
SELECT
    e.run, -- Measurement
    e.sysplex, -- Sysplex name, from a 4500 of the IMS
    e.system, -- SMF system id, from a 4500 of the IMS, or NULL
    ims_local(s.first_block, e.clock)                            AS interval_start, -- First block of the table in the log, local; NULL without a 4500
    s.first_block                                                AS interval_start_utc, -- First block of the table in the log, UTC
    e.ims, -- IMS id; NULL where the log names none
    e.log_no, -- Number of the log: its first file
    e.table_id, -- Trace table, two letters
    e.trace_id, -- Function code of the entries, hex
    e.subject, -- Latch of a latch trace, function of a DL/I call; NULL for other entries
    e.entries, -- Entries [entries]
    e.entries / nullif(s.span_s, 0)                              AS entries_per_s, -- Entries a second between the first and the last block of the table; NULL with one block [1/s]
    s.blocks, -- Blocks of the whole table [blocks]
    s.last_block                                                 AS last_block_utc, -- Last block of the table in the log, UTC
    s.span_s -- Time from the first to the last block of the table
FROM entry AS e
JOIN table_span AS s ON s.log_no = e.log_no AND s.table_id IS NOT DISTINCT FROM e.table_id
ORDER BY e.run, e.system, e.ims, e.log_no, e.table_id, e.trace_id, e.subject
