/* imsperf check
title = "Blocks of the OLDS that were closed are those the logger wrote"
unit = "blocks"
source = "IMS log 42 against 4507, of a log that began and ended with a switch; a block at each end"
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, ims, sum(olds_writes)::DOUBLE AS blocks, sum(interval_s) AS seconds
    FROM ims_logger
    WHERE NOT restarted AND olds_writes IS NOT NULL
    GROUP BY ALL
),
closed AS MATERIALIZED (
    SELECT run, ims, sum(blocks_count)::DOUBLE AS blocks, sum(in_use_s) AS seconds
    FROM ims_olds_use
    WHERE closed_utc IS NOT NULL
    GROUP BY ALL
)
SELECT l.run, l.system, l.ims AS key, c.blocks AS found, c.blocks AS found_low, c.blocks AS found_high,
    l.blocks - 2 AS low, l.blocks + 2 AS high
FROM logger AS l
JOIN closed AS c USING (run, ims)
WHERE c.blocks > 0 AND abs(c.seconds - l.seconds) < 0.001 * l.seconds
