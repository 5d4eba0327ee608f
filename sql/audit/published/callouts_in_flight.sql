/* imsperf check
title = "Each callout under way holds a region: rate times response is at most the regions"
unit = "callouts"
source = "000, section 8.2.1 names one MPP region; Little"
*/
SELECT r.run, r.system, r.key, r.value * e.value / 1000 AS found,
    r.low * e.low / 1000 AS found_low, r.high * e.high / 1000 AS found_high, 0 AS low, 1 AS high
FROM figure r
JOIN figure e USING (document, "table", "column", system)
WHERE r.metric = 'ical_response_ms' AND e.metric = 'ical_tps'
