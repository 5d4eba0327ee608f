/* imsperf check
title = "A logical processor is online no longer than the interval, busy or waiting no longer than online"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70ONT, SMF70PDT, SMF70WST; 0.1 % for clocks"
views = ["rmf_partition_processor"]
*/
SELECT f.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || p.partition_no || ' ' || p.section_no || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf70_1_processor AS p
JOIN smf70_1_product AS r ON r.file_id = p.file_id AND r.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id,
    LATERAL (VALUES
        ('online', p.smf70ont::DOUBLE, 1e6 * epoch(r.smf70int) * 1.001),
        ('busy or waiting', p.smf70pdt::DOUBLE + p.smf70wst, p.smf70ont * 1.001)) AS v (what, found, high)
WHERE p.smf70ont > 0
