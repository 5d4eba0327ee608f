/* imsperf check
title = "Hits of a cache are requests"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.5, device section: reads and writes, normal and sequential"
*/
SELECT f.run, d.system, strftime(d.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || d.r745dvol || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf74_5_device AS d
JOIN load_file AS f ON f.file_id = d.file_id,
    LATERAL (VALUES
        ('reads', d.r745dcrh, d.r745drcr), ('writes', d.r745dwch, d.r745dwrc),
        ('sequential reads', d.r745drsh, d.r745drsr), ('sequential writes', d.r745dwsh, d.r745dwsr))
        AS v (what, found, high)
WHERE v.found > 0
