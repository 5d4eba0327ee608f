/* imsperf check
title = "A transaction has one check write and one AWE at most"
unit = "transactions"
source = "IMS log 4507 against 4500; session 14772: one AWE for each transaction, fewer when AWEs are short; 0.5 % and 100 for what is under way at both ends"
*/
SELECT l.run, l.system, strftime(l.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || l.ims || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, s.transactions_count * 1.005 + 100 AS high
FROM ims_logger AS l
JOIN ims_statistics_set AS s USING (run, ims, ckpt_no),
    LATERAL (VALUES ('check writes', l.check_write), ('AWEs', l.awe_submitted)) AS v (what, found)
WHERE abs(epoch(l.interval_start) - epoch(s.interval_start)) <= 0.001 * l.interval_s  -- same pair
    AND v.found > 0 AND s.transactions_count > 0 AND NOT l.restarted AND NOT s.restarted
