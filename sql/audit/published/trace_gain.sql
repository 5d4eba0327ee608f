/* imsperf check
title = "A gain in per cent is what memory has more, divided by memory"
unit = "%"
source = "001, tables 7 and 8"
*/
SELECT g.run, g.system, g.key, g.value AS found, g.low AS found_low, g.high AS found_high,
    100 * (1 - e.high / m.low) AS low, 100 * (1 - e.low / m.high) AS high
FROM figure g
JOIN figure m USING (document, "table", "column")
JOIN figure e USING (document, "table", "column")
WHERE g.metric = 'memory_gain_pct' AND m.metric = 'itr_memory_adjusted' AND e.metric = 'itr_external'
