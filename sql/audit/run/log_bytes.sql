/* imsperf check
title = "Log records are as long as the logger says"
unit = "bytes"
source = "IMS log 4507 against the records of the whole log: mean length, with and without A1, of which some are statistics of a checkpoint, which are not counted; where the numbers of records are the same to 2 %, so that few are of transactions that began or ended outside; 0.5 %"
views = ["ims_logger"]
*/
WITH counted AS MATERIALIZED (
    SELECT run, system, ims, file_id, sum(bytes_written)::DOUBLE AS bytes, sum(records_written)::DOUBLE AS records
    FROM ims_logger
    WHERE NOT restarted AND records_written > 0
    GROUP BY ALL
),
found AS MATERIALIZED (
    SELECT file_id, sum(records)::DOUBLE AS records, sum(bytes)::DOUBLE / sum(records) AS mean,
        sum(bytes) FILTER (type <> 'A1')::DOUBLE / sum(records) FILTER (type <> 'A1') AS mean_without
    FROM load_count
    WHERE kind = 'ims' AND NOT regexp_matches(type, '^(06|A0|4[0257])')
    GROUP BY file_id
)
SELECT c.run, c.system, c.ims AS key, c.bytes AS found, c.bytes AS found_low, c.bytes AS found_high,
    c.records * least(f.mean, f.mean_without) * 0.995 AS low, c.records * greatest(f.mean, f.mean_without) * 1.005 AS high
FROM counted AS c
JOIN found AS f USING (file_id)
JOIN ims_log_file AS l USING (file_id)
WHERE coalesce(l.sample_every, 1) = 1 AND f.records > 1000
    AND abs(f.records - c.records) <= 0.02 * c.records
