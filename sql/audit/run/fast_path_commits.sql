/* imsperf check
title = "Fast Path counts the sync points and messages whose records are in the log"
unit = "records"
source = "IMS log 4521 against 5937 and 5901 between two sets; a record and its count may lie on two sides of a set: 0.5 % and 100"
covers = "a log file has all records between two 4521"
*/
WITH source AS (
    SELECT file_id, record_no, [sync_points, emh_messages]::DOUBLE[] AS number
    FROM ims_4521
),
taken AS (
    FROM audit_log_sets('ims_4521', 'source')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
written AS (
    SELECT file_id, log_lsn, 1 AS what FROM ims_5937
    UNION ALL
    SELECT file_id, log_lsn, 2 FROM ims_5901
)
SELECT c.run, o.system, c.since || ' ' || c.ims || if(w.what = 1, ' sync points', ' messages') AS key,
    c.number[w.what] AS found, c.number[w.what] AS found_low, c.number[w.what] AS found_high,
    0.995 * count(*) - 100 AS low, 1.005 * count(*) + 100 AS high
FROM counted AS c
JOIN written AS w ON w.file_id = c.part::INTEGER AND w.log_lsn BETWEEN c.first_lsn AND c.last_lsn
LEFT JOIN (SELECT DISTINCT run, system, ims FROM ims_statistics_set) AS o ON o.run = c.run AND o.ims = c.ims
GROUP BY c.run, o.system, c.since, c.ims, c.number, w.what
HAVING c.number[w.what] > 0
