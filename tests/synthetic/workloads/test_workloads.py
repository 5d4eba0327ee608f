"""Knobs move what the model says they move, and by how much; laws and bounds hold anywhere.

Sizes are worked out here from the inputs (knobs, cost tables) with the formulas of the model's
description: utilisation X c / m, Little, n_reg / O, rho s / (1 - rho), sums of write times.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.predict import explain, predict, predict_change, predict_grid
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.workloads.families import predicted


def values(name: str, /, **settings: Any) -> dict[str, Any]:
    """Metric -> value; `__` in a setting stands for a dot."""
    given = {key.replace("__", "."): value for key, value in settings.items()}
    return {row["metric"]: row["value"] for row in predict(load(name, given))}


def growth(busy_pct: float) -> float:
    """Cost growth with utilisation: 5 % from idle to full."""
    return 1 + 0.05 * busy_pct / 100


# --- processors, clients, think time -------------------------------------------------------------


def test_a_fourth_processor_lowers_utilisation_by_a_quarter() -> None:
    """U = X c / m; c falls by the growth that goes; the response loses its CPU wait only."""
    three, four = values("ff-haldb"), values("ff-haldb", cpu__gcps=4)
    cost = growth(four["cpu_busy_pct"]) / growth(three["cpu_busy_pct"])
    rate = four["etr_per_s"] / three["etr_per_s"]
    expected = three["cpu_busy_pct"] * 3 / 4 * cost * rate
    assert four["cpu_busy_pct"] == pytest.approx(expected, rel=2e-3)
    cpu_ms = (360.642 + 36.185 + 47.075) / 1000  # inside the response: region, IMS, other
    lost = three["ims_response_ms"] - four["ims_response_ms"]
    assert 0.2 < lost < 1.1  # all CPU in the response takes 1.1 ms at 82 %, 0.44 ms without waits
    assert four["ims_response_ms"] > 14.02 + cpu_ms


def test_twice_the_speed_halves_the_cost() -> None:
    slow, fast = values("jmp"), values("jmp", cpu__speed=2)
    expected = slow["cpu_us_per_tran"] / 2 * growth(fast["cpu_busy_pct"]) / growth(78.9)
    assert fast["cpu_us_per_tran"] == pytest.approx(expected, rel=0.005)


def test_more_clients_reach_the_bound_and_then_only_wait() -> None:
    """X <= m / c; beyond it R = N / X - Z, linear in N."""
    loads = [values("jmp", clients=n) for n in (38, 200, 400)]
    cost = loads[1]["cpu_us_per_tran"]
    assert loads[1]["etr_per_s"] == pytest.approx(6e6 / cost, rel=0.002)
    assert loads[2]["etr_per_s"] == pytest.approx(loads[1]["etr_per_s"], rel=0.002)
    more = loads[2]["ims_response_ms"] - loads[1]["ims_response_ms"]
    outside = loads[2]["outside_ms"] - loads[1]["outside_ms"]
    assert more + outside == pytest.approx(200 / loads[2]["etr_per_s"] * 1000, rel=0.01)


def test_client_time_sets_the_rate() -> None:
    """N = X (Z + R + time outside), so X from the rest."""
    for think in (50.0, 80.0, 160.0):
        predicted_values = values("fast-path", driver__think_ms=think)
        cycle = think + predicted_values["ims_response_ms"] + predicted_values["outside_ms"]
        assert predicted_values["etr_per_s"] == pytest.approx(8000 / cycle * 1000, rel=1e-6)


@pytest.mark.parametrize("busy", [10, 30, 50, 80])
def test_think_time_is_found_for_a_target(busy: int) -> None:
    predicted_values = values("jmp", driver__target_busy=busy)
    assert predicted_values["cpu_busy_pct"] == pytest.approx(busy, rel=1e-5)


def test_curves_have_the_shapes_of_the_papers() -> None:
    """10 to 80 % busy: rate and response rise; ITR rises (fixed part), then falls (growth)."""
    rows = predict_grid(load("ff-haldb"), {"driver.target_busy": [10, 20, 40, 60, 80]})
    curve = {
        m: [r["value"] for r in rows if r["metric"] == m]
        for m in ("etr_per_s", "itr_per_s", "ims_response_ms")
    }
    assert all(np.diff(curve["etr_per_s"]) > 0) and all(np.diff(curve["ims_response_ms"]) > 0)
    assert curve["itr_per_s"][0] < max(curve["itr_per_s"]) > curve["itr_per_s"][-1]


def test_itr_says_nothing_beyond_the_cost() -> None:
    """ITR = 10^6 m / c, exactly."""
    for name, cps in (("jmp", 6), ("fast-path", 7), ("odbm", 4)):
        predicted_values = values(name)
        assert predicted_values["itr_per_s"] == pytest.approx(
            1e6 * cps / predicted_values["cpu_us_per_tran"], rel=1e-9
        )


# --- regions and schedules -----------------------------------------------------------------------


def test_regions_do_nothing_until_they_bind_and_then_set_the_rate() -> None:
    """91 of 128 regions are busy: 110 are as good; with 80 X = 80 / O."""
    enough, fewer = values("ff-haldb"), values("ff-haldb", regions__mpp=115)
    assert fewer["etr_per_s"] == pytest.approx(enough["etr_per_s"], rel=0.002)
    few = values("ff-haldb", regions__mpp=80)
    assert few["regions_busy"] == pytest.approx(80, rel=1e-3)
    assert few["etr_per_s"] == pytest.approx(80 / few["region_occupancy_ms"] * 1000, rel=1e-3)
    assert (few["bottleneck"], few["saturates_next"]) == ("regions", "cpu")
    cycle = few["ims_response_ms"] + few["outside_ms"] + 789.352
    assert few["etr_per_s"] == pytest.approx(4000 / cycle * 1000, rel=1e-4)


def test_what_fills_next_is_the_station_after_a_full_one() -> None:
    """8,000 clients fill 3 CPs; regions would be next, at a rate that the CPs never pass."""
    predicted_values = values("ff-haldb", clients=8000)
    assert (predicted_values["bottleneck"], predicted_values["saturates_next"]) == (
        "cpu",
        "regions",
    )
    assert predicted_values["headroom_pct"] == pytest.approx(0, abs=0.5)
    assert predicted_values["saturates_at_per_s"] is None
    assert values("ff-haldb")["saturates_next"] == "cpu"


def test_the_log_wait_leaves_a_full_pool_when_the_logger_notifies() -> None:
    """Capacity n / O grows by the wait that leaves O; the rate of a pool with room stays."""
    waits = values("ff-haldb", regions__mpp=80)
    notified = values("ff-haldb", regions__mpp=80, log__check_write="notified")
    gain = notified["etr_per_s"] / waits["etr_per_s"]
    occupancy = waits["region_occupancy_ms"]
    assert gain == pytest.approx(occupancy / (occupancy - waits["check_write_ms"]), rel=0.003)
    roomy = values("ff-haldb", log__check_write="notified")
    assert roomy["etr_per_s"] == pytest.approx(values("ff-haldb")["etr_per_s"], rel=1e-3)


def test_one_schedule_for_each_message_costs_a_schedule() -> None:
    """S = 60 + 40 + 80 us; PRELOAD takes off 40, PREINIT four fifths of 80."""
    often, rarely = values("ff-haldb", sched__plct=0), values("ff-haldb")
    assert often["messages_per_schedule"] == 1
    more = often["region_cpu_us_per_tran"] - rarely["region_cpu_us_per_tran"]
    assert more == pytest.approx(180 * growth(often["cpu_busy_pct"]), rel=0.02)
    less = {"sched.preload": 40.0, "sched.preinit": 64.0}
    for knob, saved in less.items():
        predicted_values = values("ff-haldb", sched__plct=0, **{knob.replace(".", "__"): "on"})
        gone = often["region_cpu_us_per_tran"] - predicted_values["region_cpu_us_per_tran"]
        assert gone == pytest.approx(saved * growth(often["cpu_busy_pct"]), rel=0.05)
        usual = values("ff-haldb", **{knob.replace(".", "__"): "on"})
        assert usual["cpu_us_per_tran"] == pytest.approx(rarely["cpu_us_per_tran"], rel=1e-3)


def test_messages_of_a_schedule_by_limit() -> None:
    """(1 - p^n) / (1 - p) with p = 1 - 1/1000: 1, 1, 4.99, nearly 1000."""
    counts = [values("ff-haldb", sched__plct=n)["messages_per_schedule"] for n in (0, 1, 5, 65535)]
    assert counts == pytest.approx([1, 1, (1 - 0.999**5) * 1000, 1000], rel=1e-6)
    assert values("ff-haldb", sched__wfi="off")["messages_per_schedule"] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("settings", "mb"),
    [
        ({"esaf__pooling": "off"}, 33.3),  # 68 threads, one for each region: fitted (T37)
        ({"esaf__pooling": "on"}, 51.3),  # 68 x 7 plans x 7 ids = 3,332, about 3,300: fitted (T37)
        (
            {"esaf__pooling": "on", "esaf__pool_limit": 25},
            42.3,
        ),  # 1,700: 32.925 + 1700 x 5.647 / 1024
        ({"esaf__pooling": "on", "regions__mpp": 34}, 42.11),  # 1,666
    ],
)
def test_common_storage_is_made_of_threads(settings: dict[str, Any], mb: float) -> None:
    """000 8.4.2: CSA above 16 MB grows with the threads that are kept."""
    found = values("esaf-pooling@plct0", **settings)["csa_above_16m_key7_mb"]
    assert found == pytest.approx(mb, abs=0.005)


def test_pooled_threads_save_cpu_and_time_of_each_schedule() -> None:
    """T37: 3,073.7 - 2,718.9 = 354.9 us; 11.2 ms of a schedule were fitted to T37 and T38."""
    bare = {"cpu__growth": 0, "cpu__fixed_ms_per_s": 0, "clients": 42}
    apart = values("esaf-pooling@plct0", **bare)
    pooled = values("esaf-pooling@plct0", esaf__pooling="on", **bare)
    saved = apart["cpu_us_per_tran"] - pooled["cpu_us_per_tran"]
    assert saved == pytest.approx(354.9, rel=1e-3)
    shorter = apart["region_occupancy_ms"] - pooled["region_occupancy_ms"]
    assert 10.8 < shorter < 11.6  # the thread and its CPU; more waits for CPU at a higher rate
    full = values("esaf-pooling@plct0")
    assert full["region_queue_ms"] > 40 > pooled["region_queue_ms"]


# --- log -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "wads", "olds"),
    [
        ({}, 0.251 + 0.120 + 0.796, 0.280 + 0.119 + 0.711),
        ({"log.zhpf": "on"}, 0.251 + 0.796, 0.280 + 0.711),
        ({"log.zhyperwrite": "on"}, 0.371, 0.399),
        ({"log.zhpf": "on", "log.zhyperwrite": "on"}, 0.251, 0.280),
        ({"log.wads.zhpf": "on"}, 0.251 + 0.796, 0.280 + 0.119 + 0.711),
        ({"log.olds.zhyperwrite": "on"}, 1.167, 0.399),
        ({"log.mirror": "off"}, 0.371, 0.399),
        ({"log.km_link": 100}, 1.167 + 1.0, 1.110 + 1.0),
        ({"log.km_link": 100, "log.distance": "svl_poughkeepsie_2018"}, 1.167 + 0.54, 1.110 + 0.54),
        ({"log.km_link": 100, "log.zhyperwrite": "on"}, 0.371, 0.399),
        ({"log.km_host_secondary": 100}, 1.167, 1.110),
        ({"log.km_host_secondary": 100, "log.zhyperwrite": "on"}, 0.371 + 1.0, 0.399 + 1.0),
    ],
)
def test_log_writes_are_sums_of_their_parts(
    settings: dict[str, Any], wads: float, olds: float
) -> None:
    """Local 0.251 and 0.280, zHPF saves 0.120 and 0.119, mirror 0.796 and 0.711, 10 us a km."""
    by_name = {row["metric"]: row["value"] for row in predict(load("logger-mm", settings))}
    assert by_name["wads_write_ms"] == pytest.approx(wads)
    assert by_name["olds_write_ms"] == pytest.approx(olds)


def test_a_faster_log_hardly_moves_a_response_of_a_second() -> None:
    """T30: 78 % off the WADS write, response where it was: 0.9 ms of 132 ms in a region."""
    base, both = values("logger-mm"), values("logger-mm@both")
    assert both["wads_write_ms"] / base["wads_write_ms"] == pytest.approx(0.215, abs=0.01)
    assert both["etr_per_s"] / base["etr_per_s"] == pytest.approx(1.0107, abs=0.003)


def test_a_slower_log_moves_the_response_by_its_wait() -> None:
    base, slow = values("fast-path"), values("fast-path", log__zhpf="off")
    more = slow["ims_response_ms"] - base["ims_response_ms"]
    assert more == pytest.approx(slow["check_write_ms"] - base["check_write_ms"], rel=0.05)
    assert slow["etr_per_s"] == pytest.approx(base["etr_per_s"], rel=0.005)
    assert values("zos-connect", log__zhpf="off")["ims_response_ms"] == pytest.approx(
        values("zos-connect")["ims_response_ms"]
    )  # its response does not wait for the log


# --- database I/O, XCF, latches ------------------------------------------------------------------


def test_fewer_paths_lengthen_the_port_queue_until_they_are_full() -> None:
    """CMR = rho s / (1 - rho), s = 0.05 ms; 3 paths take 60,000 I/O/s, 75,000 transactions/s."""
    for paths in (8, 16):
        predicted_values = values("fast-path", dasd__channel_paths=paths)
        rho = predicted_values["etr_per_s"] * predicted_values["db_io_per_tran"] * 50e-6 / paths
        assert predicted_values["db_cmr_ms"] == pytest.approx(0.05 * rho / (1 - rho), rel=1e-3)
    full = values("fast-path", dasd__channel_paths=3)
    assert full["etr_per_s"] == pytest.approx(3 / 50e-6 / 0.79992, rel=0.01)
    assert full["bottleneck"] == "dasd"
    cycle = 80.3434 + full["ims_response_ms"] + full["outside_ms"]
    assert full["etr_per_s"] == pytest.approx(8000 / cycle * 1000, rel=1e-3)


def test_few_volumes_without_aliases_queue() -> None:
    assert values("ff-haldb", dasd__volumes=40, dasd__aliases=0)["db_iosq_ms"] > 0.05
    assert values("ff-haldb", dasd__volumes=40, dasd__aliases=40)["db_iosq_ms"] < 0.001


def test_a_slower_read_lengthens_the_response_by_the_reads() -> None:
    """10.31 reads of a mean transaction, 0.28 to 0.56 ms each."""
    slow, usual = values("ff-haldb", dasd__db_read_ms=0.56), values("ff-haldb")
    assert slow["ims_response_ms"] - usual["ims_response_ms"] == pytest.approx(
        10.31 * 0.28, rel=0.01
    )


def test_the_quota_of_old_xcf_caps_fast_path() -> None:
    """20 members x 16 messages in 10 ms = 32,000/s."""
    predicted_values = values("fast-path", xcf__messages_per_schedule=16)
    assert predicted_values["etr_per_s"] == pytest.approx(32_000, rel=1e-3)
    assert predicted_values["bottleneck"] == "xcf"
    half = values("fast-path", xcf__messages_per_schedule=16, xcf__members=10)
    assert half["etr_per_s"] == pytest.approx(16_000, rel=1e-3)


def test_latch_modes_order_their_contentions() -> None:
    by_name = {m: values("fast-path", logger__latch=m) for m in ("exclusive", "shared", "split")}
    logl = {mode: seen["logl_contentions_per_s"] for mode, seen in by_name.items()}
    assert logl["exclusive"] > logl["shared"] > 100 * logl["split"]
    assert 10 < logl["split"] < 100
    assert by_name["split"]["lrec_contentions_per_s"] > logl["split"]
    assert by_name["split"]["cpu_us_per_tran"] < by_name["exclusive"]["cpu_us_per_tran"]


# --- features ------------------------------------------------------------------------------------


def test_one_trace_costs_its_printed_share() -> None:
    """T4: DISP loses 1.45 % of ITR, T6 external 4.98 %; T3 Fast Path 4.3 %."""
    base = values("ff-haldb", cpu__growth=0)["itr_per_s"]
    for settings, loss in (({"trace__DISP": "memory"}, 1.45), ({"trace__DISP": "external"}, 4.98)):
        predicted_values = values("ff-haldb", cpu__growth=0, **settings)["itr_per_s"]
        assert predicted_values / base == pytest.approx(1 - loss / 100, rel=1e-3)


@pytest.mark.parametrize(
    ("name", "where", "loss"),
    [("fast-path", "memory", 9.33), ("ff-haldb", "memory", 4.73), ("fast-path", "external", 20.86),
     ("ff-haldb", "external", 9.46)],
)  # fmt: skip
def test_all_traces_cost_less_than_their_sum(name: str, where: str, loss: float) -> None:
    """(sum of o^1.5)^(2/3) of T3 to T6: 9.3, 4.7, 20.9, 9.5 %; printed 8.6, 5.3, 20.4, 8.3."""
    base = values(name, cpu__growth=0, cpu__fixed_ms_per_s=0)["itr_per_s"]
    predicted_values = values(name, cpu__growth=0, cpu__fixed_ms_per_s=0, trace__ALL=where)[
        "itr_per_s"
    ]
    assert (1 - predicted_values / base) * 100 == pytest.approx(loss, abs=0.1)


def test_volume_and_target_of_traces_scale_their_cost() -> None:
    base = values("ff-haldb", cpu__growth=0)["cpu_us_per_tran"]
    more = {
        level: values("ff-haldb", cpu__growth=0, trace__DISP="memory", trace__volume=level)[
            "cpu_us_per_tran"
        ]
        - base
        for level in ("low", "medium", "high")
    }
    assert more["low"] / more["medium"] == pytest.approx(0.6, rel=0.03)
    assert more["high"] / more["medium"] == pytest.approx(1.6, rel=0.03)


def test_credentials_cost_by_the_byte() -> None:
    """70 ns a byte: 500 bytes 35 us."""
    base = values("zos-connect", cpu__growth=0, cpu__fixed_ms_per_s=0)
    predicted_values = values(
        "zos-connect", cpu__growth=0, cpu__fixed_ms_per_s=0, security__credential_bytes=500
    )
    assert predicted_values["cpu_us_per_tran"] - base["cpu_us_per_tran"] == pytest.approx(
        35.0, rel=1e-3
    )
    assert (
        predicted_values["log_mb_per_s"] / predicted_values["etr_per_s"]
        > base["log_mb_per_s"] / base["etr_per_s"]
    )


@pytest.mark.parametrize(
    ("part", "ims", "region"), [("wads", 0.57, 0.0), ("olds", 0.57, 0.0), ("dedb", 0.0, 0.88)]
)
def test_encryption_costs_where_the_data_set_is_written(
    part: str, ims: float, region: float
) -> None:
    """T32 in three parts; IMS Connect's 1.03 us come with any of them, unexplained."""
    plain = values("fast-path", cpu__growth=0, cpu__fixed_ms_per_s=0)
    predicted_values = values(
        "fast-path", cpu__growth=0, cpu__fixed_ms_per_s=0, **{f"encryption__{part}": "on"}
    )
    more = {
        m: predicted_values[f"{m}_cpu_us_per_tran"] - plain[f"{m}_cpu_us_per_tran"]
        for m in ("ims", "region", "ims_connect")
    }
    assert more["ims"] == pytest.approx(ims, abs=0.002)
    assert more["region"] == pytest.approx(region, abs=0.002)
    assert more["ims_connect"] == pytest.approx(1.03, abs=0.002)


