-- rmf_pcie_function: one row per system, interval and PCIE function. What it did is over the time
-- it was allocated.
CREATE OR REPLACE VIEW rmf_pcie_function AS
SELECT
    f.run                                         AS run, -- Measurement
    nullif(p.smf74xnm, '')                        AS sysplex, -- Sysplex name
    p.system                                      AS system, -- System name
    p.interval_start                              AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo                 AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf74int)                             AS interval_s, -- Length of the interval [s]
    printf('%04X', x.r749pfid)                    AS function, -- Function id, hex
    hex4(x.r749pcid)                              AS pchid, -- Physical or virtual channel id, hex
    nullif(x.r749devn, '')                        AS device, -- Device name
    nullif(x.r749jobn, '')                        AS job, -- Job that allocated the function
    CASE
        WHEN (x.r749pffl & 8192) <> 0 THEN 'ERROR'
        WHEN (x.r749pffl & 16384) <> 0 THEN 'DEALLOCATING'
        WHEN (x.r749pffl & 32768) <> 0 THEN 'ALLOCATED'
        WHEN (x.r749pff1 & 16384) <> 0 THEN 'REALLOCATED'
        WHEN (x.r749pff1 & 32768) <> 0 THEN 'DEALLOCATED'
    END                                           AS status, -- ALLOCATED, DEALLOCATING, ERROR; at the end DEALLOCATED, REALLOCATED
    CASE t.r749dfmt WHEN 0 THEN 'DMA' WHEN 1 THEN 'NETWORK' WHEN 2 THEN 'WORK UNITS'
        WHEN 3 THEN 'SENT BYTES' WHEN 4 THEN 'SYNC I/O' END AS kind, -- What the function counts: DMA, NETWORK, WORK UNITS, SENT BYTES, SYNC I/O
    x.r749allt / 1000.0                           AS allocated_s, -- Time allocated [s]
    CASE WHEN (x.r749flag & 32) = 0 THEN x.r749loop::DOUBLE END AS load_count, -- PCI loads; NULL where the rates of operations are not valid
    CASE WHEN (x.r749flag & 32) = 0 THEN x.r749stop::DOUBLE END AS store_count, -- PCI stores
    CASE WHEN (x.r749flag & 32) = 0 THEN x.r749sbop::DOUBLE END AS store_block_count, -- PCI store blocks
    CASE WHEN (x.r749flag & 32) = 0 THEN x.r749rfop::DOUBLE END AS refresh_count, -- PCI refreshes of translations
    CASE WHEN t.r749dfmt IN (0, 1, 4) THEN t.r749srbf::DOUBLE END AS read_bytes, -- Bytes read or received
    CASE WHEN t.r749dfmt IN (0, 1, 3, 4) THEN t.r749swbf::DOUBLE END AS written_bytes, -- Bytes written or sent
    CASE WHEN t.r749dfmt = 1 THEN t.r749ssrf::DOUBLE END AS received_packet_count, -- Packets received
    CASE WHEN t.r749dfmt = 1 THEN t.r749slrf::DOUBLE END AS sent_packet_count, -- Packets sent
    CASE WHEN t.r749dfmt = 2 THEN t.r749srbf::DOUBLE END AS work_unit_count, -- Work units
    CASE WHEN t.r749dfmt = 4 THEN t.r749ssrf::DOUBLE END AS success_count, -- Synchronous I/O requests that succeeded
    CASE WHEN t.r749dfmt = 4 THEN t.r749ssrf::DOUBLE + t.r749slrf + t.r749srrf END AS request_count, -- Synchronous I/O requests
    CASE t.r749dfmt
        WHEN 2 THEN t.r749srbf::DOUBLE / nullif(t.r749swbf, 0)
        WHEN 4 THEN t.r749stpf / 1e6
    END                                           AS busy_s, -- Time at work [s]: work units over what it can do in a second, or the time of synchronous I/O
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Function section in the record
FROM smf74_9_function AS x
JOIN smf74_9_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id
LEFT JOIN smf74_9_function_type AS t
    ON t.file_id = x.file_id AND t.record_no = x.record_no AND t.function_no = x.section_no
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf74xnm, p.smf74lgo, x.r749pfid),
    (x.file_id, x.record_no, x.section_no, t.section_no)
);

