/* imsperf report
id       = "ims.logger"
title    = "Logger Statistics"
answers  = "Are there enough log buffers, and is the WADS fast enough?"
key      = ["ims", "part", "counter"]
time     = "interval_start_utc"
lead     = "ims_4507"
needs    = ["ims_06", "ims_4500", "ims_4507", "load_file"]
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

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_4507.imsid"]

[[column]]
name     = "part"
label    = "Part"
kind     = "text"
doc      = "logical or physical logger"
from     = ["ims_logger.records_written"]

[[column]]
name     = "counter"
label    = "Counter"
kind     = "text"
doc      = "Counter, the name of its field"
from     = ["ims_logger.records_written"]

[[column]]
name     = "count"
label    = "Count"
kind     = "count"
format   = "grouped"
doc      = "Count of the interval"
from     = ["ims_4507.records_written", "ims_4507.check_write", "ims_4507.wait_writes",
            "ims_4507.bufwait_ckpt", "ims_4507.bufwait_nonckpt", "ims_4507.awe_submitted",
            "ims_4507.bytes_written", "ims_4507.wads_excpvr", "ims_4507.wads_4k",
            "ims_4507.olds_writes", "ims_4507.olds_partial", "ims_4507.olds_reads",
            "ims_4507.olds_switches", "ims_4507.wads_us", "ims_4507.olds_us"]

[[column]]
name     = "per_transaction"
label    = "/Transact"
kind     = "ratio"
num      = "count"
den      = "transactions_count"
format   = "per_transaction"
doc      = "Count for each transaction dequeued"
from     = ["ims_4500.trans_total"]

[[column]]
name     = "per_s"
label    = "/Second"
unit     = "1/s"
kind     = "ratio"
num      = "count"
den      = "interval_s"
format   = "per_second"
doc      = "Count for each second"
from     = ["ims_logger.interval_s"]

[[column]]
name     = "label"
kind     = "text"
doc      = "Counter as printed"
from     = ["ims_logger.records_written"]

[[column]]
name     = "unit"
kind     = "text"
doc      = "Unit of count"
from     = ["ims_logger.records_written"]

[[column]]
name     = "better"
kind     = "text"
doc      = "higher, lower, or NULL"
from     = ["ims_logger.records_written"]

[[column]]
name     = "margin_pct"
unit     = "%"
kind     = "text"
doc      = "Difference that is as good as none"
from     = ["ims_logger.records_written"]

[[column]]
name     = "restarted"
kind     = "config"
doc      = "IMS restarted since the earlier set: counts are those since the restart"
from     = ["ims_logger.restarted"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Counted time"
from     = ["ims_logger.interval_s"]

[[column]]
name     = "transactions_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions dequeued in the interval"
from     = ["ims_statistics_set.transactions_count"]
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
        AND l.sample_utc >= t.sample_utc
)
SELECT
    g.run                                                        AS run,
    g.sysplex                                                    AS sysplex,
    g.system                                                     AS system,
    g.interval_start                                             AS interval_start,
    g.interval_start_utc                                         AS interval_start_utc,
    g.ims                                                        AS ims,
    c.part                                                       AS part,
    c.counter                                                    AS counter,
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
    END                                                          AS count,
    count / nullif(g.transactions_count, 0)                      AS per_transaction,
    count / nullif(g.interval_s, 0)                              AS per_s,
    c.label                                                      AS label,
    c.unit                                                       AS unit,
    c.better                                                     AS better,
    1.0::DOUBLE                                                  AS margin_pct,
    g.restarted                                                  AS restarted,
    g.interval_s                                                 AS interval_s,
    g.transactions_count                                         AS transactions_count
FROM logger AS g
CROSS JOIN counter AS c
ORDER BY g.run, g.system, g.ims, g.interval_start_utc, c.place
