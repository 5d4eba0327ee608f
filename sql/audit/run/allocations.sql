/* imsperf check
title = "A device whose I/O type 30 knows has no more data sets than sections"
unit = "data sets"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.1: SMF74NDA over SMF74ALC, the samples that found the device allocated, against EXCP sections of type 30 of that device, where those have 99.5 % of its I/Os"
views = ["smf74_1_device", "smf30_excp", "rmf_device"]
*/
WITH section AS MATERIALIZED (
    SELECT f.run, x.system, date_trunc('second', i.smf30iss) AS begin, x.smf30cua AS device, count(*) AS sections, sum(x.smf30blk) AS blocks
    FROM smf30_excp AS x
    JOIN smf30_identification AS i ON i.file_id = x.file_id AND i.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    GROUP BY ALL
)
SELECT d.run, d.system, strftime(d.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || d.device AS key,
    d.data_sets_count / a.smf74alc AS found, d.data_sets_count / a.smf74alc AS found_low,
    d.data_sets_count / a.smf74alc AS found_high, 0 AS low, s.sections * 1.002 AS high
FROM rmf_device AS d
JOIN smf74_1_device AS a ON a.file_id = d.file_id AND a.record_no = d.record_no AND a.section_no = d.section_no
JOIN section AS s ON s.run = d.run AND s.system = d.system AND s.begin = d.interval_start_utc
    AND s.device = ('0x' || d.device)::UBIGINT
WHERE s.blocks >= d.io_count * 0.995 AND s.blocks > 0 AND a.smf74alc > 0 AND d.data_sets_count > 0
