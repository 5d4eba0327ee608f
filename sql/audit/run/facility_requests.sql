/* imsperf check
title = "A system asks a coupling facility at least what it asks its structures"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4: R744FTOR against synchronous and asynchronous requests of all structures; 0.1 % and 10 for the moments of reading"
views = ["smf74_4_request", "smf74_4_facility"]
*/
WITH asked AS (
    SELECT file_id, record_no, sum(r744ssrc + r744sarc) AS requests
    FROM smf74_4_request
    GROUP BY ALL
)
SELECT f.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r744fnam AS key,
    a.requests AS found, a.requests AS found_low, a.requests AS found_high, 0 AS low, c.r744ftor * 1.001 + 10 AS high
FROM smf74_4_facility AS c
JOIN asked AS a ON a.file_id = c.file_id AND a.record_no = c.record_no
JOIN load_file AS f ON f.file_id = c.file_id
WHERE c.r744ftor > 0
