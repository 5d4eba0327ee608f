/* imsperf check
title = "A message has one schedule at most, a program's or a quick one"
unit = "messages"
source = "IMS log 4506 against 4500; 0.5 % and 100 for what is under way at both ends"
*/
WITH here AS (
    SELECT f.run, s.imsid, s.ckpt_no, s.schedules::DOUBLE + s.quick_resched AS begun,
        lag(s.schedules::DOUBLE + s.quick_resched) OVER (PARTITION BY f.run, s.file_id, s.imsid ORDER BY s.ckpt_no) AS before
    FROM ims_4506 AS s
    JOIN load_file AS f ON f.file_id = s.file_id
)
SELECT h.run, t.system, h.imsid || ' ' || h.ckpt_no AS key,
    h.begun - h.before AS found, h.begun - h.before AS found_low, h.begun - h.before AS found_high,
    0 AS low, t.transactions_count * 1.005 + 100 AS high
FROM here AS h
JOIN ims_statistics_set AS t ON t.run = h.run AND t.ims = h.imsid AND t.ckpt_no = h.ckpt_no
WHERE h.begun >= h.before AND NOT t.restarted AND t.transactions_count > 0
