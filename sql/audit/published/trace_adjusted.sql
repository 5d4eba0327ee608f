/* imsperf check
title = "An adjusted ITR is the one in memory times the ratio of the two bases"
unit = "1/s"
source = "001, table 7: bases are those without a trace"
*/
WITH base AS (
    SELECT "table", 100 * etr_low / busy_high AS low, 100 * etr_high / busy_low AS high
    FROM measured
    WHERE document = '001' AND "column" = 'No Trace'
)

SELECT a.run, a.system, a.key, a.value AS found, a.low AS found_low, a.high AS found_high,
    m.low * x.low / y.high AS low, m.high * x.high / y.low AS high
FROM figure a
JOIN figure m
    ON m.document = '001' AND m."table" = a."table" - 4 AND m."column" = a."column"
    AND m.metric = 'itr_tps' AND m.role = 'value'
JOIN base x ON x."table" = a."table" - 2
JOIN base y ON y."table" = a."table" - 4
WHERE a.metric = 'itr_memory_adjusted'
