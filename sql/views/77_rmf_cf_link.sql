-- rmf_cf_link: one row per coupling facility, system and interval: what its links and subchannels
-- carry for the system. Requests are those of its structures, delays are for want of a subchannel.
CREATE OR REPLACE VIEW rmf_cf_link AS
WITH facility AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        c.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        c.*
    FROM smf74_4_facility AS c
    JOIN smf74_4_product AS p ON p.file_id = c.file_id AND p.record_no = c.record_no
    JOIN load_file AS f ON f.file_id = c.file_id
    QUALIFY counts_once_in(
        f.run, c.system, c.interval_start, (p.smf74xnm, p.smf74lgo, c.r744fnam),
        (c.file_id, c.record_no)
    )
),
path AS (
    SELECT
        file_id, record_no, facility_no,
        string_agg(DISTINCT nullif(r744htap, ''), ' ' ORDER BY nullif(r744htap, '')) AS types
    FROM smf74_4_channel_path
    WHERE facility_no IS NOT NULL
    GROUP BY file_id, record_no, facility_no
),
structure AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, cf,
        sum(sync_count)                              AS sync_count,
        sum(sync_us)                                 AS sync_us,
        sum(sync_squares_us2)                        AS sync_squares_us2,
        sum(async_count)                             AS async_count,
        sum(async_us)                                AS async_us,
        sum(async_squares_us2)                       AS async_squares_us2,
        sum(changed_count)                           AS changed_count,
        sum(request_count)                           AS class_count,
        sum(nosch_count)                             AS nosch_count,
        sum(nosch_us)                                AS nosch_us,
        sum(nosch_squares_us2)                       AS nosch_squares_us2,
        sum(request_count) FILTER (type = 'LOCK')    AS lock_class_count,
        sum(nosch_count) FILTER (type = 'LOCK')      AS lock_nosch_count,
        sum(nosch_us) FILTER (type = 'LOCK')         AS lock_nosch_us,
        sum(nosch_squares_us2) FILTER (type = 'LOCK') AS lock_nosch_squares_us2,
        sum(request_count) FILTER (type <> 'LOCK')   AS data_class_count,
        sum(nosch_count) FILTER (type <> 'LOCK')     AS data_nosch_count,
        sum(nosch_us) FILTER (type <> 'LOCK')        AS data_nosch_us,
        sum(nosch_squares_us2) FILTER (type <> 'LOCK') AS data_nosch_squares_us2
    FROM rmf_cf_structure
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, cf
)
SELECT
    c.run                                            AS run, -- Measurement
    c.sysplex                                        AS sysplex, -- Sysplex name
    c.system                                         AS system, -- System name
    c.interval_start                                 AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    c.interval_s                                     AS interval_s, -- Length of the interval [s]
    c.r744fnam                                       AS cf, -- Coupling facility
    c.r744ftor                                       AS total_count, -- Requests of the system, all
    h.types                                          AS link_types, -- Types of the channel paths
    c.r744fpam::DOUBLE                               AS paths_count, -- Paths that lead to the facility
    c.r744fscg::DOUBLE                               AS subchannels_defined_count, -- Subchannels defined
    c.r744fscu::DOUBLE                               AS subchannels_used_count, -- Subchannels in use
    c.r744fpbc                                       AS path_busy_count, -- Requests held up by a busy path
    c.r744fail                                       AS failed_count, -- Requests that failed
    c.r744ftim::DOUBLE                               AS failed_us, -- Their service time [us]
    c.r744fsqu::DOUBLE                               AS failed_squares_us2, -- Its sum of squares [us squared]
    s.sync_count                                     AS sync_count, -- Synchronous requests
    s.sync_us                                        AS sync_us, -- Their service time [us]
    s.sync_squares_us2                               AS sync_squares_us2, -- Its sum of squares [us squared]
    s.async_count                                    AS async_count, -- Asynchronous requests
    s.async_us                                       AS async_us, -- Their service time [us]
    s.async_squares_us2                              AS async_squares_us2, -- Its sum of squares [us squared]
    s.changed_count                                  AS changed_count, -- Synchronous requests turned asynchronous
    s.data_class_count                               AS data_class_count, -- Requests to list and cache structures
    s.data_nosch_count                               AS data_nosch_count, -- Of these, delayed
    s.data_nosch_us                                  AS data_nosch_us, -- Their delay [us]
    s.data_nosch_squares_us2                         AS data_nosch_squares_us2, -- Its sum of squares [us squared]
    s.lock_class_count                               AS lock_class_count, -- Requests to lock structures
    s.lock_nosch_count                               AS lock_nosch_count, -- Of these, delayed
    s.lock_nosch_us                                  AS lock_nosch_us, -- Their delay [us]
    s.lock_nosch_squares_us2                         AS lock_nosch_squares_us2, -- Its sum of squares [us squared]
    s.class_count                                    AS class_count, -- Requests to all structures
    s.nosch_count                                    AS nosch_count, -- Of these, delayed
    s.nosch_us                                       AS nosch_us, -- Their delay [us]
    s.nosch_squares_us2                              AS nosch_squares_us2 -- Its sum of squares [us squared]
