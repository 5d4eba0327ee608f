/* imsperf check
title = "Time of calls to external subsystems is that of the programs that made them"
unit = "us"
source = "IMS log A107 of all subsystems between two sets against 07 of the programs that ran there, where these made the calls of A107: at least those that began and ended between the sets, at most all that ran then, those without a 07 with the most of any; 0.3 %"
covers = "a log file has all records between two A107, and 07 of the programs that made the calls"
*/
WITH thread AS (
    SELECT file_id, record_no, [sum(calls), sum(calls_us)]::DOUBLE[] AS number
    FROM ims_a107_subsystem
    GROUP BY ALL
),
taken AS (
    FROM audit_log_sets('ims_a107', 'thread')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
program AS MATERIALIZED (
    SELECT coalesce(e.file_id, b.file_id) AS file_id, coalesce(b.log_lsn, 0) AS first_lsn, e.log_lsn AS last_lsn,
        [e.esaf_calls, e.esaf_us]::DOUBLE[] AS number
    FROM ims_07 AS e
    FULL JOIN ims_08 AS b ON b.file_id = e.file_id AND b.pst = e.pst AND b.rtoken = e.rtoken AND b.log_lsn < e.log_lsn
),
used AS (
    SELECT c.run, c.ims, c.since, any_value(c.number) AS counted, count(*) FILTER (p.last_lsn IS NULL)::DOUBLE AS unended, v.n,
        coalesce(sum(p.number[v.n]) FILTER (p.first_lsn >= c.first_lsn AND p.last_lsn <= c.last_lsn), 0) AS whole,
        coalesce(sum(p.number[v.n]), 0) AS touched, coalesce(max(p.number[v.n]), 0) AS most
    FROM counted AS c
    JOIN program AS p ON p.file_id = c.part::INTEGER AND p.first_lsn <= c.last_lsn AND coalesce(p.last_lsn, c.last_lsn) >= c.first_lsn,
        LATERAL (VALUES (1), (2)) AS v (n)
    GROUP BY c.run, c.ims, c.part, c.since, v.n
),
compared AS (
    SELECT run, ims, since, n, counted[n] AS found, 0.997 * whole AS low, 1.003 * (touched + unended * most) AS high
    FROM used
)
SELECT t.run, NULL::VARCHAR AS system, t.since || ' ' || t.ims AS key, t.found, t.found AS found_low, t.found AS found_high, t.low, t.high
FROM compared AS t
JOIN compared AS c USING (run, ims, since)
WHERE t.n = 2 AND c.n = 1 AND c.found BETWEEN c.low AND c.high AND c.found > 0
