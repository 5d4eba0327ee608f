-- rmf_crypto: one row per system, interval, crypto card and function. Times are in units that the
-- card names. A coprocessor has a function TOTAL; an accelerator has none, as of its operations
-- only those with 4096 bits have a known place in the record.
CREATE OR REPLACE VIEW rmf_crypto AS
WITH used AS (
    SELECT
        file_id, record_no, section_no,
        'CCA'                                        AS mode,
        r7023ax::INTEGER                             AS card,
        CASE r7023ct
            WHEN 5 THEN 'PCIXCC' WHEN 10 THEN 'CEX4C' WHEN 11 THEN 'CEX5C' WHEN 12 THEN 'CEX6C'
            WHEN 13 THEN 'CEX7C' WHEN 14 THEN 'CEX8C'
        END AS type,
        'TOTAL'                                      AS function,
        1                                            AS place,
        CASE WHEN (r7023msk & 128) <> 0 THEN r7023c0 END AS operations,
        CASE WHEN (r7023msk & 128) <> 0 THEN 1e6 * r7023sf * r7023t0 END AS time_us,
        CASE WHEN (r7023msk & 64) <> 0 THEN r7023c1 END AS keys,
        1.0                                          AS engines,
        r7023scope                                   AS scope,
        r7023did                                     AS domain
    FROM smf70_2_cca
    UNION ALL BY NAME
    SELECT
        c.file_id, c.record_no, c.section_no,
        'PKCS11'                                     AS mode,
        c.r7025ax::INTEGER                           AS card,
        CASE c.r7025ct WHEN 10 THEN 'CEX4P' WHEN 11 THEN 'CEX5P' WHEN 12 THEN 'CEX6P'
            WHEN 13 THEN 'CEX7P' WHEN 14 THEN 'CEX8P' END AS type,
        n.function                                   AS function,
        n.place                                      AS place,
        CASE WHEN n.place = 1 THEN
            list_sum([
                CASE WHEN (c.r7025msk & 128) <> 0 THEN c.r7025sac END,
                CASE WHEN (c.r7025msk & 64) <> 0 THEN c.r7025fac END,
                CASE WHEN (c.r7025msk & 32) <> 0 THEN c.r7025spc END,
                CASE WHEN (c.r7025msk & 16) <> 0 THEN c.r7025scc END,
                CASE WHEN (c.r7025msk & 8) <> 0 THEN c.r7025agc END
            ])
            WHEN (c.r7025msk & n.bit) <> 0 THEN
                list_extract(
                    [c.r7025sac, c.r7025fac, c.r7025spc, c.r7025scc, c.r7025agc], n.place - 1
                )
        END                                          AS operations,
        1e6 * c.r7025sf * CASE WHEN n.place = 1 THEN
            list_sum([
                CASE WHEN (c.r7025msk & 128) <> 0 THEN c.r7025sat END,
                CASE WHEN (c.r7025msk & 64) <> 0 THEN c.r7025fat END,
                CASE WHEN (c.r7025msk & 32) <> 0 THEN c.r7025spt END,
                CASE WHEN (c.r7025msk & 16) <> 0 THEN c.r7025sct END,
                CASE WHEN (c.r7025msk & 8) <> 0 THEN c.r7025agt END
            ])
            WHEN (c.r7025msk & n.bit) <> 0 THEN
                list_extract(
                    [c.r7025sat, c.r7025fat, c.r7025spt, c.r7025sct, c.r7025agt], n.place - 1
                )
        END                                          AS time_us,
        CASE WHEN n.place = 1 AND (c.r7025msk & 8) <> 0 THEN c.r7025agc END AS keys,
        1.0                                          AS engines,
        c.r7025scope                                 AS scope,
        c.r7025did                                   AS domain
    FROM smf70_2_pkcs11 AS c
    CROSS JOIN (VALUES
        (1, 0, 'TOTAL'), (2, 128, 'ASYMMETRIC SLOW'), (3, 64, 'ASYMMETRIC FAST'),
        (4, 32, 'SYMMETRIC PARTIAL'), (5, 16, 'SYMMETRIC FINAL'), (6, 8, 'KEY GENERATION')
    ) AS n (place, bit, function)
    UNION ALL BY NAME
    SELECT
        c.file_id, c.record_no, c.section_no,
        'ACCELERATOR'                                AS mode,
        c.r7024ax::INTEGER                           AS card,
        CASE c.r7024ct WHEN 11 THEN 'CEX5A' WHEN 12 THEN 'CEX6A' WHEN 13 THEN 'CEX7A'
            WHEN 14 THEN 'CEX8A' END                 AS type,
        n.function                                   AS function,
        n.place                                      AS place,
        CASE WHEN (c.r7024msk & n.bit) <> 0 THEN
            CASE n.place WHEN 7 THEN c.r7023mec ELSE c.r7023crc END END AS operations,
        CASE WHEN (c.r7024msk & n.bit) <> 0 THEN
            1e6 * c.r7024sf * CASE n.place WHEN 7 THEN c.r7023met ELSE c.r7023crt END
        END AS time_us,
        c.r7024en::DOUBLE                            AS engines,
        c.r7024scope                                 AS scope,
        c.r7024did                                   AS domain
    FROM smf70_2_accelerator AS c
    CROSS JOIN (VALUES (7, 8, 'ME 4096'), (8, 4, 'CRT 4096')) AS n (place, bit, function)
)
SELECT
    f.run                                            AS run, -- Measurement
    nullif(p.smf70xnm, '')                           AS sysplex, -- Sysplex name
    p.system                                         AS system, -- System name
    p.interval_start                                 AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf70lgo                    AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf70int)                                AS interval_s, -- Length of the interval [s]
    u.card                                           AS card, -- Index of the crypto processor
    u.mode                                           AS mode, -- CCA or PKCS11 coprocessor, or ACCELERATOR
    u.type                                           AS type, -- Type of the card: CEX7C ..; NULL where it is not known
    CASE WHEN u.scope = 1 THEN u.domain END::INTEGER AS domain, -- Domain whose use is counted; NULL where it is that of the whole machine
    u.function                                       AS function, -- TOTAL, or the function
    u.place                                          AS place, -- Order in which they are printed
    u.operations                                     AS operation_count, -- Operations; NULL where the record says they are not valid
    u.time_us                                        AS operation_us, -- Their time [us]
    u.keys                                           AS key_count, -- Keys generated
    u.engines * epoch(p.smf70int) * 1e6              AS engine_us, -- Time of the engines of the card [us]
    u.file_id                                        AS file_id, -- File of the record
    u.record_no                                      AS record_no, -- Record in that file
    u.section_no                                     AS section_no -- Section in the record
FROM used AS u
JOIN smf70_2_product AS p ON p.file_id = u.file_id AND p.record_no = u.record_no
JOIN load_file AS f ON f.file_id = u.file_id
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start,
    (p.smf70xnm, p.smf70lgo, u.mode, u.card, u.scope, u.domain, u.function),
    (u.file_id, u.record_no, u.section_no)
);
