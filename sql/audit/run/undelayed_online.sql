/* imsperf check
title = "A logical processor that nobody delays is busy or waits as long as it is online"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70PDT and SMF70WST against SMF70ONT, of dedicated processors and where no other partition is active, none of them capped; 0.2 % for clocks"
views = ["rmf_partition_processor", "rmf_partition"]
*/
WITH alone AS MATERIALIZED (
    SELECT run, system, interval_start
    FROM rmf_partition
    GROUP BY ALL
    HAVING bool_and(own OR coalesce(dispatch_us, 0) = 0 OR partition IN ('PHYSICAL', '*PHYSICAL*', 'TOTAL'))
)
SELECT p.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || p.type || ' ' || p.address AS key,
    p.dispatch_us + w.smf70wst AS found, p.dispatch_us + w.smf70wst AS found_low, p.dispatch_us + w.smf70wst AS found_high,
    p.online_us * 0.998 AS low, p.online_us * 1.002 AS high
FROM rmf_partition_processor AS p
JOIN smf70_1_processor AS w ON w.file_id = p.file_id AND w.record_no = p.record_no AND w.section_no = p.section_no
LEFT JOIN alone AS a ON a.run = p.run AND a.system = p.system AND a.interval_start = p.interval_start
WHERE p.own AND p.active AND p.online_us > 0 AND w.smf70wst > 0 AND NOT coalesce(p.wait_completion, TRUE)
    AND (p.dedicated OR a.run IS NOT NULL) AND NOT coalesce(p.initial_cap, FALSE) AND NOT coalesce(p.hw_cap, FALSE)
    AND NOT coalesce(p.hw_group_cap, FALSE) AND coalesce(p.wlm_capped_samples_count, 0) = 0
