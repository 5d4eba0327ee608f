"""Scenario files: reading, settings, writing back, and what is wrong with a bad one."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.scenarios.scenario import load, parse_fpl
from imsperf.synthetic.scenarios.toml_text import to_toml
from imsperf.synthetic.workloads import families
from imsperf.synthetic.workloads.network_family import declared as build

VARIANTS = ("", *(f"@{name}" for name in load("tps-100k").variants))


def test_built_in_scenarios_are_listed() -> None:
    assert "tps-100k" in scenario.names()
    rows = scenario.overview()
    assert {"scenario", "title", "settings"} <= rows[0].keys()
    assert "tps-100k@rb1-before" in [row["scenario"] for row in rows]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_written_reads_back_equal(variant: str, tmp_path: Path) -> None:
    read_back = load(f"tps-100k{variant}")
    path = tmp_path / "mine.toml"
    path.write_text(to_toml(read_back), encoding="utf-8")
    assert load(path) == read_back
    assert build(load(path)) == build(read_back)


def test_a_setting_changes_one_value_and_keeps_its_default() -> None:
    variant = load("tps-100k", {"dasd.channel_paths": "8", "region.unexplained_ms": "1"})
    assert variant["dasd.channel_paths"] == 8
    assert isinstance(variant["dasd.channel_paths"], int)
    assert variant["region.unexplained_ms"] == 1.0
    assert variant.knob("dasd.channel_paths").default == 16
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
    variant = load(name)
    for knob in variant.knobs.values():
        assert knob.source and knob.doc and knob.unit, knob.key
        limited = knob.choices or isinstance(knob.default, str) or knob.minimum is not None
        assert limited, f"{knob.key} has no range"
    for table in variant.tables.values():
        assert all(c.source and c.doc and c.unit for c in table.columns), table.name


def test_before_and_after_differ_only_in_what_the_roadblock_is_about() -> None:
    variant = load("tps-100k")
    for number in range(1, 10):
        before = variant.variants[f"rb{number}-before"].settings
        after = variant.variants[f"rb{number}-after"].settings
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
    variant = load("tps-100k")
    (emhb,) = parse_fpl(variant["pools.EMHB"])
    assert variant["clients"] + variant["regions.ifp"] <= emhb.primary


def test_reported_buffer_sizes_follow_the_rule() -> None:
    """Defined + 8 to a multiple of 8: 2048 -> 2056, 4292 -> 4304, 8192 -> 8200."""
    sizes = [p.buffer_bytes for p in build(load("tps-100k")).pools if p.pool == "DYNP"]
    assert sizes == [2056, 4304, 8200, 0]


# --- files of people -----------------------------------------------------------------------------

ON_FF = 'extends = "ff-haldb"\n'


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ('knobs=[{key="cpu.gcps",value="four"}]', "cpu.gcps: found 'four', expected a number", ""),
        ('[knobs]\n"cpu.gcps" = 4', "knobs: found a table, expected an array", "key ="),
        ('knobs=[{key="cpu.gcps",value=400}]', "found 400, expected 1 to 64", "the default is 3"),
        ('knobs=[{key="cpu.gcps",value=4,unit="ms"}]', "found unit 'ms', expected 'count'", "unit"),
        ('knobs=[{key="cpu.gcps",value=true}]', "expected one number or text", '"on" or "off"'),
        ('knobs=[{key="cpu.gcps",value=4.5}]', "expected a whole number", ""),
        ('knobs=[{key="cpu.gcps",value=[4]}]', "found an array, expected one number", ""),
        ('knobs=[{key="cpu.gcpss",value=4}]', "no knob 'cpu.gcpss'", "did you mean cpu.gcps"),
        ('knobs=[{key="cpu.gcps",value=4,range=[9,1]}]', "expected two numbers", "range"),
        ('knobs=["cpu.gcps"]', "found a text, 'cpu.gcps', expected a table", "key ="),
        ("knobs=3", "knobs: found a number, 3, expected an array", ""),
        ("include=3", "include: found a number, 3, expected an array", ""),
        ("[table]\ntransactions=3", "found a number, 3, expected a table", "columns"),
        ("[variants]\nbig=3", "variant big: found a number, 3, expected a table", "settings"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(
    text: str, message: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ON_FF + text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert message in caught.value.message and str(path) in caught.value.message
    assert hint in (caught.value.hint or "")


def test_files_that_are_no_scenario_are_refused(tmp_path: Path) -> None:
    own, other, bytes_ = (tmp_path / f"{name}.toml" for name in "abc")
    own.write_text(f"extends = {str(own)!r}", encoding="utf-8")
    with pytest.raises(ScenarioError, match="a file that extends itself"):
        load(own)
    own.write_text(f"extends = {str(other)!r}", encoding="utf-8")
    other.write_text(f"extends = {str(own)!r}", encoding="utf-8")
    with pytest.raises(ScenarioError, match="a file that extends itself"):
        load(own)
    bytes_.write_bytes(b"\x00\xc3\xff\xfe")
    with pytest.raises(ScenarioError, match="no text at 1, expected TOML in UTF-8"):
        load(bytes_)


def test_a_region_of_no_kind_is_refused_by_model_and_records(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(to_toml(load("ff-haldb")).replace('"MPP", 1,', '"XPP", 1,'), encoding="utf-8")
    variant = load(path)
    for use in (families.predicted, families.systems):
        with pytest.raises(ScenarioError, match="found region 'XPP', expected one of IFP, MPP"):
            use(variant)


def test_a_file_gives_only_what_differs(tmp_path: Path) -> None:
    """Name from the file, the rest from the scenario; a value acts as --set does, unit or not."""
    path = tmp_path / "mine.toml"
    text = 'knobs = [{key="jvm.bits",value="64"}, {key="driver.think_ms",value=1,unit="s"}]'
    path.write_text(f'extends = "jmp"\n{text}', encoding="utf-8")
    variant, set_ = load(path), load("jmp", {"jvm.bits": "64", "driver.think_ms": 1000})
    assert (variant.name, variant.title) == ("mine", load("jmp").title)
    assert isinstance(variant["driver.think_ms"], float)
    assert families.predicted(variant).values == families.predicted(set_).values


def test_a_variant_without_a_name_is_refused() -> None:
    with pytest.raises(ScenarioError, match="no variant ''") as caught:
        load("tps-100k@")
    assert "rb1-before" in (caught.value.hint or "")
