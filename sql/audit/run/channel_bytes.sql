/* imsperf check
title = "The partition moves no more through a channel than all partitions do"
unit = "bytes"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 73: data units of this partition and of all; not shared: the same; a unit"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || channel || ' ' || v.what AS key,
    v.mine AS found, v.mine - 8192 AS found_low, v.mine AS found_high,
    if(shared, 0, v.total * 0.998 - 8192) AS low, v.total AS high
FROM rmf_channel,
    LATERAL (VALUES
        ('read', read_part_bytes, read_total_bytes), ('written', write_part_bytes, write_total_bytes)) AS v (what, mine, total)
WHERE v.mine > 0 AND v.total IS NOT NULL
