/* imsperf finding
title     = "zIIP work runs on general processors"
report    = "rmf.workload"
severity  = "medium"
unit      = "% of a CP"
limits    = { overflow_pct = 10 }
value     = ["appl_iipcp_pct"]
threshold = "overflow_pct"
reason    = "zIIPs are too busy: what could run there costs general capacity and licence charges."
source    = "RMF Report Analysis, Workload Activity: APPL% IIPCP"
overruled = "No zIIP is configured, or IIPHONORPRIORITY=YES and short peaks."
*/
SELECT *
FROM report
WHERE value > threshold AND kind = 'service' AND period IS NOT NULL
