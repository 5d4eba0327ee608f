/* imsperf check
title = "IMS counts the transactions whose records are in the log"
unit = "transactions"
source = "IMS log 4500 against messages and Fast Path transactions that arrived between the same two sets, of one log file, and between the first and the last; what is under way at both ends: 0.5 %, 100 and as many as are in flight (rate x response)"
covers = "a log file has all records between two 4500"
*/
WITH message AS MATERIALIZED (
    SELECT run, ims, interval_start_utc, count(*) AS number, avg(response_us) / 1e6 AS response_s, any_value(file_id) AS file_id, count(DISTINCT file_id) AS files
    FROM ims_message
    WHERE coalesce(sample_every, 1) = 1 AND kind <> 'switch'
    GROUP BY ALL
),
paired AS MATERIALIZED (
    SELECT s.run, s.system, s.ims, s.interval_start_utc, s.interval_s, s.transactions_count, m.number, m.response_s
    FROM ims_statistics_set AS s
    JOIN message AS m ON m.run = s.run AND m.ims = s.ims AND m.interval_start_utc = s.interval_start_utc AND m.file_id = s.file_id
    WHERE NOT s.restarted AND m.files = 1 AND audit_whole(m.file_id)
),
counted AS (
    SELECT run, system, ims, sum(transactions_count)::DOUBLE AS number, sum(number)::DOUBLE AS logged, sum(interval_s) AS seconds,
        coalesce(max(response_s), 0) AS response_s, if(grouping(interval_start_utc) = 1, 'all sets', strftime(min(interval_start_utc), '%Y-%m-%dT%H:%M:%SZ')) AS since
    FROM paired
    GROUP BY GROUPING SETS ((run, system, ims, interval_start_utc), (run, system, ims))
    HAVING grouping(interval_start_utc) = 0 OR count(*) > 1
)
SELECT c.run, c.system, c.since || ' ' || c.ims AS key, c.number AS found, c.number AS found_low, c.number AS found_high,
    0.995 * c.logged - 100 - c.number / c.seconds * c.response_s AS low,
    1.005 * c.logged + 100 + c.number / c.seconds * c.response_s AS high
FROM counted AS c
WHERE c.number IS NOT NULL AND c.seconds > 0
