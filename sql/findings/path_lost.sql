/* imsperf finding
title     = "A channel path carries nothing any more"
report    = "rmf.channel"
severity  = "high"
unit      = "I/O/s"
usual     = ["ficon_per_s", "zhpf_per_s"]
draws     = ["ficon_per_s", "zhpf_per_s"]
limits    = { part = 0.05, least_per_s = 1 }
reason    = "Other paths carry its work: they are fuller, and the next one that fails counts more."
source    = "RMF Report Analysis, Channel Path Activity: FICON and zHPF operation rates"
overruled = "A path that was configured offline on purpose, or whose devices had no work."
*/
SELECT *, moved AS value, $part * usual AS threshold
FROM (
    SELECT *, sum(moved) OVER (PARTITION BY run, system, interval_start_utc) AS moved_by_all
    FROM (
        SELECT *, coalesce(ficon_per_s, 0) + coalesce(zhpf_per_s, 0) AS moved
        FROM report
    )
)
-- the system does I/O in that interval: only this path has none
WHERE value < threshold AND usual >= $least_per_s AND moved_by_all >= $least_per_s
