-- mq_interval: one row per queue manager and statistics record of types 115.1, 115.2 and 115.215. A
-- record that is twice in a run (overlapping dumps) counts once: the first record wins. The record
-- has the start of its interval in local time, its end in UTC, and its length. Systems have the
-- name that RMF records of the run give them, else their SMF id.
CREATE OR REPLACE VIEW mq_interval AS
WITH written AS (
    SELECT 1 AS subtype, file_id, record_no, system, qwhsssid, qwhsstck, qwhstime, qwhsdurn
    FROM smf115_1_qwhs
    UNION ALL
    SELECT 2 AS subtype, file_id, record_no, system, qwhsssid, qwhsstck, qwhstime, qwhsdurn
    FROM smf115_2_qwhs
    UNION ALL
    SELECT 215 AS subtype, file_id, record_no, system, qwhsssid, qwhsstck, qwhstime, qwhsdurn
    FROM smf115_215_qwhs
)
SELECT
    f.run                                        AS run, -- Measurement
    k.sysplex                                    AS sysplex, -- Sysplex name, where RMF records of the run tell it
    coalesce(k.name, w.system)                   AS system, -- System name where RMF records of the run tell it, else the SMF id
    w.qwhstime                                   AS interval_start, -- Interval start, local time of the system
    w.qwhsstck - to_microseconds(w.qwhsdurn::BIGINT) AS interval_start_utc, -- Interval start, UTC
    w.qwhsssid                                   AS queue_manager, -- Queue manager
    w.subtype                                    AS subtype, -- Subtype of the record
    w.qwhstime + to_microseconds(w.qwhsdurn::BIGINT) AS interval_end, -- Interval end, local time of the system
    w.qwhsstck                                   AS interval_end_utc, -- Interval end, UTC
    1e-6 * nullif(w.qwhsdurn, 0)                 AS interval_s, -- Length of the interval [s]
    nullif(w.qwhsdurn, 0)::DOUBLE                AS interval_us, -- Length of the interval [us]
    w.file_id                                    AS file_id, -- File of the record
    w.record_no                                  AS record_no -- Record in that file
FROM written AS w
JOIN load_file AS f ON f.file_id = w.file_id
LEFT JOIN smf_file_systems() AS k ON k.file_id = w.file_id AND k.sid = w.system
QUALIFY counts_once((f.run, w.system, w.qwhsssid, w.subtype, w.qwhsstck), (w.file_id, w.record_no));

-- mq_manager: one row per queue manager and statistics interval (115.2): calls of its programs
-- (QMST), messages and objects of the data manager (QIST), locks (QLST).
CREATE OR REPLACE VIEW mq_manager AS
SELECT
    i.* EXCLUDE (subtype, interval_end_utc, file_id, record_no), -- as mq_interval
    m.qmstopen::DOUBLE                           AS open_count, -- MQOPEN calls [requests]
    m.qmstclos::DOUBLE                           AS close_count, -- MQCLOSE calls [requests]
    m.qmstget::DOUBLE                            AS get_count, -- MQGET calls, with and without a message [requests]
    m.qmstput::DOUBLE                            AS put_count, -- MQPUT calls [requests]
    m.qmstput1::DOUBLE                           AS put1_count, -- MQPUT1 calls [requests]
    m.qmstinq::DOUBLE                            AS inquire_count, -- MQINQ calls [requests]
    m.qmstset::DOUBLE                            AS set_count, -- MQSET calls [requests]
    m.qmstcalh::DOUBLE                           AS close_all_count, -- Requests to close all handles [requests]
    m.qmstsub::DOUBLE                            AS subscribe_count, -- MQSUB calls [requests]
    m.qmstcb::DOUBLE                             AS callback_count, -- MQCB calls [requests]
    m.qmstpubs::DOUBLE                           AS publish_count, -- Publications [messages]
    (m.qmstspp + m.qmstsnp)::DOUBLE              AS message_put_count, -- Messages put, persistent or not [messages]; NULL before MQ 9
    m.qmstspp::DOUBLE                            AS persistent_put_count, -- Persistent messages put [messages]; NULL before MQ 9
    (m.qmstpbp + m.qmstnbp)::DOUBLE              AS put_bytes, -- Size of the messages put [bytes]; NULL before MQ 9
    d.qistmget::DOUBLE                           AS fetch_count, -- Messages the data manager fetched [messages]
    d.qistmput::DOUBLE                           AS store_count, -- Messages the data manager stored [messages]
    d.qistgetd::DOUBLE                           AS fetch_disk_count, -- Messages fetched from disk [messages]
    d.qistgetb::DOUBLE                           AS fetch_pool_count, -- Messages fetched from the buffer pool [messages]
    (d.qistgetd + d.qistgetb)::DOUBLE            AS fetch_known_count, -- Messages fetched of which the source is counted [messages]
    l.qlstgetl::DOUBLE                           AS lock_count, -- Locks asked for [requests]
    l.qlsthldl::DOUBLE                           AS lock_held_count -- Locks asked for by their holder [requests]
