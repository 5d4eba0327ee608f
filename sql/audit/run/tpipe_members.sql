/* imsperf check
title = "OTMA counts for the TPIPEs of a member what it counts for the member"
unit = "messages, bytes, calls or requests"
source = "IMS log A101 against 451B of the same checkpoint: of members whose TPIPEs are all listed and of which none was deleted; exact"
*/
WITH tpipe AS MATERIALIZED (
    SELECT h.file_id, h.imsid, h.ckpt_no, t.member, count(*) AS tpipes,
        sum(t.messages_in)::DOUBLE AS messages_in, sum(t.messages_out)::DOUBLE AS messages_out,
        sum(t.bytes_in)::DOUBLE AS bytes_in, sum(t.bytes_out)::DOUBLE AS bytes_out,
        sum(t.sync_callouts)::DOUBLE AS sync_callouts, sum(t.sync_responses)::DOUBLE AS sync_responses,
        sum(t.sync_timeouts)::DOUBLE AS sync_timeouts, sum(t.resume_tpipe)::DOUBLE AS resume_tpipe,
        sum(t.acks)::DOUBLE AS acks, sum(t.naks)::DOUBLE AS naks
    FROM ims_a101 AS h
    JOIN ims_a101_tpipe AS t ON t.file_id = h.file_id AND t.record_no = h.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, t.imsid || ' ' || t.ckpt_no || ' ' || t.member || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.whole::DOUBLE AS low, v.whole::DOUBLE AS high
FROM tpipe AS t
JOIN ims_451b AS b ON b.file_id = t.file_id AND b.imsid = t.imsid AND b.ckpt_no = t.ckpt_no
JOIN ims_451b_member AS m ON m.file_id = b.file_id AND m.record_no = b.record_no AND m.member = t.member
JOIN load_file AS f ON f.file_id = t.file_id,
    LATERAL (VALUES
        ('messages in', t.messages_in, m.messages_in), ('messages out', t.messages_out, m.messages_out),
        ('bytes in', t.bytes_in, m.bytes_in), ('bytes out', t.bytes_out, m.bytes_out),
        ('callouts', t.sync_callouts, m.sync_callouts), ('answers', t.sync_responses, m.sync_responses),
        ('time-outs', t.sync_timeouts, m.sync_timeouts), ('resume TPIPE', t.resume_tpipe, m.resume_tpipe),
        ('acknowledged', t.acks, m.acks), ('refused', t.naks, m.naks)) AS v (what, found, whole)
WHERE t.tpipes = m.tpipes AND m.tpipes = m.max_tpipes AND (v.found > 0 OR v.whole > 0)
