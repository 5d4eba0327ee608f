/* imsperf check
title = "CPU of CICS tasks is part of the time dispatched, the wait for DBCTL of the time suspended"
unit = "us"
source = "CICS Transaction Server, performance guide: 110.1 USRCPUT within USRDISPT, IMSWAIT within SUSPTIME; all tasks of a region; 0.2 % and a microsecond for each"
*/
SELECT f.run, p.system, p.smfmnprn || ' ' || v.what AS key, sum(v.part) AS found, sum(v.part) AS found_low, sum(v.part) AS found_high,
    0 AS low, sum(v.whole) * 1.002 + count(*) AS high
FROM smf110_1_performance AS t
JOIN smf110_1_product AS p ON p.file_id = t.file_id AND p.record_no = t.record_no
JOIN load_file AS f ON f.file_id = t.file_id,
    LATERAL (VALUES ('CPU', t.usrcput_us, t.usrdispt_us), ('DBCTL', t.imswait_us, t.susptime_us)) AS v (what, part, whole)
WHERE v.part >= 0 AND v.whole >= 0
GROUP BY ALL
