/* imsperf check
title = "A channel path is busy for this partition as long in work units as in time"
unit = "s"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 73: SMF73PBY against SMF73PUC; a unit of 1024 us and 0.2 %. Not shared: no other partition uses it"
views = ["rmf_channel"]
*/
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.channel || ' ' || v.what AS key,
    v.found, v.found - 0.0011 AS found_low, v.found + 0.0011 AS found_high, v.low * 0.998 AS low, v.high * 1.002 AS high
FROM rmf_channel AS c
JOIN smf73_1_channel AS h ON h.file_id = c.file_id AND h.record_no = c.record_no AND h.section_no = c.section_no,
    LATERAL (VALUES
        ('busy', h.smf73pby * 0.001024, c.part_busy_s, c.part_busy_s),
        ('not shared', if(c.shared, NULL, c.part_busy_s), c.total_busy_s, c.total_busy_s),
        ('measured', h.smf73pti * 0.001024, c.interval_s * 0.998, c.interval_s)) AS v (what, found, low, high)
WHERE v.found > 0 AND v.low > 0
