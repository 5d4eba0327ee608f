-- rmf_cpu: one row per system, interval and logical processor, or thread with multithreading; times
-- as sums. Times are sums of microseconds. What belongs to the core stands on its first thread
-- only.
CREATE OR REPLACE VIEW rmf_cpu AS
WITH type_weight AS (
    -- one weight per partition and type, however many processors carry it
    SELECT file_id, record_no, type, sum(weight) AS weight, sum(dedicated_count) AS dedicated_count
    FROM (
        SELECT
            file_id, record_no, partition_section_no, type,
            max(weight)                                              AS weight,
            count(*) FILTER (dedicated)                              AS dedicated_count
        FROM rmf_partition_processor
        WHERE active AND NOT physical
        GROUP BY file_id, record_no, partition_section_no, type
    )
    GROUP BY file_id, record_no, type
),
own_processor AS (
    SELECT
        p.*,
        count(*) FILTER (p.active) OVER (
            PARTITION BY p.file_id, p.record_no, p.type
        )                                                            AS logical_count,
        bool_or(p.polarity IS NOT NULL) OVER (
            PARTITION BY p.file_id, p.record_no, p.type
        )                                                            AS vertical,
        -- weights divide what is shared: engines of dedicated partitions are not in the pool
        100 * (p.physical_count - w.dedicated_count) / nullif(w.weight, 0) AS pct_per_weight
    FROM rmf_partition_processor AS p
    JOIN type_weight AS w
        ON w.file_id = p.file_id AND w.record_no = p.record_no
        AND w.type IS NOT DISTINCT FROM p.type
    WHERE p.own
),
processor AS (
    SELECT
        i.*,
        c.section_no,
        coalesce(k.smf70_core_id, c.smf70cid)::INTEGER                AS cpu,
        (c.section_no - k.smf70_cpu_skip)::INTEGER                    AS thread_no,
        max(k.smf70_cpu_num) OVER (PARTITION BY c.file_id, c.record_no) > 1 AS multithreading,
        coalesce(c.section_no - k.smf70_cpu_skip, 1) = 1              AS first_thread,
        CASE c.smf70typ WHEN 0 THEN 'CP' WHEN 1 THEN 'AAP' WHEN 2 THEN 'IIP' END AS type,
        (c.smf70cnf & 8) <> 0                                         AS complete,
        CASE WHEN (coalesce(c.smf70cnf, 0) & 2) = 0 THEN c.smf70wat / 4096.0 END   AS wait_us,
        coalesce(c.smf70pat, 0) / 4096.0                              AS parked_us,
        c.smf70slh::DOUBLE + c.smf70tpi::DOUBLE                       AS io_interrupts_count,
        c.smf70tpi::DOUBLE                                            AS tpi_count,
        CASE WHEN (k.smf70_core_flg & 128) <> 0 THEN k.smf70_lpar_busy * 1000.0 END AS core_busy_us,
        k.smf70_prod / 1024.0                                         AS productivity,
        o.address IS NOT NULL                                         AS has_prsm,
        o.dedicated                                                   AS dedicated,
        o.wait_completion                                             AS wait_completion,
        o.dispatch_us                                                 AS dispatch_us,
        coalesce(
            nullif(o.online_us, 0),
            CASE WHEN (c.smf70cnf & 8) <> 0 THEN i.interval_us END,
            o.online_us
        )                                                             AS online_us,
        o.polarity                                                    AS share_kind,
        CASE
            WHEN NOT o.active THEN NULL
            WHEN o.dedicated THEN 100
            WHEN o.vertical THEN o.vertical_weight * o.pct_per_weight
            ELSE o.weight * o.pct_per_weight / o.logical_count
        END                                                           AS share_pct
    FROM rmf_cpu_interval AS i
    JOIN smf70_1_cpu AS c ON c.file_id = i.file_id AND c.record_no = i.record_no
    LEFT JOIN smf70_1_core AS k
        ON k.file_id = c.file_id AND k.record_no = c.record_no
        AND c.section_no > k.smf70_cpu_skip
        AND c.section_no <= k.smf70_cpu_skip::INTEGER + k.smf70_cpu_num
    LEFT JOIN own_processor AS o
        ON o.file_id = c.file_id AND o.record_no = c.record_no
        AND o.address = coalesce(k.smf70_core_id, c.smf70cid)
),
timed AS (
    SELECT
        *,
        CASE
            WHEN core_busy_us IS NOT NULL THEN core_busy_us
            WHEN NOT has_prsm OR dedicated THEN online_us - wait_us
            WHEN wait_completion THEN dispatch_us - wait_us
            ELSE dispatch_us
        END                                                           AS busy_us,
        greatest(online_us - CASE WHEN hiperdispatch THEN parked_us ELSE 0 END, 0) AS unparked_us
    FROM processor
)
SELECT
    run                                                                AS run, -- Measurement
    sysplex                                                            AS sysplex, -- Sysplex name
    system                                                             AS system, -- System name
    interval_start                                                     AS interval_start, -- Interval start, local time of the system
    interval_start_utc                                                 AS interval_start_utc, -- Interval start, UTC
    interval_s                                                         AS interval_s, -- Length of the interval [s]
    cpu                                                                AS cpu, -- Logical processor, or core where the record has cores
    CASE WHEN multithreading THEN thread_no END                        AS thread, -- Thread of the core from 1; NULL without multithreading
    type                                                               AS type, -- CP, AAP or IIP
    CASE WHEN first_thread THEN share_kind END                         AS share_kind, -- Polarity: HIGH, MED, LOW; NULL where not polarised
    CASE WHEN first_thread THEN interval_us END                        AS core_interval_us, -- Length of the interval, on the first thread [us]
    CASE WHEN first_thread THEN CASE WHEN complete THEN interval_us ELSE online_us END END
                                                                       AS core_online_us, -- Time online, the whole interval where the record says so; first thread [us]
    CASE WHEN first_thread AND busy_us IS NOT NULL THEN online_us END  AS lpar_online_us, -- Online time that LPAR busy is a part of; first thread [us]
    CASE WHEN first_thread THEN busy_us END                            AS lpar_busy_us, -- Busy as PR/SM sees it; first thread [us]
    CASE WHEN wait_us IS NOT NULL AND unparked_us > 0 THEN unparked_us END AS mvs_unparked_us, -- Online and not parked; NULL where parked throughout [us]
    CASE WHEN unparked_us > 0 THEN unparked_us - wait_us END           AS mvs_busy_us, -- Not parked and not waiting [us]
    online_us                                                          AS thread_online_us, -- Time online, on every thread [us]
    parked_us                                                          AS parked_us, -- Time parked [us]
    CASE WHEN first_thread AND productivity IS NOT NULL THEN busy_us END AS mt_busy_us, -- Core busy time where productivity is known [us]
    CASE WHEN first_thread THEN productivity * busy_us END             AS mt_used_us, -- Core busy time x productivity [us]
    CASE WHEN first_thread AND productivity IS NOT NULL THEN online_us END AS mt_online_us, -- Core online time where productivity is known [us]
    CASE WHEN first_thread THEN share_pct * interval_s END             AS share_pct_s, -- Share of a physical processor x seconds: divide by interval_s
    io_interrupts_count                                                AS io_interrupts_count, -- I/O interrupts taken
    tpi_count                                                          AS tpi_count, -- I/O interrupts taken by test pending interruption
    file_id                                                            AS file_id, -- File of the record
    record_no                                                          AS record_no, -- Record in that file
    section_no                                                         AS section_no -- CPU section in the record
FROM timed;
