/* imsperf check
title = "The cache of a volume sees at least the I/Os of its data sets"
unit = "I/Os"
source = "record type 42.6 against 74.5, intervals that begin and end together; data sets of all systems whose records show the same counts of the volume, so the same volume; 0.5 % and 10 for the ends of intervals"
*/
WITH cache AS MATERIALIZED (
    SELECT run, system, interval_start_utc, ssid, device, volume, max(interval_s) AS interval_s,
        [sum(read_count + inhibit_count + bypass_cache_count), sum(write_count + inhibit_count + bypass_cache_count)] AS io
    FROM rmf_cache
    WHERE device IS NOT NULL AND volume IS NOT NULL
    GROUP BY ALL
),
data_set AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_s) AS interval_s,
        [sum(read_count), sum(io_count - read_count)] AS io
    FROM smf_dataset_io
    GROUP BY ALL
)
SELECT c.run, min(c.system) AS system, strftime(c.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || c.volume || ' ' || v.what AS key, sum(s.io[v.n]) AS found, sum(s.io[v.n]) AS found_low,
    sum(s.io[v.n]) AS found_high, 0 AS low, any_value(c.io[v.n]) * 1.005 + 10 AS high
FROM cache AS c
JOIN data_set AS s USING (run, system, interval_start_utc, volume),
    LATERAL (VALUES (1, 'reads'), (2, 'writes')) AS v (n, what)
WHERE abs(s.interval_s - c.interval_s) <= 0.001 * c.interval_s AND s.io[v.n] > 0
GROUP BY c.run, c.interval_start_utc, c.ssid, c.device, c.volume, c.io, v.what
