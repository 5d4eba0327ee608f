/* imsperf check
title = "Storage is sampled no more often than its record says"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.2, private area and product sections; one"
*/
SELECT f.run, s.system, strftime(s.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || s.r782jobn AS key,
    s.r782samp AS found, s.r782samp::DOUBLE - 1 AS found_low, s.r782samp AS found_high,
    0 AS low, p.smf78sam AS high
FROM smf78_2_private AS s
JOIN smf78_2_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
JOIN load_file AS f ON f.file_id = s.file_id
WHERE p.smf78sam > 0
