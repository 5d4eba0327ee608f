/* imsperf report
id       = "rmf.crypto"
title    = "Crypto Hardware Activity"
answers  = "Which crypto card is busy, and with what?"
key      = ["card", "mode", "domain", "function"]
any_of   = ["smf70_2_accelerator", "smf70_2_cca", "smf70_2_pkcs11"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["util_pct"]
color    = "card"
facet    = "mode"
where    = "function = 'TOTAL'"
title    = "Crypto cards busy, per cent"

[page]
layout   = "smf2db 0.1.3"
note     = "{partly}"

[page.texts]
partly   = "CASE WHEN bool_or(mode = 'ACCELERATOR') OVER () THEN 'ACCELERATORS: OPERATIONS WITH 4096 BITS ONLY' END"

[[page.table]]
columns  = """
mode         -11  |MODE
type          -6  |TYPE
card           4  |ID
domain         6  |DOMAIN
function     -17  |FUNCTION
ops_per_s      9  |RATE
exec_ms        9  EXEC|TIME
util_pct       6  |UTIL%
keygen_per_s   9  KEY-GEN|RATE
"""

[columns]
card         = { format = "int" }
domain       = { format = "int", empty = "" }
type         = { empty = "" }
ops_per_s    = { format = "rate" }
exec_ms      = { better = "lower", format = "3", empty = "" }
util_pct     = { format = "1" }
keygen_per_s = { format = "rate", empty = "" }
place        = { kind = "part", total = "same" }
engine_us    = { kind = "part", total = "whole" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, card, mode, type, domain, function,
    operation_count / nullif(interval_s, 0)                      AS ops_per_s, -- Operations a second
    0.001 * operation_us / nullif(operation_count, 0)            AS exec_ms, -- Mean time of an operation
    100 * operation_us / nullif(engine_us, 0)                    AS util_pct, -- Time of the operations, of that of the engines
    key_count / nullif(interval_s, 0)                            AS keygen_per_s, -- Keys generated a second; CCA: RSA keys
    interval_s, place, operation_count, operation_us, engine_us, key_count
FROM rmf_crypto
ORDER BY run, sysplex, system, interval_start_utc, interval_start, mode, card, domain, place
