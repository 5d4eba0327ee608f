/* imsperf check
title = "The named parts are no more than all CPU of a transaction"
unit = "us"
source = "000, table 15"
*/
WITH part AS (
    SELECT document, "table", "column", system, sum(low) AS low
    FROM figure
    WHERE role = 'value' AND metric LIKE '%\_cpu\_us\_per\_tran' ESCAPE '\'
        AND metric <> 'general_cpu_us_per_tran'
    GROUP BY ALL
)

SELECT f.run, f.system, f.key, f.value AS found, f.low AS found_low, f.high AS found_high,
    p.low AS low, CAST('Infinity' AS DOUBLE) AS high
FROM figure f
JOIN part p USING (document, "table", "column", system)
WHERE f.metric = 'general_cpu_us_per_tran' AND f.role = 'value'
