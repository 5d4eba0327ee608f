/* imsperf check
title = "An address space is active no longer than the interval, in storage no longer than active"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 30, performance section of intervals; units of 1024 us, 0.2 % for clocks"
views = ["smf30_performance", "smf30_subsystem"]
*/
SELECT f.run, p.system, strftime(i.smf30iet, '%Y-%m-%dT%H:%M:%S') || ' ' || i.smf30jbn || ' ' || v.what AS key,
    v.found, v.found - 1024 AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf30_performance AS p
JOIN smf30_subsystem AS s ON s.file_id = p.file_id AND s.record_no = p.record_no
JOIN smf30_identification AS i ON i.file_id = p.file_id AND i.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id,
    LATERAL (VALUES
        ('active', 1024.0 * p.smf30tat, 1e6 * epoch(i.smf30iet - i.smf30iss) * 1.002 + 1024),
        ('resident', 1024.0 * p.smf30res, 1024.0 * p.smf30tat + 1024)) AS v (what, found, high)
WHERE s.smf30typ IN (2, 3) AND v.found > 0
