/* imsperf check
title = "A database is written no more often than it is changed"
unit = "I/Os"
source = "record type 42.6 of data sets with the name of the database among their qualifiers, against changes in the log (5050) between two 4500, each of which is in one block; three standard deviations and one for blocks that were changed before, and as much as the ends are apart"
covers = "a log file has all records between two 4500, and 42.6 fills that time"
*/
WITH source AS (
    SELECT file_id, record_no, [trans_total]::DOUBLE[] AS number
    FROM ims_4500
),
taken AS (
    FROM audit_log_sets('ims_4500', 'source')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
changed AS MATERIALIZED (
    SELECT c.run, c.ims, c.since, c.begin, c.finish, u.database, count(*)::DOUBLE AS changes
    FROM counted AS c
    JOIN ims_5050 AS u ON u.file_id = c.part::INTEGER AND u.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY ALL
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
data_set AS MATERIALIZED (
    SELECT d.run, d.system, k.database, d.interval_start_utc, max(d.interval_s) AS interval_s,
        sum(d.io_count - d.read_count) AS writes
    FROM smf_dataset_io AS d
    JOIN (SELECT DISTINCT run, database FROM changed) AS k
        ON k.run = d.run AND list_contains(string_split(d.dataset, '.'), k.database)
    GROUP BY ALL
),
compared AS (
    SELECT c.run, o.system, c.since, c.database, any_value(c.changes) AS changes, sum(d.writes) AS writes,
        audit_apart(min(d.interval_start_utc), max(audit_end(d.interval_start_utc, d.interval_s)), c.begin, c.finish) AS apart
    FROM changed AS c
    JOIN owner AS o USING (run, ims)
    JOIN data_set AS d ON d.run = c.run AND d.system = o.system AND d.database = c.database
        AND audit_inside(d.interval_start_utc, d.interval_s, c.begin, c.finish)
    GROUP BY c.run, o.system, c.ims, c.since, c.database, c.begin, c.finish
    HAVING audit_fills(sum(d.interval_s), c.begin, c.finish)
)
SELECT run, system, since || ' ' || database AS key, writes AS found, writes AS found_low, writes AS found_high,
    0 AS low, (changes + 3 * sqrt(changes) + 1) * (1 + apart) AS high
FROM compared