NOTHING_ELSE = {"cpu__growth": 0, "cpu__fixed_ms_per_s": 0}


@pytest.mark.parametrize(
    ("name", "settings", "us"),
    [
        # T5, T6: .8 x (.6666 reads + .3333 writes) of 4,096 bytes, 3,277 bytes, .26858 ns each
        ("fast-path", {"encryption__dedb": "on"}, {"region": 0.88}),
        ("fast-path", {"encryption__dedb": "on", "dasd__io_per_access": 0.4}, {"region": 0.44}),
        # records of 422 bytes, 1.35072 ns each
        ("fast-path", {"encryption__wads": "on"}, {"ims": 0.57}),
        # full function: 1,260 bytes, and 220 for each of 3.378 changes, 2,003 in all, 2.706 us; 001
        # lists no IMS Connect, so its 1.03 us are the first space's
        ("trace-tables@ff", {"encryption__wads": "on"}, {"ims": 3.736}),
        ("trace-tables@ff", {"encryption__wads": "on", "encryption__olds": "on"}, {"ims": 6.442}),
    ],
)
def test_encryption_costs_by_the_byte(
    name: str, settings: dict[str, Any], us: dict[str, float]
) -> None:
    """000 7.4: on the processor, by what is written to the log, read from and written to DEDBs."""
    of_io = {key: value for key, value in settings.items() if key.startswith("dasd")}
    plain, on = values(name, **NOTHING_ELSE, **of_io), values(name, **NOTHING_ELSE, **settings)
    for group, more in us.items():
        column = f"{group}_cpu_us_per_tran"
        assert on[column] - plain[column] == pytest.approx(more, abs=0.002)


