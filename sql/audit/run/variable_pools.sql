/* imsperf check
title = "A variable pool gives back what it gave, all of it where nothing is in use, and holds no more than its most"
unit = "requests, bytes"
source = "IMS log 4505: pieces given back and got; bytes in use now and on average, the most, the largest free piece, the size"
*/
SELECT f.run, NULL::VARCHAR AS system, p.record_no || ' ' || p.pool || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM ims_4505_pool AS p
JOIN load_file AS f ON f.file_id = p.file_id,
    LATERAL (VALUES
        ('frees', p.frees::DOUBLE, if(p.bytes_allocated = 0, p.gets::DOUBLE, 0), p.gets::DOUBLE),
        ('now', p.bytes_allocated, 0, p.max_bytes_allocated),
        ('mean', p.ave_bytes_allocated, 0, p.max_bytes_allocated),
        ('largest free', p.largest_free, 0, if(p.pool_size >= p.bytes_allocated, p.pool_size - p.bytes_allocated, 0)),
        ('most', p.max_bytes_allocated, 0, p.pool_size)) AS v (what, found, low, high)
WHERE p.pool_size > 0
