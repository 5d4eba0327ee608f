-- rmf_recorded_interval: one row per system and interval that has an RMF record of the types 71 to
-- 78 but 72 and 74.1, or one of type 70.2.
CREATE OR REPLACE VIEW rmf_recorded_interval AS
WITH product AS (
    SELECT file_id, system, interval_start, smf71lgo AS local_offset, smf71xnm AS sysplex,
        smf71mvs AS zos_level, smf71cyc AS cycle_ms
    FROM smf71_1_product
    UNION ALL
    SELECT file_id, system, interval_start, smf70lgo, smf70xnm, smf70mvs, smf70cyc
    FROM smf70_2_product
    UNION ALL
    SELECT file_id, system, interval_start, smf73lgo, smf73xnm, smf73mvs, smf73cyc
    FROM smf73_1_product
    UNION ALL
    SELECT file_id, system, interval_start, smf74lgo, smf74xnm, smf74mvs, smf74cyc
    FROM smf74_2_product
    UNION ALL
    SELECT file_id, system, interval_start, smf74lgo, smf74xnm, smf74mvs, smf74cyc
    FROM smf74_4_product
    UNION ALL
    SELECT file_id, system, interval_start, smf74lgo, smf74xnm, smf74mvs, smf74cyc
    FROM smf74_5_product
    UNION ALL
    SELECT file_id, system, interval_start, smf74lgo, smf74xnm, smf74mvs, smf74cyc
    FROM smf74_8_product
    UNION ALL
    SELECT file_id, system, interval_start, smf75lgo, smf75xnm, smf75mvs, smf75cyc
    FROM smf75_1_product
    UNION ALL
    SELECT file_id, system, interval_start, smf77lgo, smf77xnm, smf77mvs, smf77cyc
    FROM smf77_1_product
    UNION ALL
    SELECT file_id, system, interval_start, smf78lgo, smf78xnm, smf78mvs, smf78cyc
    FROM smf78_2_product
    UNION ALL
    SELECT file_id, system, interval_start, smf78lgo, smf78xnm, smf78mvs, smf78cyc
    FROM smf78_3_product
)
SELECT
    f.run                                       AS run, -- Measurement
    nullif(p.sysplex, '')                       AS sysplex, -- Sysplex name
    p.system                                    AS system, -- System name
    p.interval_start                            AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.local_offset           AS interval_start_utc, -- Interval start, UTC
    max(p.zos_level)                            AS zos_level, -- Operating system level as stored
    max(p.cycle_ms)                             AS cycle_ms -- Sampling cycle [ms]
FROM product AS p
JOIN load_file AS f ON f.file_id = p.file_id
GROUP BY f.run, p.sysplex, p.system, p.interval_start, p.local_offset;

