/* imsperf check
title = "A response time is not the rate over again"
unit = "ms per 1/s"
source = "no law makes response times proportional to rates; at least three columns within 1 % of their median"
*/
WITH ratio AS (
    SELECT r.run, r.system, r.key, r."table", r.value / e.value AS found,
        r.low / e.high AS found_low, r.high / e.low AS found_high
    FROM figure r
    JOIN figure e USING (document, "table", "column", system)
    WHERE r.metric = 'ims_response_ms' AND e.metric = 'etr_tps' AND r.document = '000'
        AND r.role = 'value' AND e.role = 'value'
),

alike AS (
    SELECT *, median(found) OVER (PARTITION BY "table") AS usual FROM ratio
),

counted AS (
    SELECT *, count(*) FILTER (abs(found / usual - 1) < 0.01) OVER (PARTITION BY "table") AS number
    FROM alike
)

SELECT run, system, key, found, found_low, found_high,
    if(number >= 3 AND abs(found / usual - 1) < 0.01, usual * 1.01, 0) AS low,
    CAST('Infinity' AS DOUBLE) AS high
FROM counted
