/* imsperf check
title = "A checkpoint of a batch program is a call"
unit = "calls"
source = "IMS log A108 of BMP sources against records 41 of the log between the same two sets; 2 for what is under way at both ends"
covers = "a log file has all records between two A108"
*/
WITH call AS (
    SELECT file_id, record_no, [sum(dli_sync_calls)]::DOUBLE[] AS number
    FROM ims_a108_source
    GROUP BY ALL
    HAVING bool_and(source IN ('BMP', 'JBP'))
),
taken AS (
    FROM audit_log_sets('ims_a108', 'call')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
written AS (
    SELECT c.run, c.ims, c.part, c.since, count(*)::DOUBLE AS records
    FROM counted AS c
    JOIN ims_41 AS r ON r.file_id = c.part::INTEGER AND r.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY ALL
)
SELECT c.run, NULL::VARCHAR AS system, c.since || ' ' || c.ims AS key, c.number[1] AS found, c.number[1] AS found_low, c.number[1] AS found_high,
    w.records - 2 AS low, w.records + 2 AS high
FROM counted AS c
JOIN written AS w USING (run, ims, part, since)
