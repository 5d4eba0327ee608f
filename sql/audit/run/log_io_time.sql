/* imsperf check
title = "The logger waits as long as writes to its data sets take"
unit = "us"
source = "IMS log 4507 against record type 42.6 of data sets named WADS and OLDS, where the writes are the same to 0.5 %; each mean may be rounded or cut to a microsecond, and 0.5 %"
views = ["ims_logger", "smf_dataset_io"]
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, [sum(wads_excpvr), sum(olds_writes)]::DOUBLE[] AS io,
        [sum(wads_us), sum(olds_us)]::DOUBLE[] AS us
    FROM ims_logger
    WHERE NOT restarted AND records_written IS NOT NULL
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT run, system, [sum(if(dataset LIKE '%WADS%', io_count, 0)), sum(if(regexp_matches(dataset, 'OL(DS|P|S)'), io_count, 0))]::DOUBLE[] AS io,
        [sum(if(dataset LIKE '%WADS%', resp_us, 0)), sum(if(regexp_matches(dataset, 'OL(DS|P|S)'), resp_us, 0))]::DOUBLE[] AS us
    FROM smf_dataset_io
    GROUP BY ALL
)

SELECT l.run, l.system, v.what AS key, l.us[v.n] AS found, l.us[v.n] AS found_low, l.us[v.n] AS found_high,
    (d.us[v.n] - d.io[v.n] / 2) * 0.995 AS low, (d.us[v.n] + d.io[v.n]) * 1.005 AS high
FROM logger AS l
JOIN data_set AS d USING (run, system), LATERAL (VALUES (1, 'WADS'), (2, 'OLDS')) AS v (n, what)
WHERE l.us[v.n] > 0 AND l.io[v.n] BETWEEN d.io[v.n] * 0.995 - 2 AND d.io[v.n] * 1.005 + 2
