"""Scenario files: reading, settings, writing back, and what is wrong with a bad one."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic import scenario
from imsperf.synthetic.build import build
from imsperf.synthetic.scenario import load, parse_fpl

VARIANTS = ("", *(f"@{name}" for name in load("tps-100k").variants))


def test_built_in_scenarios_are_listed() -> None:
    assert "tps-100k" in scenario.names()
    rows = scenario.overview()
    assert {"scenario", "title", "settings"} <= rows[0].keys()
    assert "tps-100k@rb1-before" in [row["scenario"] for row in rows]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_written_reads_back_equal(variant: str, tmp_path: Path) -> None:
    found = load(f"tps-100k{variant}")
    path = tmp_path / "mine.toml"
    path.write_text(found.to_toml(), encoding="utf-8")
    assert load(path) == found
    assert build(load(path)) == build(found)


def test_a_setting_changes_one_value_and_keeps_its_default() -> None:
    found = load("tps-100k", {"dasd.channel_paths": "8", "region.unexplained_ms": "1"})
    assert found["dasd.channel_paths"] == 8
    assert isinstance(found["dasd.channel_paths"], int)
    assert found["region.unexplained_ms"] == 1.0
    assert found.knob("dasd.channel_paths").default == 16
    assert load("tps-100k")["dasd.channel_paths"] == 16


def test_settings_come_after_the_variant() -> None:
    assert load("tps-100k@rb1-before")["xcf.messages_per_schedule"] == 16
    again = load("tps-100k@rb1-before", {"xcf.messages_per_schedule": 32})
    assert again["xcf.messages_per_schedule"] == 32
    assert again.full_name == "tps-100k@rb1-before"


@pytest.mark.parametrize(
    ("name", "settings", "message", "hint"),
    [
        ("tps-100", {}, "no scenario 'tps-100'", "did you mean tps-100k?"),
        ("tps-100k@rb1", {}, "no variant 'rb1'", "imsperf scenarios tps-100k"),
        ("nothere.toml", {}, "no such file", "tps-100k"),
        ("tps-100k", {"dasd.chanel_paths": 8}, "no knob", "did you mean dasd.channel_paths"),
        ("tps-100k", {"dasd.channel_paths": "many"}, "expected a number", "FICON"),
        ("tps-100k", {"dasd.channel_paths": 8.5}, "expected a whole number", "FICON"),
        ("tps-100k", {"dasd.channel_paths": "inf"}, "expected a whole number", "FICON"),
        ("tps-100k", {"dasd.channel_paths": 0}, "expected 1 to 256", "the default is 16"),
        ("tps-100k", {"cpu.speed": "nan"}, "expected 0.01 to 100", "the default"),
        (
            "tps-100k",
            {"logger.latch": "slit"},
            "exclusive or shared or split",
            "did you mean split",
        ),
        ("tps-100k", {"pools.DYNP": "(2048,16,8)"}, "expected (bytes,primary", "DFSSPMxx"),
    ],
)
def test_what_is_wrong_is_said_with_a_hint(
    name: str, settings: dict[str, scenario.Value], message: str, hint: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(name, settings)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "broken.toml"),
        ('name = "x"', "found no 'knobs'"),
        ('name="x"\ntitle="t"\ndoc="d"\nknobs=[{key="a",value=1}]', "found no"),
        (
            'name="x"\ntitle="t"\ndoc="d"\n'
            'knobs=[{key="a",value=1,doc="d",source="s",confidence="sure"}]',
            "found confidence 'sure'",
        ),
        (
            'name="x"\ntitle="t"\ndoc="d"\n'
            'knobs=[{key="a",value=9,range=[1,2],doc="d",source="s",confidence="assumed"}]',
            "expected 1 to 2",
        ),
    ],
)
def test_a_broken_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=r".+") as caught:
        load(path)
    assert message in caught.value.message


def test_fpl_text_becomes_sizes_in_order() -> None:
    first, second = parse_fpl(" (4292,1100,50,Y), (2048,16,8,n) ")
    assert (first.defined_bytes, first.initial) == (2048, False)
    assert (second.primary, second.secondary, second.initial) == (1100, 50, True)


@pytest.mark.parametrize("name", scenario.names())
def test_every_value_says_where_it_comes_from(name: str) -> None:
    found = load(name)
    for knob in found.knobs.values():
        assert knob.source and knob.doc and knob.unit, knob.key
        limited = knob.choices or isinstance(knob.default, str) or knob.minimum is not None
        assert limited, f"{knob.key} has no range"
    for table in found.tables.values():
        assert all(c.source and c.doc and c.unit for c in table.columns), table.name


def test_before_and_after_differ_only_in_what_the_roadblock_is_about() -> None:
    found = load("tps-100k")
    for number in range(1, 10):
        before = found.variants[f"rb{number}-before"].settings
        after = found.variants[f"rb{number}-after"].settings
        assert set(after) <= set(before)


def test_mix_and_input_output_add_up() -> None:
    network = build(load("tps-100k"))
    reads, writes = network.mean("reads"), network.mean("writes")
    assert reads + writes == pytest.approx(0.446, abs=0.001)
    assert reads == pytest.approx(2 * writes, rel=0.001)
    assert network.mean("cpu_factor") == pytest.approx(1.0, abs=0.001)
    assert network.mean("log_bytes") == pytest.approx(422, abs=1)


def test_cpu_cost_is_the_measured_one_where_it_was_measured() -> None:
    """60.535 us at 85.59 % busy and 98,972.2/s on a machine 1.2 times as fast."""
    cpu = build(load("tps-100k")).cpu
    bare = cpu.input_us + cpu.region_us + cpu.output_us
    total = bare * (1 + cpu.growth * 0.8559) + cpu.fixed_us_per_s / 98_972.2
    assert total * 0.8333 == pytest.approx(60.535, rel=1e-9)
    assert sum(us for _, us in cpu.share_by_space) == pytest.approx(bare, rel=1e-9)


def test_pools_hold_the_peak_after_tuning_and_not_before() -> None:
    tuned = [p for p in build(load("tps-100k")).pools if p.gets >= 0.01]
    assert [p.blocks_at_start for p in tuned] == [1] * len(tuned)
    before = [p for p in build(load("tps-100k@rb8-before")).pools if p.gets >= 0.01]
    assert {p.pool for p in before if p.blocks_at_start > 1} == {"DYNP", "LUMC", "LUMP", "EMHB"}
    assert max(p.request_bytes for p in before) <= 4096


def test_every_table_is_read_by_the_generator() -> None:
    """A table that nothing reads would change nothing. Knobs: test_calibration.py."""
    root = Path(str(files("imsperf.synthetic")))
    text = "".join(path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    assert all(f'"{table}"' in text for table in load("tps-100k").tables)


def test_clients_and_regions_fit_the_message_buffers() -> None:
    found = load("tps-100k")
    (emhb,) = parse_fpl(found["pools.EMHB"])
    assert found["clients"] + found["regions.ifp"] <= emhb.primary


def test_reported_buffer_sizes_follow_the_rule() -> None:
    """Defined + 8 to a multiple of 8: 2048 -> 2056, 4292 -> 4304, 8192 -> 8200."""
    sizes = [p.buffer_bytes for p in build(load("tps-100k")).pools if p.pool == "DYNP"]
    assert sizes == [2056, 4304, 8200, 0]
