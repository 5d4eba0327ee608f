-- ims_olds_use: one row per use of an online log data set, from opening to closing. The record that
-- opens the next one says when and why this one was closed and how full it was. What was in use
-- when the log begins has no record of its opening and no row.
CREATE OR REPLACE VIEW ims_olds_use AS
WITH opened AS (
    SELECT f.run, f.sysplex, f.system, f.clock, f.log_no, f.sample_every, r.*
    FROM (
        SELECT * FROM ims_42
        UNION ALL BY NAME
        SELECT * FROM ims_43
    ) AS r
    JOIN ims_log_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY r.log_lsn IS NULL OR counts_once(
        (f.run_no, r.imsid, r.log_stck, r.log_lsn), (r.file_id, r.record_no)
    )
),
block_size AS (
    SELECT f.run, r.imsid AS ims, arg_max(r.buf_size, r.sample) AS bytes
    FROM ims_4507 AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    GROUP BY f.run, r.imsid
),
used AS (
    SELECT
        *,
        row_number() OVER uses                               AS use_no,
        lead(prev_ddname) OVER uses = olds_ddname            AS closed,
        lead(close_prev) OVER uses                           AS closed_at,
        lead(reason) OVER uses                               AS closed_for,
        lead(blocks_prev) OVER uses                          AS blocks,
        lead(first_lsn) OVER uses                            AS next_lsn
    FROM opened
    WINDOW uses AS (PARTITION BY run, imsid ORDER BY log_stck, log_lsn, record_no)
)
SELECT
    u.run                                                    AS run, -- Measurement
    u.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the IMS
    u.system                                                 AS system, -- SMF system id, from a 4500 of the IMS; NULL without one
    ims_local(u.open, u.clock)                               AS interval_start, -- When it was opened, local time; NULL without a 4500
    u.open                                                   AS interval_start_utc, -- When it was opened, UTC
    u.imsid                                                  AS ims, -- IMS id
    u.olds_ddname                                            AS olds, -- DD name
    u.use_no                                                 AS use_no, -- Place in the order of use, from 1
    CASE WHEN u.closed THEN u.closed_at END                  AS closed_utc, -- When it was closed, UTC; NULL: open, or its switch is not in the log
    CASE WHEN u.closed THEN
        CASE u.closed_for
            WHEN 'F' THEN 'full'
            WHEN 'C' THEN 'command'
            WHEN 'E' THEN 'error'
            ELSE nullif(u.closed_for, '')
        END
    END                                                      AS reason, -- Why it was closed: full, command or error
    CASE WHEN u.closed THEN epoch(u.closed_at - u.open) END  AS in_use_s, -- Time in use [s]
    CASE WHEN u.closed THEN u.blocks END                     AS blocks_count, -- Blocks written to it
    -- sequence numbers begin anew at a cold start; those of a log of some transactions are its own
    CASE WHEN u.closed AND u.sample_every = 1 AND u.next_lsn >= u.first_lsn
        THEN TRY_CAST(u.next_lsn - u.first_lsn AS BIGINT) END AS records_count, -- Log records in it, by their sequence numbers; NULL where the log holds a sample (A0)
    b.bytes                                                  AS block_size_bytes, -- Block size, from the last 4507 of the IMS [bytes]
    CASE WHEN u.closed THEN u.blocks::DOUBLE * b.bytes END   AS written_bytes, -- Bytes of the blocks written to it
    u.file_id                                                AS file_id, -- File of the record that opened it
    u.record_no                                              AS record_no -- Record in that file
FROM used AS u
LEFT JOIN block_size AS b ON b.run = u.run AND b.ims = u.imsid;
