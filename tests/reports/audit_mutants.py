"""Counters of loaded records shifted by 1 %: which identity of the audit notices.

A mutant is one field of one record section, all of its values times 1.01 or 0.99, rounded to the
unit of the field. Where no value changes (1 % is less than a unit) there is no mutant. The shift is
made in the loaded table and taken back; only identities that read the table are tested.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

import duckdb

from imsperf.reports import audit

SHIFTS = {"+": 1.01, "-": 0.99}
NUMBER = re.compile(r"^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|INTERVAL)(\[\d*\])?$")
COUNTED = re.compile(r"^(smf\d+(_\d+)?_|ims_4[25]|ims_47|ims_a10(?!9))")
PLACES = ("file_id", "record_no", "section_no", "byte_offset")

# What is no counter: columns by pattern of `table.column`, and why.
NO_COUNTER: Mapping[str, str] = {
    r".*_header\..*": "places, lengths and kinds of sections",
    r".*\.(.*_no|log_lsn|first_lsn|ckpt_no|entry_len|local_offset_q|pst)$": "places and numbers",
    r".*\.smf\d\d(mfv|fla|cyc|iml|prf|ptn|srl|lgo|oil)$": "level, flags, cycle of RMF",
    r"smf70_1_control\.smf70(?!dsa)\w+": "machine and its capacity",
    r"smf70_1_cpu\.smf70(cid|cnf|ser)": "names and states of a processor",
    r"smf70_1_cpu_id\.smf70ctn": "configuration",
    r"smf70_1_partition\.smf70(lpn|bdn|bds|csf|pfl|upi)": "configuration",
    r"smf70_1_processor\.(smf70(vpa|bps|pof|cix|acs|pow))": "address, weight, polarisation",
    r"smf72_3_control\.r723(?!mtv$)\w+": "service definition, adjustment factors",
    r"smf72_3_period\.r723(crtx|cadf|cper|crtf|crgf|cval|cpct|cimp|rtdm|cwmx|cwmn|cdur)": "goal",
    r"smf71_1_paging\.smf71(tfc|mcf)": "capacity of storage and of processors",
    r"smf73_1_channel\.smf73(pid|fg\d|cmg|eix|spd)": "names and states of a channel",
    r"smf73_1_cmg2\.smf73(mbc|mcu|mwu|mru|us)": "what a channel can do",
    r"smf73_1_control\.smf73(cfl|sfl|cmi)": "flags",
    r"smf73_1_extended\.smf73ecp": "channel path",
    r"smf74_1_control\..*": "number of devices and records",
    r"smf74_1_device\.smf74(num|lcu|cnf|typ|clf|cnx|dts|hpc|nm2|cap|agc|ags)": "configuration",
    r"smf74_2_member\.r742mst1": "state",
    r"smf74_2_system\.r742(sdir|smxb|sfit|stcl)": "direction and transport class",
    r"smf74_4_facility\.r744(?!ftor|fpbc|fscc|fail)\w+": "names, level, paths",
    r"smf74_4_channel_path\..*": "names and states of a channel path",
    r"smf74_4_processor\.r744(pnum|ptyp|pwgt|pbsg)": "names and weights of a processor",
    r"smf74_4_storage\.r744(gcsd|gtsd|gdsa|gtsc|gisc)": "storage defined",
    r"smf74_4_structure\..*": "names, flags and size asked for",
    r"smf74_4_request\.r744(styp|sflg|slec|slel|sltl|ssiz|smas|smis)": "kind, flags, sizes",
    r"smf74_4_request\.r744(sdec|sdel|snlh|smae|cd\w+)": "sizes and numbers of sections",
    r"smf74_5_product\.smf74sam": "nothing of a cache is sampled",
    r"smf74_5_control\..*": "names and states of a storage subsystem",
    r"smf74_5_status\..*": "sizes and states of a storage subsystem",
    r"smf74_5_device\.r745(dfl4|dccu|dunt|devn|dflg|dvid|dvs\d|dsg2|dsid)": "names and states",
    r"smf78_2_common\..*": "addresses and sizes of areas",
    r"smf78_2_private\.r782(rgab|rgaa|gmlb|gmla|meml)": "limits of a region",
    r"smf78_3_control\..*": "names and numbers of paths",
    r"smf78_3_global\..*": "numbers of sections",
    r"smf78_3_hyperpav\.r783(hlcu|hcu)": "names",
    r"smf78_3_iop\.r783(iqid|iflg)": "names and states",
    r"smf78_3_path\.r783(cpid|cpst|cun|cu1)": "names and states",
    r"smf78_3_queue\.r783(id2|dst|dstx|hcnt|hix)": "names and states",
    r"smf30_identification\..*": "names",
    r"smf30_subsystem\..*": "subtype",
    r"smf30_excp\.smf30(dev|utp|cua|bsz|xbs)": "device and block size",
    r"smf30_performance\.(smf30(cpc|loc|src|znf|snf|sus)|smf30_rmctadjn_nominal)": "coefficients",
    r"smf30_processor\.smf30(icu|isb)": "initiator",
    r"smf42_\d_product\..*": "level",
    r"smf42_5_storage_class\.s42scrnl": "length of a name",
    r"smf42_6_dataset\..*": "names, places, block size",
    r"smf42_6_job\..*": "names, places, time zone",
    r"ims_4507\.(buffers|buf_size)": "configuration",
    r"ims_450[48]_subpool\.(buffers|buf_size|hs_buffers|subpool)": "configuration",
    r"ims_4505_pool\.pool_size|ims_4522\.pool_limit": "pool definition",
    r"ims_45(21|22_subpool)\.(buf_size|subpool)": "configuration",
    r"ims_(450a|45ff|47|450e)\.(count|records)": "entries that follow",
    r"ims_450e_buffer\.(buf_size|prim|sec)": "pool definition",
    # single requests, as in the log the records of single transactions
    r"smf110_1_(dictionary|product)\..*": "names, kinds and places of fields; names of a region",
    r"smf110_1_performance\..*": "clocks and counts of one task",
    r"smf123_2_server\..*": "names and level of a server",
    r"smf123_2_request\..*": "numbers, code and lengths of one request",
    # what there is at one moment, neither counted nor measured over the interval
    r"smf71_1_paging\.smf71afc": "frames unused when the interval ended",
    r"smf71_1_paging\.smf71(alp|asr|av[pqs]|lvs|mn[pqs]|msr|mx[pqs]|nlp|xlp|xsr)": "frames in use",
    r"smf74_4_storage\.r744gtsf": "storage free when the interval ended",
    r"smf74_4_request\.r744s(ltm|lem|cue)": "entries in use when the interval ended",
    r"ims_450e(_buffer)?\.(blocks|bufs|pool_size)": "in use now",
    r"ims_4505_pool\.(bytes_allocated|largest_free)": "in use and free now",
    r"ims_45(21|22|22_subpool)\.(buffers_fixed|bufs_used|ecsa_size|extents)": "there now",
    r"ims_451[ab](_member)?\.(members|tpipes|tibs|acees_cached)": "there now",
    r"ims_a101_tpipe\.(queue|resume_active)": "waiting and open now",
    r"ims_a103(_structure)?\.(clients|tasks|\w+_now)": "there now",
    r"ims_a105\.(locks_held|max_locks_held|record_list_used|subsystems|private_bytes)": "held now",
    r"ims_a107_subsystem\.(connections|threads|indoubts|storage_bytes)": "there now",
    r"ims_a108_source\.threads": "there now",
    r"ims_a10d_transaction\.regions": "scheduled now",
    # other statistics of the log
    r"ims_a10\w\.(count|entry_len)": "entries that follow",
    r"ims_a101_tpipe\.parallel_limit": "definition",
    r"ims_a102_ical\.time_limit_cs": "definition",
    r"ims_a103_structure\.(entries_total|elements_total|elements_max)": "size of a structure",
    r"ims_a105\.(lock_entries|record_list_entries)": "size of a lock structure",
    r"ims_a10c\.blocks": "pool definition",
    r"ims_a10d_transaction\.(?!processed)\w+": "definition of a transaction",
}


@dataclass(frozen=True)
class Mutant:
    """A counter shifted up or down, and the first identity that this breaks, empty if none."""

    table: str
    column: str
    sign: str
    broken: str

    @property
    def name(self) -> str:
        """table.column and the sign"""
        return f"{self.table}.{self.column} {self.sign}"


def fields(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str, str]]:
    """Tables, columns and types of all numbers in SMF sections and log statistics."""
    columns = con.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE table_name IN (SELECT table_name FROM duckdb_tables()) ORDER BY ALL"
    ).fetchall()
    for table, column, kind in columns:
        if COUNTED.match(table) and NUMBER.match(kind) and column not in PLACES:
            yield table, column, kind


def is_counter(table: str, column: str) -> bool:
    """Whether the field counts or measures."""
    return not any(re.fullmatch(pattern, f"{table}.{column}") for pattern in NO_COUNTER)


def readers(con: duckdb.DuckDBPyConnection) -> list[tuple[audit.Check, set[str]]]:
    """The identities that the records allow, and all words of each and of the views it reads.

    A table or column that is not among the words is not read.
    """
    views = dict(
        con.execute("SELECT view_name, sql FROM duckdb_views() WHERE NOT internal").fetchall()
    )

    def words(sql: str, seen: frozenset[str]) -> set[str]:
        names = set(re.findall(r"\w+", sql))
        for name in names & (views.keys() - seen):
            names = names | words(views[name], seen | {name})
        return names

    return [
        (check, words(check.sql + " ".join(check.views), frozenset()))
        for check in audit.loaded(con).checks
    ]


def mutants(con: duckdb.DuckDBPyConnection, known: Container[str] = ()) -> Iterator[Mutant]:
    """Every counter of the database shifted up, then down, but for those `known`."""
    used = readers(con)
    for table, column, kind in fields(con):
        if not is_counter(table, column):
            continue
        likely = [check for check, words in used if {table, column} <= words]
        for sign in SHIFTS:
            name = f"{table}.{column} {sign}"
            if name not in known and changes(con, table, column, kind, sign):
                outcome = broken(con, table, f'"{column}" = {shifted(column, kind, sign)}', likely)
                likely.sort(
                    key=lambda mutant: mutant.id != outcome
                )  # the other shift breaks it, too
                yield Mutant(table, column, sign, outcome)


def shifted(column: str, kind: str, sign: str) -> str:
    """The shifted value, in the field's own unit."""
    factor = SHIFTS[sign]
    if kind.endswith("]"):
        return f'list_transform("{column}", lambda x: round(x * {factor}))::{kind}'
    if kind == "INTERVAL":
        return f'to_microseconds((epoch_us("{column}") * {factor})::BIGINT)'
    value = f'"{column}" * {factor}'
    return value if kind in ("DOUBLE", "FLOAT") else f"round({value})::{kind}"


def changes(con: duckdb.DuckDBPyConnection, table: str, column: str, kind: str, sign: str) -> bool:
    """Whether any value is large enough to change."""
    sql = f'SELECT count(*) FROM {table} WHERE "{column}" <> {shifted(column, kind, sign)}'
    return bool(con.execute(sql).fetchall()[0][0])


def broken(
    con: duckdb.DuckDBPyConnection, table: str, change: str, likely: list[audit.Check]
) -> str:
    """The first identity that the change of a table breaks."""
    con.execute("BEGIN")
    try:
        con.execute(f"UPDATE {table} SET {change}")
        for check in likely:
            if audit.run_checks(con, (check,)).violations.num_rows:
                return check.id
        return ""
    finally:
        con.execute("ROLLBACK")
