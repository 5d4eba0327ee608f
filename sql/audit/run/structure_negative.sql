/* imsperf check
title = "No count and no time of requests to a structure is negative"
unit = "units of the field"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4, request sections: floating point numbers that count and measure; the least of a section"
*/
SELECT f.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || p.r744snam AS key,
    least(*COLUMNS(lambda name: name ^@ 'r744s' AND name NOT IN ('r744snam', 'r744sver', 'r744slsv'))) AS found, found AS found_low, found AS found_high, 0 AS low, 'Infinity'::DOUBLE AS high
FROM smf74_4_request AS p
JOIN load_file AS f ON f.file_id = p.file_id
