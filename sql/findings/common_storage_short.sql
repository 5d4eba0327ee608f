/* imsperf finding
title     = "Common storage (CSA) fills up"
report    = "rmf.vstor"
severity  = "high"
unit      = "% used"
usual     = "max_kb"
limits    = { used_pct = 80, grown_pct = 5, full_pct = 95 }
reason    = "Without CSA programs abend with 878, and work stops that has nothing to do with who took it."
source    = "RMF Report Analysis, Virtual Storage Activity: allocated CSA against its size; the limit is a rule of thumb"
overruled = "Work that takes CSA and frees it again, as at every such time."
*/
SELECT *, 100 * max_kb / nullif(size_kb, 0) AS value, $used_pct AS threshold
FROM report
WHERE value > threshold AND (max_kb > (1 + $grown_pct / 100) * usual OR value > $full_pct)
    AND area = 'CSA' AND measure = 'used' AND key = 'ALL' AND subpool IS NULL
