"""What run.toml says of a system from the documents; the procedure agrees with the records."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from imsperf.synthetic.generate import generate
from imsperf.synthetic.run_facts import facts, offset_s
from imsperf.synthetic.scenarios import scenario


def note(name: str, folder: Path, **settings: Any) -> dict[str, Any]:
    variant = scenario.load(name, {"dasd.volumes": 8, **settings})
    generate(variant, folder / "run", seconds=0.2, sample_k=50)
    return tomllib.loads((folder / "run" / "run.toml").read_text(encoding="utf-8"))


def test_the_steps_follow_each_other() -> None:
    """000 5.1 to 5.3: 7, 11 and 3 steps; 2 s of ramp before an interval of 120 s."""
    steps = list(facts()["procedure"])
    assert [sum(s.startswith(f"5.{n}.") for s in steps) for n in (1, 2, 3)] == [7, 11, 3]
    assert steps == sorted(steps)
    times = [offset_s(step, 2.0, 120.0) for step in steps]
    assert times == sorted(times)
    assert times[:8] == [-602.0, -302.0, -242.0, -62.0, -2.0, -1.5, -1.0, -1.0]
    assert times[10:13] == [0.0, 0.0, 0.0] and times[14] == 120.0


def test_full_function(tmp_path: Path) -> None:
    read = note("ff-haldb", tmp_path)
    assert read["machine_profile"]["clock"] == {
        "value": 5.2, "unit": "GHz", "source": "000 3.1.1"
    }  # fmt: skip
    assert read["products"]["TPNS"]["value"] == "3.5, service level 9711"
    assert read["partitions"]["LPAR2"]["value"] == "TPNS"
    assert read["log_definition"]["wads.shareoptions"]["value"] == "(3 3)"
    assert read["segments"]["CUSTOMRA.02.ADDR002"]["value"] == "direct dependent"
    assert len(read["segments"]) == 48  # 000 T1
    assert not {"scope", "esaf_parameters", "pool_roles"} & read.keys()


@pytest.mark.parametrize(
    ("variant", "scope"), [("rb5-before", "Fast Path EMH only"), ("rb1-before", "general")]
)
def test_a_roadblock_says_whom_it_helps(variant: str, scope: str, tmp_path: Path) -> None:
    read = note(f"tps-100k@{variant}", tmp_path)
    assert read["scope"]["change"]["value"].startswith(scope)
    assert read["pool_roles"]["EMHB"]["value"].startswith("common")
    assert "machine_profile" not in read  # 002 names the zEC12 alone
