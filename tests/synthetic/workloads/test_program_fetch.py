"""Where program objects are found, and what that costs: by hand from the tables of `cobol`.

One schedule of a COBOL 5.1 program loads 192 KB of its own and nine modules of 192 KB together.
From VLF: 8 us an object and 0.05 us a KB; from the hiperspace 30 and 0.4; from disk 30, 0.1 and 25
us for each I/O of 64 KB; from the job pack area 0.5 us.
"""

from __future__ import annotations

from typing import Any

import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.workloads.features import code_factor
from imsperf.synthetic.workloads.program_fetch import Fetch, fetch
from imsperf.synthetic.workloads.tm import build

RUN_TIME = 9 * 8 + 192 * 0.05  # 81.6 us
KEPT = 9 * 0.5  # preloaded
VLF = 8 + 192 * 0.05  # 17.6 us
DISK = 30 + 192 * 0.1 + 3 * 25  # 124.2 us, three I/Os
HIPERSPACE = 30 + 192 * 0.4  # 106.8 us
FAULTS = 30 + 96 * 0.1 + 6 * 25 + 24 * 2  # half the pages, 16 KB an I/O: 237.6 us
HELD = 1024 / (13 * 192)  # of 13 programs in 1 MB
HSP = {"lla.managed": "off", "pdse.hsp_mb": 256}


@pytest.mark.parametrize(
    ("settings", "cpu_us", "ios", "pages", "in_hiperspace", "directory"),
    [
        ({}, VLF + RUN_TIME, 0, 0, 0, 0),
        ({"cobol.version": "4.2"}, VLF + RUN_TIME, 0, 0, 0, 0),
        ({"cobol.version": "4.2", "lla.apar": "off"}, VLF + RUN_TIME, 0, 0, 0, 0),
        ({"sched.preload": "on"}, VLF + KEPT, 0, 0, 0, 0),
        ({"lla.apar": "off"}, DISK + RUN_TIME, 3, 48, 0, 0),
        ({"lla.managed": "off"}, DISK + RUN_TIME, 3, 48, 0, 2),
        ({"cobol.mixed": "on"}, DISK + RUN_TIME, 3, 48, 0, 0),  # three segments
        ({"cobol.mixed": "on", "cobol.rmode": "24"}, VLF + RUN_TIME, 0, 0, 0, 0),  # two
        ({"cobol.mixed": "on", "cobol.version": "4.2"}, VLF + RUN_TIME, 0, 0, 0, 0),  # no C_WSA
        ({"lla.apar": "off", "binder.fetchopt": "nopack-noprime"}, FAULTS + RUN_TIME, 6, 24, 0, 0),
        (HSP, HIPERSPACE + RUN_TIME, 0, 48, 48, 2),
        ({**HSP, "pdse.msr": 10}, DISK + RUN_TIME, 3, 48, 0, 2),
        ({**HSP, "pdse.sms": "off"}, DISK + RUN_TIME, 3, 48, 0, 2),
        ({**HSP, "pdse.sms": "off", "pdse.lnklst": "on"}, HIPERSPACE + RUN_TIME, 0, 48, 48, 2),
        ({"lla.apar": "off", "pdse.hsp_mb": 256}, HIPERSPACE + RUN_TIME, 0, 48, 48, 0),
        (
            {**HSP, "pdse.hsp_mb": 1},
            HELD * HIPERSPACE + (1 - HELD) * DISK + RUN_TIME,
            3 * (1 - HELD),
            48,
            48 * HELD,
            2,
        ),
        (
            {"cobol.version": "4.2", "cobol.library": "pds", "lla.managed": "off"},
            DISK + 25 + RUN_TIME,  # and an I/O for its directory; no buffer manager
            4,
            0,
            0,
            0,
        ),
    ],
)
def test_one_schedule(
    settings: dict[str, Any],
    cpu_us: float,
    ios: float,
    pages: float,
    in_hiperspace: float,
    directory: float,
) -> None:
    found = fetch(load("cobol", settings))
    assert found.cpu_us == pytest.approx(cpu_us)
    assert sum(one.ios for one in found.reads) == pytest.approx(ios)
    assert found.io_us == pytest.approx(250 * ios)
    assert sum(one.pages for one in found.reads) == pytest.approx(pages)
    assert sum(one.found for one in found.reads) == pytest.approx(in_hiperspace)
    assert sum(one.directory_pages for one in found.reads) == pytest.approx(directory)


def test_scenarios_without_program_objects_have_one_cost() -> None:
    assert fetch(load("ff-haldb")) == Fetch(cpu_us=40.0)
    assert fetch(load("ff-haldb", {"sched.preload": "on"})) == Fetch(cpu_us=0.0)


@pytest.mark.parametrize(
    ("settings", "factor"),
    [
        ({"cobol.version": "4.2"}, 1.0),
        ({"cobol.version": "4.2", "cobol.arch": "11", "cobol.optimize": "0"}, 1.0),  # has neither
        ({}, 0.7 + 0.3 * 0.995),
        ({"cobol.arch": "6"}, 0.7 + 0.3 * 0.995),  # the default of 5.1
        ({"cobol.version": "5.2"}, 0.7 + 0.3 * 0.99),
        ({"cobol.version": "5.2", "cobol.arch": "6"}, 0.7 + 0.3 * 0.99),  # ignored: 7
        ({"cobol.arch": "10"}, 0.7 + 0.3 * 0.995 * 0.88),
        ({"cobol.version": "5.2", "cobol.arch": "10"}, 0.7 + 0.3 * 0.99 * 0.88 / 0.99),
        ({"cobol.optimize": "0"}, 0.7 + 0.3 * 0.995 * 1.15),
    ],
)
def test_compiled_code(settings: dict[str, Any], factor: float) -> None:
    """30 % of a region's CPU is compiled code."""
    assert code_factor(load("cobol", settings)) == pytest.approx(factor)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"pdse.hsp_mb": 2048}, "pdse.hsp_mb: found 2048, expected 0 to 2047 MB"),
        ({"cobol.library": "pds"}, "cobol.library: found pds, expected pdse with COBOL 5.1"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        fetch(load("cobol", settings))


def test_schedules_are_cpu_of_regions() -> None:
    """60 + 99.2 + 80 us once for 1.5 messages, in the CPU of MPPs and in that of all spaces."""
    network, bare = build(load("cobol")), build(load("cobol", {"sched.wfi": "on"}))
    cpu, each = network.cpu, (60 + VLF + RUN_TIME + 80) / 1.5
    by_space, waiting = dict(cpu.share_by_space), dict(bare.cpu.share_by_space)
    total = cpu.input_us + cpu.region_us + cpu.output_us + each
    assert sum(by_space.values()) == pytest.approx(total)
    assert by_space["MPP"] - waiting["MPP"] == pytest.approx(each, rel=0.003)  # 0.24 us there
    assert by_space["IMS"] == waiting["IMS"]
