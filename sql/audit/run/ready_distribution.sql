/* imsperf check
title = "Address spaces in and ready add up to those of each sample"
unit = "address spaces"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70, ASID section: SMF70R00 to R14 count samples with 0 to 14, SMF70R15 those with 15 and more; SMF70RTT is the sum; exact"
*/
SELECT f.run, a.system, strftime(a.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    a.smf70rtt AS found, a.smf70rtt AS found_low, a.smf70rtt AS found_high,
    list_sum(list_transform(a.smf70r00_r15::BIGINT[], lambda n, place: n * (place - 1))) AS low,
    list_sum(list_transform(a.smf70r00_r15::BIGINT[], lambda n, place: n * (place - 1)))
        + a.smf70r00_r15[16]::BIGINT * greatest(a.smf70rmm::BIGINT - 15, 0) AS high
FROM smf70_1_asid AS a
JOIN load_file AS f ON f.file_id = a.file_id
WHERE list_sum(a.smf70r00_r15) > 0
