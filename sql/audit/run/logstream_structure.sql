/* imsperf check
title = "A structure of log streams takes what is written to them, a write at most of each kind"
unit = "bytes or writes"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 88, subtype 1: bytes in interim storage are padded, so at least those written; writes of type 1, below the threshold of an offload, are writes, and all of them (0.5 % for calls that wrote nothing) where neither this interval nor the next has an offload"
*/
WITH stream AS (
    SELECT *, offload_count + dasd_switch_count + entry_full_count + structure_full_count AS offloads,
        lead(offload_count + dasd_switch_count + entry_full_count + structure_full_count)
            OVER (PARTITION BY run, system, log_stream ORDER BY interval_end) AS offloads_next
    FROM smf_logstream
)
SELECT s.run, s.system, strftime(s.interval_end, '%Y-%m-%dT%H:%M:%S') || ' ' || s.log_stream || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM stream AS s,
    LATERAL (VALUES
        ('bytes', s.written_bytes, 0, s.interim_bytes * 1.001),
        ('type 1', s.type1_count, if(s.offloads = 0 AND s.offloads_next = 0, s.write_count * 0.995 - 1, 0), s.write_count)) AS v (what, found, low, high)
WHERE v.found > 0 AND v.high > 0 AND s.structure <> '*DASDONLY'
