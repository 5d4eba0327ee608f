/* imsperf check
title = "Messages of all transactions are those that programs got"
unit = "messages"
source = "IMS log A10D of all codes against get unique calls to the message queue of A108, same set; exact"
*/
WITH code AS (
    SELECT d.file_id, d.imsid, d.ckpt_no, d.sample, sum(t.processed)::DOUBLE AS messages
    FROM ims_a10d AS d
    JOIN ims_a10d_transaction AS t ON t.file_id = d.file_id AND t.record_no = d.record_no
    GROUP BY ALL
),
source AS (
    SELECT k.file_id, k.imsid, k.ckpt_no, k.sample, sum(c.dc_gu_calls)::DOUBLE AS calls
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, t.imsid || ' ' || t.ckpt_no AS key, t.messages AS found, t.messages AS found_low,
    t.messages AS found_high, s.calls AS low, s.calls AS high
FROM code AS t
JOIN source AS s USING (file_id, imsid, ckpt_no, sample)
JOIN load_file AS f ON f.file_id = t.file_id
WHERE s.calls > 0
