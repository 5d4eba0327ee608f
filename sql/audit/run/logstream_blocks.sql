/* imsperf check
title = "The blocks of a log stream are as long as the shortest, the longest and what lies between"
unit = "bytes"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 88, subtype 1: the mean, SMF88LWB over SMF88LWI, lies between SMF88LIB and SMF88LAB; 0.5 % for calls that wrote nothing. Where each call completed as type 1 (SMF88SC1), one block is the longest and the others the shortest at least, and the other way round; exact"
*/
SELECT s.run, s.system, strftime(s.interval_end, '%Y-%m-%dT%H:%M:%S') || ' ' || s.log_stream || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found_high, v.low, v.high
FROM smf_logstream AS s,
    LATERAL (VALUES
        ('mean', s.written_bytes / s.write_count, s.written_bytes / (s.write_count * 0.995), s.min_block_bytes::DOUBLE, s.max_block_bytes::DOUBLE),
        ('longest', if(s.type1_count = s.write_count, s.max_block_bytes::DOUBLE, NULL), s.max_block_bytes, 0,
            s.written_bytes - (s.write_count - 1) * s.min_block_bytes),
        ('shortest', if(s.type1_count = s.write_count, s.min_block_bytes::DOUBLE, NULL), s.min_block_bytes,
            s.written_bytes - (s.write_count - 1) * s.max_block_bytes, 'Infinity'::DOUBLE)) AS v (what, found, found_high, low, high)
WHERE s.write_count > 0 AND s.written_bytes > 0 AND v.found IS NOT NULL
