-- ims_batch_checkpoint: one row per checkpoint of a batch message program (41).
CREATE OR REPLACE VIEW ims_batch_checkpoint AS
WITH taken AS (
    SELECT f.log_no, r.*
    FROM ims_41 AS r
    JOIN ims_log_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY counts_once((f.log_no, r.pst, r.jobname, r.number, r.ckpt), (r.file_id, r.record_no))
)
SELECT
    n.run                                                    AS run, -- Measurement
    n.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    n.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    n.interval_start                                         AS interval_start, -- Statistics set, or first arrival; local time, NULL without a 4500
    n.interval_start_utc                                     AS interval_start_utc, -- Statistics set, or first arrival, UTC
    n.interval_s                                             AS interval_s, -- Length of that time [s]
    n.ims                                                    AS ims, -- IMS id
    c.pst                                                    AS pst, -- Region number
    c.jobname                                                AS job, -- Job name of the region
    c.psb                                                    AS psb, -- PSB of the program
    c.program                                                AS program, -- Application program
    c.ckpt_id                                                AS checkpoint_id, -- Id that the program gave
    c.number                                                 AS number, -- Checkpoint of this program, from 1
    CASE c.kind WHEN 'B' THEN 'basic' WHEN 'S' THEN 'symbolic' WHEN 'Y' THEN 'sync' END AS kind, -- basic or symbolic CHKP call, or SYNC call
    c.changes                                                AS changes_count, -- Database changes since the one before
    c.ckpt                                                   AS taken_utc, -- When it was taken, UTC
    CASE WHEN c.number > 1 AND lag(c.number) OVER program = c.number - 1
        THEN epoch_us(c.ckpt) - epoch_us(lag(c.ckpt) OVER program) END AS apart_us, -- Time since the one before of the program [us]; NULL where that is not in the log
    c.file_id                                                AS file_id, -- File of the record
    c.record_no                                              AS record_no -- Record in that file
FROM taken AS c
ASOF JOIN ims_log_interval AS n ON n.log_no = c.log_no AND c.ckpt >= n.interval_start_utc
WINDOW program AS (PARTITION BY c.log_no, c.pst, c.jobname, c.psb ORDER BY c.ckpt);
