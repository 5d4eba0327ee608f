/* imsperf check
title = "Locks that are obtained and not released are held"
unit = "locks"
source = "IMS log A105 between statistics sets: requests for locks less those to release them against the locks held now, where none were purged; 0.01 % and 10 for the moments of reading"
*/
WITH taken AS (
    SELECT f.run, q.imsid AS ims, q.irlm AS part, q.interval_start AS restart, q.sample, NULL::UBIGINT AS lsn,
        [q.locks, q.unlocks, q.locks_held, q.purges]::DOUBLE[] AS number
    FROM ims_a105 AS q
    JOIN load_file AS f ON f.file_id = q.file_id
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
)
SELECT run, NULL::VARCHAR AS system, since || ' ' || ims || ' ' || part AS key, number[1] - number[2] AS found,
    number[1] - number[2] AS found_low, number[1] - number[2] AS found_high,
    number[3] - 1e-4 * number[1] - 10 AS low, number[3] + 1e-4 * number[1] + 10 AS high
FROM counted
WHERE number[1] > 0 AND number[2] > 0 AND number[4] = 0
