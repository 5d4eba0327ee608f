-- rmf_xcf_system: one row per system, interval, other system, direction and transport class.
CREATE OR REPLACE VIEW rmf_xcf_system AS
WITH signal AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo          AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        epoch(p.smf74int) * 1e6                      AS interval_us,
        p.smf74sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf74_2_system AS x
    JOIN smf74_2_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf74lgo,
            x.r742snme, x.r742sdir, x.r742stcn
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.r742snme                                    AS remote_system,
    CASE WHEN (x.r742sdir & 128) <> 0 THEN 'IN' WHEN (x.r742sdir & 64) <> 0 THEN 'OUT'
        WHEN (x.r742sdir & 32) <> 0 THEN 'LOCAL' END AS direction,
    nullif(x.r742stcn, '')                        AS transport_class,
    nullif(x.r742stcl, 0)::BIGINT                 AS buffer_length,
    x.r742spth::DOUBLE                            AS paths,
    x.r742sbig::DOUBLE + x.r742sfit + x.r742ssml  AS request_count,
    x.r742ssml::DOUBLE                            AS small_count,
    x.r742sfit::DOUBLE                            AS fit_count,
    x.r742sbig::DOUBLE                            AS big_count,
    x.r742sovr::DOUBLE                            AS overhead_count,
    x.r742snop::DOUBLE                            AS no_path_count,
    x.r742sbsy::DOUBLE                            AS no_buffer_count,
    x.r742smxb::DOUBLE                            AS max_buffer_kb,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM signal AS x;

COMMENT ON VIEW rmf_xcf_system IS 'One row per system, interval, other system, direction and transport class of XCF signals';
COMMENT ON COLUMN rmf_xcf_system.run IS 'Measurement';
COMMENT ON COLUMN rmf_xcf_system.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_xcf_system.system IS 'System name';
COMMENT ON COLUMN rmf_xcf_system.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_xcf_system.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_xcf_system.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_xcf_system.remote_system IS 'System at the other end';
COMMENT ON COLUMN rmf_xcf_system.direction IS 'IN, OUT or LOCAL';
COMMENT ON COLUMN rmf_xcf_system.transport_class IS 'Transport class';
COMMENT ON COLUMN rmf_xcf_system.buffer_length IS 'Message length of the transport class [bytes]';
COMMENT ON COLUMN rmf_xcf_system.paths IS 'Signalling paths at work';
COMMENT ON COLUMN rmf_xcf_system.request_count IS 'Messages';
COMMENT ON COLUMN rmf_xcf_system.small_count IS 'Messages that a shorter buffer would have held';
COMMENT ON COLUMN rmf_xcf_system.fit_count IS 'Messages that fit the length of their class';
COMMENT ON COLUMN rmf_xcf_system.big_count IS 'Messages longer than the length of their class';
COMMENT ON COLUMN rmf_xcf_system.overhead_count IS 'Big messages sent with overhead';
COMMENT ON COLUMN rmf_xcf_system.no_path_count IS 'Times no path could be used';
COMMENT ON COLUMN rmf_xcf_system.no_buffer_count IS 'Times no message buffer was free';
COMMENT ON COLUMN rmf_xcf_system.max_buffer_kb IS 'Most storage for message buffers [KB]';
COMMENT ON COLUMN rmf_xcf_system.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_xcf_system.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_xcf_system.section_no IS 'Section in the record';

-- rmf_xcf_path: one row per system, interval and signalling path.
CREATE OR REPLACE VIEW rmf_xcf_path AS
WITH path AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo          AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        epoch(p.smf74int) * 1e6                      AS interval_us,
        p.smf74sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf74_2_path AS x
    JOIN smf74_2_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf74lgo,
            x.r742pnme, x.r742pdir, x.r742pdev, x.r742pstr, x.r742plin
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.samples_count                               AS samples_count,
    x.r742pnme                                    AS remote_system,
    CASE WHEN (x.r742pdir & 128) <> 0 THEN 'IN' WHEN (x.r742pdir & 64) <> 0 THEN 'OUT' END
                                                  AS direction,
    CASE x.r742ptyp WHEN 1 THEN 'CTC' WHEN 3 THEN 'STRUCTURE' END AS type,
    coalesce(nullif(x.r742pdev, ''), nullif(x.r742pstr, '')) AS device,
    nullif(x.r742podv, '')                        AS remote_device,
    nullif(x.r742plin, 0)::BIGINT                 AS list_no,
    nullif(x.r742ptcn, '')                        AS transport_class,
    x.r742psig::DOUBLE                            AS signal_count,
    x.r742pqln::DOUBLE                            AS queue_sum,
    x.r742psus::DOUBLE                            AS idle_count,
    x.r742papp::DOUBLE                            AS busy_count,
    x.r742pibr::DOUBLE                            AS reject_count,
    x.r742prst::DOUBLE                            AS restart_count,
    CASE WHEN x.r742piot < 4294967295 THEN x.r742piot END::DOUBLE AS transfer_us,
    x.r742pnib_timesum::DOUBLE                    AS no_buffer_us,
    x.r742pnib_time::DOUBLE                       AS no_buffer_count,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM path AS x;

