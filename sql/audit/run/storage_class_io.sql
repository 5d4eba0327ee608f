/* imsperf check
title = "The I/O of a storage class is that of its data sets"
unit = "I/Os"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.5 against 42.6, over the run; 0.5 % for the ends of intervals"
views = ["smf42_5_storage_class", "smf_dataset_io"]
*/
WITH class AS MATERIALIZED (
    SELECT f.run, s.system, s.s42scrnn AS name,
        [sum(s.s42scion), sum(s.s42scrdt), sum(s.s42schrd), sum(s.s42schwr)]::DOUBLE[] AS io
    FROM smf42_5_storage_class AS s
    JOIN load_file AS f ON f.file_id = s.file_id
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT run, system, storage_class AS name,
        [sum(io_count), sum(read_count), sum(zhpf_read_count), sum(zhpf_write_count)] AS io
    FROM smf_dataset_io
    GROUP BY ALL
)

SELECT c.run, c.system, c.name || ' ' || v.what AS key,
    c.io[v.n] AS found, c.io[v.n] AS found_low, c.io[v.n] AS found_high, d.io[v.n] * 0.995 AS low, d.io[v.n] * 1.005 AS high
FROM class AS c
JOIN data_set AS d USING (run, system, name),
    LATERAL (VALUES (1, 'all'), (2, 'reads'), (3, 'zHPF reads'), (4, 'zHPF writes')) AS v (n, what)
WHERE c.io[v.n] > 0
