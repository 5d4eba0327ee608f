/* imsperf report
id       = "zosconnect.requests"
title    = "z/OS Connect Requests"
answers  = "Which API is slow, and is it the server or the system of record?"
key      = ["server", "api", "code"]
any_of   = ["smf123_2_request", "smf123_1_data"]
whole    = "rmf_cpu_interval"
no_rows  = "the records have no request sections"

[chart]
mark     = "bar"
x        = "api"
y        = ["before_ms", "sor_ms", "return_ms"]
facet    = "server"
top      = 20
by       = "count"
title    = "Time of the 20 most used APIs, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
server         -8  |SERVER
api           -20  |API
code            4  |CODE
count           9  |COUNT
per_s           7  |/SEC
total_ms        8  TOTAL|MS
before_ms       8  TO SOR|MS
sor_ms          8  SOR|MS
return_ms       8  RETURN|MS
p50_ms          8  TOTAL|50%
p90_ms          8  TOTAL|90%
p99_ms          8  TOTAL|99%
request_size_bytes  7  REQUEST|BYTES
response_size_bytes 7  RESP|BYTES
"""

[columns]
count = { kind = "count", format = "grouped" }
code = { format = "int", empty = "" }
per_s = { format = "rate" }
total_ms = { label = "TOTAL", better = "lower", format = "3" }
before_ms = { label = "ENTRY TO SOR", better = "lower", format = "3" }
sor_ms = { label = "SOR", better = "lower", format = "3" }
return_ms = { label = "RETURN", better = "lower", format = "3" }
request_size_bytes = { label = "REQUEST", better = "lower", format = "int" }
response_size_bytes = { label = "RESPONSE", better = "lower", format = "int" }
max_ms = { label = "MAX", kind = "highwater", better = "lower", format = "3" }
all_p50_ms = { kind = "part", total = "max" }
all_p90_ms = { kind = "part", total = "max" }
all_p99_ms = { kind = "part", total = "max" }

[columns.p50_ms]
label = "50%"
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p50_ms), CASE WHEN count(*) = 1 THEN any_value(p50_ms) END)"

[columns.p90_ms]
label = "90%"
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p90_ms), CASE WHEN count(*) = 1 THEN any_value(p90_ms) END)"

[columns.p99_ms]
label = "99%"
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p99_ms), CASE WHEN count(*) = 1 THEN any_value(p99_ms) END)"
*/
WITH summed AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, server, api, code,
        max(interval_s) AS interval_s,
        count(*) AS count,
        sum(total_us) AS total_us_sum,
        count(total_us) AS total_us_n,
        sum(before_us) AS before_us_sum,
        count(before_us) AS before_us_n,
        sum(sor_us) AS sor_us_sum,
        count(sor_us) AS sor_us_n,
        sum(return_us) AS return_us_sum,
        count(return_us) AS return_us_n,
        sum(request_bytes) AS request_bytes_sum,
        count(request_bytes) AS request_bytes_n,
        sum(response_bytes) AS response_bytes_sum,
        count(response_bytes) AS response_bytes_n,
        0.001 * max(total_us) AS max_ms,
        0.001 * quantile_cont(total_us, 0.5) AS p50_ms,
        0.001 * quantile_cont(total_us, 0.9) AS p90_ms,
        0.001 * quantile_cont(total_us, 0.99) AS p99_ms
    FROM zos_connect_request
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, server, api, code
),
-- over all of a total, where one is asked for
of_all AS (
    SELECT
        run, sysplex, system, server, api, code,
        report_bucket(interval_start, interval_start_utc) AS bucket,
        0.001 * quantile_cont(total_us, 0.5) AS p50_ms,
        0.001 * quantile_cont(total_us, 0.9) AS p90_ms,
        0.001 * quantile_cont(total_us, 0.99) AS p99_ms
    FROM zos_connect_request
    WHERE CAST(getvariable('report_total') AS BOOLEAN) AND in_report_range(interval_start)
    GROUP BY run, sysplex, system, server, api, code, bucket
)
SELECT
    t.run, t.sysplex, t.system, t.interval_start, t.interval_start_utc, t.server, t.api, t.code,
    count, -- Requests [requests]
    count / nullif(interval_s, 0) AS per_s, -- Requests a second
    0.001 * total_us_sum / nullif(total_us_n, 0) AS total_ms, -- Mean time from entry to exit
    0.001 * before_us_sum / nullif(before_us_n, 0) AS before_ms, -- Mean time from entry until the request went to the system of record
    0.001 * sor_us_sum / nullif(sor_us_n, 0) AS sor_ms, -- Mean time in the system of record and on the way
    0.001 * return_us_sum / nullif(return_us_n, 0) AS return_ms, -- Mean time from the response of the system of record to the exit
    request_bytes_sum / nullif(request_bytes_n, 0) AS request_size_bytes, -- Mean payload of a request [bytes]
    response_bytes_sum / nullif(response_bytes_n, 0) AS response_size_bytes, -- Mean payload of a response [bytes]
    t.p50_ms, -- Half of the whole times are no longer
    t.p90_ms, -- 90 % of the whole times are no longer
    t.p99_ms, -- 99 % of the whole times are no longer
    max_ms, -- Longest of the whole times
    interval_s,
    total_us_sum, -- Time from entry to exit [us]
    total_us_n, -- Requests that it is known of
    before_us_sum, -- Time from entry to the system of record [us]
    before_us_n, -- Requests that it is known of
    sor_us_sum, -- Time in the system of record [us]
    sor_us_n, -- Requests that it is known of
    return_us_sum, -- Time from the response of the system of record to the exit [us]
    return_us_n, -- Requests that it is known of
    request_bytes_sum, -- Payload of requests [bytes]
    request_bytes_n, -- Requests that it is known of
    response_bytes_sum, -- Payload of responses [bytes]
    response_bytes_n, -- Requests that it is known of
    a.p50_ms AS all_p50_ms, -- 50 % over the whole total; NULL where no total is asked for
    a.p90_ms AS all_p90_ms, -- 90 % over the whole total; NULL where no total is asked for
    a.p99_ms AS all_p99_ms -- 99 % over the whole total; NULL where no total is asked for
FROM summed AS t
LEFT JOIN of_all AS a
    ON a.run = t.run AND a.sysplex IS NOT DISTINCT FROM t.sysplex
    AND a.system IS NOT DISTINCT FROM t.system
    AND a.server IS NOT DISTINCT FROM t.server AND a.api IS NOT DISTINCT FROM t.api
    AND a.code IS NOT DISTINCT FROM t.code
    AND a.bucket IS NOT DISTINCT FROM report_bucket(t.interval_start, t.interval_start_utc)
ORDER BY t.run, t.sysplex, t.system, t.interval_start_utc, t.server, t.api, t.code