FROM mq_interval AS i
JOIN smf115_2_qmst AS m ON m.file_id = i.file_id AND m.record_no = i.record_no
LEFT JOIN smf115_2_qist AS d ON d.file_id = i.file_id AND d.record_no = i.record_no
LEFT JOIN smf115_2_qlst AS l ON l.file_id = i.file_id AND l.record_no = i.record_no
WHERE i.subtype = 2;

-- mq_buffer_pool: one row per queue manager, statistics interval and buffer pool (115.215, QPST).
CREATE OR REPLACE VIEW mq_buffer_pool AS
SELECT
    i.* EXCLUDE (subtype, interval_end_utc, file_id, record_no), -- as mq_interval
    p.qpstpool                                   AS pool, -- Buffer pool
    p.qpstnbuf::DOUBLE                           AS buffers_count, -- Buffers of the pool
    p.qpstcbsl::DOUBLE                           AS lowest_count, -- Buffers that could be stolen, least in the interval
    p.qpstcbs::DOUBLE                            AS available_count, -- Buffers that can be stolen at its end
    p.qpstgetp::DOUBLE                           AS get_count, -- Requests for a page that may have to be read [requests]
    p.qpstgetn::DOUBLE                           AS get_new_count, -- Requests for an empty page, which is never read [requests]
    p.qpstrio::DOUBLE                            AS read_count, -- Pages read from disk [pages]
    (p.qpstgetp - p.qpstrio)::DOUBLE             AS hit_count, -- Requests for a page that found it in the pool [requests]
    p.qpststw::DOUBLE                            AS change_count, -- Times a page was changed
    p.qpsttpw::DOUBLE                            AS written_pages, -- Pages written to disk [pages]
    p.qpstwio::DOUBLE                            AS write_count, -- Write I/Os [I/O]
    p.qpstimw::DOUBLE                            AS waited_pages, -- Pages written while the requester waited [pages]
    p.qpstdwt::DOUBLE                            AS async_threshold_count, -- Times the pool was 85 % in use, so that pages were written asynchronously
    p.qpstdmc::DOUBLE                            AS sync_threshold_count, -- Times the pool was 95 % in use, so that each change was written at once
    p.qpststl::DOUBLE                            AS steal_count, -- Times a buffer was stolen for a page not in the pool
    p.qpstsos::DOUBLE                            AS short_count, -- Times no buffer was to be had
    (p.qpstflag & 2147483648) <> 0               AS above_bar, -- The pool is above the bar
    (p.qpstflag & 1073741824) <> 0               AS page_fixed -- Its pages are fixed in storage
FROM mq_interval AS i
JOIN smf115_215_qpst AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
WHERE i.subtype = 215;

