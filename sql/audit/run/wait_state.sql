/* imsperf check
title = "z/OS waits at least as long as the logical processor is in wait state"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70WST against SMF70WAT of the same processor, never parked: a wait ends for PR/SM with an interrupt, for z/OS with the next instruction; 0.2 % for clocks"
views = ["rmf_cpu", "rmf_partition_processor"]
*/
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' CPU ' || c.cpu AS key,
    w.smf70wst AS found, w.smf70wst AS found_low, w.smf70wst AS found_high,
    0 AS low, (c.mvs_unparked_us - c.mvs_busy_us) * 1.002 + 1 AS high
FROM rmf_cpu AS c
JOIN rmf_partition_processor AS p ON p.file_id = c.file_id AND p.record_no = c.record_no AND p.own
    AND p.type = c.type AND p.address = c.cpu
JOIN smf70_1_processor AS w ON w.file_id = p.file_id AND w.record_no = p.record_no AND w.section_no = p.section_no
WHERE c.thread IS NULL AND c.parked_us = 0 AND w.smf70wst > 0 AND c.mvs_busy_us IS NOT NULL
    AND NOT coalesce(p.wait_completion, TRUE)
