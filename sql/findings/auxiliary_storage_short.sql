/* imsperf finding
title     = "Page data sets fill up"
report    = "rmf.paging"
severity  = "high"
unit      = "% used"
draws     = ["slots_free_min", "slots_total"]
limits    = { used_pct = 70 }
reason    = "At 70 % z/OS warns (IRA200E), at 85 % it stops new address spaces."
source    = "MVS Initialization and Tuning Guide: auxiliary storage shortage"
overruled = "None: add page data sets or find who uses them."
*/
SELECT *, 100 * (1 - slots_free_min / nullif(slots_total, 0)) AS value, $used_pct AS threshold
FROM report
WHERE value > threshold
