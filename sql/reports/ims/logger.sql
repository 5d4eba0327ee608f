/* imsperf report
id       = "ims.logger"
title    = "Logger Statistics"
answers  = "Are there enough log buffers, and is the WADS fast enough?"
key      = ["ims", "part", "counter"]
named_by = "label"
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["per_s"]
color    = "ims"
facet    = "label"
own_y    = true
where    = "counter IN ('records_written', 'check_write', 'wads_excpvr', 'olds_writes')"
title    = "Logger counters a second"

[page]
layout = "IMS Performance Solution Pack, Logging and checkpoints"

[page.texts]
# its name once, before its first counter
part_name = """CASE WHEN lag(part) OVER (page ORDER BY row_place) IS DISTINCT FROM part
    THEN format('  {}{} Logger:', upper(part[1]), lower(part[2:])) ELSE '' END"""

[[page.table]]
columns  = """
part_name        -19
label            -32
count             17  Count
per_transaction   11  /Transact
per_s             13  /Second
"""

[columns]
part            = { label = "Part" }
counter         = { label = "Counter" }
count           = { kind = "count", format = "grouped", empty = "" }
per_transaction = { format = "per_transaction", empty = "" }
per_s           = { format = "per_second", empty = "" }
*/
WITH counter AS (
    SELECT *
    FROM (VALUES
        (1, 'logical', 'records_written', 'Records written', 'records', NULL),
        (2, 'logical', 'check_write', 'Check write requests', 'requests', NULL),
        (3, 'logical', 'wait_writes', 'Waits for writes', 'waits', 'lower'),
        (4, 'logical', 'bufwait_ckpt', 'Buffer waits: chkpt invokers', 'waits', 'lower'),
        (5, 'logical', 'bufwait_nonckpt', 'Buffer waits: non-chkpt invokers', 'waits', 'lower'),
        (6, 'logical', 'awe_submitted', 'Awe submitted on wrt', 'AWEs', NULL),
        (7, 'logical', 'bytes_written', 'Bytes written', 'bytes', NULL),
        (8, 'physical', 'wads_excpvr', 'WADS EXCPVRs', 'writes', NULL),
        (9, 'physical', 'wads_4k', 'WADS 4K blocks written', 'blocks', NULL),
        (10, 'physical', 'olds_writes', 'OLDS blocks written', 'blocks', NULL),
        (11, 'physical', 'olds_partial', 'OLDS blocks padded', 'blocks', 'lower'),
        (12, 'physical', 'olds_reads', 'OLDS reads', 'reads', NULL),
        (13, 'physical', 'olds_switches', 'OLDS switches', 'switches', NULL),
        (14, 'physical', 'wads_us', 'WADS write time (us)', 'us', 'lower'),
        (15, 'physical', 'olds_us', 'OLDS write time (us)', 'us', 'lower')
    ) AS c (place, part, counter, label, unit, better)
),
logger AS (
    SELECT
        l.*,
        -- those of the same time only: without the 4500 of the set before, t counts for longer
        CASE WHEN abs(t.interval_s - l.interval_s) < 1 AND t.restarted = l.restarted
            THEN t.transactions_count END                        AS transactions_count
    FROM ims_logger AS l
    ASOF LEFT JOIN ims_statistics_set AS t
        ON t.run = l.run AND t.ims = l.ims AND t.ckpt_no = l.ckpt_no
        AND t.sysplex IS NOT DISTINCT FROM l.sysplex
        AND l.sample_utc >= t.sample_utc
)
SELECT
    g.run, g.sysplex, g.system, g.interval_start, g.interval_start_utc, g.ims,
    c.part, -- logical or physical logger
    c.counter, -- Counter, the name of its field
    CASE c.counter
        WHEN 'records_written' THEN g.records_written
        WHEN 'check_write' THEN g.check_write
        WHEN 'wait_writes' THEN g.wait_writes
        WHEN 'bufwait_ckpt' THEN g.bufwait_ckpt
        WHEN 'bufwait_nonckpt' THEN g.bufwait_nonckpt
        WHEN 'awe_submitted' THEN g.awe_submitted
        WHEN 'bytes_written' THEN g.bytes_written
        WHEN 'wads_excpvr' THEN g.wads_excpvr
        WHEN 'wads_4k' THEN g.wads_4k
        WHEN 'olds_writes' THEN g.olds_writes
        WHEN 'olds_partial' THEN g.olds_partial
        WHEN 'olds_reads' THEN g.olds_reads
        WHEN 'olds_switches' THEN g.olds_switches
        WHEN 'wads_us' THEN g.wads_us
        WHEN 'olds_us' THEN g.olds_us
    END                                                          AS count, -- Count of the interval
    count / nullif(g.transactions_count, 0)                      AS per_transaction, -- Count for each transaction dequeued
    count / nullif(g.interval_s, 0)                              AS per_s, -- Count for each second [1/s]
    c.label, -- Counter as printed
    c.unit, -- Unit of count
    c.better, -- higher, lower, or NULL
    1.0::DOUBLE                                                  AS margin_pct, -- Difference that is as good as none
    g.restarted, g.interval_s, g.transactions_count
FROM logger AS g
CROSS JOIN counter AS c
ORDER BY g.run, g.system, g.ims, g.interval_start_utc, c.place
