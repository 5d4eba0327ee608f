/* imsperf check
title = "The logger writes as often as its data sets are written"
unit = "I/Os"
source = "IMS log 4507 against record type 42.6 of data sets named WADS and OLDS (DFSWADSn, DFSOLPnn, DFSOLSnn), over the run; 0.5 % and 2 for the ends"
views = ["ims_logger", "smf_dataset_io"]
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, [sum(wads_excpvr), sum(olds_writes)]::DOUBLE[] AS io
    FROM ims_logger
    WHERE NOT restarted AND records_written IS NOT NULL
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT run, system, [sum(if(dataset LIKE '%WADS%', io_count, 0)), sum(if(regexp_matches(dataset, 'OL(DS|P|S)'), io_count, 0))]::DOUBLE[] AS io
    FROM smf_dataset_io
    GROUP BY ALL
)

SELECT l.run, l.system, v.what AS key, l.io[v.n] AS found, l.io[v.n] AS found_low, l.io[v.n] AS found_high,
    d.io[v.n] * 0.995 - 2 AS low, d.io[v.n] * 1.005 + 2 AS high
FROM logger AS l
JOIN data_set AS d USING (run, system), LATERAL (VALUES (1, 'WADS'), (2, 'OLDS')) AS v (n, what)
WHERE l.io[v.n] > 0 AND d.io[v.n] > 0