COMMENT ON VIEW rmf_xcf_path IS 'One row per system, interval and signalling path';
COMMENT ON COLUMN rmf_xcf_path.run IS 'Measurement';
COMMENT ON COLUMN rmf_xcf_path.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_xcf_path.system IS 'System name';
COMMENT ON COLUMN rmf_xcf_path.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_xcf_path.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_xcf_path.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_xcf_path.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_xcf_path.remote_system IS 'System at the other end';
COMMENT ON COLUMN rmf_xcf_path.direction IS 'IN or OUT';
COMMENT ON COLUMN rmf_xcf_path.type IS 'CTC or STRUCTURE';
COMMENT ON COLUMN rmf_xcf_path.device IS 'Device number here, or the structure';
COMMENT ON COLUMN rmf_xcf_path.remote_device IS 'Device number at the other end';
COMMENT ON COLUMN rmf_xcf_path.list_no IS 'List in the structure';
COMMENT ON COLUMN rmf_xcf_path.transport_class IS 'Transport class';
COMMENT ON COLUMN rmf_xcf_path.signal_count IS 'Signals that went over the path';
COMMENT ON COLUMN rmf_xcf_path.queue_sum IS 'Outbound signals waiting, summed over the samples';
COMMENT ON COLUMN rmf_xcf_path.idle_count IS 'Selections that found the path idle';
COMMENT ON COLUMN rmf_xcf_path.busy_count IS 'Selections that found the path busy';
COMMENT ON COLUMN rmf_xcf_path.reject_count IS 'Inbound signals turned away at the buffer limit';
COMMENT ON COLUMN rmf_xcf_path.restart_count IS 'Restarts of the path';
COMMENT ON COLUMN rmf_xcf_path.transfer_us IS 'Mean transfer time of a signal [us]; NULL on overflow';
COMMENT ON COLUMN rmf_xcf_path.no_buffer_us IS 'Time lost for want of an inbound buffer [us]';
COMMENT ON COLUMN rmf_xcf_path.no_buffer_count IS 'Times a missing inbound buffer held up the path';
COMMENT ON COLUMN rmf_xcf_path.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_xcf_path.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_xcf_path.section_no IS 'Section in the record';

-- rmf_xcf_member: one row per system that recorded it, interval and member of an XCF group.
CREATE OR REPLACE VIEW rmf_xcf_member AS
WITH member AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo          AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        epoch(p.smf74int) * 1e6                      AS interval_us,
        p.smf74sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf74_2_member AS x
    JOIN smf74_2_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf74lgo,
            x.r742mgrp, x.r742mmem, x.r742msys
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.r742mgrp                                    AS group_name,
    x.r742mmem                                    AS member,
    x.r742msys                                    AS member_system,
    nullif(x.r742mjob, '')                        AS job,
    CASE x.r742mst1 WHEN 2 THEN 'CREATED' WHEN 3 THEN 'ACTIVE' WHEN 4 THEN 'QUIESCED'
        WHEN 5 THEN 'FAILED' END                  AS state,
    x.r742msnt::DOUBLE                            AS sent_count,
    x.r742mrcv::DOUBLE                            AS received_count,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM member AS x;

COMMENT ON VIEW rmf_xcf_member IS 'One row per system that recorded it, interval and member of an XCF group';
COMMENT ON COLUMN rmf_xcf_member.run IS 'Measurement';
COMMENT ON COLUMN rmf_xcf_member.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_xcf_member.system IS 'System name';
COMMENT ON COLUMN rmf_xcf_member.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_xcf_member.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_xcf_member.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_xcf_member.group_name IS 'XCF group';
COMMENT ON COLUMN rmf_xcf_member.member IS 'Member';
COMMENT ON COLUMN rmf_xcf_member.member_system IS 'System the member runs on';
COMMENT ON COLUMN rmf_xcf_member.job IS 'Job of the member';
COMMENT ON COLUMN rmf_xcf_member.state IS 'CREATED, ACTIVE, QUIESCED or FAILED';
COMMENT ON COLUMN rmf_xcf_member.sent_count IS 'Signals the member sent';
COMMENT ON COLUMN rmf_xcf_member.received_count IS 'Signals the member received';
COMMENT ON COLUMN rmf_xcf_member.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_xcf_member.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_xcf_member.section_no IS 'Section in the record';
