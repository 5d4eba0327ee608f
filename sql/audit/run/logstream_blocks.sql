/* imsperf check
title = "The mean block of a log stream lies between its shortest and longest"
unit = "bytes"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 88, subtype 1: SMF88LWB over SMF88LWI; 0.5 % for calls that wrote nothing"
views = ["smf_logstream"]
*/
SELECT run, system, strftime(interval_end, '%Y-%m-%dT%H:%M:%S') || ' ' || log_stream AS key,
    written_bytes / write_count AS found, written_bytes / write_count AS found_low,
    written_bytes / (write_count * 0.995) AS found_high, min_block_bytes AS low, max_block_bytes AS high
FROM smf_logstream
WHERE write_count > 0 AND written_bytes > 0
