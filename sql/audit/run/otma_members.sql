/* imsperf check
title = "OTMA counts for its members what it counts in all"
unit = "messages, bytes, calls or TPIPEs"
source = "IMS log 451A against 451B: counters and what there is now, exact; the most input at one time is at least that of any member and that now, at most that of all members"
views = ["ims_451a", "ims_451b_member"]
*/
WITH member AS MATERIALIZED (
    SELECT m.file_id, b.ckpt_no, max(m.max_tibs)::DOUBLE AS most_of_one, sum(m.max_tibs)::DOUBLE AS most_of_all,
        sum(m.messages_in)::DOUBLE AS messages_in,
        sum(m.messages_out)::DOUBLE AS messages_out,
        sum(m.bytes_in)::DOUBLE AS bytes_in,
        sum(m.bytes_out)::DOUBLE AS bytes_out,
        sum(m.send_then_commit)::DOUBLE AS send_then_commit,
        sum(m.commit_then_send)::DOUBLE AS commit_then_send,
        sum(m.send_only)::DOUBLE AS send_only,
        sum(m.sync_callouts)::DOUBLE AS sync_callouts,
        sum(m.sync_responses)::DOUBLE AS sync_responses,
        sum(m.sync_timeouts)::DOUBLE AS sync_timeouts,
        sum(m.sync_errors)::DOUBLE AS sync_errors,
        sum(m.async_callouts)::DOUBLE AS async_callouts,
        sum(m.resume_tpipe)::DOUBLE AS resume_tpipe,
        sum(m.acks)::DOUBLE AS acks,
        sum(m.naks)::DOUBLE AS naks,
        sum(m.ack_timeouts)::DOUBLE AS ack_timeouts,
        sum(m.timeouts)::DOUBLE AS timeouts,
        sum(m.rejected)::DOUBLE AS rejected,
        sum(m.flood_warnings)::DOUBLE AS flood_warnings,
        sum(m.flood_rejects)::DOUBLE AS flood_rejects,
        sum(m.acee_creates)::DOUBLE AS acee_creates,
        sum(m.acee_reuses)::DOUBLE AS acee_reuses,
        sum(m.acee_refreshes)::DOUBLE AS acee_refreshes,
        sum(m.credential_messages)::DOUBLE AS credential_messages,
        sum(m.credential_bytes)::DOUBLE AS credential_bytes,
        sum(m.super_member_messages)::DOUBLE AS super_member_messages,
        sum(m.tpipes)::DOUBLE AS tpipes,
        sum(m.tibs)::DOUBLE AS tibs
    FROM ims_451b_member AS m
    JOIN ims_451b AS b ON b.file_id = m.file_id AND b.record_no = m.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, t.imsid || ' ' || t.ckpt_no || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM ims_451a AS t
JOIN member AS m ON m.file_id = t.file_id AND m.ckpt_no = t.ckpt_no
JOIN load_file AS f ON f.file_id = t.file_id,
    LATERAL (VALUES
        ('messages_in', t.messages_in::DOUBLE, m.messages_in, m.messages_in),
        ('messages_out', t.messages_out::DOUBLE, m.messages_out, m.messages_out),
        ('bytes_in', t.bytes_in::DOUBLE, m.bytes_in, m.bytes_in),
        ('bytes_out', t.bytes_out::DOUBLE, m.bytes_out, m.bytes_out),
        ('send_then_commit', t.send_then_commit::DOUBLE, m.send_then_commit, m.send_then_commit),
        ('commit_then_send', t.commit_then_send::DOUBLE, m.commit_then_send, m.commit_then_send),
        ('send_only', t.send_only::DOUBLE, m.send_only, m.send_only),
        ('sync_callouts', t.sync_callouts::DOUBLE, m.sync_callouts, m.sync_callouts),
        ('sync_responses', t.sync_responses::DOUBLE, m.sync_responses, m.sync_responses),
        ('sync_timeouts', t.sync_timeouts::DOUBLE, m.sync_timeouts, m.sync_timeouts),
        ('sync_errors', t.sync_errors::DOUBLE, m.sync_errors, m.sync_errors),
        ('async_callouts', t.async_callouts::DOUBLE, m.async_callouts, m.async_callouts),
        ('resume_tpipe', t.resume_tpipe::DOUBLE, m.resume_tpipe, m.resume_tpipe),
        ('acks', t.acks::DOUBLE, m.acks, m.acks),
        ('naks', t.naks::DOUBLE, m.naks, m.naks),
        ('ack_timeouts', t.ack_timeouts::DOUBLE, m.ack_timeouts, m.ack_timeouts),
        ('timeouts', t.timeouts::DOUBLE, m.timeouts, m.timeouts),
        ('rejected', t.rejected::DOUBLE, m.rejected, m.rejected),
        ('flood_warnings', t.flood_warnings::DOUBLE, m.flood_warnings, m.flood_warnings),
        ('flood_rejects', t.flood_rejects::DOUBLE, m.flood_rejects, m.flood_rejects),
        ('acee_creates', t.acee_creates::DOUBLE, m.acee_creates, m.acee_creates),
        ('acee_reuses', t.acee_reuses::DOUBLE, m.acee_reuses, m.acee_reuses),
        ('acee_refreshes', t.acee_refreshes::DOUBLE, m.acee_refreshes, m.acee_refreshes),
        ('credential_messages', t.credential_messages::DOUBLE, m.credential_messages, m.credential_messages),
        ('credential_bytes', t.credential_bytes::DOUBLE, m.credential_bytes, m.credential_bytes),
        ('super_member_messages', t.super_member_messages::DOUBLE, m.super_member_messages, m.super_member_messages),
        ('tpipes', t.tpipes::DOUBLE, m.tpipes, m.tpipes),
        ('tibs', t.tibs::DOUBLE, m.tibs, m.tibs),
        ('max_tibs', t.max_tibs, greatest(m.most_of_one, t.tibs), m.most_of_all)) AS v (what, found, low, high)
WHERE v.found > 0
