/* imsperf report
id       = "rmf.paging"
title    = "Paging Activity"
answers  = "Does the system page, and how is central storage used?"
key      = []
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["page_rate_per_s"]
color    = "system"
title    = "Page rate, pages a second"

[page]
layout   = "smf2db 0.1.3"
note     = """
Pages that came by blocks are known for the whole system alone, and are not among the others: a single source says so.
"""

[[page.table]]
text     = """
                                CENTRAL STORAGE PAGING RATES - IN PAGES PER SECOND
CATEGORY                ------------------PAGE IN-------------------     --------------PAGE OUT--------------
                                NON SWAP  NON SWAP     TOTAL       %                            TOTAL       %
                          SWAP     BLOCK NON BLOCK      RATE  OF SUM         SWAP  NON SWAP      RATE  OF SUM
PAGEABLE SYSTEM AREAS
  LPA                                   {lpa_in_per_s:10}
  CSA                                   {csa_in_per_s:10}                               {common_out_per_s:10}
  SUM                                   {common_in_per_s:10}                               {common_out_per_s:10}
ADDRESS SPACES
  HIPERSPACE                  {hiperspace_in_per_s:10}                                         {hiperspace_out_per_s:10}
  VIO                         {vio_in_per_s:10}                                         {vio_out_per_s:10}
  NON VIO           {swap_in_per_s:10}          {space_in_per_s:10}                  {swap_out_per_s:13}{space_out_per_s:10}
TOTAL SYSTEM
  HIPERSPACE                  {hiperspace_in_per_s:10}          {hiperspace_in_per_s:10}{hiperspace_in_pct:8}             {hiperspace_out_per_s:10}{hiperspace_out_per_s:10}{hiperspace_out_pct:8}
  VIO                         {vio_in_per_s:10}          {vio_in_per_s:10}{vio_in_pct:8}             {vio_out_per_s:10}{vio_out_per_s:10}{vio_out_pct:8}
  NON VIO           {swap_in_per_s:10}{block_pages_in_per_s:10}{page_in_per_s:10}{non_vio_in_per_s:10}{non_vio_in_pct:8}{swap_out_per_s:13}{page_out_per_s:10}{non_vio_out_per_s:10}{non_vio_out_pct:8}
  SUM                                             {all_in_per_s:10}                               {all_out_per_s:10}
SHARED                                  {shared_in_per_s:10}                               {shared_out_per_s:10}

PAGE MOVEMENT RATE     {moves_per_s:10}    GETMAIN REQUESTS   {getmains_per_s:10}    REF FAULTS 1ST     {first_faults_per_s:10}
PAGE MOVEMENT TIME %   {move_time_pct:10}    FRAMES BACKED      {frames_backed_per_s:10}    REF FAULTS NON-1ST {later_faults_per_s:10}
AVERAGE PAGES PER BLOCK{pages_per_block:10}    FIXED REQ <2GB     {fix_requests_per_s:10}
BLOCKS PER SECOND      {blocks_per_s:10}    FRAMES <2GB        {frames_fixed_per_s:10}
PAGE-IN EVENTS (PAGE FAULT RATE) {page_in_per_s:10}    PAGE RATE {page_rate_per_s:10}

                                  MIN            MAX            AVG
SYSTEM UIC            {uic_min:15}{uic_max:15}{uic_avg:15}
CENTRAL STORAGE FRAMES
  TOTAL               {frames_total:15}{frames_total:15}{frames_total:15}
  AVAILABLE           {frames_available_min:15}{frames_available_max:15}{frames_available_avg:15}
  SQA                 {frames_sqa_min:15}{frames_sqa_max:15}{frames_sqa_avg:15}
  LPA                 {frames_lpa_min:15}{frames_lpa_max:15}{frames_lpa_avg:15}
  CSA                 {frames_csa_min:15}{frames_csa_max:15}{frames_csa_avg:15}
  LSQA                {frames_lsqa_min:15}{frames_lsqa_max:15}{frames_lsqa_avg:15}
  REGIONS+SWA         {frames_private_min:15}{frames_private_max:15}{frames_private_avg:15}
  FIXED               {frames_fixed_min:15}{frames_fixed_max:15}{frames_fixed_avg:15}
  HV SHARED           {frames_hv_shared_min:15}{frames_hv_shared_max:15}{frames_hv_shared_avg:15}
  HV COMMON           {frames_hv_common_min:15}{frames_hv_common_max:15}{frames_hv_common_avg:15}
MEMORY OBJECTS
  SHARED              {objects_shared_min:15}{objects_shared_max:15}{objects_shared_avg:15}
  COMMON              {objects_common_min:15}{objects_common_max:15}{objects_common_avg:15}
  1 MB                {objects_large_min:15}{objects_large_max:15}{objects_large_avg:15}
1 MB FRAMES FIXED     {large_fixed_min:15}{large_fixed_max:15}{large_fixed_avg:15}
LFAREA 1 MB FRAMES    {lfarea_frames:15}
SLOTS TOTAL {slots_total:15}   FREE MIN {slots_free_min:15}
"""

[columns]
csa_in_per_s         = { label = "CSA IN", format = "rate" }
space_in_per_s       = { label = "ADDRESS SPACES IN", format = "rate" }
space_out_per_s      = { label = "ADDRESS SPACES OUT", format = "rate" }
block_pages_in_per_s = { label = "BLOCK PAGES IN", format = "rate" }
all_in_per_s         = { label = "ALL IN", format = "rate" }
all_out_per_s        = { label = "ALL OUT", format = "rate" }
non_vio_in_per_s     = { label = "NON VIO IN", format = "rate" }
non_vio_out_per_s    = { label = "NON VIO OUT", format = "rate" }
non_vio_in_pct       = { label = "NON VIO IN %", format = "1", empty = "" }
non_vio_out_pct      = { label = "NON VIO OUT %", format = "1", empty = "" }
hiperspace_in_pct    = { label = "HIPERSPACE IN %", format = "1", empty = "" }
hiperspace_out_pct   = { label = "HIPERSPACE OUT %", format = "1", empty = "" }
vio_in_pct           = { label = "VIO IN %", format = "1", empty = "" }
vio_out_pct          = { label = "VIO OUT %", format = "1", empty = "" }
page_rate_per_s      = { label = "PAGE RATE", better = "lower", format = "rate" }
page_in_per_s        = { label = "PAGE IN", format = "rate" }
page_out_per_s       = { label = "PAGE OUT", format = "rate" }
swap_in_per_s        = { label = "SWAP IN", format = "rate" }
swap_out_per_s       = { label = "SWAP OUT", format = "rate" }
vio_in_per_s         = { label = "VIO IN", format = "rate" }
vio_out_per_s        = { label = "VIO OUT", format = "rate" }
common_in_per_s      = { label = "COMMON IN", format = "rate" }
common_out_per_s     = { label = "COMMON OUT", format = "rate" }
lpa_in_per_s         = { label = "LPA IN", format = "rate" }
hiperspace_in_per_s  = { label = "HIPERSPACE IN", format = "rate" }
hiperspace_out_per_s = { label = "HIPERSPACE OUT", format = "rate" }
shared_in_per_s      = { label = "SHARED IN", format = "rate" }
shared_out_per_s     = { label = "SHARED OUT", format = "rate" }
blocks_per_s         = { label = "BLOCKS PER SECOND", format = "rate" }
pages_per_block      = { label = "AVERAGE PAGES PER BLOCK", format = "1", empty = "" }
moves_per_s          = { label = "PAGE MOVEMENT RATE", format = "rate" }
move_time_pct        = { label = "PAGE MOVEMENT TIME %", format = "2", empty = "" }
getmains_per_s       = { label = "GETMAIN REQUESTS", format = "rate" }
frames_backed_per_s  = { label = "FRAMES BACKED", format = "rate" }
fix_requests_per_s   = { label = "FIXED REQ <2GB", format = "rate" }
frames_fixed_per_s   = { label = "FRAMES <2GB", format = "rate" }
first_faults_per_s   = { label = "REF FAULTS 1ST", format = "rate" }
later_faults_per_s   = { label = "REF FAULTS NON-1ST", format = "rate" }
uic_min              = { label = "SYSTEM UIC MIN", kind = "level", total = "min", format = "int" }
uic_max              = { label = "SYSTEM UIC MAX", kind = "highwater", format = "int" }
uic_avg              = { label = "SYSTEM UIC AVG", kind = "level", better = "higher", format = "int" }
frames_total         = { label = "TOTAL FRAMES", format = "int" }
frames_available_min = { label = "AVAILABLE MIN", kind = "level", total = "min", format = "int" }
frames_available_max = { label = "AVAILABLE MAX", kind = "highwater", format = "int" }
frames_available_avg = { label = "AVAILABLE AVG", kind = "level", format = "int" }
frames_sqa_min       = { label = "SQA MIN", kind = "level", total = "min", format = "int" }
frames_sqa_max       = { label = "SQA MAX", kind = "highwater", format = "int" }
frames_sqa_avg       = { label = "SQA AVG", kind = "level", format = "int" }
frames_lpa_min       = { label = "LPA MIN", kind = "level", total = "min", format = "int" }
frames_lpa_max       = { label = "LPA MAX", kind = "highwater", format = "int" }
frames_lpa_avg       = { label = "LPA AVG", kind = "level", format = "int" }
frames_csa_min       = { label = "CSA MIN", kind = "level", total = "min", format = "int" }
frames_csa_max       = { label = "CSA MAX", kind = "highwater", format = "int" }
frames_csa_avg       = { label = "CSA AVG", kind = "level", format = "int" }
frames_lsqa_min      = { label = "LSQA MIN", kind = "level", total = "min", format = "int" }
frames_lsqa_max      = { label = "LSQA MAX", kind = "highwater", format = "int" }
frames_lsqa_avg      = { label = "LSQA AVG", kind = "level", format = "int" }
frames_private_min   = { label = "PRIVATE MIN", kind = "level", total = "min", format = "int" }
frames_private_max   = { label = "PRIVATE MAX", kind = "highwater", format = "int" }
frames_private_avg   = { label = "PRIVATE AVG", kind = "level", format = "int" }
frames_fixed_min     = { label = "FIXED MIN", kind = "level", total = "min", format = "int" }
frames_fixed_max     = { label = "FIXED MAX", kind = "highwater", format = "int" }
frames_fixed_avg     = { label = "FIXED AVG", kind = "level", format = "int" }
frames_hv_shared_min = { label = "HV SHARED MIN", kind = "level", total = "min", format = "int" }
frames_hv_shared_max = { label = "HV SHARED MAX", kind = "highwater", format = "int" }
frames_hv_shared_avg = { label = "HV SHARED AVG", kind = "level", format = "int" }
frames_hv_common_min = { label = "HV COMMON MIN", kind = "level", total = "min", format = "int" }
frames_hv_common_max = { label = "HV COMMON MAX", kind = "highwater", format = "int" }
frames_hv_common_avg = { label = "HV COMMON AVG", kind = "level", format = "int" }
objects_shared_min   = { label = "MEMORY OBJECTS SHARED MIN", kind = "level", total = "min", format = "int" }
objects_shared_max   = { label = "MEMORY OBJECTS SHARED MAX", kind = "highwater", format = "int" }
objects_shared_avg   = { label = "MEMORY OBJECTS SHARED AVG", kind = "level", format = "int" }
objects_common_min   = { label = "MEMORY OBJECTS COMMON MIN", kind = "level", total = "min", format = "int" }
objects_common_max   = { label = "MEMORY OBJECTS COMMON MAX", kind = "highwater", format = "int" }
objects_common_avg   = { label = "MEMORY OBJECTS COMMON AVG", kind = "level", format = "int" }
objects_large_min    = { label = "MEMORY OBJECTS 1 MB MIN", kind = "level", total = "min", format = "int" }
objects_large_max    = { label = "MEMORY OBJECTS 1 MB MAX", kind = "highwater", format = "int" }
objects_large_avg    = { label = "MEMORY OBJECTS 1 MB AVG", kind = "level", format = "int" }
large_fixed_min      = { label = "1 MB FRAMES FIXED MIN", kind = "level", total = "min", format = "int" }
large_fixed_max      = { label = "1 MB FRAMES FIXED MAX", kind = "highwater", format = "int" }
large_fixed_avg      = { label = "1 MB FRAMES FIXED AVG", kind = "level", format = "int" }
lfarea_frames        = { label = "LFAREA 1 MB FRAMES", kind = "level", format = "int" }
slots_total          = { label = "SLOTS", kind = "level", format = "int" }
slots_free_min       = { label = "SLOTS FREE MIN", kind = "level", better = "higher", total = "min", format = "int" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    all_page_count / nullif(interval_s, 0)                       AS page_rate_per_s, -- Pages a second paged or swapped, in and out
    page_in_count / nullif(interval_s, 0)                        AS page_in_per_s, -- Pages paged in, without VIO and swapping, a second
    page_out_count / nullif(interval_s, 0)                       AS page_out_per_s, -- Pages paged out, without VIO and swapping, a second
    swap_in_count / nullif(interval_s, 0)                        AS swap_in_per_s, -- Pages swapped in, a second
    swap_out_count / nullif(interval_s, 0)                       AS swap_out_per_s, -- Pages swapped out, a second
    vio_in_count / nullif(interval_s, 0)                         AS vio_in_per_s, -- VIO pages paged in, a second
    vio_out_count / nullif(interval_s, 0)                        AS vio_out_per_s, -- VIO pages paged out, a second
    common_in_count / nullif(interval_s, 0)                      AS common_in_per_s, -- Pages of the common area paged in, a second
    common_out_count / nullif(interval_s, 0)                     AS common_out_per_s, -- Pages of the common area paged out, a second
    lpa_in_count / nullif(interval_s, 0)                         AS lpa_in_per_s, -- Pages of the LPA paged in, a second
    csa_in_count / nullif(interval_s, 0)                         AS csa_in_per_s, -- Pages of the common area without the LPA paged in, a second
    space_in_count / nullif(interval_s, 0)                       AS space_in_per_s, -- Pages of address spaces paged in, without VIO, swapping and blocks, a second
    space_out_count / nullif(interval_s, 0)                      AS space_out_per_s, -- Pages of address spaces paged out, without VIO and swapping, a second
    block_page_count / nullif(interval_s, 0)                     AS block_pages_in_per_s, -- Pages paged in by blocks, without VIO and hiperspaces, a second
    all_in_count / nullif(interval_s, 0)                         AS all_in_per_s, -- Pages paged or swapped in, all of them, a second
    all_out_count / nullif(interval_s, 0)                        AS all_out_per_s, -- Pages paged or swapped out, all of them, a second
    non_vio_in_count / nullif(interval_s, 0)                     AS non_vio_in_per_s, -- Pages paged in, by blocks too, and swapped in, without VIO and hiperspaces, a second
    non_vio_out_count / nullif(interval_s, 0)                    AS non_vio_out_per_s, -- Pages paged and swapped out, without VIO and hiperspaces, a second
    100 * non_vio_in_count / nullif(all_in_count, 0)             AS non_vio_in_pct, -- Those pages, of all paged in
    100 * non_vio_out_count / nullif(all_out_count, 0)           AS non_vio_out_pct, -- Those pages, of all paged out
    100 * hiperspace_in_count / nullif(all_in_count, 0)          AS hiperspace_in_pct, -- Hiperspace pages, of all paged in
    100 * vio_in_count / nullif(all_in_count, 0)                 AS vio_in_pct, -- VIO pages, of all paged in
    100 * hiperspace_out_count / nullif(all_out_count, 0)        AS hiperspace_out_pct, -- Hiperspace pages, of all paged out
    100 * vio_out_count / nullif(all_out_count, 0)               AS vio_out_pct, -- VIO pages, of all paged out
    hiperspace_in_count / nullif(interval_s, 0)                  AS hiperspace_in_per_s, -- Hiperspace pages paged in, a second
    hiperspace_out_count / nullif(interval_s, 0)                 AS hiperspace_out_per_s, -- Hiperspace pages paged out, a second
    shared_in_count / nullif(interval_s, 0)                      AS shared_in_per_s, -- Shared pages paged in, a second
    shared_out_count / nullif(interval_s, 0)                     AS shared_out_per_s, -- Shared pages paged out, a second
    block_count / nullif(interval_s, 0)                          AS blocks_per_s, -- Blocks of pages paged in, a second
    block_page_count / nullif(block_count, 0)                    AS pages_per_block, -- Pages of a block [pages]
    move_count / nullif(interval_s, 0)                           AS moves_per_s, -- Pages moved inside central storage, a second
    100 * move_us / nullif(interval_us, 0)                       AS move_time_pct, -- Time of page movement
    getmain_count / nullif(interval_s, 0)                        AS getmains_per_s, -- Requests to obtain storage, a second
    backed_count / nullif(interval_s, 0)                         AS frames_backed_per_s, -- Pages backed when they were obtained, a second
    fix_request_count / nullif(interval_s, 0)                    AS fix_requests_per_s, -- Requests to fix pages below 2 GB, a second
    fixed_count / nullif(interval_s, 0)                          AS frames_fixed_per_s, -- Pages those requests wanted fixed, a second
    first_fault_count / nullif(interval_s, 0)                    AS first_faults_per_s, -- Page faults at the first reference, a second
    later_fault_count / nullif(interval_s, 0)                    AS later_faults_per_s, -- Page faults at later references, a second
    uic_min, -- System UIC, least; of older records the high UIC [s]
    uic_max, -- System UIC, most [s]
    uic_avg, -- System UIC, mean [s]
    total_frames                                                 AS frames_total, -- Frames of central storage [frames]
    available_min_frames                                         AS frames_available_min, -- Frames of central storage not in use, least [frames]
    available_max_frames                                         AS frames_available_max, -- Frames of central storage not in use, most [frames]
    available_avg_frames                                         AS frames_available_avg, -- Frames of central storage not in use, mean [frames]
    sqa_min_frames                                               AS frames_sqa_min, -- Frames of the SQA, least [frames]
    sqa_max_frames                                               AS frames_sqa_max, -- Frames of the SQA, most [frames]
    sqa_avg_frames                                               AS frames_sqa_avg, -- Frames of the SQA, mean [frames]
    lpa_min_frames                                               AS frames_lpa_min, -- Frames of the LPA, least [frames]
    lpa_max_frames                                               AS frames_lpa_max, -- Frames of the LPA, most [frames]
    lpa_avg_frames                                               AS frames_lpa_avg, -- Frames of the LPA, mean [frames]
    csa_min_frames                                               AS frames_csa_min, -- Frames of the CSA in use, least [frames]
    csa_max_frames                                               AS frames_csa_max, -- Frames of the CSA in use, most [frames]
    csa_avg_frames                                               AS frames_csa_avg, -- Frames of the CSA in use, mean [frames]
    lsqa_min_frames                                              AS frames_lsqa_min, -- Frames of the LSQA, least [frames]
    lsqa_max_frames                                              AS frames_lsqa_max, -- Frames of the LSQA, most [frames]
    lsqa_avg_frames                                              AS frames_lsqa_avg, -- Frames of the LSQA, mean [frames]
    private_min_frames                                           AS frames_private_min, -- Pageable frames of private areas, least [frames]
    private_max_frames                                           AS frames_private_max, -- Pageable frames of private areas, most [frames]
    private_avg_frames                                           AS frames_private_avg, -- Pageable frames of private areas, mean [frames]
    fixed_min_frames                                             AS frames_fixed_min, -- Fixed frames, all, least [frames]
    fixed_max_frames                                             AS frames_fixed_max, -- Fixed frames, all, most [frames]
    fixed_avg_frames                                             AS frames_fixed_avg, -- Fixed frames, all, mean [frames]
    hv_shared_min_frames                                         AS frames_hv_shared_min, -- 4 KB pages of high virtual shared storage in central storage, least [frames]
    hv_shared_max_frames                                         AS frames_hv_shared_max, -- 4 KB pages of high virtual shared storage in central storage, most [frames]
    hv_shared_avg_frames                                         AS frames_hv_shared_avg, -- 4 KB pages of high virtual shared storage in central storage, mean [frames]
    hv_common_min_frames                                         AS frames_hv_common_min, -- 4 KB pages of high virtual common storage in central storage, least [frames]
    hv_common_max_frames                                         AS frames_hv_common_max, -- 4 KB pages of high virtual common storage in central storage, most [frames]
    hv_common_avg_frames                                         AS frames_hv_common_avg, -- 4 KB pages of high virtual common storage in central storage, mean [frames]
    shared_objects_min_count                                     AS objects_shared_min, -- Memory objects of high virtual shared storage, least [objects]
    shared_objects_max_count                                     AS objects_shared_max, -- Memory objects of high virtual shared storage, most [objects]
    shared_objects_avg_count                                     AS objects_shared_avg, -- Memory objects of high virtual shared storage, mean [objects]
    common_objects_min_count                                     AS objects_common_min, -- Memory objects of high virtual common storage, least [objects]
    common_objects_max_count                                     AS objects_common_max, -- Memory objects of high virtual common storage, most [objects]
    common_objects_avg_count                                     AS objects_common_avg, -- Memory objects of high virtual common storage, mean [objects]
    large_objects_min_count                                      AS objects_large_min, -- Memory objects that fixed 1 MB pages can back, least [objects]
    large_objects_max_count                                      AS objects_large_max, -- Memory objects that fixed 1 MB pages can back, most [objects]
    large_objects_avg_count                                      AS objects_large_avg, -- Memory objects that fixed 1 MB pages can back, mean [objects]
    large_fixed_min_frames                                       AS large_fixed_min, -- Fixed 1 MB pages in central storage, least [frames]
    large_fixed_max_frames                                       AS large_fixed_max, -- Fixed 1 MB pages in central storage, most [frames]
    large_fixed_avg_frames                                       AS large_fixed_avg, -- Fixed 1 MB pages in central storage, mean [frames]
    lfarea_frames, -- Fixed 1 MB pages that LFAREA allows [frames]
    slots_total, -- Slots of the local page data sets [slots]
    slots_free_min, -- Local slots usable and free, least [slots]
    interval_s, interval_us, all_page_count, page_in_count, page_out_count, swap_in_count,
    swap_out_count, vio_in_count, vio_out_count, common_in_count, common_out_count, lpa_in_count,
    hiperspace_in_count, hiperspace_out_count, shared_in_count, shared_out_count, block_count,
    block_page_count, move_count, getmain_count, backed_count, fix_request_count, fixed_count,
    first_fault_count, later_fault_count, move_us,
    csa_in_count, space_in_count, space_out_count, all_in_count, all_out_count, non_vio_in_count,
    non_vio_out_count
FROM rmf_paging
ORDER BY run, sysplex, system, interval_start_utc, interval_start
