/* imsperf report
id       = "ims.tran_attributes"
title    = "Transaction Attributes by Checkpoint"
answers  = "What would /DISPLAY TRAN ALL show at each checkpoint of the log?"
key      = ["ims", "tran"]
optional = ["ims_31", "ims_35", "ims_4500", "ims_06", "ims_a0"]
no_rows  = "its log has no attributes of transactions (A10D of synthetic logs)"

[page]
layout   = "IMS Commands, /DISPLAY TRAN"
heading  = "log"
note     = "- the log holds a sample"
blocks   = ["ckpt_no"]
block_above = "Checkpoint {ckpt_no}, {interval_start_utc} UTC"

[[page.table]]
columns  = """
tran              -8  TRAN
class              5  CLS
enqueued_count     8  ENQCT
queued_count       7  QCT
limit_count        6  LCT
processing_limit   6  PLCT
current_priority   4  CP
normal_priority    4  NP
limit_priority     4  LP
segment_size       6  SEGSZ
segment_number     6  SEGNO
parallel_limit     6  PARLM
regions_count      4  RC
"""

[columns]
ckpt_no          = { label = "CHECKPOINT" }
class            = { kind = "level", format = "int" }
enqueued_count   = { kind = "attribute", total = "max", format = "int" }
queued_count     = { kind = "level", format = "int" }
limit_count      = { kind = "level", format = "int" }
processing_limit = { kind = "level", format = "int" }
current_priority = { kind = "level", format = "int" }
normal_priority  = { kind = "level", format = "int" }
limit_priority   = { kind = "level", format = "int" }
segment_size     = { kind = "level", format = "int" }
segment_number   = { kind = "level", format = "int" }
parallel_limit   = { kind = "level", format = "int" }
regions_count    = { kind = "level", format = "int" }
*/
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
definition AS (
    SELECT f.run, f.sysplex, f.system, f.clock, f.log_no, f.sample_every,
        r.imsid, r.ckpt_no, r.sample, d.*
    FROM ims_a10d AS r
    JOIN ims_a10d_transaction AS d ON d.file_id = r.file_id AND d.record_no = r.record_no
    JOIN log_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY counts_once(
        (f.log_no, r.imsid, r.ckpt_no, d.tran), (r.file_id, r.record_no, d.section_no)
    )
),
put AS (
    SELECT f.log_no, r.dest, r.uow, min(r.log_stck) AS moment
    FROM ims_35 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.dest_type = 'S'
    GROUP BY ALL
),
got AS (
    SELECT f.log_no, r.dest, r.uow, min(r.log_stck) AS moment
    FROM ims_31 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.dest_type = 'S' AND r.pst <> 0
    GROUP BY ALL
),
put_so_far AS (
    SELECT
        log_no, dest, moment,
        count(*) OVER (PARTITION BY log_no, dest ORDER BY moment) AS messages
    FROM put
),
got_so_far AS (
    SELECT
        log_no, dest, moment,
        count(*) OVER (PARTITION BY log_no, dest ORDER BY moment) AS messages
    FROM got
)
SELECT
    d.run, -- Measurement
    d.sysplex, -- Sysplex name, from a 4500 of the IMS
    d.system, -- SMF system id, from a 4500 of the IMS, or NULL
    ims_local(d.sample, d.clock)                                 AS interval_start, -- When the attributes were taken, local; NULL without a 4500
    d.sample                                                     AS interval_start_utc, -- When the attributes were taken, UTC
    d.imsid                                                      AS ims, -- IMS id
    d.ckpt_no, -- Checkpoint
    d.tran, -- Transaction code
    d.class, -- Message class (CLS)
    CASE WHEN d.sample_every = 1 THEN coalesce(p.messages, 0) END AS enqueued_count, -- Messages put on its queue since the log begins, by log records 35 (ENQCT); NULL where the log holds a sample
    CASE WHEN d.sample_every = 1
        THEN coalesce(p.messages, 0) - coalesce(g.messages, 0) END AS queued_count, -- Of them, those that no program has taken, by log records 31 (QCT)
    d.limit_count, -- Messages waiting at which the priority is raised (LCT)
    d.processing_limit, -- Messages one schedule may process (PLCT); 65535: no limit
    d.current_priority, -- Scheduling priority now (CP)
    d.normal_priority, -- Normal scheduling priority (NP)
    d.limit_priority, -- Priority once limit_count messages wait (LP)
    d.segment_size, -- Largest output segment (SEGSZ); 0: no limit
    d.segment_number, -- Output segments of a message at most (SEGNO); 0: no limit
    d.parallel_limit, -- Messages waiting for each region before another is scheduled (PARLM)
    d.regions                                                    AS regions_count -- Regions in which it is scheduled (RC)
FROM definition AS d
ASOF LEFT JOIN put_so_far AS p ON p.log_no = d.log_no AND p.dest = d.tran AND d.sample >= p.moment
ASOF LEFT JOIN got_so_far AS g ON g.log_no = d.log_no AND g.dest = d.tran AND d.sample >= g.moment
ORDER BY d.run, d.imsid, d.sample, d.tran
