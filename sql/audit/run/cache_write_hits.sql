/* imsperf check
title = "A write to storage that keeps all writes in cache is a hit, unless it had to go past the cache"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.5, device section: writes, normal and sequential, with their hits, and R745DFWB, of storage of types 2105 and 2107 (Enterprise Storage Server, DS8000), which puts every write into cache and non-volatile storage; 0.1 % and one for each subsystem"
*/
SELECT f.run, d.system, strftime(d.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r745c_seq || ' ' || min(d.r745devn) || ' ' || v.what AS key,
    sum(v.hits) AS found, sum(v.hits) AS found_low, sum(v.hits) + 1 AS found_high,
    sum(v.writes) * 0.999 - sum(d.r745dfwb) AS low, sum(v.writes) AS high
FROM smf74_5_device AS d
JOIN smf74_5_control AS c ON c.file_id = d.file_id AND c.record_no = d.record_no
JOIN load_file AS f ON f.file_id = d.file_id,
    LATERAL (VALUES ('normal', d.r745dwch, d.r745dwrc), ('sequential', d.r745dwsh, d.r745dwsr)) AS v (what, hits, writes)
WHERE ltrim(c.r745c_type, '0 ') IN ('2105', '2107')
GROUP BY f.run, d.system, d.interval_start, d.file_id, d.record_no, c.r745c_seq, v.what
HAVING sum(v.writes) > 0
