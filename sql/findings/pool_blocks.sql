/* imsperf finding
title     = "A storage pool needs more blocks than at other times"
report    = "ims.fixed_pools"
severity  = "high"
unit      = "blocks"
usual     = "avg_blocks"
limits    = { times = 2, more = 4 }
reason    = """
Buffers are held longer, or the primary block is too small: IMS obtains storage while programs wait."""
source    = """
IMS Performance Analyzer and IMS statistics records (type 45): storage pools, average and high blocks"""
overruled = "A pool that grows once after a restart."
*/
SELECT *, avg_blocks AS value, greatest($times * usual, usual + $more) AS threshold
FROM report
WHERE value > threshold
