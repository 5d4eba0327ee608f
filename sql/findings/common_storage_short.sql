/* imsperf finding
title     = "Common storage (CSA) fills up"
report    = "rmf.vstor"
severity  = "high"
unit      = "% used"
limits    = { used_pct = 80 }
reason    = "Without CSA programs abend with 878, and work stops that has nothing to do with who took it."
source    = "RMF Report Analysis, Virtual Storage Activity: allocated CSA against its size; the limit is a rule of thumb"
overruled = "An area that is full from the start and does not grow."
*/
SELECT *, 100 * max_kb / nullif(size_kb, 0) AS value, $used_pct AS threshold
FROM report
WHERE value > threshold AND area = 'CSA' AND measure = 'used' AND key = 'ALL' AND subpool IS NULL