-- mq_log: one row per queue manager and statistics interval (115.1, QJST). Times of writes are of
-- copy 1 and copy 2 of the log, and of writes of one page (1) and of several (2).
CREATE OR REPLACE VIEW mq_log AS
SELECT
    i.* EXCLUDE (subtype, interval_end_utc, file_id, record_no), -- as mq_interval
    j.qjstwrw::DOUBLE                            AS write_wait_count, -- Log records whose writer waited [requests]
    j.qjstwrnw::DOUBLE                           AS write_nowait_count, -- Log records whose writer did not wait [requests]
    (j.qjstwrw + j.qjstwrnw)::DOUBLE             AS record_count, -- Log records written [requests]
    j.qjstwrf::DOUBLE                            AS force_count, -- Log records forced out [requests]
    j.qjstwtb::DOUBLE                            AS buffer_wait_count, -- Waits for a free log buffer
    j.qjstlsus::DOUBLE                           AS suspend_count, -- Times a task was suspended until a log write ended
    j.qjstlogw::DOUBLE                           AS write_count, -- Log write I/Os, both copies [I/O]
    j.qjstciwr::DOUBLE                           AS ci_count, -- Control intervals of 4 KB written, both copies
    j.qjstciwr / 256.0                           AS written_mb, -- Control intervals of 4 KB written, both copies [MB]
    j.qjstserw::DOUBLE                           AS serial_count, -- Log writes made one copy after the other
    j.qjstthrw::DOUBLE                           AS threshold_count, -- Log writes begun as the buffers reached their threshold
    j.qjstbffl::DOUBLE                           AS filled_count, -- Control intervals made for the active log
    j.qjstllcp::DOUBLE                           AS checkpoint_count, -- Checkpoints
    j.qjstrbuf::DOUBLE                           AS read_buffer_count, -- Log reads served by the output buffers [requests]
    j.qjstract::DOUBLE                           AS read_active_count, -- Log reads served by an active log [requests]
    j.qjstrarh::DOUBLE                           AS read_archive_count, -- Log reads served by an archive log [requests]
    (j.qjstiocount_1_1 + j.qjstiocount_1_2)::DOUBLE AS copy1_count, -- Writes of copy 1 [I/O]; NULL before MQ 8
    (j.qjstiocount_2_1 + j.qjstiocount_2_2)::DOUBLE AS copy2_count, -- Writes of copy 2 [I/O]; NULL before MQ 8
    (j.qjstiototio_1_1 + j.qjstiototio_1_2) / 4096.0 AS copy1_us, -- Time of the writes of copy 1 [us]
    (j.qjstiototio_2_1 + j.qjstiototio_2_2) / 4096.0 AS copy2_us, -- Time of the writes of copy 2 [us]
    greatest(j.qjstiomaxio_1_1, j.qjstiomaxio_1_2) / 4096.0 AS copy1_max_us, -- Longest write of copy 1 [us]
    greatest(j.qjstiomaxio_2_1, j.qjstiomaxio_2_2) / 4096.0 AS copy2_max_us, -- Longest write of copy 2 [us]
    i.interval_us - j.qjstslptu                  AS busy_us, -- Time the log writer had something to do [us]; NULL before MQ 8
    j.qjstcmpuncmp::DOUBLE                       AS compress_in_bytes, -- Compression: bytes before [bytes]
    j.qjstcmpcomp::DOUBLE                        AS compress_out_bytes -- Compression: bytes after [bytes]
FROM mq_interval AS i
JOIN smf115_1_qjst AS j ON j.file_id = i.file_id AND j.record_no = i.record_no
WHERE i.subtype = 1;

