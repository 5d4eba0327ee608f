-- rmf_xcf_system: one row per system, interval, other system, direction and transport class of XCF
-- signals.
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
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start,
        (p.smf74xnm, p.smf74lgo, x.r742snme, x.r742sdir, x.r742stcn),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.r742snme                                    AS remote_system, -- System at the other end
    CASE WHEN (x.r742sdir & 128) <> 0 THEN 'IN' WHEN (x.r742sdir & 64) <> 0 THEN 'OUT'
        WHEN (x.r742sdir & 32) <> 0 THEN 'LOCAL' END AS direction, -- IN, OUT or LOCAL
    nullif(x.r742stcn, '')                        AS transport_class, -- Transport class
    nullif(x.r742stcl, 0)::BIGINT                 AS buffer_length, -- Message length of the transport class [bytes]
    x.r742spth::DOUBLE                            AS paths, -- Signalling paths at work
    x.r742sbig::DOUBLE + x.r742sfit + x.r742ssml  AS request_count, -- Messages
    x.r742ssml::DOUBLE                            AS small_count, -- Messages that a shorter buffer would have held [requests]
    x.r742sfit::DOUBLE                            AS fit_count, -- Messages that fit the length of their class [requests]
    x.r742sbig::DOUBLE                            AS big_count, -- Messages longer than the length of their class [requests]
    x.r742sovr::DOUBLE                            AS overhead_count, -- Big messages sent with overhead
    x.r742snop::DOUBLE                            AS no_path_count, -- Times no path could be used
    x.r742sbsy::DOUBLE                            AS no_buffer_count, -- Times no message buffer was free
    x.r742smxb::DOUBLE                            AS max_buffer_kb, -- Most storage for message buffers [KB]
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM signal AS x;

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
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start,
        (p.smf74xnm, p.smf74lgo, x.r742pnme, x.r742pdir, x.r742pdev, x.r742pstr, x.r742plin),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.samples_count                               AS samples_count, -- RMF samples
    x.r742pnme                                    AS remote_system, -- System at the other end
    CASE WHEN (x.r742pdir & 128) <> 0 THEN 'IN' WHEN (x.r742pdir & 64) <> 0 THEN 'OUT' END
                                                  AS direction, -- IN or OUT
    CASE x.r742ptyp WHEN 1 THEN 'CTC' WHEN 3 THEN 'STRUCTURE' END AS type, -- CTC or STRUCTURE
    coalesce(nullif(x.r742pdev, ''), nullif(x.r742pstr, '')) AS device, -- Device number here, or the structure
    nullif(x.r742podv, '')                        AS remote_device, -- Device number at the other end
    nullif(x.r742plin, 0)::BIGINT                 AS list_no, -- List in the structure
    nullif(x.r742ptcn, '')                        AS transport_class, -- Transport class
    x.r742psig::DOUBLE                            AS signal_count, -- Signals that went over the path
    x.r742pqln::DOUBLE                            AS queue_sum, -- Outbound signals waiting, summed over the samples
    x.r742psus::DOUBLE                            AS idle_count, -- Selections that found the path idle
    x.r742papp::DOUBLE                            AS busy_count, -- Selections that found the path busy
    x.r742pibr::DOUBLE                            AS reject_count, -- Inbound signals turned away at the buffer limit
    x.r742prst::DOUBLE                            AS restart_count, -- Restarts of the path
    CASE WHEN x.r742piot < 4294967295 THEN x.r742piot END::DOUBLE AS transfer_us, -- Mean transfer time of a signal [us]; NULL on overflow
    x.r742pnib_timesum::DOUBLE                    AS no_buffer_us, -- Time lost for want of an inbound buffer [us]
    x.r742pnib_time::DOUBLE                       AS no_buffer_count, -- Times a missing inbound buffer held up the path
    x.r742pusg_percent::DOUBLE                    AS usage_pct, -- Utilization that the first usage entry stands for [%]
    x.r742pusg_timesum::DOUBLE                    AS in_use_us, -- Time the path was in use, of the first usage entry [us]
    x.r742pusg_time::DOUBLE                       AS in_use_count, -- Times the path came into use, of the first usage entry
    x.r742pusg_sigcnt::DOUBLE                     AS in_use_signal_count, -- Signals sent, of the first usage entry
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM path AS x;

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
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start,
        (p.smf74xnm, p.smf74lgo, x.r742mgrp, x.r742mmem, x.r742msys),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.r742mgrp                                    AS group_name, -- XCF group
    x.r742mmem                                    AS member, -- Member
    x.r742msys                                    AS member_system, -- System the member runs on
    nullif(x.r742mjob, '')                        AS job, -- Job of the member
    CASE x.r742mst1 WHEN 2 THEN 'CREATED' WHEN 3 THEN 'ACTIVE' WHEN 4 THEN 'QUIESCED'
        WHEN 5 THEN 'FAILED' END                  AS state, -- CREATED, ACTIVE, QUIESCED or FAILED
    x.r742msnt::DOUBLE                            AS sent_count, -- Signals the member sent
    x.r742mrcv::DOUBLE                            AS received_count, -- Signals the member received
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM member AS x;