-- rmf_eadm_part: one row per system, interval and part of a storage class memory resource.
CREATE OR REPLACE VIEW rmf_eadm_part AS
SELECT
    f.run                                         AS run, -- Measurement
    nullif(p.smf74xnm, '')                        AS sysplex, -- Sysplex name
    p.system                                      AS system, -- System name
    p.interval_start                              AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo                 AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf74int)                             AS interval_s, -- Length of the interval [s]
    hex4(x.r7410crid)                             AS resource, -- Resource, hex
    hex4(x.r7410cpid)                             AS part, -- Part of the resource, hex
    CASE WHEN (x.r7410flg & 128) <> 0 THEN 'VFM' ELSE 'SCM' END AS kind, -- VFM virtual flash memory, SCM storage class memory
    x.r7410crq::DOUBLE                            AS request_count, -- Requests of this partition
    x.r7410crqc::DOUBLE                           AS total_request_count, -- Requests of all partitions
    x.r7410cdus::DOUBLE * x.r7410cdw              AS written_bytes, -- Written by this partition [bytes]
    x.r7410cdus::DOUBLE * x.r7410cdwc             AS total_written_bytes, -- Written by all partitions [bytes]
    x.r7410cdus::DOUBLE * x.r7410cdr              AS read_bytes, -- Read by this partition [bytes]
    x.r7410cdus::DOUBLE * x.r7410cdrc             AS total_read_bytes, -- Read by all partitions [bytes]
    0.128 * x.r7410crt                            AS busy_ms, -- Execution time of this partition's requests [ms]
    0.128 * x.r7410crtc                           AS total_busy_ms, -- Execution time of all requests [ms]
    0.128 * x.r7410ciqc                           AS total_queue_ms, -- Time all requests were queued at the I/O processor [ms]
    x.r7410cwu / 100.0                            AS used_s, -- Utilisation by this partition over the time [s]
    x.r7410cwuc / 100.0                           AS total_used_s, -- Utilisation by all partitions over the time [s]
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM smf74_10_configuration AS x
JOIN smf74_10_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf74xnm, p.smf74lgo, x.r7410crid, x.r7410cpid),
    (x.file_id, x.record_no, x.section_no)
);

-- rmf_eadm_subchannel: one row per system and interval: the subchannels to storage class memory and
-- their compression.
CREATE OR REPLACE VIEW rmf_eadm_subchannel AS
SELECT
    f.run                                         AS run, -- Measurement
    nullif(p.smf74xnm, '')                        AS sysplex, -- Sysplex name
    p.system                                      AS system, -- System name
    p.interval_start                              AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo                 AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf74int)                             AS interval_s, -- Length of the interval [s]
    x.r7410dsct::DOUBLE                           AS start_count, -- Start subchannels
    x.r7410dnum::DOUBLE                           AS measured_count, -- Updates of the times: their divisor
    0.128 * x.r7410dfpt                           AS pend_total_ms, -- Pending [ms]
    0.128 * x.r7410diqt                           AS queue_total_ms, -- Queued at the I/O processor [ms]
    0.128 * x.r7410dcrt                           AS cmr_total_ms, -- Initial command response [ms]
    CASE WHEN (x.r7410dflg & 128) <> 0 THEN x.r7410docc::DOUBLE END AS compression_count, -- Compressions; NULL where they are not measured
    CASE WHEN (x.r7410dflg & 128) <> 0 THEN x.r7410disc::DOUBLE END AS compression_in_mb, -- Data compressed [MB]
    CASE WHEN (x.r7410dflg & 128) <> 0 THEN x.r7410dosc::DOUBLE END AS compression_out_mb, -- What it became [MB]
    CASE WHEN (x.r7410dflg & 128) <> 0 THEN x.r7410docd::DOUBLE END AS expansion_count, -- Expansions
    CASE WHEN (x.r7410dflg & 128) <> 0 THEN x.r7410disd::DOUBLE END AS expansion_in_mb, -- Data expanded [MB]
    CASE WHEN (x.r7410dflg & 128) <> 0 THEN x.r7410dosd::DOUBLE END AS expansion_out_mb, -- What it became [MB]
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no -- Record in that file
FROM smf74_10_device AS x
JOIN smf74_10_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf74xnm, p.smf74lgo),
    (x.file_id, x.record_no, x.section_no)
);
