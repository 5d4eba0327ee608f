/* imsperf report
id       = "ims.message_queue"
title    = "Message Queue Pool Statistics"
answers  = "Does the message queue pool hold the queues, or do messages wait for I/O?"
key      = ["ims"]
optional = ["ims_06", "ims_4500", "ims_a10a"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[page]
layout   = "ours"
note     = "- no A10A record: the counters that stand in it alone are not known"

[[page.table]]
widths   = [-44, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "qmgr_locate", "qmgr_release", "qmgr_locate_and_alter", "locates_from_pool", "drrn_translations",
    "message_enqueue_calls", "message_dequeue_calls", "reads", "total_writes", "writes_for_space",
    "writes_by_purge", "purge_requests", "cancel_io_calls", "buffer_waits", "waits_for_decb_read",
    "waits_for_decb_write", "waits_for_enq_deq", "waits_for_purge", "waits_no_buffer",
]

[[page.table]]
widths   = [-44, 17]
lines    = [
    "read_pct", "purge_pct", "wait_ms", "buffers", "max_buffers_used", "peak_qblks_blk_num",
    "peak_shmsg_blk_num", "peak_lgmsg_blk_num",
]

[columns]
qmgr_locate           = { label = "Locate calls from QMGR", kind = "count", format = "grouped" }
qmgr_release          = { label = "Record release calls from QMGR", kind = "count", format = "grouped" }
qmgr_locate_and_alter = { label = "Locate and alter calls from QMGR", kind = "count", format = "grouped" }
locates_from_pool     = { label = "Locates satisfied from the pool", kind = "count", format = "grouped" }
drrn_translations     = { label = "Address to DRRN translations", kind = "count", format = "grouped" }
message_enqueue_calls = { label = "Messages enqueued", kind = "count", format = "grouped" }
message_dequeue_calls = { label = "Messages dequeued", kind = "count", format = "grouped" }
reads                 = { label = "Reads", kind = "count", better = "lower", format = "grouped" }
total_writes          = { label = "Writes", kind = "count", better = "lower", format = "grouped" }
writes_for_space      = { label = "Writes to free a buffer", kind = "count", better = "lower", format = "grouped" }
writes_by_purge       = { label = "Writes by purge", kind = "count", format = "grouped" }
purge_requests        = { label = "Requests to purge the queue pool", kind = "count", format = "grouped" }
cancel_io_calls       = { label = "I/O cancel calls", kind = "count", format = "grouped" }
buffer_waits          = { label = "Times no buffer at once", kind = "count", better = "lower", format = "grouped" }
waits_for_decb_read   = { label = "Waits for a read", kind = "count", better = "lower", format = "grouped" }
waits_for_decb_write  = { label = "Waits for a write", kind = "count", better = "lower", format = "grouped" }
waits_for_enq_deq     = { label = "Waits for an enqueue or dequeue", kind = "count", better = "lower", format = "grouped" }
waits_for_purge       = { label = "Waits for a purge", kind = "count", better = "lower", format = "grouped" }
waits_no_buffer       = { label = "Waits for a free buffer", kind = "count", better = "lower", format = "grouped" }
read_pct              = { label = "Reads % of locates", better = "lower", format = "2" }
purge_pct             = { label = "Writes by purge %", format = "2" }
wait_ms               = { label = "Mean wait ms", better = "lower", format = "3" }
buffers               = { kind = "level", total = "last", format = "grouped" }
max_buffers_used      = { label = "Most buffers in use since IMS start", kind = "highwater", format = "grouped" }
peak_qblks_blk_num    = { label = "Highest block, queue blocks", kind = "highwater", format = "grouped" }
peak_shmsg_blk_num    = { label = "Highest block, short messages", kind = "highwater", format = "grouped" }
peak_lgmsg_blk_num    = { label = "Highest block, long messages", kind = "highwater", format = "grouped" }
*/
WITH pool AS (
    SELECT
        q.*, w.* EXCLUDE (
            run, sysplex, system, interval_start, interval_start_utc, interval_s, restarted, ims,
            ckpt_no, sample_utc, file_id, record_no
        ),
        q.qmgr_locate + q.qmgr_locate_and_alter                  AS locates,
        w.waits_for_decb_read + w.waits_for_decb_write + w.waits_for_enq_deq + w.waits_for_purge
            + w.waits_no_buffer                                  AS waits,
        -- those of the same time only: without the 4500 of the set before, t counts for longer
        CASE WHEN abs(t.interval_s - q.interval_s) < 1 AND t.restarted = q.restarted
            THEN t.transactions_count END                        AS transactions_count
    FROM ims_message_queue AS q
    LEFT JOIN ims_message_queue_wait AS w
        ON w.run = q.run AND w.ims = q.ims AND w.ckpt_no IS NOT DISTINCT FROM q.ckpt_no
        AND w.interval_start_utc = q.interval_start_utc
    ASOF LEFT JOIN ims_statistics_set AS t
        ON t.run = q.run AND t.ims = q.ims AND t.ckpt_no = q.ckpt_no
        AND t.sysplex IS NOT DISTINCT FROM q.sysplex
        AND q.sample_utc >= t.sample_utc
)
SELECT
    p.run, p.sysplex, p.system, p.interval_start, p.interval_start_utc, p.ims,
    p.qmgr_locate, p.qmgr_release, p.qmgr_locate_and_alter, p.locates_from_pool,
    p.drrn_translations,
    p.message_enqueue_calls, p.message_dequeue_calls, p.reads, p.total_writes, p.writes_for_space,
    p.writes_by_purge, p.purge_requests, p.cancel_io_calls, p.buffer_waits, p.waits_for_decb_read,
    p.waits_for_decb_write, p.waits_for_enq_deq, p.waits_for_purge, p.waits_no_buffer,
    100.0 * p.reads / nullif(p.locates, 0)                       AS read_pct, -- Blocks read, of both kinds of locate calls
    100.0 * p.writes_by_purge / nullif(p.total_writes, 0)        AS purge_pct, -- Writes made by purge requests, of all
    0.001 * p.wait_us / nullif(p.waits, 0)                       AS wait_ms, -- Mean of all waits of the A10A
    p.buffers, p.max_buffers_used, p.peak_qblks_blk_num, p.peak_shmsg_blk_num, p.peak_lgmsg_blk_num,
    p.restarted, p.interval_s, p.transactions_count,
    p.locates, -- Locate calls of both kinds [calls]
    p.wait_us,
    p.waits -- Waits for any reason [waits]
FROM pool AS p
ORDER BY p.run, p.system, p.ims, p.interval_start_utc
