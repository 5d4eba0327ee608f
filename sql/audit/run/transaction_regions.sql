/* imsperf check
title = "A transaction is scheduled in the regions that have it"
unit = "regions"
source = "IMS log A10D against 47 of the same checkpoint: regions of each transaction, of Fast Path with its PSB; exact"
*/
WITH held AS (
    SELECT h.file_id, h.ckpt_no, coalesce(r.region_type = 'I', false) AS fast, if(r.region_type = 'I', r.psb, r.tran) AS name,
        count(*)::DOUBLE AS regions
    FROM ims_47 AS h
    JOIN ims_47_region AS r ON r.file_id = h.file_id AND r.record_no = h.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, d.imsid || ' ' || d.ckpt_no || ' ' || t.tran AS key, t.regions::DOUBLE AS found,
    t.regions::DOUBLE AS found_low, t.regions::DOUBLE AS found_high, coalesce(r.regions, 0) AS low, coalesce(r.regions, 0) AS high
FROM ims_a10d AS d
JOIN ims_a10d_transaction AS t ON t.file_id = d.file_id AND t.record_no = d.record_no
JOIN load_file AS f ON f.file_id = d.file_id
LEFT JOIN held AS r ON r.file_id = d.file_id AND r.ckpt_no = d.ckpt_no AND r.fast = coalesce(t.region_type = 'I', false)
    AND r.name = if(t.region_type = 'I', t.psb, t.tran)
WHERE t.regions > 0 OR r.regions > 0
