/* imsperf check
title = "A pool is as large as its blocks"
unit = "bytes"
source = "IMS log 450E: primary and secondary blocks of each buffer size; 0.5 % and a page for headers"
*/
WITH block AS (
    SELECT file_id, record_no,
        sum(if(blocks > 0, buf_size::DOUBLE * (prim + (blocks - 1) * sec), 0)) AS now,
        sum(if(high_blocks > 0, buf_size::DOUBLE * (prim + (high_blocks - 1) * sec), 0)) AS most,
        sum(if(max_blocks > 0, buf_size::DOUBLE * (prim + (max_blocks - 1) * sec), 0)) AS ever
    FROM ims_450e_buffer
    WHERE buf_size > 0
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, p.pool || ' ' || p.ckpt_no || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.size AS low, v.size * 1.005 + 4096 AS high
FROM ims_450e AS p
JOIN block AS b ON b.file_id = p.file_id AND b.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id,
    LATERAL (VALUES ('now', p.pool_size::DOUBLE, b.now), ('most', p.pool_max, b.most), ('since restart', p.pool_max_restart, b.ever)) AS v (what, found, size)
WHERE v.size > 0
