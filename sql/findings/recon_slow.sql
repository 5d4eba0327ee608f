/* imsperf finding
title     = "The RECON data sets answer later than at other times"
report    = "smf.dataset_io"
severity  = "medium"
unit      = "ms"
usual     = "resp_ms"
limits    = { times = 3, least_ms = 2, least_ios = 100 }
value     = ["resp_ms"]
threshold = "least_ms"
reason    = "A command of DBRC makes many I/Os while it holds the RECON: all that wait for DBRC wait longer."
source    = "SMF type 42.6; data sets with RECON in their name: a site with other names has no such finding"
overruled = "A reorganisation or a backup of the RECON at that time."
*/
SELECT *
FROM report
WHERE value > threshold AND ios >= $least_ios AND dataset LIKE '%RECON%'
