/* imsperf check
title = "Larger credentials cost more"
unit = "us or 1/s"
source = "000, section 7.5: service time grows with the size"
*/
WITH sized AS (
    SELECT
        *,
        split_part("column", '_', 1)::INTEGER AS bytes,
        lag(low) OVER bigger AS smaller_low,
        lag(high) OVER bigger AS smaller_high
    FROM figure
    WHERE document = '000' AND "table" IN (33, 34) AND role = 'value'
    WINDOW bigger AS (PARTITION BY metric ORDER BY split_part("column", '_', 1)::INTEGER)
)

SELECT run, system, key, value AS found, low AS found_low, high AS found_high,
    if(metric = 'itr_tps', 0, smaller_low) AS low,
    if(metric = 'itr_tps', smaller_high, CAST('Infinity' AS DOUBLE)) AS high
FROM sized
WHERE smaller_low IS NOT NULL
