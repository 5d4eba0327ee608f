-- ims_external_subsystem: one row per IMS, pair of statistics sets and external subsystem (A107).
CREATE OR REPLACE VIEW ims_external_subsystem AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        (e.subsystem, e.subsystem_type) AS entry_key,
        CAST([
            e.connects, e.disconnects, e.signons, e.thread_creates, e.thread_reuses,
            e.thread_terminates, e.commands, e.calls, e.calls_us, e.prepares, e.commits, e.aborts,
            e.failures
        ] AS HUGEINT[]) AS counters,
        e.subsystem, e.subsystem_type, e.pooled, e.state, e.connections, e.threads, e.max_threads,
        e.indoubts, e.storage_bytes, e.connects, e.disconnects, e.signons, e.thread_creates,
        e.thread_reuses, e.thread_terminates, e.commands, e.calls, e.calls_us, e.prepares,
        e.commits, e.aborts, e.failures, r.file_id, r.record_no
    FROM ims_records_once('ims_a107') AS r
    JOIN ims_a107_subsystem AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
)
SELECT
    p.now.run                                                AS run, -- Measurement
    p.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    p.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    p.s.counted_from + p.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    p.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s, -- Counted time [s]
    p.restarted                                              AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    p.now.ims                                                AS ims, -- IMS id
    p.now.ckpt_no                                            AS ckpt_no, -- Checkpoint of the later set
    p.now.sample                                             AS sample_utc, -- Time of the later set, UTC
    p.now.subsystem                                          AS subsystem, -- Name of the external subsystem
    p.now.subsystem_type                                     AS subsystem_type, -- DB2, MQ, WAS or other
    p.now.pooled                                             AS pooled, -- Y: threads are kept to be used again
    p.now.state                                              AS state, -- C connected, S stopped, F failed; at the end
    p.now.connections                                        AS connections, -- Regions connected at the end [regions]
    p.now.threads                                            AS threads, -- Threads at the end [threads]
    p.now.max_threads                                        AS max_threads, -- Most threads since IMS start [threads]
    p.now.indoubts                                           AS indoubts, -- Units in doubt at the end [units]
    p.now.storage_bytes                                      AS storage_bytes, -- Common storage held by its threads at the end [bytes]
    ims_since(p.now.connects, p.before.connects, p.restarted) AS connects, -- Connections made
    ims_since(p.now.disconnects, p.before.disconnects, p.restarted) AS disconnects, -- Connections ended
    ims_since(p.now.signons, p.before.signons, p.restarted)  AS signons, -- Sign-ons
    ims_since(p.now.thread_creates, p.before.thread_creates, p.restarted) AS thread_creates, -- Threads created [threads]
    ims_since(p.now.thread_reuses, p.before.thread_reuses, p.restarted) AS thread_reuses, -- Times a thread was used again [threads]
    ims_since(p.now.thread_terminates, p.before.thread_terminates, p.restarted)
                                                             AS thread_terminates, -- Threads terminated [threads]
    ims_since(p.now.commands, p.before.commands, p.restarted) AS commands, -- Commands passed on [commands]
    ims_since(p.now.calls, p.before.calls, p.restarted)      AS calls, -- Calls to the subsystem [calls]
    ims_since(p.now.calls_us, p.before.calls_us, p.restarted) AS calls_us, -- Time of these calls inside the subsystem [us]
    ims_since(p.now.prepares, p.before.prepares, p.restarted) AS prepares, -- Prepares, commit phase 1
    ims_since(p.now.commits, p.before.commits, p.restarted)  AS commits, -- Commits, phase 2
    ims_since(p.now.aborts, p.before.aborts, p.restarted)    AS aborts, -- Aborts
    ims_since(p.now.failures, p.before.failures, p.restarted) AS failures, -- Requests that failed [requests]
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_a107', 'entry') AS p;

-- ims_external_event: one row per IMS, interval of the log, external subsystem and kind of event
-- (5603 to 560C).
CREATE OR REPLACE VIEW ims_external_event AS
WITH log_interval AS MATERIALIZED (
    SELECT * FROM ims_log_interval
),
record AS (
    SELECT
        '5603' AS code, file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_5603
    UNION ALL
    SELECT '5604', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_5604
    UNION ALL
    SELECT '5605', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_5605
    UNION ALL
    SELECT '5606', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_5606
    UNION ALL
    SELECT '5608', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_5608
    UNION ALL
    SELECT '5609', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_5609
    UNION ALL
    SELECT '560A', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_560a
    UNION ALL
    SELECT '560B', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_560b
    UNION ALL
    SELECT '560C', file_id, record_no, log_stck, log_lsn, subsystem, flags, calls, elapsed_us
    FROM ims_560c
),
event AS (
    SELECT f.log_no, r.*
    FROM record AS r
    JOIN ims_log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.code, r.log_stck, r.log_lsn), (r.file_id, r.record_no))
),
log_start AS (
    SELECT log_no, min(interval_start_utc) AS first_utc FROM log_interval GROUP BY log_no
),
-- what was written before the first interval is of it
placed AS (
    SELECT e.*, greatest(e.log_stck, s.first_utc) AS placed_at
    FROM event AS e
    JOIN log_start AS s ON s.log_no = e.log_no
)
SELECT
    n.run                                                    AS run, -- Measurement
    n.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    n.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    n.interval_start                                         AS interval_start, -- Statistics set, or first arrival; local time, NULL without a 4500
    n.interval_start_utc                                     AS interval_start_utc, -- Statistics set, or first arrival, UTC
    any_value(n.interval_s)                                  AS interval_s, -- Length of that time [s]
    n.ims                                                    AS ims, -- IMS id
    e.subsystem                                              AS subsystem, -- Name of the external subsystem
    e.code                                                   AS code, -- Log code: 5603 thread created, 5604 terminated, 5605 command, 5606 disconnect, 5608 sign-off, 5609 in doubt resolved, 560A prepare, 560B commit, 560C abort
    count(*)                                                 AS event_count, -- Records
    count(*) FILTER (e.flags & 32768 > 0)                    AS failed_count, -- Records of requests that failed
    sum(e.elapsed_us)::BIGINT                                AS elapsed_us, -- Time inside the subsystem; 5604: life of the threads [us]
    max(e.elapsed_us)                                        AS max_elapsed_us, -- Longest of them [us]
    sum(e.calls)::BIGINT                                     AS calls, -- Calls in the threads so far; of 5604 in all [calls]
    any_value(n.sample_every)                                AS sample_every -- One transaction in so many is in a sampled synthetic log, else 1
FROM placed AS e
ASOF JOIN log_interval AS n ON n.log_no = e.log_no AND e.placed_at >= n.interval_start_utc
GROUP BY n.run, n.sysplex, n.system, n.interval_start, n.interval_start_utc, n.ims, e.subsystem,
    e.code;
