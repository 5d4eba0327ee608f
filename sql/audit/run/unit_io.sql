/* imsperf check
title = "The I/Os of a control unit are those of its devices, paths and aliases"
unit = "I/Os"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.3 against 74.1; a unit of each device, as counters are read one after the other; five hexadecimal digits at least of a short floating point number"
*/
WITH device AS MATERIALIZED (
    SELECT run, system, interval_start, lcu, sum(io_count) AS io_count, count(*) AS devices
    FROM rmf_device
    GROUP BY run, system, interval_start, lcu
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system, lcu)
),
path AS MATERIALIZED (
    SELECT run, system, interval_start, lcu, sum(taken_count) FILTER (path IS NOT NULL) AS taken, max(alias_io_count) AS with_alias
    FROM rmf_io_queue
    GROUP BY run, system, interval_start, lcu
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system, lcu)
)
SELECT p.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || p.lcu || ' ' || v.what AS key,
    v.found, v.found * (1 - v.cut) AS found_low, v.found * (1 + v.cut) AS found_high, d.io_count - d.devices AS low, d.io_count + d.devices AS high
FROM path AS p
JOIN device AS d USING (run, system, interval_start, lcu),
    LATERAL (VALUES ('paths', p.taken, 0), ('HyperPAV', p.with_alias, 1 / 1048576)) AS v (what, found, cut)
WHERE v.found > 0
