/* imsperf finding
title     = "All message regions are busy and the input queue grows"
report    = "ims.regions"
beside    = "ims.transit"
severity  = "high"
unit      = "messages waiting"
key       = ["ims"]
draws     = ["occupancy_pct"]
limits    = { occupied_pct = 90, least_waiting = 1, times = 2 }
reason    = "Messages wait for a region: more regions help only if what the programs wait for has room."
source    = """
IMS System Administration, regions and classes; waiting at a time is the rate times the time on the input queue (Little)"""
overruled = "Regions held on purpose for classes that may wait."
*/
WITH busy AS (
    SELECT run, system, ims, interval_start, max(interval_s) AS interval_s
    FROM report
    WHERE region_type IN ('M', 'J')
    GROUP BY run, system, ims, interval_start
    HAVING min(occupancy_pct) >= $occupied_pct AND count(occupancy_pct) = count(*)
),
queue AS (
    SELECT
        run, ims, interval_start,
        1e-6 * sum(input_queue_us) / nullif(max(interval_s), 0) AS waiting
    FROM beside_rows
    WHERE kind <> 'fast_path'
    GROUP BY run, ims, interval_start
),
usual AS (
    SELECT *, median(waiting) OVER (PARTITION BY run, ims) AS usual
    FROM queue
    QUALIFY count(waiting) OVER (PARTITION BY run, ims) >= 4
)
SELECT
    busy.*, waiting AS value, greatest($least_waiting, $times * usual) AS threshold
FROM busy
JOIN usual USING (run, ims, interval_start)
WHERE value > threshold
