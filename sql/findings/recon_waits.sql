/* imsperf finding
title     = "DBRC of one system waits while another one holds the RECON"
report    = "rmf.enqueue"
severity  = "medium"
unit      = "s"
limits    = { seconds = 0.5, least_events = 5 }
value     = ["avg_s"]
threshold = "seconds"
reason    = "Open, close, log switch and recovery commands of every IMS that shares the RECON wait in turn."
source    = "IMS System Administration: DBRC reserves the RECON by the resource name DSPURI01; RMF enqueue activity"
overruled = "A utility or a LIST.RECON that ran alone, while no IMS opened or switched anything."
*/
SELECT *
FROM report
WHERE value > threshold AND events >= $least_events AND major LIKE 'DSPURI%'
