/* imsperf finding
title     = "z/OS waits for PR/SM"
report    = "rmf.cpu"
severity  = "medium"
unit      = "%"
key       = ["type"]
draws     = ["mvs_busy_pct", "lpar_busy_pct"]
limits    = { apart_pct = 20, least_pct = 50 }
reason    = "MVS BUSY far above LPAR BUSY: the partition is ready but gets no physical processor."
source    = "RMF Report Analysis, CPU Activity: MVS BUSY and LPAR BUSY"
overruled = "A test partition with a low weight."
*/
SELECT *, mvs_busy_pct - lpar_busy_pct AS value, $apart_pct AS threshold
FROM report
WHERE value > threshold AND mvs_busy_pct > $least_pct AND cpu IS NULL
