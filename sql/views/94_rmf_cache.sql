-- rmf_cache_section: one row per device section of type 74.5: where it stands, and what tells it
-- from the others of its interval.
CREATE OR REPLACE VIEW rmf_cache_section AS
SELECT
    f.run                                            AS run, -- Measurement
    nullif(p.smf74xnm, '')                           AS sysplex, -- Sysplex name
    x.system                                         AS system, -- System name
    x.interval_start                                 AS interval_start, -- Interval start, local time of the system
    x.interval_start - p.smf74lgo                    AS interval_start_utc, -- Interval start, UTC
    {'smf74xnm': p.smf74xnm, 'smf74lgo': p.smf74lgo, 'r745dsid': x.r745dsid,
     'r745devn': x.r745devn, 'r745dvid': x.r745dvid}
                                                     AS key, -- Sysplex, UTC offset, subsystem, number and volume id of the device
    x.file_id                                        AS file_id, -- File of the record
    x.record_no                                      AS record_no, -- Record in that file
    x.section_no                                     AS section_no -- Section in the record
FROM smf74_5_device AS x
JOIN smf74_5_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id;

-- rmf_cache_device: one row per system, interval, storage subsystem and device.
CREATE OR REPLACE VIEW rmf_cache_device AS
WITH device AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        x.*
    FROM smf74_5_device AS x
    JOIN smf74_5_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
)
SELECT
    s.run                                         AS run, -- Measurement
    s.sysplex                                     AS sysplex, -- Sysplex name
    s.system                                      AS system, -- System name
    s.interval_start                              AS interval_start, -- Interval start, local time of the system
    s.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    s.interval_s                                  AS interval_s, -- Length of the interval [s]
    hex4(s.r745dsid)                              AS ssid, -- Subsystem id, hex
    hex4(s.r745devn)                              AS device, -- Device number, hex
    nullif(s.r745dvol, '')                        AS volume, -- Volume serial
    s.r745drcr + s.r745drsr + s.r745drnr + s.r745dwrc + s.r745dwsr + s.r745dwnr + s.r745dicl
        + s.r745dbcr                              AS io_count, -- I/Os: reads, writes, cache inhibited or bypassed
    s.r745drcr + s.r745drsr + s.r745drnr          AS read_count, -- Reads the cache could serve
    s.r745dcrh + s.r745drsh + s.r745dnrh          AS read_hit_count, -- Reads it did serve
    s.r745dwrc + s.r745dwsr + s.r745dwnr          AS write_count, -- Writes the cache could take
    s.r745dwch + s.r745dwsh + s.r745dwnh          AS write_hit_count, -- Writes it did take
    s.r745drcr + s.r745drsr + s.r745drnr + s.r745dwrc + s.r745dwsr + s.r745dwnr AS cacheable_count, -- Reads and writes the cache could serve
    s.r745dcrh + s.r745drsh + s.r745dnrh + s.r745dwch + s.r745dwsh + s.r745dwnh AS hit_count, -- Of these, hits
    s.r745drsr + s.r745dwsr                       AS sequential_count, -- Sequential reads and writes
    s.r745dicl                                    AS inhibit_count, -- Requests that inhibit loading the cache
    s.r745dbcr                                    AS bypass_cache_count, -- Requests that bypass the cache
    s.r745dtc + s.r745dntd                        AS stage_count, -- Transfers disk to cache
    s.r745dctd                                    AS destage_count, -- Transfers cache to disk
    s.r745dfwb                                    AS bypass_count, -- Fast writes held up as non-volatile storage was full
    s.r745dfwc                                    AS cache_fast_write_count, -- Cache fast writes
    s.r745dcrh + s.r745drsh                       AS retained_read_hit_count, -- Read hits, normal and sequential
    s.r745dwch + s.r745dwsh                       AS retained_write_hit_count, -- Write hits, normal and sequential
    s.r745dnrh + s.r745dwnh                       AS cfw_hit_count, -- Hits of cache fast write: non-retentive reads and writes
    s.r745dwrc + s.r745dwsr - s.r745dfwc - s.r745dfws + s.r745dfwr AS other_count, -- Writes that are no fast writes, and those a full cache held up
    s.r745dfwr                                    AS cache_full_count -- Requests held up as the cache was full
FROM sections_once('device', 'rmf_cache_section') AS s;

