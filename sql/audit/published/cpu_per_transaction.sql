/* imsperf check
title = "CPU per transaction is processors times busy divided by ETR"
unit = "us"
source = "000, table 15"
*/
SELECT f.run, f.system, f.key, f.value AS found, f.low AS found_low, f.high AS found_high,
    1e4 * cps * busy_low / etr_high AS low, 1e4 * cps * busy_high / etr_low AS high
FROM figure f
JOIN measured m USING (document, "table", "column", system)
WHERE f.metric = 'general_cpu_us_per_tran' AND f.role = 'value'
