/* imsperf check
title = "An I/O ends with an interrupt, and one machine counts them all"
unit = "I/Os"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70SLH, TPI and NIO of CPUs; 78.3: starts and interrupts of I/O processors, where no other partition is active; 0.02 % of interrupts, 0.5 %"
views = ["rmf_cpu", "rmf_io_processor", "rmf_partition"]
*/
WITH alone AS MATERIALIZED (
    SELECT run, system, interval_start
    FROM rmf_partition
    GROUP BY ALL
    HAVING bool_and(own OR coalesce(dispatch_us, 0) = 0 OR partition IN ('PHYSICAL', '*PHYSICAL*', 'TOTAL'))
),
cpu AS MATERIALIZED (
    SELECT f.run, c.system, c.interval_start, sum(c.smf70slh + c.smf70tpi)::DOUBLE AS ends, sum(c.smf70nio)::DOUBLE AS starts
    FROM smf70_1_cpu AS c
    JOIN load_file AS f ON f.file_id = c.file_id
    GROUP BY ALL
),
iop AS MATERIALIZED (
    SELECT run, system, interval_start, sum(start_count)::DOUBLE AS starts, sum(interrupt_count)::DOUBLE AS ends, sum(queue_count)::DOUBLE AS queued, sum(coalesce(retry_count, 0))::DOUBLE AS retries
    FROM rmf_io_processor
    WHERE iop IS NOT NULL
    GROUP BY ALL
)
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM cpu AS c
JOIN iop AS i USING (run, system, interval_start)
SEMI JOIN alone AS a USING (run, system, interval_start),
    LATERAL (VALUES
        ('interrupts of CPUs', c.ends, i.ends * 0.9998 - 2, i.ends * 1.0002 + 2),
        ('started by CPUs', c.starts, i.starts * 0.995, i.starts * 1.005),
        ('interrupts', c.ends, c.starts * 0.995, c.starts * 1.005),
        ('queued by I/O processors', i.queued, i.starts * 0.995, (i.starts + i.retries) * 1.005)) AS v (what, found, low, high)
WHERE v.found > 0
