/* imsperf check
title = "Transactions by source add up to those of IMS"
unit = "transactions"
source = "IMS log A108 of all sources against 4500 of the same set; exact"
*/
WITH source AS (
    SELECT k.file_id, k.imsid, k.ckpt_no, k.sample, sum(c.transactions_processed)::DOUBLE AS transactions
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no AS key, s.transactions AS found,
    s.transactions AS found_low, s.transactions AS found_high, h.trans_total::DOUBLE AS low, h.trans_total::DOUBLE AS high
FROM source AS s
JOIN ims_4500 AS h USING (file_id, imsid, ckpt_no, sample)
JOIN load_file AS f ON f.file_id = s.file_id
WHERE h.trans_total > 0
