/* imsperf check
title = "CPU of units of recovery is that of their kinds of regions, and their database I/O is at most that of the data sets"
unit = "us or I/Os"
source = "IMS log 56FA (TPEXTIME) between two sets against A108 of all sources, where each transaction wrote one; against record type 42.6 of all jobs (I/Os, time waited for them). 0.3 %, three standard deviations of the sum of 56FA, 20 units for what is under way at both ends, and as much as the ends are apart. CPU of schedules is in A108, not in 56FA: what 07 has beside its 56FA, and at most the time that 08 gives the schedule"
views = ["ims_a108", "ims_a108_source", "ims_56fa", "ims_statistics_set", "smf_dataset_io"]
covers = "a log file has all records between two A108, and 42.6 fills that time"
*/
WITH source AS (
    SELECT file_id, record_no, [sum(cpu_us), sum(transactions_processed)]::DOUBLE[] AS number
    FROM ims_a108_source
    GROUP BY ALL
),
taken AS (
    FROM audit_log_sets('ims_a108', 'source')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
unit AS MATERIALIZED (
    SELECT c.run, c.ims, c.part, c.since, any_value(c.begin) AS begin, any_value(c.finish) AS finish, any_value(c.number) AS counted,
        count(*)::DOUBLE AS units, sum(tpextime)::DOUBLE AS us, sum(db_ios)::DOUBLE AS ios, sum(tptdbio)::DOUBLE AS io_us,
        3 * coalesce(stddev_pop(tpextime), 0) * sqrt(count(*)) AS spread
    FROM counted AS c
    JOIN ims_56fa AS u ON u.file_id = c.part::INTEGER AND u.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY ALL
),
message AS (
    SELECT b.file_id, b.log_lsn AS lsn, sum(u.tpextime) AS us
    FROM ims_56fa AS u
    ASOF JOIN ims_08 AS b ON b.file_id = u.file_id AND b.pst = u.tpcpstn AND b.log_lsn <= u.log_lsn
    GROUP BY ALL
),
scheduled AS (
    SELECT c.part, c.since, sum(greatest(least(date_diff('microsecond', b.sched_start, b.sched), e.cpu_us::DOUBLE - coalesce(m.us, 0)), 0)) AS us
    FROM counted AS c
    JOIN ims_08 AS b ON b.file_id = c.part::INTEGER AND b.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    LEFT JOIN message AS m ON m.file_id = b.file_id AND m.lsn = b.log_lsn
    LEFT JOIN ims_07 AS e ON e.file_id = b.file_id AND e.pst = b.pst AND e.rtoken = b.rtoken AND e.log_lsn > b.log_lsn
    GROUP BY ALL
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
written AS MATERIALIZED (
    SELECT run, system, interval_start_utc, max(interval_s) AS interval_s, sum(io_count) AS ios, sum(resp_us) AS io_us
    FROM smf_dataset_io
    GROUP BY run, system, interval_start_utc
    -- an interval with fewer data sets than others may have lost some; those of logs come and go with their archiving
    QUALIFY count(*) FILTER (dataset NOT LIKE '%.DFS%') = max(count(*) FILTER (dataset NOT LIKE '%.DFS%')) OVER (PARTITION BY run, system)
),
compared AS (
    SELECT u.run, o.system, u.ims, u.since, any_value(u.ios) AS ios, any_value(u.io_us) AS io_us, any_value(u.units) AS units,
        sum(w.ios) AS set_ios, sum(w.io_us) AS set_us,
        audit_apart(min(w.interval_start_utc), max(audit_end(w.interval_start_utc, w.interval_s)), u.begin, u.finish) AS apart
    FROM unit AS u
    JOIN owner AS o USING (run, ims)
    JOIN written AS w ON w.run = u.run AND w.system = o.system AND audit_inside(w.interval_start_utc, w.interval_s, u.begin, u.finish)
    GROUP BY u.run, o.system, u.ims, u.part, u.since, u.begin, u.finish
    HAVING audit_fills(sum(w.interval_s), u.begin, u.finish)
)
SELECT u.run, NULL::VARCHAR AS system, u.since || ' ' || u.ims || ' CPU' AS key, u.us AS found, u.us AS found_low, u.us AS found_high,
    counted[1] * (0.997 - 20 / units) - spread - units - coalesce(s.us, 0) AS low, counted[1] * (1.003 + 20 / units) + spread AS high
FROM unit AS u
LEFT JOIN scheduled AS s USING (part, since)
WHERE u.us > 0 AND counted[1] > 0 AND abs(counted[2] - units) <= 0.005 * units + 20
UNION ALL
SELECT c.run, c.system, c.since || ' ' || c.ims || ' ' || v.what AS key, v.found, v.found AS found_low, v.found AS found_high,
    0 AS low, v.most * (1.003 + 20 / c.units + c.apart) AS high
FROM compared AS c, LATERAL (VALUES ('I/Os', c.ios, c.set_ios), ('I/O time', c.io_us, c.set_us)) AS v (what, found, most)
WHERE v.found > 0 AND v.most > 0
