-- rmf_device: one row per system, interval and device; times as sums of microseconds.
-- An interval has many records (one chain per device class): a device goes with its own record.
-- A device that is twice in an interval of a run (overlapping dumps) counts once.
CREATE OR REPLACE VIEW rmf_device AS
WITH device AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                            AS sysplex,
        d.system,
        d.interval_start,
        d.interval_start - p.smf74lgo                     AS interval_start_utc,
        epoch(p.smf74int)                                 AS interval_s,
        epoch(p.smf74int) * 1e6                           AS interval_us,
        p.smf74sam::DOUBLE                                AS samples_count,
        printf('%X%04X', coalesce(d.smf74scs, 0),
            CASE WHEN d.smf74scs > 0 AND d.smf74nm2 > 0 THEN d.smf74nm2 ELSE d.smf74num END
        )                                                 AS device,
        -- measured times are void: channel measurement block, connect, disconnect
        (coalesce(d.smf74cnf, 0) & 32) <> 0               AS bad_block,
        (coalesce(d.smf74cnx, 0) & 4) <> 0                AS bad_connect,
        (coalesce(d.smf74cnx, 0) & 64) <> 0               AS bad_disconnect,
        (coalesce(d.smf74cnx, 0) & 2) <> 0                AS hyperpav,
        CASE
            WHEN (d.smf74cnx & 2) <> 0 AND d.smf74psm > 0 THEN d.smf74nux / d.smf74psm::DOUBLE
            WHEN (d.smf74cnx & 32) <> 0 THEN d.smf74nux::DOUBLE
            ELSE 1.0
        END                                               AS exposures,
        d.*
            EXCLUDE (system, interval_start, interval_end)
    FROM smf74_1_device AS d
    JOIN smf74_1_product AS p ON p.file_id = d.file_id AND p.record_no = d.record_no
    JOIN load_file AS f ON f.file_id = d.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, d.system, d.interval_start, p.smf74lgo,
            d.smf74scs, d.smf74nm2, d.smf74num
        ORDER BY d.file_id, d.record_no, d.section_no
    ) = 1
),
measured AS (
    SELECT
        *,
        CASE WHEN NOT bad_block AND NOT bad_connect THEN smf74cnn * 128.0 END    AS conn_us,
        CASE WHEN NOT bad_block AND NOT bad_disconnect THEN smf74dis * 128.0 END AS disc_us,
        CASE WHEN NOT bad_block THEN smf74pen * 128.0 END                        AS pend_us,
        CASE
            WHEN (smf74cnf & 128) <> 0 THEN NULL
            WHEN smf74ios <> 0 THEN smf74ios
            ELSE smf74que / nullif(samples_count, 0) * interval_us
        END                                               AS iosq_us,
        greatest(exposures, 1.0)                          AS divisor
    FROM device
)
SELECT
    run                                                   AS run,
    sysplex                                               AS sysplex,
    system                                                AS system,
    interval_start                                        AS interval_start,
    interval_start_utc                                    AS interval_start_utc,
    interval_s                                            AS interval_s,
    interval_us                                           AS interval_us,
    samples_count                                         AS samples_count,
    device                                                AS device,
    smf74ser                                              AS volume,
    printf('%04X', smf74lcu)                              AS lcu,
    nullif(smf74sgn, '')                                  AS storage_group,
    nullif(smf74dev, '')                                  AS device_type,
    nullif(smf74cap, 0)                                   AS cylinders,
    CASE (smf74typ >> 8) & 255
        WHEN 32 THEN 'DASD' WHEN 128 THEN 'TAPE' WHEN 65 THEN 'CTC' WHEN 8 THEN 'UNIT RECORD'
        WHEN 16 THEN 'GRAPHIC' WHEN 64 THEN 'COMMUNICATION' END AS device_class,
    exposures                                             AS pav,
    hyperpav                                              AS hyperpav,
    smf74ssc::DOUBLE                                      AS io_count,
    smf74mec::DOUBLE                                      AS measured_count,
    iosq_us                                               AS iosq_us,
    CASE WHEN NOT bad_block THEN smf74cmr * 128.0 END     AS cmr_us,
    CASE WHEN NOT bad_block THEN smf74dvb * 128.0 END     AS db_us,
    CASE WHEN NOT bad_block THEN smf74idt * 128.0 END     AS int_us,
    pend_us                                               AS pend_us,
    disc_us                                               AS disc_us,
    conn_us                                               AS conn_us,
    pend_us + disc_us + conn_us                           AS device_us,
    conn_us / divisor                                     AS conn_busy_us,
    (conn_us + disc_us + coalesce(smf74utl / nullif(samples_count, 0), 0) * interval_us) / divisor
                                                          AS util_busy_us,
    smf74rsv::DOUBLE                                      AS reserved_samples_count,
    smf74alc::DOUBLE                                      AS allocated_samples_count,
    smf74nda::DOUBLE                                      AS data_sets_count,
    smf74mtp::DOUBLE                                      AS mount_pending_samples_count,
    smf74nrd::DOUBLE                                      AS not_ready_samples_count,
    file_id                                               AS file_id,
    record_no                                             AS record_no,
    section_no                                            AS section_no