def test_encryption_costs_in_all_what_t32_says() -> None:
    """T32 lists 1.14, .88 and 1.03 us more; in all 2.17, .09 of it growth: the rest is .97 less."""
    plain = values("fast-path", **NOTHING_ELSE)["cpu_us_per_tran"]
    on = values("fp-encryption", **NOTHING_ELSE)["cpu_us_per_tran"]
    assert on - plain == pytest.approx(2.08, abs=0.005)


def test_a_64_bit_jvm_makes_java_regions_dearer() -> None:
    """125.166 / 121.827 = 1.0274."""
    base = values("jmp", cpu__growth=0, cpu__fixed_ms_per_s=0)
    predicted_values = values("jmp", cpu__growth=0, cpu__fixed_ms_per_s=0, jvm__bits=64)
    ratio = predicted_values["region_cpu_us_per_tran"] / base["region_cpu_us_per_tran"]
    assert ratio == pytest.approx(1.0274, rel=1e-4)
    assert predicted_values["ims_cpu_us_per_tran"] == pytest.approx(
        base["ims_cpu_us_per_tran"], rel=1e-4
    )


def test_otma_security_costs() -> None:
    base = values("jmp", cpu__growth=0, cpu__fixed_ms_per_s=0)
    full = values("jmp", cpu__growth=0, cpu__fixed_ms_per_s=0, otma__security="full")
    none = values("jmp", cpu__growth=0, cpu__fixed_ms_per_s=0, otma__security="none")
    assert full["region_cpu_us_per_tran"] - base["region_cpu_us_per_tran"] == pytest.approx(
        4.0, rel=0.01
    )
    assert base["ims_cpu_us_per_tran"] - none["ims_cpu_us_per_tran"] == pytest.approx(1.0, rel=0.01)


