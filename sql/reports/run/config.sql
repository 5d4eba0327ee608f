/* imsperf report
id       = "run.config"
title    = "Run Configuration"
answers  = "What does run.toml say of each run?"
key      = ["section", "key"]
needs    = ["run_config"]
no_rows  = "nothing is loaded, or no run.toml stood beside it"

[chart]
mark     = "bar"
x        = "key"
y        = ["number"]
facet    = "section"
where    = "number IS NOT NULL"
top      = 60
by       = "number"
title    = "Settings that are numbers, each in its own unit"

[[column]]
name     = "run"
label    = "RUN"
kind     = "text"
doc      = "Run"
from     = ["run_config.run"]

[[column]]
name     = "section"
label    = "SECTION"
kind     = "text"
doc      = "Section of run.toml; empty for what stands above the first"
from     = ["run_config.section"]

[[column]]
name     = "key"
label    = "KEY"
kind     = "text"
doc      = "Key in it"
from     = ["run_config.key"]

[[column]]
name     = "value"
label    = "VALUE"
kind     = "text"
doc      = "Value as text"
from     = ["run_config.value"]

[[column]]
name     = "unit"
label    = "UNIT"
kind     = "text"
doc      = "Its unit, where one is given"
from     = ["run_config.unit"]

[[column]]
name     = "source"
label    = "SOURCE"
kind     = "text"
doc      = "Where the value is from, where that is given"
from     = ["run_config.source"]

[[column]]
name     = "number"
kind     = "part"
total    = "same"
doc      = "The value where it is a number"
from     = ["run_config.value"]
*/
SELECT
    run                                                          AS run,
    section                                                      AS section,
    key                                                          AS key,
    value                                                        AS value,
    unit                                                         AS unit,
    source                                                       AS source,
    TRY_CAST(value AS DOUBLE)                                    AS number
FROM run_config
ORDER BY run, section, key, value
