-- ims_otma: one row per IMS, pair of statistics sets and what OTMA serves: the whole system (451A),
-- a client (451B), a TPIPE (A101), and synchronous callouts by transaction (A102).
CREATE OR REPLACE VIEW ims_otma AS
WITH whole AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'SYSTEM' AS kind,
        ('', '') AS entry_key,
        CAST([
            r.messages_in, r.bytes_in, r.messages_out, r.bytes_out, r.send_then_commit,
            r.commit_then_send, r.send_only, r.sync_callouts, r.sync_responses,
            r.sync_timeouts, r.sync_errors, r.async_callouts, r.resume_tpipe, r.acks, r.naks,
            r.ack_timeouts, r.timeouts, r.rejected, r.flood_warnings, r.flood_rejects,
            r.acee_creates, r.acee_reuses, r.acee_refreshes, r.credential_messages,
            r.credential_bytes, r.super_member_messages
        ] AS HUGEINT[]) AS counters,
        r.messages_in, r.bytes_in, r.messages_out, r.bytes_out, r.send_then_commit,
        r.commit_then_send, r.send_only, r.sync_callouts, r.sync_responses, r.sync_timeouts,
        r.sync_errors, r.async_callouts, r.resume_tpipe, r.acks, r.naks, r.ack_timeouts,
        r.timeouts, r.rejected, r.flood_warnings, r.flood_rejects, r.acee_creates,
        r.acee_reuses, r.acee_refreshes, r.credential_messages, r.credential_bytes,
        r.super_member_messages, r.members, r.max_members, r.tpipes, r.max_tpipes, r.tibs,
        r.max_tibs, r.tib_limit, r.file_id, r.record_no
    FROM ims_records_once('ims_451a') AS r
),
client AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'MEMBER' AS kind, e.member, e.super_member, e.member_type, e.state,
        (e.member, '') AS entry_key,
        CAST([
            e.messages_in, e.bytes_in, e.messages_out, e.bytes_out, e.send_then_commit,
            e.commit_then_send, e.send_only, e.sync_callouts, e.sync_responses,
            e.sync_timeouts, e.sync_errors, e.async_callouts, e.resume_tpipe, e.acks, e.naks,
            e.ack_timeouts, e.timeouts, e.rejected, e.flood_warnings, e.flood_rejects,
            e.acee_creates, e.acee_reuses, e.acee_refreshes, e.credential_messages,
            e.credential_bytes, e.super_member_messages
        ] AS HUGEINT[]) AS counters,
        e.messages_in, e.bytes_in, e.messages_out, e.bytes_out, e.send_then_commit,
        e.commit_then_send, e.send_only, e.sync_callouts, e.sync_responses, e.sync_timeouts,
        e.sync_errors, e.async_callouts, e.resume_tpipe, e.acks, e.naks, e.ack_timeouts,
        e.timeouts, e.rejected, e.flood_warnings, e.flood_rejects, e.acee_creates,
        e.acee_reuses, e.acee_refreshes, e.credential_messages, e.credential_bytes,
        e.super_member_messages, e.tpipes, e.max_tpipes, e.tibs, e.max_tibs, e.tib_limit,
        e.input_queue_max, r.file_id, r.record_no
    FROM ims_records_once('ims_451b') AS r
    JOIN ims_451b_member AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
tpipe AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'TPIPE' AS kind, e.member, e.tpipe, e.state,
        (e.member, e.tpipe) AS entry_key,
        CAST([
            e.messages_in, e.messages_out, e.bytes_in, e.bytes_out, e.sync_callouts,
            e.sync_responses, e.sync_timeouts, e.callout_us, e.queue_us, e.resume_tpipe,
            e.acks, e.naks
        ] AS HUGEINT[]) AS counters,
        e.messages_in, e.messages_out, e.bytes_in, e.bytes_out, e.sync_callouts,
        e.sync_responses, e.sync_timeouts, e.callout_us, e.queue_us, e.resume_tpipe, e.acks,
        e.naks, e.queue, e.queue_max, e.resume_active, e.resume_active_max, e.parallel_limit,
        r.file_id, r.record_no
    FROM ims_records_once('ims_a101') AS r
    JOIN ims_a101_tpipe AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