def test_ziips_take_what_may_run_there() -> None:
    """90 % of z/OS Connect's CPU, less what spills; general CPs lose as much; SMT adds capacity."""
    plain, moved = values("zos-connect"), values("zos-connect", cpu__ziips=8)
    assert moved["zos_connect_cpu_us_per_tran"] < 0.2 * plain["zos_connect_cpu_us_per_tran"]
    total = moved["cpu_us_per_tran"] + moved["ziip_us_per_tran"]
    assert total == pytest.approx(plain["cpu_us_per_tran"], rel=0.04)
    few = values("zos-connect", cpu__ziips=2)
    assert few["cpu_busy_pct"] > moved["cpu_busy_pct"]
    threads = values("zos-connect", cpu__ziips=2, cpu__smt=2)
    assert threads["cpu_us_per_tran"] < few["cpu_us_per_tran"]
    assert plain["etr_per_s"] < moved["etr_per_s"]


def test_a_release_changes_costs_and_not_the_client_time() -> None:
    """T27: 180.29, 168.79, 163.02 us; one think time for the Java driver."""
    releases = [values("jmp", ims__release=release) for release in (13, 14, 15)]
    costs = [result["cpu_us_per_tran"] for result in releases]
    assert costs == pytest.approx([180.29, 168.79, 163.02], rel=0.005)
    assert len({result["think_ms"] for result in releases}) == 1
    with pytest.raises(ScenarioError, match=r"ims\.release: found 12, expected 13 to 15"):
        values("jmp", ims__release=12)


