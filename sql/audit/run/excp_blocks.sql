/* imsperf check
title = "EXCPs of an address space are those of its data sets"
unit = "blocks"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 30, I/O activity and EXCP sections, all records of an interval; 0.5 % for what no section names"
views = ["smf30_io", "smf30_excp"]
*/
WITH record AS MATERIALIZED (
    SELECT file_id, record_no, system, smf30jbn AS job, smf30asi AS asid, smf30iss AS begin, smf30iet AS ended
    FROM smf30_identification
    WHERE smf30iet IS NOT NULL
),
section AS (
    SELECT r.file_id, r.job, r.asid, r.begin, r.ended, sum(x.smf30blk) AS total
    FROM smf30_excp AS x
    JOIN record AS r ON r.file_id = x.file_id AND r.record_no = x.record_no
    GROUP BY ALL
)
SELECT f.run, r.system, strftime(r.ended, '%Y-%m-%dT%H:%M:%S') || ' ' || r.job || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM smf30_io AS o
JOIN record AS r ON r.file_id = o.file_id AND r.record_no = o.record_no
JOIN load_file AS f ON f.file_id = r.file_id
JOIN section AS s ON s.file_id = r.file_id AND s.job = r.job AND s.asid = r.asid AND s.begin = r.begin
    AND s.ended = r.ended,
    LATERAL (VALUES
        ('EXCPs', coalesce(o.smf30tex, o.smf30tep)::DOUBLE, s.total * 0.995, s.total * 1.005 + 1),
        ('EXCPs, 4 bytes', o.smf30tep, o.smf30tex % 4294967296, o.smf30tex % 4294967296),
        ('I/Os', o.smf30ais, 0, coalesce(o.smf30tex, o.smf30tep) * 1.005 + 1))
        AS v (what, found, low, high)
WHERE v.found IS NOT NULL AND s.total > 0
