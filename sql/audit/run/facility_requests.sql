/* imsperf check
title = "Requests that were executed are no more than those that were made"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4: synchronous and asynchronous requests against R744STRC of their structure, and those of all structures against R744FTOR; 0.1 % and 10 for the moments of reading"
*/
WITH asked AS (
    SELECT file_id, record_no, r744snam AS what, r744ssrc + r744sarc AS requests, r744strc AS made
    FROM smf74_4_request
    UNION ALL
    SELECT r.file_id, r.record_no, any_value(c.r744fnam), sum(r.r744ssrc + r.r744sarc), any_value(c.r744ftor)
    FROM smf74_4_request AS r
    JOIN smf74_4_facility AS c ON c.file_id = r.file_id AND c.record_no = r.record_no
    GROUP BY r.file_id, r.record_no
)
SELECT f.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || a.what AS key,
    a.requests AS found, a.requests AS found_low, a.requests AS found_high, 0 AS low, a.made * 1.001 + 10 AS high
FROM smf74_4_facility AS c
JOIN asked AS a ON a.file_id = c.file_id AND a.record_no = c.record_no
JOIN load_file AS f ON f.file_id = c.file_id
WHERE a.made > 0