-- rmf_common_storage: one row per system, interval, area of common storage and side of 16 MB. Areas
-- are named as the manual names their sample blocks: r782csak_7 is CSA of key 7. Blocks of subpools
-- have samples below 16 MB only: what was not recorded gives no row.
CREATE OR REPLACE VIEW rmf_common_storage AS
WITH sampled AS (
    SELECT
        f.run,
        nullif(p.smf78xnm, '')                       AS sysplex,
        a.system,
        a.interval_start,
        a.interval_start - p.smf78lgo                AS interval_start_utc,
        epoch(p.smf78int)                            AS interval_s,
        p.smf78sam::DOUBLE                           AS samples_count,
        -- after the letters r782
        substr(a.area, 5)                            AS block,
        c.r782cs, c.r782ecs, c.r782ss, c.r782ess,
        a.bmin, a.bmax, a.btotl, a.amin, a.amax, a.atotl
    FROM smf78_2_common_area AS a
    JOIN smf78_2_product AS p ON p.file_id = a.file_id AND p.record_no = a.record_no
    JOIN load_file AS f ON f.file_id = a.file_id
    LEFT JOIN smf78_2_common AS c
        ON c.file_id = a.file_id AND c.record_no = a.record_no AND c.section_no = a.common_no
    QUALIFY counts_once_in(
        f.run, a.system, a.interval_start, (p.smf78xnm, p.smf78lgo, a.area),
        (a.file_id, a.record_no, a.section_no)
    )
),
side AS (
    SELECT *, CASE WHEN btotl IS NOT NULL THEN 'below' END AS location,
        bmin AS min_bytes, bmax AS max_bytes, btotl AS total_bytes,
        r782cs AS csa_bytes, r782ss AS sqa_bytes
    FROM sampled
    WHERE btotl IS NOT NULL
    UNION ALL
    SELECT *, CASE WHEN atotl IS NOT NULL THEN 'above' END AS location,
        amin AS min_bytes, amax AS max_bytes, atotl AS total_bytes,
        r782ecs AS csa_bytes, r782ess AS sqa_bytes
    FROM sampled
    WHERE atotl IS NOT NULL
),
named AS (
    SELECT
        *,
        CASE WHEN starts_with(block, 'sq') OR block IN ('226', '239', '245')
            THEN 'SQA' ELSE 'CSA' END                AS area
    FROM side
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name
    system                                           AS system, -- System name
    interval_start                                   AS interval_start, -- Interval start, local time of the system
    interval_start_utc                               AS interval_start_utc, -- Interval start, UTC
    interval_s                                       AS interval_s, -- Length of the interval [s]
    area                                             AS area, -- CSA or SQA
    CASE WHEN block LIKE '2%' THEN left(block, 3) END AS subpool, -- Subpool; NULL for all of the area
    CASE WHEN block LIKE '%k\_%' ESCAPE '\'
        THEN upper(replace(split_part(block, 'k_', 2), '_', '-')) ELSE 'ALL' END AS key, -- Storage key: 0 to 7, 8-F, ALL
    CASE
        WHEN block IN ('csaf', 'sqaf') THEN 'free'
        WHEN block IN ('cslf', 'sqlf') THEN 'largest_free'
        WHEN block IN ('csal', 'sqal') THEN 'allocated'
        WHEN block = 'sqex' THEN 'overflow'
        ELSE 'used'
    END                                              AS measure, -- used, free, largest_free (block), allocated, overflow (SQA taken from CSA)
    location                                         AS location, -- below or above 16 MB
    samples_count                                    AS samples_count, -- RMF samples
    min_bytes / 1024.0                               AS min_kb, -- Smallest sample [KB]
    max_bytes / 1024.0                               AS max_kb, -- Largest sample [KB]
    total_bytes / 1024.0                             AS total_kb, -- Sum over the samples [KB]
    CASE area WHEN 'SQA' THEN sqa_bytes ELSE csa_bytes END / 1024.0 AS size_kb -- Size of the whole area on this side of 16 MB [KB]
FROM named;

-- rmf_private_storage: one row per system, interval, monitored job, private area and location.
-- Means are over the samples of the job, which may have run only part of the interval. Address
-- spaces of one job name and step in an interval count together.
CREATE OR REPLACE VIEW rmf_private_storage AS
WITH job AS (
    SELECT
        f.run,
        nullif(p.smf78xnm, '')                       AS sysplex,
        j.interval_start - p.smf78lgo                AS interval_start_utc,
        epoch(p.smf78int)                            AS interval_s,
        j.*
    FROM smf78_2_private AS j
    JOIN smf78_2_product AS p ON p.file_id = j.file_id AND p.record_no = j.record_no
    JOIN load_file AS f ON f.file_id = j.file_id
    QUALIFY counts_once_in(
        f.run, j.system, j.interval_start,
        (p.smf78xnm, p.smf78lgo, j.r782jobn, j.r782step, j.r782rddt, j.r782rdtm),
        (j.file_id, j.record_no, j.section_no)
    )
),
sample AS (
    SELECT file_id, record_no, private_no, substr(area, 5) AS block,
        CASE WHEN btotl IS NOT NULL THEN 'below' END AS location,
        bmin AS min_bytes, bmax AS max_bytes, btotl AS total_bytes
    FROM smf78_2_private_area
    WHERE btotl IS NOT NULL
    UNION ALL
    SELECT file_id, record_no, private_no, substr(area, 5) AS block,
        CASE WHEN atotl IS NOT NULL THEN 'above' END AS location,
        amin AS min_bytes, amax AS max_bytes, atotl AS total_bytes
    FROM smf78_2_private_area
    WHERE atotl IS NOT NULL
    UNION ALL
    SELECT file_id, record_no, private_no, substr(area, 5) AS block,
        CASE WHEN gtotl IS NOT NULL THEN 'high' END AS location,
        gmin AS min_bytes, gmax AS max_bytes, gtotl AS total_bytes
    FROM smf78_2_private_high
    WHERE gtotl IS NOT NULL
)
SELECT
    j.run                                            AS run, -- Measurement
    j.sysplex                                        AS sysplex, -- Sysplex name
    j.system                                         AS system, -- System name
    j.interval_start                                 AS interval_start, -- Interval start, local time of the system
    j.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    max(j.interval_s)                                AS interval_s, -- Length of the interval [s]
    j.r782jobn                                       AS job, -- Job name
    j.r782step                                       AS step, -- Step name
    max(j.r782pgmn)                                  AS program, -- Program of the step
    CASE left(s.block, 2) WHEN 'ls' THEN 'LSQA' WHEN 'us' THEN 'USER' ELSE 'HIGH' END AS area, -- LSQA (with SWA and subpools 229, 230), USER region, HIGH (above 2 GB)
    CASE s.block
        WHEN 'toby' THEN 'all' WHEN 'shby' THEN 'shared' WHEN 'coby' THEN 'common'
        ELSE CASE right(s.block, 2)
            WHEN 'al' THEN 'allocated' WHEN 'fb' THEN 'largest_free' WHEN 'fp' THEN 'free'
            WHEN 'pa' THEN 'pages_allocated' END
    END                                              AS measure, -- allocated, pages_allocated, free (pages), largest_free (block); of HIGH: all, shared, common
    s.location                                       AS location, -- below or above 16 MB, high: above 2 GB
    sum(j.r782samp)::DOUBLE                          AS samples_count, -- Samples taken of the job
    min(s.min_bytes) / 1024.0                        AS min_kb, -- Smallest sample [KB]
    max(s.max_bytes) / 1024.0                        AS max_kb, -- Largest sample [KB]
    sum(s.total_bytes) / 1024.0                      AS total_kb, -- Sum over the samples of the job [KB]
    max(CASE s.location WHEN 'below' THEN j.r782rgab WHEN 'above' THEN j.r782rgaa
        ELSE j.r782meml * 1048576.0 END) / 1024.0    AS limit_kb -- Limit of the user region on this side of 16 MB; of HIGH: MEMLIMIT [KB]
FROM job AS j
JOIN sample AS s
    ON s.file_id = j.file_id AND s.record_no = j.record_no AND s.private_no = j.section_no
GROUP BY j.run, j.sysplex, j.system, j.interval_start, j.interval_start_utc, j.r782jobn,
    j.r782step, s.block, s.location;

-- rmf_storage_area: one row per system, interval and area of the address space below 2 GB: where it
-- lies. An area of length 0 is not there.
CREATE OR REPLACE VIEW rmf_storage_area AS
WITH common AS (
    SELECT
        f.run,
        nullif(p.smf78xnm, '')                       AS sysplex,
        c.interval_start - p.smf78lgo                AS interval_start_utc,
        epoch(p.smf78int)                            AS interval_s,
        c.*
    FROM smf78_2_common AS c
    JOIN smf78_2_product AS p ON p.file_id = c.file_id AND p.record_no = c.record_no
    JOIN load_file AS f ON f.file_id = c.file_id
    QUALIFY counts_once_in(
        f.run, c.system, c.interval_start, (p.smf78xnm, p.smf78lgo),
        (c.file_id, c.record_no, c.section_no)
    )
),
placed AS (
    SELECT
        c.*, a.area, a.location,
        [r782na, r782ena, r782sa, r782esa, r782pla, r782elpa, r782fla, r782efla,
         r782mla, r782emla, r782ca, r782eca, r782ruca, r782eruca, r782pa, r782epa
        ][a.place] AS address,
        [r782ns, r782ens, r782ss, r782ess, r782pls, r782elps, r782fls, r782efls,
         r782mls, r782emls, r782cs, r782ecs, r782rucs, r782erucs, r782ps, r782eps
        ][a.place] AS bytes
    FROM common AS c
    CROSS JOIN (
        VALUES (1, 'NUC', 'below'), (2, 'NUC', 'above'), (3, 'SQA', 'below'), (4, 'SQA', 'above'),
            (5, 'PLPA', 'below'), (6, 'PLPA', 'above'), (7, 'FLPA', 'below'), (8, 'FLPA', 'above'),
            (9, 'MLPA', 'below'), (10, 'MLPA', 'above'), (11, 'CSA', 'below'), (12, 'CSA', 'above'),
            (13, 'RUCSA', 'below'), (14, 'RUCSA', 'above'),
            (15, 'PVT', 'below'), (16, 'PVT', 'above')
    ) AS a (place, area, location)
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name
    system                                           AS system, -- System name
    interval_start                                   AS interval_start, -- Interval start, local time of the system
    interval_start_utc                               AS interval_start_utc, -- Interval start, UTC
    interval_s                                       AS interval_s, -- Length of the interval [s]
    area                                             AS area, -- NUC (read-write and read-only), SQA, PLPA, FLPA, MLPA, CSA, RUCSA, PVT (private)
    location                                         AS location, -- below or above 16 MB
    address                                          AS address, -- Where it begins
    bytes                                            AS size_bytes -- How long it is [bytes]
FROM placed
WHERE bytes > 0;
