/* imsperf check
title = "The I/O time of a storage class is that of its data sets"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.5 against 42.6, over all intervals that both have and in which the I/Os are the same; means of both may be rounded or cut: a microsecond each and 0.2 %"
*/
WITH class AS MATERIALIZED (
    SELECT f.run, s.system, p.smf42pts AS begin, p.smf42pte AS finish, s.s42scrnn AS name,
        sum(s.s42scion)::DOUBLE AS io_count,
        [sum(s.s42scion::DOUBLE * s.s42scr1u), sum(s.s42scion::DOUBLE * s.s42scc1u),
            sum(s.s42scion::DOUBLE * s.s42scp1u)] AS us
    FROM smf42_5_storage_class AS s
    JOIN smf42_5_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    JOIN load_file AS f ON f.file_id = s.file_id
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT run, system, interval_start_utc AS begin, audit_end(interval_start_utc, interval_s) AS finish, storage_class AS name,
        sum(io_count) AS io_count, [sum(resp_us), sum(conn_us), sum(pend_us)] AS us
    FROM smf_dataset_io
    GROUP BY ALL
),
paired AS (
    SELECT c.run, c.system, c.name, v.what, sum(c.io_count) AS io_count, sum(d.io_count) AS data_set_count, sum(c.us[v.n]) AS us, sum(d.us[v.n]) AS data_set_us
    FROM class AS c
    JOIN data_set AS d USING (run, system, begin, finish, name),
        LATERAL (VALUES (1, 'response'), (2, 'connect'), (3, 'pending')) AS v (n, what)
    GROUP BY ALL
)
SELECT run, system, name || ' ' || what AS key, us AS found, us - io_count AS found_low, us + io_count AS found_high,
    data_set_us * 0.998 AS low, data_set_us * 1.002 AS high
FROM paired
WHERE us > 0 AND io_count = data_set_count
