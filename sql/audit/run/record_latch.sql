/* imsperf check
title = "A sync point takes the latch of record creation once"
unit = "gets"
source = "IMS log 450A, latch LREC, against 4500; session 14772: LREC serialises the records of a Fast Path sync point; 0.5 % and 100 for what is under way at both ends"
*/
SELECT l.run, l.system, strftime(l.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || l.ims AS key,
    l.exclusive_gets AS found, l.exclusive_gets AS found_low, l.exclusive_gets AS found_high,
    0 AS low, s.transactions_count * 1.005 + 100 AS high
FROM ims_latch AS l
JOIN ims_statistics_set AS s USING (run, ims, interval_start_utc)
WHERE l.latch = 'LREC' AND l.exclusive_gets > 0 AND s.transactions_count > 0 AND NOT s.restarted
