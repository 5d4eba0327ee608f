-- ims_message_queue: one row per IMS and pair of statistics sets: message queue pool.
CREATE OR REPLACE VIEW ims_message_queue AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        1 AS entry_key,
        CAST([
            r.locate, r.release, r.locate_alter, r.purge, r.drrn_xlate, r.buf_waits, r.reads,
            r.writes, r.enqueues, r.dequeues
        ] AS HUGEINT[]) AS counters,
        r.locate AS qmgr_locate, r.release AS qmgr_release,
        r.locate_alter AS qmgr_locate_and_alter, r.purge AS purge_requests,
        r.drrn_xlate AS drrn_translations, r.buf_waits AS buffer_waits, r.reads,
        r.writes AS total_writes, r.enqueues AS message_enqueue_calls,
        r.dequeues AS message_dequeue_calls,
        r.buffers AS buffers,
        r.bufs_used_max AS max_buffers_used,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4502') AS r
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
    ims_since(p.now.qmgr_locate, p.before.qmgr_locate, p.restarted) AS qmgr_locate, -- Locate calls of the queue manager [calls]
    ims_since(p.now.qmgr_release, p.before.qmgr_release, p.restarted) AS qmgr_release, -- Calls that release a queue record [calls]
    ims_since(p.now.qmgr_locate_and_alter, p.before.qmgr_locate_and_alter, p.restarted)
        AS qmgr_locate_and_alter, -- Locate calls in order to change the record [calls]
    ims_since(p.now.purge_requests, p.before.purge_requests, p.restarted) AS purge_requests, -- Requests to write out changed buffers [requests]
    ims_since(p.now.drrn_translations, p.before.drrn_translations, p.restarted)
        AS drrn_translations, -- Translations between address and DRRN [requests]
    ims_since(p.now.buffer_waits, p.before.buffer_waits, p.restarted) AS buffer_waits, -- Times nobody could get a buffer at once
    ims_since(p.now.reads, p.before.reads, p.restarted)      AS reads, -- Blocks read from the queue data sets [blocks]
    ims_since(p.now.total_writes, p.before.total_writes, p.restarted) AS total_writes, -- Blocks written to the queue data sets [blocks]
    ims_since(p.now.message_enqueue_calls, p.before.message_enqueue_calls, p.restarted)
        AS message_enqueue_calls, -- Messages enqueued [messages]
    ims_since(p.now.message_dequeue_calls, p.before.message_dequeue_calls, p.restarted)
        AS message_dequeue_calls, -- Messages dequeued [messages]
    p.now.buffers                                            AS buffers, -- Buffers in the pool [buffers]
    p.now.max_buffers_used                                   AS max_buffers_used, -- Most buffers in use since IMS start [buffers]
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_4502', 'entry') AS p;

-- ims_message_queue_wait: one row per IMS and pair of statistics sets: what a message queue pool
-- waited for.
CREATE OR REPLACE VIEW ims_message_queue_wait AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        1 AS entry_key,
        CAST([
            r.locates_from_pool, r.writes_for_space, r.writes_by_purge, r.cancel_io_calls,
            r.waits_for_decb_read, r.waits_for_decb_write, r.waits_for_enq_deq,
            r.waits_for_purge, r.waits_no_buffer, r.wait_us
        ] AS HUGEINT[]) AS counters,
        r.locates_from_pool, r.writes_for_space, r.writes_by_purge, r.cancel_io_calls,
        r.waits_for_decb_read, r.waits_for_decb_write, r.waits_for_enq_deq, r.waits_for_purge,
        r.waits_no_buffer, r.wait_us,
        r.peak_qblks_blk_num AS peak_qblks_blk_num,
        r.peak_shmsg_blk_num AS peak_shmsg_blk_num,
        r.peak_lgmsg_blk_num AS peak_lgmsg_blk_num,
        r.file_id, r.record_no
    FROM ims_records_once('ims_a10a') AS r
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
    ims_since(p.now.locates_from_pool, p.before.locates_from_pool, p.restarted)
        AS locates_from_pool, -- Locate calls satisfied without I/O [calls]
    ims_since(p.now.writes_for_space, p.before.writes_for_space, p.restarted) AS writes_for_space, -- Writes made to free a buffer [blocks]
    ims_since(p.now.writes_by_purge, p.before.writes_by_purge, p.restarted) AS writes_by_purge, -- Writes made by purge requests [blocks]
    ims_since(p.now.cancel_io_calls, p.before.cancel_io_calls, p.restarted) AS cancel_io_calls, -- Requests that took back a queued I/O [calls]
    ims_since(p.now.waits_for_decb_read, p.before.waits_for_decb_read, p.restarted)
        AS waits_for_decb_read, -- Waits for a read to end [waits]
    ims_since(p.now.waits_for_decb_write, p.before.waits_for_decb_write, p.restarted)
        AS waits_for_decb_write, -- Waits for a write to end [waits]
    ims_since(p.now.waits_for_enq_deq, p.before.waits_for_enq_deq, p.restarted)
        AS waits_for_enq_deq, -- Waits for another enqueue or dequeue [waits]
    ims_since(p.now.waits_for_purge, p.before.waits_for_purge, p.restarted) AS waits_for_purge, -- Waits for a purge to end [waits]
    ims_since(p.now.waits_no_buffer, p.before.waits_no_buffer, p.restarted) AS waits_no_buffer, -- Waits because no buffer was free [waits]
    ims_since(p.now.wait_us, p.before.wait_us, p.restarted)  AS wait_us, -- Time of all these waits [us]
    p.now.peak_qblks_blk_num                                 AS peak_qblks_blk_num, -- Highest block used in the queue blocks data set
    p.now.peak_shmsg_blk_num                                 AS peak_shmsg_blk_num, -- Highest block used in the short message data set
    p.now.peak_lgmsg_blk_num                                 AS peak_lgmsg_blk_num, -- Highest block used in the long message data set
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_a10a', 'entry') AS p;
