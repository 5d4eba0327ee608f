/* imsperf check
title = "OTMA counts for its members what it counts in all"
unit = "messages or bytes"
source = "IMS log 451A against 451B: messages, bytes, commit modes, callouts; exact"
views = ["ims_451a", "ims_451b_member"]
*/
WITH member AS MATERIALIZED (
    SELECT m.file_id, b.ckpt_no, sum(m.messages_in) AS messages_in, sum(m.messages_out) AS messages_out, sum(m.bytes_in) AS bytes_in, sum(m.bytes_out) AS bytes_out, sum(m.send_then_commit) AS send_then_commit, sum(m.commit_then_send) AS commit_then_send, sum(m.sync_callouts) AS sync_callouts, sum(m.sync_responses) AS sync_responses
    FROM ims_451b_member AS m
    JOIN ims_451b AS b ON b.file_id = m.file_id AND b.record_no = m.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, t.imsid || ' ' || t.ckpt_no || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.members AS low, v.members AS high
FROM ims_451a AS t
JOIN member AS m ON m.file_id = t.file_id AND m.ckpt_no = t.ckpt_no
JOIN load_file AS f ON f.file_id = t.file_id,
    LATERAL (VALUES
        ('messages_in', t.messages_in::DOUBLE, m.messages_in::DOUBLE), ('messages_out', t.messages_out::DOUBLE, m.messages_out::DOUBLE), ('bytes_in', t.bytes_in::DOUBLE, m.bytes_in::DOUBLE), ('bytes_out', t.bytes_out::DOUBLE, m.bytes_out::DOUBLE), ('send_then_commit', t.send_then_commit::DOUBLE, m.send_then_commit::DOUBLE), ('commit_then_send', t.commit_then_send::DOUBLE, m.commit_then_send::DOUBLE), ('sync_callouts', t.sync_callouts::DOUBLE, m.sync_callouts::DOUBLE), ('sync_responses', t.sync_responses::DOUBLE, m.sync_responses::DOUBLE)) AS v (what, found, members)
WHERE v.found > 0
