"""smf2db (MIT, 0.1.3), another reader of RMF records, as a second opinion on the values of cases.

It reads records as JSON of the SMF data REST services. What cases give as rows is written in that
form and put through its own functions. Needs `pip install --no-deps smf2db` and what that imports;
without it the tests are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from places import TESTS

pd = pytest.importorskip("pandas")
pytest.importorskip("smf2db")
pytestmark = pytest.mark.slow

Row = Mapping[str, Any]
KEYS = {"file_id", "record_no", "section_no", "system", "interval_start", "interval_end"}


def case(name: str) -> tuple[dict[str, list[dict[str, Any]]], list[dict[str, Any]]]:
    """Tables and expected rows of a case."""
    said = json.loads((TESTS / "report_values" / f"{name}.json").read_text(encoding="utf-8"))
    common = said.get("every_row", {})
    tables = {table: [common | row for row in rows] for table, rows in said["tables"].items()}
    return tables, said["expect"]


def fields(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in KEYS}


def hexed(number: int | None, digits: int = 2) -> str:
    return f"0x{number or 0:0{digits}x}"


def span(us: float | None) -> str:
    return str(pd.to_timedelta(us or 0, unit="us"))


def index(product: Row, kind: int) -> Any:
    """The index that its functions expect of a record: times, type, system, length, samples."""
    smf = f"smf{kind}"
    start = pd.to_datetime(product["interval_start"])
    values = {
        **{"datetime": start, f"{smf}ist": start, f"{smf}iet": start, "smf_type": f"{kind}.1"},
        **{"csc": 0, f"{smf}sid": product[f"{smf}snm"], f"{smf}int": product[f"{smf}int"] / 1e6},
        **{f"{smf}sam": product[f"{smf}sam"], f"{smf}xnm": product.get(f"{smf}xnm", "")},
    }
    return pd.MultiIndex.from_tuples([tuple(values.values())], names=list(values))


def unlike(ours: Row, theirs: Mapping[str, float], left_out: set[str]) -> Iterator[str]:
    """Columns of an expected row that smf2db has otherwise; a mean of nothing may be 0 there."""
    for name, value in theirs.items():
        if name not in ours or name in left_out:
            continue
        if ours[name] is None:
            if value == value and value not in (0, float("inf")):
                yield f"{name}: {value} for None"
        elif value != pytest.approx(ours[name], rel=1e-6, abs=1e-6):
            yield f"{name}: {value} for {ours[name]}"


DEVICE = {
    "rate_per_s": ("device_activity_rate", 1),
    "resp_ms": ("avg_resp_time", 1000),
    "iosq_ms": ("avg_iosq_time", 1000),
    "cmr_ms": ("avg_cmr_dly", 1000),
    "db_ms": ("avg_db_dly", 1000),
    "int_ms": ("avg_int_dly", 1000),
    "pend_ms": ("avg_pend_time", 1000),
    "disc_ms": ("avg_disc_time", 1000),
    "conn_ms": ("avg_conn_time", 1000),
    "conn_pct": ("dev_conn_percent", 1),
    "util_pct": ("dev_util_percent", 1),
    "resv_pct": ("dev_resv_percent", 1),
    "alloc_avg": ("avg_numbr_alloc", 1),
    "any_alloc_pct": ("any_alloc_percent", 1),
    "mt_pend_pct": ("mt_pend_percent", 1),
    "not_ready_pct": ("not_ready_percent", 1),
    "mounts": ("num_of_mts", 1),
    "mount_s": ("avg_mt_time", 1),
    "alloc_s": ("time_dev_alloc", 1),
}


def device(row: Row, product: Row) -> Mapping[str, float]:
    """What smf2db makes of one device section."""
    from smf2db.api import api_74

    made = dict.fromkeys(api_74.Smf74Dev.__table__.columns.keys(), 0)
    made |= {name: value for name, value in fields(row).items() if value is not None}
    zero = "sqr sqw sbr sbw slbr slbw scmr snis stor stow sor sow que utl rsv nda alc mtp nrd mtc"
    made = {f"smf74{name}": 0 for name in zero.split()} | made
    for name in ("cnf", "clf", "cnx", "cn2", "dts"):
        made[f"smf74{name}"] = hexed(row.get(f"smf74{name}"))
    for name, digits in (("lcu", 4), ("num", 4), ("nm2", 4), ("typ", 8)):
        made[f"smf74{name}"] = hexed(row.get(f"smf74{name}"), digits)
    for name in ("cnn", "pen", "atv", "dis", "dvb", "cmr", "idt", "cuq"):
        made[f"smf74{name}"] = span((row.get(f"smf74{name}") or 0) * 128)
    for name in ("spr", "spw", "sftr", "sftw"):
        made[f"smf74{name}"] = span((row.get(f"smf74{name}") or 0) * 0.5)
    made |= {"smf74ios": span(row.get("smf74ios")), "smf74sub": "0080", "smf74dct_hex2": "0x00"}
    of = index(product, 74)
    record = {name: value for name, value in made.items() if name not in of.names}
    (theirs,) = api_74.build_dev(pd.DataFrame([{"smf74b": record}], index=of), of).to_dict(
        "records"
    )
    return {name: theirs[column] * factor for name, (column, factor) in DEVICE.items()}


def otherwise(row: Row, product: Row) -> set[str]:
    """Columns in which we differ from it, and know why."""
    times = {"cmr_ms", "db_ms", "int_ms", "pend_ms", "disc_ms", "conn_ms", "conn_pct", "util_pct"}
    flags, more = row.get("smf74cnf") or 0, row.get("smf74cnx") or 0
    left_out: set[str] = set()
    if (row.get("smf74typ") or 0) >> 8 & 0xFF != 0x80:  # it has mounts of disks too
        left_out |= {"mounts", "mount_s", "alloc_s"}
    if flags & 0x20:  # it does not look at what says that times are invalid
        left_out |= times | {"resp_ms"}
    if flags & 0x80 or not row.get("smf74ios"):  # nor does it take the sampled queue
        left_out |= {"iosq_ms", "resp_ms"}
    if more & 0x04:
        left_out |= {"conn_ms", "conn_pct", "util_pct", "resp_ms"}
    if more & 0x40:
        left_out |= {"disc_ms", "util_pct", "resp_ms"}
    if more & 0x22:  # it divides by the UCBs of a PAV base where it prints
        left_out |= {"conn_pct", "util_pct"}
    if not product["smf74sam"]:
        left_out |= {"util_pct"}
    return left_out


@pytest.mark.parametrize(
    "name",
    [
        "device_all_fields",
        "device_hyperpav",
        "device_idle",
        "device_means_per_event",
        "device_older_record_iosq",
        "device_over_midnight_total",
        "device_tape_mounts",
    ],
)
def test_devices(name: str) -> None:
    tables, expected = case(name)
    products = {row["record_no"]: row for row in tables["smf74_1_product"]}
    compared = 0
    for ours in expected:
        same = [row for row in tables["smf74_1_device"] if is_of(ours, row, products)]
        if len(same) != 1:
            continue
        product = products[same[0]["record_no"]]
        theirs = device(same[0], product)
        assert list(unlike(ours, theirs, otherwise(same[0], product))) == [], ours
        compared += len(theirs.keys() & ours.keys())
    assert compared


def is_of(ours: Row, row: Row, products: Mapping[int, Row]) -> bool:
    """Whether an expected row is of a device section."""
    product = products[row["record_no"]]
    there = {
        "volume": row.get("smf74ser"),
        "device": f"{row.get('smf74num') or 0:05X}",
        "system": product["smf74snm"],
        "sysplex": product.get("smf74xnm"),
        "interval_start": product["interval_start"],
    }
    return all(ours[name] == value for name, value in there.items() if ours.get(name))


def test_page_data_sets() -> None:
    from smf2db.api import api_75

    tables, expected = case("page_datasets_three_kinds")
    products = {row["record_no"]: row for row in tables["smf75_1_product"]}
    for ours, row in zip(expected, tables["smf75_1_page"], strict=True):
        record = dict.fromkeys(api_75.Smf75Psd.__table__.columns.keys(), 0) | fields(row)
        record |= {"smf75pst": hexed(row["smf75pst"]), "smf75fl2": hexed(row["smf75fl2"])}
        record |= {"smf75typ": hexed(row.get("smf75typ"), 8), "smf75cha": hexed(row["smf75cha"], 4)}
        of = index(products[row["record_no"]], 75)
        left = {name: value for name, value in record.items() if name not in of.names}
        made = api_75.build_psd(pd.DataFrame([{"smf75psd": left}], index=of), of)
        (theirs,) = made.to_dict("records")
        numbers = {"in_use_pct": theirs["psbsy"], "page_ms": 1000 * theirs["psptt"]}
        assert list(unlike(ours, numbers, set())) == []
        assert (ours["vio"] == "Y") == bool(theirs["ds_accepts_vio"])


PROCESSOR: Sequence[tuple[str, str]] = (
    ("activity_per_s", "iopac"),
    ("avg_queue", "iopql"),
    ("busy_pct", "iopipb"),
    ("compression_pct", "iopecb"),
    ("scm_pct", "iopscb"),
    ("start_per_s", "iorifs"),
    ("interrupt_per_s", "iorpii"),
    ("retried_pct", "iopalb"),
    ("retried_cp_pct", "iopchb"),
    ("retried_dp_pct", "iopdpb"),
    ("retried_cu_pct", "iopcub"),
    ("retried_dv_pct", "iopdvb"),
    ("retries_per_start", "ionalb"),
    ("retries_cp_per_start", "ionchb"),
    ("retries_dp_per_start", "iondpb"),
    ("retries_cu_per_start", "ioncub"),
    ("retries_dv_per_start", "iondvb"),
)


def test_io_processors() -> None:
    from smf2db.api import api_78

    tables, expected = case("iop_activity")
    (product,) = tables["smf78_3_product"]
    start = pd.to_datetime(product["interval_start"])
    seconds = product["smf78int"] / 1e6
    for row in tables["smf78_3_iop"]:
        name = f"{row['r783iqid']:02X}"
        record = fields(row) | {"r783iqid": f"0x{name}", "r783iflg": hexed(row["r783iflg"])}
        of = {"csc": 0, "smf78sid": "SYSA", "datetime": start, "smf78ist": start}
        of |= {"smf78iet": start, "smf78int": seconds, "iop_util_data_supported": 1}
        frame = pd.DataFrame([of | {"r783iqd": record}]).set_index(list(of))
        (theirs,) = api_78.build_iop(frame).to_dict("records")
        (ours,) = [e for e in expected if e["iop"] == name]
        numbers = {column: theirs[column_there] for column, column_there in PROCESSOR}
        assert list(unlike(ours, numbers, set())) == []


CHANNEL = {
    "part_util_pct": "part_utilization_pct",
    "total_util_pct": "total_utilization_pct",
    "bus_util_pct": "bus_utilization_pct",
    "read_part_mbps": "part_read_rate",
    "read_total_mbps": "total_read_rate",
    "write_part_mbps": "part_write_rate",
    "write_total_mbps": "total_write_rate",
    "ficon_per_s": "ficon_operations_rate",
    "ficon_active": "ficon_operations_active",
    "ficon_defer_per_s": "ficon_operations_defer",
    "zhpf_per_s": "zhpf_operations_rate",
    "zhpf_active": "zhpf_operations_active",
    "zhpf_defer_per_s": "zhpf_operations_defer",
}


def test_channels() -> None:
    """Groups 1 and 2; it has nothing of a channel without a group."""
    from smf2db.api import api_73

    tables, expected = case("channel_groups")
    (product,), (control,) = tables["smf73_1_product"], tables["smf73_1_control"]
    counters = {row["channel_no"]: fields(row) for row in tables["smf73_1_cmg2"]}
    for row in tables["smf73_1_cmg1"]:
        times = {name: span(row[name] * 128) for name in ("smf73tut", "smf73put")}
        counters[row["channel_no"]] = times
    flags = ("pid", "fg2", "fg3", "fg4", "fg5", "msc", "cmg")
    channels = []
    for row in tables["smf73_1_channel"]:
        made = fields(row) | {f"smf73{name}": hexed(row[f"smf73{name}"]) for name in flags}
        made |= {f"smf73{name}": span(1024 * row.get(f"smf73{name}", 0)) for name in ("pby", "pti")}
        own = counters.get(row["section_no"], {})
        names = {f"smf73ccm.{name}": value for name, value in own.items()}
        channels.append(made | {"smf73nt1": "0x00", "smf73nt2": "0x00"} | names)
    extended = [fields(r) | {"smf73ecp": hexed(r["smf73ecp"])} for r in tables["smf73_1_extended"]]
    header = {"sysId": "SYSA", "sysInd": "0x00", "recType": 73, "subType": 1}
    zero = {"smf73fla": "0x0000", "smf73prf": "0x00", "smf73srl": "0x00", "smf73gie": "2026-03-02"}
    times = {"smf73ist": product["interval_start"], "smf73iet": product["interval_end"]}
    times |= {"smf73int": span(product["smf73int"]), "smf73lgo": span(product["smf73lgo"])}
    bits = {name: hexed(control[name]) for name in ("smf73cfl", "smf73sfl", "smf73cmi")}
    token = {"smf73tok.smf73ttm": control["smf73ttm"]}
    record = {"header": header, "smf73pro": fields(product) | zero | times}
    record |= {"smf73ctl": fields(control) | bits | token, "smf73cha": channels}
    frames = api_73.format_73df(pd.DataFrame([record | {"smf73ecd": extended}]))
    theirs = {
        row["smf73pid"]: row
        for group in ("cha1", "cha2")
        for row in frames[group].reset_index().to_dict("records")
    }
    compared = 0
    for ours in expected:
        if ours["channel"] not in theirs:
            continue
        row = theirs[ours["channel"]]
        numbers = {name: row[there] for name, there in CHANNEL.items() if there in row}
        # of group 1 it takes samples for a use of the bus
        left_out = {"bus_util_pct"} if row["smf73cmg"] == 1 else set()
        assert list(unlike(ours, numbers, left_out)) == [], ours
        compared += len((numbers.keys() - left_out) & ours.keys())
    assert compared >= 14


PAGES = {  # a rate of ours: what it counts
    "page_in_per_s": "smf71pin",
    "swap_in_per_s": "total_nvio_pgin_swap",
    "swap_out_per_s": "total_nvio_pgout_swap",
    "page_out_per_s": "total_nvio_pgout_nswap",
    "vio_in_per_s": "total_vio_pgin_nswap_blk",
    "vio_out_per_s": "total_vio_pgout_nswap",
    "hiperspace_in_per_s": "total_hspace_pgin_nswap_blk",
    "hiperspace_out_per_s": "total_hspace_pgout_nswap",
    "common_out_per_s": "sys_sum_pgout_nswap",
    "csa_in_per_s": "sys_csa_pgin_nswap_nblk",
    "space_in_per_s": "as_sum_pgin_nswap_nblk",
    "moves_per_s": "pg_mv_within_cs",
}


def test_paging() -> None:
    """Its page movement takes a share of 1, and blocks are what we call so."""
    from smf2db.api import api_71

    tables, expected = case("paging_rates")
    products = {row["record_no"]: row for row in tables["smf71_1_product"]}
    compared = 0
    for ours in expected:
        start = ours["interval_start"]
        (row,) = [r for r in tables["smf71_1_paging"] if r["interval_start"] == start]
        product = products[row["record_no"]]
        record = dict.fromkeys(api_71.Smf71Pag.__table__.columns.keys(), 0)
        record |= {name: value for name, value in fields(row).items() if value is not None}
        record |= {"smf71rfl": "0x00", "smf71pmt": span((row.get("smf71pmt") or 0) / 4096)}
        of = index(product, 71).droplevel("smf71xnm")
        left = {name: value for name, value in record.items() if name not in of.names}
        about = {name: product[name] for name in ("smf71snm", "smf71xnm")} | {"smf71ptn": 1}
        frame = pd.DataFrame([{"smf71pag": left, "smf71pro": about}], index=of)
        (theirs,) = api_71.build_pag(frame).to_dict("records")
        seconds = product["smf71int"] / 1e6
        numbers = {name: theirs[there] / seconds for name, there in PAGES.items()}
        numbers |= {"move_time_pct": 100 * theirs["pg_mv_time_percentage"]}
        numbers |= {"blocks_per_s": theirs["blk_per_seconds"]}
        assert list(unlike(ours, numbers, set())) == [], ours
        compared += len(numbers.keys() & ours.keys())
    assert compared >= 14


PERIOD = {
    "avg": ("transaction_average_active", 1),
    "mpl": ("transaction_average_swapped_in", 1),
    "end_per_s": ("transaction_total_per_second", 1),
    "avg_enc": ("transaction_enclave_average", 1),
    "resp_ms": ("transaction_response_time_mean", 1000),
    "resp_std_ms": ("transaction_average_elapsed_time_std_dev", 1000),
    "ssch_per_s": ("start_subchannel_rate", 1),
    "io_resp_ms": ("avg_dasd_response_time", 1000),
    "io_conn_ms": ("avg_dasd_connect_time", 1000),
    "io_disc_ms": ("avg_dasd_disconnect_time", 1000),
    "io_qpend_ms": ("avg_dasd_pending_time", 1000),
    "io_iosq_ms": ("avg_dasd_ios_queue_time", 1000),
    "absrptn": ("absorption_rate", 1),
    "trx_serv": ("transaction_service_rate", 1),
    "appl_cp_pct": ("appl_percentage_cp_time", 1),
    "appl_iipcp_pct": ("appl_percentage_iipcp_time", 1),
    "appl_iip_pct": ("appl_percentage_iip_time", 1),
    "appl_aapcp_pct": ("appl_percentage_aapcp_time", 1),
    "appl_aap_pct": ("appl_percentage_aap_time", 1),
    "tran_appl_cp_pct": ("transaction_total_percentage_cp_time", 1),
    "tran_appl_offload_pct": ("transaction_total_percentage_sp_on_cp_time", 1),
    "tran_appl_iip_pct": ("transaction_total_percentage_sp_time", 1),
    "mobile_appl_cp_pct": ("transaction_mobile_percentage_cp_time", 1),
    "category_a_appl_iip_pct": ("transaction_cata_percentage_sp_time", 1),
    "category_b_appl_offload_pct": ("transaction_catb_percentage_sp_on_cp_time", 1),
    "page_in_per_s": ("single_page_in_rate", 1),
    "block_page_in_per_s": ("block_page_in_rate", 1),
    "shared_page_in_per_s": ("shared_page_in_rate", 1),
    "hiperspace_page_in_per_s": ("hsp_page_in_rate", 1),
    "storage_total_frames": ("storage_total_swapped_in", 1),
    "velocity_pct": ("execution_velocity", 1),
}


def test_workload_periods() -> None:
    tables, expected = case("workload_all_fields")
    controls = {row["record_no"]: row for row in tables["smf72_3_control"]}
    products = {row["record_no"]: row for row in tables["smf72_3_product"]}
    compared = 0
    for row in tables["smf72_3_period"]:
        control, product = controls[row["record_no"]], products[row["record_no"]]
        same = [
            ours
            for ours in expected
            if (ours["kind"], ours["class"], ours["period"])
            == (
                "report" if control["r723mscf"] else "service",
                control["r723mcnm"],
                row["r723cper"],
            )
            and ours["system"] == product["smf72snm"]
            and ours.get("interval_start", row["interval_start"]) == row["interval_start"]
            and ours.get("sysplex", product["smf72xnm"]) == product["smf72xnm"]
        ]
        if len(same) != 1:
            continue
        theirs = period(row, control, product)
        numbers = {name: theirs[there] * factor for name, (there, factor) in PERIOD.items()}
        # squares of an older record: it takes their unit once, not twice
        left_out = {"resp_std_ms"} if row.get("r723ctetx") is None else set()
        assert list(unlike(same[0], numbers, left_out)) == [], same[0]
        compared += len((numbers.keys() - left_out) & same[0].keys())
    assert compared > 60


def period(row: Row, control: Row, product: Row) -> dict[str, Any]:
    """What smf2db makes of one period section."""
    from smf2db.api import api_72

    start = pd.to_datetime(product["interval_start"])
    about = {"smf72xnm": product["smf72xnm"], "datetime": start, "smf72ist": start}
    about |= {"smf72iet": start, "r723mnsp": control["r723mnsp"]}
    own = {"smf72sid": product["smf72snm"]}
    policy = about | own | {"smf_type": "72.3"}
    shared = {name: control.get(name) or 1 for name in ("r723madj", "r723mtv")}
    shared |= {name: control[name] / 10_000 for name in ("r723mcpu", "r723msrb")}
    shared |= {name: control.get(name) or 1024 for name in ("r723mcf", "r723mcfs", "r723mcfi")}
    shared |= {name: control.get(name) or 256 for name in ("r723nffs", "r723nffi")}
    wms = about | {"r723mwnm": control.get("r723mwnm", ""), "r723mcnm": control["r723mcnm"]}
    wms |= {"r723cper": row["r723cper"]} | own | {"is_report_class": 0, "r723mtvl": 1}
    wms |= (
        {"r723mtv_": control.get("r723mtv") or 1} | shared | {"smf72int": product["smf72int"] / 1e6}
    )
    wms |= {"cpu_service_coefficient_adjusted": 1.0, "srb_service_coefficient_adjusted": 1.0}
    wms |= {"r723cpa_scaling_factor": 1, "r723cpa_actual": 1}
    made = dict.fromkeys(api_72.Smf72Scs.__table__.columns.keys(), 0)
    made |= {name: value for name, value in fields(row).items() if value is not None}
    made |= {
        f"r723{name}": hexed(row.get(f"r723{name}")) for name in ("cadf", "crtf", "crgf", "crs1")
    }
    made |= {"r723rtdt": "", **about, **own}
    record = {name: value for name, value in made.items() if name not in policy.keys() | wms.keys()}
    record |= {"r723cper": row["r723cper"]}
    if row.get("r723ctetx") is None:  # an older record
        del record["r723ctetx"]
    of_policy, of_wms = (
        pd.MultiIndex.from_tuples([tuple(names.values())], names=list(names))
        for names in (policy, wms)
    )
    frame = pd.DataFrame([{"r723scs": record}], index=of_policy)
    keys = api_72.Smf72Scs.__table__.primary_key.columns
    none = pd.DataFrame([0], index=pd.MultiIndex.from_tuples([("",) * len(keys)]))
    (theirs,) = api_72.build_scs(frame, of_policy, of_wms, none).to_dict("records")
    return theirs
