-- rmf_device_section: one row per device section of type 74.1: where it stands, and what tells it
-- from the others of its interval.
CREATE OR REPLACE VIEW rmf_device_section AS
SELECT
    f.run                                            AS run, -- Measurement
    nullif(p.smf74xnm, '')                           AS sysplex, -- Sysplex name
    d.system                                         AS system, -- System name
    d.interval_start                                 AS interval_start, -- Interval start, local time of the system
    d.interval_start - p.smf74lgo                    AS interval_start_utc, -- Interval start, UTC
    {'smf74xnm': p.smf74xnm, 'smf74lgo': p.smf74lgo, 'smf74scs': d.smf74scs,
     'smf74nm2': d.smf74nm2, 'smf74num': d.smf74num}
                                                     AS key, -- Sysplex, UTC offset, subchannel set and number of the device
    d.file_id                                        AS file_id, -- File of the record
    d.record_no                                      AS record_no, -- Record in that file
    d.section_no                                     AS section_no -- Section in the record
FROM smf74_1_device AS d
JOIN smf74_1_product AS p ON p.file_id = d.file_id AND p.record_no = d.record_no
JOIN load_file AS f ON f.file_id = d.file_id;

-- rmf_device: one row per system, interval and device; times as sums, so that any mean can be made
-- again. An interval has many records (one chain per device class): a device goes with its own
-- record. A device that is twice in an interval of a run (overlapping dumps) counts once.
CREATE OR REPLACE VIEW rmf_device AS
WITH section AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                            AS sysplex,
        d.system,
        d.interval_start,
        d.interval_start - p.smf74lgo                     AS interval_start_utc,
        epoch(p.smf74int)                                 AS interval_s,
        epoch(p.smf74int) * 1e6                           AS interval_us,
        p.smf74sam::DOUBLE                                AS samples_count,
        hex(coalesce(d.smf74scs, 0)) || hex4(
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
    FROM sections_once('section', 'rmf_device_section')
)
SELECT
    run                                                   AS run, -- Measurement
    sysplex                                               AS sysplex, -- Sysplex name
    system                                                AS system, -- System name
    interval_start                                        AS interval_start, -- Interval start, local time of the system
    interval_start_utc                                    AS interval_start_utc, -- Interval start, UTC
    interval_s                                            AS interval_s, -- Length of the interval [s]
    interval_us                                           AS interval_us, -- Length of the interval [us]
    samples_count                                         AS samples_count, -- RMF samples
    device                                                AS device, -- Subchannel set and device number, five hex digits
    smf74ser                                              AS volume, -- Volume serial
    hex4(smf74lcu)                                        AS lcu, -- Logical control unit, hex
    nullif(smf74sgn, '')                                  AS storage_group, -- SMS storage group
    nullif(smf74dev, '')                                  AS device_type, -- Device model
    nullif(smf74cap, 0)                                   AS cylinders, -- Capacity of the volume [cylinders]
    CASE (smf74typ >> 8) & 255
        WHEN 32 THEN 'DASD' WHEN 128 THEN 'TAPE' WHEN 65 THEN 'CTC' WHEN 8 THEN 'UNIT RECORD'
        WHEN 16 THEN 'GRAPHIC' WHEN 64 THEN 'COMMUNICATION' END AS device_class, -- Device class of the UCB type word
    exposures                                             AS pav, -- Exposures: base and aliases, mean of the interval
    hyperpav                                              AS hyperpav, -- HyperPAV base
    smf74ssc::DOUBLE                                      AS io_count, -- Start subchannels
    smf74mec::DOUBLE                                      AS measured_count, -- Measured events: the divisor of all times but IOSQ
    iosq_us                                               AS iosq_us, -- Queued in IOS [us]; from samples where SMF74IOS is missing or 0
    CASE WHEN NOT bad_block THEN smf74cmr * 128.0 END     AS cmr_us, -- Command response delay, part of pending [us]
    CASE WHEN NOT bad_block THEN smf74dvb * 128.0 END     AS db_us, -- Device busy delay, part of pending [us]
    CASE WHEN NOT bad_block THEN smf74idt * 128.0 END     AS int_us, -- Interrupt delay, not part of response [us]
    pend_us                                               AS pend_us, -- Pending [us]
    disc_us                                               AS disc_us, -- Disconnected [us]
    conn_us                                               AS conn_us, -- Connected [us]
    pend_us + disc_us + conn_us                           AS device_us, -- Pending, disconnected and connected [us]
    conn_us / divisor                                     AS conn_busy_us, -- Connected, over the exposures [us]
    (conn_us + disc_us + coalesce(smf74utl / nullif(samples_count, 0), 0) * interval_us) / divisor
                                                          AS util_busy_us, -- Connected, disconnected or reserved elsewhere, over the exposures [us]
    smf74rsv::DOUBLE                                      AS reserved_samples_count, -- Samples in which the device was reserved
    smf74alc::DOUBLE                                      AS allocated_samples_count, -- Samples in which the device was allocated
    smf74nda::DOUBLE                                      AS data_sets_count, -- Open data sets added over the samples
    smf74mtp::DOUBLE                                      AS mount_pending_samples_count, -- Samples with a mount pending
    smf74nrd::DOUBLE                                      AS not_ready_samples_count, -- Samples in which the device was not ready
    CASE WHEN (smf74typ >> 8) & 255 = 128 THEN smf74mtc::DOUBLE END AS mounts_count, -- Tape: mounts
    CASE WHEN (smf74typ >> 8) & 255 = 128
        THEN smf74mtp / nullif(samples_count, 0) * interval_us END AS mount_us, -- Tape: time a mount was pending, from the samples [us]
    CASE WHEN (smf74typ >> 8) & 255 = 128
        THEN smf74alc / nullif(samples_count, 0) * interval_us END AS allocated_us, -- Tape: time allocated, from the samples [us]
    file_id                                               AS file_id, -- File of the record
    record_no                                             AS record_no, -- Record in that file
    section_no                                            AS section_no -- Device section in the record
FROM measured;
