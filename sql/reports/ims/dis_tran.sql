/* imsperf report
id       = "ims.dis_tran"
title    = "Transaction Attributes"
answers  = "What did /DISPLAY TRAN ALL show of each transaction?"
key      = ["path", "tran"]
no_rows  = "nothing is loaded, or no text of /DISPLAY TRAN ALL stood beside it"

[page]
heading     = "run"
above       = """
Transaction Attributes             Run : {run}

"""

[[page.table]]
columns  = """
tran              -8  TRAN
class              5  CLS
enqueued_count     8  ENQCT
queued_count       7  QCT
limit_count        6  LCT
processing_limit   6  PLCT
current_priority   4  CP
normal_priority    4  NP
limit_priority     4  LP
segment_size       6  SEGSZ
segment_number     6  SEGNO
parallel_limit     6  PARLM
regions_count      4  RC
"""

[columns]
path             = { label = "TEXT" }
tran             = { label = "TRAN" }
class            = { label = "CLS", kind = "level", format = "int" }
enqueued_count   = { label = "ENQCT", kind = "count", format = "int" }
queued_count     = { label = "QCT", kind = "level", format = "int" }
limit_count      = { label = "LCT", kind = "level", format = "int" }
processing_limit = { label = "PLCT", kind = "level", format = "int" }
current_priority = { label = "CP", kind = "level", format = "int" }
normal_priority  = { label = "NP", kind = "level", format = "int" }
limit_priority   = { label = "LP", kind = "level", format = "int" }
segment_size     = { label = "SEGSZ", kind = "level", format = "int" }
segment_number   = { label = "SEGNO", kind = "level", format = "int" }
parallel_limit   = { label = "PARLM", kind = "level", format = "int", empty = "NONE" }
regions_count    = { label = "RC", kind = "level", format = "int" }
*/
SELECT
    run, path, tran, class, enqueued_count, queued_count, limit_count, processing_limit,
    current_priority, normal_priority, limit_priority, segment_size, segment_number, parallel_limit,
    regions_count
FROM dis_tran
ORDER BY run, path, tran
