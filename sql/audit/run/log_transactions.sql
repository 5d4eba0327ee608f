/* imsperf check
title = "IMS counts the transactions whose records are in the log"
unit = "transactions"
source = "IMS log 4500 against messages and Fast Path transactions of the whole log; what is under way at both ends: 0.5 %, 100 and as many as are in flight (rate x response)"
views = ["ims_statistics_set", "ims_message"]
*/
WITH counted AS MATERIALIZED (
    SELECT run, system, ims, sum(transactions_count) AS number, sum(interval_s) AS seconds
    FROM ims_statistics_set
    WHERE NOT restarted
    GROUP BY ALL
),

logged AS MATERIALIZED (
    SELECT run, ims, count(*) AS number, coalesce(avg(response_us), 0) / 1e6 AS response_s
    FROM ims_message
    WHERE coalesce(sample_every, 1) = 1 AND kind <> 'switch'
    GROUP BY ALL
)

SELECT c.run, c.system, c.ims AS key, c.number AS found, c.number AS found_low,
    c.number AS found_high,
    0.995 * l.number - 100 - c.number / c.seconds * l.response_s AS low,
    1.005 * l.number + 100 + c.number / c.seconds * l.response_s AS high
FROM counted AS c
JOIN logged AS l USING (run, ims)
WHERE c.number IS NOT NULL AND c.seconds > 0
