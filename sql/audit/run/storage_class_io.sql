/* imsperf check
title = "The I/O of a storage class is that of its data sets"
unit = "I/Os"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.5 against 42.6, of the same interval; exact"
*/
WITH class AS MATERIALIZED (
    SELECT f.run, s.system, p.smf42pts AS begin, p.smf42pte AS finish, s.s42scrnn AS name,
        [sum(s.s42scion), sum(s.s42scrdt), sum(s.s42schrd), sum(s.s42schwr)]::DOUBLE[] AS io
    FROM smf42_5_storage_class AS s
    JOIN smf42_5_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    JOIN load_file AS f ON f.file_id = s.file_id
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT run, system, interval_start_utc AS begin, audit_end(interval_start_utc, interval_s) AS finish, storage_class AS name,
        [sum(io_count), sum(read_count), sum(zhpf_read_count), sum(zhpf_write_count)] AS io
    FROM smf_dataset_io
    GROUP BY ALL
),
-- where fewer data sets are named than elsewhere, records may be missing
whole AS (
    SELECT run, system, interval_start_utc AS begin, count(*) AS number
    FROM smf_dataset_io
    GROUP BY run, system, interval_start_utc
    QUALIFY number = max(number) OVER (PARTITION BY run, system)
)

SELECT c.run, c.system, strftime(c.begin, '%Y-%m-%dT%H:%M:%SZ') || ' ' || c.name || ' ' || v.what AS key,
    c.io[v.n] AS found, c.io[v.n] AS found_low, c.io[v.n] AS found_high, d.io[v.n] AS low, d.io[v.n] AS high
FROM class AS c
JOIN data_set AS d USING (run, system, begin, finish, name)
JOIN whole AS w USING (run, system, begin),
    LATERAL (VALUES (1, 'all'), (2, 'reads'), (3, 'zHPF reads'), (4, 'zHPF writes')) AS v (n, what)
WHERE c.io[v.n] > 0
