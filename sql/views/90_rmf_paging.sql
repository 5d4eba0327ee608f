-- rmf_paging: one row per system and interval: page movement and the use of central storage.
CREATE OR REPLACE VIEW rmf_paging AS
WITH paging AS (
    SELECT
        f.run,
        nullif(p.smf71xnm, '')                       AS sysplex,
        x.interval_start - p.smf71lgo          AS interval_start_utc,
        epoch(p.smf71int)                            AS interval_s,
        epoch(p.smf71int) * 1e6                      AS interval_us,
        p.smf71sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf71_1_paging AS x
    JOIN smf71_1_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf71lgo
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.interval_us                                 AS interval_us,
    x.smf71pin::DOUBLE + x.smf71pot + x.smf71sin + x.smf71sot + x.smf71vin + x.smf71vot
                                                  AS all_page_count,
    x.smf71pin::DOUBLE                            AS page_in_count,
    x.smf71pot::DOUBLE                            AS page_out_count,
    x.smf71sin::DOUBLE                            AS swap_in_count,
    x.smf71sot::DOUBLE                            AS swap_out_count,
    x.smf71vin::DOUBLE                            AS vio_in_count,
    x.smf71vot::DOUBLE                            AS vio_out_count,
    x.smf71sni::DOUBLE                            AS common_in_count,
    x.smf71sno::DOUBLE                            AS common_out_count,
    x.smf71lni::DOUBLE                            AS lpa_in_count,
    x.smf71hin::DOUBLE                            AS hiperspace_in_count,
    x.smf71hot::DOUBLE                            AS hiperspace_out_count,
    x.smf71asi::DOUBLE                            AS shared_in_count,
    x.smf71aso::DOUBLE                            AS shared_out_count,
    x.smf71blk::DOUBLE                            AS block_count,
    x.smf71blp::DOUBLE                            AS block_page_count,
    x.smf71pmv::DOUBLE                            AS move_count,
    x.smf71grn::DOUBLE                            AS getmain_count,
    x.smf71fbn::DOUBLE                            AS backed_count,
    x.smf71frn::DOUBLE                            AS fix_request_count,
    x.smf71ffn::DOUBLE                            AS fixed_count,
    x.smf711rn::DOUBLE                            AS first_fault_count,
    x.smf71nrn::DOUBLE                            AS later_fault_count,
    x.smf71pmt / 4096.0                           AS move_us,
    coalesce(x.smf71ulc, x.smf71lic)::DOUBLE      AS uic_min,
    coalesce(x.smf71uhc, x.smf71hic)::DOUBLE      AS uic_max,
    coalesce(x.smf71uac::DOUBLE, x.smf71aca / 10.0) AS uic_avg,
    x.smf71tfc::DOUBLE                            AS total_frames,
    x.smf71mnf::DOUBLE                            AS available_min_frames,
    x.smf71mxf::DOUBLE                            AS available_max_frames,
    coalesce(x.smf71lvf, x.smf71avf)::DOUBLE      AS available_avg_frames,
    x.smf71msr::DOUBLE                            AS sqa_min_frames,
    x.smf71xsr::DOUBLE                            AS sqa_max_frames,
    x.smf71asr::DOUBLE                            AS sqa_avg_frames,
    x.smf71nlp::DOUBLE                            AS lpa_min_frames,
    x.smf71xlp::DOUBLE                            AS lpa_max_frames,
    x.smf71alp::DOUBLE                            AS lpa_avg_frames,
    x.smf71mnp::DOUBLE                            AS csa_min_frames,
    x.smf71mxp::DOUBLE                            AS csa_max_frames,
    x.smf71avp::DOUBLE                            AS csa_avg_frames,
    x.smf71mlr::DOUBLE                            AS lsqa_min_frames,
    x.smf71xlr::DOUBLE                            AS lsqa_max_frames,
    x.smf71alr::DOUBLE                            AS lsqa_avg_frames,
    x.smf71mns::DOUBLE                            AS private_min_frames,
    x.smf71mxs::DOUBLE                            AS private_max_frames,
    coalesce(x.smf71lvs, x.smf71avs)::DOUBLE      AS private_avg_frames,
    x.smf71mnx::DOUBLE                            AS fixed_min_frames,
    x.smf71mxx::DOUBLE                            AS fixed_max_frames,
    coalesce(x.smf71lvx, x.smf71avx)::DOUBLE      AS fixed_avg_frames,
    x.smf71tsc::DOUBLE                            AS slots_total,
    x.smf71mnu::DOUBLE                            AS slots_free_min,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM paging AS x;

COMMENT ON VIEW rmf_paging IS 'One row per system and interval: page movement and the use of central storage';
COMMENT ON COLUMN rmf_paging.run IS 'Measurement';
COMMENT ON COLUMN rmf_paging.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_paging.system IS 'System name';
COMMENT ON COLUMN rmf_paging.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_paging.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_paging.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_paging.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_paging.all_page_count IS 'Pages paged or swapped, in and out';
COMMENT ON COLUMN rmf_paging.page_in_count IS 'Pages paged in, without VIO and swapping';
COMMENT ON COLUMN rmf_paging.page_out_count IS 'Pages paged out, without VIO and swapping';
COMMENT ON COLUMN rmf_paging.swap_in_count IS 'Pages swapped in';
COMMENT ON COLUMN rmf_paging.swap_out_count IS 'Pages swapped out';
COMMENT ON COLUMN rmf_paging.vio_in_count IS 'VIO pages paged in';
COMMENT ON COLUMN rmf_paging.vio_out_count IS 'VIO pages paged out';
COMMENT ON COLUMN rmf_paging.common_in_count IS 'Pages of the common area paged in';
COMMENT ON COLUMN rmf_paging.common_out_count IS 'Pages of the common area paged out';
COMMENT ON COLUMN rmf_paging.lpa_in_count IS 'Pages of the LPA paged in';
COMMENT ON COLUMN rmf_paging.hiperspace_in_count IS 'Hiperspace pages paged in';
COMMENT ON COLUMN rmf_paging.hiperspace_out_count IS 'Hiperspace pages paged out';
COMMENT ON COLUMN rmf_paging.shared_in_count IS 'Shared pages paged in';
COMMENT ON COLUMN rmf_paging.shared_out_count IS 'Shared pages paged out';
COMMENT ON COLUMN rmf_paging.block_count IS 'Blocks of pages paged in';
COMMENT ON COLUMN rmf_paging.block_page_count IS 'Pages paged in by blocks';
COMMENT ON COLUMN rmf_paging.move_count IS 'Pages moved inside central storage';
COMMENT ON COLUMN rmf_paging.getmain_count IS 'Requests to obtain storage';
COMMENT ON COLUMN rmf_paging.backed_count IS 'Pages backed when they were obtained';
COMMENT ON COLUMN rmf_paging.fix_request_count IS 'Requests to fix pages below 2 GB';
COMMENT ON COLUMN rmf_paging.fixed_count IS 'Pages those requests wanted fixed';
COMMENT ON COLUMN rmf_paging.first_fault_count IS 'Page faults at the first reference';
COMMENT ON COLUMN rmf_paging.later_fault_count IS 'Page faults at later references';
COMMENT ON COLUMN rmf_paging.move_us IS 'Elapsed time of preferred steals [us]';
COMMENT ON COLUMN rmf_paging.uic_min IS 'System UIC, least; of older records the high UIC';
COMMENT ON COLUMN rmf_paging.uic_max IS 'System UIC, most';
COMMENT ON COLUMN rmf_paging.uic_avg IS 'System UIC, mean';
COMMENT ON COLUMN rmf_paging.total_frames IS 'Frames of central storage';
COMMENT ON COLUMN rmf_paging.available_min_frames IS 'Frames of central storage not in use, least';
COMMENT ON COLUMN rmf_paging.available_max_frames IS 'Frames of central storage not in use, most';
COMMENT ON COLUMN rmf_paging.available_avg_frames IS 'Frames of central storage not in use, mean';
COMMENT ON COLUMN rmf_paging.sqa_min_frames IS 'Frames of the SQA, least';
COMMENT ON COLUMN rmf_paging.sqa_max_frames IS 'Frames of the SQA, most';
COMMENT ON COLUMN rmf_paging.sqa_avg_frames IS 'Frames of the SQA, mean';
COMMENT ON COLUMN rmf_paging.lpa_min_frames IS 'Frames of the LPA, least';
COMMENT ON COLUMN rmf_paging.lpa_max_frames IS 'Frames of the LPA, most';
COMMENT ON COLUMN rmf_paging.lpa_avg_frames IS 'Frames of the LPA, mean';
COMMENT ON COLUMN rmf_paging.csa_min_frames IS 'Frames of the CSA in use, least';
COMMENT ON COLUMN rmf_paging.csa_max_frames IS 'Frames of the CSA in use, most';
COMMENT ON COLUMN rmf_paging.csa_avg_frames IS 'Frames of the CSA in use, mean';
COMMENT ON COLUMN rmf_paging.lsqa_min_frames IS 'Frames of the LSQA, least';
COMMENT ON COLUMN rmf_paging.lsqa_max_frames IS 'Frames of the LSQA, most';
COMMENT ON COLUMN rmf_paging.lsqa_avg_frames IS 'Frames of the LSQA, mean';
COMMENT ON COLUMN rmf_paging.private_min_frames IS 'Pageable frames of private areas, least';
COMMENT ON COLUMN rmf_paging.private_max_frames IS 'Pageable frames of private areas, most';
COMMENT ON COLUMN rmf_paging.private_avg_frames IS 'Pageable frames of private areas, mean';
COMMENT ON COLUMN rmf_paging.fixed_min_frames IS 'Fixed frames, all, least';
COMMENT ON COLUMN rmf_paging.fixed_max_frames IS 'Fixed frames, all, most';
COMMENT ON COLUMN rmf_paging.fixed_avg_frames IS 'Fixed frames, all, mean';
COMMENT ON COLUMN rmf_paging.slots_total IS 'Slots of the local page data sets';
COMMENT ON COLUMN rmf_paging.slots_free_min IS 'Local slots usable and free, least';
COMMENT ON COLUMN rmf_paging.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_paging.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_paging.section_no IS 'Section in the record';
