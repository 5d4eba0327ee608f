/* imsperf check
title = "A checkpoint of a batch program is a call"
unit = "calls"
source = "IMS log A108 of BMP sources against records 41 of the log between the same checkpoints; 0.5 % and 2 for what is under way at both ends"
views = ["ims_a108", "ims_a108_source", "ims_41"]
*/
WITH counted AS (
    SELECT k.file_id, k.imsid, min(k.log_lsn) AS first_lsn, max(k.log_lsn) AS last_lsn,
        max(c.calls)::DOUBLE - min(c.calls) AS calls
    FROM ims_a108 AS k
    JOIN (
        SELECT file_id, record_no, sum(dli_sync_calls) AS calls
        FROM ims_a108_source
        GROUP BY ALL
        HAVING bool_and(source = 'BMP')
    ) AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
    HAVING count(DISTINCT k.interval_start) = 1
),
written AS (
    SELECT c.file_id, c.imsid, count(*)::DOUBLE AS records
    FROM counted AS c
    JOIN ims_41 AS r ON r.file_id = c.file_id AND r.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, c.imsid AS key, c.calls AS found, c.calls AS found_low, c.calls AS found_high,
    w.records * 0.995 - 2 AS low, w.records * 1.005 + 2 AS high
FROM counted AS c
JOIN written AS w USING (file_id, imsid)
JOIN ims_log_file AS l USING (file_id)
JOIN load_file AS f USING (file_id)
WHERE coalesce(l.sample_every, 1) = 1
