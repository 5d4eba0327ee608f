/* imsperf report
id       = "ims.gaps"
title    = "Gaps in the Log"
answers  = "When did IMS log nothing for longer than so many seconds?"
key      = ["ims", "interval_start_utc"]
any_of   = ["ims_*"]
no_rows  = "no two records of a log are further apart; --param seconds=1 looks for shorter gaps"

[[param]]
name     = "seconds"
type     = "DOUBLE"
default  = 10.0
doc      = "Gaps longer than this, from 0.001 s"

[page]
layout   = "ours"
heading  = "log"
note     = "{not_known}"

[page.texts]
not_known = """CASE WHEN bool_or(records_missing IS NULL) OVER ()
    THEN '- records missing: not known, the log holds a sample of the transactions' END"""

[[page.table]]
columns  = """
interval_start_utc  -24  Last record before UTC
gap_end_utc         -24  Next record UTC
gap_s                12  Gap s
records_missing      16  Records missing
code_before          12  Code before
code_after           12  Code after
"""

[columns]
log_no          = { label = "Log" }
gap_end_utc     = { kind = "time" }
gap_s           = { better = "lower", format = "3" }
records_missing = { better = "lower", format = "grouped" }
*/
-- records further apart than a stretch of time stand in different stretches
WITH stretch AS (
    SELECT
        log_no,
        epoch_us(interval_start_utc) // greatest(1e6 * $seconds, 1000)::BIGINT AS stretch_no,
        any_value(run) AS run, any_value(sysplex) AS sysplex, any_value(system) AS system,
        any_value(ims) AS ims,
        any_value(sample_every) AS sample_every,
        min(interval_start_utc) AS first_written,
        max(interval_start_utc) AS last_written,
        arg_max(interval_start, interval_start_utc) AS last_local,
        arg_min(code, (interval_start_utc, log_lsn)) AS first_code,
        arg_max(code, (interval_start_utc, log_lsn)) AS last_code,
        arg_min(log_lsn, (interval_start_utc, log_lsn)) AS first_lsn,
        arg_max(log_lsn, (interval_start_utc, log_lsn)) AS last_lsn
    FROM ims_log_record
    WHERE interval_start_utc IS NOT NULL
    GROUP BY log_no, stretch_no
),
pause AS (
    SELECT
        *,
        lag(last_written) OVER stretches                         AS before_written,
        lag(last_local) OVER stretches                           AS before_local,
        lag(last_code) OVER stretches                            AS before_code,
        lag(last_lsn) OVER stretches                             AS before_lsn
    FROM stretch
    WINDOW stretches AS (PARTITION BY log_no ORDER BY stretch_no)
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, from a 4500 of the IMS
    system, -- SMF system id, from a 4500 of the IMS, or NULL
    before_local                                                 AS interval_start, -- When the last record before the gap was written, local; NULL without a 4500
    before_written                                               AS interval_start_utc, -- When the last record before the gap was written, UTC
    ims, -- IMS id; NULL where the log names none
    log_no, -- Number of the log: its first file
    first_written                                                AS gap_end_utc, -- When the next record was written, UTC
    1e-6 * (epoch_us(first_written) - epoch_us(before_written))  AS gap_s, -- Time without a record
    CASE WHEN sample_every = 1
        THEN TRY_CAST(first_lsn::HUGEINT - before_lsn - 1 AS BIGINT) END AS records_missing, -- Log sequence numbers between the two; 0: IMS logged nothing; NULL where the log holds a sample [records]
    before_code                                                  AS code_before, -- Code of the last record before
    first_code                                                   AS code_after -- Code of the next record
FROM pause
WHERE gap_s > greatest($seconds, 0.001)
ORDER BY run, system, ims, log_no, interval_start_utc
