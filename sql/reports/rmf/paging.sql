/* imsperf report
id       = "rmf.paging"
title    = "Paging Activity"
answers  = "Does the system page, and how is central storage used?"
key      = []
time     = "interval_start_utc"
lead     = "smf71_1_product"
needs    = ["load_file", "smf71_1_paging", "smf71_1_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["page_rate_per_s"]
color    = "system"
title    = "Page rate, pages a second"

[[column]]
name     = "page_rate_per_s"
label    = "PAGE RATE"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "all_page_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages a second paged or swapped, in and out"
from     = ["smf71_1_paging.smf71pin", "smf71_1_paging.smf71pot", "smf71_1_paging.smf71sin",
            "smf71_1_paging.smf71sot", "smf71_1_paging.smf71vin", "smf71_1_paging.smf71vot",
            "smf71_1_product.smf71int"]

[[column]]
name     = "page_in_per_s"
label    = "PAGE IN"
unit     = "1/s"
kind     = "ratio"
num      = "page_in_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages paged in, without VIO and swapping, a second"
from     = ["smf71_1_paging.smf71pin", "smf71_1_product.smf71int"]

[[column]]
name     = "page_out_per_s"
label    = "PAGE OUT"
unit     = "1/s"
kind     = "ratio"
num      = "page_out_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages paged out, without VIO and swapping, a second"
from     = ["smf71_1_paging.smf71pot", "smf71_1_product.smf71int"]

[[column]]
name     = "swap_in_per_s"
label    = "SWAP IN"
unit     = "1/s"
kind     = "ratio"
num      = "swap_in_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages swapped in, a second"
from     = ["smf71_1_paging.smf71sin", "smf71_1_product.smf71int"]

[[column]]
name     = "swap_out_per_s"
label    = "SWAP OUT"
unit     = "1/s"
kind     = "ratio"
num      = "swap_out_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages swapped out, a second"
from     = ["smf71_1_paging.smf71sot", "smf71_1_product.smf71int"]

[[column]]
name     = "vio_in_per_s"
label    = "VIO IN"
unit     = "1/s"
kind     = "ratio"
num      = "vio_in_count"
den      = "interval_s"
format   = "rate"
doc      = "VIO pages paged in, a second"
from     = ["smf71_1_paging.smf71vin", "smf71_1_product.smf71int"]

[[column]]
name     = "vio_out_per_s"
label    = "VIO OUT"
unit     = "1/s"
kind     = "ratio"
num      = "vio_out_count"
den      = "interval_s"
format   = "rate"
doc      = "VIO pages paged out, a second"
from     = ["smf71_1_paging.smf71vot", "smf71_1_product.smf71int"]

[[column]]
name     = "common_in_per_s"
label    = "COMMON IN"
unit     = "1/s"
kind     = "ratio"
num      = "common_in_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages of the common area paged in, a second"
from     = ["smf71_1_paging.smf71sni", "smf71_1_product.smf71int"]

[[column]]
name     = "common_out_per_s"
label    = "COMMON OUT"
unit     = "1/s"
kind     = "ratio"
num      = "common_out_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages of the common area paged out, a second"
from     = ["smf71_1_paging.smf71sno", "smf71_1_product.smf71int"]

[[column]]
name     = "lpa_in_per_s"
label    = "LPA IN"
unit     = "1/s"
kind     = "ratio"
num      = "lpa_in_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages of the LPA paged in, a second"
from     = ["smf71_1_paging.smf71lni", "smf71_1_product.smf71int"]

[[column]]
name     = "hiperspace_in_per_s"
label    = "HIPERSPACE IN"
unit     = "1/s"
kind     = "ratio"
num      = "hiperspace_in_count"
den      = "interval_s"
format   = "rate"
doc      = "Hiperspace pages paged in, a second"
from     = ["smf71_1_paging.smf71hin", "smf71_1_product.smf71int"]

[[column]]
name     = "hiperspace_out_per_s"
label    = "HIPERSPACE OUT"
unit     = "1/s"
kind     = "ratio"
num      = "hiperspace_out_count"
den      = "interval_s"
format   = "rate"
doc      = "Hiperspace pages paged out, a second"
from     = ["smf71_1_paging.smf71hot", "smf71_1_product.smf71int"]

[[column]]
name     = "shared_in_per_s"
label    = "SHARED IN"
unit     = "1/s"
kind     = "ratio"
num      = "shared_in_count"
den      = "interval_s"
format   = "rate"
doc      = "Shared pages paged in, a second"
from     = ["smf71_1_paging.smf71asi", "smf71_1_product.smf71int"]

[[column]]
name     = "shared_out_per_s"
label    = "SHARED OUT"
unit     = "1/s"
kind     = "ratio"
num      = "shared_out_count"
den      = "interval_s"
format   = "rate"
doc      = "Shared pages paged out, a second"
from     = ["smf71_1_paging.smf71aso", "smf71_1_product.smf71int"]

[[column]]
name     = "blocks_per_s"
label    = "BLOCKS PER SECOND"
unit     = "1/s"
kind     = "ratio"
num      = "block_count"
den      = "interval_s"
format   = "rate"
doc      = "Blocks of pages paged in, a second"
from     = ["smf71_1_paging.smf71blk", "smf71_1_product.smf71int"]

[[column]]
name     = "pages_per_block"
label    = "AVERAGE PAGES PER BLOCK"
unit     = "pages"
kind     = "ratio"
num      = "block_page_count"
den      = "block_count"
format   = "1"
empty    = ""
doc      = "Pages of a block"
from     = ["smf71_1_paging.smf71blp", "smf71_1_paging.smf71blk"]

[[column]]
name     = "moves_per_s"
label    = "PAGE MOVEMENT RATE"
unit     = "1/s"
kind     = "ratio"
num      = "move_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages moved inside central storage, a second"
from     = ["smf71_1_paging.smf71pmv", "smf71_1_product.smf71int"]

[[column]]
name     = "move_time_pct"
label    = "PAGE MOVEMENT TIME %"
unit     = "%"
kind     = "ratio"
num      = "move_us"
den      = "interval_us"
scale    = 100
format   = "2"
empty    = ""
doc      = "Time of page movement"
from     = ["smf71_1_paging.smf71pmt", "smf71_1_product.smf71int"]

[[column]]
name     = "getmains_per_s"
label    = "GETMAIN REQUESTS"
unit     = "1/s"
kind     = "ratio"
num      = "getmain_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests to obtain storage, a second"
from     = ["smf71_1_paging.smf71grn", "smf71_1_product.smf71int"]

[[column]]
name     = "frames_backed_per_s"
label    = "FRAMES BACKED"
unit     = "1/s"
kind     = "ratio"
num      = "backed_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages backed when they were obtained, a second"
from     = ["smf71_1_paging.smf71fbn", "smf71_1_product.smf71int"]

[[column]]
name     = "fix_requests_per_s"
label    = "FIXED REQ <2GB"
unit     = "1/s"
kind     = "ratio"
num      = "fix_request_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests to fix pages below 2 GB, a second"
from     = ["smf71_1_paging.smf71frn", "smf71_1_product.smf71int"]

[[column]]
name     = "frames_fixed_per_s"
label    = "FRAMES <2GB"
unit     = "1/s"
kind     = "ratio"
num      = "fixed_count"
den      = "interval_s"
format   = "rate"
doc      = "Pages those requests wanted fixed, a second"
from     = ["smf71_1_paging.smf71ffn", "smf71_1_product.smf71int"]

[[column]]
name     = "first_faults_per_s"
label    = "REF FAULTS 1ST"
unit     = "1/s"
kind     = "ratio"
num      = "first_fault_count"
den      = "interval_s"
format   = "rate"
doc      = "Page faults at the first reference, a second"
from     = ["smf71_1_paging.smf711rn", "smf71_1_product.smf71int"]

[[column]]
name     = "later_faults_per_s"
label    = "REF FAULTS NON-1ST"
unit     = "1/s"
kind     = "ratio"
num      = "later_fault_count"
den      = "interval_s"
format   = "rate"
doc      = "Page faults at later references, a second"
from     = ["smf71_1_paging.smf71nrn", "smf71_1_product.smf71int"]

[[column]]
name     = "uic_min"
label    = "SYSTEM UIC MIN"
unit     = "s"
kind     = "level"
total    = "min"
format   = "int"
doc      = "System UIC, least; of older records the high UIC"
from     = ["smf71_1_paging.smf71ulc", "smf71_1_paging.smf71lic"]

[[column]]
name     = "uic_max"
label    = "SYSTEM UIC MAX"
unit     = "s"
kind     = "highwater"
format   = "int"
doc      = "System UIC, most"
from     = ["smf71_1_paging.smf71uhc", "smf71_1_paging.smf71hic"]

[[column]]
name     = "uic_avg"
label    = "SYSTEM UIC AVG"
unit     = "s"
better   = "higher"
kind     = "level"
format   = "int"
doc      = "System UIC, mean"
from     = ["smf71_1_paging.smf71uac", "smf71_1_paging.smf71aca"]

[[column]]
name     = "frames_total"
label    = "TOTAL FRAMES"
unit     = "frames"
kind     = "config"
format   = "int"
doc      = "Frames of central storage"
from     = ["smf71_1_paging.smf71tfc"]

[[column]]
name     = "frames_available_min"
label    = "AVAILABLE MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Frames of central storage not in use, least"
from     = ["smf71_1_paging.smf71mnf"]

[[column]]
name     = "frames_available_max"
label    = "AVAILABLE MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Frames of central storage not in use, most"
from     = ["smf71_1_paging.smf71mxf"]

[[column]]
name     = "frames_available_avg"
label    = "AVAILABLE AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Frames of central storage not in use, mean"
from     = ["smf71_1_paging.smf71lvf", "smf71_1_paging.smf71avf"]

[[column]]
name     = "frames_sqa_min"
label    = "SQA MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Frames of the SQA, least"
from     = ["smf71_1_paging.smf71msr"]

[[column]]
name     = "frames_sqa_max"
label    = "SQA MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Frames of the SQA, most"
from     = ["smf71_1_paging.smf71xsr"]

[[column]]
name     = "frames_sqa_avg"
label    = "SQA AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Frames of the SQA, mean"
from     = ["smf71_1_paging.smf71asr"]

[[column]]
name     = "frames_lpa_min"
label    = "LPA MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Frames of the LPA, least"
from     = ["smf71_1_paging.smf71nlp"]

[[column]]
name     = "frames_lpa_max"
label    = "LPA MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Frames of the LPA, most"
from     = ["smf71_1_paging.smf71xlp"]

[[column]]
name     = "frames_lpa_avg"
label    = "LPA AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Frames of the LPA, mean"
from     = ["smf71_1_paging.smf71alp"]

[[column]]
name     = "frames_csa_min"
label    = "CSA MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Frames of the CSA in use, least"
from     = ["smf71_1_paging.smf71mnp"]

[[column]]
name     = "frames_csa_max"
label    = "CSA MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Frames of the CSA in use, most"
from     = ["smf71_1_paging.smf71mxp"]

[[column]]
name     = "frames_csa_avg"
label    = "CSA AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Frames of the CSA in use, mean"
from     = ["smf71_1_paging.smf71avp"]

[[column]]
name     = "frames_lsqa_min"
label    = "LSQA MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Frames of the LSQA, least"
from     = ["smf71_1_paging.smf71mlr"]

[[column]]
name     = "frames_lsqa_max"
label    = "LSQA MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Frames of the LSQA, most"
from     = ["smf71_1_paging.smf71xlr"]

[[column]]
name     = "frames_lsqa_avg"
label    = "LSQA AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Frames of the LSQA, mean"
from     = ["smf71_1_paging.smf71alr"]

[[column]]
name     = "frames_private_min"
label    = "PRIVATE MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Pageable frames of private areas, least"
from     = ["smf71_1_paging.smf71mns"]

[[column]]
name     = "frames_private_max"
label    = "PRIVATE MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Pageable frames of private areas, most"
from     = ["smf71_1_paging.smf71mxs"]

[[column]]
name     = "frames_private_avg"
label    = "PRIVATE AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Pageable frames of private areas, mean"
from     = ["smf71_1_paging.smf71lvs", "smf71_1_paging.smf71avs"]

[[column]]
name     = "frames_fixed_min"
label    = "FIXED MIN"
unit     = "frames"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Fixed frames, all, least"
from     = ["smf71_1_paging.smf71mnx"]

[[column]]
name     = "frames_fixed_max"
label    = "FIXED MAX"
unit     = "frames"
kind     = "highwater"
format   = "int"
doc      = "Fixed frames, all, most"
from     = ["smf71_1_paging.smf71mxx"]

[[column]]
name     = "frames_fixed_avg"
label    = "FIXED AVG"
unit     = "frames"
kind     = "level"
format   = "int"
doc      = "Fixed frames, all, mean"
from     = ["smf71_1_paging.smf71lvx", "smf71_1_paging.smf71avx"]

[[column]]
name     = "slots_total"
label    = "SLOTS"
unit     = "slots"
kind     = "level"
format   = "int"
doc      = "Slots of the local page data sets"
from     = ["smf71_1_paging.smf71tsc"]

[[column]]
name     = "slots_free_min"
label    = "SLOTS FREE MIN"
unit     = "slots"
better   = "higher"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Local slots usable and free, least"
from     = ["smf71_1_paging.smf71mnu"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_paging.interval_s"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_paging.interval_us"]

[[column]]
name     = "all_page_count"
unit     = "pages"
kind     = "part"
doc      = "Pages paged or swapped"
from     = ["rmf_paging.all_page_count"]

[[column]]
name     = "page_in_count"
kind     = "part"
doc      = "Pages paged in, without VIO and swapping"
from     = ["rmf_paging.page_in_count"]

[[column]]
name     = "page_out_count"
kind     = "part"
doc      = "Pages paged out, without VIO and swapping"
from     = ["rmf_paging.page_out_count"]

[[column]]
name     = "swap_in_count"
kind     = "part"
doc      = "Pages swapped in"
from     = ["rmf_paging.swap_in_count"]

[[column]]
name     = "swap_out_count"
kind     = "part"
doc      = "Pages swapped out"
from     = ["rmf_paging.swap_out_count"]

[[column]]
name     = "vio_in_count"
kind     = "part"
doc      = "VIO pages paged in"
from     = ["rmf_paging.vio_in_count"]

[[column]]
name     = "vio_out_count"
kind     = "part"
doc      = "VIO pages paged out"
from     = ["rmf_paging.vio_out_count"]

[[column]]
name     = "common_in_count"
kind     = "part"
doc      = "Pages of the common area paged in"
from     = ["rmf_paging.common_in_count"]

[[column]]
name     = "common_out_count"
kind     = "part"
doc      = "Pages of the common area paged out"
from     = ["rmf_paging.common_out_count"]

[[column]]
name     = "lpa_in_count"
kind     = "part"
doc      = "Pages of the LPA paged in"
from     = ["rmf_paging.lpa_in_count"]

[[column]]
name     = "hiperspace_in_count"
kind     = "part"
doc      = "Hiperspace pages paged in"
from     = ["rmf_paging.hiperspace_in_count"]

[[column]]
name     = "hiperspace_out_count"
kind     = "part"
doc      = "Hiperspace pages paged out"
from     = ["rmf_paging.hiperspace_out_count"]

[[column]]
name     = "shared_in_count"
kind     = "part"
doc      = "Shared pages paged in"
from     = ["rmf_paging.shared_in_count"]

[[column]]
name     = "shared_out_count"
kind     = "part"
doc      = "Shared pages paged out"
from     = ["rmf_paging.shared_out_count"]

[[column]]
name     = "block_count"
kind     = "part"
doc      = "Blocks of pages paged in"
from     = ["rmf_paging.block_count"]

[[column]]
name     = "block_page_count"
kind     = "part"
doc      = "Pages paged in by blocks"
from     = ["rmf_paging.block_page_count"]

[[column]]
name     = "move_count"
kind     = "part"
doc      = "Pages moved inside central storage"
from     = ["rmf_paging.move_count"]

[[column]]
name     = "getmain_count"
kind     = "part"
doc      = "Requests to obtain storage"
from     = ["rmf_paging.getmain_count"]

[[column]]
name     = "backed_count"
kind     = "part"
doc      = "Pages backed when they were obtained"
from     = ["rmf_paging.backed_count"]

[[column]]
name     = "fix_request_count"
kind     = "part"
doc      = "Requests to fix pages below 2 GB"
from     = ["rmf_paging.fix_request_count"]

[[column]]
name     = "fixed_count"
kind     = "part"
doc      = "Pages those requests wanted fixed"
from     = ["rmf_paging.fixed_count"]

[[column]]
name     = "first_fault_count"
kind     = "part"
doc      = "Page faults at the first reference"
from     = ["rmf_paging.first_fault_count"]

[[column]]
name     = "later_fault_count"
kind     = "part"
doc      = "Page faults at later references"
from     = ["rmf_paging.later_fault_count"]

[[column]]
name     = "move_us"
unit     = "us"
kind     = "part"
doc      = "Time of page movement"
from     = ["rmf_paging.move_us"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    all_page_count / nullif(interval_s, 0)                       AS page_rate_per_s,
    page_in_count / nullif(interval_s, 0)                        AS page_in_per_s,
    page_out_count / nullif(interval_s, 0)                       AS page_out_per_s,
    swap_in_count / nullif(interval_s, 0)                        AS swap_in_per_s,
    swap_out_count / nullif(interval_s, 0)                       AS swap_out_per_s,
    vio_in_count / nullif(interval_s, 0)                         AS vio_in_per_s,
    vio_out_count / nullif(interval_s, 0)                        AS vio_out_per_s,
    common_in_count / nullif(interval_s, 0)                      AS common_in_per_s,
    common_out_count / nullif(interval_s, 0)                     AS common_out_per_s,
    lpa_in_count / nullif(interval_s, 0)                         AS lpa_in_per_s,
    hiperspace_in_count / nullif(interval_s, 0)                  AS hiperspace_in_per_s,
    hiperspace_out_count / nullif(interval_s, 0)                 AS hiperspace_out_per_s,
    shared_in_count / nullif(interval_s, 0)                      AS shared_in_per_s,
    shared_out_count / nullif(interval_s, 0)                     AS shared_out_per_s,
    block_count / nullif(interval_s, 0)                          AS blocks_per_s,
    block_page_count / nullif(block_count, 0)                    AS pages_per_block,
    move_count / nullif(interval_s, 0)                           AS moves_per_s,
    100 * move_us / nullif(interval_us, 0)                       AS move_time_pct,
    getmain_count / nullif(interval_s, 0)                        AS getmains_per_s,
    backed_count / nullif(interval_s, 0)                         AS frames_backed_per_s,
    fix_request_count / nullif(interval_s, 0)                    AS fix_requests_per_s,
    fixed_count / nullif(interval_s, 0)                          AS frames_fixed_per_s,
    first_fault_count / nullif(interval_s, 0)                    AS first_faults_per_s,
    later_fault_count / nullif(interval_s, 0)                    AS later_faults_per_s,
    uic_min                                                      AS uic_min,
    uic_max                                                      AS uic_max,
    uic_avg                                                      AS uic_avg,
    total_frames                                                 AS frames_total,
    available_min_frames                                         AS frames_available_min,
    available_max_frames                                         AS frames_available_max,
    available_avg_frames                                         AS frames_available_avg,
    sqa_min_frames                                               AS frames_sqa_min,
    sqa_max_frames                                               AS frames_sqa_max,
    sqa_avg_frames                                               AS frames_sqa_avg,
    lpa_min_frames                                               AS frames_lpa_min,
    lpa_max_frames                                               AS frames_lpa_max,
    lpa_avg_frames                                               AS frames_lpa_avg,
    csa_min_frames                                               AS frames_csa_min,
    csa_max_frames                                               AS frames_csa_max,
    csa_avg_frames                                               AS frames_csa_avg,
    lsqa_min_frames                                              AS frames_lsqa_min,
    lsqa_max_frames                                              AS frames_lsqa_max,
    lsqa_avg_frames                                              AS frames_lsqa_avg,
    private_min_frames                                           AS frames_private_min,
    private_max_frames                                           AS frames_private_max,
    private_avg_frames                                           AS frames_private_avg,
    fixed_min_frames                                             AS frames_fixed_min,
    fixed_max_frames                                             AS frames_fixed_max,
    fixed_avg_frames                                             AS frames_fixed_avg,
    slots_total                                                  AS slots_total,
    slots_free_min                                               AS slots_free_min,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    all_page_count                                               AS all_page_count,
    page_in_count                                                AS page_in_count,
    page_out_count                                               AS page_out_count,
    swap_in_count                                                AS swap_in_count,
    swap_out_count                                               AS swap_out_count,
    vio_in_count                                                 AS vio_in_count,
    vio_out_count                                                AS vio_out_count,
    common_in_count                                              AS common_in_count,
    common_out_count                                             AS common_out_count,
    lpa_in_count                                                 AS lpa_in_count,
    hiperspace_in_count                                          AS hiperspace_in_count,
    hiperspace_out_count                                         AS hiperspace_out_count,
    shared_in_count                                              AS shared_in_count,
    shared_out_count                                             AS shared_out_count,
    block_count                                                  AS block_count,
    block_page_count                                             AS block_page_count,
    move_count                                                   AS move_count,
    getmain_count                                                AS getmain_count,
    backed_count                                                 AS backed_count,
    fix_request_count                                            AS fix_request_count,
    fixed_count                                                  AS fixed_count,
    first_fault_count                                            AS first_fault_count,
    later_fault_count                                            AS later_fault_count,
    move_us                                                      AS move_us
FROM rmf_paging
ORDER BY run, system, interval_start_utc, interval_start
