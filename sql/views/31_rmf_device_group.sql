-- rmf_dasd_parts: what DASD are added up by: a device whose measured times are void is counted and
-- has no part in the times. CASE, as DuckDB takes longer for FILTER.
CREATE OR REPLACE MACRO rmf_dasd_parts() AS TABLE
SELECT
    run, sysplex, system, interval_start, interval_start_utc, interval_s, interval_us,
    device, volume, lcu, storage_group, pav, io_count, iosq_us, device_us,
    CASE WHEN iosq_us IS NOT NULL THEN io_count END         AS iosq_io_count,
    CASE WHEN device_us IS NOT NULL THEN measured_count END AS measured_count,
    CASE WHEN device_us IS NOT NULL THEN cmr_us END         AS cmr_us,
    CASE WHEN device_us IS NOT NULL THEN db_us END          AS db_us,
    CASE WHEN device_us IS NOT NULL THEN int_us END         AS int_us,
    CASE WHEN device_us IS NOT NULL THEN pend_us END        AS pend_us,
    CASE WHEN device_us IS NOT NULL THEN disc_us END        AS disc_us,
    CASE WHEN device_us IS NOT NULL THEN conn_us END        AS conn_us,
    CASE WHEN device_us IS NOT NULL THEN conn_busy_us END   AS conn_busy_us,
    CASE WHEN device_us IS NOT NULL THEN util_busy_us END   AS util_busy_us,
    CASE WHEN device_us IS NOT NULL THEN interval_us END    AS measured_interval_us,
    reserved_samples_count / nullif(samples_count, 0) * interval_us  AS reserved_us,
    allocated_samples_count / nullif(samples_count, 0) * interval_us AS allocated_us,
    data_sets_count / nullif(samples_count, 0) * interval_us         AS open_data_sets_us
FROM rmf_device
WHERE device_class = 'DASD';

-- rmf_device_group: one row per system, interval and logical control unit or storage group: its
-- DASD, added up.
CREATE OR REPLACE VIEW rmf_device_group AS
SELECT
    run                                                   AS run, -- Measurement
    sysplex                                               AS sysplex, -- Sysplex name
    system                                                AS system, -- System name
    interval_start                                        AS interval_start, -- Interval start, local time of the system
    interval_start_utc                                    AS interval_start_utc, -- Interval start, UTC
    CASE WHEN grouping(lcu) = 0 THEN 'LCU' ELSE 'STORAGE GROUP' END AS kind, -- LCU or STORAGE GROUP
    lcu                                                   AS lcu, -- Logical control unit, hex
    storage_group                                         AS storage_group, -- SMS storage group
    max(interval_s)                                       AS interval_s, -- Length of the interval [s]
    count(*)::DOUBLE                                      AS device_count, -- Devices
    sum(io_count)                                         AS io_count, -- Start subchannels
    sum(iosq_io_count)                                    AS iosq_io_count, -- Those whose time in IOS is known: the divisor of it
    sum(measured_count)                                   AS measured_count, -- Measured events of devices with valid times: the divisor of all times but IOSQ
    sum(iosq_us)                                          AS iosq_us, -- Queued in IOS [us]
    sum(cmr_us)                                           AS cmr_us, -- Command response delay, part of pending [us]
    sum(db_us)                                            AS db_us, -- Device busy delay, part of pending [us]
    sum(int_us)                                           AS int_us, -- Interrupt delay, not part of response [us]
    sum(pend_us)                                          AS pend_us, -- Pending [us]
    sum(disc_us)                                          AS disc_us, -- Disconnected [us]
    sum(conn_us)                                          AS conn_us, -- Connected [us]
    sum(device_us)                                        AS device_us, -- Pending, disconnected and connected [us]
    sum(conn_busy_us)                                     AS conn_busy_us, -- Connected, over the exposures [us]
    sum(util_busy_us)                                     AS util_busy_us, -- Connected, disconnected or reserved elsewhere, over the exposures [us]
    sum(measured_interval_us)                             AS devices_us, -- Length of the interval, times the devices with valid times [us]
    sum(interval_us)                                      AS all_devices_us, -- Length of the interval, times all devices [us]
    max(interval_us)                                      AS interval_us, -- Length of the interval [us]
    sum(reserved_us)                                      AS reserved_us, -- Time reserved, from the samples [us]
    sum(allocated_us)                                     AS allocated_us, -- Time allocated, from the samples [us]
    sum(open_data_sets_us)                                AS open_data_sets_us -- Time data sets were open, all of them, from the samples [us]
FROM rmf_dasd_parts()
GROUP BY run, sysplex, system, interval_start, interval_start_utc,
    GROUPING SETS ((lcu), (storage_group));

