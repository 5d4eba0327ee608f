-- rmf_cache_section: one row per device section of type 74.5: where it stands, and what tells it
-- from the others of its interval.
CREATE OR REPLACE VIEW rmf_cache_section AS
SELECT
    f.run                                            AS run, -- Measurement
    nullif(p.smf74xnm, '')                           AS sysplex, -- Sysplex name
    x.system                                         AS system, -- System name
    x.interval_start                                 AS interval_start, -- Interval start, local time of the system
    x.interval_start - p.smf74lgo                    AS interval_start_utc, -- Interval start, UTC
    (p.smf74xnm, p.smf74lgo, x.r745dsid, x.r745devn, x.r745dvid)
                                                     AS key, -- Sysplex, UTC offset, subsystem, number and volume id of the device
    x.file_id                                        AS file_id, -- File of the record
    x.record_no                                      AS record_no, -- Record in that file
    x.section_no                                     AS section_no -- Section in the record
FROM smf74_5_device AS x
JOIN smf74_5_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id;

-- rmf_cache: one row per system, interval, storage subsystem and device; device NULL for the
-- subsystem. The subsystem counts for all systems together: rows of several systems are not to be
-- added.
CREATE OR REPLACE VIEW rmf_cache AS
WITH device AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo          AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        epoch(p.smf74int) * 1e6                      AS interval_us,
        p.smf74sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf74_5_device AS x
    JOIN smf74_5_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
),
row_sums AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, max(interval_s) AS interval_s,
        r745dsid, CASE WHEN grouping(r745devn) = 0 THEN printf('%04X', r745devn) END AS device,
        CASE WHEN grouping(r745devn) = 0 THEN max(nullif(r745dvol, '')) END AS volume,
        sum(r745drcr) AS drcr,
        sum(r745dcrh) AS dcrh,
        sum(r745dwrc) AS dwrc,
        sum(r745dwch) AS dwch,
        sum(r745drsr) AS drsr,
        sum(r745drsh) AS drsh,
        sum(r745dwsr) AS dwsr,
        sum(r745dwsh) AS dwsh,
        sum(r745drnr) AS drnr,
        sum(r745dnrh) AS dnrh,
        sum(r745dwnr) AS dwnr,
        sum(r745dwnh) AS dwnh,
        sum(r745dicl) AS dicl,
        sum(r745dbcr) AS dbcr,
        sum(r745dtc) AS dtc,
        sum(r745dntd) AS dntd,
        sum(r745dctd) AS dctd,
        sum(r745dfwb) AS dfwb,
        sum(r745dfwc) AS dfwc,
        sum(r745dfws) AS dfws,
        sum(r745dfwr) AS dfwr
    FROM sections_once('device', 'rmf_cache_section')
    GROUP BY GROUPING SETS (
        (run, sysplex, system, interval_start, interval_start_utc, r745dsid, r745devn),
        (run, sysplex, system, interval_start, interval_start_utc, r745dsid)
    )
),
-- what each device says of its subsystem is the same
subsystem AS (
    SELECT
        f.run, s.system, s.interval_start - p.smf74lgo AS interval_start_utc, s.r745ssid,
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
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    printf('%04X', x.r745dsid)                    AS ssid, -- Subsystem id, hex
    x.device                                      AS device, -- Device number, hex; NULL for the whole subsystem
    x.volume                                      AS volume, -- Volume serial
    x.drcr + x.drsr + x.drnr + x.dwrc + x.dwsr + x.dwnr + x.dicl + x.dbcr AS io_count, -- I/Os: reads, writes, cache inhibited or bypassed
    x.drcr + x.drsr + x.drnr                      AS read_count, -- Reads the cache could serve
    x.dcrh + x.drsh + x.dnrh                      AS read_hit_count, -- Reads it did serve
    x.dwrc + x.dwsr + x.dwnr                      AS write_count, -- Writes the cache could take
    x.dwch + x.dwsh + x.dwnh                      AS write_hit_count, -- Writes it did take
    x.drcr + x.drsr + x.drnr + x.dwrc + x.dwsr + x.dwnr AS cacheable_count, -- Reads and writes the cache could serve
    x.dcrh + x.drsh + x.dnrh + x.dwch + x.dwsh + x.dwnh AS hit_count, -- Of these, hits
    x.drsr + x.dwsr                               AS sequential_count, -- Sequential reads and writes
    x.dicl                                        AS inhibit_count, -- Requests that inhibit loading the cache
    x.dbcr                                        AS bypass_cache_count, -- Requests that bypass the cache
    x.dtc + x.dntd                                AS stage_count, -- Transfers disk to cache
    x.dctd                                        AS destage_count, -- Transfers cache to disk
    x.dfwb                                        AS bypass_count, -- Fast writes held up as non-volatile storage was full
    x.dfwc                                        AS cache_fast_write_count, -- Cache fast writes
    x.dcrh + x.drsh                               AS retained_read_hit_count, -- Read hits, normal and sequential
    x.dwch + x.dwsh                               AS retained_write_hit_count, -- Write hits, normal and sequential
    x.dnrh + x.dwnh                               AS cfw_hit_count, -- Hits of cache fast write: non-retentive reads and writes
    x.dwrc + x.dwsr - x.dfwc - x.dfws + x.dfwr    AS other_count, -- Writes that are no fast writes, and those a full cache held up
    x.dfwr                                        AS cache_full_count, -- Requests held up as the cache was full
    CASE WHEN x.device IS NULL THEN printf('%02X', u.cuid) END AS control_unit, -- Control unit id, hex; of the subsystem
    CASE WHEN x.device IS NULL THEN u.machine_type END AS machine_type, -- Machine type of the subsystem
    CASE WHEN x.device IS NULL THEN u.cache_bytes END::DOUBLE AS cache_bytes, -- Cache configured, of the subsystem [bytes]
    CASE WHEN x.device IS NULL THEN u.nvs_bytes END::DOUBLE AS nvs_bytes -- Non-volatile storage configured, of the subsystem [bytes]
FROM row_sums AS x
LEFT JOIN subsystem AS u
    ON (u.run, u.system, u.interval_start_utc, u.r745ssid)
        = (x.run, x.system, x.interval_start_utc, x.r745dsid);

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
    printf('%04X', ssid_no)                       AS ssid, -- Subsystem id, hex
    printf('%04X', r7452xid)                      AS pool, -- Extent pool, hex
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
