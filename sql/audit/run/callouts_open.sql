/* imsperf check
title = "Callouts that are open wait in the queue or are out through a resume TPIPE request, and none is longer than the longest"
unit = "calls or us"
source = "IMS log A102 and A101 of the same checkpoint: calls less those that came back, in any way, are at most the most open; those are at most the longest queue of the TPIPE and its parallel limit; the time in the queue is part of the time; exact"
*/
WITH here AS (
    SELECT f.run, h.imsid, h.ckpt_no, c.tran, c.tpipe, c.icals::DOUBLE AS icals,
        c.responses::DOUBLE + c.timeouts + c.errors AS ended, c.elapsed_us::DOUBLE AS us, c.queue_us::DOUBLE AS queue_us,
        c.in_flight_max::DOUBLE AS most, c.max_elapsed_us::DOUBLE AS longest, t.queue_max::DOUBLE + t.parallel_limit AS room
    FROM ims_a102 AS h
    JOIN ims_a102_ical AS c ON c.file_id = h.file_id AND c.record_no = h.record_no
    JOIN load_file AS f ON f.file_id = h.file_id
    LEFT JOIN ims_a101 AS g ON g.file_id = h.file_id AND g.imsid = h.imsid AND g.ckpt_no = h.ckpt_no
    LEFT JOIN ims_a101_tpipe AS t ON t.file_id = g.file_id AND t.record_no = g.record_no AND t.member = c.member AND t.tpipe = c.tpipe
)
SELECT h.run, NULL::VARCHAR AS system, h.imsid || ' ' || h.ckpt_no || ' ' || h.tran || ' ' || h.tpipe || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM here AS h,
    LATERAL (VALUES
        ('open', h.icals - h.ended, h.most), ('most', h.most, h.room), ('mean time', h.us / nullif(h.ended, 0), h.longest),
        ('queued', h.queue_us, h.us)) AS v (what, found, high)
WHERE v.found > 0 AND v.high IS NOT NULL
