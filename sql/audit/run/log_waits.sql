/* imsperf check
title = "A wait for the log is a check write, and a WADS write has a control interval at least"
unit = "writes"
source = "IMS log 4507"
*/
SELECT l.run, l.system, strftime(l.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || l.ims || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM ims_logger AS l,
    LATERAL (VALUES ('waits', l.wait_writes, l.check_write), ('WADS', l.wads_excpvr, l.wads_4k)) AS v (what, found, high)
WHERE v.found > 0 AND v.high IS NOT NULL AND NOT l.restarted
