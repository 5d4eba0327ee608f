/* imsperf check
title = "An API request comes, goes to the system of record, comes back and ends, in this order"
unit = "requests"
source = "z/OS Connect: SMF 123, version 2, points in time of a request; how many are out of order"
*/
SELECT f.run, r.system, s.smf123_server_jobname || ' ' || v.what AS key, count(*) FILTER (v.earlier > v.later) AS found,
    count(*) FILTER (v.earlier > v.later) AS found_low, count(*) FILTER (v.earlier > v.later) AS found_high, 0 AS low, 0 AS high
FROM smf123_2_request AS r
JOIN smf123_2_server AS s ON s.file_id = r.file_id AND s.record_no = r.record_no
JOIN load_file AS f ON f.file_id = r.file_id,
    LATERAL (VALUES
        ('sent', r.smf123s1_time_zc_entry, r.smf123s1_time_sor_sent),
        ('received', r.smf123s1_time_sor_sent, r.smf123s1_time_sor_recv),
        ('ended', r.smf123s1_time_sor_recv, r.smf123s1_time_zc_exit),
        ('whole', r.smf123s1_time_zc_entry, r.smf123s1_time_zc_exit)) AS v (what, earlier, later)
GROUP BY ALL
