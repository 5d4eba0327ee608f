/* imsperf check
title = "Figures of two systems together follow from those of each"
unit = "as printed"
source = "000, table 16: rates add, busy and response are means, service times are total time by total transactions"
*/
WITH each AS (
    SELECT
        f.metric, f."column", f.low, f.high, e.low AS etr_low, e.high AS etr_high
    FROM figure f
    JOIN figure e
        ON (e.document, e."table", e."column", e.system, e.metric)
        = (f.document, f."table", f."column", f.system, 'etr_tps')
    WHERE f.document = '000' AND f."table" = 21
),

both_systems AS (
    SELECT
        metric, "column",
        sum(low) AS sum_low, sum(high) AS sum_high, avg(low) AS mean_low, avg(high) AS mean_high,
        sum(low * etr_low) / sum(etr_high) AS each_low,
        sum(high * etr_high) / sum(etr_low) AS each_high
    FROM each
    GROUP BY ALL
)

SELECT f.run, f.system, f.key, f.value AS found, f.low AS found_low, f.high AS found_high,
    CASE
        WHEN metric IN ('etr_tps', 'logger_offloads') THEN sum_low
        WHEN metric LIKE '%\_per\_tran' ESCAPE '\' THEN each_low
        ELSE mean_low
    END AS low,
    CASE
        WHEN metric IN ('etr_tps', 'logger_offloads') THEN sum_high
        WHEN metric LIKE '%\_per\_tran' ESCAPE '\' THEN each_high
        ELSE mean_high
    END AS high
FROM figure f
JOIN both_systems s USING (metric, "column")
WHERE f.document = '000' AND f."table" = 20 AND f.role = 'value'
    AND metric NOT IN ('itr_tps', 'general_cpu_us_per_tran')
