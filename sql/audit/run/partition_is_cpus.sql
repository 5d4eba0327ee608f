/* imsperf check
title = "The dispatch time of this partition is that of its processors"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: partition data against CPU data of record type 70; one unit for each processor, a millisecond where the busy time is that of a core"
*/
WITH cpus AS MATERIALIZED (
    SELECT
        run, system, interval_start, type, sum(lpar_busy_us) AS busy_us,
        sum(CASE WHEN thread IS NULL THEN 1 ELSE 1000 END) AS number
    FROM rmf_cpu
    WHERE coalesce(thread, 1) = 1
    GROUP BY ALL
)

SELECT p.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || p.type AS key,
    p.dispatch_us AS found, p.dispatch_us - number AS found_low, p.dispatch_us + number AS found_high,
    c.busy_us AS low, c.busy_us AS high
FROM rmf_partition p
JOIN cpus c USING (run, system, interval_start, type)
JOIN rmf_partition_header h USING (run, system, interval_start)
WHERE p.own AND NOT coalesce(h.wait_completion, TRUE)
