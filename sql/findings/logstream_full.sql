/* imsperf finding
title     = "A log stream found its structure or staging data set full"
report    = "smf.logstream"
severity  = "medium"
unit      = "times"
draws     = ["structure_full", "entry_full", "staging_full"]
limits    = { times = 0 }
reason    = "Writers stop until the offload is done."
source    = "SMF type 88: structure full, entry full, staging data set full"
overruled = "None: enlarge it or offload earlier."
*/
SELECT
    *, coalesce(structure_full, 0) + coalesce(entry_full, 0) + coalesce(staging_full, 0) AS value,
    $times AS threshold
FROM report
WHERE value > threshold
