/* imsperf check
title = "A section is sampled no more often than its record, one of channel paths and of devices as often"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record types 70, 73 and 74.1 against their RMF product sections; one and 0.5 %"
views = ["smf70_1_product", "smf73_1_product", "smf74_1_product"]
*/
WITH sampled AS (
    SELECT s.file_id, s.record_no, s.system, s.interval_start, 'channel paths' AS what, s.smf73smp AS seen, p.smf73sam AS samples
    FROM smf73_1_control AS s
    JOIN smf73_1_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    UNION ALL
    SELECT s.file_id, s.record_no, s.system, s.interval_start, 'channel measurements' AS what, s.smf73csc AS seen, p.smf73sam AS samples
    FROM smf73_1_control AS s
    JOIN smf73_1_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    UNION ALL
    SELECT s.file_id, s.record_no, s.system, s.interval_start, 'devices' AS what, s.smf74psm AS seen, p.smf74sam AS samples
    FROM smf74_1_device AS s
    JOIN smf74_1_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    UNION ALL
    SELECT s.file_id, s.record_no, s.system, s.interval_start, 'allocated devices' AS what, s.smf74alc AS seen, p.smf74sam AS samples
    FROM smf74_1_device AS s
    JOIN smf74_1_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    UNION ALL
    SELECT s.file_id, s.record_no, s.system, s.interval_start, 'partitions' AS what, s.smf70dsa AS seen, p.smf70sam AS samples
    FROM smf70_1_control AS s
    JOIN smf70_1_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    UNION ALL
    SELECT s.file_id, s.record_no, s.system, s.interval_start, 'work units' AS what, s.smf70srm AS seen, p.smf70sam AS samples
    FROM smf70_1_asid AS s
    JOIN smf70_1_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
)
SELECT f.run, s.system, strftime(s.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || s.what AS key,
    max(s.seen) AS found, max(s.seen)::DOUBLE - 1 AS found_low, max(s.seen) AS found_high,
    if(s.what LIKE 'channel%' OR s.what = 'devices', max(s.samples) * 0.995 - 1, 0) AS low, max(s.samples) * 1.005 AS high
FROM sampled AS s
JOIN load_file AS f ON f.file_id = s.file_id
WHERE s.samples > 0
GROUP BY f.run, s.system, s.interval_start, s.what
