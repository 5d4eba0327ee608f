/* imsperf check
title = "The response of a data set is the sum of its parts"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.6: means in us, each rounded or cut"
*/
SELECT f.run, i.system, strftime(i.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || i.record_no || ' ' || i.section_no AS key,
    i.s42dsr1u AS found, i.s42dsr1u - 0.5 AS found_low, i.s42dsr1u + 0.5 AS found_high,
    i.s42dsc1u + i.s42dsp1u + coalesce(i.s42dsd1u, 0) + coalesce(i.s42dsq1u, 0) - 3.5 AS low,
    i.s42dsc1u + i.s42dsp1u + coalesce(i.s42dsd1u, 0) + coalesce(i.s42dsq1u, 0) + 3.5 AS high
FROM smf42_6_io AS i
JOIN load_file AS f ON f.file_id = i.file_id
WHERE i.s42dsr1u > 0 AND i.s42dsc1u > 0
