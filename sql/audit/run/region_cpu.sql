/* imsperf check
title = "CPU of transactions in dependent regions is at most that of the regions' report classes"
unit = "us"
source = "IMS log A108 of sources that are dependent regions with messages, between two sets, against record type 72.3 of the report classes that type 30 gives for DFSRRC00; 0.3 % for how CPU grows with load, the CPU of a transaction in each region for what is under way at the ends, and as much as the ends are apart"
covers = "72.3 of the system fills the time between two A108"
*/
WITH taken AS (
    SELECT f.run, k.imsid AS ims, k.file_id::VARCHAR AS part, k.interval_start AS restart, k.sample, k.log_lsn AS lsn,
        [c.us, c.units, c.regions]::DOUBLE[] AS number
    FROM ims_a108 AS k
    JOIN (
        SELECT file_id, record_no, sum(cpu_us) AS us, sum(transactions_processed) AS units, sum(threads) AS regions
        FROM ims_a108_source
        GROUP BY ALL
        HAVING bool_and(source IN ('MPP', 'IFP', 'JMP'))
    ) AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    JOIN load_file AS f ON f.file_id = k.file_id
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
regions AS (
    SELECT f.run, k.imsid AS ims, max(c.regions) AS number
    FROM ims_a108 AS k
    JOIN (SELECT file_id, record_no, sum(threads) AS regions FROM ims_a108_source GROUP BY ALL) AS c
        ON c.file_id = k.file_id AND c.record_no = k.record_no
    JOIN load_file AS f ON f.file_id = k.file_id
    GROUP BY ALL
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
class AS (
    SELECT DISTINCT run, system, report_class AS class FROM smf_address_space WHERE program = 'DFSRRC00'
),
used AS MATERIALIZED (
    SELECT w.run, w.system, w.interval_start_utc, max(w.interval_s) AS interval_s, sum(w.cp_us) AS us
    FROM rmf_workload AS w
    JOIN class AS c USING (run, system, class)
    WHERE w.kind = 'report' AND w.period IS NULL
    GROUP BY ALL
),
compared AS (
    SELECT c.run, o.system, c.ims, c.since, any_value(c.number) AS number, sum(u.us) AS us,
        audit_apart(min(u.interval_start_utc), max(audit_end(u.interval_start_utc, u.interval_s)), c.begin, c.finish) AS apart
    FROM counted AS c
    JOIN owner AS o USING (run, ims)
    JOIN used AS u ON u.run = c.run AND u.system = o.system AND audit_inside(u.interval_start_utc, u.interval_s, c.begin, c.finish)
    GROUP BY c.run, o.system, c.ims, c.part, c.since, c.begin, c.finish
    HAVING audit_fills(sum(u.interval_s), c.begin, c.finish)
)
SELECT c.run, c.system, c.since || ' ' || c.ims AS key, c.number[1] AS found, c.number[1] AS found_low, c.number[1] AS found_high,
    0 AS low, c.us * (1.003 + c.apart) + r.number * c.number[1] / c.number[2] AS high
FROM compared AS c
JOIN regions AS r USING (run, ims)
WHERE c.number[1] > 0 AND c.number[2] > 0
