/* imsperf check
title = "A program used what its units of recovery used"
unit = "us, I/Os or messages"
source = "IMS log 07 whose 08 is in the file, against the 56FA of the same region (TPCPSTN) before it, behind the 07 before, where they count as many messages: messages with its PSB, CPU and time waited for I/O (a microsecond for each 56FA, cut), I/Os. CPU of the schedule is in 07 alone, and at most the time from its start to the first message"
views = ["ims_07", "ims_08", "ims_56fa"]
covers = "a log file has all records"
*/
WITH ended AS (
    SELECT e.file_id, e.log_lsn AS lsn, e.pst, e.program, e.psb, e.msgs,
        coalesce(greatest(date_diff('microsecond', e.sched, e.first_gu), 0), 0) AS schedule_us,
        [e.cpu_us, e.db_io_us, e.db_ios, e.msgs]::DOUBLE[] AS used
    FROM ims_07 AS e
    SEMI JOIN ims_08 AS b ON b.file_id = e.file_id AND b.pst = e.pst AND b.rtoken = e.rtoken AND b.log_lsn < e.log_lsn
    LEFT JOIN ims_log_file AS l ON l.file_id = e.file_id
    WHERE coalesce(l.sample_every, 1) = 1 AND audit_whole(e.file_id)
),
unit AS MATERIALIZED (
    SELECT e.file_id, e.lsn, any_value(e.used) AS used, any_value(e.program) AS program, any_value(e.schedule_us) AS schedule_us, count(*)::DOUBLE AS units,
        [sum(u.tpextime), sum(u.tptdbio), sum(u.db_ios), count(*) FILTER (u.tpcppsb IS NOT DISTINCT FROM e.psb)]::DOUBLE[] AS number
    FROM ims_56fa AS u
    ASOF JOIN ended AS e ON e.file_id = u.file_id AND e.pst = u.tpcpstn AND e.lsn >= u.log_lsn
    GROUP BY e.file_id, e.lsn
    HAVING count(*) = any_value(e.msgs) AND sum(u.msg_gu) = any_value(e.msgs)
)
SELECT f.run, NULL::VARCHAR AS system, p.program || ' LSN ' || p.lsn || ' ' || v.what AS key, v.used AS found, v.used AS found_low, v.used AS found_high,
    v.number - least(v.cut, 1) AS low, v.number + v.cut AS high
FROM unit AS p
JOIN load_file AS f USING (file_id),
    LATERAL (VALUES
        ('CPU', p.used[1], p.number[1], p.units + 1 + p.schedule_us), ('I/O time', p.used[2], p.number[2], p.units + 1), ('I/Os', p.used[3], p.number[3], 0),
        ('messages', p.used[4], p.number[4], 0)
    ) AS v (what, used, number, cut)
WHERE v.used > 0 OR v.number > 0