def test_managed_acbs_move_storage_and_stay_in_the_noise() -> None:
    on, off = values("managed-acb"), values("managed-acb", ims__managed_acb="off")
    assert on["control_lsqa_eprivate_mb"] - off["control_lsqa_eprivate_mb"] == pytest.approx(1.0)
    assert on["itr_per_s"] == pytest.approx(off["itr_per_s"], rel=1e-6)


# --- CICS, two systems, BMP, TPIPEs --------------------------------------------------------------


def test_one_busy_qr_tcb_stops_cics_before_the_processors_do() -> None:
    """One region with 60 % of 265.7 us on QR: 1 / 159 us = 6,270/s bare, less with growth."""
    predicted_values = values("cics-ff", cics__regions=1, cics__qr_share=0.6)
    assert predicted_values["bottleneck"] == "qr_tcb"
    assert 5_800 < predicted_values["etr_per_s"] < 6_300
    assert predicted_values["cpu_busy_pct"] < 70


def test_a_slower_coupling_facility_costs_the_hosts_cpu() -> None:
    """27 requests of a transaction spin on their host, two CF CPUs.

    At most as long as a Poisson stream: link + s / (1 - rho^2). At least as long as six CPs that
    are always busy, three of each host: the repair of machines at the same rate.
    """
    usual, slow = values("dsff-smq"), values("dsff-smq", cf__service_us=6)
    for spread, service in ((usual, 4.0), (slow, 6.0)):
        rate = spread["etr_per_s"] * 27e-6
        rho = rate * service / 2
        time = spread["cf_request_us"] - 3.5
        assert repaired(rate, service) < time < service / (1 - rho**2)
    more = slow["cpu_us_per_tran"] - usual["cpu_us_per_tran"]
    spin = slow["cf_request_us"] - usual["cf_request_us"]
    assert more == pytest.approx(27 * spin * growth(83), rel=0.05)


