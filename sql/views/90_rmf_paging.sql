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
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start, (p.smf71xnm, p.smf71lgo),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.interval_us                                 AS interval_us, -- Length of the interval [us]
    x.smf71pin::DOUBLE + x.smf71pot + x.smf71sin + x.smf71sot + x.smf71vin + x.smf71vot
                                                  AS all_page_count, -- Pages paged or swapped, in and out
    x.smf71pin::DOUBLE                            AS page_in_count, -- Pages paged in, without VIO and swapping
    x.smf71pot::DOUBLE                            AS page_out_count, -- Pages paged out, without VIO and swapping
    x.smf71ssq::DOUBLE                            AS swap_count, -- Swaps of address spaces, out and in again
    x.smf71sin::DOUBLE                            AS swap_in_count, -- Pages swapped in
    x.smf71sot::DOUBLE                            AS swap_out_count, -- Pages swapped out
    x.smf71vin::DOUBLE                            AS vio_in_count, -- VIO pages paged in
    x.smf71vot::DOUBLE                            AS vio_out_count, -- VIO pages paged out
    x.smf71sni::DOUBLE                            AS common_in_count, -- Pages of the common area paged in
    x.smf71sno::DOUBLE                            AS common_out_count, -- Pages of the common area paged out
    x.smf71lni::DOUBLE                            AS lpa_in_count, -- Pages of the LPA paged in
    x.smf71sni::DOUBLE - x.smf71lni               AS csa_in_count, -- Pages of the common area without the LPA paged in
    x.smf71pin::DOUBLE - x.smf71sni               AS space_in_count, -- Pages of address spaces paged in, without VIO, swapping and blocks
    x.smf71pot::DOUBLE - x.smf71sno               AS space_out_count, -- Pages of address spaces paged out, without VIO and swapping
    x.smf71pin::DOUBLE + x.smf71blp + x.smf71sin  AS non_vio_in_count, -- Pages paged in, by blocks too, and swapped in; without VIO and hiperspaces
    x.smf71pot::DOUBLE + x.smf71sot               AS non_vio_out_count, -- Pages paged and swapped out; without VIO and hiperspaces
    x.smf71pin::DOUBLE + x.smf71blp + x.smf71sin + x.smf71vin + x.smf71hin
                                                  AS all_in_count, -- Pages paged or swapped in: non-VIO, by blocks too, swaps, VIO and hiperspaces
    x.smf71pot::DOUBLE + x.smf71sot + x.smf71vot + x.smf71hot
                                                  AS all_out_count, -- Pages paged or swapped out: non-VIO, swaps, VIO and hiperspaces
    x.smf71hin::DOUBLE                            AS hiperspace_in_count, -- Hiperspace pages paged in
    x.smf71hot::DOUBLE                            AS hiperspace_out_count, -- Hiperspace pages paged out
    x.smf71asi::DOUBLE                            AS shared_in_count, -- Shared pages paged in
    x.smf71aso::DOUBLE                            AS shared_out_count, -- Shared pages paged out
    x.smf71blk::DOUBLE                            AS block_count, -- Blocks of pages paged in
    x.smf71blp::DOUBLE                            AS block_page_count, -- Pages paged in by blocks
    x.smf71pmv::DOUBLE                            AS move_count, -- Pages moved inside central storage
    x.smf71grn::DOUBLE                            AS getmain_count, -- Requests to obtain storage
    x.smf71fbn::DOUBLE                            AS backed_count, -- Pages backed when they were obtained
    x.smf71frn::DOUBLE                            AS fix_request_count, -- Requests to fix pages below 2 GB
    x.smf71ffn::DOUBLE                            AS fixed_count, -- Pages those requests wanted fixed
    x.smf711rn::DOUBLE                            AS first_fault_count, -- Page faults at the first reference
    x.smf71nrn::DOUBLE                            AS later_fault_count, -- Page faults at later references
    x.smf71pmt / 4096.0                           AS move_us, -- Elapsed time of preferred steals [us]
    coalesce(x.smf71ulc, x.smf71lic)::DOUBLE      AS uic_min, -- System UIC, least; of older records the high UIC
    coalesce(x.smf71uhc, x.smf71hic)::DOUBLE      AS uic_max, -- System UIC, most
    coalesce(x.smf71uac::DOUBLE, x.smf71aca / 10.0) AS uic_avg, -- System UIC, mean
    x.smf71tfc::DOUBLE                            AS total_frames, -- Frames of central storage
    x.smf71mnf::DOUBLE                            AS available_min_frames, -- Frames of central storage not in use, least
    x.smf71mxf::DOUBLE                            AS available_max_frames, -- Frames of central storage not in use, most
    coalesce(x.smf71lvf, x.smf71avf)::DOUBLE      AS available_avg_frames, -- Frames of central storage not in use, mean
    x.smf71msr::DOUBLE                            AS sqa_min_frames, -- Frames of the SQA, least
    x.smf71xsr::DOUBLE                            AS sqa_max_frames, -- Frames of the SQA, most
    x.smf71asr::DOUBLE                            AS sqa_avg_frames, -- Frames of the SQA, mean
    x.smf71nlp::DOUBLE                            AS lpa_min_frames, -- Frames of the LPA, least
    x.smf71xlp::DOUBLE                            AS lpa_max_frames, -- Frames of the LPA, most
    x.smf71alp::DOUBLE                            AS lpa_avg_frames, -- Frames of the LPA, mean
    x.smf71mnp::DOUBLE                            AS csa_min_frames, -- Frames of the CSA in use, least
    x.smf71mxp::DOUBLE                            AS csa_max_frames, -- Frames of the CSA in use, most
    x.smf71avp::DOUBLE                            AS csa_avg_frames, -- Frames of the CSA in use, mean
    x.smf71mlr::DOUBLE                            AS lsqa_min_frames, -- Frames of the LSQA, least
    x.smf71xlr::DOUBLE                            AS lsqa_max_frames, -- Frames of the LSQA, most
    x.smf71alr::DOUBLE                            AS lsqa_avg_frames, -- Frames of the LSQA, mean
    x.smf71mns::DOUBLE                            AS private_min_frames, -- Pageable frames of private areas, least
    x.smf71mxs::DOUBLE                            AS private_max_frames, -- Pageable frames of private areas, most
    coalesce(x.smf71lvs, x.smf71avs)::DOUBLE      AS private_avg_frames, -- Pageable frames of private areas, mean
    x.smf71mnx::DOUBLE                            AS fixed_min_frames, -- Fixed frames, all, least
    x.smf71mxx::DOUBLE                            AS fixed_max_frames, -- Fixed frames, all, most
    coalesce(x.smf71lvx, x.smf71avx)::DOUBLE      AS fixed_avg_frames, -- Fixed frames, all, mean
    x.smf71srm::DOUBLE                            AS hv_shared_min_frames, -- 4 KB pages of high virtual shared storage in central storage, least
    x.smf71srx::DOUBLE                            AS hv_shared_max_frames, -- 4 KB pages of high virtual shared storage in central storage, most
    x.smf71sra::DOUBLE                            AS hv_shared_avg_frames, -- 4 KB pages of high virtual shared storage in central storage, mean
    x.smf71crm::DOUBLE                            AS hv_common_min_frames, -- 4 KB pages of high virtual common storage in central storage, least
    x.smf71crx::DOUBLE                            AS hv_common_max_frames, -- 4 KB pages of high virtual common storage in central storage, most
    x.smf71cra::DOUBLE                            AS hv_common_avg_frames, -- 4 KB pages of high virtual common storage in central storage, mean
    x.smf71som::DOUBLE                            AS shared_objects_min_count, -- Memory objects of high virtual shared storage, least
    x.smf71sox::DOUBLE                            AS shared_objects_max_count, -- Memory objects of high virtual shared storage, most
    x.smf71soa::DOUBLE                            AS shared_objects_avg_count, -- Memory objects of high virtual shared storage, mean
    x.smf71com::DOUBLE                            AS common_objects_min_count, -- Memory objects of high virtual common storage, least
    x.smf71cox::DOUBLE                            AS common_objects_max_count, -- Memory objects of high virtual common storage, most
    x.smf71coa::DOUBLE                            AS common_objects_avg_count, -- Memory objects of high virtual common storage, mean
    x.smf71lom::DOUBLE                            AS large_objects_min_count, -- Memory objects that fixed 1 MB pages can back, least
    x.smf71lox::DOUBLE                            AS large_objects_max_count, -- Memory objects that fixed 1 MB pages can back, most
    x.smf71loa::DOUBLE                            AS large_objects_avg_count, -- Memory objects that fixed 1 MB pages can back, mean
    x.smf71lrm::DOUBLE                            AS large_fixed_min_frames, -- Fixed 1 MB pages in central storage, least
    x.smf71lrx::DOUBLE                            AS large_fixed_max_frames, -- Fixed 1 MB pages in central storage, most
    x.smf71lra::DOUBLE                            AS large_fixed_avg_frames, -- Fixed 1 MB pages in central storage, mean
    x.smf71lfa::DOUBLE                            AS lfarea_frames, -- Fixed 1 MB pages that LFAREA allows
    x.smf71tsc::DOUBLE                            AS slots_total, -- Slots of the local page data sets
    x.smf71mnu::DOUBLE                            AS slots_free_min, -- Local slots usable and free, least
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM paging AS x;