FROM measured;

COMMENT ON VIEW rmf_device IS 'One row per system, interval and device; times as sums, so that any mean can be made again';
COMMENT ON COLUMN rmf_device.run IS 'Measurement';
COMMENT ON COLUMN rmf_device.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_device.system IS 'System name';
COMMENT ON COLUMN rmf_device.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_device.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_device.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_device.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_device.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_device.device IS 'Subchannel set and device number, five hex digits';
COMMENT ON COLUMN rmf_device.volume IS 'Volume serial';
COMMENT ON COLUMN rmf_device.lcu IS 'Logical control unit, hex';
COMMENT ON COLUMN rmf_device.storage_group IS 'SMS storage group';
COMMENT ON COLUMN rmf_device.device_type IS 'Device model';
COMMENT ON COLUMN rmf_device.cylinders IS 'Capacity of the volume [cylinders]';
COMMENT ON COLUMN rmf_device.device_class IS 'Device class of the UCB type word';
COMMENT ON COLUMN rmf_device.pav IS 'Exposures: base and aliases, mean of the interval';
COMMENT ON COLUMN rmf_device.hyperpav IS 'HyperPAV base';
COMMENT ON COLUMN rmf_device.io_count IS 'Start subchannels';
COMMENT ON COLUMN rmf_device.measured_count IS 'Measured events: the divisor of all times but IOSQ';
COMMENT ON COLUMN rmf_device.iosq_us IS 'Queued in IOS [us]; from samples where SMF74IOS is missing or 0';
COMMENT ON COLUMN rmf_device.cmr_us IS 'Command response delay, part of pending [us]';
COMMENT ON COLUMN rmf_device.db_us IS 'Device busy delay, part of pending [us]';
COMMENT ON COLUMN rmf_device.int_us IS 'Interrupt delay, not part of response [us]';
COMMENT ON COLUMN rmf_device.pend_us IS 'Pending [us]';
COMMENT ON COLUMN rmf_device.disc_us IS 'Disconnected [us]';
COMMENT ON COLUMN rmf_device.conn_us IS 'Connected [us]';
COMMENT ON COLUMN rmf_device.device_us IS 'Pending, disconnected and connected [us]';
COMMENT ON COLUMN rmf_device.conn_busy_us IS 'Connected, over the exposures [us]';
COMMENT ON COLUMN rmf_device.util_busy_us IS 'Connected, disconnected or reserved elsewhere, over the exposures [us]';
COMMENT ON COLUMN rmf_device.reserved_samples_count IS 'Samples in which the device was reserved';
COMMENT ON COLUMN rmf_device.allocated_samples_count IS 'Samples in which the device was allocated';
COMMENT ON COLUMN rmf_device.data_sets_count IS 'Open data sets added over the samples';
COMMENT ON COLUMN rmf_device.mount_pending_samples_count IS 'Samples with a mount pending';
COMMENT ON COLUMN rmf_device.not_ready_samples_count IS 'Samples in which the device was not ready';
COMMENT ON COLUMN rmf_device.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_device.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_device.section_no IS 'Device section in the record';
