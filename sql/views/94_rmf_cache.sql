-- rmf_cache: one row per system, interval, storage subsystem and device, and one for the subsystem.
-- The subsystem counts for all systems together: rows of several systems are not to be added.
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
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf74lgo,
            x.r745dsid, x.r745devn, x.r745dvid
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
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
        sum(r745dfwc) AS dfwc
    FROM device
    GROUP BY GROUPING SETS (
        (run, sysplex, system, interval_start, interval_start_utc, r745dsid, r745devn),
        (run, sysplex, system, interval_start, interval_start_utc, r745dsid)
    )
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    printf('%04X', x.r745dsid)                    AS ssid,
    x.device                                      AS device,
    x.volume                                      AS volume,
    x.drcr + x.drsr + x.drnr + x.dwrc + x.dwsr + x.dwnr + x.dicl + x.dbcr AS io_count,
    x.drcr + x.drsr + x.drnr                      AS read_count,
    x.dcrh + x.drsh + x.dnrh                      AS read_hit_count,
    x.dwrc + x.dwsr + x.dwnr                      AS write_count,
    x.dwch + x.dwsh + x.dwnh                      AS write_hit_count,
    x.drcr + x.drsr + x.drnr + x.dwrc + x.dwsr + x.dwnr AS cacheable_count,
    x.dcrh + x.drsh + x.dnrh + x.dwch + x.dwsh + x.dwnh AS hit_count,
    x.drsr + x.dwsr                               AS sequential_count,
    x.dicl                                        AS inhibit_count,
    x.dbcr                                        AS bypass_cache_count,
    x.dtc + x.dntd                                AS stage_count,
    x.dctd                                        AS destage_count,
    x.dfwb                                        AS bypass_count,
    x.dfwc                                        AS cache_fast_write_count
FROM row_sums AS x;

COMMENT ON VIEW rmf_cache IS 'One row per system, interval, storage subsystem and device; device NULL for the subsystem';
COMMENT ON COLUMN rmf_cache.run IS 'Measurement';
COMMENT ON COLUMN rmf_cache.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_cache.system IS 'System name';
COMMENT ON COLUMN rmf_cache.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_cache.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_cache.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_cache.ssid IS 'Subsystem id, hex';
COMMENT ON COLUMN rmf_cache.device IS 'Device number, hex; NULL for the whole subsystem';
COMMENT ON COLUMN rmf_cache.volume IS 'Volume serial';
COMMENT ON COLUMN rmf_cache.io_count IS 'I/Os: reads, writes, cache inhibited or bypassed';
COMMENT ON COLUMN rmf_cache.read_count IS 'Reads the cache could serve';
COMMENT ON COLUMN rmf_cache.read_hit_count IS 'Reads it did serve';
COMMENT ON COLUMN rmf_cache.write_count IS 'Writes the cache could take';
COMMENT ON COLUMN rmf_cache.write_hit_count IS 'Writes it did take';
COMMENT ON COLUMN rmf_cache.cacheable_count IS 'Reads and writes the cache could serve';
COMMENT ON COLUMN rmf_cache.hit_count IS 'Of these, hits';
COMMENT ON COLUMN rmf_cache.sequential_count IS 'Sequential reads and writes';
COMMENT ON COLUMN rmf_cache.inhibit_count IS 'Requests that inhibit loading the cache';
COMMENT ON COLUMN rmf_cache.bypass_cache_count IS 'Requests that bypass the cache';
COMMENT ON COLUMN rmf_cache.stage_count IS 'Transfers disk to cache';
COMMENT ON COLUMN rmf_cache.destage_count IS 'Transfers cache to disk';
COMMENT ON COLUMN rmf_cache.bypass_count IS 'Fast writes held up as non-volatile storage was full';
COMMENT ON COLUMN rmf_cache.cache_fast_write_count IS 'Cache fast writes';
