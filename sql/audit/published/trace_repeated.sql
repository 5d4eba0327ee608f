/* imsperf check
title = "A number that two tables print is the same, to one in its last digit"
unit = "1/s"
source = "001, tables 5 to 8"
*/
SELECT a.run, a.system, a.key, a.value AS found, a.value AS found_low, a.value AS found_high,
    e.value - 1.001 * (e.high - e.low) AS low, e.value + 1.001 * (e.high - e.low) AS high
FROM figure a
JOIN figure e
    ON e.document = '001' AND e."table" = a."table" - 2 AND e."column" = a."column"
    AND e.metric = 'itr_tps' AND e.role = 'value'
WHERE a.metric = 'itr_external'
