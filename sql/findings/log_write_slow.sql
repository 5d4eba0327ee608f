/* imsperf finding
title     = "Writes to the IMS log are slow"
report    = "ims.logger"
severity  = "medium"
unit      = "ms a write"
key       = ["ims", "counter"]
draws     = ["count"]
limits    = { write_ms = 2, least_writes = 100 }
reason    = """
A synchronization point waits for the WADS, and a log buffer is free again only after a write to the OLDS. \
Volumes of today answer in less than 1 ms."""
source    = """
IMS statistics records (type 45): logger statistics, number and time of writes to OLDS and WADS; the limit is a \
rule of thumb"""
overruled = "Remote copy of the log volumes that costs the same every day."
*/
WITH written AS (
    SELECT *,
        max(count) FILTER (counter = 'wads_excpvr') OVER same_set AS wads_writes,
        max(count) FILTER (counter = 'olds_writes') OVER same_set AS olds_writes
    FROM report
    WINDOW same_set AS (PARTITION BY run, system, ims, interval_start_utc)
),
of_device AS (
    SELECT *,
        CASE counter WHEN 'wads_us' THEN wads_writes WHEN 'olds_us' THEN olds_writes END AS writes
    FROM written
)
SELECT *, 0.001 * count / nullif(writes, 0) AS value, $write_ms AS threshold
FROM of_device
WHERE value > threshold AND writes >= $least_writes
