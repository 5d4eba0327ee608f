/* imsperf check
title = "Fast Path buffers are those of their subpools"
unit = "buffers, requests, bytes"
source = "IMS log 4521 against 4522 of the same set; within 4522 the pool against its subpools, and what is in use against the most; a pool that gave nothing back is at its largest"
*/
WITH subpools AS (
    SELECT p.file_id, p.record_no, p.imsid, p.ckpt_no, p.sample, p.pool_size, p.max_pool_size, p.pool_limit,
        sum(s.compressions) AS compressions,
        sum(s.buffers)::DOUBLE AS buffers, sum(s.gets)::DOUBLE AS gets, sum(s.buffers::DOUBLE * s.buf_size) AS bytes,
        max(s.bufs_used_max)::DOUBLE AS most_of_one, sum(s.bufs_used_max)::DOUBLE AS most_of_all
    FROM ims_4522 AS p
    JOIN ims_4522_subpool AS s ON s.file_id = p.file_id AND s.record_no = p.record_no
    GROUP BY ALL
),
told AS (
    SELECT p.file_id, p.imsid, p.ckpt_no, v.*
    FROM subpools AS p
    JOIN ims_4521 AS f ON f.file_id = p.file_id AND f.imsid = p.imsid AND f.ckpt_no = p.ckpt_no AND f.sample = p.sample,
        LATERAL (VALUES
            ('buffers', f.buffers::DOUBLE, p.buffers, p.buffers),
            ('requests', f.buffer_gets, p.gets, p.gets),
            ('most in use', f.max_buffers_used, p.most_of_one, p.most_of_all)) AS v (what, found, low, high)
    UNION ALL
    SELECT p.file_id, p.imsid, p.ckpt_no, v.*
    FROM subpools AS p,
        LATERAL (VALUES
            ('bytes', p.pool_size::DOUBLE, p.bytes, p.bytes),
            ('most bytes', p.max_pool_size, p.pool_size, if(p.compressions = 0, p.pool_size, p.pool_limit))) AS v (what, found, low, high)
)
SELECT f.run, NULL::VARCHAR AS system, t.imsid || ' ' || t.ckpt_no || ' ' || t.what AS key,
    t.found, t.found AS found_low, t.found AS found_high, t.low, t.high
FROM told AS t
JOIN load_file AS f ON f.file_id = t.file_id