-- rmf_shared_device: one row per volume that several systems of a sysplex use, interval and system,
-- and one for all systems together (system *ALL). Intervals are the same where they begin at the
-- same time.
CREATE OR REPLACE VIEW rmf_shared_device AS
WITH asked_interval AS (
    SELECT run, sysplex, system, interval_start
    FROM rmf_device_interval
    -- all systems of an interval that is in the range by the clock of one
    QUALIFY bool_or(in_report_range(interval_start)) OVER (
        PARTITION BY run, sysplex, interval_start_utc
    )
),
system_volume AS (
    SELECT
        d.run, d.sysplex, d.system, d.interval_start_utc, d.volume,
        min(d.interval_start) AS interval_start,
        any_value(d.device) AS device,
        any_value(d.lcu) AS lcu,
        any_value(d.pav) AS pav,
        max(d.interval_s) AS interval_s,
        count(*)::DOUBLE AS device_count,
        sum(d.io_count) AS io_count,
        sum(d.iosq_io_count) AS iosq_io_count,
        sum(d.measured_count) AS measured_count,
        sum(d.iosq_us) AS iosq_us,
        sum(d.cmr_us) AS cmr_us,
        sum(d.db_us) AS db_us,
        sum(d.int_us) AS int_us,
        sum(d.pend_us) AS pend_us,
        sum(d.disc_us) AS disc_us,
        sum(d.conn_us) AS conn_us,
        sum(d.device_us) AS device_us,
        sum(d.conn_busy_us) AS conn_busy_us,
        sum(d.util_busy_us) AS util_busy_us,
        max(d.interval_us) AS interval_us,
        sum(d.reserved_us) AS reserved_us,
        sum(d.allocated_us) AS allocated_us,
        sum(d.open_data_sets_us) AS open_data_sets_us
    FROM rmf_dasd_parts() AS d
    SEMI JOIN asked_interval AS n
        ON n.run = d.run AND n.system = d.system AND n.interval_start = d.interval_start
        AND n.sysplex IS NOT DISTINCT FROM d.sysplex
    WHERE d.volume <> ''
    GROUP BY d.run, d.sysplex, d.system, d.interval_start_utc, d.volume
),
-- from the devices, not from the sums above: a comparison reads the rows of all systems together
-- alone, and has them in less than half the time so
shared AS (
    SELECT
        d.run, d.sysplex, d.interval_start_utc, d.volume,
        min(d.interval_start) AS interval_start,
        max(d.interval_s) AS interval_s,
        count(*)::DOUBLE AS device_count,
        sum(d.io_count) AS io_count,
        sum(d.iosq_io_count) AS iosq_io_count,
        sum(d.measured_count) AS measured_count,
        sum(d.iosq_us) AS iosq_us,
        sum(d.cmr_us) AS cmr_us,
        sum(d.db_us) AS db_us,
        sum(d.int_us) AS int_us,
        sum(d.pend_us) AS pend_us,
        sum(d.disc_us) AS disc_us,
        sum(d.conn_us) AS conn_us,
        sum(d.device_us) AS device_us,
        sum(d.conn_busy_us) AS conn_busy_us,
        sum(d.util_busy_us) AS util_busy_us,
        max(d.interval_us) AS interval_us,
        sum(d.reserved_us) AS reserved_us,
        sum(d.allocated_us) AS allocated_us,
        sum(d.open_data_sets_us) AS open_data_sets_us
    FROM rmf_dasd_parts() AS d
    SEMI JOIN asked_interval AS n
        ON n.run = d.run AND n.system = d.system AND n.interval_start = d.interval_start
        AND n.sysplex IS NOT DISTINCT FROM d.sysplex
    WHERE d.volume <> ''
    GROUP BY d.run, d.sysplex, d.interval_start_utc, d.volume
    HAVING min(d.system) <> max(d.system)
),
line AS (
    SELECT v.*, false AS all_systems
    FROM system_volume AS v
    SEMI JOIN shared AS s
        ON s.run = v.run AND s.volume = v.volume AND s.sysplex IS NOT DISTINCT FROM v.sysplex
        AND s.interval_start_utc IS NOT DISTINCT FROM v.interval_start_utc
    UNION ALL BY NAME
    SELECT *, true AS all_systems FROM shared
)
SELECT
    run                                                   AS run, -- Measurement
    sysplex                                               AS sysplex, -- Sysplex name
    coalesce(system, '*ALL')                              AS system, -- System name; *ALL for all together
    interval_start                                        AS interval_start, -- Interval start, local time of the system
    interval_start_utc                                    AS interval_start_utc, -- Interval start, UTC
    volume                                                AS volume, -- Volume serial
    all_systems                                           AS all_systems, -- The row of all systems together
    device                                                AS device, -- Device number that the system knows it by
    lcu                                                   AS lcu, -- Logical control unit of the system, hex
    pav                                                   AS pav, -- Exposures: base and aliases, mean of the interval
    interval_s                                            AS interval_s, -- Length of the interval [s]
    device_count                                          AS device_count, -- Devices
    io_count                                              AS io_count, -- Start subchannels
    iosq_io_count                                         AS iosq_io_count, -- Those whose time in IOS is known: the divisor of it
    measured_count                                        AS measured_count, -- Measured events of devices with valid times: the divisor of all times but IOSQ
    iosq_us                                               AS iosq_us, -- Queued in IOS [us]
    cmr_us                                                AS cmr_us, -- Command response delay, part of pending [us]
    db_us                                                 AS db_us, -- Device busy delay, part of pending [us]
    int_us                                                AS int_us, -- Interrupt delay, not part of response [us]
    pend_us                                               AS pend_us, -- Pending [us]
    disc_us                                               AS disc_us, -- Disconnected [us]
    conn_us                                               AS conn_us, -- Connected [us]
    device_us                                             AS device_us, -- Pending, disconnected and connected [us]
    conn_busy_us                                          AS conn_busy_us, -- Connected, over the exposures [us]
    util_busy_us                                          AS util_busy_us, -- Connected, disconnected or reserved elsewhere, over the exposures [us]
    interval_us                                           AS interval_us, -- Length of the interval [us]
    reserved_us                                           AS reserved_us, -- Time reserved, from the samples [us]
    allocated_us                                          AS allocated_us, -- Time allocated, from the samples [us]
    open_data_sets_us                                     AS open_data_sets_us -- Time data sets were open, all of them, from the samples [us]
FROM line;
