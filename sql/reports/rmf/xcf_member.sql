/* imsperf report
id       = "rmf.xcf_member"
title    = "XCF Usage by Member"
answers  = "Which group and member sends the signals?"
key      = ["group_name", "member", "member_system"]
time     = "interval_start_utc"
lead     = "smf74_2_product"
needs    = ["load_file", "smf74_2_member", "smf74_2_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "member"
y        = ["sent_per_s", "received_per_s"]
facet    = "system"
stack    = "no"
top      = 20
by       = "sent_count"
title    = "Signals of the 20 busiest members, a second"

[[column]]
name     = "group_name"
label    = "GROUP"
kind     = "text"
doc      = "XCF group"
from     = ["smf74_2_member.r742mgrp"]

[[column]]
name     = "member"
label    = "MEMBER"
kind     = "text"
doc      = "Member"
from     = ["smf74_2_member.r742mmem"]

[[column]]
name     = "member_system"
label    = "SYSTEM"
kind     = "text"
doc      = "System the member runs on"
from     = ["smf74_2_member.r742msys"]

[[column]]
name     = "job"
label    = "JOB"
kind     = "text"
doc      = "Job of the member"
from     = ["smf74_2_member.r742mjob"]

[[column]]
name     = "state"
label    = "STATE"
kind     = "text"
doc      = "CREATED, ACTIVE, QUIESCED or FAILED"
from     = ["smf74_2_member.r742mst1"]

[[column]]
name     = "sent"
label    = "REQ OUT"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Signals the member sent"
from     = ["smf74_2_member.r742msnt"]

[[column]]
name     = "received"
label    = "REQ IN"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Signals the member received"
from     = ["smf74_2_member.r742mrcv"]

[[column]]
name     = "sent_per_s"
label    = "OUT/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "sent_count"
den      = "interval_s"
format   = "rate"
doc      = "Signals a second the member sent"
from     = ["smf74_2_member.r742msnt", "smf74_2_product.smf74int"]

[[column]]
name     = "received_per_s"
label    = "IN/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "received_count"
den      = "interval_s"
format   = "rate"
doc      = "Signals a second the member received"
from     = ["smf74_2_member.r742mrcv", "smf74_2_product.smf74int"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_xcf_member.interval_s"]

[[column]]
name     = "sent_count"
unit     = "requests"
kind     = "part"
doc      = "Signals sent"
from     = ["rmf_xcf_member.sent_count"]

[[column]]
name     = "received_count"
unit     = "requests"
kind     = "part"
doc      = "Signals received"
from     = ["rmf_xcf_member.received_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    group_name                                                   AS group_name,
    member                                                       AS member,
    member_system                                                AS member_system,
    job                                                          AS job,
    state                                                        AS state,
    sent_count                                                   AS sent,
    received_count                                               AS received,
    sent_count / nullif(interval_s, 0)                           AS sent_per_s,
    received_count / nullif(interval_s, 0)                       AS received_per_s,
    interval_s                                                   AS interval_s,
    sent_count                                                   AS sent_count,
    received_count                                               AS received_count
FROM rmf_xcf_member
ORDER BY run, system, interval_start_utc, interval_start, group_name, member, member_system