ical AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'ICAL' AS kind, e.member, e.tpipe, e.tran, e.psb, e.destination,
        (e.member, (e.tpipe, e.tran, e.psb, e.destination)) AS entry_key,
        CAST([
            e.icals, e.responses, e.timeouts, e.errors, e.request_bytes, e.response_bytes,
            e.credential_bytes, e.elapsed_us, e.queue_us
        ] AS HUGEINT[]) AS counters,
        e.icals AS sync_callouts, e.responses AS sync_responses, e.timeouts AS sync_timeouts,
        e.errors AS sync_errors, e.request_bytes AS bytes_out, e.response_bytes AS bytes_in,
        e.credential_bytes, e.elapsed_us AS callout_us, e.queue_us,
        e.max_elapsed_us AS max_callout_us, e.in_flight_max, e.time_limit_cs, r.file_id,
        r.record_no
    FROM ims_records_once('ims_a102') AS r
    JOIN ims_a102_ical AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
whole_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.members, p.now.max_members, p.now.tpipes,
        p.now.max_tpipes, p.now.tibs, p.now.max_tibs, p.now.tib_limit, p.now.file_id,
        p.now.record_no,
        ims_since(p.now.messages_in, p.before.messages_in, p.restarted) AS messages_in,
        ims_since(p.now.bytes_in, p.before.bytes_in, p.restarted) AS bytes_in,
        ims_since(p.now.messages_out, p.before.messages_out, p.restarted) AS messages_out,
        ims_since(p.now.bytes_out, p.before.bytes_out, p.restarted) AS bytes_out,
        ims_since(p.now.send_then_commit, p.before.send_then_commit, p.restarted)
            AS send_then_commit,
        ims_since(p.now.commit_then_send, p.before.commit_then_send, p.restarted)
            AS commit_then_send,
        ims_since(p.now.send_only, p.before.send_only, p.restarted) AS send_only,
        ims_since(p.now.sync_callouts, p.before.sync_callouts, p.restarted) AS sync_callouts,
        ims_since(p.now.sync_responses, p.before.sync_responses, p.restarted) AS sync_responses,
        ims_since(p.now.sync_timeouts, p.before.sync_timeouts, p.restarted) AS sync_timeouts,
        ims_since(p.now.sync_errors, p.before.sync_errors, p.restarted) AS sync_errors,
        ims_since(p.now.async_callouts, p.before.async_callouts, p.restarted) AS async_callouts,
        ims_since(p.now.resume_tpipe, p.before.resume_tpipe, p.restarted) AS resume_tpipe,
        ims_since(p.now.acks, p.before.acks, p.restarted) AS acks,
        ims_since(p.now.naks, p.before.naks, p.restarted) AS naks,
        ims_since(p.now.ack_timeouts, p.before.ack_timeouts, p.restarted) AS ack_timeouts,
        ims_since(p.now.timeouts, p.before.timeouts, p.restarted) AS timeouts,
        ims_since(p.now.rejected, p.before.rejected, p.restarted) AS rejected,
        ims_since(p.now.flood_warnings, p.before.flood_warnings, p.restarted) AS flood_warnings,
        ims_since(p.now.flood_rejects, p.before.flood_rejects, p.restarted) AS flood_rejects,
        ims_since(p.now.acee_creates, p.before.acee_creates, p.restarted) AS acee_creates,
        ims_since(p.now.acee_reuses, p.before.acee_reuses, p.restarted) AS acee_reuses,
        ims_since(p.now.acee_refreshes, p.before.acee_refreshes, p.restarted) AS acee_refreshes,
        ims_since(p.now.credential_messages, p.before.credential_messages, p.restarted)
            AS credential_messages,
        ims_since(p.now.credential_bytes, p.before.credential_bytes, p.restarted)
            AS credential_bytes,
        ims_since(p.now.super_member_messages, p.before.super_member_messages, p.restarted)
            AS super_member_messages
    FROM ims_entry_pairs('ims_451a', 'whole') AS p
),
client_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.member, p.now.super_member, p.now.member_type,
        p.now.state, p.now.tpipes, p.now.max_tpipes, p.now.tibs, p.now.max_tibs,
        p.now.tib_limit, p.now.input_queue_max, p.now.file_id, p.now.record_no,
        ims_since(p.now.messages_in, p.before.messages_in, p.restarted) AS messages_in,
        ims_since(p.now.bytes_in, p.before.bytes_in, p.restarted) AS bytes_in,
        ims_since(p.now.messages_out, p.before.messages_out, p.restarted) AS messages_out,
        ims_since(p.now.bytes_out, p.before.bytes_out, p.restarted) AS bytes_out,
        ims_since(p.now.send_then_commit, p.before.send_then_commit, p.restarted)
            AS send_then_commit,
        ims_since(p.now.commit_then_send, p.before.commit_then_send, p.restarted)
            AS commit_then_send,
        ims_since(p.now.send_only, p.before.send_only, p.restarted) AS send_only,
        ims_since(p.now.sync_callouts, p.before.sync_callouts, p.restarted) AS sync_callouts,
        ims_since(p.now.sync_responses, p.before.sync_responses, p.restarted) AS sync_responses,
        ims_since(p.now.sync_timeouts, p.before.sync_timeouts, p.restarted) AS sync_timeouts,
        ims_since(p.now.sync_errors, p.before.sync_errors, p.restarted) AS sync_errors,
        ims_since(p.now.async_callouts, p.before.async_callouts, p.restarted) AS async_callouts,
        ims_since(p.now.resume_tpipe, p.before.resume_tpipe, p.restarted) AS resume_tpipe,
        ims_since(p.now.acks, p.before.acks, p.restarted) AS acks,
        ims_since(p.now.naks, p.before.naks, p.restarted) AS naks,
        ims_since(p.now.ack_timeouts, p.before.ack_timeouts, p.restarted) AS ack_timeouts,
        ims_since(p.now.timeouts, p.before.timeouts, p.restarted) AS timeouts,
        ims_since(p.now.rejected, p.before.rejected, p.restarted) AS rejected,
        ims_since(p.now.flood_warnings, p.before.flood_warnings, p.restarted) AS flood_warnings,
        ims_since(p.now.flood_rejects, p.before.flood_rejects, p.restarted) AS flood_rejects,
        ims_since(p.now.acee_creates, p.before.acee_creates, p.restarted) AS acee_creates,
        ims_since(p.now.acee_reuses, p.before.acee_reuses, p.restarted) AS acee_reuses,
        ims_since(p.now.acee_refreshes, p.before.acee_refreshes, p.restarted) AS acee_refreshes,
        ims_since(p.now.credential_messages, p.before.credential_messages, p.restarted)
            AS credential_messages,
        ims_since(p.now.credential_bytes, p.before.credential_bytes, p.restarted)
            AS credential_bytes,
        ims_since(p.now.super_member_messages, p.before.super_member_messages, p.restarted)
            AS super_member_messages
    FROM ims_entry_pairs('ims_451b', 'client') AS p
),
tpipe_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.member, p.now.tpipe, p.now.state, p.now.queue,
        p.now.queue_max, p.now.resume_active, p.now.resume_active_max, p.now.parallel_limit,
        p.now.file_id, p.now.record_no,
        ims_since(p.now.messages_in, p.before.messages_in, p.restarted) AS messages_in,
        ims_since(p.now.messages_out, p.before.messages_out, p.restarted) AS messages_out,
        ims_since(p.now.bytes_in, p.before.bytes_in, p.restarted) AS bytes_in,
        ims_since(p.now.bytes_out, p.before.bytes_out, p.restarted) AS bytes_out,
        ims_since(p.now.sync_callouts, p.before.sync_callouts, p.restarted) AS sync_callouts,
        ims_since(p.now.sync_responses, p.before.sync_responses, p.restarted) AS sync_responses,
        ims_since(p.now.sync_timeouts, p.before.sync_timeouts, p.restarted) AS sync_timeouts,
        ims_since(p.now.callout_us, p.before.callout_us, p.restarted) AS callout_us,
        ims_since(p.now.queue_us, p.before.queue_us, p.restarted) AS queue_us,
        ims_since(p.now.resume_tpipe, p.before.resume_tpipe, p.restarted) AS resume_tpipe,
        ims_since(p.now.acks, p.before.acks, p.restarted) AS acks,
        ims_since(p.now.naks, p.before.naks, p.restarted) AS naks
    FROM ims_entry_pairs('ims_a101', 'tpipe') AS p
),
ical_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.member, p.now.tpipe, p.now.tran, p.now.psb,
        p.now.destination, p.now.max_callout_us, p.now.in_flight_max, p.now.time_limit_cs,
        p.now.file_id, p.now.record_no,
        ims_since(p.now.sync_callouts, p.before.sync_callouts, p.restarted) AS sync_callouts,
        ims_since(p.now.sync_responses, p.before.sync_responses, p.restarted) AS sync_responses,
        ims_since(p.now.sync_timeouts, p.before.sync_timeouts, p.restarted) AS sync_timeouts,
        ims_since(p.now.sync_errors, p.before.sync_errors, p.restarted) AS sync_errors,
        ims_since(p.now.bytes_out, p.before.bytes_out, p.restarted) AS bytes_out,
        ims_since(p.now.bytes_in, p.before.bytes_in, p.restarted) AS bytes_in,
        ims_since(p.now.credential_bytes, p.before.credential_bytes, p.restarted)
            AS credential_bytes,
        ims_since(p.now.callout_us, p.before.callout_us, p.restarted) AS callout_us,
        ims_since(p.now.queue_us, p.before.queue_us, p.restarted) AS queue_us
    FROM ims_entry_pairs('ims_a102', 'ical') AS p
),
gain AS (
    SELECT * FROM whole_gain
    UNION ALL BY NAME SELECT * FROM client_gain
    UNION ALL BY NAME SELECT * FROM tpipe_gain
    UNION ALL BY NAME SELECT * FROM ical_gain
)
SELECT
    g.s.run                                                  AS run, -- Measurement
    g.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    g.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    g.s.counted_from + g.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    g.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(g.s.sample - g.s.counted_from)                     AS interval_s, -- Counted time [s]
    g.restarted                                              AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    g.s.ims                                                  AS ims, -- IMS id
    g.s.ckpt_no                                              AS ckpt_no, -- Checkpoint of the later set
    g.s.sample                                               AS sample_utc, -- Time of the later set, UTC
    g.kind                                                   AS kind, -- SYSTEM, MEMBER (a client), TPIPE, or ICAL: synchronous callouts of a transaction
    g.member                                                 AS member, -- OTMA client
    g.super_member                                           AS super_member, -- Super member of the client; blank if none
    g.member_type                                            AS member_type, -- I IMS Connect, M MQ, O other client, T IMS-to-IMS
    g.state                                                  AS state, -- Client: A active, I inactive, F flooded, W warned; TPIPE: A active, S stopped, W waiting for an acknowledgement
    g.tpipe                                                  AS tpipe, -- TPIPE
    g.tran                                                   AS tran, -- Transaction code of the callouts; blank where there is none
    g.psb                                                    AS psb, -- PSB of the program
    g.destination                                            AS destination, -- OTMA destination descriptor
    g.messages_in                                            AS messages_in, -- Messages received [messages]
    g.bytes_in                                               AS bytes_in, -- Bytes of messages or answers received [bytes]
    g.messages_out                                           AS messages_out, -- Messages sent [messages]
    g.bytes_out                                              AS bytes_out, -- Bytes of messages or requests sent [bytes]
    g.send_then_commit                                       AS send_then_commit, -- Input messages in commit mode 1 [messages]
    g.commit_then_send                                       AS commit_then_send, -- Input messages in commit mode 0 [messages]
    g.send_only                                              AS send_only, -- Input messages that want no answer [messages]
    g.sync_callouts                                          AS sync_callouts, -- ICAL calls sent out [calls]
    g.sync_responses                                         AS sync_responses, -- ICAL calls answered [calls]
    g.sync_timeouts                                          AS sync_timeouts, -- ICAL calls that ran into their time limit [calls]
    g.sync_errors                                            AS sync_errors, -- ICAL calls ended by another error [calls]
    g.async_callouts                                         AS async_callouts, -- Asynchronous callout messages sent [messages]
    g.resume_tpipe                                           AS resume_tpipe, -- Resume TPIPE requests received [requests]
    g.acks                                                   AS acks, -- Acknowledgements received
    g.naks                                                   AS naks, -- Negative acknowledgements received
    g.ack_timeouts                                           AS ack_timeouts, -- Acknowledgements that did not come in time
    g.timeouts                                               AS timeouts, -- Transactions ended because they took too long [transactions]
    g.rejected                                               AS rejected, -- Input messages rejected [messages]
    g.flood_warnings                                         AS flood_warnings, -- Times the limit of waiting messages was near
    g.flood_rejects                                          AS flood_rejects, -- Input messages refused because the limit was reached [messages]
    g.acee_creates                                           AS acee_creates, -- Security environments built
    g.acee_reuses                                            AS acee_reuses, -- Security environments found in the cache
    g.acee_refreshes                                         AS acee_refreshes, -- Security environments built anew because of age
    g.credential_messages                                    AS credential_messages, -- Messages that carried a network security credential [messages]
    g.credential_bytes                                       AS credential_bytes, -- Bytes of network security credentials [bytes]
    g.super_member_messages                                  AS super_member_messages, -- Output routed by a super member [messages]
    g.callout_us                                             AS callout_us, -- Time from ICAL to answer [us]
    g.queue_us                                               AS queue_us, -- Part of it spent waiting for a resume TPIPE request [us]
    g.members                                                AS members, -- OTMA clients connected at the end [clients]
    g.max_members                                            AS max_members, -- Most clients since IMS start [clients]
    g.tpipes                                                 AS tpipes, -- TPIPEs at the end
    g.max_tpipes                                             AS max_tpipes, -- Most TPIPEs since IMS start
    g.tibs                                                   AS tibs, -- Input messages being processed at the end [messages]
    g.max_tibs                                               AS max_tibs, -- Most input messages being processed since IMS start [messages]
    g.tib_limit                                              AS tib_limit, -- Limit for them [messages]
    g.input_queue_max                                        AS input_queue_max, -- Longest queue of input from the client since IMS start [messages]
    g.queue                                                  AS queue, -- Output messages waiting at the end [messages]
    g.queue_max                                              AS queue_max, -- Most output messages waiting since IMS start [messages]
    g.resume_active                                          AS resume_active, -- Resume TPIPE requests open at the end [requests]
    g.resume_active_max                                      AS resume_active_max, -- Most resume TPIPE requests open since IMS start [requests]
    g.parallel_limit                                         AS parallel_limit, -- Resume TPIPE requests served at once [requests]
    g.max_callout_us                                         AS max_callout_us, -- Longest callout since IMS start [us]
    g.in_flight_max                                          AS in_flight_max, -- Most callouts open at once [calls]
    0.01 * g.time_limit_cs                                   AS time_limit_s, -- Time limit of callouts [s]
    g.file_id                                                AS file_id, -- File of the later record
    g.record_no                                              AS record_no -- Later record in that file
FROM gain AS g;
