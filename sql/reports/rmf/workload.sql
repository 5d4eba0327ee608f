/* imsperf report
id       = "rmf.workload"
title    = "Workload Activity"
answers  = "Which class misses its goal, and what CPU, I/O and storage does each use?"
key      = ["kind", "class", "period"]
time     = "interval_start_utc"
lead     = "smf72_3_product"
needs    = ["load_file", "smf72_3_control", "smf72_3_period", "smf72_3_product",
            "smf72_3_response"]
page     = "rmf_workload_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["appl_cp_pct"]
color    = "class"
facet    = "system"
where    = "kind = 'service' AND period IS NULL"
top      = 10
by       = "cp_us"
title    = "CPU of the ten largest service classes, % of one CP"

[[column]]
name     = "kind"
label    = "KIND"
kind     = "text"
doc      = "policy, workload, service or report"
from     = ["smf72_3_control.r723mscf"]

[[column]]
name     = "class"
label    = "CLASS"
kind     = "text"
doc      = "Name of the policy, workload, service or report class"
from     = ["smf72_3_control.r723mcnm", "smf72_3_control.r723mnsp", "smf72_3_control.r723mwnm"]

[[column]]
name     = "period"
label    = "PERIOD"
kind     = "text"
doc      = "Period of a class; NULL for all of it"
from     = ["smf72_3_period.r723cper"]

[[column]]
name     = "workload"
label    = "WORKLOAD"
kind     = "text"
doc      = "Workload of a service class"
from     = ["smf72_3_control.r723mwnm"]

[[column]]
name     = "importance"
label    = "IMPORTANCE"
kind     = "config"
doc      = "Importance of the goal, 1 is highest"
from     = ["smf72_3_period.r723cimp"]

[[column]]
name     = "avg"
label    = "AVG"
kind     = "ratio"
num      = "active_us"
den      = "interval_us"
format   = "2"
doc      = "Transactions active at a time"
from     = ["smf72_3_period.r723ctat", "smf72_3_product.smf72int"]

[[column]]
name     = "mpl"
label    = "MPL"
kind     = "ratio"
num      = "resident_us"
den      = "interval_us"
format   = "2"
doc      = "Transactions in storage at a time"
from     = ["smf72_3_period.r723ctrr", "smf72_3_product.smf72int"]

[[column]]
name     = "ended"
label    = "ENDED"
unit     = "transactions"
kind     = "count"
format   = "int"
doc      = "Transactions ended"
from     = ["smf72_3_period.r723crcp"]

[[column]]
name     = "end_per_s"
label    = "END/S"
unit     = "1/s"
kind     = "ratio"
num      = "ended"
den      = "interval_s"
format   = "2"
doc      = "Transactions ended a second"
from     = ["smf72_3_period.r723crcp", "smf72_3_product.smf72int"]

[[column]]
name     = "swaps"
label    = "#SWAPS"
kind     = "count"
format   = "int"
doc      = "Swaps"
from     = ["smf72_3_period.r723cswc"]

[[column]]
name     = "exctd"
label    = "EXCTD"
unit     = "transactions"
kind     = "count"
format   = "int"
doc      = "Transactions whose execution phase ended (CICS, IMS)"
from     = ["smf72_3_period.r723cncp"]

[[column]]
name     = "avg_enc"
label    = "AVG ENC"
kind     = "ratio"
num      = "enclave_us"
den      = "interval_us"
format   = "2"
doc      = "Independent enclaves active at a time"
from     = ["smf72_3_period.r723ciea", "smf72_3_product.smf72int"]

[[column]]
name     = "rem_enc"
label    = "REM ENC"
kind     = "ratio"
num      = "foreign_enclave_us"
den      = "interval_us"
format   = "2"
doc      = "Enclaves from other systems active at a time"
from     = ["smf72_3_period.r723cfea", "smf72_3_product.smf72int"]

[[column]]
name     = "resp_ms"
label    = "ACTUAL"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "response_us"
den      = "ended"
scale    = 0.001
format   = "3"
doc      = "Mean response time"
from     = ["smf72_3_period.r723crcp", "smf72_3_period.r723ctet", "smf72_3_period.r723ctetx"]

[[column]]
name     = "resp_std_ms"
label    = "STD DEV"
unit     = "ms"
kind     = "config"
format   = "3"
total_sql = """0.001 * sqrt(greatest(sum(ended) * sum(response_squares_us2)
    - sum(response_us) ** 2, 0)
    / nullif(sum(ended) * (sum(ended) - 1), 0))"""
doc      = "Standard deviation of the response times, of the sample"
from     = ["smf72_3_period.r723cets", "smf72_3_period.r723cetsx", "smf72_3_period.r723crcp",
            "smf72_3_period.r723ctet", "smf72_3_period.r723ctetx"]

[[column]]
name     = "exec_ms"
label    = "EXECUTION"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "execution_us"
den      = "execution_count"
scale    = 0.001
format   = "3"
doc      = "Mean execution time: over execution phases ended, without any over transactions"
from     = ["smf72_3_period.r723cncp", "smf72_3_period.r723crcp", "smf72_3_period.r723cxet",
            "smf72_3_period.r723cxetx"]

[[column]]
name     = "queued_ms"
label    = "QUEUED"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "queued_us"
den      = "ended"
scale    = 0.001
format   = "3"
doc      = "Mean time in a queue"
from     = ["smf72_3_period.r723cqdt", "smf72_3_period.r723cqdtx", "smf72_3_period.r723crcp"]

[[column]]
name     = "ssch_per_s"
label    = "SSCHRT"
unit     = "1/s"
kind     = "ratio"
num      = "io_count"
den      = "interval_s"
format   = "rate"
doc      = "DASD I/Os a second"
from     = ["smf72_3_period.r723circ", "smf72_3_product.smf72int"]

[[column]]
name     = "io_resp_ms"
label    = "RESP"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_us"
den      = "io_count"
scale    = 0.001
format   = "3"
doc      = "Mean DASD response: CONN + DISC + Q+PEND + IOSQ"
from     = ["smf72_3_period.r723cict", "smf72_3_period.r723cidt", "smf72_3_period.r723ciot",
            "smf72_3_period.r723circ", "smf72_3_period.r723ciwt"]

[[column]]
name     = "io_conn_ms"
label    = "CONN"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_conn_us"
den      = "io_count"
scale    = 0.001
format   = "3"
doc      = "Mean DASD connect time"
from     = ["smf72_3_period.r723cict", "smf72_3_period.r723circ"]

[[column]]
name     = "io_disc_ms"
label    = "DISC"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_disc_us"
den      = "io_count"
scale    = 0.001
format   = "3"
doc      = "Mean DASD disconnect time"
from     = ["smf72_3_period.r723cidt", "smf72_3_period.r723circ"]

[[column]]
name     = "io_qpend_ms"
label    = "Q+PEND"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_qpend_us"
den      = "io_count"
scale    = 0.001
format   = "3"
doc      = "Mean DASD pending and control unit queue time"
from     = ["smf72_3_period.r723circ", "smf72_3_period.r723ciwt"]

[[column]]
name     = "io_iosq_ms"
label    = "IOSQ"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_iosq_us"
den      = "io_count"
scale    = 0.001
format   = "3"
doc      = "Mean DASD time in the IOS queue"
from     = ["smf72_3_period.r723ciot", "smf72_3_period.r723circ"]

[[column]]
name     = "ioc_su"
label    = "IOC"
unit     = "service units"
kind     = "count"
format   = "scaled"
doc      = "I/O service"
from     = ["smf72_3_period.r723cioc"]

[[column]]
name     = "cpu_su"
label    = "CPU"
unit     = "service units"
kind     = "count"
format   = "scaled"
doc      = "CPU service of TCBs"
from     = ["smf72_3_period.r723ccpu"]

[[column]]
name     = "mso_su"
label    = "MSO"
unit     = "service units"
kind     = "count"
format   = "scaled"
doc      = "Storage service"
from     = ["smf72_3_period.r723cmso"]

[[column]]
name     = "srb_su"
label    = "SRB"
unit     = "service units"
kind     = "count"
format   = "scaled"
doc      = "CPU service of SRBs"
from     = ["smf72_3_period.r723csrb"]

[[column]]
name     = "total_su"
label    = "TOT"
unit     = "service units"
kind     = "count"
format   = "scaled"
doc      = "Service of all kinds"
from     = ["smf72_3_period.r723csrv"]

[[column]]
name     = "su_per_s"
label    = "/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "total_su"
den      = "interval_s"
format   = "scaled"
doc      = "Service units a second"
from     = ["smf72_3_period.r723csrv", "smf72_3_product.smf72int"]

[[column]]
name     = "absrptn"
label    = "ABSRPTN"
unit     = "1/s"
kind     = "ratio"
num      = "total_su"
den      = "resident_us"
scale    = 1e6
format   = "scaled"
doc      = "Service units a second in storage"
from     = ["smf72_3_period.r723csrv", "smf72_3_period.r723ctrr"]

[[column]]
name     = "trx_serv"
label    = "TRX SERV"
unit     = "1/s"
kind     = "ratio"
num      = "total_su"
den      = "active_us"
scale    = 1e6
format   = "scaled"
doc      = "Service units a second of active time"
from     = ["smf72_3_period.r723csrv", "smf72_3_period.r723ctat"]

[[column]]
name     = "cpu_s"
label    = "CPU"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time of TCBs, zIIP work at CP speed included"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcpu", "smf72_3_period.r723ccpu"]

[[column]]
name     = "srb_s"
label    = "SRB"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time of SRBs"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723msrb", "smf72_3_period.r723csrb"]

[[column]]
name     = "rct_s"
label    = "RCT"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time of region control tasks"
from     = ["smf72_3_period.r723crct"]

[[column]]
name     = "iit_s"
label    = "IIT"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time of I/O interrupts"
from     = ["smf72_3_period.r723ciit"]

[[column]]
name     = "hst_s"
label    = "HST"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time of hiperspace services"
from     = ["smf72_3_period.r723chst"]

[[column]]
name     = "iip_s"
label    = "IIP"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time on zIIPs, at zIIP speed"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcpu", "smf72_3_period.r723csup"]

[[column]]
name     = "appl_cp_pct"
label    = "CP"
unit     = "%"
kind     = "ratio"
num      = "cp_us"
den      = "cp_capacity_us"
scale    = 100
format   = "2"
doc      = "CPU time on CPs, of ONE CP: above 100 is normal"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcf", "smf72_3_control.r723mcpu",
            "smf72_3_control.r723msrb", "smf72_3_control.r723nffi", "smf72_3_control.r723nffs",
            "smf72_3_period.r723ccpu", "smf72_3_period.r723chst"]

[[column]]
name     = "appl_iipcp_pct"
label    = "IIPCP"
unit     = "%"
kind     = "ratio"
num      = "iip_on_cp_us"
den      = "cp_capacity_us"
scale    = 100
format   = "2"
doc      = "zIIP work on CPs, of one CP"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcf", "smf72_3_control.r723mcpu",
            "smf72_3_period.r723csuc", "smf72_3_product.smf72int"]

[[column]]
name     = "appl_iip_pct"
label    = "IIP"
unit     = "%"
kind     = "ratio"
num      = "iip_us"
den      = "ziip_capacity_us"
scale    = 100
format   = "2"
doc      = "CPU time on zIIPs, of one zIIP"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcfs", "smf72_3_control.r723mcpu",
            "smf72_3_period.r723csup", "smf72_3_product.smf72int"]

[[column]]
name     = "promoted_blk_s"
label    = "BLK"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time at a priority raised for blocked work"
from     = ["smf72_3_period.r723tpdp"]

[[column]]
name     = "promoted_enq_s"
label    = "ENQ"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time at a priority raised for an enqueue"
from     = ["smf72_3_period.r723ectc"]

[[column]]
name     = "promoted_crm_s"
label    = "CRM"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time at a priority raised for lasting contention"
from     = ["smf72_3_period.r723cpdp"]

[[column]]
name     = "promoted_lck_s"
label    = "LCK"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time at a priority raised for a lock"
from     = ["smf72_3_period.r723lpdp"]

[[column]]
name     = "promoted_sup_s"
label    = "SUP"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time at a priority raised by the supervisor"
from     = ["smf72_3_period.r723spdp"]

[[column]]
name     = "storage_avg_frames"
label    = "AVG"
unit     = "frames"
kind     = "ratio"
num      = "frames_us"
den      = "resident_us"
format   = "2"
doc      = "Frames of a transaction in storage"
from     = ["smf72_3_period.r723cprs", "smf72_3_period.r723ctrr"]

[[column]]
name     = "storage_total_frames"
label    = "TOTAL"
unit     = "frames"
kind     = "ratio"
num      = "frames_us"
den      = "interval_us"
format   = "2"
doc      = "Frames held"
from     = ["smf72_3_period.r723cprs", "smf72_3_product.smf72int"]

[[column]]
name     = "storage_shared_frames"
label    = "SHARED"
unit     = "frames"
kind     = "ratio"
num      = "shared_frames_us"
den      = "interval_us"
format   = "2"
doc      = "Shared frames held"
from     = ["smf72_3_period.r723csrs", "smf72_3_product.smf72int"]

[[column]]
name     = "goal_kind"
label    = "GOAL"
kind     = "config"
doc      = "percentile, average, velocity, discretionary or system; only of periods"
from     = ["smf72_3_period.r723crgf", "smf72_3_period.r723crs1"]

[[column]]
name     = "goal"
label    = "GOAL"
kind     = "config"
doc      = "Goal of a period: response time in ms, or velocity in %"
from     = ["smf72_3_period.r723crtf", "smf72_3_period.r723cval"]

[[column]]
name     = "goal_percentile"
label    = "FOR %"
unit     = "%"
kind     = "config"
doc      = "Share of the transactions a percentile goal is for"
from     = ["smf72_3_period.r723cpct"]

[[column]]
name     = "actual"
label    = "ACTUAL"
kind     = "config"
format   = "2"
total_sql = """CASE WHEN count(DISTINCT goal_kind) = 1 AND count(DISTINCT goal) = 1
        AND count(DISTINCT goal_percentile) <= 1
    THEN CASE any_value(goal_kind)
        WHEN 'average' THEN 0.001 * sum(response_us) / nullif(sum(ended), 0)
        WHEN 'percentile' THEN 100 * sum(within_100_count) / nullif(sum(distributed_count), 0)
        WHEN 'velocity' THEN 100 * sum(using_count) / nullif(sum(velocity_samples_count), 0)
    END END"""
doc      = "What a goal is held against: mean ms, % within the goal, or velocity in %"
from     = ["smf72_3_period.r723crcp", "smf72_3_period.r723ctet", "smf72_3_period.r723ctetx",
            "smf72_3_period.r723ctot", "smf72_3_period.r723ctou", "smf72_3_response.r723trdb"]

[[column]]
name     = "velocity_pct"
label    = "EX VEL%"
unit     = "%"
better   = "higher"
kind     = "ratio"
num      = "using_count"
den      = "velocity_samples_count"
scale    = 100
format   = "1"
doc      = "Execution velocity: using samples, of using and delay samples"
from     = ["smf72_3_period.r723ctot", "smf72_3_period.r723ctou"]

[[column]]
name     = "perf_index"
label    = "PERF INDX"
better   = "lower"
kind     = "config"
format   = "2"
total_sql = """CASE WHEN count(DISTINCT goal_kind) = 1 AND count(DISTINCT goal) = 1
        AND count(DISTINCT goal_percentile) <= 1
    THEN CASE any_value(goal_kind)
        WHEN 'average' THEN 0.001 * sum(response_us)
            / nullif(sum(ended), 0) / nullif(any_value(goal), 0)
        WHEN 'percentile' THEN CASE
            WHEN coalesce(sum(distributed_count), 0) = 0 THEN NULL
            WHEN 100 * sum(within_50_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.5
            WHEN 100 * sum(within_60_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.6
            WHEN 100 * sum(within_70_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.7
            WHEN 100 * sum(within_80_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.8
            WHEN 100 * sum(within_90_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.9
            WHEN 100 * sum(within_100_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.0
            WHEN 100 * sum(within_110_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.1
            WHEN 100 * sum(within_120_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.2
            WHEN 100 * sum(within_130_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.3
            WHEN 100 * sum(within_140_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.4
            WHEN 100 * sum(within_150_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.5
            WHEN 100 * sum(within_200_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 2.0
            WHEN 100 * sum(within_400_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 4.0
            ELSE 5.5
        END
        WHEN 'velocity' THEN any_value(goal) * sum(velocity_samples_count)
            / nullif(100 * sum(using_count), 0)
    END END"""
doc      = "Performance index: above 1 the goal is missed; a percentile beyond 400 % counts 5.5"
from     = ["smf72_3_period.r723cpct", "smf72_3_period.r723crcp", "smf72_3_period.r723crtf",
            "smf72_3_period.r723ctet", "smf72_3_period.r723ctetx", "smf72_3_period.r723ctot",
            "smf72_3_period.r723ctou", "smf72_3_period.r723cval"]

[[column]]
name     = "response_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of the response times"
from     = ["smf72_3_period.r723cets", "smf72_3_period.r723cetsx"]

[[column]]
name     = "within_50_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 50 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_60_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 60 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_70_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 70 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_80_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 80 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_90_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 90 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_100_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 100 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_110_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 110 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_120_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 120 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_130_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 130 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_140_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 140 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_150_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 150 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_200_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 200 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "within_400_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended within 400 % of the goal"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "distributed_count"
unit     = "transactions"
kind     = "part"
doc      = "Ended, in the distribution"
from     = ["smf72_3_response.r723trdb"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["smf72_3_product.smf72int"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["smf72_3_product.smf72int"]

[[column]]
name     = "active_us"
unit     = "us"
kind     = "part"
doc      = "Time transactions were active"
from     = ["smf72_3_period.r723ctat"]

[[column]]
name     = "resident_us"
unit     = "us"
kind     = "part"
doc      = "Time transactions were in storage"
from     = ["smf72_3_period.r723ctrr"]

[[column]]
name     = "enclave_us"
unit     = "us"
kind     = "part"
doc      = "Active time of independent enclaves"
from     = ["smf72_3_period.r723ciea"]

[[column]]
name     = "foreign_enclave_us"
unit     = "us"
kind     = "part"
doc      = "Active time of enclaves from other systems"
from     = ["smf72_3_period.r723cfea"]

[[column]]
name     = "response_us"
unit     = "us"
kind     = "part"
doc      = "Elapsed time of the transactions ended"
from     = ["smf72_3_period.r723ctet", "smf72_3_period.r723ctetx"]

[[column]]
name     = "execution_us"
unit     = "us"
kind     = "part"
doc      = "Execution time"
from     = ["smf72_3_period.r723cxet", "smf72_3_period.r723cxetx"]

[[column]]
name     = "execution_count"
unit     = "transactions"
kind     = "part"
doc      = "Divisor of the execution time"
from     = ["smf72_3_period.r723cncp", "smf72_3_period.r723crcp"]

[[column]]
name     = "queued_us"
unit     = "us"
kind     = "part"
doc      = "Time in queues"
from     = ["smf72_3_period.r723cqdt", "smf72_3_period.r723cqdtx"]

[[column]]
name     = "io_count"
unit     = "requests"
kind     = "part"
doc      = "DASD I/Os"
from     = ["smf72_3_period.r723circ"]

[[column]]
name     = "io_us"
unit     = "us"
kind     = "part"
doc      = "DASD response time"
from     = ["smf72_3_period.r723cict", "smf72_3_period.r723cidt", "smf72_3_period.r723ciot",
            "smf72_3_period.r723ciwt"]

[[column]]
name     = "io_conn_us"
unit     = "us"
kind     = "part"
doc      = "DASD connect time"
from     = ["smf72_3_period.r723cict"]

[[column]]
name     = "io_disc_us"
unit     = "us"
kind     = "part"
doc      = "DASD disconnect time"
from     = ["smf72_3_period.r723cidt"]

[[column]]
name     = "io_qpend_us"
unit     = "us"
kind     = "part"
doc      = "DASD pending and queue time"
from     = ["smf72_3_period.r723ciwt"]

[[column]]
name     = "io_iosq_us"
unit     = "us"
kind     = "part"
doc      = "DASD IOS queue time"
from     = ["smf72_3_period.r723ciot"]

[[column]]
name     = "cp_us"
unit     = "us"
kind     = "part"
doc      = "CPU time on CPs"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcpu", "smf72_3_control.r723msrb",
            "smf72_3_control.r723nffi", "smf72_3_control.r723nffs", "smf72_3_period.r723ccpu",
            "smf72_3_period.r723chst", "smf72_3_period.r723cifa"]

[[column]]
name     = "cp_capacity_us"
unit     = "us"
kind     = "part"
total    = "whole"
doc      = "What one CP can give"
from     = ["smf72_3_control.r723mcf", "smf72_3_product.smf72int"]

[[column]]
name     = "iip_on_cp_us"
unit     = "us"
kind     = "part"
doc      = "zIIP work on CPs"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcpu", "smf72_3_period.r723csuc"]

[[column]]
name     = "iip_us"
unit     = "us"
kind     = "part"
doc      = "CPU time on zIIPs"
from     = ["smf72_3_control.r723madj", "smf72_3_control.r723mcpu", "smf72_3_period.r723csup"]

[[column]]
name     = "ziip_capacity_us"
unit     = "us"
kind     = "part"
total    = "whole"
doc      = "What one zIIP can give"
from     = ["smf72_3_control.r723mcfs", "smf72_3_product.smf72int"]

[[column]]
name     = "frames_us"
unit     = "frames us"
kind     = "part"
doc      = "Frames times time"
from     = ["smf72_3_period.r723cprs"]

[[column]]
name     = "shared_frames_us"
unit     = "frames us"
kind     = "part"
doc      = "Shared frames times time"
from     = ["smf72_3_period.r723csrs"]

[[column]]
name     = "using_count"
unit     = "samples"
kind     = "part"
doc      = "Using samples"
from     = ["smf72_3_period.r723ctou"]

[[column]]
name     = "velocity_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Using and delay samples"
from     = ["smf72_3_period.r723ctot", "smf72_3_period.r723ctou"]
*/
WITH measured AS (
    SELECT
        *,
        io_conn_us + io_disc_us + io_qpend_us + io_iosq_us           AS io_us,
        sqrt(greatest(ended_count * response_squares_us2 - response_us ** 2, 0)
            / nullif(ended_count * (ended_count - 1), 0))            AS response_std_us,
        list_sum(buckets)                                            AS bucket_total,
        -- of 14 buckets the first that holds the percentile; its upper edge in goals
        list_extract(
            [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 4.0, 5.5],
            1 + len(list_filter(
                [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
                lambda n: 100 * list_sum(buckets[1:n]) < goal_percentile * list_sum(buckets)
            ))
        )                                                            AS percentile_index
    FROM rmf_workload
),
workload AS (
    SELECT
        *,
        CASE goal_kind
            WHEN 'average' THEN 0.001 * response_us / nullif(ended_count, 0)
            WHEN 'percentile' THEN 100 * list_sum(buckets[1:6]) / nullif(bucket_total, 0)
            WHEN 'velocity' THEN 100 * using_count / nullif(velocity_samples_count, 0)
        END                                                          AS actual,
        CASE goal_kind
            WHEN 'average' THEN actual / nullif(goal, 0)
            WHEN 'percentile' THEN CASE WHEN bucket_total > 0 THEN percentile_index END
            WHEN 'velocity' THEN goal / nullif(actual, 0)
        END::DOUBLE                                                  AS perf_index
    FROM measured
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    kind                                                         AS kind,
    class                                                        AS class,
    period                                                       AS period,
    workload                                                     AS workload,
    importance                                                   AS importance,
    active_us / nullif(interval_us, 0)                           AS avg,
    resident_us / nullif(interval_us, 0)                         AS mpl,
    ended_count                                                  AS ended,
    ended_count / nullif(interval_s, 0)                          AS end_per_s,
    swaps_count                                                  AS swaps,
    executed_count                                               AS exctd,
    enclave_us / nullif(interval_us, 0)                          AS avg_enc,
    foreign_enclave_us / nullif(interval_us, 0)                  AS rem_enc,
    0.001 * response_us / nullif(ended_count, 0)                 AS resp_ms,
    0.001 * response_std_us                                      AS resp_std_ms,
    0.001 * execution_us / nullif(execution_count, 0)            AS exec_ms,
    0.001 * queued_us / nullif(ended_count, 0)                   AS queued_ms,
    io_count / nullif(interval_s, 0)                             AS ssch_per_s,
    0.001 * io_us / nullif(io_count, 0)                          AS io_resp_ms,
    0.001 * io_conn_us / nullif(io_count, 0)                     AS io_conn_ms,
    0.001 * io_disc_us / nullif(io_count, 0)                     AS io_disc_ms,
    0.001 * io_qpend_us / nullif(io_count, 0)                    AS io_qpend_ms,
    0.001 * io_iosq_us / nullif(io_count, 0)                     AS io_iosq_ms,
    ioc_su                                                       AS ioc_su,
    cpu_su                                                       AS cpu_su,
    mso_su                                                       AS mso_su,
    srb_su                                                       AS srb_su,
    total_su                                                     AS total_su,
    total_su / nullif(interval_s, 0)                             AS su_per_s,
    1e6 * total_su / nullif(resident_us, 0)                      AS absrptn,
    1e6 * total_su / nullif(active_us, 0)                        AS trx_serv,
    1e-6 * cpu_us                                                AS cpu_s,
    1e-6 * srb_us                                                AS srb_s,
    1e-6 * rct_us                                                AS rct_s,
    1e-6 * iit_us                                                AS iit_s,
    1e-6 * hst_us                                                AS hst_s,
    1e-6 * iip_us                                                AS iip_s,
    100 * cp_us / nullif(cp_capacity_us, 0)                      AS appl_cp_pct,
    100 * iip_on_cp_us / nullif(cp_capacity_us, 0)               AS appl_iipcp_pct,
    100 * iip_us / nullif(ziip_capacity_us, 0)                   AS appl_iip_pct,
    1e-6 * promoted_blk_us                                       AS promoted_blk_s,
    1e-6 * promoted_enq_us                                       AS promoted_enq_s,
    1e-6 * promoted_crm_us                                       AS promoted_crm_s,
    1e-6 * promoted_lck_us                                       AS promoted_lck_s,
    1e-6 * promoted_sup_us                                       AS promoted_sup_s,
    frames_us / nullif(resident_us, 0)                           AS storage_avg_frames,
    frames_us / nullif(interval_us, 0)                           AS storage_total_frames,
    shared_frames_us / nullif(interval_us, 0)                    AS storage_shared_frames,
    goal_kind                                                    AS goal_kind,
    goal                                                         AS goal,
    goal_percentile                                              AS goal_percentile,
    actual                                                       AS actual,
    100 * using_count / nullif(velocity_samples_count, 0)        AS velocity_pct,
    perf_index                                                   AS perf_index,
    response_squares_us2                                         AS response_squares_us2,
    list_sum(buckets[1:1])                                       AS within_50_count,
    list_sum(buckets[1:2])                                       AS within_60_count,
    list_sum(buckets[1:3])                                       AS within_70_count,
    list_sum(buckets[1:4])                                       AS within_80_count,
    list_sum(buckets[1:5])                                       AS within_90_count,
    list_sum(buckets[1:6])                                       AS within_100_count,
    list_sum(buckets[1:7])                                       AS within_110_count,
    list_sum(buckets[1:8])                                       AS within_120_count,
    list_sum(buckets[1:9])                                       AS within_130_count,
    list_sum(buckets[1:10])                                      AS within_140_count,
    list_sum(buckets[1:11])                                      AS within_150_count,
    list_sum(buckets[1:12])                                      AS within_200_count,
    list_sum(buckets[1:13])                                      AS within_400_count,
    bucket_total                                                 AS distributed_count,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    active_us                                                    AS active_us,
    resident_us                                                  AS resident_us,
    enclave_us                                                   AS enclave_us,
    foreign_enclave_us                                           AS foreign_enclave_us,
    response_us                                                  AS response_us,
    execution_us                                                 AS execution_us,
    execution_count                                              AS execution_count,
    queued_us                                                    AS queued_us,
    io_count                                                     AS io_count,
    io_us                                                        AS io_us,
    io_conn_us                                                   AS io_conn_us,
    io_disc_us                                                   AS io_disc_us,
    io_qpend_us                                                  AS io_qpend_us,
    io_iosq_us                                                   AS io_iosq_us,
    cp_us                                                        AS cp_us,
    cp_capacity_us                                               AS cp_capacity_us,
    iip_on_cp_us                                                 AS iip_on_cp_us,
    iip_us                                                       AS iip_us,
    ziip_capacity_us                                             AS ziip_capacity_us,
    frames_us                                                    AS frames_us,
    shared_frames_us                                             AS shared_frames_us,
    using_count                                                  AS using_count,
    velocity_samples_count                                       AS velocity_samples_count
FROM workload
ORDER BY run, system, interval_start_utc, place, class, period NULLS FIRST
