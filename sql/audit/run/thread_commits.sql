/* imsperf check
title = "Threads are prepared and committed as often as units of recovery are"
unit = "units of recovery"
source = "IMS log A107 of all subsystems between two sets: commits against 560B; prepares are the 560B of units that have a 5610 (commit in two phases), and at most one more for each subsystem and 5610 without a 560B (only read, or aborted); 0.3 % and 20 for what is under way at both ends"
covers = "a log file has all records between two A107"
*/
WITH thread AS (
    SELECT file_id, record_no, [sum(commits), sum(prepares)]::DOUBLE[] AS number
    FROM ims_a107_subsystem
    GROUP BY ALL
),
taken AS (
    FROM audit_log_sets('ims_a107', 'thread')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
known AS (
    SELECT file_id::VARCHAR AS part, count(DISTINCT subsystem) AS subsystems
    FROM ims_a107_subsystem
    GROUP BY ALL
),
unit AS (
    SELECT coalesce(c.file_id, p.file_id) AS file_id, coalesce(c.log_lsn, p.log_lsn) AS lsn, c.rtoken IS NOT NULL AS committed,
        p.rtoken IS NOT NULL AS in_two_phases
    FROM ims_560b AS c
    FULL JOIN ims_5610 AS p ON p.file_id = c.file_id AND p.pst = c.pst AND p.rtoken = c.rtoken
),
written AS (
    SELECT c.run, c.ims, c.part, c.since, any_value(c.number) AS counted, count(*) FILTER (u.committed)::DOUBLE AS commits,
        count(*) FILTER (u.committed AND u.in_two_phases)::DOUBLE AS prepared, count(*) FILTER (NOT u.committed)::DOUBLE AS alone
    FROM counted AS c
    JOIN unit AS u ON u.file_id = c.part::INTEGER AND u.lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY c.run, c.ims, c.part, c.since
)
SELECT run, NULL::VARCHAR AS system, since || ' ' || ims || ' ' || v.what AS key, v.found, v.found AS found_low,
    v.found AS found_high, 0.997 * v.low - 20 AS low, 1.003 * v.high + 20 AS high
FROM written
JOIN known USING (part),
    LATERAL (VALUES
        ('commits', counted[1], commits, commits),
        ('prepares', counted[2], prepared, prepared + subsystems * alone)) AS v (what, found, low, high)
WHERE commits > 0
