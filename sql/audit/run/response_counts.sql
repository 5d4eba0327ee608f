/* imsperf check
title = "The response time distribution has every ended transaction"
unit = "transactions"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3, response time distribution; executions that ended are no more, but for 0.5 % and 50 under way"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || class || coalesce(' ' || period, '') || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM rmf_workload,
    LATERAL (VALUES
        ('distribution', list_sum(buckets)::DOUBLE, ended_count, ended_count),
        ('executed', executed_count, 0, ended_count * 1.005 + 50)) AS v (what, found, low, high)
WHERE v.found > 0 AND ended_count > 0
