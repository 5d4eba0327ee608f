/* imsperf finding
title     = "Few frames of central storage are free"
report    = "rmf.paging"
severity  = "low"
unit      = "% free"
draws     = ["frames_available_min", "frames_total"]
limits    = { free_pct = 1 }
reason    = "The next large request makes z/OS page."
source    = "RMF Report Analysis, Paging Activity: available frames"
overruled = "Storage that buffers are meant to fill, with no paging."
*/
SELECT
    *, 100 * frames_available_min / nullif(frames_total, 0) AS value, $free_pct AS threshold
FROM report
WHERE value < threshold