def repaired(rate: float, service: float, cps: int = 6, servers: int = 2) -> float:
    """Time at the servers of CPs that are away for the rest of a cycle of cps / rate."""
    time = service
    for _ in range(50):
        ratio, chances = service / (cps / rate - time), [1.0]
        for n in range(cps):
            chances.append(chances[-1] * (cps - n) / min(n + 1, servers) * ratio)
        there = sum(n * chance for n, chance in enumerate(chances))
        served = sum(min(n, servers) * chance for n, chance in enumerate(chances))
        time = there / served * service
    return time


def test_two_systems_add_up() -> None:
    """T16: sum of rates, mean of busy, combined ITR and CPU; _sum as T20 prints them."""
    predicted_values = values("dsff-smq")
    rates = [predicted_values["etr_per_s_ims1"], predicted_values["etr_per_s_ims2"]]
    busy = [predicted_values["cpu_busy_pct_ims1"], predicted_values["cpu_busy_pct_ims2"]]
    assert predicted_values["etr_per_s"] == pytest.approx(sum(rates))
    assert predicted_values["cpu_busy_pct"] == pytest.approx(sum(busy) / 2)
    assert predicted_values["itr_per_s"] == pytest.approx(sum(rates) / (sum(busy) / 200))
    parts = [
        predicted_values["cqs_cpu_us_per_tran_ims1"],
        predicted_values["cqs_cpu_us_per_tran_ims2"],
    ]
    assert predicted_values["cqs_cpu_us_per_tran_sum"] == pytest.approx(sum(parts))
    assert min(parts) < predicted_values["cqs_cpu_us_per_tran"] < max(parts)


def test_the_cqs_work_goes_to_ziips() -> None:
    there = values("dsff-smq", cpu__ziips=2)
    predicted_values = values("dsff-smq", cpu__ziips=2, cqs__ziip="off")
    spin = 5 * there["cf_host_cpu_us"] * growth(75)  # of its requests, stays where it is
    moved = predicted_values["cqs_cpu_us_per_tran"] - there["cqs_cpu_us_per_tran"]
    assert moved == pytest.approx(0.9 * (predicted_values["cqs_cpu_us_per_tran"] - spin), rel=0.1)


def test_a_batch_program_takes_the_sum_of_its_parts() -> None:
    """308 s = 49.09 + 5.43 CPU + 85,142 x 0.28 ms + 8,514.2 x 0.251 ms + what is fitted."""
    predicted_values = values("bmp-banking")
    assert predicted_values["bmp_io_s"] == pytest.approx(85_142 * 0.28e-3)
    assert predicted_values["bmp_check_write_s"] == pytest.approx(8_514.2 * 0.251e-3)
    parts = ("cpu", "srb", "io", "check_write", "fitted")
    assert predicted_values["bmp_elapsed_s"] == pytest.approx(
        sum(predicted_values[f"bmp_{part}_s"] for part in parts)
    )
    slow = values("bmp-banking", dasd__db_read_ms=0.56)
    assert slow["bmp_elapsed_s"] - predicted_values["bmp_elapsed_s"] == pytest.approx(
        23.84, rel=1e-3
    )
    half = values("bmp-banking", bmp__segments=42_571)
    assert half["bmp_elapsed_s"] == pytest.approx(predicted_values["bmp_elapsed_s"] / 2, rel=1e-6)


def test_more_slots_than_needed_slow_callouts() -> None:
    """One TPIPE: up steeply, then down slowly; the rate has a best limit."""
    rates = [
        values("otma-tpipe", otma__tpipes=1, otma__limitrtp=n)["etr_per_s"]
        for n in (10, 20, 50, 300)
    ]
    assert rates[1] > 1.5 * rates[0] and rates[2] > rates[1] and rates[3] < rates[2]
    predicted_values = values("otma-tpipe", otma__tpipes=1, otma__limitrtp=0)
    assert predicted_values["tpipe_slots"] == 1 and predicted_values["bottleneck"] == "slots"
    assert predicted_values["ical_response_ms"] == pytest.approx(
        300 / predicted_values["etr_per_s"] * 1000, rel=0.01
    )


# --- laws and bounds, at random ------------------------------------------------------------------

KNOBS: dict[str, tuple[Any, ...]] = {
    "cpu.gcps": (2, 4, 16), "clients": (0.5, 2.0), "cpu.speed": (0.5, 2.0),
    "region.unexplained_ms": (0.0, 3.0), "log.wads.write_ms": (0.1, 5.0),
    "dasd.channel_paths": (6, 32), "xcf.members": (8,), "regions": (0.5,),
    "sched.plct": (0, 65535), "cpu.ziips": (0, 4), "driver.think_ms": (0.5, 2.0),
}  # fmt: skip
SCALED = ("clients", "region.unexplained_ms", "driver.think_ms", "regions")


def drawn(name: str, seed: int) -> dict[str, Any]:
    """Some knobs at settings far from usual."""
    rng = np.random.default_rng(seed)
    variant, settings = load(name), {}
    for key, choices in KNOBS.items():
        if rng.random() < 0.5:
            continue
        real = key
        if key == "regions":
            real = next(k for k in ("regions.ifp", "regions.mpp", "regions.jmp") if variant[k] > 0)
        if real in variant:
            value = choices[int(rng.integers(len(choices)))]
            scaled = variant[real] * value if key in SCALED else value
            settings[real] = (
                max(round(scaled), 1) if isinstance(variant.knob(real).default, int) else scaled
            )
    return settings


