/* imsperf check
title = "Channels of the log carry what the logger writes"
unit = "bytes"
source = "IMS log 4507 against record type 73 of the channels of the control units that hold volumes named WADS or OLDS, between statistics sets; blocks, 4 KB of WADS writes; 0.1 % and a unit for each channel and interval, and as much as the ends are apart"
covers = "73 of all channels of the log fills the time between two 4507"
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, min(interval_start_utc) AS begin, max(audit_end(interval_start_utc, interval_s)) AS finish,
        sum(olds_writes * block_size_bytes + wads_4k * 4096)::DOUBLE AS bytes,
        if(grouping(interval_start_utc) = 1, 'all sets', strftime(begin, '%Y-%m-%dT%H:%M:%SZ')) AS since
    FROM ims_logger
    WHERE NOT restarted AND records_written IS NOT NULL
    GROUP BY GROUPING SETS ((run, system, interval_start_utc), (run, system))
    HAVING count(DISTINCT ims) = 1 AND audit_fills(sum(interval_s), begin, finish) AND (grouping(interval_start_utc) = 0 OR count(*) > 1)
),
path AS MATERIALIZED (
    SELECT DISTINCT q.run, q.system, q.path AS channel
    FROM rmf_io_queue AS q
    SEMI JOIN rmf_device AS d ON d.run = q.run AND d.system = q.system AND d.lcu = q.lcu
        AND (d.volume LIKE 'WADS%' OR d.volume LIKE 'OLDS%')
    WHERE q.path IS NOT NULL
),
carried AS MATERIALIZED (
    SELECT c.run, c.system, c.interval_start_utc, max(c.interval_s) AS interval_s, sum(c.write_part_bytes) AS bytes, 8192 * count(*) AS room
    FROM rmf_channel AS c
    JOIN (SELECT *, count(*) OVER (PARTITION BY run, system) AS channels FROM path) AS p USING (run, system, channel)
    GROUP BY c.run, c.system, c.interval_start_utc, p.channels
    HAVING count(DISTINCT c.channel) = p.channels
),
moved AS (
    SELECT l.run, l.system, l.since, any_value(l.bytes) AS logger, sum(c.bytes) AS bytes, sum(c.room) AS room,
        audit_apart(min(c.interval_start_utc), max(audit_end(c.interval_start_utc, c.interval_s)), l.begin, l.finish) AS apart
    FROM logger AS l
    JOIN carried AS c ON c.run = l.run AND c.system = l.system AND audit_inside(c.interval_start_utc, c.interval_s, l.begin, l.finish)
    GROUP BY l.run, l.system, l.since, l.begin, l.finish
    HAVING audit_fills(sum(c.interval_s), l.begin, l.finish)
)
SELECT m.run, m.system, m.since || ' log' AS key, logger AS found, logger AS found_low, logger AS found_high,
    0 AS low, bytes * (1.001 + apart) + room AS high
FROM moved AS m
WHERE bytes > 0
