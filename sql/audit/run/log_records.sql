/* imsperf check
title = "The logger counts the records that the log has"
unit = "records"
source = "IMS log 4507 against log sequence numbers; the records of the checkpoint itself are not counted; 0.5 % and 200 for what is under way at both ends"
views = ["ims_logger"]
*/
WITH here AS (
    SELECT g.*, r.log_lsn, lag(r.log_lsn) OVER (PARTITION BY g.run, g.ims ORDER BY r.log_lsn) AS lsn_before
    FROM ims_logger g
    JOIN ims_4507 r USING (file_id, record_no)
)

SELECT h.run, h.system, strftime(h.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || h.ims AS key,
    h.records_written AS found, h.records_written AS found_low, h.records_written AS found_high,
    0.995 * (h.log_lsn - h.lsn_before) - 200 AS low, 1.005 * (h.log_lsn - h.lsn_before) + 200 AS high
FROM here h
JOIN ims_log_file f USING (file_id)
WHERE h.lsn_before IS NOT NULL AND coalesce(f.sample_every, 1) = 1 AND NOT h.restarted