-- rmf_cache: one row per system, interval, storage subsystem and device; device NULL for the
-- subsystem. The subsystem counts for all systems together: rows of several systems are not to be
-- added.
CREATE OR REPLACE VIEW rmf_cache AS
WITH subsystem AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, max(interval_s) AS interval_s,
        ssid, NULL AS device, NULL AS volume,
        sum(io_count) AS io_count,
        sum(read_count) AS read_count,
        sum(read_hit_count) AS read_hit_count,
        sum(write_count) AS write_count,
        sum(write_hit_count) AS write_hit_count,
        sum(cacheable_count) AS cacheable_count,
        sum(hit_count) AS hit_count,
        sum(sequential_count) AS sequential_count,
        sum(inhibit_count) AS inhibit_count,
        sum(bypass_cache_count) AS bypass_cache_count,
        sum(stage_count) AS stage_count,
        sum(destage_count) AS destage_count,
        sum(bypass_count) AS bypass_count,
        sum(cache_fast_write_count) AS cache_fast_write_count,
        sum(retained_read_hit_count) AS retained_read_hit_count,
        sum(retained_write_hit_count) AS retained_write_hit_count,
        sum(cfw_hit_count) AS cfw_hit_count,
        sum(other_count) AS other_count,
        sum(cache_full_count) AS cache_full_count
    FROM rmf_cache_device
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, ssid
),
-- what each device says of its subsystem is the same
configured AS (
    SELECT
        f.run, s.system, s.interval_start - p.smf74lgo AS interval_start_utc,
        hex4(s.r745ssid) AS ssid,
        max(c.r745cuid) AS cuid, max(nullif(c.r745c_type, '')) AS machine_type,
        max(s.r745scnf * CASE WHEN s.r745sft = 0 THEN 1 ELSE 1024 END) AS cache_bytes,
        max(s.r745scnv * CASE WHEN s.r745sft = 0 THEN 1 ELSE 1024 END) AS nvs_bytes
    FROM smf74_5_status AS s
    JOIN smf74_5_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
    JOIN smf74_5_control AS c ON c.file_id = s.file_id AND c.record_no = s.record_no
    JOIN load_file AS f ON f.file_id = s.file_id
    GROUP BY ALL
)
SELECT
    d.*, -- as rmf_cache_device
    NULL::VARCHAR AS control_unit, -- Control unit id, hex; of the subsystem
    NULL::VARCHAR AS machine_type, -- Machine type of the subsystem
    NULL::DOUBLE AS cache_bytes, -- Cache configured, of the subsystem [bytes]
    NULL::DOUBLE AS nvs_bytes -- Non-volatile storage configured, of the subsystem [bytes]
FROM rmf_cache_device AS d
UNION ALL
SELECT s.*, hex2(c.cuid), c.machine_type, c.cache_bytes, c.nvs_bytes
FROM subsystem AS s
LEFT JOIN configured AS c
    ON (c.run, c.system, c.interval_start_utc, c.ssid)
        = (s.run, s.system, s.interval_start_utc, s.ssid);

-- rmf_cache_pool: one row per system, interval, storage subsystem and extent pool: what its disks
-- did for the devices of the subsystem.
CREATE OR REPLACE VIEW rmf_cache_pool AS
WITH rank AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        d.r745dsid                                   AS ssid_no,
        (x.r7451inc & 6) = 0                         AS units_known,
        x.*
    FROM smf74_5_rank AS x
    JOIN smf74_5_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN smf74_5_device AS d
        ON d.file_id = x.file_id AND d.record_no = x.record_no AND d.r745devn = x.r7451dvn
    JOIN load_file AS f ON f.file_id = x.file_id
    WHERE x.r7451flg = 2
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start,
        (p.smf74xnm, p.smf74lgo, d.r745dsid, x.r7451dvn, x.r7451scs),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    run                                           AS run, -- Measurement
    sysplex                                       AS sysplex, -- Sysplex name
    system                                        AS system, -- System name
    interval_start                                AS interval_start, -- Interval start, local time of the system
    interval_start_utc                            AS interval_start_utc, -- Interval start, UTC
    max(interval_s)                               AS interval_s, -- Length of the interval [s]
    hex4(ssid_no)                                 AS ssid, -- Subsystem id, hex
    hex4(r7452xid)                                AS pool, -- Extent pool, hex
    CASE any_value(r7452xty) WHEN 4 THEN 'FB 1GB' WHEN 132 THEN 'CKD 1GB' END AS pool_type, -- Kind of extents: FB 1GB, CKD 1GB
    count(*)::DOUBLE                              AS device_count, -- Devices of the subsystem in the pool
    sum(r7452pro)                                 AS read_count, -- Disk reads
    sum(r7452pro) FILTER (units_known)            AS known_read_count, -- Disk reads of devices that count in known units
    131072.0 * sum(r7452pbr) FILTER (units_known) AS read_bytes, -- Bytes read from disk; NULL where the unit is not known
    16.0 * sum(r7452prt) FILTER (units_known)     AS read_total_ms, -- Response time of disk reads [ms]
    sum(r7452pwo)                                 AS write_count, -- Disk writes
    sum(r7452pwo) FILTER (units_known)            AS known_write_count, -- Disk writes of devices that count in known units
    131072.0 * sum(r7452pbw) FILTER (units_known) AS write_bytes, -- Bytes written to disk; NULL where the unit is not known
    16.0 * sum(r7452pwt) FILTER (units_known)     AS write_total_ms -- Response time of disk writes [ms]
FROM rank
GROUP BY run, sysplex, system, interval_start, interval_start_utc, ssid_no, r7452xid;
