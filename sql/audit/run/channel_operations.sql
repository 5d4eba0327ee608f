/* imsperf check
title = "At least the operation itself is active when it begins, and paths carry no more than operations"
unit = "operations"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 73: sums of active operations; 78.3: I/Os of a path, all of them where no other partition has it; 0.2 % and one, 0.5 % fewer"
*/
WITH path AS MATERIALIZED (
    SELECT run, system, interval_start, path AS channel, sum(taken_count) AS taken
    FROM rmf_io_queue
    WHERE path IS NOT NULL
    GROUP BY ALL
)
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.channel || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high,
    if(v.what = 'path' AND NOT c.shared, v.high * 0.995 - 1, 0) AS low, v.high * 1.002 + 1 AS high
FROM rmf_channel AS c
LEFT JOIN path AS p USING (run, system, interval_start, channel),
    LATERAL (VALUES
        ('zHPF', c.zhpf_count::DOUBLE, c.zhpf_active_sum::DOUBLE), ('FICON', c.ficon_count, c.ficon_active_sum),
        ('path', p.taken, c.zhpf_count + c.ficon_count)) AS v (what, found, high)
WHERE v.found > 0 AND v.high IS NOT NULL
