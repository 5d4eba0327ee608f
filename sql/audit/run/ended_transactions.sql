/* imsperf check
title = "WLM ends the transactions that IMS counts"
unit = "transactions"
source = "record type 72.3 of a class with response goals against IMS log 4500, where the intervals are the same; 0.5 % and 20 for the ends of intervals"
*/
WITH ended AS MATERIALIZED (
    SELECT run, system, interval_start_utc, sum(ended_count) AS number, max(interval_s) AS interval_s
    FROM rmf_workload
    WHERE kind = 'service' AND period IS NOT NULL AND ended_count > 0 AND goal_kind NOT ILIKE '%velocity%'
    GROUP BY ALL
)

SELECT s.run, s.system, strftime(s.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || s.ims AS key,
    e.number AS found, e.number AS found_low, e.number AS found_high,
    0.995 * s.transactions_count - 20 AS low, 1.005 * s.transactions_count + 20 AS high
FROM ims_statistics_set s
JOIN ended e USING (run, system, interval_start_utc)
WHERE abs(s.interval_s - e.interval_s) < 0.5 AND s.transactions_count > 0 AND NOT s.restarted
