/* imsperf report
id       = "run.config"
title    = "Run Configuration"
answers  = "What does run.toml say of each run?"
key      = ["section", "key"]
no_rows  = "nothing is loaded, or no run.toml stood beside it"

[page]
layout      = "ours"
heading     = "run"
above       = """
Run Configuration                  Run : {run}

"""
blocks      = ["section"]
block_above = "{section_name}"

[page.texts]
section_name = "'[' || nullif(section, '') || ']'"

[[page.table]]
wrap     = true
columns  = """
key      -34
value    -44
unit     -10
source   -36
"""

[columns]
run     = { label = "RUN" }
section = { label = "SECTION" }
key     = { label = "KEY", empty = "" }
value   = { label = "VALUE", empty = "" }
unit    = { label = "UNIT", empty = "" }
source  = { label = "SOURCE", empty = "" }
number  = { kind = "part", total = "same" }
*/
SELECT
    run, -- Run
    section, -- Section of run.toml; empty for what stands above the first
    key, -- Key in it
    value, -- Value as text
    unit, -- Its unit, where one is given
    source, -- Where the value is from, where that is given
    TRY_CAST(value AS DOUBLE)                                    AS number -- The value where it is a number
FROM run_config
ORDER BY run, section, key, value
