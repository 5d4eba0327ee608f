/* imsperf check
title = "Channels of the log carry what the logger writes"
unit = "bytes"
source = "IMS log 4507 against record type 73 of the channels of the control units that hold volumes named WADS or OLDS, over the run; blocks, 4 KB of WADS writes; 0.1 % and a unit for each channel"
views = ["ims_logger", "rmf_channel", "rmf_io_queue", "rmf_device"]
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, sum(olds_writes * block_size_bytes + wads_4k * 4096)::DOUBLE AS bytes
    FROM ims_logger
    WHERE NOT restarted AND records_written IS NOT NULL
    GROUP BY ALL
),
path AS MATERIALIZED (
    SELECT DISTINCT q.run, q.system, q.path AS channel
    FROM rmf_io_queue AS q
    SEMI JOIN rmf_device AS d ON d.run = q.run AND d.system = q.system AND d.lcu = q.lcu
        AND (d.volume LIKE 'WADS%' OR d.volume LIKE 'OLDS%')
    WHERE q.path IS NOT NULL
),
carried AS MATERIALIZED (
    SELECT c.run, c.system, sum(c.write_part_bytes) AS bytes, 8192 * count(*) AS room
    FROM rmf_channel AS c
    SEMI JOIN path AS p USING (run, system, channel)
    GROUP BY ALL
)
SELECT l.run, l.system, 'log' AS key, l.bytes AS found, l.bytes AS found_low, l.bytes AS found_high,
    0 AS low, c.bytes * 1.001 + c.room AS high
FROM logger AS l
JOIN carried AS c USING (run, system)
WHERE c.bytes > 0
