/* imsperf check
title = "CPU of CICS tasks is at most that of their address spaces"
unit = "us"
source = "record types 110.1 (USRCPUT) and 30, over the run where intervals of type 30 cover all ends of tasks without a gap; all regions of a system that write both; 2 % for tasks that began before, and the hundredths of a second of each interval"
*/
WITH task AS (
    SELECT f.run, p.system, p.smfmnjbn AS job, sum(t.usrcput_us) AS us, min(t.stop) AS first_utc, max(t.stop) AS last_utc
    FROM smf110_1_performance AS t
    JOIN smf110_1_product AS p ON p.file_id = t.file_id AND p.record_no = t.record_no
    JOIN load_file AS f ON f.file_id = t.file_id
    GROUP BY ALL
),
space AS (
    SELECT run, system, job, sum(cpu_us + coalesce(ziip_us, 0)) AS us, 20_000 * count(*) AS room, min(interval_start_utc) AS first_utc, sum(interval_s) AS seconds,
        max(interval_start_utc + to_microseconds((1e6 * interval_s)::BIGINT)) AS last_utc
    FROM smf_address_space
    WHERE kind = 'interval'
    GROUP BY ALL
)
SELECT t.run, t.system, 'CICS' AS key, sum(t.us) AS found, sum(t.us) AS found_low, sum(t.us) AS found_high, 0 AS low,
    sum(s.us) * 1.02 + sum(s.room) AS high
FROM task AS t
JOIN space AS s ON s.run = t.run AND s.system = t.system AND s.job = t.job
WHERE audit_fills(s.seconds, s.first_utc, s.last_utc) AND s.first_utc <= t.first_utc AND s.last_utc >= t.last_utc - INTERVAL 1 SECOND
GROUP BY ALL
