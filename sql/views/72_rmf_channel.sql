-- rmf_channel: one row per system, interval and channel path; busy times and bytes as sums. What a
-- path counts depends on its measurement group: 1 counts busy time, 2 (FICON) work units and data
-- units, 3 (HiperSockets) messages and data units. Of the groups 4 and 5 the counters are not
-- known: NULL. A path outside every group is busy by samples.
CREATE OR REPLACE VIEW rmf_channel AS
WITH path AS (
    SELECT
        f.run,
        nullif(p.smf73xnm, '')                            AS sysplex,
        c.interval_start - p.smf73lgo                     AS interval_start_utc,
        epoch(p.smf73int)                                 AS interval_s,
        k.smf73smp                                        AS smf73smp,
        CASE WHEN c.smf73fg4 >= 128 THEN NULL ELSE nullif(c.smf73pti, 0) * 1024e-6 END
                                                          AS measured_s,
        c.*
    FROM smf73_1_channel AS c
    JOIN smf73_1_product AS p ON p.file_id = c.file_id AND p.record_no = c.record_no
    JOIN load_file AS f ON f.file_id = c.file_id
    LEFT JOIN smf73_1_control AS k ON k.file_id = c.file_id AND k.record_no = c.record_no
    QUALIFY counts_once_in(
        f.run, c.system, c.interval_start, (p.smf73xnm, p.smf73lgo, c.smf73pid),
        (c.file_id, c.record_no, c.section_no)
    )
)
SELECT
    c.run                                                 AS run, -- Measurement
    c.sysplex                                             AS sysplex, -- Sysplex name
    c.system                                              AS system, -- System name
    c.interval_start                                      AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                                  AS interval_start_utc, -- Interval start, UTC
    c.interval_s                                          AS interval_s, -- Length of the interval [s]
    hex2(c.smf73pid)                                      AS channel, -- Channel path id, two hex digits
    nullif(c.smf73acr, '')                                AS type, -- Path type: FC_S
    nullif(c.smf73gen, 0)::INTEGER                        AS generation, -- Generation of the channel type; NULL where 0
    CASE WHEN c.smf73spd > 0 THEN c.smf73spd * CASE WHEN (c.smf73msc & 15) > 0
        THEN 10.0 ** (c.smf73msc & 15) ELSE 1e8 END / 1e9 END AS speed_gbps, -- Speed at the end of the interval [10^9 bit/s]
    CASE WHEN (c.smf73fg3 & 1) <> 0 THEN 'Y' ELSE 'N' END AS shared, -- Y: shared by partitions
    (c.smf73fg2 & 1) <> 0                                 AS online, -- Online at the end of the interval
    c.smf73cmg::INTEGER                                   AS measurement_group, -- Channel measurement group, 0 = none
    c.measured_s                                          AS measured_s, -- Time the path was measured [s]; NULL where it was not
    CASE c.smf73cmg
        WHEN 0 THEN c.smf73pby * 1024e-6
        WHEN 1 THEN g1.smf73put * 128e-6
        WHEN 2 THEN g2.smf73puc / nullif(g2.smf73mcu, 0)
    END                                                   AS part_busy_s, -- Time this partition kept the path busy; of group 2 its work units at full speed [s]
    CASE c.smf73cmg
        WHEN 0 THEN c.smf73bsy / nullif(c.smf73smp, 0)::DOUBLE * c.interval_s
        WHEN 1 THEN g1.smf73tut * 128e-6
        WHEN 2 THEN g2.smf73tuc / nullif(g2.smf73mcu, 0)
    END                                                   AS total_busy_s, -- Time all partitions kept the path busy; outside the groups by samples of the interval [s]
    CASE WHEN c.smf73cmg = 0 THEN c.interval_s ELSE c.measured_s END AS total_measured_s, -- What total_busy_s is a share of [s]
    g2.smf73tbc / nullif(g2.smf73mbc, 0)                  AS bus_busy_s, -- Bus cycles of all partitions at full speed [s]
    g2.smf73pru * g2.smf73us                              AS read_part_bytes, -- Bytes this partition read
    g2.smf73tru * g2.smf73us                              AS read_total_bytes, -- Bytes all partitions read
    coalesce(g2.smf73pwu * g2.smf73us, g3.smf73pds * g3.smf73pdu) AS write_part_bytes, -- Bytes this partition wrote or sent
    coalesce(g2.smf73twu * g2.smf73us, g3.smf73tds * g3.smf73tdu) AS write_total_bytes, -- Bytes all partitions wrote or sent
    e.smf73eoc::DOUBLE                                    AS ficon_count, -- FICON operations in command mode
    e.smf73eos::DOUBLE                                    AS ficon_active_sum, -- FICON operations active at a time, summed over the operations
    e.smf73eod::DOUBLE                                    AS ficon_deferred_count, -- FICON operations that could not start at once
    e.smf73etc::DOUBLE                                    AS zhpf_count, -- zHPF operations in transport mode
    e.smf73ets::DOUBLE                                    AS zhpf_active_sum, -- zHPF operations active at a time, summed over the operations
    e.smf73etd::DOUBLE                                    AS zhpf_deferred_count, -- zHPF operations that could not start at once
    g3.smf73pms * g3.smf73pum                             AS message_part_count, -- HiperSockets messages this partition sent
    g3.smf73tms * g3.smf73tum                             AS message_total_count, -- HiperSockets messages all partitions sent
    g3.smf73pus                                           AS send_fail_part_count, -- HiperSockets sends of this partition that failed
    g3.smf73pub                                           AS receive_fail_part_count, -- HiperSockets receives of this partition that failed for lack of a buffer
    g3.smf73tub                                           AS receive_fail_total_count, -- HiperSockets receives of all partitions that failed for lack of a buffer
    c.file_id                                             AS file_id, -- File of the record
    c.record_no                                           AS record_no, -- Record in that file
    c.section_no                                          AS section_no -- Channel path section in the record
