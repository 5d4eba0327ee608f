/* imsperf check
title = "ITR is ETR divided by CPU busy"
unit = "1/s"
source = "000, table 15; 001, background"
*/
SELECT f.run, f.system, f.key, f.value AS found, f.low AS found_low, f.high AS found_high,
    100 * etr_low / busy_high AS low, 100 * etr_high / busy_low AS high
FROM figure f
JOIN measured m USING (document, "table", "column", system)
WHERE f.metric = 'itr_tps' AND f.role = 'value' AND etr_low IS NOT NULL AND busy_low IS NOT NULL
