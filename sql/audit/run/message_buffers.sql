/* imsperf check
title = "A message gets one EMH buffer at most"
unit = "buffers"
source = "IMS log 450E, pool EMHB, all buffer sizes, against 4500; IMS 15.3, Planning for Fast Path terminals: a buffer is got with the first message and used again. Not with shared queues, where front end and back end get one each; 0.5 % and 100 for what is under way at both ends"
*/
WITH pool AS (
    SELECT f.run, p.imsid, p.ckpt_no, sum(b.gets)::DOUBLE AS gets
    FROM ims_450e AS p
    JOIN ims_450e_buffer AS b ON b.file_id = p.file_id AND b.record_no = p.record_no
    JOIN load_file AS f ON f.file_id = p.file_id
    WHERE p.pool = 'EMHB'
    GROUP BY ALL
),
here AS (
    SELECT *, lag(gets) OVER (PARTITION BY run, imsid ORDER BY ckpt_no) AS before
    FROM pool
)
SELECT h.run, t.system, h.imsid || ' ' || h.ckpt_no AS key, h.gets - h.before AS found, h.gets - h.before AS found_low,
    h.gets - h.before AS found_high, 0 AS low, t.transactions_count * 1.005 + 100 AS high
FROM here AS h
JOIN ims_statistics_set AS t ON t.run = h.run AND t.ims = h.imsid AND t.ckpt_no = h.ckpt_no
WHERE h.gets > h.before AND NOT t.restarted AND t.transactions_count > 0
