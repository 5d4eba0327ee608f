/* imsperf report
id       = "rmf.eadm_subchannels"
title    = "Extended Asynchronous Data Mover Activity: Subchannels"
answers  = "How long does I/O to storage class memory wait, and what does compression give?"
key      = []
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["pend_ms", "queue_ms", "cmr_ms"]
facet    = "system"
title    = "Times of a start to storage class memory, ms"

[page]
layout   = "ours"
title    = "Extended Asynchronous Data Mover Activity"

[[page.table]]
lines    = ["*"]

[columns]
starts_per_s            = { label = "SSCH RATE", format = "rate" }
pend_ms                 = { label = "FUNCTION PENDING TIME", better = "lower", format = "3" }
queue_ms                = { label = "IOP QUEUE TIME", better = "lower", format = "3" }
cmr_ms                  = { label = "INITIAL COMMAND RESPONSE TIME", better = "lower", format = "3" }
compressions_per_s      = { label = "COMPRESSION RATE", format = "rate" }
compression_ratio       = { label = "COMPRESSION RATIO", better = "higher", format = "2" }
compressed_in_mb_per_s  = { label = "COMPRESSION INPUT MB/S", format = "2" }
compressed_out_mb_per_s = { label = "COMPRESSION OUTPUT MB/S", format = "2" }
expansions_per_s        = { label = "DECOMPRESSION RATE", format = "rate" }
expansion_ratio         = { label = "DECOMPRESSION RATIO", format = "2" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    start_count / nullif(interval_s, 0)                          AS starts_per_s, -- Start subchannels a second
    pend_total_ms / nullif(measured_count, 0)                    AS pend_ms, -- Pending
    queue_total_ms / nullif(measured_count, 0)                   AS queue_ms, -- Queued at the I/O processor
    cmr_total_ms / nullif(measured_count, 0)                     AS cmr_ms, -- Initial command response
    compression_count / nullif(interval_s, 0)                    AS compressions_per_s, -- Compressions a second
    compression_in_mb / nullif(compression_out_mb, 0)            AS compression_ratio, -- Data compressed over what it became
    compression_in_mb / nullif(interval_s, 0)                    AS compressed_in_mb_per_s, -- Data compressed a second [MB/s]
    compression_out_mb / nullif(interval_s, 0)                   AS compressed_out_mb_per_s, -- What it became, a second [MB/s]
    expansion_count / nullif(interval_s, 0)                      AS expansions_per_s, -- Expansions a second
    expansion_in_mb / nullif(expansion_out_mb, 0)                AS expansion_ratio, -- Data expanded over what it became
    interval_s, start_count, measured_count, pend_total_ms, queue_total_ms, cmr_total_ms,
    compression_count, compression_in_mb, compression_out_mb, expansion_count, expansion_in_mb,
    expansion_out_mb
FROM rmf_eadm_subchannel
ORDER BY run, sysplex, system, interval_start_utc, interval_start
