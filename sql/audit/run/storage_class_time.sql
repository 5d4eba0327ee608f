/* imsperf check
title = "The I/O time of a storage class is that of its data sets"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.5 against 42.6, of the same interval; means of both may be rounded or cut: a microsecond each and 0.2 %"
views = ["smf42_5_storage_class", "smf42_5_product", "smf_dataset_io"]
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
)

SELECT c.run, c.system, strftime(c.begin, '%Y-%m-%dT%H:%M:%SZ') || ' ' || c.name || ' ' || v.what AS key,
    c.us[v.n] AS found, c.us[v.n] - c.io_count AS found_low, c.us[v.n] + c.io_count AS found_high,
    d.us[v.n] * 0.998 AS low, d.us[v.n] * 1.002 AS high
FROM class AS c
JOIN data_set AS d USING (run, system, begin, finish, name),
    LATERAL (VALUES (1, 'response'), (2, 'connect'), (3, 'pending')) AS v (n, what)
WHERE c.us[v.n] > 0 AND c.io_count BETWEEN d.io_count * 0.995 AND d.io_count * 1.005