-- mq_thread: one row per record of type 116.1: what a thread (a job, a CICS transaction, a channel)
-- did in its interval. A record that is twice in a run counts once.
CREATE OR REPLACE VIEW mq_thread AS
WITH queues AS (
    SELECT
        file_id, record_no,
        sum(openct + closect + getct + putct + put1ct + inqct + setct) AS queues_cpu
    FROM smf116_1_wq
    GROUP BY file_id, record_no
)
SELECT
    f.run                                        AS run, -- Measurement
    k.sysplex                                    AS sysplex, -- Sysplex name, where RMF records of the run tell it
    coalesce(k.name, h.system)                   AS system, -- System name where RMF records of the run tell it, else the SMF id
    t.wtasints + to_minutes((15 * round(epoch(h.sm116dte + h.sm116tme - q.qwhsstck) / 900))::BIGINT)
                                                 AS interval_start, -- Start of the thread's interval, local time: UTC and the difference of the record's two clocks, to 15 minutes
    t.wtasints                                   AS interval_start_utc, -- Start of the thread's interval, UTC
    h.sm116ssi                                   AS queue_manager, -- Queue manager
    t.wtasinte                                   AS interval_end_utc, -- End of the thread's interval, UTC
    epoch(t.wtasinte - t.wtasints)               AS interval_s, -- Length of the thread's interval [s]
    1e6 * epoch(t.wtasinte - t.wtasints)         AS interval_us, -- Length of the thread's interval [us]
    h.file_id                                    AS file_id, -- File of the record
    h.record_no                                  AS record_no, -- Record in that file
    w.wtidccn                                    AS connection, -- Connection name: the job, the CICS region, the IMS, the channel initiator
    CASE w.wtidatyp
        WHEN 1 THEN 'CICS' WHEN 2 THEN 'BATCH' WHEN 3 THEN 'IMS CTL' WHEN 4 THEN 'IMS REG'
        WHEN 5 THEN 'COMMAND' WHEN 6 THEN 'CHIN' WHEN 7 THEN 'RRS' WHEN 8 THEN 'IGQ'
    END                                          AS connection_type, -- Who is connected: CICS, BATCH (or TSO), IMS CTL, IMS REG (a dependent region), COMMAND, CHIN (channel initiator), RRS, IGQ (intra-group queuing)
    w.wtidopid                                   AS user_id, -- User the work runs for
    nullif(w.wtidchl, '')                        AS channel, -- Channel, where the work came by one
    t.wtasstrt                                   AS started_utc, -- Start of the thread, UTC
    (t.wtasflag & 536870912) <> 0                AS ended, -- The thread has ended
    t.wtaswqct::DOUBLE                           AS queues_count, -- Queues the thread used
    t.wtascmn::DOUBLE                            AS commit_count, -- Commits [requests]
    t.wtascmet / 4096.0                          AS commit_us, -- Elapsed time of commits [us]
    t.wtascmct / 4096.0                          AS commit_cpu_us, -- CPU time of commits [us]
    t.wtasban::DOUBLE                            AS backout_count, -- Backouts [requests]
    t.wtasbact / 4096.0                          AS backout_cpu_us, -- CPU time of backouts [us]
    t.wtasprn::DOUBLE                            AS prepare_count, -- Prepares [requests]
    t.wtaspret / 4096.0                          AS prepare_us, -- Elapsed time of prepares [us]
    t.wtasprct / 4096.0                          AS prepare_cpu_us, -- CPU time of prepares [us]
    (t.wtasotct + t.wtascmct + t.wtasbact + t.wtasprct + coalesce(c.queues_cpu, 0)) / 4096.0
                                                 AS cpu_us, -- CPU time of all calls: commits, backouts, prepares, other calls, and those for its queues [us]
    t.wtasotn::DOUBLE                            AS other_count, -- Other calls [requests]
    t.wtasotct / 4096.0                          AS other_cpu_us, -- CPU time of other calls [us]
    t.wtasjwn::DOUBLE                            AS log_write_count, -- Log writes [requests]
    t.wtasjwb::DOUBLE                            AS log_bytes, -- Bytes logged [bytes]
    t.wtasjcn::DOUBLE                            AS log_force_count, -- Log forces [requests]
    t.wtasjcet / 4096.0                          AS log_force_us, -- Time of log forces [us]
    t.wtassusn::DOUBLE                           AS suspend_count, -- Suspends
    t.wtassuse / 4096.0                          AS suspend_us, -- Time suspended [us]
    list_sum(t.wtaslwet) / 4096.0                AS latch_us, -- Time of latch waits, all classes [us]
    list_sum(t.wtaslwn)::DOUBLE                  AS latch_count, -- Latch waits, all classes
    t.wtasgpo::DOUBLE                            AS page_count, -- Pages asked for that exist [requests]
    t.wtasgpn::DOUBLE                            AS new_page_count -- New pages asked for [requests]
