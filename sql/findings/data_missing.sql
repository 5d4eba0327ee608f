/* imsperf finding
title     = "Data is missing or damaged"
report    = "load.coverage"
severity  = "low"
unit      = "missing or damaged"
limits    = { gaps = 0 }
reason    = "Intervals, log records or bytes are lost: sums and counts are too low."
source    = "The intervals that records of a type should have, sequence numbers of the IMS log"
overruled = "A system that was down in that time."
*/
SELECT
    *, coalesce(intervals_missing, 0) + coalesce(lsn_gaps, 0) + coalesce(data_losses, 0)
        + coalesce(errors, 0) AS value,
    $gaps AS threshold
FROM report
WHERE value > threshold
