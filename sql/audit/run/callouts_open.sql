/* imsperf check
title = "Callouts that are open are no more than the most so far, their mean time is no longer than the longest"
unit = "calls or us"
source = "IMS log A102: calls less those that came back, in any way; the time in the queue is part of the time; exact"
views = ["ims_a102", "ims_a102_ical"]
*/
WITH here AS (
    SELECT f.run, h.imsid, h.ckpt_no, c.tran, c.tpipe, c.icals::DOUBLE AS icals,
        c.responses::DOUBLE + c.timeouts + c.errors AS ended, c.elapsed_us::DOUBLE AS us, c.queue_us::DOUBLE AS queue_us,
        c.in_flight_max::DOUBLE AS most, c.max_elapsed_us::DOUBLE AS longest
    FROM ims_a102 AS h
    JOIN ims_a102_ical AS c ON c.file_id = h.file_id AND c.record_no = h.record_no
    JOIN load_file AS f ON f.file_id = h.file_id
)
SELECT h.run, NULL::VARCHAR AS system, h.imsid || ' ' || h.ckpt_no || ' ' || h.tran || ' ' || h.tpipe || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM here AS h,
    LATERAL (VALUES
        ('open', h.icals - h.ended, h.most), ('mean time', h.us / nullif(h.ended, 0), h.longest),
        ('queued', h.queue_us, h.us)) AS v (what, found, high)
WHERE v.found > 0