FROM smf116_1_wtas AS t
JOIN smf116_1_header AS h ON h.file_id = t.file_id AND h.record_no = t.record_no
JOIN smf116_1_qwhs AS q ON q.file_id = t.file_id AND q.record_no = t.record_no
JOIN load_file AS f ON f.file_id = t.file_id
LEFT JOIN smf116_1_wtid AS w ON w.file_id = t.file_id AND w.record_no = t.record_no
LEFT JOIN queues AS c ON c.file_id = t.file_id AND c.record_no = t.record_no
LEFT JOIN smf_file_systems() AS k ON k.file_id = t.file_id AND k.sid = h.system
QUALIFY counts_once(
    (f.run, h.system, h.sm116ssi, q.qwhsstck, q.qwhswseq, t.section_no), (t.file_id, t.record_no)
);

-- mq_thread_queue: one row per queue that a thread used in its interval (WQST of 116.1).
CREATE OR REPLACE VIEW mq_thread_queue AS
SELECT
    t.run                                        AS run, -- Measurement
    t.sysplex                                    AS sysplex, -- Sysplex name, where RMF records of the run tell it
    t.system                                     AS system, -- System name where RMF records of the run tell it, else the SMF id
    t.interval_start                             AS interval_start, -- Start of the thread's interval, local time
    t.interval_start_utc                         AS interval_start_utc, -- Start of the thread's interval, UTC
    t.queue_manager                              AS queue_manager, -- Queue manager
    t.file_id                                    AS file_id, -- File of the record
    t.record_no                                  AS record_no, -- Record in that file
    t.connection                                 AS connection, -- Connection name: the job, the CICS region, the IMS, the channel initiator
    t.connection_type                            AS connection_type, -- Who is connected
    q.section_no                                 AS queue_no, -- Number of the queue in the record
    q.objname                                    AS queue, -- Name the queue was opened by
    q.basename                                   AS base_queue, -- Queue the name led to
    q.nps                                        AS page_set, -- Page set
    q.nbuffpool                                  AS pool, -- Buffer pool
    nullif(q.cfstrucname, '')                    AS structure, -- Coupling facility structure of a shared queue
    q.openn::DOUBLE                              AS open_count, -- MQOPEN calls [requests]
    q.openet / 4096.0                            AS open_us, -- Elapsed time of MQOPEN [us]
    q.getn::DOUBLE                               AS get_count, -- MQGET calls [requests]
    q.getet / 4096.0                             AS get_us, -- Elapsed time of MQGET [us]
    q.validget::DOUBLE                           AS got_count, -- Gets that gave a message [messages]
    q.getbytes::DOUBLE                           AS got_bytes, -- Size of the messages got [bytes]
    q.getpsn::DOUBLE                             AS get_read_count, -- Page set reads of MQGET [requests]
    q.getpset / 4096.0                           AS get_read_us, -- Time of page set reads of MQGET [us]
    q.getsuset / 4096.0                          AS get_suspend_us, -- Time MQGET was suspended [us]
    q.getsmsg::DOUBLE                            AS skip_count, -- Messages MQGET skipped [messages]
    (q.putn + q.put1n)::DOUBLE                   AS put_count, -- MQPUT and MQPUT1 calls [requests]
    (q.putet + q.put1et) / 4096.0                AS put_us, -- Elapsed time of MQPUT and MQPUT1 [us]
    q.validput::DOUBLE                           AS put_good_count, -- Puts that succeeded [messages]
    q.putbytes::DOUBLE                           AS put_bytes, -- Size of the messages put [bytes]
    (q.putjwet + q.put1jwet + q.getjwet) / 4096.0 AS log_us, -- Time of log writes of puts and gets [us]
    (q.openct + q.closect + q.getct + q.putct + q.put1ct + q.inqct + q.setct) / 4096.0
                                                 AS cpu_us, -- CPU time of all calls for the queue [us]
    (q.openn + q.closen + q.getn + q.putn + q.put1n + q.inqn + q.setn)::DOUBLE AS call_count, -- Calls for the queue [requests]
    q.totlatnt / 4096.0                          AS on_queue_us, -- Time the messages got had been on the queue, sum [us]
    q.maxlatnt / 4096.0                          AS on_queue_max_us, -- Longest time a message got had been on the queue [us]
    q.maxqdpth::DOUBLE                           AS depth_max_count -- Most messages on the queue [messages]
