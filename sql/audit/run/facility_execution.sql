/* imsperf check
title = "Structures execute no longer than the processors of their coupling facility are busy"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4: R744SETM of the structures, of all systems, against R744PBSY; 0.1 % and 10 for the moments of reading"
*/
WITH executed AS (
    SELECT file_id, record_no, sum(r744setm)::DOUBLE AS us
    FROM smf74_4_request
    GROUP BY ALL
),
busy AS (
    SELECT file_id, record_no, sum(r744pbsy)::DOUBLE AS us
    FROM smf74_4_processor
    GROUP BY ALL
)
SELECT f.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r744fnam AS key,
    e.us AS found, e.us AS found_low, e.us AS found_high, 0 AS low, b.us * 1.001 + 10 AS high
FROM smf74_4_facility AS c
JOIN executed AS e ON e.file_id = c.file_id AND e.record_no = c.record_no
JOIN busy AS b ON b.file_id = c.file_id AND b.record_no = c.record_no
JOIN load_file AS f ON f.file_id = c.file_id
WHERE b.us > 0 AND e.us > 0
