/* imsperf finding
title     = "I/O waits for a HyperPAV alias"
report    = "rmf.ioq"
severity  = "medium"
unit      = "share"
limits    = { hpav_wait = 0.05 }
value     = ["hpav_wait"]
threshold = "hpav_wait"
reason    = "All aliases of the control unit are in use: requests wait in the IOS queue."
source    = "RMF Report Analysis, I/O Queuing Activity: HPAV WAIT, ratio of I/Os that found no alias"
overruled = "One copy job at a time when nobody else works."
*/
SELECT *
FROM report
WHERE value > threshold
