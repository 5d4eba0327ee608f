/* imsperf report
id       = "rmf.cf_to_cf"
title    = "CF to CF Activity"
answers  = "What does duplexing cost between two coupling facilities?"
key      = ["cf", "peer_cf"]
facts    = "rmf_recorded_interval"
no_rows  = "no coupling facility is connected to another"

[chart]
mark     = "bar"
x        = "peer_cf"
y        = ["service_us"]
facet    = "cf"
title    = "Service time of a signal, us"

[page]
layout   = "smf2db 0.1.3"
heading  = "sysplex"
title    = "Coupling Facility Activity"
breaks   = ["cf"]
above    = """
COUPLING FACILITY NAME = {cf}
CF TO CF ACTIVITY

"""

[[page.table]]
columns  = """
peer_cf          -8  |PEER|CF
requests          9  # REQ||TOTAL
requests_per_s    9  # REQ||AVG/SEC
receiver_type    -8  RECEIVER||TYPE
receiver_use      8  RECEIVER||USE
sender_type      -6  SENDER||TYPE
sender_use        4  SENDER||USE
service_us        9  SERVICE|TIME(MIC)|AVG
service_std_us    9  SERVICE|TIME(MIC)|STD_DEV
delayed           8  DELAYED|REQUESTS|# REQ
delayed_pct       8  DELAYED|% OF|REQ
delay_us          9  DELAY|TIME(MIC)|/DEL
delay_std_us      9  DELAY|TIME(MIC)|STD_DEV
delay_all_us      9  DELAY|TIME(MIC)|/ALL
"""

[columns]
requests         = { kind = "count", format = "scaled" }
requests_per_s   = { format = "rate" }
receiver_use     = { kind = "level", format = "int" }
sender_use       = { kind = "level", format = "int" }
service_us       = { better = "lower", format = "1" }
delayed          = { kind = "count", better = "lower", format = "scaled" }
delayed_pct      = { better = "lower", format = "1" }
delay_us         = { better = "lower", format = "1" }
delay_all_us     = { better = "lower", format = "1" }

[columns.service_std_us]
format = "1"
total_sql = """sample_deviation(sum(requests), sum(signal_us), sum(signal_squares_us2))"""

[columns.delay_std_us]
format = "1"
total_sql = """sample_deviation(sum(delayed), sum(delay_total_us), sum(delay_squares_us2))"""
*/
WITH peer AS (
    SELECT * RENAME (delay_us AS delay_total_us)
    FROM rmf_cf_peer
)
SELECT
    run, sysplex,
    system, -- System, where only one recorded the facility; else NULL
    interval_start, interval_start_utc, cf, peer_cf,
    signal_count AS requests, -- Signals sent to the peer [requests]
    signal_count / nullif(interval_s, 0) AS requests_per_s, -- Signals a second
    receiver_type,
    receiver_paths_count AS receiver_use, -- Receiving paths
    sender_type,
    sender_paths_count AS sender_use, -- Sending paths
    signal_us / nullif(signal_count, 0) AS service_us, -- Mean service time of a signal
    sample_deviation(signal_count, signal_us, signal_squares_us2) AS service_std_us, -- Standard deviation of the service time, of the sample
    delayed_count AS delayed, -- Signals held up [requests]
    100 * delayed_count / nullif(signal_count, 0) AS delayed_pct, -- Held up, of all signals
    delay_total_us / nullif(delayed_count, 0) AS delay_us, -- Mean delay of a signal held up
    sample_deviation(delayed_count, delay_total_us, delay_squares_us2) AS delay_std_us, -- Standard deviation of that delay, of the sample
    delay_total_us / nullif(signal_count, 0) AS delay_all_us, -- Delay spread over all signals
    interval_s, signal_us, signal_squares_us2,
    delay_total_us, -- Delay of the signals held up
    delay_squares_us2
FROM peer
ORDER BY run, sysplex, interval_start_utc, cf, peer_cf
