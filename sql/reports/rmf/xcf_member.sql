/* imsperf report
id       = "rmf.xcf_member"
title    = "XCF Usage by Member"
answers  = "Which group and member sends the signals?"
key      = ["group_name", "member", "member_system"]
named_by = "job"
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "member"
y        = ["sent_per_s", "received_per_s"]
facet    = "system"
stack    = "no"
top      = 20
by       = "sent_count"
title    = "Signals of the 20 busiest members, a second"

[page]
layout   = "smf2db 0.1.3"
title    = "XCF Activity"
above    = "                                              XCF USAGE BY MEMBER"

[[page.table]]
above    = "MEMBERS COMMUNICATING WITH {system}"
where    = "member_system <> system"
columns  = """
group_name      -8  GROUP
member         -16  MEMBER
member_system   -8  SYSTEM
job             -8  JOB
state           -8  STATE
received        10  REQ FROM
sent            10  REQ TO
"""

[[page.table]]
above    = "MEMBERS ON {system}"
where    = "member_system IS NOT DISTINCT FROM system OR member_system IS NULL"
columns  = """
group_name      -8  GROUP
member         -16  MEMBER
member_system   -8  SYSTEM
job             -8  JOB
state           -8  STATE
sent            10  REQ OUT
received        10  REQ IN
"""

[columns]
sent           = { kind = "count", format = "scaled" }
received       = { kind = "count", format = "scaled" }
sent_per_s     = { label = "OUT/SEC", format = "rate" }
received_per_s = { label = "IN/SEC", format = "rate" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, group_name, member, member_system,
    job, state,
    sent_count                                                   AS sent, -- Signals the member sent; of one on another system those to this one (REQ TO) [requests]
    received_count                                               AS received, -- Signals the member received; of one on another system those from this one (REQ FROM) [requests]
    sent_count / nullif(interval_s, 0)                           AS sent_per_s, -- Signals a second the member sent
    received_count / nullif(interval_s, 0)                       AS received_per_s, -- Signals a second the member received
    interval_s, sent_count, received_count
FROM rmf_xcf_member
ORDER BY run, sysplex, system, interval_start_utc, interval_start, group_name, member, member_system
