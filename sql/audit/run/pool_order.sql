/* imsperf check
title = "Buffers in use are no more than the most, and fit into the blocks"
unit = "buffers"
source = "IMS log 450E: low, now, high, most since the start; capacity of the blocks; bytes asked for fit into the buffer"
*/
SELECT f.run, NULL::VARCHAR AS system, b.record_no || ' ' || b.buf_size || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM ims_450e_buffer AS b
JOIN load_file AS f ON f.file_id = b.file_id,
    LATERAL (VALUES
        ('high', b.high_bufs::DOUBLE, b.low_bufs::DOUBLE, b.max_bufs::DOUBLE),
        ('now', b.bufs, b.low_bufs, b.high_bufs),
        ('since the start', b.max_bufs, 0, if(b.max_blocks > 0, b.prim + (b.max_blocks - 1) * b.sec, 0)),
        ('mean blocks', b.avg_blocks_c / 100, b.low_blocks, b.high_blocks),
        ('bytes', if(b.gets > 0, b.bytes_req / b.gets, 0), 0, b.buf_size)) AS v (what, found, low, high)
WHERE b.buf_size > 0
