/* imsperf check
title = "The most buffers since the start is the most of before or of now"
unit = "buffers"
source = "IMS log 450E: of one statistics set to the next; before the first checkpoint there was no other"
*/
WITH here AS (
    SELECT f.run, h.imsid, h.pool, b.buf_size, h.ckpt_no, b.high_bufs::DOUBLE AS high_bufs, b.max_bufs::DOUBLE AS max_bufs,
        lag(b.max_bufs) OVER sets AS before
    FROM ims_450e_buffer AS b
    JOIN ims_450e AS h ON h.file_id = b.file_id AND h.record_no = b.record_no
    JOIN load_file AS f ON f.file_id = b.file_id
    WINDOW sets AS (PARTITION BY f.run, h.imsid, h.pool, b.buf_size ORDER BY h.ckpt_no)
)
SELECT run, NULL::VARCHAR AS system, pool || ' ' || buf_size || ' ' || ckpt_no AS key,
    max_bufs AS found, max_bufs AS found_low, max_bufs AS found_high,
    greatest(high_bufs, before) AS low, greatest(high_bufs, before) AS high
FROM here
WHERE (before IS NOT NULL AND max_bufs >= before) OR ckpt_no = 1
