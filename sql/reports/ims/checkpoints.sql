/* imsperf report
id       = "ims.checkpoints"
title    = "System Checkpoints"
answers  = "How often does IMS take a checkpoint, and how long does it last?"
key      = ["ims"]
optional = ["ims_4098", "ims_4500", "ims_06", "ims_a0"]
no_rows  = "its checkpoints are of no known log"

[page]
layout   = "ours"
heading  = "log"
note     = "- the record of its end, or the checkpoint before it, is not in the log"

[[page.table]]
columns  = """
ckpt_no              10  Checkpoint
interval_start_utc  -23  Begun UTC
type                -10  Type
duration_ms          14  Length ms
log_records          14  Log records
since_s              14  Since last s
"""

[columns]
duration_ms = { kind = "level", better = "lower", format = "3" }
log_records = { kind = "level", format = "grouped" }
since_s     = { kind = "level", format = "1" }
*/
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
begun AS (
    SELECT f.run, f.sysplex, f.system, f.clock, f.log_no, f.sample_every, r.*
    FROM ims_4001 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY counts_once((f.log_no, r.imsid, r.ckpt_no, r.log_stck), (r.file_id, r.record_no))
),
ended AS (
    SELECT f.log_no, r.*
    FROM ims_4098 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.imsid, r.ckpt_no, r.log_stck), (r.file_id, r.record_no))
)
SELECT
    b.run, -- Measurement
    b.sysplex, -- Sysplex name, from a 4500 of the IMS
    b.system, -- SMF system id, from a 4500 of the IMS, or NULL
    ims_local(b.log_stck, b.clock)                               AS interval_start, -- When it began, local; NULL without a 4500
    b.log_stck                                                   AS interval_start_utc, -- When it began (4001), UTC
    b.imsid                                                      AS ims, -- IMS id
    b.ckpt_no, -- Checkpoint, counted from IMS start
    CASE b.ckpt_type WHEN 'S' THEN 'system' WHEN 'F' THEN 'shutdown' WHEN 'C' THEN 'command'
        ELSE b.ckpt_type END                                     AS type, -- system, shutdown or command
    0.001 * (epoch_us(e.log_stck) - epoch_us(b.log_stck))        AS duration_ms, -- From its first record (4001) to its last (4098)
    CASE WHEN b.sample_every = 1 THEN e.log_lsn::BIGINT - b.log_lsn END AS log_records, -- Log records written meanwhile, by sequence numbers; NULL where the log holds a sample [records]
    1e-6 * (epoch_us(b.log_stck) - epoch_us(lag(b.log_stck) OVER checkpoints)) AS since_s -- Since the one before began
FROM begun AS b
ASOF LEFT JOIN ended AS e
    ON e.log_no = b.log_no AND e.imsid = b.imsid AND e.ckpt_no = b.ckpt_no
    AND b.log_stck <= e.log_stck
WINDOW checkpoints AS (PARTITION BY b.log_no, b.imsid ORDER BY b.log_stck)
ORDER BY b.run, b.system, ims, interval_start_utc, b.ckpt_no