FROM path AS c
LEFT JOIN smf73_1_cmg1 AS g1 ON g1.file_id = c.file_id AND g1.record_no = c.record_no
    AND g1.channel_no = c.section_no AND c.smf73cmg = 1
LEFT JOIN smf73_1_cmg2 AS g2 ON g2.file_id = c.file_id AND g2.record_no = c.record_no
    AND g2.channel_no = c.section_no AND c.smf73cmg = 2
LEFT JOIN smf73_1_cmg3 AS g3 ON g3.file_id = c.file_id AND g3.record_no = c.record_no
    AND g3.channel_no = c.section_no AND c.smf73cmg = 3
LEFT JOIN smf73_1_extended AS e ON e.file_id = c.file_id AND e.record_no = c.record_no
    AND e.channel_no = c.section_no;

-- rmf_channel_interval: one row per system and interval with type 73 records.
CREATE OR REPLACE VIEW rmf_channel_interval AS
SELECT
    f.run                                       AS run, -- Measurement
    nullif(p.smf73xnm, '')                      AS sysplex, -- Sysplex name
    p.system                                    AS system, -- System name
    p.interval_start                            AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf73lgo               AS interval_start_utc, -- Interval start, UTC
    max(p.smf73cyc)                             AS cycle_ms, -- Sampling cycle [ms]
    max(p.smf73mvs)                             AS zos_level, -- Operating system level as stored
    max(c.smf73tsf)                             AS iodf_suffix, -- Suffix of the I/O definition file
    max(coalesce(nullif(c.smf73tdy, ''), c.smf73tdt)) AS iodf_date, -- Creation date of the I/O definition file, as stored
    max(c.smf73ttm)                             AS iodf_time, -- Creation time of the I/O definition file, as stored
    CASE WHEN max(c.smf73cfl & 64) > 0 THEN 'ACTIVATE' WHEN count(c.smf73cfl) > 0 THEN 'POR' END
                                                AS iodf_activation, -- POR, or ACTIVATE where the configuration changed since the IPL
    CASE max(c.smf73cmi) WHEN 2 THEN 'EXTENDED MODE' WHEN 1 THEN 'COMPATIBILITY MODE'
        WHEN 0 THEN 'NOT AVAILABLE' END         AS cpmf_mode, -- How the channel path measurement facility measured
    max(c.smf73css) FILTER (c.smf73sfl & 32 > 0) AS channel_subsystem -- Channel subsystem, of a machine with several
FROM smf73_1_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf73_1_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
GROUP BY ALL;
