/* imsperf check
title = "The logger counts the records that the log has"
unit = "records"
source = "IMS log 4507 against log sequence numbers; the records of the checkpoint itself are not counted; for what is under way at both ends 0.5 %, 200 and the records of as many transactions as are in flight"
views = ["ims_logger", "ims_statistics_set", "ims_message"]
*/
WITH here AS (
    SELECT g.*, r.log_lsn, r.lsn_before
    FROM ims_logger AS g
    JOIN (
        SELECT file_id, record_no, log_lsn,
            max(log_lsn) OVER (PARTITION BY file_id ORDER BY log_lsn RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS lsn_before
        FROM ims_4507
    ) AS r USING (file_id, record_no)
),
rate AS (
    SELECT run, ims, sum(transactions_count) / nullif(sum(interval_s), 0) AS per_s, sum(transactions_count) AS number
    FROM ims_statistics_set
    WHERE NOT restarted
    GROUP BY ALL
),
written AS (
    SELECT run, ims, sum(records_written) AS records
    FROM ims_logger
    WHERE NOT restarted
    GROUP BY ALL
),
response AS (
    SELECT run, ims, avg(response_us) / 1e6 AS seconds
    FROM ims_message
    GROUP BY ALL
),
flight AS (
    SELECT r.run, r.ims, r.per_s * p.seconds * w.records / nullif(r.number, 0) AS records
    FROM rate AS r
    JOIN written AS w USING (run, ims)
    JOIN response AS p USING (run, ims)
)

SELECT h.run, h.system, strftime(h.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || h.ims AS key,
    h.records_written AS found, h.records_written AS found_low, h.records_written AS found_high,
    0.995 * (h.log_lsn - h.lsn_before) - 200 - coalesce(g.records, 0) AS low,
    1.005 * (h.log_lsn - h.lsn_before) + 200 + coalesce(g.records, 0) AS high
FROM here h
JOIN ims_log_file f USING (file_id)
LEFT JOIN flight AS g ON g.run = h.run AND g.ims = h.ims
WHERE h.lsn_before IS NOT NULL AND coalesce(f.sample_every, 1) = 1 AND NOT h.restarted
