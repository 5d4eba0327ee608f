/* imsperf check
title = "A structure of log streams takes what is written to them, a write at most of each kind"
unit = "bytes or writes"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 88, subtype 1: bytes in interim storage are padded, so at least those written; writes of type 1 are writes"
views = ["smf_logstream"]
*/
SELECT s.run, s.system, strftime(s.interval_end, '%Y-%m-%dT%H:%M:%S') || ' ' || s.log_stream || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf_logstream AS s,
    LATERAL (VALUES
        ('bytes', s.written_bytes, s.interim_bytes * 1.001), ('type 1', s.type1_count, s.write_count)) AS v (what, found, high)
WHERE v.found > 0 AND v.high > 0 AND s.structure <> '*DASDONLY'
