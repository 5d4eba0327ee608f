/* imsperf check
title = "IMS counts the transactions whose records are in the log"
unit = "transactions"
source = "IMS log 4500 against messages and Fast Path transactions; what is under way at both ends: 1 % and 100"
views = ["ims_statistics_set", "ims_message"]
*/
WITH logged AS MATERIALIZED (
    SELECT run, system, ims, interval_start_utc, count(*) AS number
    FROM ims_message
    WHERE coalesce(sample_every, 1) = 1
    GROUP BY ALL
)

SELECT s.run, s.system, strftime(s.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || s.ims AS key,
    s.transactions_count AS found, s.transactions_count AS found_low,
    s.transactions_count AS found_high, 0.99 * l.number - 100 AS low, 1.01 * l.number + 100 AS high
FROM ims_statistics_set s
JOIN logged l USING (run, ims, interval_start_utc)
WHERE NOT s.restarted AND s.transactions_count IS NOT NULL
