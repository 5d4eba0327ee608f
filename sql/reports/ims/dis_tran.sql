/* imsperf report
id       = "ims.dis_tran"
title    = "Transaction Attributes"
answers  = "What did /DISPLAY TRAN ALL show of each transaction?"
key      = ["path", "tran"]
like     = "ims.tran_attributes"
no_rows  = "nothing is loaded, or no text of /DISPLAY TRAN ALL stood beside it"

[page]
layout      = "IMS Commands, /DISPLAY TRAN"
heading     = "run"
above       = """
Transaction Attributes             Run : {run}

"""

[columns]
path             = { label = "TEXT" }
parallel_limit   = { empty = "NONE" }
*/
SELECT
    run, path, tran, class, enqueued_count, queued_count, limit_count, processing_limit,
    current_priority, normal_priority, limit_priority, segment_size, segment_number, parallel_limit,
    regions_count
FROM displayed_transaction
ORDER BY run, path, tran