@pytest.mark.parametrize("name", ["fast-path", "ff-haldb", "jmp", "tm-db2-irww", "zos-connect"])
@pytest.mark.parametrize("seed", range(6))
def test_laws_and_bounds_hold(name: str, seed: int) -> None:
    """Of the solver: utilisation, Little, population; no rate above m / c, n_reg / O_min, N / (Z +
    R_0)."""
    settings = drawn(name, seed)
    scenario = load(name, settings)
    by_name = {row["metric"]: row["value"] for row in predict(scenario, "solver")}
    rate, cps = by_name["etr_per_s"], scenario["cpu.gcps"]
    busy = by_name["cpu_busy_pct"] / 100
    assert 0 < busy <= 1 + 1e-9
    assert busy == pytest.approx(rate * by_name["cpu_us_per_tran"] / 1e6 / cps, rel=1e-9)
    response = by_name["ims_response_ms"] / 1000
    assert by_name["in_flight"] == pytest.approx(rate * response, rel=1e-9)
    cycle = scenario["driver.think_ms"] / 1000 + response + by_name["outside_ms"] / 1000
    assert rate * cycle == pytest.approx(scenario["clients"], rel=1e-5)
    size = sum(scenario[k] for k in ("regions.ifp", "regions.mpp", "regions.jmp"))
    occupied = rate * by_name["region_occupancy_ms"] / 1000
    assert occupied <= size * (1 + 1e-6)
    assert occupied == pytest.approx(by_name["regions_busy"], rel=1e-3)
    least = scenario["region.unexplained_ms"] / 1000
    assert response >= least
    assert rate <= scenario["clients"] / (scenario["driver.think_ms"] / 1000 + least) * (1 + 1e-9)
    for metric, value in by_name.items():
        if isinstance(value, float):
            assert math.isfinite(value) and value >= 0, metric


@pytest.mark.parametrize(
    "name", ["ff-haldb", "dsff-smq", "bmp-banking", "otma-tpipe", "odbm", "jmp"]
)
def test_stations_obey_the_utilisation_law(name: str) -> None:
    """X x demand = servers x utilisation at each station that `--explain` shows."""
    rate = values(name).get("etr_per_s")
    for row in explain(load(name)):
        if row["servers"] and rate and not row["system"] and row["demand_us"]:
            used = rate * row["demand_us"] / 1e6 / row["servers"]
            if row["station"] == "cpu" and name != "otma-tpipe":
                used += 0.02 / row["servers"]  # 20 ms a second at any rate
            assert used == pytest.approx(row["utilisation_pct"] / 100, rel=1e-6)
            if row["limit_per_s"]:
                assert row["limit_per_s"] >= rate * (1 - 1e-9)


@pytest.mark.parametrize(
    ("key", "metric", "expected"),
    [
        ("clients", "etr_per_s", 1.0998),
        ("driver.think_ms", "etr_per_s", 1 / 1.0977),
        ("region.unexplained_ms", "ims_response_ms", 1 + 0.1 * 14.02383 / 18.387),
        ("cpu.speed", "cpu_us_per_tran", 1 / 1.1),
    ],
)
def test_ten_per_cent_more_of_an_input_moves_what_the_equations_say(
    key: str, metric: str, expected: float
) -> None:
    """At half the load, where waits change little: N / (Z + R), D + the rest, c / speed."""
    half = {"driver.think_ms": 1600.0}
    variant = load("ff-haldb", half)
    before = {row["metric"]: row["value"] for row in predict(variant)}[metric]
    after = {
        row["metric"]: row["value"]
        for row in predict(variant.with_settings({key: variant[key] * 1.1}))
    }
    assert after[metric] / before == pytest.approx(expected, rel=0.01)


# --- open arrivals and bad input -----------------------------------------------------------------


