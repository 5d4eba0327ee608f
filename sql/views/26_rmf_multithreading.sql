-- rmf_multithreading: one row per system, interval and processor type of a system with cores:
-- threads of a core, and what multithreading makes of its capacity.
CREATE OR REPLACE VIEW rmf_multithreading AS
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name
    i.system                                         AS system, -- System name
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    any_value(i.interval_s)                          AS interval_s, -- Length of the interval [s]
    any_value(i.interval_us)                         AS interval_us, -- Length of the interval [us]
    CASE u.smf70typ WHEN 0 THEN 'CP' WHEN 1 THEN 'AAP' WHEN 2 THEN 'IIP' END AS type, -- CP, AAP or IIP
    max(k.smf70_cpu_num)::INTEGER                    AS threads, -- Threads of a core, most
    any_value(
        CASE u.smf70typ WHEN 0 THEN c.smf70mcf WHEN 1 THEN c.smf70mcfi WHEN 2 THEN c.smf70mcfs END
    ) / 1024.0                                     AS capacity_max, -- Maximum capacity of a core, one thread = 1
    any_value(
        CASE u.smf70typ WHEN 0 THEN c.smf70cf WHEN 1 THEN c.smf70cfi WHEN 2 THEN c.smf70cfs END
    ) / 1024.0                                     AS capacity, -- Capacity of a core as it was used, one thread = 1
    any_value(
        CASE u.smf70typ WHEN 0 THEN c.smf70atd WHEN 1 THEN c.smf70atdi WHEN 2 THEN c.smf70atds END
    ) / 1024.0                                     AS thread_density -- Threads active on a core that is busy, mean
FROM rmf_cpu_interval AS i
JOIN smf70_1_control AS c ON c.file_id = i.file_id AND c.record_no = i.record_no
JOIN smf70_1_core AS k ON k.file_id = i.file_id AND k.record_no = i.record_no
JOIN smf70_1_cpu AS u
    ON u.file_id = k.file_id AND u.record_no = k.record_no
    AND u.section_no = k.smf70_cpu_skip::INTEGER + 1
GROUP BY i.run, i.sysplex, i.system, i.interval_start, i.interval_start_utc, u.smf70typ;
