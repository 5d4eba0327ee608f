/* imsperf finding
title     = "Pages come from auxiliary storage"
report    = "rmf.paging"
severity  = "medium"
unit      = "1/s"
limits    = { page_in_per_s = 10 }
value     = ["page_in_per_s"]
threshold = "page_in_per_s"
reason    = "Each page in holds a program for an I/O: central storage is short."
source    = "RMF Report Analysis, Paging Activity: page-in rate"
overruled = "A dump, or the start of an address space."
*/
SELECT *
FROM report
WHERE value > threshold
