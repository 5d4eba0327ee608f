/* imsperf check
title = "zHPF reads are reads, zHPF writes the others at most"
unit = "I/Os"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.6, data set I/O"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || dataset || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf_dataset_io,
    LATERAL (VALUES ('reads', zhpf_read_count, read_count), ('writes', zhpf_write_count, io_count - read_count)) AS v (what, found, high)
WHERE v.found > 0
