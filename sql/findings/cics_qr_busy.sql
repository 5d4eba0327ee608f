/* imsperf finding
title     = "The QR TCB of a CICS region is near its limit"
report    = "cics.transactions"
severity  = "medium"
unit      = "% of the interval"
key       = ["region"]
draws     = ["qr_us_sum"]
limits    = { busy_pct = 75 }
reason    = "All code that is not threadsafe runs on this one TCB: tasks wait for it, however many processors are idle."
source    = """
CICS Performance Guide: QR TCB above 70 to 80 %; here the time dispatched on it in the monitoring records (SMF type 110)"""
overruled = "Tasks that ended in the interval but ran mostly before it."
*/
SELECT
    run, system, interval_start, max(interval_s) AS interval_s, region,
    100e-6 * sum(qr_us_sum) / nullif(max(interval_s), 0) AS value, $busy_pct AS threshold
FROM report
GROUP BY run, system, interval_start, region
HAVING value > threshold
