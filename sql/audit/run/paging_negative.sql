/* imsperf check
title = "No count and no level of storage is negative"
unit = "units of the field"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 71: floating point numbers that count pages, frames and slots; the least of a record"
*/
SELECT f.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    least(*COLUMNS(lambda name: name ^@ 'smf71' AND name <> 'smf71opt')) AS found, found AS found_low, found AS found_high, 0 AS low, 'Infinity'::DOUBLE AS high
FROM smf71_1_paging AS p
JOIN load_file AS f ON f.file_id = p.file_id