def test_open_arrivals_beyond_the_limit_are_saturated() -> None:
    """6 CPs at 163 us take some 36,800/s: beyond it no response, and the rate is the limit."""
    light = values("jmp", driver__rate_per_s=20_000)
    assert light["etr_per_s"] == pytest.approx(20_000) and light["ims_response_ms"] > 0
    with pytest.raises(ScenarioError, match=r"rate_per_s: found 50,000, .* 36,.* cpu is full"):
        values("jmp", driver__rate_per_s=50_000)
    full = predicted(load("jmp", {"driver.rate_per_s": 50_000})).values
    assert full["ims_response_ms"] is None and full["in_flight"] is None
    assert full["cpu_busy_pct"] == pytest.approx(100, abs=0.1)
    assert full["etr_per_s"] == pytest.approx(6e6 / full["cpu_us_per_tran"], rel=1e-3)


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("jmp", {"clients": 0}, "clients: found 0, expected 1 to 200000"),
        ("jmp", {"driver.think_ms": -1}, "driver.think_ms: found -1"),
        ("jmp", {"driver.think_ms": "5 km"}, "expected a number in ms"),
        ("jmp", {"regions.jmp": 0}, "expected at least one region"),
        ("jmp", {"drivr.think_ms": 1}, "no knob 'drivr.think_ms'"),
        ("jmp", {"cpu.fixed_ms_per_s": 9_000}, "cpu.fixed_ms_per_s"),
        ("jmp", {"driver.target_busy": 50, "driver.rate_per_s": 10}, "driver.target_busy"),
        ("jmp", {"jvm.bits": 48}, "31 or 64"),
        ("bmp-banking", {"regions.bmp": 2}, "regions.bmp: found 2, expected 1"),
        ("logger-mm", {"log.distance": "far"}, "physical or svl_poughkeepsie_2018"),
    ],
)
def test_bad_settings_are_refused(name: str, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        predict(load(name, settings))
    assert words in caught.value.message


def test_a_time_may_be_given_in_another_unit() -> None:
    assert load("jmp", {"driver.think_ms": "0.5 s"})["driver.think_ms"] == 500.0
    assert load("jmp", {"driver.think_ms": "800us"})["driver.think_ms"] == pytest.approx(0.8)


def test_other_spellings_of_trace_names_work() -> None:
    variant = load("ff-haldb", {"trace.DL/I": "memory", "trace.SCHED": "external"})
    assert (variant["trace.DLI"], variant["trace.SCHD"]) == ("memory", "external")


def test_a_what_if_shows_before_after_and_what_fills_next() -> None:
    variant = load("ff-haldb")
    rows = {
        r["metric"]: r for r in predict_change(variant, variant.with_settings({"regions.mpp": 80}))
    }
    assert rows["etr_per_s"]["before"] == pytest.approx(4951.39, rel=1e-4)
    assert rows["saturates_next"]["before"] == "cpu"
    assert rows["bottleneck"]["value"] == "regions"
    assert rows["saturates_next"]["value"] == "cpu"
    change = rows["etr_per_s"]["value"] / rows["etr_per_s"]["before"] - 1
    assert rows["etr_per_s"]["change_pct"] == pytest.approx(change * 100)


def test_a_grid_has_each_combination() -> None:
    rows = predict_grid(
        load("otma-tpipe"), {"otma.tpipes": [1.0, 5.0], "otma.limitrtp": [10.0, 25.0]}
    )
    labels = [r["sweep_value"] for r in rows if r["metric"] == "etr_per_s"]
    assert labels == [
        f"otma.tpipes={a} otma.limitrtp={b}" for a, b in ((1, 10), (1, 25), (5, 10), (5, 25))
    ]
    published = [r["published"] for r in rows if r["metric"] == "etr_per_s"]
    assert published == [12918.48, 22547.84, 24641.25, 23635.06]
    with pytest.raises(ScenarioError, match="expected a number"):
        predict_grid(load("jmp"), {"log.zhpf": [1.0, 2.0]})


def test_regions_beyond_the_clients_change_nothing() -> None:
    """38 clients never hold 44 Fast Path regions; the two message regions queue in any case."""
    rates = [values("tm-db2-irww", regions__ifp=count)["etr_per_s"] for count in (44, 52, 53, 66)]
    assert rates == pytest.approx([rates[0]] * 4, rel=1e-9)
    fewer = [values("tm-db2-irww", regions__ifp=count)["etr_per_s"] for count in (10, 20, 30)]
    assert [*fewer, rates[0]] == sorted([*fewer, rates[0]])
    assert values("tm-db2-irww", regions__mpp=40)["etr_per_s"] > 1.01 * rates[0]


@pytest.mark.parametrize("name", ["cics-ff", "cics-fp"])
def test_where_cics_runs_does_not_change_what_it_costs(name: str) -> None:
    """CPU of a transaction and of IMS with none, some and all of CICS at QR TCBs, busy alike."""
    few = {"driver__rate_per_s": 1000.0, "cpu__growth": 0.0}
    shares_tried = [values(name, cics__qr_share=share, **few) for share in (0.0, 0.15, 0.8, 1.0)]
    for key in ("cpu_us_per_tran", "ims_cpu_us_per_tran", "cpu_busy_pct"):
        assert [result[key] for result in shares_tried] == pytest.approx(
            [shares_tried[0][key]] * 4, rel=1e-9
        )


def test_a_ziip_is_no_limit_while_its_work_may_go_to_the_processors() -> None:
    """The ceiling is that of both together, seen from any load; what is there is reached."""
    most = values("zos-connect", cpu__ziips=1, clients=200)["etr_per_s"]
    for clients in (10, 20, 35):
        predicted_values = values("zos-connect", cpu__ziips=1, clients=clients)
        assert predicted_values["saturates_next"] == predicted_values["bottleneck"] == "cpu"
        assert predicted_values["saturates_at_per_s"] == pytest.approx(most, rel=0.02)
    alone = values("zos-connect", cpu__ziips=1, clients=5, cpu__ziip_honor="off")
    assert alone["saturates_next"] == "ziip_cpu"


def test_two_systems_saturate_at_a_rate_of_both() -> None:
    """Without growth CPU is in proportion to the rate: full at 1 / busy times it (fixed: 1 %)."""
    predicted_values = values("dsff-smq", cpu__growth=0.0)
    more = predicted_values["saturates_at_per_s"] / predicted_values["etr_per_s"]
    assert more == pytest.approx(100 / predicted_values["util_cpu_1"], rel=0.01)
    assert predicted_values["headroom_pct"] == pytest.approx((more - 1) * 100)
