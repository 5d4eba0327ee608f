/* imsperf check
title = "Callouts of transactions are those of the TPIPEs that they use"
unit = "calls, us or bytes"
source = "IMS log A102 against A101 of the same checkpoint: calls are those sent, those that wait in the queue and those that failed; answers, time-outs and both times are the same events; bytes where nothing else uses the TPIPE, and there no more ever waited than were open; exact"
*/
WITH call AS MATERIALIZED (
    SELECT h.file_id, h.imsid, h.ckpt_no, c.member, c.tpipe, sum(c.icals)::DOUBLE AS icals,
        sum(c.responses)::DOUBLE AS responses, sum(c.timeouts)::DOUBLE AS timeouts, sum(c.errors)::DOUBLE AS errors,
        sum(c.elapsed_us)::DOUBLE AS elapsed_us, sum(c.queue_us)::DOUBLE AS queue_us,
        sum(c.in_flight_max)::DOUBLE AS open, sum(c.request_bytes)::DOUBLE AS request_bytes, sum(c.response_bytes)::DOUBLE AS response_bytes
    FROM ims_a102 AS h
    JOIN ims_a102_ical AS c ON c.file_id = h.file_id AND c.record_no = h.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, c.imsid || ' ' || c.ckpt_no || ' ' || c.tpipe || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM call AS c
JOIN ims_a101 AS h ON h.file_id = c.file_id AND h.imsid = c.imsid AND h.ckpt_no = c.ckpt_no
JOIN ims_a101_tpipe AS t ON t.file_id = h.file_id AND t.record_no = h.record_no AND t.member = c.member AND t.tpipe = c.tpipe
JOIN load_file AS f ON f.file_id = c.file_id,
    LATERAL (VALUES
        ('calls', c.icals, t.sync_callouts::DOUBLE,
            t.sync_callouts::DOUBLE + t.queue + c.timeouts + c.errors),
        ('waiting', if(t.messages_out = t.sync_callouts, c.icals - t.sync_callouts, NULL), t.queue, t.queue + c.timeouts + c.errors),
        ('most waiting', if(t.messages_out = t.sync_callouts, t.queue_max::DOUBLE, NULL), 0, c.open),
        ('answers', c.responses, t.sync_responses, t.sync_responses),
        ('time-outs', c.timeouts, t.sync_timeouts, t.sync_timeouts),
        ('time', c.elapsed_us, t.callout_us, if(c.timeouts + c.errors > 0, 'Infinity'::DOUBLE, t.callout_us)),
        ('time in the queue', c.queue_us, t.queue_us, if(c.timeouts + c.errors > 0, 'Infinity'::DOUBLE, t.queue_us)),
        ('bytes sent', if(t.messages_out = t.sync_callouts, c.request_bytes, NULL), t.bytes_out, t.bytes_out),
        ('bytes received', if(t.messages_in = t.sync_responses, c.response_bytes, NULL), t.bytes_in, t.bytes_in))
        AS v (what, found, low, high)
WHERE v.found IS NOT NULL AND (v.found > 0 OR v.high > 0)
