/* imsperf check
title = "Connect time of an address space is that of its data sets"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 30, I/O activity and EXCP sections; a unit of 128 us each and 0.5 %"
views = ["smf30_io", "smf30_excp"]
*/
WITH record AS MATERIALIZED (
    SELECT file_id, record_no, system, smf30jbn AS job, smf30asi AS asid, smf30iss AS begin, smf30iet AS ended
    FROM smf30_identification
    WHERE smf30iet IS NOT NULL
),
section AS (
    SELECT r.file_id, r.job, r.asid, r.begin, r.ended, 128.0 * sum(x.smf30dct) AS total, 128 * count(*) AS room
    FROM smf30_excp AS x
    JOIN record AS r ON r.file_id = x.file_id AND r.record_no = x.record_no
    GROUP BY ALL
)
SELECT f.run, r.system, strftime(r.ended, '%Y-%m-%dT%H:%M:%S') || ' ' || r.job || ' ' || v.what AS key,
    128.0 * v.found AS found, 128.0 * v.found - 128 AS found_low, 128.0 * v.found + 128 AS found_high,
    v.low, v.high
FROM smf30_io AS o
JOIN record AS r ON r.file_id = o.file_id AND r.record_no = o.record_no
JOIN load_file AS f ON f.file_id = r.file_id
JOIN section AS s ON s.file_id = r.file_id AND s.job = r.job AND s.asid = r.asid AND s.begin = r.begin
    AND s.ended = r.ended,
    LATERAL (VALUES
        ('all', o.smf30tcn, s.total * 0.995 - s.room, s.total * 1.005 + s.room),
        ('DASD', o.smf30aic, 0, 128.0 * o.smf30tcn * 1.005)) AS v (what, found, low, high)
WHERE v.found IS NOT NULL AND s.total > 0
