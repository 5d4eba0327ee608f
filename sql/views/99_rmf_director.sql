-- rmf_director_port: one row per system, interval, FICON director and port that returned
-- statistics. The director counts for all systems: those that read it tell the same.
CREATE OR REPLACE VIEW rmf_director_port AS
SELECT
    f.run                                            AS run, -- Measurement
    nullif(p.smf74xnm, '')                           AS sysplex, -- Sysplex name
    p.system                                         AS system, -- System name
    p.interval_start                                 AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo                    AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf74int)                                AS interval_s, -- Length of the interval [s]
    hex4(s.r747sdev)                                 AS director, -- Device number of the director, hex
    hex2(s.r747slsn)                                 AS switch_id, -- Logical switch number, hex
    hex2(o.r747padr)                                 AS port, -- Port address, hex
    CASE
        WHEN (o.r747ptfl & 192) <> 0 THEN 'CU'
        WHEN (o.r747ptfl & 32) <> 0 THEN 'CHP'
        WHEN (o.r747ptfl & 16) <> 0 THEN 'SWITCH'
    END                                              AS unit, -- What is attached: CU, CHP or SWITCH
    CASE
        WHEN (o.r747ptfl & 192) <> 0 THEN hex4(o.r747pcu)
        WHEN (o.r747ptfl & 32) <> 0 THEN hex2(o.r747pcu & 255)
    END                                              AS unit_id, -- Control unit or channel path, hex
    nullif(o.r747pand_seq, '')                       AS serial, -- Serial number of what is attached, from its node descriptor
    o.r747pfpt * 2.5                                 AS pacing_us, -- Time frames were held back [us]
    o.r747pnfr                                       AS received_frames, -- Frames received
    o.r747pnft                                       AS sent_frames, -- Frames sent
    o.r747pnwr * 4                                   AS received_bytes, -- Bytes received [bytes]
    o.r747pnwt * 4                                   AS sent_bytes, -- Bytes sent [bytes]
    o.r747pner                                       AS error_count, -- Errors
    o.file_id                                        AS file_id, -- File of the record
    o.record_no                                      AS record_no, -- Record in that file
    o.section_no                                     AS section_no -- Port section in the record
FROM smf74_7_port AS o
JOIN smf74_7_switch AS s ON s.file_id = o.file_id AND s.record_no = o.record_no
JOIN smf74_7_product AS p ON p.file_id = o.file_id AND p.record_no = o.record_no
JOIN load_file AS f ON f.file_id = o.file_id
WHERE (o.r747ppfl & 8) <> 0
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf74xnm, p.smf74lgo, s.r747sdev, o.r747padr),
    (o.file_id, o.record_no, o.section_no)
);
