/* imsperf check
title = "The data sets of a storage class wait as long for the first command as the class"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.5, S42SCM1U, against 42.6, S42DSM1U, over all I/Os of an interval, where those are the same; half a microsecond each and 0.2 %"
*/
WITH class AS MATERIALIZED (
    SELECT f.run, s.system, p.smf42pts AS begin, p.smf42pte AS finish, s.s42scrnn AS name, sum(s.s42scion)::DOUBLE AS io_count, sum(s.s42scion::DOUBLE * s.s42scm1u) AS us
    FROM smf42_5_storage_class AS s
    JOIN smf42_5_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    JOIN load_file AS f ON f.file_id = s.file_id
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT f.run, i.system, p.smf42pts AS begin, p.smf42pte AS finish, d.s42dssc AS name, sum(i.s42dsion)::DOUBLE AS io_count, sum(i.s42dsion::DOUBLE * i.s42dsm1u) AS us
    FROM smf42_6_io AS i
    JOIN smf42_6_product AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
    JOIN smf42_6_dataset AS d ON d.file_id = i.file_id AND d.record_no = i.record_no AND d.section_no = i.dataset_no
    JOIN load_file AS f ON f.file_id = i.file_id
    GROUP BY ALL
)
SELECT c.run, c.system, strftime(c.begin, '%Y-%m-%dT%H:%M:%SZ') || ' ' || c.name AS key, c.us / c.io_count AS found, c.us / c.io_count - 0.5 AS found_low,
    c.us / c.io_count + 0.5 AS found_high, d.us / d.io_count * 0.998 - 0.5 AS low, d.us / d.io_count * 1.002 + 0.5 AS high
FROM class AS c
JOIN data_set AS d USING (run, system, begin, finish, name)
WHERE c.us > 0 AND c.io_count = d.io_count
