/* imsperf check
title = "Processors of a partition and of the machine, by the sample"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70BDA and SMF70CAN are numbers of processors times samples; 0.5 % where none came or went"
views = ["smf70_1_partition", "smf70_1_control"]
*/
WITH number AS (
    SELECT file_id, record_no, system, interval_start, 'partition ' || smf70lpm AS what, smf70bdn AS cpus, smf70bda AS total
    FROM smf70_1_partition
    UNION ALL
    SELECT file_id, record_no, system, interval_start, 'machine ' || smf70cin, smf70ctn, smf70can
    FROM smf70_1_cpu_id
)
SELECT f.run, n.system, strftime(n.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || n.what AS key,
    n.total AS found, n.total AS found_low, n.total AS found_high,
    n.cpus::DOUBLE * c.smf70dsa * 0.995 AS low, n.cpus::DOUBLE * c.smf70dsa * 1.005 AS high
FROM number AS n
JOIN smf70_1_control AS c ON c.file_id = n.file_id AND c.record_no = n.record_no
JOIN load_file AS f ON f.file_id = n.file_id
WHERE n.cpus > 0 AND n.total > 0
