/* imsperf check
title = "A CICS task is dispatched or suspended from its start to its end"
unit = "us"
source = "CICS Transaction Server, performance guide: the response time of a task is its dispatch and its suspend time (110.1: USRDISPT, SUSPTIME against START and STOP); all tasks of a region; 0.2 % and a microsecond for each"
*/
SELECT f.run, p.system, p.smfmnprn AS key, sum(t.usrdispt_us + t.susptime_us) AS found, sum(t.usrdispt_us + t.susptime_us) AS found_low,
    sum(t.usrdispt_us + t.susptime_us) AS found_high, sum(epoch_us(t.stop) - epoch_us(t.start)) * 0.998 - count(*) AS low,
    sum(epoch_us(t.stop) - epoch_us(t.start)) * 1.002 + count(*) AS high
FROM smf110_1_performance AS t
JOIN smf110_1_product AS p ON p.file_id = t.file_id AND p.record_no = t.record_no
JOIN load_file AS f ON f.file_id = t.file_id
WHERE t.usrdispt_us + t.susptime_us > 0 AND t.stop >= t.start
GROUP BY ALL
