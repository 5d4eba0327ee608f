/* imsperf check
title = "A latch is waited for no more often than it is asked for"
unit = "gets"
source = "IMS log 450A"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || ims || ' ' || latch || ' ' || counted.what AS key,
    counted.found, counted.found AS found_low, counted.found AS found_high,
    0 AS low, counted.most AS high
FROM ims_latch,
    LATERAL (VALUES
        ('shared', shared_contentions, shared_gets),
        ('exclusive', exclusive_contentions, exclusive_gets))
        AS counted (what, found, most)
WHERE counted.found IS NOT NULL AND counted.most IS NOT NULL
