/* imsperf check
title = "A mean is that of its rows, rounded"
unit = "1/s"
source = "003, foils 7 to 12: the rows as printed"
*/
SELECT m.run, m.system, m.key, any_value(m.value) AS found, any_value(m.low) AS found_low,
    any_value(m.high) AS found_high, avg(r.value) AS low, avg(r.value) AS high
FROM figure m
JOIN figure r USING (document, "table", section, metric)
WHERE m.document = '003' AND m."column" = 'mean' AND m.role = 'value' AND r."column" <> 'mean'
GROUP BY m.run, m.system, m.key
