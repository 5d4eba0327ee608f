/* imsperf check
title = "The shares of a transaction mix add to 100 %"
unit = "%"
source = "000, tables 3 to 14"
*/
SELECT run, '' AS system, 'all transactions share_pct' AS key, sum(value) AS found, sum(value) AS found_low,
    sum(value) AS found_high, 100 - max(high - value) AS low, 100 + max(high - value) AS high
FROM figure
WHERE metric = 'share_pct'
GROUP BY run