FROM facility AS c
LEFT JOIN path AS h
    ON h.file_id = c.file_id AND h.record_no = c.record_no AND h.facility_no = c.section_no
LEFT JOIN structure AS s
    ON s.run = c.run AND s.sysplex IS NOT DISTINCT FROM c.sysplex AND s.system = c.system
    AND s.interval_start = c.interval_start
    AND s.interval_start_utc IS NOT DISTINCT FROM c.interval_start_utc AND s.cf = c.r744fnam;

-- rmf_cf_peer: one row per coupling facility, facility it is connected to and interval. Every
-- system reads the same off the facility: the record with most signals counts.
CREATE OR REPLACE VIEW rmf_cf_peer AS
WITH sender AS (
    SELECT file_id, record_no, remote_no, arg_min(nullif(r744htap, ''), section_no) AS sender_type
    FROM smf74_4_channel_path
    WHERE remote_no IS NOT NULL AND (r744hchf & 64) <> 0
    GROUP BY file_id, record_no, remote_no
),
remote AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        r.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        c.r744fnam                                   AS cf,
        s.sender_type,
        r.r744rres::DOUBLE + r.r744rrcs + r.r744rhes + r.r744rrss + r.r744rrsa AS signal_count,
        min(r.system) OVER same                      AS first_system,
        max(r.system) OVER same                      AS last_system,
        r.*
    FROM smf74_4_remote AS r
    JOIN smf74_4_product AS p ON p.file_id = r.file_id AND p.record_no = r.record_no
    JOIN smf74_4_facility AS c ON c.file_id = r.file_id AND c.record_no = r.record_no
    JOIN load_file AS f ON f.file_id = r.file_id
    LEFT JOIN sender AS s
        ON s.file_id = r.file_id AND s.record_no = r.record_no AND s.remote_no = r.section_no
    WINDOW same AS (
        PARTITION BY f.run, p.smf74xnm, r.interval_start - p.smf74lgo, c.r744fnam, r.r744rnam
    )
    QUALIFY row_number() OVER (
        PARTITION BY f.run, p.smf74xnm, r.interval_start - p.smf74lgo, c.r744fnam, r.r744rnam
        ORDER BY signal_count DESC, r.system, r.file_id, r.record_no, r.section_no
    ) = 1
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name
    CASE WHEN first_system = last_system THEN system END AS system, -- System, where only one recorded the facility
    interval_start                                   AS interval_start, -- Interval start, local time of the system
    interval_start_utc                               AS interval_start_utc, -- Interval start, UTC
    interval_s                                       AS interval_s, -- Length of the interval [s]
    cf                                               AS cf, -- Coupling facility
    r744rnam                                         AS peer_cf, -- Facility it is connected to
    nullif(trim(r744rtap[1:5]), '')                  AS receiver_type, -- Type of the first receiving path
    sender_type                                      AS sender_type, -- Type of the first sending path (bit 1 of R744HCHF)
    r744rpgs::DOUBLE                                 AS receiver_paths_count, -- Receiving paths
    r744rsgs::DOUBLE                                 AS sender_paths_count, -- Sending paths
    signal_count                                     AS signal_count, -- Signals sent: ready to execute, ready to complete, halt, request for suppression, its acceptance
    r744rsse::DOUBLE                                 AS signal_us, -- Their service time [us]
    r744rsss::DOUBLE                                 AS signal_squares_us2, -- Its sum of squares [us squared]
    r744rdsc::DOUBLE                                 AS delayed_count, -- Signals held up
    r744rsdt::DOUBLE                                 AS delay_us, -- Their delay [us]
    r744rssd::DOUBLE                                 AS delay_squares_us2, -- Its sum of squares [us squared]
    file_id                                          AS file_id, -- File of the record
    record_no                                        AS record_no, -- Record in that file
    section_no                                       AS section_no -- Section in the record
FROM remote;
