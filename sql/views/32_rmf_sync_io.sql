-- rmf_sync_io: one row per system, interval and device that was asked for synchronous I/O
-- (zHyperLink). A rejected request met a busy link, missed the cache, timed out or was refused, and
-- went on as an ordinary I/O.
CREATE OR REPLACE VIEW rmf_sync_io AS
SELECT
    d.run                                                 AS run, -- Measurement
    d.sysplex                                             AS sysplex, -- Sysplex name
    d.system                                              AS system, -- System name
    d.interval_start                                      AS interval_start, -- Interval start, local time of the system
    d.interval_start_utc                                  AS interval_start_utc, -- Interval start, UTC
    d.interval_s                                          AS interval_s, -- Length of the interval [s]
    d.device                                              AS device, -- Subchannel set and device number, five hex digits
    d.volume                                              AS volume, -- Volume serial
    d.lcu                                                 AS lcu, -- Logical control unit, hex
    s.smf74sqr                                            AS read_count, -- Synchronous reads
    s.smf74sqw                                            AS write_count, -- Synchronous writes
    s.smf74spr * 0.5                                      AS read_us, -- Their time: reads [us]
    s.smf74spw * 0.5                                      AS write_us, -- Their time: writes [us]
    s.smf74sbr                                            AS read_bytes, -- Bytes read [bytes]
    s.smf74sbw                                            AS write_bytes, -- Bytes written [bytes]
    s.smf74slbr::DOUBLE + s.smf74slbw                     AS link_busy_count, -- Rejected: the link was busy
    s.smf74scmr::DOUBLE + s.smf74snis                     AS cache_miss_count, -- Rejected: a read missed the cache, or a write could not be stored at once
    s.smf74slbr::DOUBLE + s.smf74scmr + s.smf74stor + s.smf74sor AS read_reject_count, -- Reads rejected
    s.smf74slbw::DOUBLE + s.smf74snis + s.smf74stow + s.smf74sow AS write_reject_count, -- Writes rejected
    s.smf74sqr + s.smf74sqw                               AS success_count, -- Synchronous requests that were served
    s.smf74sqr + s.smf74sqw + s.smf74slbr + s.smf74scmr + s.smf74stor + s.smf74sor
        + s.smf74slbw + s.smf74snis + s.smf74stow + s.smf74sow AS request_count, -- Synchronous requests, served and rejected
    d.file_id                                             AS file_id, -- File of the record
    d.record_no                                           AS record_no, -- Record in that file
    d.section_no                                          AS section_no -- Device section in the record
FROM rmf_device AS d
JOIN smf74_1_device AS s
    ON s.file_id = d.file_id AND s.record_no = d.record_no AND s.section_no = d.section_no
WHERE request_count > 0;