FROM mq_thread AS t
JOIN smf116_1_wq AS q ON q.file_id = t.file_id AND q.record_no = t.record_no;

-- mq_queue: one row per queue manager, queue and hour: the threads whose interval began in it.
CREATE OR REPLACE VIEW mq_queue AS
SELECT
    run                                          AS run, -- Measurement
    sysplex                                      AS sysplex, -- Sysplex name, where RMF records of the run tell it
    system                                       AS system, -- System name where RMF records of the run tell it, else the SMF id
    date_trunc('hour', interval_start)           AS interval_start, -- Hour in which the intervals of the threads began, local time
    date_trunc('hour', interval_start) - (interval_start - interval_start_utc)
                                                 AS interval_start_utc, -- The same hour, UTC
    queue_manager                                AS queue_manager, -- Queue manager
    3600.0                                       AS interval_s, -- Length of the hour [s]
    queue                                        AS queue, -- Name the queue was opened by
    base_queue                                   AS base_queue, -- Queue the name led to
    min(page_set)                                AS page_set, -- Page set, the lowest if there are several
    min(pool)                                    AS pool, -- Buffer pool, the lowest if there are several
    min(structure)                               AS structure, -- Coupling facility structure of a shared queue
    sum(call_count)                              AS call_count, -- Calls for the queue [requests]
    sum(cpu_us)                                  AS cpu_us, -- CPU time of all calls for the queue [us]
    sum(put_count)                               AS put_count, -- MQPUT and MQPUT1 calls [requests]
    sum(put_us)                                  AS put_us, -- Elapsed time of MQPUT and MQPUT1 [us]
    sum(put_good_count)                          AS put_good_count, -- Puts that succeeded [messages]
    sum(put_bytes)                               AS put_bytes, -- Size of the messages put [bytes]
    sum(get_count)                               AS get_count, -- MQGET calls [requests]
    sum(get_us)                                  AS get_us, -- Elapsed time of MQGET [us]
    sum(got_count)                               AS got_count, -- Gets that gave a message [messages]
    sum(got_bytes)                               AS got_bytes, -- Size of the messages got [bytes]
    sum(get_read_count)                          AS get_read_count, -- Page set reads of MQGET [requests]
    sum(skip_count)                              AS skip_count, -- Messages MQGET skipped [messages]
    sum(on_queue_us)                             AS on_queue_us, -- Time the messages got had been on the queue, sum [us]
    max(on_queue_max_us)                         AS on_queue_max_us, -- Longest time a message got had been on the queue [us]
    max(depth_max_count)                         AS depth_max_count -- Most messages on the queue [messages]
FROM mq_thread_queue
GROUP BY run, sysplex, system, queue_manager, date_trunc('hour', interval_start),
    date_trunc('hour', interval_start) - (interval_start - interval_start_utc), queue, base_queue;
