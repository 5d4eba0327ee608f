/* imsperf check
title = "No count and no time of a class is negative"
unit = "units of the field"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3, period sections: floating point numbers that count and measure; the least of a section"
*/
SELECT f.run, p.system,
    strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' record ' || p.record_no || ' period ' || p.section_no AS key,
    least(*COLUMNS(lambda name: name ^@ 'r723' AND name NOT IN ('r723plsc', 'r723rtdt', 'r723ifat', 'r723ifct', 'r723tsucbp', 'r723tsucbpcp'))) AS found, found AS found_low, found AS found_high, 0 AS low, 'Infinity'::DOUBLE AS high
FROM smf72_3_period AS p
JOIN load_file AS f ON f.file_id = p.file_id
