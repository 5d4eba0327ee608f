/* imsperf check
title = "A transaction of a program that does not wait for input begins with a schedule or a quick one"
unit = "transactions"
source = "IMS log 4506 against A108 of the same set, where A10D has no program in MPPs and JMPs that waits for input: schedules and quick reschedules are the transactions that those regions processed, and one more at most for each of those regions in 47 and for each transaction past its check write (4507) that has not ended (4500); exact"
*/
WITH source AS (
    SELECT k.file_id, k.imsid, k.ckpt_no, k.sample, sum(c.transactions_processed)::DOUBLE AS processed
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    WHERE c.source IN ('MPP', 'JMP')
    GROUP BY ALL
),
held AS (
    SELECT h.file_id, h.ckpt_no, count(*)::DOUBLE AS regions
    FROM ims_47 AS h
    JOIN ims_47_region AS r ON r.file_id = h.file_id AND r.record_no = h.record_no
    WHERE r.region_type IN ('M', 'J')
    GROUP BY ALL
),
ending AS (
    SELECT d.file_id, d.imsid, d.ckpt_no, d.sample
    FROM ims_a10d AS d
    JOIN ims_a10d_transaction AS t ON t.file_id = d.file_id AND t.record_no = d.record_no
    WHERE t.region_type IN ('M', 'J') AND t.fast_path = 'N'
    GROUP BY ALL
    HAVING bool_and(t.wait_for_input = 'N')
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no AS key, s.schedules::DOUBLE + s.quick_resched AS found,
    s.schedules::DOUBLE + s.quick_resched AS found_low, s.schedules::DOUBLE + s.quick_resched AS found_high,
    c.processed AS low, c.processed + h.regions
        + greatest(l.check_write::DOUBLE - a.trans_total, 0) AS high
FROM ims_4506 AS s
JOIN source AS c USING (file_id, imsid, ckpt_no, sample)
JOIN ims_4500 AS a USING (file_id, imsid, ckpt_no, sample)
JOIN ims_4507 AS l USING (file_id, imsid, ckpt_no, sample)
SEMI JOIN ending AS e USING (file_id, imsid, ckpt_no, sample)
JOIN held AS h ON h.file_id = s.file_id AND h.ckpt_no = s.ckpt_no
JOIN load_file AS f ON f.file_id = s.file_id
WHERE c.processed > 0
